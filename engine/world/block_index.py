"""The landblocks of the 255 x 255 that exist, and their contents, by the ids of the records alone
(dat-format.md 2.1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.world.cells.ids import FIRST_ENV_CELL, LAST_ENV_CELL, WHOLE_BLOCK, block_of, landblock_id

SIDE: Final = 256
"""Columns and rows; the last of each, 0xFF, is never a landblock of the client's map."""
BLOCKS: Final = SIDE * SIDE


class BlockIndex:
    """`land` and `rooms` are by the landblock's 16 bits: whether it has a record of its own, and how many rooms."""

    def __init__(self) -> None:
        self.land: NDArray[np.bool_] = np.zeros(BLOCKS, dtype=np.bool_)
        self.rooms: NDArray[np.int64] = np.zeros(BLOCKS, dtype=np.int64)
        self._ids: list[int] | None = None
        self._known: frozenset[int] | None = None
        self.drawn: tuple[str, NDArray[np.uint8]] | None = None
        """A map of all landblocks, cached by its painter, with the data that it was drawn from."""

    def add(self, record_ids: Iterable[int]) -> None:
        """Count records by their ids; those that are neither land nor rooms are nothing here."""
        found = np.fromiter(record_ids, dtype=np.int64)
        blocks, low = found >> 16, found & 0xFFFF
        self.land[blocks[low == WHOLE_BLOCK]] = True
        rooms = blocks[(low >= FIRST_ENV_CELL) & (low <= LAST_ENV_CELL)]
        self.rooms += np.bincount(rooms, minlength=BLOCKS)
        self._ids = self._known = None

    @property
    def ids(self) -> list[int]:
        """All landblocks that have land or rooms, ascending, as 0xXXYYFFFF."""
        if self._ids is None:
            self._ids = (np.flatnonzero(self.land | (self.rooms > 0)) << 16 | WHOLE_BLOCK).tolist()
        return self._ids

    @property
    def known(self) -> frozenset[int]:
        """The same to be asked whether there is one; the same object as long as nothing is added."""
        if self._known is None:
            self._known = frozenset(self.ids)
        return self._known

    @property
    def with_rooms(self) -> list[int]:
        """The landblocks with rooms, ascending."""
        found: list[int] = (np.flatnonzero(self.rooms) << 16 | WHOLE_BLOCK).tolist()
        return found

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, cell_id: int) -> bool:
        """Whether the landblock of an id exists."""
        return landblock_id(cell_id) in self.known

    def has_land(self, cell_id: int) -> bool:
        return bool(self.land[block_of(cell_id)])

    def room_count(self, cell_id: int) -> int:
        return int(self.rooms[block_of(cell_id)])
