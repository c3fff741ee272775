"""The commands of the window: each is registered once, and menus, toolbars, the palette and the list of keys show it.

A part of the window keeps its commands in a `CommandSet` and mounts that in the window's `CommandRegistry`. The
registry knows actions and nothing of what they act on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QTabWidget, QWidget
from shiboken6 import isValid

from editor.process.plain_text import plain, plain_lines

Condition = Callable[[], str]
"""Why a command is off; "" when it is on."""

Keys = str | QKeySequence | QKeySequence.StandardKey

NOT_NOW: Final = "This cannot be done now."
BETWEEN_PARTS: Final = " › "
OF_A_ROW: Final = "of-a-row"
"""A property of actions that work on the row under the mouse; the palette offers commands for the selection instead."""


class CommandError(Exception):
    """Two commands were registered under one id, or a menu names a command that does not exist."""


@dataclass(frozen=True)
class Command:
    """An action and where it is found. `dock` is the id of the dock that it works on, which is shown first."""

    id: str
    action: QAction
    where: str = ""
    dock: str = ""
    tip: str = ""
    condition: Condition | None = None
    is_listed: bool = True
    """Whether the palette offers it."""

    @property
    def title(self) -> str:
        sign = "✓ " if self.action.isCheckable() and self.action.isChecked() else ""
        return sign + without_mnemonic(self.action.text())

    @property
    def keys(self) -> str:
        return ", ".join(key_text(keys) for keys in self.action.shortcuts())

    @property
    def why_not(self) -> str:
        """Why it is off; a disabled action has the reason in its tooltip."""
        if self.action.isEnabled():
            return ""
        tip = self.action.toolTip()
        return NOT_NOW if tip in ("", without_mnemonic(self.action.text())) else tip


@dataclass(frozen=True)
class _FilledMenu:
    """A menu whose entries depend on what is open; it fills itself when it is about to open."""

    id: str
    menu: QMenu
    title: str


class CommandSet:
    """The commands of one part of the window, in the order in which menus and the palette list them.

    The keys of a part work while the focus is inside `owner`; those of a set with `everywhere`, in the whole window.
    """

    def __init__(
        self, owner: QWidget, *, everywhere: bool = False, prepare: Callable[[], object] | None = None
    ) -> None:
        self.owner = owner
        self.where = ""
        self.dock = ""
        self._everywhere = everywhere
        self._prepare = prepare
        self._commands: dict[str, Command] = {}
        self._menus: list[_FilledMenu] = []

    def add(
        self,
        name: str,
        title: str,
        slot: Callable[[], object] | None = None,
        *keys: Keys,
        tip: str = "",
        condition: Condition | None = None,
        owner: QWidget | None = None,
        where: str = "",
        is_checkable: bool = False,
    ) -> QAction:
        """Make an action and register it under an id. Its keys work inside `owner`, by default that of the set."""
        parent = owner or self.owner
        made = QAction(title, parent)
        made.setObjectName(name)
        made.setMenuRole(QAction.MenuRole.NoRole)  # macOS would move what is called About or Settings to its own menu
        made.setCheckable(is_checkable)
        made.setShortcuts([QKeySequence(key) for key in keys if key])
        if not self._everywhere:
            made.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        if slot is not None:
            made.triggered.connect(lambda checked=False: slot())
        parent.addAction(made)
        self._put(Command(name, made, where, tip=tip, condition=condition))
        if tip or condition is not None:
            allow(made, "" if condition is None else condition(), tip)
        return made

    def adopt(self, name: str, action: QAction, *, where: str = "", is_listed: bool = True) -> QAction:
        """Register an action that Qt or a widget has made."""
        if not action.objectName():
            action.setObjectName(name)
        action.setMenuRole(QAction.MenuRole.NoRole)
        self._put(Command(name, action, where, is_listed=is_listed))
        return action

    def add_menu(self, name: str, menu: QMenu, title: str) -> None:
        """Register a menu that fills itself when it opens; its entries are commands too."""
        self._menus.append(_FilledMenu(name, menu, title))

    def _put(self, command: Command) -> None:
        if command.id in self._commands:
            raise CommandError(f"the command {command.id!r} is registered twice")
        self._commands[command.id] = command

    def __getitem__(self, name: str) -> QAction:
        return self._commands[name].action

    @property
    def ids(self) -> list[str]:
        return list(self._commands)

    def prepare(self) -> None:
        """Bring the part up to date, so that its commands tell how things are."""
        if self._prepare is not None:
            self._prepare()
        self.refresh()

    def refresh(self) -> None:
        """Switch each command that has a condition on or off."""
        for command in self._commands.values():
            if command.condition is not None:
                allow(command.action, command.condition(), command.tip)

    def declared(self) -> Iterator[Command]:
        """The commands that were registered one by one."""
        for command in self._commands.values():
            action = command.action
            if not isValid(action):
                continue
            page = next((title for title in map(page_of, _widgets_of(action, self.owner)) if title), "")
            where = _join(self.where, page, command.where)
            yield Command(command.id, action, where, self.dock, command.tip, command.condition, command.is_listed)

    def filled(self, places: Mapping[str, str]) -> Iterator[Command]:
        """The entries of the menus that depend on what is open, as they are now."""
        for known in self._menus:
            button = known.menu.parentWidget()
            if button is not None and not button.isEnabled():
                continue
            page = "" if button is None else page_of(button)
            known.menu.aboutToShow.emit()
            part = places.get(known.id) or _join(self.where, page)
            yield from self._in_menu(known.menu, known.id, _join(part, known.title))

    def _in_menu(self, menu: QMenu, name: str, where: str) -> Iterator[Command]:
        """The entries of a menu; one that is off and has no name only tells that there are none."""
        for action in menu.actions():
            inner = action.menu()
            if isinstance(inner, QMenu):
                yield from self._in_menu(inner, name, _join(where, without_mnemonic(action.text())))
            elif not action.isSeparator() and action.text() and (action.isEnabled() or action.objectName()):
                title = without_mnemonic(action.text())
                yield Command(action.objectName() or f"{name}/{title}", action, where, self.dock)


class CommandRegistry(QObject):
    """All commands of the window."""

    dock_wanted = Signal(str)
    """A command of this dock is given."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._sets: list[CommandSet] = []
        self._places: dict[str, str] = {}

    def mount(self, commands: CommandSet, where: str = "", dock: str = "") -> None:
        """Add the commands of a part. `where` is what the palette calls the part."""
        commands.where, commands.dock = where, dock
        taken = self._declared()
        for name in commands.ids:
            if name in taken:
                raise CommandError(f"the command {name!r} is registered twice")
        self._sets.append(commands)

    def place(self, name: str, where: str) -> None:
        """Remember the menu that a command stands in; the palette names it rather than the part."""
        self._places[name] = where

    def _declared(self) -> dict[str, Command]:
        return {command.id: command for command in self.declared()}

    def declared(self) -> Iterator[Command]:
        """The commands that were registered one by one, whether they are offered at present or not."""
        for commands in self._sets:
            yield from commands.declared()

    def find(self, name: str) -> QAction | None:
        """The action of a command, None where this window has none such."""
        return next((commands[name] for commands in self._sets if name in commands.ids), None)

    def ids_of(self, prefix: str) -> list[str]:
        """The commands whose ids begin like this, in the order of their registration."""
        return [name for commands in self._sets for name in commands.ids if name.startswith(prefix)]

    def menu(self, name: str) -> QMenu | None:
        """A registered menu that fills itself."""
        return next((known.menu for commands in self._sets for known in commands._menus if known.id == name), None)

    def prepare(self) -> None:
        """Bring every part up to date: one behind a tab does not follow what happens."""
        for commands in self._sets:
            commands.prepare()

    def commands(self) -> list[Command]:
        """All commands that are offered at present, each once."""
        found: dict[str, Command] = {}
        for commands in self._sets:
            for command in (*commands.declared(), *commands.filled(self._places)):
                action = command.action
                if not action.isVisible() or action.property(OF_A_ROW) or not command.title or not command.is_listed:
                    continue
                where = self._places.get(command.id, command.where)
                dock = "" if command.id in self._places else command.dock
                found.setdefault(
                    command.id,
                    Command(command.id, action, where, dock, command.tip, command.condition),
                )
        return sorted(found.values(), key=lambda command: not self._is_in_menu(command))

    def _is_in_menu(self, command: Command) -> bool:
        return command.id in self._places

    def give(self, command: Command) -> bool:
        """Trigger a command as its button would, with its dock in front; False when it is not offered any more."""
        if command.dock:
            self.dock_wanted.emit(command.dock)
        if not isValid(command.action):  # its menu has been filled again since
            now = next((other for other in self.commands() if other.id == command.id), None)
            if now is None or not now.action.isEnabled():
                return False
            command = now
        command.action.trigger()
        return True


def allow(made: QAction, why_not: str, tip: str) -> None:
    """Enable an action, or give the reason why it is off in its tooltip."""
    made.setEnabled(not why_not)
    keys = f"  ({key_text(made.shortcut())})" if not made.shortcut().isEmpty() else ""
    made.setToolTip(plain_lines(why_not or f"{tip}{keys}"))


def without_mnemonic(text: str) -> str:
    """A title as it is read: without the mark of its mnemonic, and without the key beside it."""
    return text.split("\t")[0].replace("&&", "\0").replace("&", "").replace("\0", "&")


def key_text(keys: QKeySequence) -> str:
    return keys.toString(QKeySequence.SequenceFormat.NativeText)


def page_of(part: QWidget) -> str:
    """The title of the tab page that a widget is on, without the count beside it."""
    above = part.parentWidget()
    while above is not None:
        tabs = above.parentWidget()
        if isinstance(tabs, QTabWidget) and tabs.indexOf(part) >= 0:
            return plain(without_mnemonic(tabs.tabText(tabs.indexOf(part)))).rstrip("0123456789 ")
        part, above = above, above.parentWidget()
    return ""


def _widgets_of(action: QAction, owner: QWidget) -> list[QWidget]:
    """The widgets that show an action."""
    return [owner, *(shown for shown in action.associatedObjects() if isinstance(shown, QWidget))]


def _join(*parts: str) -> str:
    return BETWEEN_PARTS.join(part for part in parts if part)
