"""Paints what the Timeline shows of a second run besides its curves: how far apart both are, and where they part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from editor.models.timeline.columns import Whole, unlike
from editor.models.timeline.lanes import Lane, lane_text, second_text
from editor.models.timeline.polyline import polyline
from editor.models.timeline.second_lanes import APART
from editor.models.timeline.tick_log import TickLog
from ui.docks.timeline.lanes import CENTRE, SECOND_BAND, LaneView, Span, cell_colour
from ui.theme.theme import Colours

if TYPE_CHECKING:
    from ui.docks.timeline.plot import TimelinePlot

ALPHA: Final = 80
"""Of the filled band, of 255: the curve over it stays the strongest."""
UNDERLINE: Final = 3
"""Pixels of the line under other cells."""
SIGN: Final = "≠"
SIGN_WIDTH: Final = 13.0


def paint_filled(painter: QPainter, view: LaneView, span: Span, colours: Colours, first: int) -> None:
    """Fill a lane from its lower edge up to its curve: as an image, for there may be thousands of points."""
    column, width = view.lane.column, int(span.width) + 1
    if column is None:
        return
    low, high = int(np.floor(span.low)) - first - 1, int(np.ceil(span.high)) - first + 2
    x, y, _ = polyline(column, low, high, width)
    if not len(x):
        return
    x, at = np.unique(x, return_index=True)
    tops = view.y_of(np.maximum.reduceat(y, at)) - view.top
    ticks = span.low + (np.arange(width) + 0.5) / span.width * (span.high - span.low)
    number = ticks - (first + 0.5)
    top = np.interp(number, x, tops, left=view.height, right=view.height)
    rows = np.arange(int(view.height))[:, None]
    colour = QColor(colours.second)
    colour.setAlpha(ALPHA)
    pixels = np.where(rows >= top[None, :], colour.rgba(), 0).astype(np.uint32)
    painter.drawImage(QPointF(0.0, view.top), _image(pixels))


def paint_second_cells(painter: QPainter, view: LaneView, log: TickLog, span: Span, colours: Colours) -> None:
    """The second run's cells as a thin row below the first one's, underlined where they are others."""
    second, width = view.lane.second_cells, int(span.width) + 1
    if second is None or not len(second):
        return
    ticks = span.low + (np.arange(width) + 0.5) / span.width * (span.high - span.low)
    numbers = np.floor(ticks).astype(np.int64) - log.first
    known = (numbers >= 0) & (numbers < len(second))
    values, at = np.unique(second.values_at(numbers[known]), return_inverse=True)
    tones = np.array([cell_colour(cell, colours).rgba() for cell in values.tolist()], np.uint32)
    pixels = np.zeros((SECOND_BAND - 1, width), np.uint32)
    pixels[:, known] = tones[at]
    pixels[-UNDERLINE:, _columns_of(unlike(log.cells, second, 0, len(second)), log.first, span, width)] = QColor(
        colours.second
    ).rgba()
    painter.drawImage(QPointF(0.0, view.bottom - SECOND_BAND + 1.0), _image(pixels))


def _columns_of(stretches: Whole, first: int, span: Span, width: int) -> NDArray[np.bool_]:
    """The columns of pixels that stretches of numbers reach into, each at least one."""
    x = (stretches + (first - span.low)) / (span.high - span.low) * span.width
    left = np.clip(np.floor(x[:, 0]), 0, width).astype(np.int64)
    right = np.clip(np.maximum(np.ceil(x[:, 1]), np.floor(x[:, 0]) + 1), 0, width).astype(np.int64)
    steps = np.zeros(width + 1, np.int64)
    np.add.at(steps, left, 1)
    np.add.at(steps, right, -1)
    return np.cumsum(steps)[:-1] > 0


def _image(pixels: np.ndarray) -> QImage:
    height, width = pixels.shape
    return QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_ARGB32).copy()


def paint_parting(painter: QPainter, views: Sequence[LaneView], span: Span, colours: Colours, tick: int) -> None:
    """A line through all lanes at the first tick that differs, with its sign in the lane of the distance."""
    x = span.x_of(tick + 0.5)
    if not views or not 0.0 <= x <= span.width:
        return
    colour = QColor(colours.second)
    painter.setPen(QPen(colour, 1.0, Qt.PenStyle.DotLine))
    painter.drawLine(QPointF(x, views[0].top), QPointF(x, views[-1].bottom))
    lane = next((view for view in views if view.lane.id == APART), None)
    if lane is not None:
        left = x + 1.0 if x + SIGN_WIDTH + 1.0 <= span.width else x - SIGN_WIDTH - 1.0
        box = QRectF(left, lane.top + 1.0, SIGN_WIDTH, SIGN_WIDTH)
        painter.fillRect(box, QColor(colours.base))
        painter.setPen(colour)
        painter.drawText(box, CENTRE, SIGN)


def tip_words(plot: TimelinePlot, lane: Lane, tick: int) -> str:
    """What both runs have in a lane at a tick, one line each; empty where the lane shows one run."""
    if not plot.names[1] or not (lane.has_second or lane.id == APART):
        return ""
    one = lane_text(lane, plot.log, plot.events, tick)
    if lane.id == APART:
        return f"tick {tick:,}: {one} apart"
    two = second_text(lane, plot.log, plot.events.document.names, tick)
    first, second = plot.names
    return f"tick {tick:,}, {lane.title}\n{first}: {one}\n◇ {second}: {two}"
