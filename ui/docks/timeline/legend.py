"""The names of the lanes beside the plot, with the value of each at the mouse, or at the tick that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from editor.models.timeline.lanes import Lane, LaneKind, lane_text, second_text
from editor.process.plain_text import plain
from ui.docks.timeline.lanes import LaneView
from ui.theme.theme import BETWEEN, GROUP, mono_font, text_font

if TYPE_CHECKING:
    from ui.docks.timeline.plot import TimelinePlot

WIDTH: Final = 176
"""Pixels, enough for a cell id or the contact state beside the lane's name."""
SMALL: Final = 11
TINY: Final = 10
SIGN: Final = "◇"
"""Of the second run."""
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
        plot, tick = self.plot, self._tick
        return {view.lane.id: lane_text(view.lane, plot.log, plot.events, tick) for view in plot.views}

    def second_values(self) -> dict[str, str]:
        """The second run's text, of the lanes that show it."""
        texts = {view.lane.id: self._second_text(view.lane) for view in self.plot.views}
        return {lane: text for lane, text in texts.items() if text}

    @property
    def _tick(self) -> int:
        plot = self.plot
        return plot.cursor_tick if plot.crosshair is not None else plot.shown_tick

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
        axis = QRectF(BETWEEN, height, self.width() - 2.0 * BETWEEN, self.height() - height)
        self._write(painter, axis, RIGHT, "tick · time", plot.colours.dim)
        if plot.names[1]:
            room = QFontMetrics(painter.font()).horizontalAdvance("tick · time") + BETWEEN
            self._write(painter, axis.adjusted(0.0, 0.0, -room, 0.0), LEFT, f"{SIGN} {plot.names[1]}", self._second)

    def _paint_lane(self, painter: QPainter, view: LaneView, value: str) -> None:
        box = QRectF(BETWEEN, view.top, self.width() - 2.0 * BETWEEN, view.height)
        other = self._second_text(view.lane)
        if view.lane.kind is LaneKind.CURVE:
            self._paint_curve(painter, view, box, value, other)
            return
        if other:
            half = box.height() / 2.0
            self._write(painter, box.adjusted(0.0, half, 0.0, 0.0), RIGHT, f"{SIGN} {other}", self._second)
            box.setHeight(half)
        title = view.lane.title.partition(",")[0]
        self._write(painter, box, LEFT, title, self.plot.colours.dim)
        room = box.adjusted(QFontMetrics(painter.font()).horizontalAdvance(title) + BETWEEN, 0.0, 0.0, 0.0)
        lost = "■" in value or "blocked" in value
        self._write(painter, room, RIGHT, value, self.plot.colours.fault if lost else self.plot.colours.text)

    @property
    def _second(self) -> str:
        return self.plot.colours.second

    def _second_text(self, lane: Lane) -> str:
        plot = self.plot
        return second_text(lane, plot.log, plot.events.document.names, self._tick)

    def _paint_curve(self, painter: QPainter, view: LaneView, box: QRectF, value: str, other: str) -> None:
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
        room.translate(0.0, half)
        self._write(painter, room, LEFT, value, colours.text)
        if other:
            room.setLeft(room.left() + QFontMetrics(painter.font()).horizontalAdvance(value) + GROUP)
            self._write(painter, room, LEFT, f"{SIGN} {other}", self._second)

    def _write(self, painter: QPainter, box: QRectF, flags: int, text: str, colour: str) -> None:
        painter.setFont(text_font(SMALL))
        painter.setPen(QColor(colour))
        shown = QFontMetrics(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, int(box.width()))
        painter.drawText(box, flags, plain(shown))
