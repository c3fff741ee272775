"""The Problems dock while a world is edited."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from editor.authoring.cell_edits import set_stab_list
from editor.models.live_table import ACCEPTED, ADJUSTED, DIM, FAULT, TONE_ROLE
from editor.models.problems import FIX, SIGNS
from editor.session.session import Kind, Selection
from tests.gui.docks.live_hands import click_button, raise_dock
from ui.docks.problems import ProblemsView
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

HALL, STUDY, BETWEEN = 0x00070100, 0x00070101, 0x00070103


def test_a_broken_stab_list_is_reported_fixed_and_undone(qtbot: QtBot, opened: MainWindow) -> None:
    document, rows = opened.document, opened.docks.panel(ProblemsView).model.faults
    raise_dock(qtbot, opened.docks.dock(ProblemsView))
    document.edit("Empty Stab List", *set_stab_list(document.sim, HALL, [BETWEEN]))
    qtbot.waitUntil(
        lambda: any("can be seen from here" in fault.reason for fault in opened.docks.panel(ProblemsView).model.faults)
    )
    rows = opened.docks.panel(ProblemsView).model.faults
    row = next(number for number, fault in enumerate(rows) if "can be seen from here" in fault.reason)
    table = opened.docks.panel(ProblemsView).table
    index = opened.docks.panel(ProblemsView).model.index(row, FIX)
    assert index.data() == "✎ can be fixed"
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(index).center())
    assert opened.session.selection == Selection(Kind.CELL, 0x0007FFFF, HALL)
    assert opened.docks.panel(ProblemsView).fix_action.text() == "Fix: Set Stab List of 0x00070100 to Visible Cells"
    qtbot.keyClick(table, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not opened.docks.panel(ProblemsView).model.faults)
    assert opened.docks.dock(ProblemsView).windowTitle() == "Problems"
    document.undo()
    qtbot.waitUntil(
        lambda: any("can be seen from here" in fault.reason for fault in opened.docks.panel(ProblemsView).model.faults)
    )
    table.selectRow(row)
    click_button(qtbot, opened.docks.panel(ProblemsView), "problems-fix-button")
    qtbot.waitUntil(lambda: not opened.docks.panel(ProblemsView).model.faults)
    document.undo()
    qtbot.waitUntil(
        lambda: any("can be seen from here" in fault.reason for fault in opened.docks.panel(ProblemsView).model.faults)
    )
    document.undo()
    qtbot.waitUntil(lambda: not opened.docks.panel(ProblemsView).model.faults)


def test_colour_sign_and_word_tell_the_severity_of_a_problem(qtbot: QtBot, opened: MainWindow) -> None:
    document = opened.document
    document.edit("Empty Stab List", *set_stab_list(document.sim, HALL, [BETWEEN]))
    qtbot.waitUntil(lambda: bool(opened.docks.panel(ProblemsView).model.faults))
    first = opened.docks.panel(ProblemsView).model.index(0, 0)
    assert first.data() == SIGNS[opened.docks.panel(ProblemsView).model.faults[0].severity]
    assert first.data(TONE_ROLE) == {"■": FAULT, "▲": ADJUSTED, "○": DIM}[first.data()[0]]
    assert opened.docks.panel(ProblemsView).model.index(0, FIX).data(TONE_ROLE) == ACCEPTED


def test_a_click_and_the_arrows_select_and_a_double_click_goes_there(qtbot: QtBot, opened: MainWindow) -> None:
    document, table = opened.document, opened.docks.panel(ProblemsView).table
    for cell in (HALL, STUDY):
        document.edit("Empty Stab List", *set_stab_list(document.sim, cell, [BETWEEN]))
    raise_dock(qtbot, opened.docks.dock(ProblemsView))
    qtbot.waitUntil(lambda: opened.docks.panel(ProblemsView).model.rowCount() >= 2)
    places = [
        opened.docks.panel(ProblemsView).model.selection_of(row)
        for row in range(opened.docks.panel(ProblemsView).model.rowCount())
    ]
    other = next(row for row, place in enumerate(places) if place != places[0])
    opened.session.select(None)
    chosen, whole = lambda: opened.session.selection, opened.map.pixels_per_metre()
    table.setFocus()
    assert chosen() is None
    first = table.visualRect(opened.docks.panel(ProblemsView).model.index(0, 1)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=first)
    assert chosen() == places[0]
    for _ in range(other):
        qtbot.keyClick(table, Qt.Key.Key_Down)
    assert chosen() == places[other]
    assert opened.map.pixels_per_metre() == whole
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=first)
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=first)
    assert chosen() == places[0]
    assert opened.map.pixels_per_metre() > whole * 1.2


def test_rows_do_not_hide_that_stab_lists_are_still_being_compared(qtbot: QtBot, opened: MainWindow) -> None:
    document, view = opened.document, opened.docks.panel(ProblemsView)
    raise_dock(qtbot, opened.docks.dock(ProblemsView))
    document.edit("Empty Stab List", *set_stab_list(document.sim, HALL, [BETWEEN]))
    qtbot.waitUntil(lambda: opened.docks.panel(ProblemsView).model.rowCount() > 0 and not view.searching.isVisible())
    opened.watch.is_searching = True
    view.refresh()
    assert view.searching.isVisible()
    assert view.searching.text() in view.empty.text()
