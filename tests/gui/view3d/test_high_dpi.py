"""At 200 % the picture, the map, the graph, the Timeline and icons have all pixels of the screen: none is enlarged."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QSettings, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from engine.build.demo import ensure_demo
from tests.gui.view3d.view_hands import redraw, view_of, viewport_of
from tests.loaded import HUNG
from ui.docks.graph.graph_dock import CellGraphPanel
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.theme.icons import SIZE, icon
from ui.theme.theme import DARK
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

SCALED = os.environ.get("QT_SCALE_FACTOR") == "2"
FINE = 0.002
"""The least share of squares of two by two pixels that are not of one colour; in an enlarged picture there are none."""

only_scaled = pytest.mark.skipif(not SCALED, reason="runs in the process that the last test here starts")


@pytest.fixture
def view(qtbot: QtBot, settings: QSettings) -> Iterator[MainWindow]:
    with view_of(qtbot, settings, ensure_demo()) as shown:
        yield shown


def pixels(image: QImage) -> NDArray[np.uint8]:
    shown = image.convertToFormat(QImage.Format.Format_RGBX8888)
    return np.array(shown.constBits(), np.uint8).reshape(shown.height(), shown.width(), 4)[:, :, :3]


def share_of_detail(image: QImage) -> float:
    """The share of squares of two by two pixels that are not of one colour."""
    found = pixels(image)
    found = found[: len(found) // 2 * 2, : found.shape[1] // 2 * 2]
    corners = [found[y::2, x::2] for y in (0, 1) for x in (0, 1)]
    return float(np.any([(corner != corners[0]).any(axis=2) for corner in corners[1:]], axis=0).mean())


def is_sharp(widget: QWidget) -> bool:
    image = widget.grab().toImage()
    assert image.size() == widget.size() * 2
    return share_of_detail(image) > FINE


def test_an_enlarged_picture_has_no_detail() -> None:
    random = np.random.default_rng(1).integers(0, 255, (40, 40, 4), np.uint8)
    small = QImage(random.tobytes(), 40, 40, 160, QImage.Format.Format_RGBX8888)
    assert share_of_detail(small) > 0.9
    assert share_of_detail(small.scaled(80, 80)) == 0.0


@only_scaled
def test_the_framebuffer_has_the_pixels_of_the_screen(qtbot: QtBot, view: MainWindow) -> None:
    viewport = viewport_of(view)
    redraw(qtbot, view)
    assert viewport.devicePixelRatioF() == 2.0
    assert {(target.width, target.height) for target in viewport._targets.values()} == {
        (2 * viewport.width(), 2 * viewport.height())
    }
    picture = viewport.grab_picture()
    assert picture.size() == viewport.size() * 2
    assert share_of_detail(picture) > 0.3


@only_scaled
def test_map_graph_and_timeline_are_sharp(qtbot: QtBot, view: MainWindow) -> None:
    qtbot.keyClick(view, Qt.Key.Key_F3)
    plan = view.centre.map_panel.map
    qtbot.waitUntil(plan.isVisible)
    assert is_sharp(plan)
    graph = view.docks.panel(CellGraphPanel)
    qtbot.waitUntil(graph.isVisible)
    assert is_sharp(graph)
    timeline = view.docks.panel(TimelinePanel)
    view.docks.of(timeline).raise_()
    view.clock.step(20)
    qtbot.waitUntil(lambda: not view.clock.is_stepping, timeout=20_000)
    assert is_sharp(timeline.plot)


@only_scaled
def test_icons_are_drawn_for_the_screen(view: MainWindow) -> None:
    found = icon("run", DARK).pixmap(QSize(SIZE, SIZE), 2.0)
    assert (found.width(), found.devicePixelRatio()) == (2 * SIZE, 2.0)
    assert share_of_detail(found.toImage()) > 0.05


@pytest.mark.skipif("QT_SCALE_FACTOR" in os.environ, reason="that is this test")
def test_all_of_it_at_200_per_cent() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xvfb", __file__]
    environment = {**os.environ, "QT_SCALE_FACTOR": "2"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=HUNG)
    assert done.returncode == 0, done.stdout
    assert "....s" in done.stdout, done.stdout
