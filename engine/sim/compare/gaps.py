"""The distance between two bodies over time, as spans: from the tick at which they part to that at which they meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MOST_SPANS: Final = 1000
"""Spans kept; later ones are counted."""

HEALS: Final = "heals"
GROWS: Final = "grows"
SHRINKS: Final = "shrinks"
STAYS: Final = "stays"

STEADY: Final = 0.0002
"""Metres, within which the client takes two places for one: a gap that changes by less stays."""


@dataclass(slots=True)
class Span:
    """Ticks in a row at which the bodies are apart. `end` is the first at which they are together again, or the end of
    the comparison; `widest_at` the first with the greatest distance."""

    first: int
    end: int
    widest: float
    widest_at: int
    last: float
    """Metres at its last tick."""
    middle: float
    """Metres at the tick in its middle, or the one before."""
    is_open: bool = True

    @property
    def becomes(self) -> str:
        """What becomes of the gap: it heals, or by how it was in its second half, grows, shrinks or stays."""
        if not self.is_open:
            return HEALS
        change = self.last - self.middle
        if abs(change) <= STEADY:
            return STAYS
        return GROWS if change > 0.0 else SHRINKS


class Gaps:
    """Collects spans from the distances of all ticks, in a constant amount of memory."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.left_out = 0
        self._open: Span | None = None
        self._halves: list[tuple[int, float]] = []

    def add(self, index: int, distance: float) -> None:
        span = self._open
        if distance == 0.0:
            if span is not None:
                span.is_open = False
                self._open = None
            return
        if span is None:
            span = self._open = Span(index, index, 0.0, index, distance, distance)
            self._halves = []
            if len(self.spans) < MOST_SPANS:
                self.spans.append(span)
            else:
                self.left_out += 1
        span.end = index + 1
        span.last = distance
        if distance > span.widest:
            span.widest, span.widest_at = distance, index
        self._remember(span, index, distance)

    def _remember(self, span: Span, index: int, distance: float) -> None:
        """Keep distances at growing intervals, of which the one nearest to the middle is taken."""
        age = index - span.first + 1
        if age & (age - 1) == 0 or age & (age - 1) == age >> 1:  # 1, 2, 3, 4, 6, 8, 12, 16, ...
            self._halves.append((index, distance))
            del self._halves[:-6]
        middle = span.first + (age - 1) // 2
        span.middle = next((far for at, far in reversed(self._halves) if at <= middle), distance)
