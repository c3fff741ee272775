"""Paints the events of the Timeline as marks, and finds the one under the mouse."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from editor.models.conditions.finds import ConditionFinds
from editor.models.timeline.columns import Numbers, Whole
from editor.models.timeline.events import KINDS, SIGNS, TONES, EventLog, TimelineEvent
from ui.docks.timeline.lanes import CENTRE, LaneView, Span
from ui.theme.theme import Colours

WIDTH: Final = 14.0
"""Pixels of a mark with its sign; closer ones are bars."""
GROUND_ALPHA: Final = 50
"""Alpha of the background of a mark, of 255."""
FOUND_WIDTH: Final = 2.0
INSET_FOUND: Final = 3.0
"""Pixels of the bars of a condition's ticks, and above and below them."""
REACH: Final = 8.0
"""Pixels beside a mark within which the mouse still hits it."""


def centre_of(event: TimelineEvent, span: Span) -> float:
    """The x of an event: the middle of its tick."""
    return span.x_of(event.tick + 0.5)


def paint_marks(
    painter: QPainter, view: LaneView, events: EventLog, span: Span, colours: Colours, hovered: int
) -> None:
    """`hovered` is the tick whose marks are under the mouse."""
    x, kinds = _places(events, span)
    apart = np.diff(x, prepend=-2.0 * WIDTH, append=span.width + 2.0 * WIDTH) >= WIDTH
    alone = apart[:-1] & apart[1:]
    _paint_bars(painter, view, x[~alone], kinds[~alone], span, colours)
    for at, kind in zip(x[alone].tolist(), kinds[alone].tolist(), strict=True):
        _paint_sign(painter, QRectF(at - WIDTH / 2.0, view.top + 1.0, WIDTH, view.height - 2.0), kind, colours)
    if hovered >= 0:
        painter.setPen(QPen(QColor(colours.selected), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(span.x_of(hovered + 0.5) - WIDTH / 2.0, view.top + 0.5, WIDTH, view.height - 1.0))


def _colour(kind: int, colours: Colours) -> QColor:
    return QColor(getattr(colours, TONES[KINDS[kind]]))


def _paint_sign(painter: QPainter, box: QRectF, kind: int, colours: Colours) -> None:
    ground = _colour(kind, colours)
    painter.setPen(ground)
    ground.setAlpha(GROUND_ALPHA)
    painter.fillRect(box, ground)
    painter.drawText(box, CENTRE, SIGNS[KINDS[kind]])


def _paint_bars(painter: QPainter, view: LaneView, x: Numbers, kinds: Whole, span: Span, colours: Colours) -> None:
    """Marks that are too near to each other for signs: bars, each kind a little lower than the one before it. There
    may be thousands of them, so they are drawn as an image."""
    if not len(x):
        return
    device = painter.device()
    ratio = 1.0 if device is None else device.devicePixelRatioF()
    width, height = int((span.width + 1.0) * ratio), int(view.height * ratio)
    half = round(1.5 * ratio)
    pixels = np.zeros((height, width), np.uint32)
    for kind in np.unique(kinds).tolist():
        centres = np.floor(x[kinds == kind] * ratio).astype(np.int64)
        top = height * kind // (2 * len(KINDS))
        for beside in range(1 - half, half):
            columns = centres + beside
            pixels[top:, columns[(columns >= 0) & (columns < width)]] = _colour(kind, colours).rgba()
    image = QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(ratio)
    painter.drawImage(QPointF(0.0, view.top), image)


def paint_found(painter: QPainter, view: LaneView, finds: ConditionFinds, span: Span, colours: Colours) -> None:
    """Ticks in a row are one bar, as long as they are, but no narrower than can be seen."""
    ticks = finds.between(int(span.low) - 1, int(span.high) + 2)
    if not len(ticks):
        return
    begins = np.flatnonzero(np.diff(ticks, prepend=ticks[0] - 2) > 1)
    ends = np.append(begins[1:], len(ticks)) - 1
    scale = span.width / max(span.high - span.low, 1e-9)
    lefts, rights = (ticks[begins] - span.low) * scale, (ticks[ends] + 1 - span.low) * scale
    _, kept = np.unique(np.floor(lefts / FOUND_WIDTH), return_index=True)
    colour = QColor(colours.building_portal)
    top, height = view.top + INSET_FOUND, view.height - 2.0 * INSET_FOUND
    for left, right in zip(lefts[kept].tolist(), np.maximum.reduceat(rights, kept).tolist(), strict=True):
        painter.fillRect(QRectF(left, top, max(right - left, FOUND_WIDTH), height), colour)


def found_at(finds: ConditionFinds, span: Span, x: float) -> int | None:
    """The tick of the condition that is nearest to a position and within reach."""
    near = finds.between(int(span.tick_at(x - REACH)) - 1, int(span.tick_at(x + REACH)) + 2).tolist()
    found = min(near, key=lambda tick: abs(span.x_of(tick + 0.5) - x), default=None)
    return found if found is not None and abs(span.x_of(found + 0.5) - x) <= REACH else None


def _places(events: EventLog, span: Span) -> tuple[Numbers, Whole]:
    """The x and the kind of each mark in view."""
    margin = WIDTH / max(span.width, 1.0) * (span.high - span.low) + 1.0
    ticks, kinds = events.places(int(span.low - margin), int(span.high + margin) + 1)
    x: Numbers = np.asarray((ticks + 0.5 - span.low) * (span.width / max(span.high - span.low, 1e-9)), np.float64)
    return x, kinds


def event_at(events: EventLog, span: Span, x: float) -> TimelineEvent | None:
    """The event whose mark is nearest to a position and within reach."""
    near = events.between(int(span.tick_at(x - REACH)) - 1, int(span.tick_at(x + REACH)) + 2)
    found = min(near, key=lambda event: abs(centre_of(event, span) - x), default=None)
    return found if found is not None and abs(centre_of(found, span) - x) <= REACH else None


def words_of(events: EventLog, tick: int) -> str:
    """The events of a tick, one line each."""
    found = events.between(tick, tick + 1)
    return "\n".join([f"tick {tick:,}", *(f"{SIGNS[event.kind]} {event.line}" for event in found)])
