"""The Help menu: keys, versions, documentation."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QLineEdit, QPushButton, QTreeWidget
from pytestqt.qtbot import QtBot

import engine
from ui.window.help_windows import documentation
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


def help_action(window: MainWindow, text: str) -> QAction:
    return next(action for action in window.menus["Help"].actions() if action.text() == text)


def rows(tree: QTreeWidget) -> list[tuple[str, str]]:
    """The rows of the list."""
    found = []
    for place in range(tree.topLevelItemCount()):
        top = tree.topLevelItem(place)
        assert top is not None
        for number in range(top.childCount()):
            row = top.child(number)
            assert row is not None
            if not row.isHidden() and not top.isHidden():
                found.append((row.text(0), row.text(1)))
    return found


def test_f1_lists_the_real_keys_and_gestures_and_finds_them(qtbot: QtBot, opened: MainWindow) -> None:
    opened.map.setFocus()
    qtbot.keyClick(opened.map, Qt.Key.Key_F1)
    dialog = opened.findChild(QDialog, "keys")
    assert dialog is not None
    field, tree = dialog.findChild(QLineEdit, "keys-search"), dialog.findChild(QTreeWidget, "keys-list")
    assert tree is not None
    listed = rows(tree)
    for wanted in (("Step 10", "Shift+., >"), ("Command Palette…", "Ctrl+P"), ("Lock", "L"), ("Pan", "Middle drag")):
        assert wanted in listed
    assert [row for row in listed if "Ctrl+C" in row[1]] == [row for row in listed if row[0].startswith("Copy the sel")]
    qtbot.keyClicks(field, "ctrl+p")
    assert rows(tree)[0] == ("Command Palette…", "Ctrl+P")
    tree.actions()[0].trigger()  # without a window manager the window keeps the focus
    assert QGuiApplication.clipboard().text().splitlines()[0] == "View\tCommand Palette…\tCtrl+P"
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_about_names_the_versions_and_copies_them(qtbot: QtBot, opened: MainWindow) -> None:
    help_action(opened, "About Cellar Door").trigger()
    dialog = opened.findChild(QDialog, "about")
    assert dialog is not None
    qtbot.mouseClick(dialog.findChild(QPushButton, "copy-versions"), Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().text()
    assert f"Cellar Door {engine.__version__}" in copied
    assert f"core {engine.active_core()}" in copied
    assert "Qt 6" in copied
    dialog.close()


def test_the_documentation_of_the_checkout_opens(opened: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[QUrl] = []

    def open_url(url: QUrl) -> bool:
        asked.append(url)
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    help_action(opened, "Documentation").trigger()
    assert [Path(url.toLocalFile()) for url in asked] == [documentation()]
    assert asked[0].fileName() == "tour.md", "the page that is for users"
    assert str(documentation()) in opened.status.currentMessage()
