"""Stab lists as they should be, as records to be written: an export that changes nothing but those lists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from editor.export.data_files import DataFilesPlan, databases_of
from editor.export.record_listing import ChangedRecord, changed_record
from engine.dat.comparison import DatabaseSide, differences
from engine.dat.datafolder import DatFolder
from engine.dat.ids import DatKind
from engine.dat.records import EnvCell as EnvCellRecord
from engine.dat.records.catalogue import read_record, write_record
from engine.sim.data_files.changes import RecordChanges, folder_of_source
from engine.survey.stabs.lists import ComputedList
from engine.world.cells.ids import cell_text
from engine.world.world import World


@dataclass
class StabExport:
    """The lists that differ in a world of data files; `put` takes them one by one, `plan` is what is then written."""

    world: World
    keep: bool = False
    """Leave in what is too much."""
    lists: dict[int, list[int]] = field(default_factory=dict)
    """By cell, as full ids."""
    _changes: RecordChanges = field(default_factory=RecordChanges)

    def __post_init__(self) -> None:
        self._folder: DatFolder = folder_of_source(self.world.source)

    def put(self, computed: ComputedList) -> None:
        """Take a list that differs. Raises a DatError for a record that cannot be read."""
        cell_id, wanted = computed.room.id, computed.wanted(keep=self.keep)
        database = self._folder.cell
        record = read_record(EnvCellRecord, database.read(cell_id), file=database.file, record_id=cell_id)
        record.visible_cells = [each & 0xFFFF for each in wanted]
        self._changes.cell[cell_id] = write_record(record, database.file)
        self.lists[cell_id] = wanted

    def plan(self) -> DataFilesPlan:
        return DataFilesPlan(
            self.world.name,
            self._folder.path,
            {kind: database.blocks.stamp for kind, database in databases_of(self._folder)},
            self._changes,
            {f"the stab list of {cell_text(cell_id)}": listed for cell_id, listed in self.lists.items()},
            tuple(self._records()),
            (),
        )

    def _records(self) -> Iterator[ChangedRecord]:
        database = self._folder.cell
        for difference in differences(DatabaseSide(database), DatabaseSide(database, self._changes.cell)):
            yield changed_record(difference, DatKind.CELL)
