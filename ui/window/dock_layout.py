"""Where the docks are: at first, after Reset Layout, and the next time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QPoint, QSettings, QSize, Qt
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
    QTabWidget,
    QWidget,
)
from shiboken6 import Shiboken

from editor.process.plain_text import plain_lines
from ui.docks.panel import LivePanel, is_seen
from ui.window.dock_titles import DockTitles

if TYPE_CHECKING:
    from ui.window.main_window import MainWindow

FIRST_SIZE: Final = (1600, 1000)
SIDE: Final = 400
"""The docks at either side: with less the numbers of the player would have to be scrolled."""

ROOMY: Final = 900
"""From this height of the window on the docks at its bottom reach below those at the left, too."""

LOWEST: Final = 210
LOW_SHARE: Final = 5
"""Those at the bottom are no higher than this, and take no more of the height."""

VERSION: Final = 7
"""A layout that another version saved has other docks; it is not put back."""


class Layout:
    """The docks of a window with their homes."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._homes: dict[QDockWidget, Qt.DockWidgetArea] = {}
        self.titles = DockTitles(window)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)

    @property
    def docks(self) -> list[QDockWidget]:
        return list(self._homes)

    def add(self, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(f"dock-{title.lower()}")
        dock.setWidget(widget)
        dock.setWhatsThis(plain_lines(widget.whatsThis()))
        dock.toggleViewAction().setToolTip(plain_lines(f"Show or hide {title}"))
        tell(widget)
        self.titles.add(dock)
        if isinstance(widget, LivePanel):
            dock.visibilityChanged.connect(widget.turn)
        self._window.addDockWidget(area, dock)
        self._homes[dock] = area
        return dock

    def first(self) -> None:
        """As at the first start."""
        window = self._window
        window.resize(QSize(*FIRST_SIZE).boundedTo(window.screen().availableSize()))
        window.live.arrange()
        self.give_corner()
        low = min(LOWEST, window.height() // LOW_SHARE)
        window.resizeDocks([window.world_dock, window.details_dock], [SIDE, SIDE], Qt.Orientation.Horizontal)
        window.resizeDocks([window.problems_dock], [low], Qt.Orientation.Vertical)

    def give_corner(self) -> None:
        """The docks at the bottom have all the width, unless those at the left would be too low then."""
        roomy = self._window.height() >= ROOMY
        area = Qt.DockWidgetArea.BottomDockWidgetArea if roomy else Qt.DockWidgetArea.LeftDockWidgetArea
        if self._window.corner(Qt.Corner.BottomLeftCorner) is not area:
            self._window.setCorner(Qt.Corner.BottomLeftCorner, area)

    def reset(self) -> None:
        for dock, area in self._homes.items():
            dock.setFloating(False)
            self._window.addDockWidget(area, dock)
            dock.show()
        self._window.live.time_bar.show()
        self.first()

    def bring(self, dock: QDockWidget, *, focus: bool) -> None:
        """Show a dock on top of its tabs, with the keys in it."""
        dock.show()
        dock.raise_()
        if focus:
            dock.activateWindow()
            _focus_into(dock)

    def next(self, step: int) -> None:
        """Give the keys to the next place of the window: the middle and the docks that are seen, around."""
        seen = [dock for dock in self.docks if is_seen(dock)]
        seen.sort(key=lambda dock: (dock.mapToGlobal(QPoint()).x(), dock.mapToGlobal(QPoint()).y()))
        ring: list[QWidget] = [self._window.centre, *seen]
        focus = QApplication.focusWidget()
        now = next((i for i, part in enumerate(ring) if focus is not None and part.isAncestorOf(focus)), 0)
        wanted = ring[(now + step) % len(ring)]
        if isinstance(wanted, QDockWidget):
            self.bring(wanted, focus=True)
        else:
            self._window.activateWindow()
            self._window.centre.take_focus()

    def restore(self, settings: QSettings) -> None:
        geometry = settings.value("geometry")
        state = settings.value("state")
        if isinstance(geometry, QByteArray) and isinstance(state, QByteArray):
            self._window.restoreGeometry(geometry)
            self._window.restoreState(state, VERSION)

    def save(self, settings: QSettings) -> None:
        settings.setValue("geometry", self._window.saveGeometry())
        settings.setValue("state", self._window.saveState(VERSION))


def tell(widget: QWidget) -> None:
    """Give every control that has no tooltip the words that name it: its accessible name, or its label."""
    labels = {_address(label.buddy()): label.text() for label in widget.findChildren(QLabel) if label.buddy()}
    for part in widget.findChildren(QWidget):
        if part.toolTip() or not isinstance(part, QAbstractButton | QComboBox | QLineEdit | QAbstractSpinBox):
            continue
        name = part.accessibleName() or labels.get(_address(part), "")
        if isinstance(part, QAbstractButton):
            part.setToolTip(plain_lines(name or part.text()))
        elif name:
            part.setToolTip(plain_lines(f"{name}; it counts on Enter" if isinstance(part, QAbstractSpinBox) else name))


def _address(part: QWidget) -> int:
    return int(Shiboken.getCppPointer(part)[0])


def _focus_into(dock: QDockWidget) -> None:
    """To the dock's table or list, else to its first part that takes keys."""
    inside = dock.widget()
    parts = [part for part in (inside, *inside.findChildren(QWidget)) if part.isVisible() and part.isEnabled()]
    tables = [part for part in parts if isinstance(part, QAbstractItemView | QGraphicsView) and is_seen(part)]
    keyed = [part for part in parts if part.focusPolicy() & Qt.FocusPolicy.TabFocus]
    first = [*tables, *keyed, inside][0]
    first.setFocus(Qt.FocusReason.ShortcutFocusReason)
