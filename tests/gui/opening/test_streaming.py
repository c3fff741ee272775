"""Landblocks stream into the picture while the window does other work."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from engine.build.demo import SPOTS, ensure_demo
from tests.gui.view3d.view_hands import difference, picture, rest, stand, view_of, viewer_of
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


@pytest.fixture
def window(qtbot: QtBot, settings: QSettings) -> Iterator[MainWindow]:
    with view_of(qtbot, settings, ensure_demo()) as shown:
        yield shown


def test_the_land_around_streams_in_and_stays_out_of_the_collector(qtbot: QtBot, window: MainWindow) -> None:
    spot = SPOTS["street"]
    x, y, z = spot.origin
    stand(qtbot, window, spot.cell_id, (x, y, z + 20.0), spot.heading)
    arrivals = viewer_of(window).arrivals
    assert arrivals is not None
    qtbot.waitUntil(lambda: not arrivals.is_busy, timeout=20_000)
    rest(qtbot, window)
    all_there = picture(window)
    blocks = {block.block_id >> 16 for block in viewer_of(window).world_view.blocks()}
    assert {0xC85A, 0xC85B, 0xC85C, 0xC95A, 0xC95B, 0xC95C, 0xCA5A, 0xCA5B, 0xCA5C} <= blocks
    assert gc.get_freeze_count() > 100_000
    for block_id in blocks - {0xC95B}:
        viewer_of(window).world_view.withhold(block_id << 16, True)
    rest(qtbot, window)
    assert difference(all_there, picture(window)) > 100
