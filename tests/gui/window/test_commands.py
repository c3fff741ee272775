"""The registry of commands: each has an id, keys, a reason when disabled, and a place in the palette."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenuBar, QWidget
from pytestqt.qtbot import QtBot

from ui.commands.menu_table import Menu
from ui.commands.menus import Menus
from ui.commands.registry import NOT_NOW, Command, CommandError, CommandRegistry, CommandSet
from ui.docks.details import DetailsView
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

SHARED_KEYS = set[str]()
"""Commands of the window, and of the 3D view while it has the focus."""


@pytest.fixture
def part(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def with_keys(window: MainWindow) -> list[Command]:
    copy = QKeySequence(QKeySequence.StandardKey.Copy)
    return [command for command in window.commands.commands() if command.keys and command.action.shortcut() != copy]


def pressed(keys: QKeySequence) -> int:
    """Press keys in the widget with the focus."""
    target = QApplication.focusWidget()
    assert target is not None
    QTest.keySequence(target, keys)
    return len(keys.toString())


def test_every_command_has_an_id_of_its_own(opened: MainWindow) -> None:
    ids = Counter(command.id for command in opened.commands.commands())
    assert len(ids) > 150
    assert [name for name, count in ids.items() if count > 1] == []


def test_every_key_belongs_to_one_command_where_it_works(opened: MainWindow) -> None:
    windows = Qt.ShortcutContext.WindowShortcut
    everywhere = Counter[str]()
    inside = Counter[tuple[str, str]]()
    for command in with_keys(opened):
        for keys in command.action.shortcuts():
            if command.action.shortcutContext() == windows:
                everywhere[keys.toString()] += 1
            else:
                inside[command.where.split(" › ")[0], keys.toString()] += 1
    assert [keys for keys, count in everywhere.items() if count > 1] == []
    assert {keys for _, keys in inside if keys in everywhere} <= SHARED_KEYS
    pages = {("Cell", "Del"), ("Cell", "Ctrl+D")}
    assert {place for place, count in inside.items() if count > 1} <= pages


def test_every_command_is_in_the_palette(qtbot: QtBot, opened: MainWindow) -> None:
    opened.palette_sheet.ask()
    offered = {entry.key for entry in opened.palette_sheet.entries}
    missing = {command.id for command in opened.commands.commands()} - offered
    assert missing == set()


@pytest.mark.parametrize("with_world", [False, True])
def test_every_disabled_command_gives_a_reason(
    request: pytest.FixtureRequest, window: MainWindow, with_world: bool
) -> None:
    if with_world:
        request.getfixturevalue("opened")
    window.commands.prepare()
    off = [command for command in window.commands.commands() if not command.action.isEnabled()]
    assert len(off) > 20
    assert [command.id for command in off if command.why_not == NOT_NOW] == []
    for command in off:
        if command.condition is not None:
            assert command.why_not == command.condition()


def test_every_key_of_the_window_triggers_its_command(qtbot: QtBot, opened: MainWindow) -> None:
    commands = [
        each for each in with_keys(opened) if each.action.shortcutContext() == Qt.ShortcutContext.WindowShortcut
    ]
    assert len(commands) > 25
    given: list[str] = []
    for command in commands:
        listen(command.action, command.id, given)
    opened.docks.bring(opened.docks.dock(DetailsView))
    for command in commands:
        for keys in command.action.shortcuts():
            given.clear()
            pressed(keys)
            assert given == [command.id], keys.toString()


def test_every_key_of_a_dock_triggers_its_command_inside_the_dock(qtbot: QtBot, opened: MainWindow) -> None:
    given: list[str] = []
    tried = 0
    for command in [each for each in with_keys(opened) if each.dock]:
        dock = opened.docks.by_id(command.dock)
        opened.docks.bring(dock)
        owner = command.action.parent()
        assert isinstance(owner, QWidget)
        if not owner.isVisible():
            continue  # on a hidden page
        owner.setFocus()
        if not owner.hasFocus():
            continue
        listen(command.action, command.id, given)
        given.clear()
        pressed(command.action.shortcut())
        assert given == [command.id]
        opened.map.setFocus()
        given.clear()
        pressed(command.action.shortcut())
        assert command.id not in given
        tried += 1
    assert tried >= 8


def listen(action: QAction, name: str, given: list[str]) -> None:
    """Record that the command was triggered, without running it."""
    action.triggered.disconnect()
    action.setEnabled(True)
    action.triggered.connect(lambda: given.append(name))


def test_an_id_cannot_be_registered_twice(part: QWidget) -> None:
    registry = CommandRegistry(part)
    first, second = CommandSet(part), CommandSet(part)
    first.add("run", "Run", lambda: None)
    with pytest.raises(CommandError, match="'run' is registered twice"):
        first.add("run", "Run Again", lambda: None)
    second.add("run", "Run Elsewhere", lambda: None)
    registry.mount(first)
    with pytest.raises(CommandError, match="'run' is registered twice"):
        registry.mount(second)


def test_a_menu_names_a_missing_command(part: QWidget) -> None:
    with pytest.raises(CommandError, match="the menu File has no command 'fly'"):
        Menus(QMenuBar(part), CommandRegistry(part), (Menu("&File", ("fly",)),))


def test_a_condition_disables_a_command_and_sets_its_tooltip(part: QWidget) -> None:
    reasons = ["Open a world first."]
    commands = CommandSet(part)
    action = commands.add("run", "Run", lambda: None, "Space", tip="Let time pass", condition=lambda: reasons[0])
    assert not action.isEnabled()
    assert action.toolTip() == "Open a world first."
    reasons[0] = ""
    commands.refresh()
    assert action.isEnabled()
    assert action.toolTip() == "Let time pass  (Space)"


def test_a_command_of_a_dock_raises_the_dock(qtbot: QtBot, opened: MainWindow) -> None:
    dock = opened.docks.by_id("log")
    dock.close()
    command = next(each for each in opened.commands.commands() if each.id == "log-find")
    assert opened.commands.give(command)
    assert dock.isVisible()
