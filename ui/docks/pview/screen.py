"""The small screen of PView: every cell's view polygons, to click, to zoom into and to save."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QGraphicsView, QWidget

from editor.models.pview.frame_rows import cell_selection
from editor.models.pview.screen import Role, ScreenPicture, ScreenShape
from editor.process.plain_text import counted, plain, plain_lines
from editor.session.session import Kind, Selection
from engine.world.names import Names
from ui.theme.theme import BETWEEN, EDGE, GROUP, Colours, mono_font, text_font
from ui.widgets.pan_zoom import PanZoomView

EMPTY: Final = "Open a world: the part of the screen that each cell fills is shown here."
LARGEST: Final = 400.0
"""Times the whole screen: a sliver of a pixel gets as wide as a finger."""

FRAMED: Final = 0.6
"""Share of the widget that a zoomed view fills."""

MARGIN: Final = 0.04
"""Of the screen's size is left free around it: portals may reach out of it."""

FILL: Final = 30
PIECE_FILL: Final = 60
"""Opacity, of 255. Views lie one in the other, so the farther a cell the denser it gets."""

ROOM: Final = 13.0
"""Pixels that a shape needs each way to carry its number."""


class MiniScreen(PanZoomView):
    """Shows a `ScreenPicture`, whose pixels are the units of the scene. A click selects the cell on top, a double click
    frames it in the 3D view."""

    chosen = Signal(object)
    hovered = Signal(object)
    framed = Signal(object)

    def __init__(self, colours: Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.colours = colours
        self.picture = ScreenPicture(0.0, 0.0)
        self.names = Names()
        """Of the cells, for tooltips."""
        self.selected = 0
        self.hover = 0
        self.current = 0
        """The player's cell."""
        self.setObjectName("pview-screen")
        self.setAccessibleName("The screen with every cell's view polygons")
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)  # the zoom stays in its corner
        self.setMinimumSize(140, 90)

    def sizeHint(self) -> QSize:
        return QSize(260, 170)

    # --- showing

    def show_picture(self, picture: ScreenPicture, current: int) -> None:
        """Another frame; one of another size is fitted."""
        if picture == self.picture and current == self.current:
            return
        resized = (picture.width, picture.height) != (self.picture.width, self.picture.height)
        self.picture, self.current = picture, current
        if resized:
            self.fit()
        self.viewport().update()

    def set_selection(self, selection: Selection | None) -> None:
        self.selected = _cell_of(selection)
        self.viewport().update()

    def set_hover(self, selection: Selection | None) -> None:
        found = _cell_of(selection)
        if found != self.hover:
            self.hover = found
            self.viewport().update()

    # --- where the view is

    def content(self) -> QRectF:
        """The whole screen, with a margin."""
        across, down = self.picture.width * MARGIN, self.picture.height * MARGIN
        return QRectF(0.0, 0.0, self.picture.width, self.picture.height).adjusted(-across, -down, across, down)

    def limits(self) -> tuple[float, float]:
        whole = self._fit_scale()
        return whole, whole * LARGEST

    def _fit_scale(self) -> float:
        """Pixels of the widget per pixel of the picture where all of it is in view."""
        box, view = self.content(), self.viewport().rect()
        return min(view.width() / max(box.width(), 1.0), view.height() / max(box.height(), 1.0))

    @property
    def zoom(self) -> float:
        """1 is the whole screen."""
        return 1.0 if self.is_fitted else self.pixels_per_unit() / self._fit_scale()

    def zoom_about(self, at: QPointF, factor: float) -> None:
        super().zoom_about(at, factor)
        if not self.is_fitted and self.pixels_per_unit() <= self._fit_scale() * (1.0 + 1e-9):
            self.fit()

    def zoom_to_selected(self) -> None:
        """Show the views of the selected cell, however small they are."""
        corners = [corner for shape in self.picture.of_cell(self.selected) for corner in shape.points]
        if not corners:
            return
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        across = self.picture.width / max(max(xs) - min(xs), 1e-3)
        down = self.picture.height / max(max(ys) - min(ys), 1e-3)
        zoom = min(max(min(across, down) * FRAMED, 1.0), LARGEST)
        middle = QPointF((min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0)
        self.wander()
        self.show_at(middle, self.middle(), zoom * self._fit_scale())

    def frame_selection(self) -> None:
        if self.picture.of_cell(self.selected):
            self.zoom_to_selected()
        else:
            self.fit()

    def to_widget(self, x: float, y: float) -> QPointF:
        return self.to_viewport(QPointF(x, y))

    # --- mouse

    def cell_at(self, at: QPointF) -> int:
        place = self.to_scene(at)
        return self.picture.cell_at(place.x(), place.y())

    def click_at(self, at: QPointF) -> None:
        cell_id = self.cell_at(at)
        if cell_id:
            self.chosen.emit(cell_selection(cell_id))

    def activate_at(self, at: QPointF) -> bool:
        cell_id = self.cell_at(at)
        if cell_id:
            self.framed.emit(cell_selection(cell_id))
        return bool(cell_id)

    def hover_at(self, at: QPointF | None) -> None:
        cell_id = 0 if at is None else self.cell_at(at)
        self.hovered.emit(cell_selection(cell_id) if cell_id else None)
        self.setToolTip(plain_lines(self._tip(cell_id)))

    def _tip(self, cell_id: int) -> str:
        views = self.picture.of_cell(cell_id) if cell_id else []
        if not views:
            return ""
        count = len(views)
        return f"{self.names.cell(cell_id)}, number {views[0].number}, {counted(count, 'view polygon')}"

    # --- paint

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        painter.resetTransform()
        view = self.viewport().rect()
        painter.fillRect(view, QColor(self.colours.sheet))
        if not self.picture.width:
            painter.setPen(QColor(self.colours.dim))
            box = view.adjusted(EDGE, EDGE, -EDGE, -EDGE)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), EMPTY)
            return
        _Sheet(painter, self).paint()
        if self.zoom > 1.0:
            painter.setFont(mono_font(11))
            painter.setPen(QColor(self.colours.dim))
            box = view.adjusted(BETWEEN, 0, -BETWEEN, -GROUP)
            corner = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)
            painter.drawText(box, corner, f"× {self.zoom:.3g}")

    def image(self) -> QImage:
        """The whole screen in the picture's own size."""
        width, height = round(self.picture.width), round(self.picture.height)
        image = QImage(max(width, 1), max(height, 1), QImage.Format.Format_RGB32)
        image.fill(QColor(self.colours.sheet))
        painter = QPainter(image)
        _Sheet(painter, self, whole=True).paint()
        painter.end()
        return image


class _Sheet:
    """One painting of a small screen: as it is on the widget, or whole."""

    def __init__(self, painter: QPainter, screen: MiniScreen, *, whole: bool = False) -> None:
        self.painter = painter
        self.screen = screen
        self.colours = screen.colours
        self.whole = whole

    def paint(self) -> None:
        picture, painter = self.screen.picture, self.painter
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = QRectF(self._at(0.0, 0.0), self._at(picture.width, picture.height))
        painter.setPen(QPen(QColor(self.colours.line), 1.0))
        painter.setBrush(QColor(self.colours.base))
        painter.drawRect(edge)
        cells = [shape for shape in picture.shapes if shape.role is Role.CELL]
        cells.sort(key=lambda shape: -shape.area)
        marked = (self.screen.hover, self.screen.selected)
        for shape in cells:
            if shape.cell_id not in marked:
                self._cell(shape)
        for shape in picture.shapes:
            if shape.role is Role.OUTSIDE:
                self._outside(shape)
        for cell_id in dict.fromkeys(marked):
            for shape in cells:
                if cell_id and shape.cell_id == cell_id:
                    self._cell(shape)
        for shape in picture.shapes:
            if shape.role in (Role.OPENING, Role.PIECE):
                self._portal(shape)
        self._numbers(cells)

    def _at(self, x: float, y: float) -> QPointF:
        return QPointF(x, y) if self.whole else self.screen.to_widget(x, y)

    def _polygon(self, shape: ScreenShape) -> QPolygonF:
        return QPolygonF([self._at(x, y) for x, y in shape.points])

    def _colour_of(self, cell_id: int) -> QColor:
        if cell_id == self.screen.selected:
            return QColor(self.colours.selected)
        return QColor(self.colours.current if cell_id == self.screen.current else self.colours.visible)

    def _cell(self, shape: ScreenShape) -> None:
        colour = self._colour_of(shape.cell_id)
        chosen = shape.cell_id == self.screen.selected
        fill = QColor(colour)
        fill.setAlpha(FILL * 2 if shape.cell_id == self.screen.hover else FILL)
        self.painter.setPen(QPen(colour, 2.5 if chosen else 2.0 if shape.cell_id == self.screen.hover else 1.0))
        self.painter.setBrush(fill)
        polygon = self._polygon(shape)
        self.painter.drawPolygon(polygon)
        if chosen:
            self.painter.setBrush(colour)
            for corner in polygon.toList():
                self.painter.drawRect(QRectF(corner - QPointF(1.5, 1.5), QSizeF(3.0, 3.0)))

    def _outside(self, shape: ScreenShape) -> None:
        colour = QColor(self.colours.exit_portal)
        hatch = QColor(colour)
        hatch.setAlpha(130)
        self.painter.setPen(QPen(colour, 1.5))
        self.painter.setBrush(QBrush(hatch, Qt.BrushStyle.BDiagPattern))
        self.painter.drawPolygon(self._polygon(shape))

    def _portal(self, shape: ScreenShape) -> None:
        colour = QColor(getattr(self.colours, shape.tone))
        pen = QPen(colour, 2.0 if shape.role is Role.PIECE else 1.5)
        if not shape.solid:
            pen.setStyle(Qt.PenStyle.DashLine)
        self.painter.setPen(pen)
        fill = QColor(colour)
        fill.setAlpha(PIECE_FILL)
        self.painter.setBrush(fill if shape.role is Role.PIECE else Qt.BrushStyle.NoBrush)
        self.painter.drawPolygon(self._polygon(shape))

    def _numbers(self, cells: list[ScreenShape]) -> None:
        """In the top left corner of every shape that has room, the small ones first: they lie on the large ones."""
        taken: list[QRectF] = []
        outside = [shape for shape in self.screen.picture.shapes if shape.role is Role.OUTSIDE]
        scale = 1.0 if self.whole else self.screen.pixels_per_unit()
        for shape in [*outside, *reversed(cells)]:
            width, height = shape.extent
            if width * scale < ROOM or height * scale < ROOM:
                continue
            box = self._chip(shape, "☀" if shape.role is Role.OUTSIDE else str(shape.number))
            if not any(box.intersects(other) for other in taken):
                taken.append(box)
                self._number(shape, box)

    def _chip(self, shape: ScreenShape, text: str) -> QRectF:
        """Where a word goes: inside of the corner that is farthest to the top left."""
        x, y = min(shape.points, key=lambda point: point[0] + point[1])
        corner, middle = self._at(x, y), self._at(*shape.middle)
        metrics = QFontMetricsF(self._font(shape))
        box = QRectF(0.0, 0.0, metrics.horizontalAdvance(text) + 6.0, metrics.height())
        way = middle - corner
        reach = max(math.hypot(way.x(), way.y()), 1.0)
        inwards = min((box.width() + box.height()) / 2.0 + GROUP, reach)
        box.moveCenter(corner + way * (inwards / reach))
        return box

    @staticmethod
    def _font(shape: ScreenShape) -> QFont:
        """The sun is in the text face alone."""
        return text_font(12) if shape.role is Role.OUTSIDE else mono_font(11)

    def _number(self, shape: ScreenShape, box: QRectF) -> None:
        painter, outdoors = self.painter, shape.role is Role.OUTSIDE
        ground = QColor(self.colours.sheet)
        ground.setAlpha(200)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(box, 3.0, 3.0)
        painter.setFont(self._font(shape))
        painter.setPen(QColor(self.colours.exit_portal) if outdoors else self._colour_of(shape.cell_id))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), plain("☀" if outdoors else str(shape.number)))


def _cell_of(selection: Selection | None) -> int:
    return selection.key if selection is not None and selection.kind is Kind.CELL else 0
