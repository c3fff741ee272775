"""Hovering in lists: reports the hovered object, and highlights the row of one hovered elsewhere.

Moving within a field reports nothing, and only rows that change are repainted.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from editor.session.session import Selection

Index = QModelIndex | QPersistentModelIndex


class RowHover(QObject):
    """Serves one list; `selection_at` gives the selection that a click on a row would make."""

    hovered = Signal(object)

    def __init__(self, view: QAbstractItemView, selection_at: Callable[[Index], Selection | None]) -> None:
        super().__init__(view)
        self._view = view
        self._selection_at = selection_at
        self._lit: Selection | None = None
        view.setMouseTracking(True)
        view.entered.connect(self._on_entered)
        view.viewportEntered.connect(self._on_left)
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._on_left()
        return False

    @Slot(QModelIndex)
    def _on_entered(self, index: QModelIndex) -> None:
        self.hovered.emit(self._selection_at(index))

    @Slot()
    def _on_left(self) -> None:
        self.hovered.emit(None)

    # --- highlighting

    def show(self, selection: Selection | None) -> None:
        """Highlight the hovered object, here or elsewhere."""
        touched = {self._lit, selection} - {None}
        if selection == self._lit:
            return
        self._lit = selection
        view, viewport, y = self._view, self._view.viewport(), 0
        while view.isVisible() and y < viewport.height():
            index = view.indexAt(QPoint(1, y))
            if not index.isValid():
                return
            box = view.visualRect(index)
            if self._selection_at(index) in touched:
                viewport.update(0, box.top(), viewport.width(), box.height())
            y = max(box.bottom(), y) + 1

    def is_lit(self, index: Index) -> bool:
        return self._lit is not None and self._selection_at(index) == self._lit


class HoverDelegate(QStyledItemDelegate):
    """Paints highlighted rows on a raised background."""

    def __init__(self, hover: RowHover | None, parent: QWidget) -> None:
        super().__init__(parent)
        self._hover = hover

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if self._hover is not None and self._hover.is_lit(index):
            option.backgroundBrush = QGuiApplication.palette().button()  # the view's own comes from the style sheet
