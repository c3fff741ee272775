"""The small screen of PView: every cell's view polygons, to click, to zoom into and to save."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from editor.models.pview.frame_rows import cell_selection
from editor.models.pview.screen import Role, ScreenPicture, Shape
from editor.process.plain_text import plain, plain_lines
from editor.session.session import Kind, Selection
from engine.world.cells.ids import cell_text
from ui.theme.theme import BETWEEN, EDGE, GROUP, Colours, mono_font, text_font

EMPTY: Final = "Open a world: the screen is taken apart here, cell by cell."
ZOOM_STEP: Final = 1.25
LARGEST: Final = 400.0
"""Times the whole screen: a sliver of a pixel gets as wide as a finger."""

FRAMED: Final = 0.6
"""How much of the widget the views take that are zoomed to."""

MARGIN: Final = 0.04
"""Of the screen's size is left free around it: portals may reach out of it."""

FILL: Final = 30
PIECE_FILL: Final = 60
"""Opacity, of 255. Views lie one in the other, so the farther a cell the denser it gets."""

ROOM: Final = 13.0
"""Pixels that a shape needs each way to carry its number."""

PAN_STEP: Final = 40.0


class MiniScreen(QWidget):
    """Shows a `ScreenPicture`. A click selects the cell on top, a double click frames it, the wheel zooms, dragging
    pans; + and - zoom and 0 fits by key."""

    chosen = Signal(object)
    hovered = Signal(object)
    framed = Signal(object)

    def __init__(self, colours: Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.colours = colours
        self.picture = ScreenPicture(0.0, 0.0)
        self.selected = 0
        self.hover = 0
        self.current = 0
        """The player's cell."""
        self._zoom = 1.0
        self._middle = QPointF()
        """The pixel of the picture in the middle of the widget."""
        self._grip: QPointF | None = None
        self._dragged = False
        self.setObjectName("pview-screen")
        self.setAccessibleName("The screen with every cell's view polygons")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(140, 90)

    def sizeHint(self) -> QSize:  # noqa: N802  # Qt's name
        return QSize(260, 170)

    # --- what is shown

    def show_picture(self, picture: ScreenPicture, current: int) -> None:
        """Another frame; one of another size is fitted."""
        if picture == self.picture and current == self.current:
            return
        resized = (picture.width, picture.height) != (self.picture.width, self.picture.height)
        self.picture, self.current = picture, current
        if resized:
            self.fit()
        self.update()

    def set_selection(self, selection: Selection | None) -> None:
        self.selected = _cell_of(selection)
        self.update()

    def set_hover(self, selection: Selection | None) -> None:
        found = _cell_of(selection)
        if found != self.hover:
            self.hover = found
            self.update()

    def fit(self) -> None:
        """The whole screen."""
        self._zoom = 1.0
        self._middle = QPointF(self.picture.width / 2.0, self.picture.height / 2.0)
        self.update()

    def zoom_to_selected(self) -> None:
        """The views of the selected cell, however small they are."""
        corners = [corner for shape in self.picture.of_cell(self.selected) for corner in shape.points]
        if not corners:
            return
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        self._middle = QPointF((min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0)
        across = self.picture.width / max(max(xs) - min(xs), 1e-3)
        down = self.picture.height / max(max(ys) - min(ys), 1e-3)
        self._zoom = min(max(min(across, down) * FRAMED, 1.0), LARGEST)
        self.update()

    @property
    def zoom(self) -> float:
        """1 is the whole screen."""
        return self._zoom

    # --- places

    @property
    def scale(self) -> float:
        """Pixels of the widget to one of the picture."""
        width, height = max(self.picture.width, 1.0), max(self.picture.height, 1.0)
        room = 1.0 + 2.0 * MARGIN
        return self._zoom * min(self.width() / (width * room), self.height() / (height * room))

    def to_picture(self, at: QPointF) -> QPointF:
        offset = at - QPointF(self.width() / 2.0, self.height() / 2.0)
        return self._middle + offset / self.scale

    def to_widget(self, x: float, y: float) -> QPointF:
        offset = QPointF(x, y) - self._middle
        return QPointF(self.width() / 2.0, self.height() / 2.0) + offset * self.scale

    def zoom_at(self, at: QPointF, factor: float) -> None:
        """What lies under a point stays there."""
        held = self.to_picture(at)
        self._zoom = min(max(self._zoom * factor, 1.0), LARGEST)
        if self._zoom == 1.0:
            self.fit()
        else:
            self._middle += held - self.to_picture(at)
            self._keep_in_sight()
        self.update()

    def _keep_in_sight(self) -> None:
        x = min(max(self._middle.x(), 0.0), self.picture.width)
        y = min(max(self._middle.y(), 0.0), self.picture.height)
        self._middle = QPointF(x, y)

    def _pan(self, by: QPointF) -> None:
        if self._zoom > 1.0:
            self._middle -= by / self.scale
            self._keep_in_sight()
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  # Qt's name
        super().resizeEvent(event)
        self.update()

    # --- hands

    def cell_at(self, at: QPointF) -> int:
        place = self.to_picture(at)
        return self.picture.cell_at(place.x(), place.y())

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._grip, self._dragged = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        if self._grip is None:
            cell_id = self.cell_at(event.position())
            self.hovered.emit(cell_selection(cell_id) if cell_id else None)
            self.setToolTip(plain_lines(self._tip(cell_id)))
            return
        moved = event.position() - self._grip
        if self._dragged or moved.manhattanLength() >= QApplication.startDragDistance():
            self._dragged = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._grip = event.position()
            self._pan(moved)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        clicked = self._grip is not None and not self._dragged and event.button() == Qt.MouseButton.LeftButton
        self._grip = None
        self.unsetCursor()
        cell_id = self.cell_at(event.position()) if clicked else 0
        if cell_id:
            self.chosen.emit(cell_selection(cell_id))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        cell_id = self.cell_at(event.position())
        if cell_id and event.button() == Qt.MouseButton.LeftButton:
            self.framed.emit(cell_selection(cell_id))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802  # Qt's name
        self.hovered.emit(None)
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802  # Qt's name
        steps = event.angleDelta().y() / 120.0
        if steps and self.picture.width:
            self.zoom_at(event.position(), ZOOM_STEP**steps)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  # Qt's name
        middle = QPointF(self.width() / 2.0, self.height() / 2.0)
        key = event.key()
        pans = {
            Qt.Key.Key_Left: QPointF(PAN_STEP, 0.0),
            Qt.Key.Key_Right: QPointF(-PAN_STEP, 0.0),
            Qt.Key.Key_Up: QPointF(0.0, PAN_STEP),
            Qt.Key.Key_Down: QPointF(0.0, -PAN_STEP),
        }
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_at(middle, ZOOM_STEP)
        elif key == Qt.Key.Key_Minus:
            self.zoom_at(middle, 1.0 / ZOOM_STEP)
        elif key == Qt.Key.Key_0:
            self.fit()
        elif key in pans:
            self._pan(pans[Qt.Key(key)])
        else:
            super().keyPressEvent(event)

    def _tip(self, cell_id: int) -> str:
        views = self.picture.of_cell(cell_id) if cell_id else []
        if not views:
            return ""
        count = len(views)
        return f"{cell_text(cell_id)}, number {views[0].number}, {count} view polygon{'' if count == 1 else 's'}"

    # --- paint

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  # Qt's name
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self.colours.sheet))
        if not self.picture.width:
            painter.setPen(QColor(self.colours.dim))
            box = self.rect().adjusted(EDGE, EDGE, -EDGE, -EDGE)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), EMPTY)
            return
        _Sheet(painter, self).paint()
        if self._zoom > 1.0:
            painter.setFont(mono_font(11))
            painter.setPen(QColor(self.colours.dim))
            box = self.rect().adjusted(BETWEEN, 0, -BETWEEN, -GROUP)
            painter.drawText(
                box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom), f"× {self._zoom:.3g}"
            )

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

    def _polygon(self, shape: Shape) -> QPolygonF:
        return QPolygonF([self._at(x, y) for x, y in shape.points])

    def _colour_of(self, cell_id: int) -> QColor:
        if cell_id == self.screen.selected:
            return QColor(self.colours.selected)
        return QColor(self.colours.current if cell_id == self.screen.current else self.colours.visible)

    def _cell(self, shape: Shape) -> None:
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

    def _outside(self, shape: Shape) -> None:
        colour = QColor(self.colours.exit_portal)
        hatch = QColor(colour)
        hatch.setAlpha(130)
        self.painter.setPen(QPen(colour, 1.5))
        self.painter.setBrush(QBrush(hatch, Qt.BrushStyle.BDiagPattern))
        self.painter.drawPolygon(self._polygon(shape))

    def _portal(self, shape: Shape) -> None:
        colour = QColor(getattr(self.colours, shape.tone))
        pen = QPen(colour, 2.0 if shape.role is Role.PIECE else 1.5)
        if not shape.solid:
            pen.setStyle(Qt.PenStyle.DashLine)
        self.painter.setPen(pen)
        fill = QColor(colour)
        fill.setAlpha(PIECE_FILL)
        self.painter.setBrush(fill if shape.role is Role.PIECE else Qt.BrushStyle.NoBrush)
        self.painter.drawPolygon(self._polygon(shape))

    def _numbers(self, cells: list[Shape]) -> None:
        """In the top left corner of every shape that has room, the small ones first: they lie on the large ones."""
        taken: list[QRectF] = []
        outside = [shape for shape in self.screen.picture.shapes if shape.role is Role.OUTSIDE]
        scale = 1.0 if self.whole else self.screen.scale
        for shape in [*outside, *reversed(cells)]:
            width, height = shape.extent
            if width * scale < ROOM or height * scale < ROOM:
                continue
            box = self._chip(shape, "☀" if shape.role is Role.OUTSIDE else str(shape.number))
            if not any(box.intersects(other) for other in taken):
                taken.append(box)
                self._number(shape, box)

    def _chip(self, shape: Shape, text: str) -> QRectF:
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
    def _font(shape: Shape) -> QFont:
        """The sun is in the text face alone."""
        return text_font(12) if shape.role is Role.OUTSIDE else mono_font(11)

    def _number(self, shape: Shape, box: QRectF) -> None:
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
