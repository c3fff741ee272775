"""The docks of the window: made from the table, put in their places, and put there again by Reset Layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Protocol, TypeVar, runtime_checkable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDockWidget,
    QGraphicsView,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QTabWidget,
    QWidget,
)
from shiboken6 import Shiboken

from editor.process.plain_text import plain_lines
from ui.commands.registry import CommandRegistry, CommandSet
from ui.docks.context import DockContext, HasBadge, HasColours, HasCommands
from ui.docks.panel import LivePanel, is_seen
from ui.theme.theme import Colours
from ui.theme.theme_state import ThemeState
from ui.window.central_area import Centre
from ui.window.dock_table import DOCKS, DockSpec
from ui.window.dock_titles import DockTitles
from ui.window.layouts.arranger import Arranger
from ui.window.layouts.table import layouts

T = TypeVar("T", bound=QWidget)


@runtime_checkable
class HasTurn(Protocol):
    """A dock that is told when its tab comes to the front."""

    def turn(self, seen: bool) -> None:
        """Its tab came to the front, or another one did."""


class Docks:
    """The docks of a window, by their ids and by the classes of their widgets."""

    def __init__(self, window: QMainWindow, centre: Centre, commands: CommandRegistry, theme: ThemeState) -> None:
        self._window = window
        self._centre = centre
        self._commands = commands
        self._theme = theme
        self._specs: dict[str, DockSpec] = {}
        self._docks: dict[str, QDockWidget] = {}
        self._own = CommandSet(window, everywhere=True)
        self.titles = DockTitles(window, theme)
        self.arranger = Arranger(window)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        commands.mount(self._own, "Dock")
        commands.dock_wanted.connect(lambda name: self.bring(self.by_id(name), focus=False))

    def fill(self, context: DockContext, table: Sequence[DockSpec] = DOCKS) -> None:
        """Make every dock of the table and put it in its place."""
        for spec in table:
            self._add(spec, spec.factory(context, self._window), context)
        context.links.dock_wanted.connect(lambda name: self.bring(self.by_id(name), focus=False))
        self.arranger.begin(self._docks, layouts(table))
        self._add_layouts()

    def _add(self, spec: DockSpec, widget: QWidget, context: DockContext) -> None:
        dock = QDockWidget(spec.title, self._window)
        dock.setObjectName(spec.object_name)
        dock.setWidget(widget)
        dock.setWhatsThis(plain_lines(widget.whatsThis()))
        self._specs[spec.id], self._docks[spec.id] = spec, dock
        give_tooltips(widget)
        self.titles.add(dock)
        if isinstance(widget, HasTurn):
            dock.visibilityChanged.connect(widget.turn)
        if isinstance(widget, HasBadge):
            widget.badge_changed.connect(lambda badge: _show_badge(dock, spec.title, badge))
        if isinstance(widget, LivePanel):
            widget.chosen.connect(context.session.select)
            widget.framed.connect(context.session.select)
            widget.framed.connect(context.navigation.frame_selection)
            _leave_space_to_the_clock(widget)
            for view in widget.views:
                widget.commands.adopt(f"{view.objectName()}-copy-rows", view.copy_action, where=view.accessibleName())
        if isinstance(widget, HasCommands):
            self._commands.mount(widget.commands, spec.title, spec.id)
        self._add_commands(spec, dock)
        self._window.addDockWidget(spec.area, dock)

    def _add_commands(self, spec: DockSpec, dock: QDockWidget) -> None:
        toggle = dock.toggleViewAction()
        toggle.setToolTip(plain_lines(f"Show or hide {spec.title}"))
        self._own.adopt(f"toggle-dock-{spec.id}", toggle, is_listed=False)
        self._own.add(f"dock/{spec.title}", f"Show {spec.title}", lambda: self.bring(dock))

    def _add_layouts(self) -> None:
        group = QActionGroup(self._window)
        for layout in self.arranger.layouts:
            choose = partial(self.choose_layout, layout.id)
            made = self._own.add(
                f"layout-{layout.id}", f"Layout: {layout.title}", choose, layout.key, tip=layout.tip, is_checkable=True
            )
            made.setChecked(layout is self.arranger.current)
            group.addAction(made)
        self.arranger.changed.connect(lambda name: self._own[f"layout-{name}"].setChecked(True))

    # --- finding them

    def __iter__(self) -> Iterator[QDockWidget]:
        return iter(self._docks.values())

    def by_id(self, name: str) -> QDockWidget:
        """The dock of an id of the table."""
        return self._docks[name]

    def panel(self, kind: type[T]) -> T:
        """The widget of a class, of which only one dock has one."""
        return next(found for found in (dock.widget() for dock in self) if isinstance(found, kind))

    def dock(self, kind: type[QWidget]) -> QDockWidget:
        """The dock that holds the widget of a class."""
        return next(dock for dock in self if isinstance(dock.widget(), kind))

    def of(self, widget: QWidget) -> QDockWidget:
        """The dock that holds a widget."""
        return next(dock for dock in self if dock.widget() is widget)

    @property
    def specs(self) -> list[DockSpec]:
        """The entries of the table."""
        return list(self._specs.values())

    @property
    def shown(self) -> list[QDockWidget]:
        """The docks of which something is on the screen."""
        return [dock for dock in self if is_seen(dock)]

    def set_colours(self, colours: Colours) -> None:
        """Draw in the colours of a theme."""
        for dock in self:
            widget = dock.widget()
            if isinstance(widget, HasColours):
                widget.set_colours(colours)

    # --- their places

    def choose_layout(self, name: str) -> None:
        """Change to a layout; keys that went to a dock which is closed now go to the middle."""
        focus = QApplication.focusWidget()
        self.arranger.choose(name)
        if focus is None or not focus.isVisible():
            self._centre.take_focus()

    def bring(self, dock: QDockWidget, *, focus: bool = True) -> None:
        """Show a dock on top of its tabs, with the keys in it."""
        dock.show()
        dock.raise_()
        if focus:
            dock.activateWindow()
            _focus_into(dock)

    def next(self, step: int) -> None:
        """Give the keys to the next part of the window: the middle and the docks on the screen, around."""
        seen = self.shown
        seen.sort(key=lambda dock: (dock.mapToGlobal(QPoint()).x(), dock.mapToGlobal(QPoint()).y()))
        ring: list[QWidget] = [self._centre, *seen]
        focus = QApplication.focusWidget()
        now = next((i for i, part in enumerate(ring) if focus is not None and part.isAncestorOf(focus)), 0)
        wanted = ring[(now + step) % len(ring)]
        if isinstance(wanted, QDockWidget):
            self.bring(wanted, focus=True)
        else:
            self._window.activateWindow()
            self._centre.take_focus()


def _show_badge(dock: QDockWidget, title: str, badge: str) -> None:
    """A number or a sign beside the title of a dock."""
    shown = f"{title} ({badge})" if badge else title
    if dock.windowTitle() != shown:
        dock.setWindowTitle(shown)


def _leave_space_to_the_clock(panel: QWidget) -> None:
    """Check boxes and push buttons take the focus by Tab alone, so that after a click Space still runs the clock."""
    for child in panel.findChildren(QAbstractButton):
        if child.isCheckable() or isinstance(child, QPushButton):
            child.setFocusPolicy(Qt.FocusPolicy.TabFocus)


def give_tooltips(widget: QWidget) -> None:
    """Give every control that has no tooltip the words that name it: its accessible name, or its label."""
    labels = {_address(label.buddy()): label.text() for label in widget.findChildren(QLabel) if label.buddy()}
    for part in widget.findChildren(QWidget):
        if part.toolTip() or not isinstance(part, QAbstractButton | QComboBox | QLineEdit | QAbstractSpinBox):
            continue
        name = part.accessibleName() or labels.get(_address(part), "")
        if isinstance(part, QAbstractButton):
            part.setToolTip(plain_lines(name or part.text()))
        elif name:
            part.setToolTip(
                plain_lines(f"{name}; press Enter to apply" if isinstance(part, QAbstractSpinBox) else name)
            )


def _address(part: QWidget) -> int:
    return int(Shiboken.getCppPointer(part)[0])


def _focus_into(dock: QDockWidget) -> None:
    """Focus the dock's table or list, else its first part that takes keys."""
    inside = dock.widget()
    parts = [part for part in (inside, *inside.findChildren(QWidget)) if part.isVisible() and part.isEnabled()]
    tables = [part for part in parts if isinstance(part, QAbstractItemView | QGraphicsView) and is_seen(part)]
    keyed = [part for part in parts if part.focusPolicy() & Qt.FocusPolicy.TabFocus]
    first = [*tables, *keyed, inside][0]
    first.setFocus(Qt.FocusReason.ShortcutFocusReason)
