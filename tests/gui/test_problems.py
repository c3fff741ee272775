"""The Problems dock while a world is edited."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from editor.cell_edits import set_stab_list
from editor.problems import FIX
from editor.session import Kind, Selection
from tests.gui.live_hands import raise_dock
from ui.main_window import MainWindow

pytestmark = pytest.mark.gui

HALL, BETWEEN = 0x00070100, 0x00070103


def test_a_stab_list_that_is_edited_is_told_found_mended_and_undone(qtbot: QtBot, opened: MainWindow) -> None:
    document, rows = opened.live.document, opened.problems.faults
    raise_dock(qtbot, opened.problems_dock)
    document.edit("Empty Stab List", *set_stab_list(document.sim, HALL, [BETWEEN]))
    qtbot.waitUntil(lambda: any("can be seen from here" in fault.reason for fault in opened.problems.faults))
    rows = opened.problems.faults
    row = next(number for number, fault in enumerate(rows) if "can be seen from here" in fault.reason)
    table = opened.problems_view.table
    index = opened.problems.index(row, FIX)
    assert index.data() == "✎ can be fixed"
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(index).center())
    assert opened.session.selection == Selection(Kind.CELL, 0x0007FFFF, HALL)
    assert opened.problems_view.fix_action.text() == "Fix: Set the Stab List of 0x00070100 to What Is Seen"
    qtbot.keyClick(table, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not opened.problems.faults)
    assert opened.problems_dock.windowTitle() == "Problems"
    document.undo()
    qtbot.waitUntil(lambda: any("can be seen from here" in fault.reason for fault in opened.problems.faults))
    document.undo()
    qtbot.waitUntil(lambda: not opened.problems.faults)
