"""The records that were followed, kept small: their text packed in blocks, and a few numbers for each.

A record takes about 250 bytes here and 1.5 KB in its file. At most as much text is kept as a capture may have, so that
what is saved can be opened; beyond that the oldest blocks are dropped.
"""

from __future__ import annotations

import zlib
from array import array
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from engine.files.kinds import CAPTURE, MB

BLOCK: Final = 128
"""Records that are packed together: to read one of them takes about a millisecond."""
MOST_BYTES: Final = CAPTURE.most - MB
"""Text of the records kept, before packing."""


class Mark(NamedTuple):
    """What is known of a record without its text. `retail` and `ace` have a bit for each field that differs; None where
    the record could not be replayed."""

    tick: int
    cell_id: int
    anchor: int
    mover: int
    line: int
    retail: int | None
    ace: int | None


NOT_REPLAYED: Final = 0xFF


class _Block:
    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.packed = b""
        self.size = 0
        self.ticks = array("q")
        self.numbers = array("Q")
        """Cell, anchor, mover and line of each record."""
        self.bits = array("B")

    def __len__(self) -> int:
        return len(self.ticks)

    def texts(self) -> list[bytes]:
        return zlib.decompress(self.packed).split(b"\n") if self.packed else self.lines


class KeptRecords:
    """Records by their number, counted from 0 over the whole following."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._blocks: deque[_Block] = deque()
        self._size = 0
        self.first = 0
        """The number of the oldest record that is still kept."""
        self.end = 0

    def __len__(self) -> int:
        return self.end - self.first

    def add(self, line: bytes, mark: Mark) -> int:
        """Keep a record; returns its number."""
        if not self._blocks or len(self._blocks[-1]) == BLOCK:
            self._blocks.append(_Block())
        block = self._blocks[-1]
        block.lines.append(line)
        block.size += len(line) + 1
        self._size += len(line) + 1
        block.ticks.append(mark.tick)
        block.numbers.extend((mark.cell_id, mark.anchor, mark.mover, mark.line))
        block.bits.extend(NOT_REPLAYED if bits is None else bits for bits in (mark.retail, mark.ace))
        if len(block) == BLOCK:
            block.packed = zlib.compress(b"\n".join(block.lines), 1)
            block.lines = []
        self.end += 1
        while self._size > self._most and len(self._blocks) > 1:
            gone = self._blocks.popleft()
            self._size -= gone.size
            self.first += len(gone)
        return self.end - 1

    def mark(self, number: int) -> Mark:
        block, at = self._find(number)
        cell_id, anchor, mover, line = block.numbers[4 * at : 4 * at + 4]
        retail, ace = (None if bits == NOT_REPLAYED else bits for bits in block.bits[2 * at : 2 * at + 2])
        return Mark(block.ticks[at], cell_id, anchor, mover, line, retail, ace)

    def text(self, number: int) -> bytes:
        block, at = self._find(number)
        return block.texts()[at]

    def packed(self) -> list[bytes]:
        """All records kept, each block packed: a copy, for `texts_of` to unpack on any thread."""
        return [block.packed or zlib.compress(b"\n".join(block.lines), 1) for block in self._blocks]

    def _find(self, number: int) -> tuple[_Block, int]:
        if not self.first <= number < self.end:
            raise KeyError(number)
        at = number - self.first
        return self._blocks[at // BLOCK], at % BLOCK


def texts_of(packed: Iterable[bytes]) -> Iterator[bytes]:
    """The text of packed records, in pieces that end with a line's end."""
    for block in packed:
        yield zlib.decompress(block) + b"\n"
