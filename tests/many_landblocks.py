"""A data folder of as many landblocks as a test wants: flat land, with a hut of two rooms with doorways on some of
it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from engine.build import OUTDOORS, WorldBuilder, rect, walls
from engine.build.built import BuiltWorld
from engine.dat.ids import DatKind
from engine.dat.writer import write_database
from engine.world.loader.entities_file import FILE_NAME, write_entities

BLOCK = 0x2020
FIRST_DOOR = 0x70000001
LAND, INFO = 0xFFFF, 0xFFFE
ROOMS = tuple(range(0x0100, 0x0104))
"""The room, the pantry, and the thickness of the walls in the two doorways."""


def write_many(folder: Path, columns: int, rows: int, hut_every: int, doors: int = 0) -> Path:
    """Landblocks from 0x0000 up to this column and row; one in so many has a hut, counted by rows.

    `doors` is the number of doors in the world's list of entities, dealt to the huts one by one.
    """
    made = _hut(doors > 0)
    made.write(folder)
    records = _records(made, columns, rows, hut_every)
    write_database(folder / DatKind.CELL.file_name, DatKind.CELL, records)
    if doors:
        door, places = made.entities[0], huts(columns, rows, hut_every)
        listed = [
            replace(
                door,
                guid=FIRST_DOOR + number,
                name=f"Door {number}",
                cell_id=places[number % len(places)] & 0xFFFF0000 | door.cell_id & 0xFFFF,
            )
            for number in range(doors)
        ]
        write_entities(folder / FILE_NAME, listed)
    return folder


def huts(columns: int, rows: int, hut_every: int) -> list[int]:
    """The ids of the landblocks that have a hut, ascending."""
    return [block << 16 | LAND for number, block in enumerate(_blocks(columns, rows)) if number % hut_every == 0]


def _blocks(columns: int, rows: int) -> Iterator[int]:
    return (column << 8 | row for column in range(columns) for row in range(rows))


def _hut(has_door: bool) -> BuiltWorld:
    world = WorldBuilder()
    house = world.landblock(BLOCK, height=20).building(
        "hut", (108, 108), 0, shell=walls(rect(-5, -3, 10, 6), 0, 3, "brick")
    )
    room = house.room("room", rect(-4.6, -2.6, 4.4, 5.2), height=2.6)
    pantry = house.room("pantry", rect(0.0, -2.6, 4.6, 5.2), height=2.6)
    if has_door:
        house.door(room, OUTDOORS, at=(-2.4, -3))
    else:
        house.doorway(room, OUTDOORS, (-2.4, -3))
    house.doorway(room, pantry)
    return world.build()


def _records(made: BuiltWorld, columns: int, rows: int, hut_every: int) -> Iterator[tuple[int, bytes]]:
    land = made.cell[(BLOCK + 1) << 16 | LAND]  # a neighbour, on which nothing stands
    hut_land, info = made.cell[BLOCK << 16 | LAND], made.cell[BLOCK << 16 | INFO]
    rooms = [made.cell[BLOCK << 16 | low] for low in ROOMS]
    for number, block in enumerate(_blocks(columns, rows)):
        has_hut = number % hut_every == 0
        yield _renamed(hut_land if has_hut else land, block << 16 | LAND)
        if has_hut:
            yield _renamed(info, block << 16 | INFO)
            for low, room in zip(ROOMS, rooms, strict=True):
                yield _room_renamed(room, block << 16 | low)


def _renamed(record: bytes, record_id: int) -> tuple[int, bytes]:
    return record_id, record_id.to_bytes(4, "little") + record[4:]


def _room_renamed(record: bytes, room_id: int) -> tuple[int, bytes]:
    """A room stores its id twice, before and after its flags (dat-format.md 2.4)."""
    word = room_id.to_bytes(4, "little")
    return room_id, word + record[4:8] + word + record[12:]
