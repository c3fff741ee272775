"""Lists and the map put the player at the thing of a row, and copy the place of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from editor.places.place_text import read_place
from editor.session.session import Kind, Selection
from tests.gui.docks.live_hands import click_row, raise_dock
from ui.docks.doors import DoorsPanel
from ui.docks.entities import EntitiesPanel
from ui.docks.graph.graph_dock import CellGraphPanel
from ui.docks.world import WorldPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

BLOCK, HALL, STUDY = 0x0007FFFF, 0x00070100, 0x00070101


def entry(where: QWidget, title: str) -> QAction:
    """A visible action of a context menu."""
    found = next(action for action in where.actions() if action.text() == title and action.isVisible())
    assert found.isEnabled(), found.toolTip()
    return found


def titles(where: QWidget) -> list[str]:
    return [action.text() for action in where.actions() if action.isVisible()]


def test_a_row_of_doors_puts_the_player_before_and_behind_it(qtbot: QtBot, opened: MainWindow) -> None:
    panel, sim = opened.docks.panel(DoorsPanel), opened.document.sim
    raise_dock(qtbot, opened.docks.of(panel))
    door = sim.population.doors[0]
    click_row(qtbot, panel.view, door.id)
    for title, is_behind in (("Stand at This Door", False), ("Stand Behind This Door", True)):
        click_row(qtbot, panel.view, door.id)
        entry(panel.view, title).trigger()
        place = sim.player.steered.place
        assert door.is_behind(place.cell_id, place.origin) == is_behind
        assert opened.session.selection == Selection(Kind.ENTITY, BLOCK, sim.player.id)
    click_row(qtbot, panel.view, door.id)
    entry(panel.view, "Copy Place").trigger()
    copied = read_place(QGuiApplication.clipboard().text())
    assert copied.cell_id == door.place_cell()
    assert (copied.x, copied.y, copied.z) == pytest.approx(door.place_frame().origin, abs=1e-5)


def test_a_row_of_entities_offers_only_what_fits_it(qtbot: QtBot, opened: MainWindow) -> None:
    panel, sim = opened.docks.panel(EntitiesPanel), opened.document.sim
    raise_dock(qtbot, opened.docks.of(panel))
    click_row(qtbot, panel.view, sim.player.id)
    assert "Copy Place" in titles(panel.view)
    assert "Stand at This Door" not in titles(panel.view)


def _graph_menu(window: MainWindow) -> QMenu:
    panel = window.docks.panel(CellGraphPanel)
    return panel.menu_for(panel.view.nodes[Selection(Kind.CELL, BLOCK, STUDY)])


def _map_menu(window: MainWindow) -> QMenu:
    menu = QMenu(window)
    window.map.menu_opening.emit(menu, Selection(Kind.CELL, BLOCK, STUDY))
    return menu


def _tree(window: MainWindow) -> QWidget:
    window.navigation.go_to("0x00070101")
    return window.docks.panel(WorldPanel).tree


@pytest.mark.parametrize("menu_of", [_graph_menu, _map_menu, _tree])
def test_cells_are_stood_in_and_copied_from_graph_map_and_tree(
    qtbot: QtBot, opened: MainWindow, menu_of: Callable[[MainWindow], QWidget]
) -> None:
    for panel in (CellGraphPanel, WorldPanel):
        raise_dock(qtbot, opened.docks.dock(panel))
    entry(menu_of(opened), "Copy Place").trigger()
    assert read_place(QGuiApplication.clipboard().text()).cell_id == STUDY
    entry(menu_of(opened), "Stand in This Cell").trigger()
    assert opened.document.sim.player.place_cell() == STUDY
    opened.document.undo()
    assert opened.document.sim.player.place_cell() == HALL
