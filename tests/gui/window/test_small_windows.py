"""What is read most is read in full in small windows: results of Sweep, events, places, counts below lists."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from editor.session.session import Kind, Selection
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.world.cells.ids import landblock_id
from tests.gui.docks.live_hands import raise_dock
from ui.docks.details import DetailsView
from ui.docks.doors import DoorsPanel
from ui.docks.entities import EntitiesPanel
from ui.docks.step_tree import RESULT
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.docks.table import LiveView
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.theme.theme import mono_font
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

HALL = 0x00070100
SMALL, SMALLEST = (1280, 800), (1024, 700)


@pytest.fixture
def blocked(opened: MainWindow) -> MainWindow:
    """After the player has run into a wall."""
    assert opened.document.edit("Teleport", Teleport(HALL, 3.0, 1.0, 0.01, 180.0))
    opened.document.tick_many(20, Controls(forward=1.0))
    return opened


def settle() -> None:
    for _ in range(8):
        QApplication.processEvents()


def lay_out(window: MainWindow, layout: str, size: tuple[int, int]) -> None:
    window.resize(*size)
    window.docks.arranger.choose(layout)
    settle()


def hidden_columns(view: LiveView) -> int:
    return view.horizontalScrollBar().maximum()


@pytest.mark.parametrize("layout", ["inspect", "debug"])
def test_the_results_of_sweep_are_read_in_full(qtbot: QtBot, blocked: MainWindow, layout: str) -> None:
    lay_out(blocked, layout, SMALL)
    raise_dock(qtbot, blocked.docks.dock(SweepPanel))
    tree = blocked.docks.panel(SweepPanel).tree
    qtbot.waitUntil(lambda: tree.steps.rowCount() > 0)
    words = tree.fontMetrics().horizontalAdvance("■ nothing in the way")
    assert tree.columnWidth(RESULT) >= min(words, tree.sizeHintForColumn(RESULT))


@pytest.mark.parametrize("size", [SMALL, SMALLEST])
@pytest.mark.parametrize("layout", ["walk", "debug"])
def test_what_happened_stays_beside_its_tick(
    qtbot: QtBot, blocked: MainWindow, layout: str, size: tuple[int, int]
) -> None:
    lay_out(blocked, layout, size)
    panel = blocked.docks.panel(TimelinePanel)
    raise_dock(qtbot, blocked.docks.dock(TimelinePanel))
    assert panel.model.rows
    settle()
    assert hidden_columns(panel.view) == 0
    what = panel.view.columnWidth(len(panel.model.columns) - 1)
    assert what >= QFontMetrics(panel.view.font()).horizontalAdvance("Blocked by the wall")


def test_a_place_in_details_is_read_in_full(qtbot: QtBot, opened: MainWindow) -> None:
    lay_out(opened, "inspect", SMALL)
    door = opened.document.sim.population.doors[0]
    opened.session.select(Selection(Kind.ENTITY, landblock_id(door.place_cell()), door.id))
    raise_dock(qtbot, opened.docks.dock(DetailsView))
    view = opened.docks.panel(DetailsView)
    longest = "x 157.720  y 105.771  z 20.100"
    assert view.columnWidth(1) >= QFontMetrics(mono_font()).horizontalAdvance(longest) + 6


def test_the_counts_below_lists_are_whole_and_in_line(qtbot: QtBot, opened: MainWindow) -> None:
    for panel in (opened.docks.panel(DoorsPanel), opened.docks.panel(EntitiesPanel)):
        lay_out(opened, "inspect", SMALLEST)
        raise_dock(qtbot, opened.docks.of(panel))
        label, above = panel.not_open, panel.view
        label.setText("2 more in 1 landblock that is not open")
        label.show()
        settle()
        assert label.height() >= label.fontMetrics().height()
        assert label.contentsRect().left() >= 8
        assert label.geometry().top() >= above.geometry().bottom()


def test_the_tabs_of_entities_are_words(opened: MainWindow) -> None:
    tabs = opened.docks.panel(EntitiesPanel).tabs
    assert [tabs.tabText(place) for place in range(tabs.count())] == ["Shadow entries", "PhysicsState", "Place"]
