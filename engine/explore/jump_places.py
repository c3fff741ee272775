"""Where jumps start: from a grid of places that something is near to."""

from __future__ import annotations

import math
from typing import Final

from engine.explore.bins import HALF, MASK, Bins
from engine.explore.saved_body import SavedBody
from engine.geometry.elementary import cos, sin

COLUMN: Final = 0.5
"""Metres of the squares in which something is in the way or not."""
AHEAD: Final = 8
"""Squares in front of a body that a jump is for: what is further off has jumps of its own."""


class JumpPlaces:
    """Of each square of `grid` metres one place at which something is in the way, and one within `reach` metres of
    such; in the headings in which something is in the way there, or ahead. A jump over open ground lands where walking
    leads as well."""

    _bins: Bins
    _grid: float
    _reach: int
    _queue: list[int]
    _next: int
    _idle: dict[int, list[int]]
    _taken: set[int]
    _bodies: dict[int, SavedBody]
    _met: dict[int, int]
    _hindered: set[int]

    def __init__(self, bins: Bins, grid: float, reach: float) -> None:
        self._bins = bins
        self._grid = grid
        self._reach = math.ceil(reach / COLUMN)
        self._queue = []
        self._next = 0
        self._idle = {}
        self._taken = set()
        self._bodies = {}
        self._met = {}
        self._hindered = set()

    @property
    def length(self) -> int:
        """The number of places that wait."""
        return len(self._queue) - self._next

    def next(self) -> int:
        """The state that the next jumps start from; -1 when there is none."""
        if self._next >= len(self._queue):
            return -1
        state = self._queue[self._next]
        self._next += 1
        return state

    def take(self, state: int) -> SavedBody:
        return self._bodies.pop(state)

    def headings(self, state: int, start: SavedBody, headings: list[float]) -> list[float]:
        """Those of the headings that a jump from a state is for."""
        met = self._met.pop(state)
        return [
            headings[number]
            for number in range(len(headings))
            if met >> number & 1 or self._is_ahead(start, headings[number])
        ]

    def _is_ahead(self, start: SavedBody, heading: float) -> bool:
        """Whether something is in the way of a walk in that heading, further on."""
        east = sin(math.radians(heading)) * COLUMN
        north = cos(math.radians(heading)) * COLUMN
        x, y, _ = start.origin
        here = _column(start.cell_id, x, y, 0, 0)
        for step in range(1, AHEAD + 1):
            column = _column(start.cell_id, x + east * step, y + north * step, 0, 0)
            if column != here and column in self._hindered:
                return True
        return False

    def offer(self, state: int, start: SavedBody, met: int, more: int) -> None:
        """Jump from a state, unless another one of its square does. The bits of `met` are the headings, by number, in
        which something was in the way; `more` tells squares apart that are the same."""
        hindered = met != 0
        if hindered:
            self._hinder(start)
        square = self._bins.square(start.cell_id, start.origin, self._grid)
        square = (square << 8 | more) << 1 | (1 if hindered else 0)
        if square in self._taken:
            return
        self._taken.add(square)
        self._bodies[state] = start
        self._met[state] = met
        if hindered or self._is_near(start):
            self._queue.append(state)
            return
        x, y, _ = start.origin
        column = _column(start.cell_id, x, y, 0, 0)
        waiting = self._idle.get(column)
        if waiting is None:
            self._idle[column] = [state]
        else:
            waiting.append(state)

    def _is_near(self, start: SavedBody) -> bool:
        reach = self._reach
        x, y, _ = start.origin
        for dx in range(-reach, reach + 1):
            for dy in range(-reach, reach + 1):
                if _column(start.cell_id, x, y, dx, dy) in self._hindered:
                    return True
        return False

    def _hinder(self, start: SavedBody) -> None:
        """Something is in the way here: who waits around it jumps."""
        x, y, _ = start.origin
        here = _column(start.cell_id, x, y, 0, 0)
        if here in self._hindered:
            return
        self._hindered.add(here)
        reach = self._reach
        for dx in range(-reach, reach + 1):
            for dy in range(-reach, reach + 1):
                waiting = self._idle.pop(_column(start.cell_id, x, y, dx, dy), None)
                if waiting is not None:
                    self._queue.extend(waiting)


def _column(cell_id: int, x: float, y: float, dx: int, dy: int) -> int:
    """The square of the landblock that a point is in, or one so many squares beside it."""
    column = cell_id >> 16 << 15 | (math.floor(x / COLUMN) + dx + HALF) & MASK
    return column << 15 | (math.floor(y / COLUMN) + dy + HALF) & MASK
