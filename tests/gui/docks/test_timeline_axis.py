"""The Timeline's time axis and its grid, by wheel and pixels; teleports are no speed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from engine.entities.door import TICKS_PER_SECOND
from engine.sim.edits.player import Teleport
from tests.gui.docks.live_hands import raise_dock
from tests.gui.docks.timeline_hands import place, readings, turn_wheel
from ui.docks.timeline.time_axis import time_ticks
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.window.main_window import MainWindow

LOFT = 0x00070102

pytestmark = pytest.mark.gui


@pytest.fixture
def waited(qtbot: QtBot, opened: MainWindow) -> TimelinePanel:
    """Timeline in front after 300 ticks."""
    panel = opened.docks.panel(TimelinePanel)
    raise_dock(qtbot, opened.docks.of(panel))
    opened.clock.step(300)
    qtbot.waitUntil(lambda: not opened.clock.is_stepping, timeout=20_000)
    return panel


def seconds(label: str) -> float:
    """The time in a label such as "1,800 · 1:00"."""
    minutes, _, rest = label.split(" · ")[1].rpartition(":")
    return float(rest.removesuffix(" s")) + 60.0 * float(minutes or 0.0)


def columns_of(image: QImage, top: int, bottom: int) -> NDArray[np.int64]:
    return np.array([[image.pixel(x, y) for y in range(top, bottom)] for x in range(image.width())])


@pytest.mark.parametrize("ticks", [8.0, 40.0, 300.0, 5000.0, 100_000.0])
def test_labels_count_ticks_and_seconds_and_have_room(ticks: float) -> None:
    width = 600.0
    labels = time_ticks(17.0, 17.0 + ticks, width)
    assert len(labels) >= 2
    places = [(tick - 17.0) / ticks * width for tick, _ in labels]
    assert min(later - before for before, later in pairwise(places)) >= 100.0
    for tick, label in labels:
        assert label.startswith(f"{int(tick):,} · ")
        assert seconds(label) == pytest.approx(tick / TICKS_PER_SECOND, abs=0.006)


def test_a_line_of_the_grid_stands_at_every_label_at_any_zoom(qtbot: QtBot, waited: TimelinePanel) -> None:
    plot = waited.plot
    steps = set()
    for _ in range(8):
        span, box = plot.span, plot.canvas.box
        wanted = time_ticks(span.low, span.high, span.width)
        steps.add(wanted[1][0] - wanted[0][0] if len(wanted) > 1 else 0.0)
        shown = columns_of(plot.view.grab().toImage(), int(box.top()) + 2, int(box.bottom()) - 2)
        for tick, _ in wanted:
            x = round(box.left() + span.x_of(tick))
            if box.left() + 4 < x < box.right() - 4:
                differing = [(shown[beside] != shown[x - 3]).mean() for beside in (x - 1, x, x + 1)]
                assert max(differing) > 0.3, f"no line at tick {tick}"
        turn_wheel(plot, place(plot, 150), 2)
    assert len(steps) >= 4, "nearer labels are finer"


def test_a_teleport_far_away_is_no_speed(qtbot: QtBot, opened: MainWindow, waited: TimelinePanel) -> None:
    """It was 299.99 m/s and flattened the curve."""
    document = opened.document
    before = next(view.high for view in waited.plot.views if view.lane.id == "speed")
    document.edit("Go", Teleport(LOFT, 1.0, 2.0, 3.0, 90.0))
    document.tick_many(10)
    speed = next(view for view in waited.plot.views if view.lane.id == "speed")
    assert speed.high == before
    assert np.isnan(waited.log.speed.values[300])
    document.go_to(301)
    assert "m/s" not in readings(waited)["speed"]
