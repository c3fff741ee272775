"""Growing numpy columns with one value per tick, with the extremes of blocks and the stretches of equal values."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

FIRST_SIZE: Final = 1024
BLOCK: Final = 16
"""Values per block: a curve of 1,000 pixels reads at most 16,000 single values."""

Numbers = NDArray[np.float64]
Whole = NDArray[np.int64]


class Column:
    """An array that grows at its end. Its capacity doubles, so appending takes amortized constant time."""

    def __init__(self, dtype: DTypeLike = np.float64) -> None:
        self._room: NDArray[Any] = np.empty(FIRST_SIZE, dtype)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def values(self) -> NDArray[Any]:
        """A view of all values, valid until the next append."""
        return self._room[: self._count]

    def extend(self, values: NDArray[Any]) -> None:
        count = self._count + len(values)
        if count > len(self._room):
            room = np.empty(max(count, 2 * len(self._room)), self._room.dtype)
            room[: self._count] = self.values
            self._room = room
        self._room[self._count : count] = values
        self._count = count

    def cut(self, count: int) -> None:
        """Keep the first `count` values."""
        self._count = min(self._count, count)


class Envelope:
    """Numbers with the minimum and maximum of each block; a block ends where the curve breaks.

    A break at n means that the value n does not continue the value n - 1. NaN is a value that nobody knows.
    """

    def __init__(self) -> None:
        self.revision = 0
        """How often a value changed other than by appending."""
        self._column = Column()
        self._breaks = Column(np.int64)
        self._starts = Column(np.int64)
        self._lows = Column()
        self._highs = Column()

    def __len__(self) -> int:
        return len(self._column)

    @property
    def values(self) -> Numbers:
        return self._column.values

    @property
    def breaks(self) -> Whole:
        return self._breaks.values

    @property
    def blocks(self) -> tuple[Whole, Numbers, Numbers]:
        """The first number of each block, its minimum and its maximum."""
        return self._starts.values, self._lows.values, self._highs.values

    def extend(self, values: Numbers, breaks: Whole | None = None) -> None:
        """Append values; `breaks` are absolute numbers, none of them before the first of these values."""
        before = len(self)
        self._column.extend(values)
        if breaks is not None and len(breaks):
            self._breaks.extend(breaks)
        self._measure(before)

    def put(self, number: int, value: float) -> None:
        """Set one value; skipped numbers before it are unknown."""
        if number >= len(self):
            fill = np.full(number + 1 - len(self), np.nan)
            fill[-1] = value
            self.extend(fill)
            return
        self.revision += 1
        self.values[number] = value
        starts = self._starts.values
        block = int(np.searchsorted(starts, number, side="right")) - 1
        first = int(starts[block])
        last = int(starts[block + 1]) if block + 1 < len(starts) else len(self)
        self._lows.values[block] = np.fmin.reduce(self.values[first:last])
        self._highs.values[block] = np.fmax.reduce(self.values[first:last])

    def cut(self, count: int) -> None:
        if count >= len(self):
            return
        self.revision += 1
        self._column.cut(count)
        self._breaks.cut(int(np.searchsorted(self.breaks, count)))
        self._measure(count)

    def _measure(self, before: int) -> None:
        """Recompute the blocks from the one that contains a number."""
        kept = max(int(np.searchsorted(self._starts.values, before, side="right")) - 1, 0)
        first = int(self._starts.values[kept]) if len(self._starts) else 0
        for column in (self._starts, self._lows, self._highs):
            column.cut(kept)
        if first >= len(self):
            return
        breaks = self.breaks[np.searchsorted(self.breaks, first, side="right") :]
        regular = np.arange(first - first % BLOCK + BLOCK, len(self), BLOCK)
        starts = np.concatenate(([first], regular, breaks))
        if len(starts) > 1:
            starts = np.unique(starts)
        values = self.values[first:]
        self._starts.extend(starts)
        self._lows.extend(np.fmin.reduceat(values, starts - first))
        self._highs.extend(np.fmax.reduceat(values, starts - first))


class Stretches:
    """Integers that rarely change, stored as the start and value of each run."""

    def __init__(self) -> None:
        self.count = 0
        self._starts = Column(np.int64)
        self._values = Column(np.int64)

    def __len__(self) -> int:
        """The number of values, not of stretches."""
        return self.count

    def extend(self, values: Whole) -> None:
        if not len(values):
            return
        changes = np.flatnonzero(np.diff(values)) + 1
        if not len(self._values) or self._values.values[-1] != values[0]:
            changes = np.concatenate(([0], changes))
        self._starts.extend(changes + self.count)
        self._values.extend(values[changes])
        self.count += len(values)

    def put(self, number: int, value: int) -> None:
        """Append the value of that number; skipped numbers repeat the value before them."""
        skipped = number - self.count
        if skipped < 0:
            return
        last = int(self._values.values[-1]) if len(self._values) else 0
        if skipped:
            self.extend(np.full(skipped, last, np.int64))
        self.extend(np.array([value], np.int64))

    def cut(self, count: int) -> None:
        self.count = min(self.count, count)
        kept = int(np.searchsorted(self._starts.values, self.count))
        self._starts.cut(kept)
        self._values.cut(kept)

    def value(self, number: int) -> int | None:
        """The value of a number, or None beyond the ends."""
        if not 0 <= number < self.count:
            return None
        return int(self._values.values[int(np.searchsorted(self._starts.values, number, side="right")) - 1])

    def values_at(self, numbers: Whole) -> Whole:
        """The values of numbers, none of which may lie beyond the ends."""
        found: Whole = self._values.values[np.searchsorted(self._starts.values, numbers, side="right") - 1]
        return found

    def between(self, first: int, last: int) -> tuple[Whole, Whole, Whole]:
        """The stretches within the numbers from `first` up to `last`: values, starts and ends."""
        starts = self._starts.values
        a = max(int(np.searchsorted(starts, first, side="right")) - 1, 0)
        b = int(np.searchsorted(starts, last))
        ends = np.append(starts[a + 1 : b], min(last, self.count)) if b > a else starts[:0]
        return self._values.values[a:b], np.maximum(starts[a:b], first), ends

    def all_values(self) -> Whole:
        """The values, one for each number."""
        starts = self._starts.values
        found: Whole = np.repeat(self._values.values, np.diff(np.append(starts, self.count)))
        return found


def unlike(one: Stretches, two: Stretches, first: int, last: int) -> Whole:
    """The numbers from `first` up to `last` at which two differ, as rows of a start and an end; only of those that both
    have."""
    last = min(last, one.count, two.count)
    if last <= first:
        return np.empty((0, 2), np.int64)
    edges = np.union1d(one.between(first, last)[1], two.between(first, last)[1])
    differ = one.values_at(edges) != two.values_at(edges)
    changes = np.flatnonzero(np.diff(differ, prepend=False, append=False))
    return np.append(edges, last)[changes].reshape(-1, 2)
