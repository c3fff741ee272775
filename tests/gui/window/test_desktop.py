"""The window as a good neighbour of other programs: menus, keys and titles as each system has them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.gui.opening.opening_hands import drop_over
from ui.window.application import APP_ID, DESKTOP_FILE
from ui.window.main_window import MainWindow
from ui.window.window_commands import NEXT_DOCK, PREVIOUS_DOCK

pytestmark = pytest.mark.gui

OF_MACOS = {
    *("Ctrl+H", "Ctrl+Alt+H", "Ctrl+M", "Ctrl+Alt+M", "Ctrl+Q", "Ctrl+Shift+Q", "Ctrl+Tab", "Ctrl+Shift+Tab"),
    *("Ctrl+Space", "Ctrl+Alt+Space", "Meta+Space", "Ctrl+`", "Ctrl+Alt+Esc", "Ctrl+Alt+D", "Ctrl+Meta+F"),
    *("Ctrl+Shift+3", "Ctrl+Shift+4", "Ctrl+Shift+5", "Ctrl+,", "F11"),
    *("Meta+Up", "Meta+Down", "Meta+Left", "Meta+Right"),
}
"""What the system takes itself, in Qt's names: there its Ctrl is the Cmd key, and its Meta the Control key."""
STANDARD = {
    "open-file": QKeySequence.StandardKey.Open,
    "save": QKeySequence.StandardKey.Save,
    "undo": QKeySequence.StandardKey.Undo,
    "quit": QKeySequence.StandardKey.Quit,
    "reload": QKeySequence.StandardKey.Refresh,
}


def test_macos_moves_only_about_and_quit_into_its_own_menu(window: MainWindow) -> None:
    roles = {command.id: command.action.menuRole() for command in window.commands.declared()}
    assert roles.pop("about") is QAction.MenuRole.AboutRole
    assert roles.pop("quit") is QAction.MenuRole.QuitRole
    assert Counter(roles.values()) == {QAction.MenuRole.NoRole: len(roles)}


def test_no_key_is_one_that_macos_keeps_for_itself(window: MainWindow) -> None:
    taken = {NEXT_DOCK, PREVIOUS_DOCK}  # there these have the Control key
    for command in window.commands.declared():
        if command.id == "quit":
            continue
        for keys in command.action.shortcuts():
            text = keys.toString(QKeySequence.SequenceFormat.PortableText)
            assert text in taken or text not in OF_MACOS, f"{command.id}: {text}"


@pytest.mark.parametrize("name", STANDARD)
def test_what_every_program_has_is_on_the_systems_own_key(window: MainWindow, name: str) -> None:
    action = window.commands.find(name)
    assert action is not None
    assert action.shortcut() == QKeySequence(STANDARD[name])


def test_the_application_tells_the_desktop_who_it_is(window: MainWindow) -> None:
    assert (QGuiApplication.desktopFileName(), APP_ID) == (DESKTOP_FILE, "CellarDoor.CellarDoor")
    assert (QApplication.applicationName(), QApplication.organizationName()) == ("Cellar Door", "Cellar Door")
    policy = QGuiApplication.highDpiScaleFactorRoundingPolicy()
    assert policy is Qt.HighDpiScaleFactorRoundingPolicy.PassThrough


def test_the_titles_file_and_mark_are_those_of_the_project(qtbot: QtBot, edited: MainWindow, tmp_path: Path) -> None:
    assert edited.isWindowModified()
    assert edited.windowFilePath() == ""
    edited.projects._save_to(tmp_path / "cellar.cellardoor", None)
    assert not edited.isWindowModified()
    assert Path(edited.windowFilePath()) == tmp_path / "cellar.cellardoor"
    assert edited.windowTitle() == "cellar[*] – Cellar Door"


def test_a_folder_dropped_on_the_window_opens(qtbot: QtBot, window: MainWindow, house: Path) -> None:
    with qtbot.waitSignal(window.session.faults_changed):
        assert drop_over(window.map.viewport(), house)
    assert window.session.world is not None
    recent = window.opening.recent_menu.actions()[0].toolTip()
    assert str(house) in recent, "in the form of the system"


def test_the_help_menu_leads_to_the_problem_reports(window: MainWindow) -> None:
    menu: QMenu = window.menus["Help"]
    assert window.problem_reports.action in menu.actions()
