"""Lays the docks of the window out, keeps each layout as the user left it, and lets docks grow with the window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QByteArray, QEvent, QObject, QSettings, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolBar, QWidget

from ui.docks.panel import is_seen
from ui.window.dock_table import BOTTOM
from ui.window.layouts.table import AREAS, Layout

FIRST_SIZE: Final = QSize(1600, 1000)
FRAME: Final = QSize(16, 40)
"""Room for the window's frame, which has no size before the window is shown."""

VERSION: Final = 8
"""A layout that was saved with another version has other docks; it is not restored."""

CURRENT: Final = "layout/current"
NEAR: Final = 3
"""Pixels by which a size may differ from the layout's own and still be taken for it: frames of docks, rounding."""


class Arranger(QObject):
    """One layout is current; the others are kept as they were left."""

    changed = Signal(str)
    """Another layout is current; its id."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._docks: Mapping[str, QDockWidget] = {}
        self._layouts: dict[str, Layout] = {}
        self._states: dict[str, QByteArray] = {}
        self._sizes: dict[str, tuple[QSize, dict[Qt.DockWidgetArea, int]]] = {}
        """Of layouts that were left: the window's size and those of the areas."""
        self._current = ""
        self._size = QSize()
        """The window's size that the noted sizes belong to."""
        self._noted: dict[Qt.DockWidgetArea, int] = {}
        self._parts: dict[Qt.DockWidgetArea, list[tuple[QDockWidget, int]]] = {}
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._resize)

    # --- choosing

    def begin(self, docks: Mapping[str, QDockWidget], layouts: Sequence[Layout]) -> None:
        """Arrange the docks as at the first start: the first layout."""
        self._docks, self._layouts = docks, {layout.id: layout for layout in layouts}
        for dock in docks.values():
            dock.installEventFilter(self)
        self._current = layouts[0].id
        self._to_first_size()
        self._arrange(layouts[0])

    @property
    def layouts(self) -> list[Layout]:
        return list(self._layouts.values())

    @property
    def current(self) -> Layout:
        """The layout in use."""
        return self._layouts[self._current]

    def choose(self, name: str) -> None:
        """Change to a layout, as it was left."""
        if name != self._current:
            self._states[self._current] = self._window.saveState(VERSION)
            self._sizes[self._current] = (self._size, dict(self._noted))
            self._show(name)

    def reset(self) -> None:
        """Put the current layout and the window's size back to those of the first start."""
        if not self._window.isMaximized() and not self._window.isFullScreen():
            self._to_first_size()
        self._states.pop(self._current, None)
        self._sizes.pop(self._current, None)
        self._show(self._current)

    def _show(self, name: str) -> None:
        self._current = name
        kept = self._states.get(name)
        animated = self._window.isAnimated()
        self._window.setAnimated(False)
        if kept is None or not self._restore(kept):
            self._arrange(self.current)
        self._window.setAnimated(animated)
        self.give_corner()
        old, sizes = self._sizes.pop(name, (self._window.size(), {}))
        for area, size in sizes.items():  # Qt keeps them up to some pixels
            self._set_size(area, self._scaled(area, size, old))
        self._later.start(0)
        self.changed.emit(name)

    def _to_first_size(self) -> None:
        self._window.resize(FIRST_SIZE.boundedTo(self._window.screen().availableSize() - FRAME))

    def _arrange(self, layout: Layout) -> None:
        """Put every dock where the layout has it."""
        self._restore(_state_of(layout, self._docks, self._window))
        self.give_corner()
        for area in AREAS:
            self._set_size(area, layout.size(area, self._window.size()))
        self._size = self._window.size()
        self._note()

    def _restore(self, state: QByteArray) -> bool:
        """Take every dock out first: Qt leaves the tab bar of a place standing when its docks are in another now."""
        for dock in self._docks.values():
            dock.setFloating(False)
            self._window.removeDockWidget(dock)
        return self._window.restoreState(state, VERSION)

    def give_corner(self) -> None:
        """Give the docks at the bottom all the width, unless those at the left would be too low then."""
        area = BOTTOM if self.current.is_wide(self._window.size()) else Qt.DockWidgetArea.LeftDockWidgetArea
        if self._window.corner(Qt.Corner.BottomLeftCorner) is not area:
            self._window.setCorner(Qt.Corner.BottomLeftCorner, area)

    # --- sizes

    def follow(self) -> None:
        """The window has another size: the docks keep their part of it."""
        if self._current:
            self.give_corner()
            self._later.start(0)

    @Slot()
    def _resize(self) -> None:
        window, old = self._window, self._size
        if old.isValid() and old != window.size():
            for area, size in self._noted.items():
                self._set_size(area, self._scaled(area, size, old))
            for area, parts in self._parts.items():
                window.resizeDocks([dock for dock, _ in parts], [size for _, size in parts], _along(area))
        self._size = window.size()
        self._note()

    def _scaled(self, area: Qt.DockWidgetArea, size: int, old: QSize) -> int:
        """A size that the user has set grows with the window; the layout's own is that of the layout."""
        window = self._window.size()
        if abs(size - self.current.size(area, old)) <= NEAR:
            return self.current.size(area, window)
        ratio = window.height() / old.height() if area == BOTTOM else window.width() / old.width()
        return round(size * ratio)

    def _set_size(self, area: Qt.DockWidgetArea, size: int) -> None:
        along = Qt.Orientation.Vertical if area == BOTTOM else Qt.Orientation.Horizontal
        docks = [dock for dock in self._docks.values() if self._is_in(dock, area)]
        if docks:
            self._window.resizeDocks(docks[:1], [size], along)

    def _is_in(self, dock: QDockWidget, area: Qt.DockWidgetArea) -> bool:
        return not dock.isFloating() and not dock.isHidden() and self._window.dockWidgetArea(dock) == area

    def _note(self) -> None:
        """Keep the sizes, for the next time that the window's size changes."""
        self._noted, self._parts = {}, {}
        for area in AREAS:
            seen = [dock for dock in self._docks.values() if self._is_in(dock, area) and is_seen(dock)]
            if area == BOTTOM:
                parts = [(dock, dock.width()) for dock in seen]
                sizes = [dock.height() for dock in seen]
            else:
                parts = [(dock, dock.height()) for dock in seen]
                sizes = [dock.width() for dock in seen]
            if seen:
                self._noted[area], self._parts[area] = max(sizes), parts

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A dock that gets another size while the window keeps its own was resized by the user."""
        if event.type() == QEvent.Type.Resize and self._window.size() == self._size and not self._later.isActive():
            self._later.start(0)
        return False

    # --- between two starts

    def restore(self, settings: QSettings) -> None:
        """Lay the docks out as they were at the end of the last session."""
        geometry = settings.value("geometry")
        if isinstance(geometry, QByteArray):
            self._window.restoreGeometry(geometry)
        for name in self._layouts:
            state = settings.value(f"layout/{name}")
            if isinstance(state, QByteArray):
                self._states[name] = state
        wanted = str(settings.value(CURRENT, self._current))
        if wanted in self._states and wanted in self._layouts:
            self._current = wanted
            if not self._restore(self._states[wanted]):
                self._arrange(self.current)
            self.changed.emit(wanted)
        self.give_corner()
        self._later.start(0)

    def save(self, settings: QSettings) -> None:
        """Keep the layouts for the next session."""
        settings.setValue("geometry", self._window.saveGeometry())
        settings.setValue(CURRENT, self._current)
        self._states[self._current] = self._window.saveState(VERSION)
        for name, state in self._states.items():
            settings.setValue(f"layout/{name}", state)


def _state_of(layout: Layout, docks: Mapping[str, QDockWidget], window: QMainWindow) -> QByteArray:
    """A layout as Qt saves it, made in a window that is never seen.

    Where docks of the real window are put into tabs one by one, Qt leaves tab bars of the steps between standing.
    """
    model = QMainWindow()
    model.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    model.setCentralWidget(QWidget(model))
    model.resize(window.size())
    for bar in window.findChildren(QToolBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
        same = QToolBar(model)
        same.setObjectName(bar.objectName())
        model.addToolBar(window.toolBarArea(bar), same)
    twins = {name: _twin(dock, model) for name, dock in docks.items()}
    for area, groups in layout.groups.items():
        along = _along(area)
        first = [twins[group.docks[0]] for group in groups]
        for dock in first:
            model.addDockWidget(area, dock)
        for before, after in pairwise(first):
            model.splitDockWidget(before, after, along)
        for group in groups:
            for name, following in pairwise(group.docks):
                model.addDockWidget(area, twins[following])
                model.tabifyDockWidget(twins[name], twins[following])
    model.show()
    for area, groups in layout.groups.items():
        for group in groups:
            for name in group.docks[group.shown :]:
                twins[name].hide()
            if group.is_open:
                twins[group.front].raise_()
        weights = [max(1, round(group.weight * 100.0)) for group in groups]
        model.resizeDocks([twins[group.docks[0]] for group in groups], weights, _along(area))
    state = model.saveState(VERSION)
    model.close()
    model.deleteLater()
    return state


def _twin(dock: QDockWidget, model: QMainWindow) -> QDockWidget:
    made = QDockWidget(dock.windowTitle(), model)
    made.setObjectName(dock.objectName())
    made.setWidget(QWidget(made))
    return made


def _along(area: Qt.DockWidgetArea) -> Qt.Orientation:
    """The direction in which groups follow each other."""
    return Qt.Orientation.Horizontal if area == BOTTOM else Qt.Orientation.Vertical
