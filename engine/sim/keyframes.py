"""Snapshots on the way, packed small: a recording restores the nearest one and runs on from there.

A snapshot has numbers, which differ from one to the next, and blobs behind them (what the world's statics are, edited
rooms), which are large and hardly ever change. So the blobs are kept once for all the snapshots that share them.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right

from engine.entities.state_io import start_of_blobs


class Keyframes:
    """Snapshots by tick, ascending."""

    def __init__(self) -> None:
        self.ticks: list[int] = []
        self.heads: list[bytes] = []
        """The part of each snapshot before the blobs, compressed."""
        self.tail_numbers: list[int] = []
        self.tails: list[bytes] = []
        """The different blobs, compressed."""
        self._last_tail: bytes | None = None

    def __len__(self) -> int:
        return len(self.ticks)

    @property
    def size(self) -> int:
        """Bytes held."""
        return sum(map(len, self.heads)) + sum(map(len, self.tails))

    def add(self, tick: int, snapshot: bytes) -> None:
        """Keep the snapshot of the state before a tick that comes after all those kept so far."""
        middle = start_of_blobs(snapshot)
        tail = snapshot[middle:]
        if tail != self._last_tail:
            packed = zlib.compress(tail)
            if packed not in self.tails:
                self.tails.append(packed)
            self._last_tail = tail
            number = self.tails.index(packed)
        else:
            number = self.tail_numbers[-1]
        self.ticks.append(tick)
        self.heads.append(zlib.compress(snapshot[:middle]))
        self.tail_numbers.append(number)

    def at_or_before(self, tick: int) -> int:
        """The number of the last snapshot that is not after `tick`; −1 when there is none."""
        return bisect_right(self.ticks, tick) - 1

    def at_or_after(self, tick: int) -> int:
        """The number of the first snapshot that is not before `tick`; −1 when there is none."""
        number = bisect_right(self.ticks, tick - 1)
        return number if number < len(self.ticks) else -1

    def snapshot(self, number: int) -> bytes:
        return zlib.decompress(self.heads[number]) + zlib.decompress(self.tails[self.tail_numbers[number]])

    def copy(self) -> Keyframes:
        made = Keyframes()
        made.ticks, made.heads = list(self.ticks), list(self.heads)
        made.tail_numbers, made.tails = list(self.tail_numbers), list(self.tails)
        return made

    def cut(self, tick: int) -> None:
        """Forget the snapshots after `tick`."""
        count = self.at_or_before(tick) + 1
        del self.ticks[count:], self.heads[count:], self.tail_numbers[count:]
        self._last_tail = None
