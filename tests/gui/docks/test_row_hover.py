"""Rows under the mouse: told to all the other views, and lit where something is hovered elsewhere."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication
from pytestqt.qtbot import QtBot

from editor.authoring.cell_edits import set_stab_list
from editor.session.session import Kind, Selection
from tests.gui.docks.live_hands import raise_dock
from ui.docks.doors import DoorsPanel
from ui.docks.entities import EntitiesPanel
from ui.docks.problems import ProblemsView
from ui.docks.world import WorldPanel
from ui.theme.theme import DARK
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

BLOCK, HALL, STUDY, BETWEEN = 0x0007FFFF, 0x00070100, 0x00070101, 0x00070103
CELL = Selection(Kind.CELL, BLOCK, HALL)


class Paints(QObject):
    """What of a list is painted."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self.seen = QRect()
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.seen = self.seen.united(event.rect())
        return False

    def settle(self, qtbot: QtBot) -> None:
        """Wait until nothing is painted any more."""

        def is_quiet() -> bool:
            self.seen = QRect()
            qtbot.wait(50)
            return self.seen.isNull()

        qtbot.waitUntil(is_quiet)


def hover_row(qtbot: QtBot, view: QAbstractItemView, index: QModelIndex) -> None:
    qtbot.mouseMove(view.viewport(), QPoint(2, view.viewport().height() - 2))
    qtbot.mouseMove(view.viewport(), view.visualRect(index).center())


def ground(view: QAbstractItemView, index: QModelIndex) -> QColor:
    """The colour behind a row, at the edge of one of its fields."""
    box = view.visualRect(index)
    return view.viewport().grab().toImage().pixelColor(box.right() - 1, box.top() + 2)


@pytest.fixture
def door(opened: MainWindow) -> Selection:
    sim = opened.document.sim
    opened.session.select(None)
    return Selection(Kind.ENTITY, BLOCK, sim.population.doors[0].id)


def test_a_hovered_row_is_highlighted_everywhere_and_reported_once(
    qtbot: QtBot, opened: MainWindow, door: Selection
) -> None:
    live, told = opened, Mock()
    raise_dock(qtbot, live.docks.dock(DoorsPanel))
    view = live.docks.panel(DoorsPanel).view
    opened.session.hover_changed.connect(told)
    index = view.model().index(view.table.row_of(door.key), 0)
    hover_row(qtbot, view, index)
    qtbot.waitUntil(lambda: opened.session.hover == door)
    for column in (1, 2):
        qtbot.mouseMove(view.viewport(), view.visualRect(index.siblingAtColumn(column)).center())
    assert told.call_count == 1
    assert opened.map._hover == door
    assert ground(view, index) == QColor(DARK.raised)
    QApplication.sendEvent(view.viewport(), QEvent(QEvent.Type.Leave))
    assert opened.session.hover is None
    assert ground(view, index) == QColor(DARK.base)


@pytest.mark.parametrize("kind", [DoorsPanel, EntitiesPanel])
def test_hovering_elsewhere_repaints_only_the_row(
    qtbot: QtBot, opened: MainWindow, door: Selection, kind: type[DoorsPanel | EntitiesPanel]
) -> None:
    panel = opened.docks.panel(kind)
    raise_dock(qtbot, opened.docks.of(panel))
    index = panel.view.model().index(panel.view.table.row_of(door.key), 0)
    paints, row = Paints(panel.view), panel.view.visualRect(index)
    paints.settle(qtbot)
    opened.session.set_hover(door)
    qtbot.waitUntil(lambda: not paints.seen.isNull())
    assert (paints.seen.top(), paints.seen.bottom()) == (row.top(), row.bottom())
    assert ground(panel.view, index) == QColor(DARK.raised)


def test_a_raised_dock_highlights_what_is_hovered(qtbot: QtBot, opened: MainWindow, door: Selection) -> None:
    live = opened
    raise_dock(qtbot, live.docks.dock(DoorsPanel))
    opened.session.set_hover(door)
    raise_dock(qtbot, live.docks.dock(EntitiesPanel))
    view = live.docks.panel(EntitiesPanel).view
    assert ground(view, view.model().index(view.table.row_of(door.key), 0)) == QColor(DARK.raised)


def test_rows_of_the_world_and_of_problems_take_part(qtbot: QtBot, opened: MainWindow) -> None:
    document, tree, table = opened.document, opened.docks.panel(WorldPanel).tree, opened.docks.panel(ProblemsView).table
    document.edit("Empty Stab List", *set_stab_list(document.sim, HALL, [BETWEEN]))
    raise_dock(qtbot, opened.docks.dock(WorldPanel))
    raise_dock(qtbot, opened.docks.dock(ProblemsView))
    qtbot.waitUntil(
        lambda: any("can be seen from here" in fault.reason for fault in opened.docks.panel(ProblemsView).model.faults)
    )
    opened.session.select(Selection(Kind.CELL, BLOCK, STUDY))
    row = next(
        row
        for row in range(opened.docks.panel(ProblemsView).model.rowCount())
        if opened.docks.panel(ProblemsView).model.selection_of(row) == CELL
    )
    fault = opened.docks.panel(ProblemsView).model.index(row, 4)
    cell = opened.docks.panel(WorldPanel)._filter.mapFromSource(opened.docks.panel(WorldPanel).model.index_of(CELL))
    hover_row(qtbot, table, fault)
    qtbot.waitUntil(lambda: opened.session.hover == CELL)
    assert ground(tree, cell) == QColor(DARK.raised)
    QApplication.sendEvent(table.viewport(), QEvent(QEvent.Type.Leave))
    hover_row(qtbot, tree, cell)
    qtbot.waitUntil(lambda: opened.session.hover == CELL)
    assert ground(table, fault) == QColor(DARK.raised)
