"""Makes unsaved edits by mouse and keys, and answers the questions about them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMessageBox, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from tests.gui.docks.live_hands import click_row, raise_dock
from tests.systems import is_wine
from ui.docks.doors import DoorsPanel
from ui.window.main_window import MainWindow

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
DOOR = "hall-study door"


def lock_door(qtbot: QtBot, window: MainWindow) -> None:
    raise_dock(qtbot, window.docks.dock(DoorsPanel))
    view = window.docks.panel(DoorsPanel).view
    click_row(qtbot, view, window.document.sim.population.doors[0].id)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_L)


def is_marked(window: MainWindow) -> bool:
    assert "[*]" in window.windowTitle()
    return window.isWindowModified()


def is_locked(window: MainWindow) -> bool:
    return window.document.sim.population.doors[0].locked


def has_keys(qtbot: QtBot, field: QLineEdit) -> None:
    """Without a window manager a window that closes may take the keyboard away from all others."""

    def focused() -> bool:
        field.window().activateWindow()
        field.setFocus()
        return field.hasFocus()

    qtbot.waitUntil(focused)


def save_as(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    """Type a name into the open dialog, and press Enter."""
    if is_wine():
        pytest.skip("Wine: without a window manager the keyboard goes astray between dialogs")
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    assert field is not None
    has_keys(qtbot, field)
    field.selectAll()
    qtbot.keyClicks(field, str(path))
    has_keys(qtbot, field)
    popup = field.completer().popup()
    if popup is not None:
        popup.hide()  # it would take the Enter
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not dialog.isVisible())
    if window.isVisible():
        with qtbot.waitActive(window):
            window.activateWindow()


def answer(qtbot: QtBot, window: MainWindow, wanted: QMessageBox.StandardButton | str) -> None:
    """Click a button of the question: one of Qt's own, or the one with a text."""
    box = window.projects.box
    assert box is not None
    qtbot.waitUntil(box.isVisible)
    if isinstance(wanted, str):
        found = next(button for button in box.buttons() if button.text().replace("&", "") == wanted)
    else:
        found = box.button(wanted)
    assert isinstance(found, QPushButton)
    qtbot.mouseClick(found, Qt.MouseButton.LeftButton)


def click(qtbot: QtBot, window: MainWindow, name: str) -> None:
    found = window.findChild(QToolButton, name)
    assert found is not None
    qtbot.mouseClick(found, Qt.MouseButton.LeftButton)
