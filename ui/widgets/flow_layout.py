"""A row of widgets that wraps onto the next line when it gets narrow."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem

from ui.theme.theme import BETWEEN, GROUP


class Flow(QLayout):
    """Left to right, then down; widgets are centred on their line. An expanding one takes the rest of its line."""

    def __init__(self) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}
        self.setSpacing(BETWEEN)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        """A cache: Qt asks for the same widths hundreds of times for every change of a dock."""
        height = self._heights.get(width)
        if height is None:
            height = self._heights[width] = self._lay(QRect(0, 0, width, 0), move=False)
        return height

    def invalidate(self) -> None:
        """Forget the sizes: an item has changed its size or its visibility."""
        self._heights = {}
        super().invalidate()

    def setGeometry(self, box: QRect) -> None:
        super().setGeometry(box)
        self._lay(box, move=True)

    def sizeHint(self) -> QSize:
        """The size with all items on one line."""
        sizes = [item.sizeHint() for item in self._shown()]
        width = sum(size.width() for size in sizes) + self.spacing() * max(len(sizes) - 1, 0)
        return self._framed(QSize(width, max((size.height() for size in sizes), default=0)))

    def minimumSize(self) -> QSize:
        """The size of the widest item."""
        sizes = [item.minimumSize() for item in self._shown()]
        return self._framed(
            QSize(max((size.width() for size in sizes), default=0), max((size.height() for size in sizes), default=0))
        )

    def _framed(self, size: QSize) -> QSize:
        edges = self.contentsMargins()
        return size + QSize(edges.left() + edges.right(), edges.top() + edges.bottom())

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _lay(self, box: QRect, *, move: bool) -> int:
        """The height needed for a width; `move` places the widgets."""
        inner = box.marginsRemoved(self.contentsMargins())
        y = inner.top()
        lines = self._lines(inner.width())
        for line in lines:
            widths = self._widths(line, inner.width())
            heights = [_height(item, width) for item, width in zip(line, widths, strict=True)]
            highest, x = max(heights), inner.left()
            for item, width, height in zip(line, widths, heights, strict=True):
                if move:
                    item.setGeometry(QRect(QPoint(x, y + (highest - height) // 2), QSize(width, height)))
                x += width + self.spacing()
            y += highest + GROUP
        edges = self.contentsMargins()
        return y - (GROUP if lines else 0) - inner.top() + edges.top() + edges.bottom()

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        used = 0
        for item in self._shown():
            wide = _width(item)
            if lines and used + self.spacing() + wide <= width:
                lines[-1].append(item)
                used += self.spacing() + wide
            else:
                lines.append([item])
                used = wide
        return lines

    def _widths(self, line: list[QLayoutItem], room: int) -> list[int]:
        widths = [min(_width(item), room) for item in line]
        left = room - sum(widths) - self.spacing() * (len(line) - 1)
        takers = [place for place, item in enumerate(line) if _expands(item)]
        for place in takers:
            widths[place] += left // len(takers)
        return widths


def _expands(item: QLayoutItem) -> bool:
    return bool(item.expandingDirections() & Qt.Orientation.Horizontal)


def _width(item: QLayoutItem) -> int:
    """The width that a widget asks for; its minimum if it expands."""
    return (item.minimumSize() if _expands(item) else item.sizeHint()).width()


def _height(item: QLayoutItem, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
