"""Small pictures of models for catalogues, drawn by the renderer of the 3D view while nothing else is to be done."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QColor, QIcon, QImage, QPixmap
from PySide6.QtWidgets import QMenu, QProxyStyle, QStyle, QStyleOption, QWidget
from shiboken6 import isValid

SIZE: Final = 48
"""Pixels of the window at most; twice as many are drawn, for fine displays."""
LONG_MENU: Final = 24
"""Entries of a menu beyond which its pictures are as high as its text, so that it fits on the screen."""
LOW: Final = 22
DRAWN: Final = SIZE * 2
PAUSE_MS: Final = 15
"""Between two pictures: events and frames of the 3D view come first."""
BUSY_MS: Final = 200
"""Until the next try, while time runs."""
MOST: Final = 500
"""Pictures kept, 36 KB each."""

Draw = Callable[[int, int], QImage | None]
"""Draws a model in a square of so many pixels; None when it has nothing to show."""


class _ModelMenuStyle(QProxyStyle):
    """The style of a menu with pictures: they are larger than symbols."""

    def __init__(self, menu: QMenu) -> None:
        super().__init__()
        self._menu = menu
        self.setParent(menu)

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        if metric is QStyle.PixelMetric.PM_SmallIconSize:
            return LOW if len(self._menu.actions()) > LONG_MENU else SIZE
        return super().pixelMetric(metric, option, widget)


class Thumbnails(QObject):
    """The pictures of one world's models, each drawn once, one at a time."""

    ready = Signal(int)
    """The picture of this model is there."""

    def __init__(self, draw: Draw, is_busy: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._draw = draw
        self._is_busy = is_busy
        self._icons: OrderedDict[int, QIcon] = OrderedDict()
        self._waiting: dict[int, None] = {}
        self._shown: dict[int, list[QAction]] = {}
        """Entries of menus that wait for the picture of a model."""
        self._empty: QIcon | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._next)

    @property
    def waiting(self) -> int:
        """The number of pictures still to be drawn."""
        return len(self._waiting)

    def has(self, model_id: int) -> bool:
        return model_id in self._icons

    def icon(self, model_id: int) -> QIcon:
        """The picture, or an empty square until it has been drawn."""
        found = self._icons.get(model_id)
        if found is not None:
            self._icons.move_to_end(model_id)
            return found
        self._waiting.setdefault(model_id)
        if not self._timer.isActive():
            self._timer.start(PAUSE_MS)
        return self._placeholder()

    def show_on(self, action: QAction, model_id: int) -> None:
        """Give an entry of a menu the picture of its model, now or when it is ready."""
        menu = action.parent()
        if isinstance(menu, QMenu) and not menu.property("models"):
            menu.setProperty("models", True)
            menu.setStyle(_ModelMenuStyle(menu))
        action.setIcon(self.icon(model_id))
        action.setIconVisibleInMenu(True)
        if not self.has(model_id):
            self._shown[model_id] = [*filter(isValid, self._shown.get(model_id, ())), action]

    def clear(self) -> None:
        """Forget the pictures of a world that was closed."""
        self._icons.clear()
        self._waiting.clear()
        self._shown.clear()
        self._timer.stop()

    def _placeholder(self) -> QIcon:
        if self._empty is None:
            square = QPixmap(QSize(DRAWN, DRAWN))
            square.fill(QColor(Qt.GlobalColor.transparent))
            self._empty = QIcon(square)
        return self._empty

    @Slot()
    def _next(self) -> None:
        """Draw one picture, unless time runs."""
        if not self._waiting:
            return
        if self._is_busy():
            self._timer.start(BUSY_MS)
            return
        model_id = next(iter(self._waiting))
        del self._waiting[model_id]
        image = self._draw(model_id, DRAWN)
        self._icons[model_id] = self._placeholder() if image is None else QIcon(QPixmap.fromImage(image))
        while len(self._icons) > MOST:
            self._icons.popitem(last=False)
        if self._waiting:
            self._timer.start(PAUSE_MS)
        for action in filter(isValid, self._shown.pop(model_id, ())):
            action.setIcon(self._icons[model_id])
        self.ready.emit(model_id)
