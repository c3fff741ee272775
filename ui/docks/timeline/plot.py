"""The Timeline's plot: lanes over one time axis. The wheel zooms, right or middle drag pans, left drag scrubs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QScrollBar, QWidget

from editor.models.timeline.columns import Envelope
from editor.models.timeline.events import EventLog, TimelineEvent
from editor.models.timeline.lanes import Lane, LaneKind
from editor.models.timeline.polyline import polyline
from editor.models.timeline.tick_log import TickLog
from ui.docks.timeline.lanes import LaneView, Span, full_height, place_lanes
from ui.docks.timeline.legend import WIDTH, Legend
from ui.docks.timeline.marks import event_at, found_at
from ui.docks.timeline.mouse import PlotMouse
from ui.docks.timeline.painted_items import Bands, Cursor
from ui.docks.timeline.plotting import AXIS_HEIGHT, Canvas, Curve
from ui.docks.timeline.time_axis import time_ticks
from ui.theme.theme import DARK, GROUP, Colours, text_font

NARROWEST: Final = 100
"""The least width of the curves in pixels."""
LOWEST: Final = 80
LEAST_SPAN: Final = 8.0
"""The fewest ticks in view."""
AT_FIRST: Final = 60
"""A shorter session is drawn as if it had this many ticks."""
MARGIN: Final = 0.02
"""Part of the view that stays free before the first tick and after the present."""
SMALL: Final = 11


class TimelinePlot(QWidget):
    """Draws a `TickLog` and an `EventLog`; call `refresh` after they have grown."""

    scrubbed = Signal(int)
    """A tick was pressed, or dragged to."""
    event_clicked = Signal(object)
    """The mark of an event was clicked."""
    menu_wanted = Signal(QPoint, object)
    """A right click: its position on the screen, and the lane there or None."""
    follow_changed = Signal(bool)

    def __init__(self, log: TickLog, events: EventLog, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.log = log
        self.events = events
        self.now = 0
        self.colours: Colours = DARK
        self.views: list[LaneView] = []
        self.crosshair: QPointF | None = None
        """The position of the mouse, in pixels of the box."""
        self.hovered_tick = -1
        """The tick whose mark is under the mouse."""
        self.is_fitted = True
        """The whole session is in view, and stays so while it grows."""
        self._follows = True
        self._lanes: list[Lane] = []
        self._curves: dict[str, Curve] = {}
        self._seconds: dict[str, Curve] = {}
        """The second run's curves, by their lane."""
        self.names = ("", "")
        """Of both runs; empty when there is no second one."""
        self.parting: int | None = None
        """The first tick in which the second run differs."""
        self._size = (0.0, 0.0)
        self._is_busy = False
        self._drawn_ends = (-1, -1)
        self._drawn: tuple[object, ...] = ()
        self.setObjectName("timeline-plot")
        self.setAccessibleName("The recorded ticks; press and drag to show one")
        self.setMinimumSize(WIDTH + NARROWEST, LOWEST)
        self.legend = Legend(self)
        self.canvas = Canvas(self, self._on_range)
        self.view = self.canvas.view
        self.view.setAcceptDrops(False)
        self.view.viewport().setAcceptDrops(False)
        self.view.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.bar = QScrollBar(Qt.Orientation.Vertical, self)
        self.bar.setObjectName("timeline-scroll")
        self.bar.setAccessibleName("Scroll the lanes")
        self.bar.valueChanged.connect(self._on_scrolled)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.legend)
        row.addWidget(self.view, 1)
        row.addWidget(self.bar)
        self._bands = Bands(self, self.canvas.box_item)
        self._cursor = Cursor(self, self.canvas.box_item)
        self.mouse = PlotMouse(self)
        self.set_colours(DARK)

    def sizeHint(self) -> QSize:
        return QSize(520, 150)

    # --- what is shown

    def set_colours(self, colours: Colours) -> None:
        self.colours = colours
        self.canvas.set_style(colours.base, colours.line, colours.dim, text_font(SMALL))
        for lane in self._lanes:
            if lane.id in self._curves:
                self._curves[lane.id].set_colour(getattr(colours, lane.tone))
        for curve in self._seconds.values():
            curve.set_colour(colours.second)
        self.redraw()

    def set_lanes(self, lanes: Iterable[Lane]) -> None:
        """Show these lanes, from top to bottom."""
        before = {lane.id for lane in self._lanes}
        self._lanes = list(lanes)
        wanted = {lane.id: lane for lane in self._lanes if lane.kind is LaneKind.CURVE}
        for old in [curve for curve in self._curves if curve not in wanted]:
            self.canvas.remove_curve(self._curves.pop(old))
        for lane in wanted.values():
            if lane.id not in self._curves:
                self._curves[lane.id] = self.canvas.add_curve()
            self._curves[lane.id].set_colour(getattr(self.colours, lane.tone))
        seconds = {lane.id for lane in wanted.values() if lane.second is not None}
        for old in self._seconds.keys() - seconds:
            self.canvas.remove_curve(self._seconds.pop(old))
        for new in sorted(seconds - self._seconds.keys()):
            self._seconds[new] = self.canvas.add_curve(dashed=True)
            self._seconds[new].set_colour(self.colours.second)
        self._place()
        added = [lane.id for lane in self._lanes if lane.removable and lane.id not in before]
        if added and before:
            self.show_lane(added[-1])

    def show_lane(self, lane_id: str) -> None:
        """Scroll until a lane is in view."""
        view = next((view for view in self.views if view.lane.id == lane_id), None)
        if view is not None and view.bottom > self.plot_height:
            self.bar.setValue(self.bar.value() + round(view.bottom - self.plot_height))
        elif view is not None and view.top < 0.0:
            self.bar.setValue(self.bar.value() + round(view.top))

    @Slot()
    def refresh(self) -> None:
        """Redraw after the columns have grown or another tick is shown; less than a pixel of new ticks can wait."""
        span, whole = self.span, self._whole
        pixel = (span.high - span.low) / max(span.width, 1.0)
        if self.is_fitted and max(abs(span.low - whole[0]), abs(span.high - whole[1])) >= pixel:
            self.canvas.set_x_range(*whole)
        grown = max(abs(a - b) for a, b in zip(self._ends, self._drawn_ends, strict=True))
        if grown >= pixel or self._drawn != self._state:
            self._draw()
        else:
            self._cursor.update()
            self.legend.update()

    @Slot()
    def show_names(self) -> None:
        """Cells have other names."""
        self._draw()

    def follow_present(self) -> None:
        """Keep the present in view, without changing the zoom, while time runs."""
        low, high = self.canvas.x_range
        end = self.log.end + MARGIN * (high - low)
        if self._follows and not self.is_fitted and not low <= self.log.end <= end <= high:
            self.set_range(end - (high - low), end)

    def show_tick(self, tick: int) -> None:
        """Bring a tick into view; centre it if it was not."""
        low, high = self.canvas.x_range
        if not self.is_fitted and not low <= tick <= high:
            half = (high - low) / 2.0
            self.set_range(tick - half, tick + half)

    @property
    def follows(self) -> bool:
        return self._follows

    def set_follows(self, follows: bool) -> None:
        """Whether the present stays in view while time runs."""
        if follows != self._follows:
            self._follows = follows
            self.follow_changed.emit(follows)
        if follows:
            self.follow_present()

    @property
    def _state(self) -> tuple[object, ...]:
        """Identifies the drawn data, except for appended values."""
        columns = [column for lane in self._lanes for column in (lane.column, lane.second) if column is not None]
        revisions = tuple(column.revision for column in columns)
        return (self.log.first, self.events.changes, self.parting, *revisions)

    @property
    def _ends(self) -> tuple[int, int]:
        """Where the values of the first run end, and those of the second."""
        return self.log.end, max((len(lane.second) for lane in self._lanes if lane.second is not None), default=0)

    # --- ticks and pixels

    @property
    def _whole(self) -> tuple[float, float]:
        """All ticks, with a margin at both ends so that no mark is clipped."""
        first, last = float(self.log.first), float(max(self.log.end, self.log.first + AT_FIRST))
        margin = MARGIN * (last - first)
        return first - margin, last + margin

    @property
    def span(self) -> Span:
        """The ticks in view."""
        return Span(*self.canvas.x_range, self.canvas.box.width())

    @property
    def plot_height(self) -> float:
        """The height of the visible lanes in pixels."""
        return self.canvas.box.height()

    @property
    def shown_tick(self) -> int:
        """The tick that ran last: the window shows the state after it."""
        return max(self.now - 1, self.log.first)

    @property
    def cursor_tick(self) -> int:
        """The tick under the mouse."""
        at = 0.0 if self.crosshair is None else self.crosshair.x()
        return int(min(max(self.span.tick_at(at), self.log.first), max(self.log.end - 1, self.log.first)))

    def tick_near(self, x: float) -> int:
        """The tick whose beginning is nearest to an x of the box, from the first to the present."""
        return int(min(max(round(self.span.tick_at(x)), self.log.first), self.log.end))

    def x_of(self, tick: float) -> float:
        """The x of the beginning of a tick, in pixels of the view's viewport."""
        return self.canvas.box.left() + self.span.x_of(tick)

    def view_at(self, y: float) -> LaneView | None:
        """The lane at a height of the box."""
        return next((view for view in self.views if view.top <= y <= view.bottom), None)

    def event_at(self, place: QPointF) -> TimelineEvent | None:
        """The event whose mark is at a place in the box."""
        view = self.view_at(place.y())
        if view is None or view.lane.kind is not LaneKind.EVENTS:
            return None
        return event_at(self.events, self.span, place.x())

    def found_at(self, place: QPointF) -> int | None:
        """The tick of the condition whose mark is at a place in the box."""
        view = self.view_at(place.y())
        finds = None if view is None else view.lane.finds
        return None if finds is None else found_at(finds, self.span, place.x())

    def dots(self, tick: int) -> list[float]:
        """The y of each curve at a tick."""
        number = tick - self.log.first
        found = []
        for view in self.views:
            column = view.lane.column
            if column is not None and 0 <= number < len(column):
                y = float(view.y_of(column.values[number : number + 1])[0])
                if view.top <= y <= view.bottom:
                    found.append(y)
        return found

    # --- zoom and pan

    def set_range(self, low: float, high: float) -> None:
        """Show these ticks, clamped to the session."""
        first, last = self._whole
        width = min(max(high - low, LEAST_SPAN), last - first)
        low = min(max(low, first), last - width)
        self.is_fitted = width >= last - first
        self.canvas.set_x_range(low, low + width)

    def zoom(self, factor: float, x: float) -> None:
        """Show `factor` times as many ticks; the one at an x of the box stays there."""
        low, high = self.canvas.x_range
        at = self.span.tick_at(x)
        self.set_range(at - (at - low) * factor, at + (high - at) * factor)

    def pan(self, pixels: float) -> None:
        """Pan by hand; following stops once the present is out of view."""
        low, high = self.canvas.x_range
        by = pixels / max(self.canvas.box.width(), 1.0) * (high - low)
        self.set_range(low - by, high - by)
        if self.canvas.x_range[1] < self.log.end and self._follows:
            self.set_follows(False)

    @Slot()
    def fit(self) -> None:
        """Show the whole session."""
        self.is_fitted = True
        self.canvas.set_x_range(*self._whole)

    def scroll_lanes(self, delta: int) -> None:
        """Scroll the lanes; `delta` is in eighths of a degree of the wheel."""
        self.bar.setValue(self.bar.value() - round(delta / 120.0 * 40.0))

    # --- drawing

    @Slot()
    def _on_scrolled(self) -> None:
        self._place()

    def _on_range(self) -> None:
        """Called by pyqtgraph when the ticks in view or the size of the box change."""
        if self._is_busy:
            return
        size = (self.canvas.box.width(), self.canvas.box.height())
        if size != self._size:
            self._size = size
            self._is_busy = True
            self.canvas.fit_height()
            self._is_busy = False
            for item in (self._bands, self._cursor):
                item.resize(*size)
            self._place()
        else:
            self._draw()

    def _place(self) -> None:
        """Lay out the lanes."""
        height = self.plot_height
        over = max(round(full_height(self._lanes) - height), 0)
        self.bar.blockSignals(True)
        self.bar.setRange(0, over)
        self.bar.setPageStep(max(round(height), 1))
        self.bar.setSingleStep(20)
        self.bar.setVisible(over > 0)
        self.bar.blockSignals(False)
        self.views = place_lanes(self._lanes, height, self.bar.value())
        self._draw()

    def _draw(self) -> None:
        """Update the points of every visible curve."""
        self._drawn_ends, self._drawn = self._ends, self._state
        span, height = self.span, self.plot_height
        first = self.log.first
        low, high = int(np.floor(span.low)) - first - 1, int(np.ceil(span.high)) - first + 2
        for view in self.views:
            column = view.lane.column
            curve = self._curves.get(view.lane.id)
            if column is None or curve is None:
                continue
            seen = view.bottom > 0.0 and view.top < height
            second, other = view.lane.second, self._seconds.get(view.lane.id)
            curve.set_visible(seen)
            if seen:
                view.low, view.high = view.lane.range_of(max(low, 0), high)
                self._fill(curve, column, view, low, high)
            if second is not None and other is not None:
                other.set_visible(seen)
                if seen:
                    self._fill(other, second, view, low, high)
        self.canvas.set_ticks(time_ticks(span.low, span.high, span.width))
        self.redraw()

    def _fill(self, curve: Curve, column: Envelope, view: LaneView, low: int, high: int) -> None:
        """Give a curve the points of a column."""
        x, y, joined = polyline(column, low, high, max(int(self.span.width), 1))
        joined &= (y >= view.low - 1e-6) & (y <= view.high + 1e-6)
        curve.set_points(x + (self.log.first + 0.5), view.y_of(y), joined)

    def redraw(self) -> None:
        self._bands.update()
        self._cursor.update()
        self.legend.update()

    def point_at(self, place: QPointF | None) -> None:
        """Set the position of the mouse; None if it has left."""
        self.crosshair = place
        event = None if place is None else self.event_at(place)
        hovered = -1 if event is None else event.tick
        if hovered != self.hovered_tick:
            self.hovered_tick = hovered
            self._bands.update()
        self._cursor.update()
        self.legend.update()

    def paint_on(self, painter: QPainter) -> None:
        """Paint the whole plot as vector shapes."""
        self.legend.paint_on(painter)
        source = self.view.viewport().rect()
        self.view.render(painter, QRectF(self.view.geometry()), source)


def least_height(lanes: Iterable[Lane]) -> int:
    """Pixels that a plot needs to show all these lanes at once."""
    return full_height(list(lanes)) + AXIS_HEIGHT + GROUP
