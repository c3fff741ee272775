"""What an export of data files writes: the changed records of the open world, and what no record can hold."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from editor.document.world_diff import EditableState, editable_state
from editor.export.record_listing import ChangedRecord, changed_record
from engine.dat.blocks import BlockFile
from engine.dat.comparison import DatabaseSide, differences
from engine.dat.database import DatDatabase
from engine.dat.datafolder import DatFolder
from engine.dat.errors import DatError
from engine.dat.ids import DatKind
from engine.entities.specs import unpack_spec
from engine.sim.data_files.changes import LeftOut, RecordChanges, data_folder_of, record_changes
from engine.sim.data_files.standing import Standing, standing
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text, landblock_id

DOORS_ELSEWHERE: Final = "doors come from entities.json here and from the server's data there; no record places one"
ENTITIES_ELSEWHERE: Final = "it comes from entities.json here and from the server's data there; no record places it"

Stamp = tuple[int, int, int, int]


@dataclass(frozen=True)
class DataFilesPlan:
    """The export of one moment: it does not follow later edits."""

    world: str
    folder: Path
    """The data folder that the world was opened from."""
    stamps: dict[DatKind, Stamp]
    """The versions of its files that the world was read from."""
    changes: RecordChanges
    expected: Standing
    """What the landblocks with changed records have to hold when the export is opened."""
    records: tuple[ChangedRecord, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def is_empty(self) -> bool:
        return not self.records


def plan_export(sim: Simulation, start: EditableState, touched: Collection[int]) -> DataFilesPlan:
    """Plan the export of a world as it stands now. `start` is the state before its edits, `touched` are the ids of
    what they name. Raises a SimError for a world without data files, a DatError for records that cannot be read."""
    folder = data_folder_of(sim)
    changes = record_changes(sim)
    left_out = (*changes.left_out, *entities_left_out(sim, start, touched))
    expected = standing(sim, changes.landblocks(), changes.kept)
    stamps = {kind: database.blocks.stamp for kind, database in databases_of(folder)}
    records = tuple(_records(folder, changes))
    return DataFilesPlan(sim.world.name, folder.path, stamps, changes, expected, records, left_out)


def databases_of(folder: DatFolder) -> Iterator[tuple[DatKind, DatDatabase]]:
    """The databases that a folder has."""
    for kind, database in (
        (DatKind.PORTAL, folder.portal),
        (DatKind.CELL, folder.cell),
        (DatKind.HIGHRES, folder.highres),
        (DatKind.LOCAL, folder.local),
    ):
        if database is not None:
            yield kind, database


def check_version(file: BlockFile, stamp: Stamp) -> None:
    """Refuse a file that was replaced since the world was read from it."""
    if file.stamp != stamp:
        raise DatError(file.file, None, None, None, "was replaced since the world was opened; reload the world first")


def _records(folder: DatFolder, changes: RecordChanges) -> Iterator[ChangedRecord]:
    for kind, database in databases_of(folder):
        for difference in differences(DatabaseSide(database), DatabaseSide(database, changes.of(kind))):
            yield changed_record(difference, kind)


def entities_left_out(sim: Simulation, start: EditableState, touched: Collection[int]) -> Iterator[LeftOut]:
    """The entities and doors that edits have added, changed or removed."""
    now = editable_state(sim)
    for entity_id, entity in now.entities.items():
        before = start.entities.get(entity_id)
        if before == entity or (before is not None and entity_id not in touched):
            continue  # what only time has moved starts where it is listed
        done = "is new" if before is None else "was changed"
        reason = ENTITIES_ELSEWHERE if entity.door is None else DOORS_ELSEWHERE
        yield LeftOut(entity_id, f"{unpack_spec(entity.spec).name} ({cell_text(entity_id)}) {done}", reason)
    for entity_id, entity in start.entities.items():
        spec = unpack_spec(entity.spec)
        if entity_id not in now.entities and landblock_id(spec.cell_id) in now.joined:
            reason = ENTITIES_ELSEWHERE if entity.door is None else DOORS_ELSEWHERE
            yield LeftOut(entity_id, f"{spec.name} ({cell_text(entity_id)}) was removed", reason)
