"""The names of the lanes beside the plot, with the value of each at the mouse, or at the tick that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from editor.models.timeline.lanes import LaneKind, lane_text
from editor.process.plain_text import plain
from ui.docks.timeline.lanes import LaneView
from ui.theme.theme import BETWEEN, GROUP, mono_font, text_font

if TYPE_CHECKING:
    from ui.docks.timeline.plot import TimelinePlot

WIDTH: Final = 176
"""Pixels, enough for a cell id or the contact state beside the lane's name."""
SMALL: Final = 11
TINY: Final = 10
LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class Legend(QWidget):
    """Scrolls the lanes with the wheel."""

    def __init__(self, plot: TimelinePlot) -> None:
        super().__init__(plot)
        self.plot = plot
        self.setFixedWidth(WIDTH)
        self.setObjectName("timeline-legend")
        self.setAccessibleName("The lanes and their values")

    def values(self) -> dict[str, str]:
        """The text beside each lane, by its id."""
        plot = self.plot
        tick = plot.cursor_tick if plot.crosshair is not None else plot.shown_tick
        return {view.lane.id: lane_text(view.lane, plot.log, plot.events, tick) for view in plot.views}

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.plot.scroll_lanes(event.angleDelta().y())
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_on(painter)
        painter.end()

    def paint_on(self, painter: QPainter) -> None:
        plot = self.plot
        height = plot.plot_height
        painter.fillRect(self.rect(), QColor(plot.colours.base))
        if not len(plot.log):
            return
        painter.save()
        painter.setClipRect(QRectF(0.0, 0.0, self.width(), height))
        values = self.values()
        for view in plot.views:
            if view.bottom > 0.0 and view.top < height:
                self._paint_lane(painter, view, values[view.lane.id])
        painter.restore()
        painter.setPen(QColor(plot.colours.dim))
        painter.setFont(text_font(SMALL))
        axis = QRectF(BETWEEN, height, self.width() - 2.0 * BETWEEN, self.height() - height)
        painter.drawText(axis, RIGHT, "tick · time")

    def _paint_lane(self, painter: QPainter, view: LaneView, value: str) -> None:
        box = QRectF(BETWEEN, view.top, self.width() - 2.0 * BETWEEN, view.height)
        if view.lane.kind is LaneKind.CURVE:
            self._paint_curve(painter, view, box, value)
            return
        title = view.lane.title.partition(",")[0]
        self._write(painter, box, LEFT, title, self.plot.colours.dim)
        room = box.adjusted(QFontMetrics(painter.font()).horizontalAdvance(title) + BETWEEN, 0.0, 0.0, 0.0)
        lost = "■" in value or "blocked" in value
        self._write(painter, room, RIGHT, value, self.plot.colours.fault if lost else self.plot.colours.text)

    def _paint_curve(self, painter: QPainter, view: LaneView, box: QRectF, value: str) -> None:
        """Paint the title over the value at the left, the ends of the axis at the right."""
        colours = self.plot.colours
        half = min(box.height() / 2.0, 18.0)
        ends = [f"{end:.{min(view.lane.decimals, 2)}f}" for end in (view.high, view.low)]
        painter.setFont(mono_font(TINY))
        wide = max(QFontMetrics(painter.font()).horizontalAdvance(end) for end in ends) + GROUP
        painter.setPen(QColor(colours.dim))
        at_top = QRectF(box.left(), box.top(), box.width(), half)
        at_bottom = QRectF(box.left(), box.bottom() - half, box.width(), half)
        painter.drawText(at_top, RIGHT, plain(ends[0]))
        painter.drawText(at_bottom, RIGHT, plain(ends[1]))
        middle = box.top() + box.height() / 2.0
        room = QRectF(box.left(), middle - half, box.width() - wide, half)
        painter.fillRect(
            QRectF(0.0, box.top() + 2.0, 3.0, box.height() - 4.0), QColor(getattr(colours, view.lane.tone))
        )
        self._write(painter, room, LEFT, view.lane.title, colours.dim)
        self._write(painter, room.translated(0.0, half), LEFT, value, colours.text)

    def _write(self, painter: QPainter, box: QRectF, flags: int, text: str, colour: str) -> None:
        painter.setFont(text_font(SMALL))
        painter.setPen(QColor(colour))
        shown = QFontMetrics(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, int(box.width()))
        painter.drawText(box, flags, plain(shown))
