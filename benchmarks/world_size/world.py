"""A data folder as large as the client's, made by our own writer from the demo world.

It has the retail files' shape (dat-format.md 2.1): land on all of the 255 x 255 landblocks, and rooms on 9,000 of them,
which are copies of the demo's village and dungeon with their records renamed. A smaller square has the same shares.
Everything follows from the size alone, so a folder that is there is used again.
"""

from __future__ import annotations

import math
import os
import shutil
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.build.demo import DUNGEON, VILLAGE, ensure_demo
from engine.dat.database import DatDatabase
from engine.dat.ids import DatKind
from engine.dat.writer import write_database
from engine.world.cells.ids import FIRST_ENV_CELL, LAST_ENV_CELL

SIDE: Final = 255
"""Landblocks along each side of the whole map."""
RECORDS: Final = 805_003
"""In the retail cell file, its iteration record included."""
WITH_ROOMS: Final = 9_000
LAND, INFO = 0xFFFF, 0xFFFE
DEMO_LAND: Final = (0xC85A, 0xC85B, 0xC85C, 0xC95A, 0xC95C, 0xCA5A, 0xCA5B, 0xCA5C)
"""Landblocks around the village, on which nothing stands."""

_TERRAIN_AT: Final = 8
_HEIGHTS_AT: Final = 170
_WORDS: Final = struct.Struct("<81H")
_ROAD: Final = 3
"""The bits of a vertex's word that lay a road."""
_PATCH: Final = 12
"""Vertices along each side of a patch of equal ground."""
_VERTICES: Final = 9
_LAST: Final = _VERTICES - 1
_BARE_INFO: Final = 16
"""Bytes of an info record without rooms and things."""
_LEVEL: Final = 40
"""The height index on which the village stands."""
_HILLS: Final = 30
_VERSION: Final = 2
_FORMAT: Final = "whole-world-{side}-{version}"


@dataclass(frozen=True)
class Shape:
    """How many landblocks there are of which kind, and how many records that makes."""

    side: int
    dungeons: int
    villages: int
    bare: int
    """Landblocks without rooms that have an info record all the same, as those with trees or stones have."""

    @property
    def blocks(self) -> int:
        return self.side * self.side

    @property
    def with_rooms(self) -> int:
        return self.dungeons + self.villages

    def records(self, village: int, dungeon: int) -> int:
        """With so many rooms in a village and in a dungeon; the iteration record included."""
        rooms = self.villages * village + self.dungeons * dungeon
        return self.blocks + self.with_rooms + self.bare + rooms + 1


def shape_of(side: int, village: int, dungeon: int) -> Shape:
    """The shares of the whole map, for so many rooms of a village and of a dungeon."""
    blocks = side * side
    total = (RECORDS - 1) * blocks // (SIDE * SIDE)
    with_rooms = max(1, WITH_ROOMS * blocks // (SIDE * SIDE))
    rooms = total - blocks - with_rooms
    dungeons = (rooms - with_rooms * village) // (dungeon - village)
    villages = with_rooms - dungeons
    return Shape(side, dungeons, villages, rooms - dungeons * dungeon - villages * village)


def ensure_world(root: Path, side: int = SIDE) -> tuple[Path, float | None]:
    """The folder of the world below `root`, and the seconds that it took to make; None if it was there."""
    folder = root / _FORMAT.format(side=side, version=_VERSION)
    if folder.is_dir():
        return folder, None
    start = time.perf_counter()
    fresh = folder.with_name(f".{folder.name}.{os.getpid()}")
    fresh.mkdir(parents=True)
    try:
        write_world(fresh, side)
        fresh.rename(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return folder, time.perf_counter() - start


def write_world(folder: Path, side: int = SIDE) -> None:
    """Write both databases. There is no list of entities: doors and people of a whole world come from a server."""
    demo = ensure_demo()
    shutil.copy(demo / DatKind.PORTAL.file_name, folder)
    with DatDatabase.open(demo / DatKind.CELL.file_name) as cells:
        pattern = _Pattern(cells)
    write_database(folder / DatKind.CELL.file_name, DatKind.CELL, pattern.records(side))


class _Pattern:
    """The demo's records that all others are made of."""

    def __init__(self, cells: DatDatabase) -> None:
        self.village, self.dungeon = (_rooms_of(cells, block) for block in (VILLAGE, DUNGEON))
        self.village_land = cells.read(VILLAGE << 16 | LAND)
        self.infos = {block: cells.read(block << 16 | INFO) for block in (VILLAGE, DUNGEON)}
        self.village_words = _WORDS.unpack_from(self.village_land, _TERRAIN_AT)
        around = (cells.read(block << 16 | LAND) for block in DEMO_LAND)
        words = {word for land in around for word in _WORDS.unpack_from(land, _TERRAIN_AT)}
        self.words = sorted(word for word in words if not word & _ROAD)

    def shape(self, side: int) -> Shape:
        return shape_of(side, len(self.village), len(self.dungeon))

    def records(self, side: int) -> Iterator[tuple[int, bytes]]:
        """In the order of the ids within a landblock, landblock by landblock."""
        shape = self.shape(side)
        villages, dungeons = _places(shape)
        without_rooms = 0
        for number in range(shape.blocks):
            block = number // side << 8 | number % side
            if block in villages:
                yield from self._rooms(block, VILLAGE)
                yield _renamed(self.village_land, block << 16 | LAND)
                continue
            has_info = block in dungeons
            if has_info:
                yield from self._rooms(block, DUNGEON)
            else:
                has_info = _is_chosen(without_rooms, shape.bare, shape.blocks - shape.with_rooms)
                without_rooms += 1
                if has_info:
                    yield _renamed(bytes(_BARE_INFO), block << 16 | INFO)
            yield block << 16 | LAND, self._land(block, villages, has_info=has_info)

    def _rooms(self, block: int, pattern: int) -> Iterator[tuple[int, bytes]]:
        for low, record in self.village if pattern == VILLAGE else self.dungeon:
            yield _room_renamed(record, block << 16 | low)
        yield _renamed(self.infos[pattern], block << 16 | INFO)

    def _land(self, block: int, villages: set[int], *, has_info: bool) -> bytes:
        """Hills and patches of ground that go on over the borders and end at villages."""
        column, row = block >> 8, block & 0xFF
        left, bottom = column * _LAST, row * _LAST
        places = [(left + x, bottom + y) for x in range(_VERTICES) for y in range(_VERTICES)]
        words = [self.words[(x // _PATCH * 7 + y // _PATCH * 5) % len(self.words)] for x, y in places]
        heights = bytearray(_height(x, y) for x, y in places)
        for x, y in _AROUND:
            if (column + x << 8 | row + y) in villages:
                for mine, theirs in _SHARED[x, y]:
                    words[mine], heights[mine] = self.village_words[theirs], self.village_land[_HEIGHTS_AT + theirs]
        start = struct.pack("<II", block << 16 | LAND, int(has_info))
        return start + _WORDS.pack(*words) + heights + self.village_land[_HEIGHTS_AT + len(heights) :]


def _places(shape: Shape) -> tuple[set[int], set[int]]:
    """The landblocks with villages and with dungeons. None is beside another: between them the ground is fitted."""
    every = [column << 8 | row for column in range(0, shape.side, 2) for row in range(0, shape.side, 2)]
    chosen = [block for number, block in enumerate(every) if _is_chosen(number, shape.with_rooms, len(every))]
    dungeons = {block for number, block in enumerate(chosen) if _is_chosen(number, shape.dungeons, len(chosen))}
    return set(chosen) - dungeons, dungeons


def _is_chosen(number: int, chosen: int, count: int) -> bool:
    """Whether one of so many evenly spread out of all is this one."""
    return (number + 1) * chosen // count > number * chosen // count


_waves = [math.sin(index / 23.0) + math.sin(index / 7.0) / 3.0 for index in range(SIDE * _LAST + 1)]


def _height(x: int, y: int) -> int:
    return max(0, min(255, round(_LEVEL + _HILLS * _waves[x] * _waves[y])))


_AROUND: Final = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
_SHARED: Final = {
    around: [
        (x * _VERTICES + y, (x - around[0] * _LAST) * _VERTICES + y - around[1] * _LAST)
        for x in range(_VERTICES)
        for y in range(_VERTICES)
        if 0 <= x - around[0] * _LAST <= _LAST and 0 <= y - around[1] * _LAST <= _LAST
    ]
    for around in _AROUND
}
"""For each of the landblocks around one: the vertices that both have, by their number in the one and in the other."""


def _rooms_of(cells: DatDatabase, block: int) -> list[tuple[int, bytes]]:
    first, last = block << 16 | FIRST_ENV_CELL, block << 16 | LAST_ENV_CELL
    return [(record_id & 0xFFFF, cells.read(record_id)) for record_id in cells.ids(first, last)]


def _renamed(record: bytes, record_id: int) -> tuple[int, bytes]:
    return record_id, record_id.to_bytes(4, "little") + record[4:]


def _room_renamed(record: bytes, room_id: int) -> tuple[int, bytes]:
    """A room stores its id twice, before and after its flags (dat-format.md 2.4)."""
    word = room_id.to_bytes(4, "little")
    return room_id, word + record[4:8] + word + record[12:]
