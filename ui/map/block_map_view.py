"""Map of all landblocks, to browse and to choose from.

A click chooses a landblock, a double click or Enter opens it, and the arrow keys move to the next existing one;
`ui.widgets.pan_zoom` does the rest. Scene units are landblocks, counted from the map's north-west corner.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QImage, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QGraphicsView, QWidget

from editor.maps.block_map import Colour, MapColours, Picture, block_id_at, describe, picture
from editor.maps.ground_map import Paint
from editor.process.plain_text import plain, plain_lines
from engine.world.block_index import SIDE, BlockIndex
from engine.world.cells.ids import block_text, block_x, block_y
from ui.map.terrain_colours import ground_colours
from ui.theme.theme import Colours, mono_font
from ui.widgets.pan_zoom import PanZoomView

CLOSEST: Final = 96.0
"""Pixels per landblock."""
GRID_FROM: Final = 10.0
COARSE: Final = 16
"""Landblocks between grid lines while single landblocks are too small to tell apart."""

NAMES_FROM: Final = 52.0
SHOWN_AT: Final = 14.0
"""Smallest scale, in pixels per landblock, at which a landblock that the user searched for is shown."""
LAND_SHARE: Final = 0.35


class BlockMapView(PanZoomView):
    """Pans and zooms over all landblocks. `chosen` is 0 for none; ids are 0xXXYYFFFF, too large for a signal's
    `int`."""

    hovered = Signal(object)
    """The landblock under the mouse, whether or not it exists; 0 for none."""
    picked = Signal(object)
    opened = Signal(object)

    def __init__(self, colours: Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("block-map")
        self.setAccessibleName("Map of all landblocks")
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)  # digits stay at the edges
        self.setMinimumSize(320, 320)
        self.colours = colours
        self.index = BlockIndex()
        self.chosen = 0
        self.marked: list[int] = []
        """Landblocks opened before."""
        self.here = 0
        """The landblock in view."""
        self._hover = 0
        self._image = QImage()

    def sizeHint(self) -> QSize:
        return QSize(660, 660)

    # --- content

    def show_index(self, index: BlockIndex) -> None:
        self.index = index
        self.show_picture(picture(index, map_colours(self.colours)))
        self.fit()

    @property
    def paint(self) -> Paint:
        """The colours for painting a picture of the ground."""
        return Paint(ground_colours(self.colours), map_colours(self.colours))

    def show_picture(self, made: Picture) -> None:
        """Show a picture with more than the index has: the ground."""
        side = made.shape[0]
        self._image = QImage(made.tobytes(), side, side, side * 4, QImage.Format.Format_RGBA8888).copy()
        self.viewport().update()

    def choose(self, block_id: int, *, show: bool = False) -> None:
        """Mark a landblock, and bring it into view if asked; 0 for none."""
        self.chosen = block_id
        if show and block_id:
            self._show(block_id)
        self.viewport().update()

    def describe(self, block_id: int) -> str:
        """A landblock in one line, for the tooltip."""
        return describe(self.index, block_id)

    # --- viewport

    def limits(self) -> tuple[float, float]:
        return min(self.width(), self.height()) / (SIDE * 1.5), CLOSEST

    def content(self) -> QRectF:
        """Bounds of all existing landblocks, with a margin."""
        ids = np.array(self.index.ids or [block_id_at(0, 0), block_id_at(SIDE - 1, SIDE - 1)])
        xs, ys = (ids >> 24) & 0xFF, SIDE - 1 - ((ids >> 16) & 0xFF)
        left, top = float(xs.min()) - 2.0, float(ys.min()) - 2.0
        return QRectF(left, top, float(xs.max()) + 3.0 - left, float(ys.max()) + 3.0 - top)

    def rect_of(self, block_id: int) -> QRectF:
        """The landblock's rectangle, in pixels."""
        corner = self.to_viewport(QPointF(block_x(block_id), SIDE - 1 - block_y(block_id)))
        return QRectF(corner.x(), corner.y(), self.pixels_per_unit(), self.pixels_per_unit())

    def block_at(self, at: QPointF) -> int:
        """The landblock at a point in pixels, whether or not it exists; 0 off the map."""
        place = self.to_scene(at)
        column, row = int(place.x() // 1), SIDE - 1 - int(place.y() // 1)
        return block_id_at(column, row) if 0 <= column < SIDE and 0 <= row < SIDE else 0

    def frame_selection(self) -> None:
        if self.chosen:
            self._show(self.chosen)
        else:
            self.fit()

    def _show(self, block_id: int) -> None:
        """Bring a landblock into view, at a scale at which it stands apart from its neighbours."""
        if self.pixels_per_unit() < SHOWN_AT:
            self.zoom_about(self.middle(), SHOWN_AT / self.pixels_per_unit())
        box = self.rect_of(block_id)
        view = QRectF(self.viewport().rect())
        if not view.adjusted(box.width(), box.height(), -box.width(), -box.height()).contains(box):
            self.wander()
            self.show_at(self.to_scene(box.center()), self.middle(), self.pixels_per_unit())

    # --- painting

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.fillRect(self.viewport().rect(), QColor(self.colours.sheet))
        corner, side = self.to_viewport(QPointF(0.0, 0.0)), SIDE * self.pixels_per_unit()
        whole = QRectF(corner.x(), corner.y(), side, side)
        painter.drawImage(whole, self._image)
        if self.pixels_per_unit() >= GRID_FROM:
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
        """Outline a landblock, enlarged to stay visible where a landblock is only a few pixels."""
        box = self.rect_of(block_id)
        grow = max(0.0, (9.0 - box.width()) / 2.0)
        painter.setPen(QPen(QColor(colour), width))
        painter.drawRect(box.adjusted(-grow, -grow, grow, grow))

    def _paint_coarse_grid(self, painter: QPainter, whole: QRectF) -> None:
        """Paint the world's edge and a line where the first digit of the ids changes, with digits at the left and
        below."""
        painter.setFont(mono_font(10))
        painter.setPen(QPen(QColor(self.colours.line), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(whole)
        metrics = QFontMetrics(painter.font())
        wide, high = metrics.horizontalAdvance("00") + 4.0, float(metrics.height())
        scale = self.pixels_per_unit()
        for step in range(0, SIDE, COARSE):
            x, y = whole.left() + step * scale, whole.bottom() - step * scale
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
        corner, scale = self.to_viewport(QPointF(0.0, 0.0)), self.pixels_per_unit()
        for column in range(left, right + 2):
            x = corner.x() + column * scale
            painter.drawLine(QPointF(x, 0.0), QPointF(x, float(self.height())))
        for row in range(bottom, top + 2):
            y = corner.y() + (SIDE - row) * scale
            painter.drawLine(QPointF(0.0, y), QPointF(float(self.width()), y))
        if scale >= NAMES_FROM:
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

    # --- mouse and keys

    def click_at(self, at: QPointF) -> None:
        self._pick(self.block_at(at))

    def activate_at(self, at: QPointF) -> bool:
        block_id = self.block_at(at)
        if block_id not in self.index:
            return False
        self._pick(block_id)
        self.opened.emit(block_id)
        return True

    def hover_at(self, at: QPointF | None) -> None:
        self._hover_over(0 if at is None else self.block_at(at))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.chosen:
            self.opened.emit(self.chosen)
        else:
            super().keyPressEvent(event)

    def _hover_over(self, block_id: int) -> None:
        if block_id != self._hover:
            self._hover = block_id
            self.setToolTip(plain_lines(self.describe(block_id) if block_id else ""))
            self.hovered.emit(block_id)
            self.viewport().update()

    def _pick(self, block_id: int) -> None:
        """Choose a landblock if it exists."""
        if block_id in self.index:
            self.choose(block_id)
            self.picked.emit(block_id)

    def walk(self, dx: int, dy: int) -> bool:
        """Choose the next existing landblock in a direction."""
        column, row = block_x(self.chosen), block_y(self.chosen)
        if not self.chosen:
            self._pick(self.index.ids[0] if self.index.ids else 0)
            return True
        for _ in range(SIDE):
            column, row = column + dx, row - dy
            if not (0 <= column < SIDE and 0 <= row < SIDE):
                break
            if self.index.known and block_id_at(column, row) in self.index:
                self._pick(block_id_at(column, row))
                self._show(self.chosen)
                break
        return True


def map_colours(colours: Colours) -> MapColours:
    """Muted colours for land; rooms stand out by their number."""
    land = _mixed(colours.sheet, colours.neither, LAND_SHARE)
    return MapColours(_rgb(colours.sheet), land, _mixed(colours.sheet, colours.visible, 0.6), _rgb(colours.visible))


def _rgb(colour: str) -> Colour:
    value = QColor(colour)
    return value.red(), value.green(), value.blue()


def _mixed(ground: str, colour: str, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(_rgb(ground), _rgb(colour), strict=True))
    return red, green, blue
