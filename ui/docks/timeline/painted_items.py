"""The two items painted by hand over pyqtgraph's view box: bands and marks below the curves, the cursor above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from editor.models.timeline.lanes import LaneKind
from editor.process.plain_text import plain
from ui.docks.timeline.lanes import CENTRE, BandPainter, paint_grounds, paint_off_scale
from ui.docks.timeline.marks import paint_found, paint_marks
from ui.docks.timeline.second_run import paint_filled, paint_parting, paint_second_cells
from ui.docks.timeline.time_axis import label
from ui.theme.theme import GROUP, mono_font, text_font

if TYPE_CHECKING:
    from ui.docks.timeline.plot import TimelinePlot

SMALL: Final = 11
BELOW: Final = -10.0
ABOVE: Final = 10.0
POINTER: Final = 5.0


class _Painted(QGraphicsItem):
    """An item as large as the view box that the mouse does not hit."""

    def __init__(self, plot: TimelinePlot, parent: QGraphicsItem, z: float) -> None:
        super().__init__(parent)
        self.plot = plot
        self.setZValue(z)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self._size = QRectF()

    def resize(self, width: float, height: float) -> None:
        self.prepareGeometryChange()
        self._size = QRectF(0.0, 0.0, width, height)

    def boundingRect(self) -> QRectF:
        return self._size


class Bands(_Painted):
    """Everything in the lanes except the curves."""

    def __init__(self, plot: TimelinePlot, parent: QGraphicsItem) -> None:
        super().__init__(plot, parent, BELOW)
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        plot = self.plot
        if not len(plot.log):
            return
        painter.setFont(mono_font(SMALL))
        span, colours = plot.span, plot.colours
        views = [view for view in plot.views if view.bottom > 0.0 and view.top < self._size.height()]
        paint_grounds(painter, views, span, colours)
        bands = BandPainter(painter, span, colours, plot.log.first, plot.events.document.names)
        for view in views:
            if view.lane.kind is LaneKind.EVENTS:
                painter.setFont(text_font(SMALL))
                paint_marks(painter, view, plot.events, span, colours, plot.hovered_tick)
                painter.setFont(mono_font(SMALL))
            elif view.lane.finds is not None:
                paint_found(painter, view, view.lane.finds, span, colours)
            elif view.lane.kind is LaneKind.CURVE:
                if view.lane.filled:
                    paint_filled(painter, view, span, colours, plot.log.first)
                paint_off_scale(painter, view, span, colours, plot.log.first)
            else:
                bands.paint(view, plot.log)
                paint_second_cells(painter, view, plot.log, span, colours)
        if plot.parting is not None:
            paint_parting(painter, views, span, colours, plot.parting)


class Cursor(_Painted):
    """The line of the shown tick, and the crosshair under the mouse."""

    def __init__(self, plot: TimelinePlot, parent: QGraphicsItem) -> None:
        super().__init__(plot, parent, ABOVE)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        plot, height = self.plot, self._size.height()
        if not len(plot.log):
            return
        x = plot.span.x_of(plot.now)
        colour = QColor(plot.colours.current)
        painter.setPen(QPen(colour, 2.0))
        painter.drawLine(QPointF(x, 0.0), QPointF(x, height))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPolygon(
            QPolygonF([QPointF(x - POINTER, 0.0), QPointF(x + POINTER, 0.0), QPointF(x, POINTER + 1.0)])
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if plot.crosshair is not None:
            self._paint_crosshair(painter, plot.crosshair)

    def _paint_crosshair(self, painter: QPainter, at: QPointF) -> None:
        """Paint a vertical line with the tick and its time, a level line in the lane, and a dot on every curve."""
        plot, width, height = self.plot, self._size.width(), self._size.height()
        tick = plot.cursor_tick
        x = plot.span.x_of(tick + 0.5)
        pen = QPen(QColor(plot.colours.text), 1.0, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawLine(QPointF(x, 0.0), QPointF(x, height))
        view = plot.view_at(at.y())
        if view is not None and view.lane.kind is LaneKind.CURVE:
            painter.drawLine(QPointF(0.0, at.y()), QPointF(width, at.y()))
        painter.setPen(QPen(QColor(plot.colours.base), 1.0))
        painter.setBrush(QColor(plot.colours.selected))
        for dot in plot.dots(tick):
            painter.drawEllipse(QPointF(x, dot), 3.0, 3.0)
        self._write_tick(painter, x, f"tick {label(tick)}")

    def _write_tick(self, painter: QPainter, x: float, text: str) -> None:
        """Write the tick at the lower edge, beside the line and inside the plot."""
        painter.setFont(text_font(SMALL))
        metrics = QFontMetrics(painter.font())
        box = QRectF(0.0, 0.0, metrics.horizontalAdvance(text) + 2.0 * GROUP, metrics.height() + 2.0)
        left = x + GROUP if x + GROUP + box.width() < self._size.width() else x - GROUP - box.width()
        box.moveTo(left, self._size.height() - box.height() - 1.0)
        painter.fillRect(box, QColor(self.plot.colours.raised))
        painter.setPen(QColor(self.plot.colours.text))
        painter.drawText(box, CENTRE, plain(text))
