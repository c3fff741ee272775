"""Details on the real window: live, with links, marks of what has changed, and copies."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from editor.models.live_table import CHANGED_ROLE
from editor.session.session import Kind, Selection
from engine.sim.edits.doors import LockDoor
from engine.sim.edits.player import Teleport
from engine.world.names import NameKey
from tests.gui.docks.live_hands import click_button, raise_dock
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.details import DetailsView
from ui.docks.doors import DoorsPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

BLOCK, HALL, STUDY = 0x0007FFFF, 0x00070100, 0x00070101


@pytest.fixture
def view(qtbot: QtBot, opened: MainWindow) -> DetailsView:
    raise_dock(qtbot, opened.docks.dock(DetailsView))
    return opened.docks.panel(DetailsView)


def row(view: DetailsView, *names: str) -> QTreeWidgetItem:
    return view._items[names]


def select_door(opened: MainWindow) -> int:
    door = opened.document.sim.population.doors[0].id
    opened.session.select(Selection(Kind.ENTITY, BLOCK, door))
    return door


def double_click(qtbot: QtBot, view: DetailsView, item: QTreeWidgetItem) -> None:
    above = item.parent()
    while above is not None:
        above.setExpanded(True)
        above = above.parent()
    view.scrollToItem(item)
    at = view.visualItemRect(item).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_locking_a_door_is_seen_and_marked_until_the_next_change(
    qtbot: QtBot, opened: MainWindow, view: DetailsView
) -> None:
    door = select_door(opened)
    locked = row(view, "door", "locked")
    assert locked.text(1) == "no"
    click_button(qtbot, opened.docks.panel(DoorsPanel), "door-lock-button")
    qtbot.waitUntil(lambda: locked.text(1) == "yes")
    assert locked.data(1, CHANGED_ROLE)
    assert not row(view, "guid").data(1, CHANGED_ROLE)
    assert opened.document.edit("Unlock", LockDoor(door, False))
    qtbot.waitUntil(lambda: locked.text(1) == "no")


def test_walking_refreshes_the_players_numbers_in_place(qtbot: QtBot, opened: MainWindow, view: DetailsView) -> None:
    sim = opened.document.sim
    opened.document.edit("Teleport", Teleport(HALL, 3.0, 2.0, 0.0, 90.0))
    opened.session.select(Selection(Kind.ENTITY, BLOCK, sim.player.id))
    origin = row(view, "origin")
    before = origin.text(1)
    opened.clock.keys.forward = 1.0
    opened.clock.step(10)
    qtbot.waitUntil(lambda: origin.text(1) != before)
    assert row(view, "origin") is origin
    assert origin.data(1, CHANGED_ROLE)


def test_another_selection_marks_nothing(opened: MainWindow, view: DetailsView) -> None:
    select_door(opened)
    opened.session.select(Selection(Kind.CELL, BLOCK, HALL))
    assert not any(item.data(1, CHANGED_ROLE) for item in view._items.values())


def test_folds_stay_while_values_change(qtbot: QtBot, opened: MainWindow, view: DetailsView) -> None:
    select_door(opened)
    row(view, "door").setExpanded(True)
    row(view, "state").setExpanded(True)
    click_button(qtbot, opened.docks.panel(DoorsPanel), "door-use-button")
    qtbot.waitUntil(lambda: row(view, "door", "open").text(1) == "yes")
    assert row(view, "door").isExpanded()
    assert row(view, "state").isExpanded()


def test_a_double_click_follows_a_cell(qtbot: QtBot, opened: MainWindow, view: DetailsView) -> None:
    select_door(opened)
    cell = row(view, "cell")
    wanted = int(cell.text(1)[:10], 16)
    double_click(qtbot, view, cell)
    assert opened.session.selection == Selection(Kind.CELL, BLOCK, wanted)


def test_a_portals_row_leads_to_it_in_cell(qtbot: QtBot, opened: MainWindow, view: DetailsView) -> None:
    opened.session.select(Selection(Kind.CELL, BLOCK, HALL))
    row(view, "portals").setExpanded(True)
    view.setCurrentItem(row(view, "portals", "1"))
    view.go()
    panel = opened.docks.panel(CellPanel)
    qtbot.waitUntil(panel.isVisible)
    assert panel.tabs.currentWidget() is panel.portal_page
    assert panel.portal_page.view.key == (HALL, 1)


def test_a_model_is_shown_and_back_returns(qtbot: QtBot, opened: MainWindow, view: DetailsView) -> None:
    select_door(opened)
    setup = row(view, "setup")
    shown = setup.text(1)[:10]
    double_click(qtbot, view, setup)
    assert row(view, "id").text(1).startswith(shown)
    assert ("parts",) in view._items
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert ("door",) in view._items


def test_one_value_is_copied_at_full_precision(opened: MainWindow, view: DetailsView) -> None:
    door = opened.document.sim.population.doors[0]
    select_door(opened)
    view.setCurrentItem(row(view, "origin"))
    view.copy_value()
    assert QGuiApplication.clipboard().text() == "\t".join(repr(part) for part in door.place_frame().origin)
    view.copy_table()
    assert f"heading\t{door.place_frame().heading()!r}" in QGuiApplication.clipboard().text().splitlines()


def test_the_menu_of_a_link_says_where_it_goes(opened: MainWindow, view: DetailsView) -> None:
    select_door(opened)
    view.setCurrentItem(row(view, "cell"))
    texts = [action.text() for action in view.menu().actions()]
    assert texts[0].startswith("Go to 0x000701")


def test_the_status_line_shows_the_landblocks_name_at_once(opened: MainWindow) -> None:
    opened.document.rename("Name", {NameKey.cell(BLOCK): "Old House"})
    assert opened.status.block.text() == "Old House 0x0007FFFF · 5 cells"


def test_the_status_line_shows_the_new_name_of_the_selection_at_once(opened: MainWindow) -> None:
    opened.session.select(Selection(Kind.CELL, BLOCK, HALL))
    opened.document.rename("Name", {NameKey.cell(HALL): "Great Hall"})
    assert opened.status.selection.text() == "Cell Great Hall 0x00070100"
