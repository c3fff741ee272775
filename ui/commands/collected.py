"""Every command of the window, found where it really is: in the menus, the toolbars and the docks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDockWidget, QMenu, QTabWidget, QToolBar, QToolButton, QWidget
from shiboken6 import Shiboken

from ui.docks.table import OF_A_ROW

if TYPE_CHECKING:
    from ui.window.main_window import MainWindow

NOT_NOW: Final = "This can not be done now."
BETWEEN_PARTS: Final = " › "


@dataclass(frozen=True)
class Command:
    """An action with where it was found; one of a dock works on what is shown there."""

    action: QAction
    where: str
    dock: QDockWidget | None = None

    @property
    def title(self) -> str:
        sign = "✓ " if self.action.isCheckable() and self.action.isChecked() else ""
        return sign + plain(self.action.text())

    @property
    def key(self) -> str:
        return self.action.objectName() or f"{self.where}/{plain(self.action.text())}"

    @property
    def keys(self) -> str:
        return ", ".join(key_text(keys) for keys in self.action.shortcuts())

    @property
    def why_not(self) -> str:
        """Why it can not be given now; the tooltip of a disabled action says it."""
        if self.action.isEnabled():
            return ""
        tip = self.action.toolTip()
        return NOT_NOW if tip in ("", plain(self.action.text())) else tip


def plain(text: str) -> str:
    """A text as it is read: no mnemonics, no key beside it."""
    return text.split("\t")[0].replace("&&", "\0").replace("&", "").replace("\0", "&")


def key_text(keys: QKeySequence) -> str:
    return keys.toString(QKeySequence.SequenceFormat.NativeText)


def commands_of(window: MainWindow) -> list[Command]:
    """All of them, each once, where it is found first."""
    for button in window.findChildren(QToolButton):
        if button.menu() is not None and button.isEnabled():
            button.menu().aboutToShow.emit()  # some are filled when they are opened
    known: set[int] = set()
    found: list[Command] = []
    for command in _everywhere(window):
        action = command.action
        is_hidden = not action.isVisible() or bool(action.property(OF_A_ROW))
        if action.isSeparator() or is_hidden or not plain(action.text()) or action.menu() is not None:
            continue
        address = Shiboken.getCppPointer(action)[0]
        if address not in known:
            known.add(address)
            found.append(command)
    return found


def _everywhere(window: MainWindow) -> Iterator[Command]:
    toggles = {Shiboken.getCppPointer(dock.toggleViewAction())[0] for dock in window.docks}
    for command in _in_menu(window.menuBar().actions(), ""):
        if Shiboken.getCppPointer(command.action)[0] not in toggles:
            yield command
    for bar in window.findChildren(QToolBar):
        where = bar.windowTitle() or bar.accessibleName()
        yield from _below(bar, where, None)
    for dock in window.docks:
        if dock.widget() is not None:
            yield from _below(dock.widget(), dock.toggleViewAction().text(), dock)
    for action in window.actions():
        yield Command(action, "Window")


def _in_menu(actions: Iterable[QAction], where: str, dock: QDockWidget | None = None) -> Iterator[Command]:
    for action in actions:
        menu = action.menu()
        if isinstance(menu, QMenu):
            yield from _in_menu(menu.actions(), _join(where, plain(action.text())), dock)
        else:
            yield Command(action, where, dock)


def _below(widget: QWidget, where: str, dock: QDockWidget | None) -> Iterator[Command]:
    """The actions of a widget and of all that is in it, with the menus of its buttons."""
    for part in (widget, *widget.findChildren(QWidget)):
        title = part.accessibleName() if part.contextMenuPolicy() == Qt.ContextMenuPolicy.ActionsContextMenu else ""
        opened = part.menu() if isinstance(part, QToolButton) else None
        for action in part.actions():
            if isinstance(opened, QMenu) and action == opened.menuAction():
                continue  # below, by the button's name: the menu itself has none
            shown = [widget for widget in action.associatedObjects() if isinstance(widget, QWidget)]
            page = next((title for title in map(page_of, (part, *shown)) if title), "")
            own = title if title and action.shortcut() == QKeySequence(QKeySequence.StandardKey.Copy) else ""
            yield from _in_menu([action], _join(where, page, own), dock)
        if isinstance(part, QToolButton) and isinstance(opened, QMenu) and part.isEnabled():
            name = plain(part.accessibleName() or part.text())
            yield from _in_menu(opened.actions(), _join(where, page_of(part), name), dock)


def page_of(part: QWidget) -> str:
    """The title of the tab that a part is below, without the count that it may tell."""
    above = part.parentWidget()
    while above is not None:
        tabs = above.parentWidget()
        if isinstance(tabs, QTabWidget) and tabs.indexOf(part) >= 0:
            return plain(tabs.tabText(tabs.indexOf(part))).rstrip("0123456789 ")
        part, above = above, above.parentWidget()
    return ""


def _join(*parts: str) -> str:
    return BETWEEN_PARTS.join(part for part in parts if part)
