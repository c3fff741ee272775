"""The layout of the lanes, and the painting of those that are not curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from editor.models.timeline.columns import Stretches
from editor.models.timeline.lanes import Lane, LaneKind, cell_words
from editor.models.timeline.tick_log import ON_WALKABLE, TickLog, key_words
from editor.process.plain_text import plain
from engine.world.cells.ids import cell_text
from engine.world.names import Names
from ui.theme.theme import GROUP, Colours

GAP: Final = 3
"""Pixels between two lanes."""
BAND: Final = 18
SECOND_BAND: Final = 10
"""The second run's row below the first one's."""
MARKS: Final = 20
CURVE: Final = 36
"""The least height of a curve."""
INSET: Final = 2.0
"""Pixels between a curve and the edges of its lane."""

LEAST_LETTERS: Final = 3
"""Words elided to fewer letters are left out."""
CROWDED: Final = 3.0
"""Average pixels per stretch below which some are skipped."""
LEAST_TEXT: Final = 24.0
"""Pixels that a box needs for a word."""
HUES: Final = 0.618034
"""The golden ratio: neighbouring cell ids get colours far apart."""


@dataclass
class LaneView:
    """A lane in its place. `low` and `high` are the ends of its axis."""

    lane: Lane
    top: float
    height: float
    low: float = 0.0
    high: float = 1.0

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def y_of(self, values: np.ndarray) -> np.ndarray:
        """Values as pixels from the top of the plot."""
        scale = (self.height - 2.0 * INSET) / max(self.high - self.low, 1e-9)
        return self.bottom - INSET - (values - self.low) * scale


def least_height(lane: Lane) -> int:
    if lane.kind is LaneKind.CURVE:
        return CURVE
    if lane.second_cells is not None:
        return BAND + SECOND_BAND
    return MARKS if lane.kind in (LaneKind.EVENTS, LaneKind.FOUND) else BAND


def full_height(lanes: Sequence[Lane]) -> int:
    """The height that all lanes need."""
    return sum(least_height(lane) + GAP for lane in lanes)


def place_lanes(lanes: Sequence[Lane], height: float, scroll: float) -> list[LaneView]:
    """Place the lanes from top to bottom; curves share the spare height."""
    curves = sum(lane.kind is LaneKind.CURVE for lane in lanes)
    spare = max(height - full_height(lanes), 0.0) / max(curves, 1)
    placed, top = [], -scroll
    for lane in lanes:
        high = least_height(lane) + (spare if lane.kind is LaneKind.CURVE else 0.0)
        placed.append(LaneView(lane, top, high))
        top += high + GAP
    return placed


@dataclass(frozen=True)
class Span:
    """The ticks in view, and the pixels they cover."""

    low: float
    high: float
    width: float

    def x_of(self, tick: float) -> float:
        return (tick - self.low) / max(self.high - self.low, 1e-9) * self.width

    def tick_at(self, x: float) -> float:
        return self.low + x / max(self.width, 1.0) * (self.high - self.low)


class BandPainter:
    """Paints stretches as boxes with words in them."""

    def __init__(self, painter: QPainter, span: Span, colours: Colours, first: int, names: Names) -> None:
        self.painter = painter
        self.span = span
        self.colours = colours
        self.first = first
        self.names = names
        self.metrics = QFontMetrics(painter.font())

    def _stretches(self, stretches: Stretches, *, held: bool = False) -> list[tuple[int, float, float]]:
        """Value, left and right of those in view, or only of those that are not 0. Of many in one place the first is
        shown."""
        low, high = int(self.span.low) - self.first, int(self.span.high) + 2 - self.first
        values, starts, ends = stretches.between(max(low, 0), max(high, 0))
        if held:
            down = values != 0
            values, starts, ends = values[down], starts[down], ends[down]
        scale = self.span.width / max(self.span.high - self.span.low, 1e-9)
        lefts = (starts + (self.first - self.span.low)) * scale
        rights = (ends + (self.first - self.span.low)) * scale
        if len(values) > self.span.width / CROWDED:
            _, kept = np.unique((lefts / CROWDED).astype(np.int64), return_index=True)
            values, lefts, rights = values[kept], lefts[kept], rights[kept]
            if not held:
                rights[:-1] = lefts[1:]
        return list(zip(values.tolist(), lefts.tolist(), rights.tolist(), strict=True))

    def paint(self, view: LaneView, log: TickLog) -> None:
        if view.lane.kind is LaneKind.CELLS:
            has_second = view.lane.second_cells is not None
            self._paint_cells(LaneView(view.lane, view.top, BAND) if has_second else view, log.cells)
        elif view.lane.kind is LaneKind.KEYS:
            self._paint_keys(view, log.keys)
        elif view.lane.kind is LaneKind.STATES:
            self._paint_states(view, log)

    def _paint_cells(self, view: LaneView, cells: Stretches) -> None:
        for cell, left, right in self._stretches(cells):
            box = QRectF(left, view.top, max(right - left, 1.0), view.height)
            self.painter.fillRect(box, cell_colour(cell, self.colours))
            if not cell:
                self.painter.fillRect(QRectF(left, view.bottom - 2.0, box.width(), 2.0), QColor(self.colours.fault))
            if right - left >= LEAST_TEXT:
                whole = cell_words(cell, self.names)
                colour = self.colours.text if cell else self.colours.fault
                self._write(box, colour, whole, cell_text(cell), f"{cell & 0xFFFF:04X}" if cell else "■")
            if right - left > CROWDED:
                self.painter.fillRect(QRectF(left, view.top, 1.0, view.height), QColor(self.colours.base))

    def _paint_keys(self, view: LaneView, keys: Stretches) -> None:
        ground = QColor(self.colours.selection)
        for bits, left, right in self._stretches(keys, held=True):
            box = QRectF(left, view.top, max(right - left - 1.0, 1.0), view.height)
            self.painter.fillRect(box, ground)
            if right - left >= LEAST_TEXT:
                words = key_words(bits)
                self._write(
                    box, self.colours.text, words, self.metrics.elidedText(words, RIGHT, int(box.width()) - GROUP)
                )

    def _paint_states(self, view: LaneView, log: TickLog) -> None:
        """Contact in the upper half, higher on what he can walk on; blocked in the lower half, in red."""
        half = view.height / 2.0
        for contact, left, right in self._stretches(log.contact, held=True):
            top = view.top + (1.0 if contact == ON_WALKABLE else half / 2.0)
            colour = self.colours.accepted if contact == ON_WALKABLE else self.colours.adjusted
            box = QRectF(left, top, max(right - left, 1.0), view.top + half - 1.0 - top)
            self.painter.fillRect(box, QColor(colour))
        for _, left, right in self._stretches(log.blocked, held=True):
            box = QRectF(left, view.top + half + 1.0, max(right - left, 2.0), half - 2.0)
            self.painter.fillRect(box, QColor(self.colours.fault))

    def _write(self, box: QRectF, colour: str, *texts: str) -> None:
        """Write the first of the texts that fits into the visible part of the box."""
        seen = box & QRectF(0.0, box.top(), self.span.width, box.height())
        for text in texts:
            fits = seen.width() >= self.metrics.horizontalAdvance(text) + GROUP
            if text == "■" or (len(text) > LEAST_LETTERS and fits):
                self.painter.setPen(QColor(colour))
                self.painter.drawText(seen, CENTRE, plain(text))
                return


CENTRE: Final = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine)
RIGHT: Final = Qt.TextElideMode.ElideRight


def cell_colour(cell: int, colours: Colours) -> QColor:
    """A muted colour for each cell, behind the theme's text; red is left to ticks in no cell."""
    is_dark = QColor(colours.base).lightness() < 128
    if not cell:
        return QColor(colours.raised)
    hue = 0.1 + 0.8 * ((cell & 0xFFFF) * HUES % 1.0)
    return QColor.fromHslF(hue, 0.32, 0.27) if is_dark else QColor.fromHslF(hue, 0.5, 0.86)


def paint_grounds(painter: QPainter, views: Sequence[LaneView], span: Span, colours: Colours) -> None:
    """Paint a line under each lane, and one through the middle of each curve."""
    line = QColor(colours.line)
    for view in views:
        painter.setPen(QPen(line, 1.0))
        y = round(view.bottom) + 1.5
        painter.drawLine(QPointF(0.0, y), QPointF(span.width, y))
        if view.lane.kind is LaneKind.CURVE:
            painter.setPen(QPen(line, 1.0, Qt.PenStyle.DotLine))
            middle = round(view.top + view.height / 2.0) + 0.5
            painter.drawLine(QPointF(0.0, middle), QPointF(span.width, middle))


def paint_off_scale(painter: QPainter, view: LaneView, span: Span, colours: Colours, first: int) -> None:
    """Paint a triangle at the edge for each unbroken part of a curve beyond its axis."""
    column = view.lane.column
    if column is None or not len(column.breaks):
        return
    low, high = max(int(span.low) - first, 0), min(int(span.high) + 1 - first, len(column))
    edges = [low, *column.breaks[(column.breaks > low) & (column.breaks < high)].tolist(), high]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.dim))
    for begin, end in pairwise(edges):
        if end <= begin or end - begin < (high - low) / max(span.width, 1.0) * 8.0:
            continue
        value = column.values[(begin + end) // 2]
        if not view.low - 1e-9 <= value <= view.high + 1e-9:
            x = span.x_of(first + (begin + end) / 2.0)
            up = value > view.high
            y, tip = (view.top + 7.0, view.top + 2.0) if up else (view.bottom - 7.0, view.bottom - 2.0)
            painter.drawPolygon([QPointF(x - 4.0, y), QPointF(x + 4.0, y), QPointF(x, tip)])
