"""The menu bar, made from its table and the registry of commands."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar

from ui.commands.menu_table import MENU_BAR, Filled, IfPresent, Menu, Prefix, Separator
from ui.commands.registry import BETWEEN_PARTS, CommandError, CommandRegistry, without_mnemonic


class Menus:
    """The menus by their titles."""

    def __init__(self, bar: QMenuBar, commands: CommandRegistry, table: Sequence[Menu] = MENU_BAR) -> None:
        self._bar = bar
        self._commands = commands
        self._by_title = {without_mnemonic(menu.title): self._make(menu, bar.addMenu(menu.title)) for menu in table}

    def __getitem__(self, title: str) -> QMenu:
        return self._by_title[title]

    @property
    def all(self) -> list[QMenu]:
        """The menus of the bar, from left to right."""
        return list(self._by_title.values())

    def _make(self, table: Menu, menu: QMenu, above: str = "") -> QMenu:
        where = BETWEEN_PARTS.join(part for part in (above, without_mnemonic(table.title)) if part)
        menu.setToolTipsVisible(True)
        if not above:
            menu.aboutToShow.connect(lambda: give_mnemonics(menu))
        for entry in table.entries:
            if isinstance(entry, Menu):
                self._make(entry, menu.addMenu(entry.title), where)
            elif isinstance(entry, Separator):
                menu.addSeparator()
            elif isinstance(entry, Filled):
                self._add_filled(menu, entry.name, where)
            elif isinstance(entry, Prefix):
                self._add_prefix(menu, entry, where)
            elif isinstance(entry, IfPresent):
                if self._commands.find(entry.name) is not None:
                    self._add(menu, entry.name, where)
            else:
                self._add(menu, entry, where)
        return menu

    def _add(self, menu: QMenu, name: str, where: str) -> None:
        action = self._commands.find(name)
        if action is None:
            raise CommandError(f"the menu {where} has no command {name!r}")
        menu.addAction(action)
        self._commands.place(name, where)

    def _add_prefix(self, menu: QMenu, entry: Prefix, where: str) -> None:
        names = self._commands.ids_of(entry.text)
        if entry.by_title:
            names.sort(key=self._title_of)
        for name in names:
            self._add(menu, name, where)

    def _title_of(self, name: str) -> str:
        action = self._commands.find(name)
        return "" if action is None else action.text()

    def _add_filled(self, menu: QMenu, name: str, where: str) -> None:
        filled = self._commands.menu(name)
        if filled is not None:
            menu.addMenu(filled)
            self._commands.place(name, where)


def give_mnemonics(menu: QMenu) -> None:
    """Give every entry a letter to be pressed while the menu is open, one of its own while there are any.

    The first letters of words come before other letters, and short entries choose first. Qt goes round among entries
    that share a letter.
    """
    waiting: list[QAction] = [action for action in menu.actions() if action.text() and "&" not in action.text()]
    taken = {mnemonic_of(action.text()) for action in menu.actions()}
    for action in sorted(waiting, key=lambda action: len(action.text())):
        text = action.text()
        starts = [i for i in range(len(text)) if i == 0 or text[i - 1] == " "]
        places = [i for i in (*starts, *range(len(text))) if text[i].isalnum()]
        place = next((i for i in places if text[i].lower() not in taken), starts[0])
        taken.add(text[place].lower())
        action.setText(f"{text[:place]}&{text[place:]}")


def mnemonic_of(text: str) -> str:
    """The letter that is marked in a text."""
    place = text.find("&")
    return text[place + 1 : place + 2].lower() if place >= 0 else ""
