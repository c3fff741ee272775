"""A cell database as large as the retail one (about 805,000 records), made in seconds, for measuring look-ups.

Every record is well-formed by dat-format.md 2.2 to 2.4: flat landblocks, each with an info record and a row of
equal cells that see each other.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import Final

from engine.dat.ids import DatKind
from engine.dat.writer import write_database

RETAIL_COUNT: Final = 800_000
_MAP_SIDE: Final = 255
"""Landblocks along each side of the map."""
_MAX_CELLS: Final = 0xFFFE - 0x0100

_ID: Final = struct.Struct("<I")
_LAND_BLOCK_TAIL: Final = struct.pack("<I", 1) + struct.pack("<81H", *[9 << 2] * 81) + bytes([20] * 81) + b"\0"
_NO_OBJECTS: Final = struct.pack("<IHH", 0, 0, 0)
_VISIBLE: Final = [0x0100, 0x0101, 0x0102, 0x0103]
_CELL_FLAGS: Final = _ID.pack(0)
_CELL_TAIL: Final = (
    struct.pack("<BBH", 3, 2, len(_VISIBLE))
    + struct.pack("<3H", 0x32, 0x33, 0x34)
    + struct.pack("<HH", 1, 0)
    + struct.pack("<7f", 36.0, 36.0, 20.0, 1.0, 0.0, 0.0, 0.0)
    + struct.pack("<4H", 0, 2, 0x0100, 1)
    + struct.pack("<4H", 2, 3, 0x0101, 0)
    + struct.pack(f"<{len(_VISIBLE)}H", *_VISIBLE)
)


def make_cell_database(path: str | os.PathLike[str], count: int = RETAIL_COUNT) -> None:
    """Write a cell database of `count` records beside its iteration record."""
    write_database(path, DatKind.CELL, cell_records(count))


def cell_records(count: int = RETAIL_COUNT) -> Iterator[tuple[int, bytes]]:
    """`count` records in the order of their ids, spread evenly over the whole map when there are enough."""
    blocks = max(1, min(_MAP_SIDE * _MAP_SIDE, count // 3))
    if count > blocks * (_MAX_CELLS + 2):
        raise ValueError(f"a map has no room for {count} records")
    for index in range(blocks):
        share = count * (index + 1) // blocks - count * index // blocks
        x, y = divmod(index, _MAP_SIDE)
        yield from _landblock_records(x << 24 | y << 16, share)


def _landblock_records(block: int, share: int) -> Iterator[tuple[int, bytes]]:
    """The cells of one landblock, its info and itself, `share` records in all."""
    cells = max(0, share - 2)
    for cell_id in range(block | 0x0100, (block | 0x0100) + cells):
        packed = _ID.pack(cell_id)
        yield cell_id, packed + _CELL_FLAGS + packed + _CELL_TAIL
    if share > 1:
        yield block | 0xFFFE, _ID.pack(block | 0xFFFE) + _ID.pack(cells) + _NO_OBJECTS
    if share > 0:
        yield block | 0xFFFF, _ID.pack(block | 0xFFFF) + _LAND_BLOCK_TAIL
