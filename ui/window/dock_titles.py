"""The titles of the docks: a tab where several share a place, else a title bar. Both have buttons.

Qt gives a tabbed dock a tab and a title line that says the same again. Here the tab row is the title: its free end has
the buttons, a drag out of the row takes the dock along, and a right click offers the same in words.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer, Slot
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QTabBar,
    QToolButton,
    QWidget,
)
from shiboken6 import Shiboken

from editor.process.plain_text import plain, plain_lines
from ui.theme.icons import set_icon
from ui.theme.theme import EDGE, GROUP, Colours, tell_style
from ui.theme.theme_state import ThemeState
from ui.widgets.whats_this import show_about_widget

HEIGHT: Final = 28
PULL: Final = 24
"""Distance in pixels at which a dragged tab leaves its row."""

GRIP: Final = QPoint(60, HEIGHT // 2)
"""Point of the title bar that the mouse holds while a dock is dragged out."""

PRESSES: Final = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)

WORDS: Final = (
    ("help", "What's This?", "Explain this dock (Shift+F1)"),
    ("float", "Float", "Take this dock out of the window, or put it back"),
    ("close", "Close", "Close this dock; View > Docks brings it back"),
)
YIELDING: Final = ("float", "close", "help")
"""Where tabs need the room the buttons go in this order; a right click on a tab has all three in words."""


class DockButtons(QWidget):
    """Help, float and close buttons for one dock; a tab row assigns another when its tab changes."""

    def __init__(self, name: str, colours: Colours, parent: QWidget) -> None:
        super().__init__(parent)
        self.dock: QDockWidget | None = None
        self.setObjectName(name)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, GROUP, 0)
        self.row.setSpacing(0)
        self.buttons: dict[str, QToolButton] = {}
        for sign, word, tip in WORDS:
            made = QToolButton(self)
            made.setObjectName(f"{name}-{sign}")
            made.setAccessibleName(plain(word))
            made.setToolTip(plain_lines(tip))
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            set_icon(made, sign, colours)
            made.clicked.connect(lambda checked=False, sign=sign: self._act(sign))
            self.row.addWidget(made)
            self.buttons[sign] = made

    def fit(self, room: int) -> bool:
        """Show as many buttons as there is room for; False when there is none for any."""
        for gone in range(len(YIELDING) + 1):
            for place, sign in enumerate(YIELDING):
                self.buttons[sign].setVisible(place >= gone)
            self.row.activate()
            self.adjustSize()
            if self.width() <= room:
                return gone < len(YIELDING)
        return False

    def _act(self, sign: str) -> None:
        if self.dock is not None:
            act(self.dock, sign)


class DockTitle(DockButtons):
    """The line over a dock that shares its place with no other."""

    def __init__(self, dock: QDockWidget, colours: Colours) -> None:
        super().__init__("dock-title", colours, dock)
        self.dock = dock
        self.label = QLabel(plain(dock.windowTitle()), self)
        self.label.setContentsMargins(EDGE, 0, 0, 0)
        self.row.insertWidget(0, self.label, 1)
        self.label.setMinimumWidth(0)
        dock.windowTitleChanged.connect(self.label.setText)

    def show_as(self, *, tabbed: bool) -> None:
        for part in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            part.setVisible(not tabbed)
        self.setFixedHeight(0 if tabbed else HEIGHT)


class DockTitles(QObject):
    """Keeps the titles up to date wherever the docks are."""

    def __init__(self, window: QMainWindow, theme: ThemeState) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._titles: dict[QDockWidget, DockTitle] = {}
        self._corners: dict[QTabBar, DockButtons] = {}
        self._pulled: QDockWidget | None = None
        self._pressed: dict[QTabBar, int] = {}
        """Number of tabs of a row when the drag began."""
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self.refresh)
        window.installEventFilter(self)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus)

    def add(self, dock: QDockWidget) -> None:
        title = self._titles[dock] = DockTitle(dock, self._theme.colours)
        dock.setTitleBarWidget(title)
        dock.topLevelChanged.connect(self._soon)
        dock.dockLocationChanged.connect(self._soon)
        dock.visibilityChanged.connect(self._soon)
        dock.windowTitleChanged.connect(self._soon)

    @Slot()
    def _soon(self) -> None:
        if not self._later.isActive():
            self._later.start(0)

    @Slot(QWidget, QWidget)
    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        """Highlight the title of the dock that has the keyboard focus."""
        if now is None:
            return
        for dock, title in self._titles.items():
            tell_style(title, "active", dock.isAncestorOf(now))
        for bar, corner in self._corners.items():
            inside = corner.dock is not None and (corner.dock.isAncestorOf(now) or bar.isAncestorOf(now))
            tell_style(bar, "active", inside)

    def is_tabbed(self, dock: QDockWidget) -> bool:
        others = self._window.tabifiedDockWidgets(dock)
        return not dock.isFloating() and any(not other.isHidden() for other in others)

    @Slot()
    def refresh(self) -> None:
        for dock, title in self._titles.items():
            title.show_as(tabbed=self.is_tabbed(dock))
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if not bar.count():
                # Qt shows the row of a place that has lost its docks, outside of the window or, after a restored
                # layout, in it. Hiding the one outside would lay out the window, which shows it again, without end.
                if bar.geometry().intersects(self._window.rect()):
                    bar.hide()
                continue
            if bar not in self._corners:
                self._adopt(bar)
            self._place(bar)

    def _adopt(self, bar: QTabBar) -> None:
        self._corners[bar] = DockButtons("tab-corner", self._theme.colours, bar)
        bar.installEventFilter(self)
        bar.setDrawBase(False)
        bar.setElideMode(Qt.TextElideMode.ElideRight)
        bar.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        bar.setAccessibleName("Docks that share this place")
        bar.currentChanged.connect(self._soon)
        bar.destroyed.connect(lambda: self._forget(bar))

    def _forget(self, bar: QTabBar) -> None:
        self._corners.pop(bar, None)
        self._pressed.pop(bar, None)

    def _place(self, bar: QTabBar) -> None:
        """The buttons at the free end of a row of tabs, for the dock on top; they never cover a tab."""
        corner = self._corners[bar]
        corner.dock = self.dock_of(bar, bar.currentIndex())
        taken = sum(bar.tabRect(place).width() for place in range(bar.count()))  # scrolled tabs begin left of the row
        is_free = corner.fit(bar.width() - taken)
        corner.move(bar.width() - corner.width(), (bar.height() - corner.height()) // 2)
        corner.setVisible(corner.dock is not None and is_free)
        corner.raise_()

    def dock_of(self, bar: QTabBar, place: int) -> QDockWidget | None:
        """The dock of a tab: Qt keeps its address in the tab."""
        address = bar.tabData(place)
        return next((dock for dock in self._titles if Shiboken.getCppPointer(dock)[0] == address), None)

    # --- mouse on the tabs

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window:
            if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show):
                self._soon()
            return False
        if not isinstance(watched, QTabBar):
            return False
        kind = event.type()
        if kind == QEvent.Type.Resize:
            self._soon()
        elif kind in PRESSES and isinstance(event, QMouseEvent):
            if event.button() is Qt.MouseButton.LeftButton:
                self._pressed[watched] = watched.count()
        elif kind == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            return self._on_move(watched, event)
        elif kind == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            return self._on_release(watched, event)
        elif kind == QEvent.Type.ContextMenu:
            self._show_menu(watched, watched.mapFromGlobal(event.globalPos()))  # type: ignore[attr-defined]
            return True
        return False

    def _on_move(self, bar: QTabBar, event: QMouseEvent) -> bool:
        if self._pulled is not None:
            self._hand_on(self._pulled, event)
            return True
        held = bool(event.buttons() & Qt.MouseButton.LeftButton)
        # A dock was closed meanwhile, perhaps the dragged one; or the release happened elsewhere.
        if bar in self._pressed and (self._pressed[bar] > bar.count() or not held):
            self._let_go(bar, event)
        if not held:
            return False
        if bar.rect().adjusted(-PULL, -PULL, PULL, PULL).contains(event.position().toPoint()):
            return False
        self._pull(bar, event)
        return True

    def _pull(self, bar: QTabBar, event: QMouseEvent) -> None:
        """Float the dock of a dragged tab, and hand the rest of the drag to it."""
        dock = self.dock_of(bar, bar.currentIndex())
        if dock is None:
            return
        self._let_go(bar, event)
        self._pulled = dock
        dock.setFloating(True)
        self._titles[dock].show_as(tabbed=False)
        QApplication.sendEvent(dock, QEvent(QEvent.Type.LayoutRequest))  # now, so that the press finds the title
        dock.move(event.globalPosition().toPoint() - GRIP)
        left = Qt.MouseButton.LeftButton
        press = QMouseEvent(
            QEvent.Type.MouseButtonPress, QPointF(GRIP), event.globalPosition(), left, left, event.modifiers()
        )
        QApplication.sendEvent(dock, press)

    def _let_go(self, bar: QTabBar, event: QMouseEvent) -> None:
        """End Qt's own drag: it keeps drawing the dragged tab, and crashes when that is gone."""
        self._pressed.pop(bar, None)
        inside = QPointF(bar.tabRect(bar.currentIndex()).center())
        release = QEvent.Type.MouseButtonRelease
        left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        QApplication.sendEvent(bar, QMouseEvent(release, inside, event.globalPosition(), left, none, event.modifiers()))

    def _on_release(self, bar: QTabBar, event: QMouseEvent) -> bool:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed.pop(bar, None)
        pulled, self._pulled = self._pulled, None
        if pulled is None:
            return False
        self._hand_on(pulled, event)
        return True

    @staticmethod
    def _hand_on(dock: QDockWidget, event: QMouseEvent) -> None:
        at = event.globalPosition()
        same = QMouseEvent(event.type(), dock.mapFromGlobal(at), at, event.button(), event.buttons(), event.modifiers())
        QApplication.sendEvent(dock, same)

    def _show_menu(self, bar: QTabBar, at: QPoint) -> None:
        dock = self.dock_of(bar, bar.tabAt(at))
        if dock is None:
            return
        menu = QMenu(bar)
        menu.setObjectName("dock-menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for sign, word, _ in WORDS:
            menu.addAction(word).triggered.connect(lambda checked=False, sign=sign: act(dock, sign))
        menu.popup(bar.mapToGlobal(at))


def act(dock: QDockWidget, sign: str) -> None:
    """Do what a button of a title does."""
    if sign == "float":
        dock.setFloating(not dock.isFloating())
    elif sign == "close":
        dock.close()
    else:
        show_about_widget(dock)
