"""Data folders of many landblocks for surveys: huts, and some of them with a room that has moved."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from editor.survey.survey import prepared
from editor.survey.task import Work
from engine.dat.database import DatDatabase
from engine.dat.ids import ITERATION_ID, DatKind
from engine.dat.records import EnvCell
from engine.dat.records.catalogue import read_record, write_record
from engine.dat.writer import write_database
from tests.many_landblocks import huts, write_many

COLUMNS, ROWS, HUT_EVERY = 4, 9, 2
HUTS: Final = huts(COLUMNS, ROWS, HUT_EVERY)
ROOM: Final = 0x0100
BROKEN: Final = (HUTS[3], HUTS[7])
"""The landblocks of which a room has moved."""
HEIGHTS_AT: Final = 170


def write_huts(folder: Path, broken: Iterable[int] = BROKEN) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    write_many(folder, COLUMNS, ROWS, HUT_EVERY)
    move_rooms(folder, broken)
    return folder


def move_rooms(folder: Path, blocks: Iterable[int], by: float = 0.4) -> None:
    """Move a room of these landblocks, so that its doorway meets no other."""

    def moved(record: bytes) -> bytes:
        room = read_record(EnvCell, record, file="test", record_id=int.from_bytes(record[:4], "little"))
        (x, y, z), room.frame.origin = room.frame.origin, (0.0, 0.0, 0.0)
        room.frame.origin = (x, y + by, z)
        return write_record(room)

    change_records(folder, {block & 0xFFFF0000 | ROOM: moved for block in blocks})


def change_records(
    folder: Path, changes: Mapping[int, Callable[[bytes], bytes] | None], kind: DatKind = DatKind.CELL
) -> None:
    """Write a database again, with some of its records changed, or for None left out."""
    file = folder / kind.file_name
    with DatDatabase.open(file) as old:
        records = {record_id: old.read(record_id) for record_id in old.ids() if record_id != ITERATION_ID}
    for record_id, change in changes.items():
        old_record = records.pop(record_id)
        if change is not None:
            records[record_id] = change(old_record)
    fresh = file.with_suffix(".new")
    write_database(fresh, kind, sorted(records.items()))
    os.replace(fresh, file)


def work_of(folder: Path, *parts: str) -> tuple[Work, list[int]]:
    return prepared(Work(str(folder), parts=parts or ("check",)))
