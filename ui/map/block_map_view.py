"""The map of all landblocks to look around in and to choose from.

Dragging pans, the wheel zooms, a click chooses, a double click or Enter opens; arrows go to the next one there is. A
right click offers the widget's actions.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from editor.maps.block_map import Colour, MapColours, Picture, block_id_at, describe, picture
from editor.maps.ground_map import Paint
from editor.process.plain_text import plain, plain_lines
from engine.world.block_index import SIDE, BlockIndex
from engine.world.cells.ids import block_text, block_x, block_y
from ui.map.terrain_colours import ground_colours
from ui.theme.theme import Colours, mono_font

CLOSEST: Final = 96.0
"""Pixels a landblock."""
GRID_FROM: Final = 10.0
COARSE: Final = 16
"""Landblocks between two lines where one can not be told from the next."""

NAMES_FROM: Final = 52.0
ZOOM_STEP: Final = 1.25
DRAG_FROM: Final = 4
"""Pixels after which a press is a drag and no click."""
SHOWN_AT: Final = 14.0
"""The least scale at which a landblock that was searched for is shown."""
LAND_SHARE: Final = 0.35
STEPS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}


class BlockMapView(QWidget):
    """`chosen` 0 is none; ids are 0xXXYYFFFF, which are too large for a signal's `int`."""

    hovered = Signal(object)
    """The landblock under the mouse, there or not; 0 when there is none."""
    picked = Signal(object)
    opened = Signal(object)

    def __init__(self, colours: Colours, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("block-map")
        self.setAccessibleName("Map of all landblocks")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumSize(320, 320)
        self.colours = colours
        self.index = BlockIndex()
        self.chosen = 0
        self.marked: list[int] = []
        """Opened before."""
        self.here = 0
        """In view now."""
        self._hover = 0
        self._image = QImage()
        self._scale = 0.0
        self._corner = QPointF(0.0, 0.0)  # of the map's north-west corner, in pixels
        self._pressed: QPointF | None = None
        self._dragging = False

    def sizeHint(self) -> QSize:  # noqa: N802  # Qt's name
        return QSize(660, 660)

    # --- what is shown

    def show_index(self, index: BlockIndex) -> None:
        self.index = index
        self.show_picture(picture(index, map_colours(self.colours)))
        self.frame_all()

    @property
    def paint(self) -> Paint:
        """What a picture of the ground is to be drawn with."""
        return Paint(ground_colours(self.colours), map_colours(self.colours))

    def show_picture(self, made: Picture) -> None:
        """One that has more than `show_index` knows of: the ground."""
        side = made.shape[0]
        self._image = QImage(made.tobytes(), side, side, side * 4, QImage.Format.Format_RGBA8888).copy()
        self.update()

    def choose(self, block_id: int, *, show: bool = False) -> None:
        """Mark a landblock, and have it in sight if asked; 0 for none."""
        self.chosen = block_id
        if show and block_id:
            self._show(block_id)
        self.update()

    # --- where it is

    @property
    def scale(self) -> float:
        return self._scale

    def rect_of(self, block_id: int) -> QRectF:
        """Where a landblock is, in pixels."""
        x, y = block_x(block_id), SIDE - 1 - block_y(block_id)
        return QRectF(self._corner.x() + x * self._scale, self._corner.y() + y * self._scale, self._scale, self._scale)

    def block_at(self, at: QPointF) -> int:
        """The landblock at a place in pixels, whether there is one or not; 0 off the map."""
        if self._scale <= 0.0:
            return 0
        x, y = (at.x() - self._corner.x()) / self._scale, (at.y() - self._corner.y()) / self._scale
        column, row = int(x // 1), SIDE - 1 - int(y // 1)
        return block_id_at(column, row) if 0 <= column < SIDE and 0 <= row < SIDE else 0

    def frame_all(self) -> None:
        """All landblocks that there are, as large as the room allows."""
        ids = np.array(self.index.ids or [block_id_at(0, 0), block_id_at(SIDE - 1, SIDE - 1)])
        xs, ys = (ids >> 24) & 0xFF, SIDE - 1 - ((ids >> 16) & 0xFF)
        left, top = float(xs.min()) - 2.0, float(ys.min()) - 2.0
        wide, high = float(xs.max()) + 3.0 - left, float(ys.max()) + 3.0 - top
        self._scale = min(self.width() / wide, self.height() / high, CLOSEST)
        middle = QPointF(left + wide / 2.0, top + high / 2.0)
        self._corner = QPointF(self.width() / 2.0, self.height() / 2.0) - middle * self._scale
        self.update()

    def zoom(self, factor: float, at: QPointF) -> None:
        """Nearer or farther, with what is under a place staying there."""
        least = min(self.width(), self.height()) / (SIDE * 1.5)
        scale = min(max(self._scale * factor, least), CLOSEST)
        self._corner = at - (at - self._corner) * (scale / self._scale)
        self._scale = scale
        self.update()

    def _show(self, block_id: int) -> None:
        middle = QPointF(self.width() / 2.0, self.height() / 2.0)
        if self._scale < SHOWN_AT:
            self.zoom(SHOWN_AT / self._scale, middle)
        box = self.rect_of(block_id)
        if not QRectF(self.rect()).adjusted(box.width(), box.height(), -box.width(), -box.height()).contains(box):
            self._corner += middle - box.center()

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  # Qt's name
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self.colours.sheet))
        whole = QRectF(self._corner.x(), self._corner.y(), SIDE * self._scale, SIDE * self._scale)
        painter.drawImage(whole, self._image)
        if self._scale >= GRID_FROM:
            self._paint_grid(painter)
        else:
            self._paint_coarse_grid(painter, whole)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for block_id in self.marked:
            self._outline(painter, block_id, self.colours.adjusted, 1.5)
        if self.here:
            self._outline(painter, self.here, self.colours.current, 2.0)
        if self._hover:
            self._outline(painter, self._hover, self.colours.text, 1.0)
        if self.chosen:
            self._outline(painter, self.chosen, self.colours.selected, 2.5)

    def _outline(self, painter: QPainter, block_id: int, colour: str, width: float) -> None:
        """At least large enough to be seen where a landblock is a few pixels."""
        box = self.rect_of(block_id)
        grow = max(0.0, (9.0 - box.width()) / 2.0)
        painter.setPen(QPen(QColor(colour), width))
        painter.drawRect(box.adjusted(-grow, -grow, grow, grow))

    def _paint_coarse_grid(self, painter: QPainter, whole: QRectF) -> None:
        """The world's edge, and where the first digits of the ids change; the digits stand at the left and below."""
        painter.setFont(mono_font(10))
        painter.setPen(QPen(QColor(self.colours.line), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(whole)
        metrics = QFontMetrics(painter.font())
        wide, high = metrics.horizontalAdvance("00") + 4.0, float(metrics.height())
        for step in range(0, SIDE, COARSE):
            x, y = whole.left() + step * self._scale, whole.bottom() - step * self._scale
            painter.setPen(QPen(QColor(self.colours.line), 1.0, Qt.PenStyle.DotLine))
            if step:
                painter.drawLine(QPointF(x, whole.top()), QPointF(x, whole.bottom()))
                painter.drawLine(QPointF(whole.left(), y), QPointF(whole.right(), y))
            painter.setPen(QColor(self.colours.dim))
            foot = min(whole.bottom(), self.height() - high)
            side = max(whole.left() - wide, 0.0)
            if x >= side + wide or step == 0:
                painter.drawText(QRectF(x, foot, wide, high), int(Qt.AlignmentFlag.AlignCenter), f"{step:02X}")
            if y <= foot:
                painter.drawText(QRectF(side, y - high, wide, high), int(Qt.AlignmentFlag.AlignCenter), f"{step:02X}")

    def _paint_grid(self, painter: QPainter) -> None:
        first, last = self.block_at(QPointF(0.0, self.height() - 1.0)), self.block_at(QPointF(self.width() - 1.0, 0.0))
        left, right = (block_x(first), block_x(last)) if first and last else (0, SIDE - 1)
        bottom, top = (block_y(first), block_y(last)) if first and last else (0, SIDE - 1)
        line = QColor(self.colours.window)
        line.setAlpha(150)
        painter.setPen(QPen(line, 1.0))
        for column in range(left, right + 2):
            x = self._corner.x() + column * self._scale
            painter.drawLine(QPointF(x, 0.0), QPointF(x, float(self.height())))
        for row in range(bottom, top + 2):
            y = self._corner.y() + (SIDE - row) * self._scale
            painter.drawLine(QPointF(0.0, y), QPointF(float(self.width()), y))
        if self._scale >= NAMES_FROM:
            painter.setFont(mono_font(11))
            for column in range(left, right + 1):
                for row in range(bottom, top + 1):
                    self._paint_name(painter, block_id_at(column, row))

    def _paint_name(self, painter: QPainter, block_id: int) -> None:
        if block_id not in self.index:
            return
        box = self.rect_of(block_id)
        name = block_text(block_id).removeprefix("0x")
        metrics = QFontMetrics(painter.font())
        plate = QRectF(box.left() + 3.0, box.top() + 3.0, metrics.horizontalAdvance(name) + 6.0, metrics.height())
        painter.fillRect(plate, QColor(self.colours.window))
        painter.setPen(QColor(self.colours.text))
        painter.drawText(plate, int(Qt.AlignmentFlag.AlignCenter), plain(name))

    # --- hands

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  # Qt's name
        super().resizeEvent(event)
        old = event.oldSize()
        if self._scale <= 0.0 or old.width() <= 0:
            self.frame_all()
        else:
            self._corner += QPointF(self.width() - old.width(), self.height() - old.height()) / 2.0

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802  # Qt's name
        steps = event.angleDelta().y() / 120.0
        self.zoom(ZOOM_STEP**steps, event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        self._pressed = event.position()
        self._dragging = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        at = event.position()
        if self._pressed is not None and event.buttons() != Qt.MouseButton.NoButton:
            moved = at - self._pressed
            if self._dragging or moved.manhattanLength() >= DRAG_FROM:
                self._dragging = True
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
                self._corner += moved
                self._pressed = at
                self.update()
            return
        self._hover_over(self.block_at(at))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        self.unsetCursor()
        clicked = not self._dragging and self._pressed is not None
        self._pressed = None
        self._dragging = False
        if clicked and event.button() == Qt.MouseButton.LeftButton:
            self._pick(self.block_at(event.position()))
        elif clicked and event.button() == Qt.MouseButton.RightButton:
            self._show_menu(event.position().toPoint())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802  # Qt's name
        """The right button, which drags as well, asks when it is let go; the menu key asks for the middle."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self._show_menu(self.rect().center())
        event.accept()

    def _show_menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self.actions())
        menu.popup(self.mapToGlobal(at))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        block_id = self.block_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and block_id in self.index:
            self._pick(block_id)
            self.opened.emit(block_id)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802  # Qt's name
        self._hover_over(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  # Qt's name
        key = Qt.Key(event.key())
        middle = QPointF(self.width() / 2.0, self.height() / 2.0)
        if key in STEPS:
            self._step(*STEPS[key])
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(ZOOM_STEP, middle)
        elif key == Qt.Key.Key_Minus:
            self.zoom(1.0 / ZOOM_STEP, middle)
        elif key in (Qt.Key.Key_0, Qt.Key.Key_Home):
            self.frame_all()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.chosen:
            self.opened.emit(self.chosen)
        else:
            super().keyPressEvent(event)

    def _hover_over(self, block_id: int) -> None:
        if block_id != self._hover:
            self._hover = block_id
            self.setToolTip(plain_lines(describe(self.index, block_id) if block_id else ""))
            self.hovered.emit(block_id)
            self.update()

    def _pick(self, block_id: int) -> None:
        """Only what is there."""
        if block_id in self.index:
            self.choose(block_id)
            self.picked.emit(block_id)

    def _step(self, east: int, north: int) -> None:
        """To the next landblock in a direction that there is."""
        column, row = block_x(self.chosen), block_y(self.chosen)
        if not self.chosen:
            self._pick(self.index.ids[0] if self.index.ids else 0)
            return
        for _ in range(SIDE):
            column, row = column + east, row + north
            if not (0 <= column < SIDE and 0 <= row < SIDE):
                return
            if self.index.known and block_id_at(column, row) in self.index:
                self._pick(block_id_at(column, row))
                self._show(self.chosen)
                return


def map_colours(colours: Colours) -> MapColours:
    """Land is quiet, rooms stand out by how many they are."""
    land = _mixed(colours.sheet, colours.neither, LAND_SHARE)
    return MapColours(_rgb(colours.sheet), land, _mixed(colours.sheet, colours.visible, 0.6), _rgb(colours.visible))


def _rgb(colour: str) -> Colour:
    value = QColor(colour)
    return value.red(), value.green(), value.blue()


def _mixed(ground: str, colour: str, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(_rgb(ground), _rgb(colour), strict=True))
    return red, green, blue
