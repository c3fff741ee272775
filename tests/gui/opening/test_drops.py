"""A file may be dropped anywhere on the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.gui.docks.live_hands import raise_dock
from tests.gui.opening.opening_hands import drop_over
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

PLACES: dict[str, Callable[[MainWindow], QWidget]] = {
    "map": lambda window: window.map.viewport(),
    "graph": lambda window: window.live.graph.view.viewport(),
    "doors": lambda window: window.live.doors.view.viewport(),
    "sweep": lambda window: window.live.sweep,
    "pview": lambda window: window.live.pview,
    "timeline": lambda window: window.live.timeline.strip,
    "world": lambda window: window.world_view,
    "details": lambda window: window.details_view,
    "problems": lambda window: window.problems_view,
    "toolbar": lambda window: window.live.time_bar.tick_label,
    "status": lambda window: window.status.core,
}


@pytest.fixture
def dropped(opened: MainWindow, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was opened."""
    sources: list[str] = []
    monkeypatch.setattr(opened.opening, "open", sources.append)
    return sources


@pytest.mark.parametrize("place", PLACES)
def test_a_file_may_be_dropped_on(
    qtbot: QtBot, opened: MainWindow, dropped: list[str], tmp_path: Path, place: str
) -> None:
    part = PLACES[place](opened)
    for dock in opened.docks:
        if dock.isAncestorOf(part):
            raise_dock(qtbot, dock)
    qtbot.waitUntil(part.isVisible)
    assert drop_over(part, tmp_path / "any.json")
    assert dropped == [str(tmp_path / "any.json")]


@pytest.mark.parametrize("place", ["graph", "doors", "details"])
def test_a_file_may_be_dropped_on_a_dock_that_floats(
    qtbot: QtBot, opened: MainWindow, dropped: list[str], tmp_path: Path, place: str
) -> None:
    part = PLACES[place](opened)
    dock = next(dock for dock in opened.docks if dock.isAncestorOf(part))
    dock.setFloating(True)
    raise_dock(qtbot, dock)
    qtbot.waitExposed(dock)
    assert part.window() is dock
    assert drop_over(part, tmp_path / "any.json")
    assert dropped == [str(tmp_path / "any.json")]
