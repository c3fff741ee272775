"""A file can be dropped anywhere on the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.gui.docks.live_hands import raise_dock
from tests.gui.opening.opening_hands import drop_over
from ui.docks.details import DetailsView
from ui.docks.doors import DoorsPanel
from ui.docks.graph.graph_dock import CellGraphPanel
from ui.docks.problems import ProblemsView
from ui.docks.pview.pview_dock import PViewPanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.docks.world import WorldPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

PLACES: dict[str, Callable[[MainWindow], QWidget]] = {
    "map": lambda window: window.map.viewport(),
    "graph": lambda window: window.docks.panel(CellGraphPanel).view.viewport(),
    "doors": lambda window: window.docks.panel(DoorsPanel).view.viewport(),
    "sweep": lambda window: window.docks.panel(SweepPanel),
    "pview": lambda window: window.docks.panel(PViewPanel),
    "timeline": lambda window: window.docks.panel(TimelinePanel).stack,
    "world": lambda window: window.docks.panel(WorldPanel),
    "details": lambda window: window.docks.panel(DetailsView),
    "problems": lambda window: window.docks.panel(ProblemsView),
    "toolbar": lambda window: window.time_bar.tick_label,
    "status": lambda window: window.status.core,
}


@pytest.fixture
def dropped(opened: MainWindow, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The source that was opened."""
    sources: list[str] = []
    monkeypatch.setattr(opened.opening, "open", sources.append)
    return sources


@pytest.mark.parametrize("place", PLACES)
def test_a_file_can_be_dropped_on(
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
def test_a_file_can_be_dropped_on_a_floating_dock(
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
