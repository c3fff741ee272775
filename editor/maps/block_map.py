"""The map of all landblocks, without its widget: colours, descriptions and search.

Columns of landblocks run east, rows north; an image's first row is the northernmost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from editor.places.place_text import map_text, read_place, seems_place
from editor.process.plain_text import counted
from engine.geometry.constants import BLOCK_LENGTH
from engine.world.block_index import SIDE, BlockIndex
from engine.world.cells.ids import WHOLE_BLOCK, block_text, cell_in_range, cell_text, landblock_id, low_of
from engine.world.faults import WorldError

WAY: Final = "write A9B4, 0xA9B40143 or 42.1N 33.6E"
_ID: Final = re.compile(r"(?:0[xX])?([0-9a-fA-F]{1,8})")

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]


@dataclass(frozen=True)
class MapColours:
    """Red, green and blue: empty, land, and rooms from few to many."""

    nothing: Colour
    land: Colour
    few: Colour
    many: Colour


def block_id_at(column: int, row: int) -> int:
    return column << 24 | row << 16 | WHOLE_BLOCK


def picture(index: BlockIndex, colours: MapColours, land: Picture | None = None) -> Picture:
    """RGBA, one pixel for each landblock, or several pixels of its ground if `land` has them
    (`editor.maps.ground_map`)."""
    rooms = index.rooms.reshape(SIDE, SIDE).T[::-1]
    there = index.land.reshape(SIDE, SIDE).T[::-1]
    times = 1 if land is None else land.shape[0] // SIDE
    made = np.empty((SIDE * times, SIDE * times, 4), dtype=np.uint8)
    made[:, :, 3] = 255
    made[:, :, :3] = colours.nothing
    ground = np.broadcast_to(np.array(colours.land, dtype=np.uint8), made[:, :, :3].shape) if land is None else land
    fine = _enlarged(there, times)
    made[fine, :3] = ground[fine]
    share = np.log1p(rooms) / np.log1p(max(int(rooms.max(initial=0)), 2))
    few, many = np.array(colours.few, dtype=float), np.array(colours.many, dtype=float)
    told = (few + share[:, :, None] * (many - few)).astype(np.uint8)
    with_rooms = _enlarged(rooms > 0, times)
    made[with_rooms, :3] = np.repeat(np.repeat(told, times, axis=0), times, axis=1)[with_rooms]
    return made


def _enlarged(mask: NDArray[np.bool_], times: int) -> NDArray[np.bool_]:
    return np.repeat(np.repeat(mask, times, axis=0), times, axis=1)


def coordinates(block_id: int) -> str:
    """The coordinates of the landblock's centre, as players write them: 42.1N 33.6E."""
    return map_text(block_id, BLOCK_LENGTH / 2.0, BLOCK_LENGTH / 2.0)


def contents(index: BlockIndex, block_id: int) -> str:
    """The contents of a landblock, in a few words."""
    rooms = index.room_count(block_id)
    words = ["land"] if index.has_land(block_id) else []
    if rooms:
        words.append(counted(rooms, "room"))
    return ", ".join(words) or "nothing here"


def describe(index: BlockIndex, place: int) -> str:
    """A landblock or cell described in one line."""
    what = f"cell {cell_text(place)} of " if low_of(place) != WHOLE_BLOCK else ""
    return f"{what}{block_text(place)}  ·  {contents(index, place)}  ·  {coordinates(place)}"


def parse_place(text: str) -> int:
    """The landblock or cell that a text names, as 0xA9B4FFFF or 0xA9B40143; a WorldError when it names none."""
    stripped = text.strip()
    if seems_place(stripped):
        place = read_place(stripped)
        return place.cell_id if place.z is not None else landblock_id(place.cell_id)
    digits = _ID.fullmatch(stripped)
    if digits is None or len(digits[1]) not in (4, 8):
        raise WorldError(f"{stripped!r} names no landblock: {WAY}")
    value = int(digits[1], 16)
    if len(digits[1]) == 4:
        return value << 16 | WHOLE_BLOCK
    if low_of(value) == WHOLE_BLOCK - 1:  # the landblock's own records, one of which has its id
        return value | WHOLE_BLOCK
    if not cell_in_range(low_of(value)):
        raise WorldError(f"{cell_text(value)} is not a cell: the last four digits are 0001 to 0040 or 0100 to FFFD")
    return value


def matching(ids: Sequence[int], text: str) -> list[int]:
    """The landblocks whose ids begin with the typed text; all of them when the text cannot begin an id."""
    digits = _ID.fullmatch(text.strip())
    if digits is None:
        return list(ids)
    begin = digits[1][:4]
    value, shift = int(begin, 16), 4 * (8 - len(begin))
    return [block_id for block_id in ids if block_id >> shift == value]
