"""The records of the data files that a simulation's edits change (dat-format.md 2, 3.4).

    changes = record_changes(sim)        # changes.cell[0xC95B0103]: the record as it is to be written

Rooms are edited as records; static things are moved and removed in the registry of what collides, so their records are
made here. A thing that was moved belongs to the record of the cell where it stands now.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.dat.database import DatDatabase
from engine.dat.datafolder import DatFolder
from engine.dat.errors import DatError
from engine.dat.ids import DatKind
from engine.dat.records import EnvCell as EnvCellRecord
from engine.dat.records import Environment, LandBlockInfo, Stab
from engine.dat.records.base import RecordFrame
from engine.dat.records.catalogue import read_record, write_record
from engine.dat.records.cells import HAS_STATIC_OBJECTS
from engine.entities.statics import StaticThing
from engine.geometry.frame import Frame
from engine.physics.flags import HAS_PHYSICS_BSP, STATIC
from engine.sim.errors import SimError
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text, is_env_cell, landblock_id, landblock_info_id, low_of
from engine.world.cells.objects import StaticObject
from engine.world.loader.dat_source import DatSource
from engine.world.loader.rooms import ENVIRONMENT_BASE
from engine.world.source import WorldSource

LAST_ENVIRONMENT: Final = 0x0D00FFFF
NO_RECORD: Final = "scenery grows from the terrain and the region's scenes; no record places it"
NO_STATE: Final = "records have no field for PhysicsState bits; a client derives them from the model"
NO_INFO: Final = "its landblock has no LandBlockInfo record that could place it"

Changes = dict[int, bytes | None]


class LeftOut(NamedTuple):
    """A change that no record of the data files can hold."""

    id: int
    what: str
    reason: str


class Kept(NamedTuple):
    """A thing whose change is left out: the files have it as it was recorded, in a room or on a landblock."""

    home: int
    thing: StaticObject


@dataclass
class RecordChanges:
    """Records by id as they are to be written, None for one to be removed; only those that differ from the source."""

    cell: Changes = field(default_factory=dict)
    portal: Changes = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)
    kept: dict[int, Kept] = field(default_factory=dict)
    """By the ids of the things, of those left out."""

    def of(self, kind: DatKind) -> Changes:
        if kind is DatKind.CELL:
            return self.cell
        return self.portal if kind is DatKind.PORTAL else {}

    def landblocks(self) -> list[int]:
        """The landblocks with a changed record, ascending."""
        return sorted({landblock_id(record_id) for record_id in self.cell})


def has_data_files(sim: Simulation) -> bool:
    """Whether a world comes from data files."""
    source = sim.world.source
    return isinstance(source, DatSource) and source.folder is not None


def data_folder_of(sim: Simulation) -> DatFolder:
    """The data files that a world comes from; raises a SimError when it comes from something else."""
    return folder_of_source(sim.world.source)


def folder_of_source(source: WorldSource) -> DatFolder:
    """The same of a source."""
    if not isinstance(source, DatSource) or source.folder is None:
        raise SimError(f"comes from a {source.kind}; only a data folder has records to compare and export", source.name)
    return source.folder


def record_changes(sim: Simulation) -> RecordChanges:
    """Everything that edits have changed in the landblocks that have come in. Raises a SimError or a DatError."""
    return _Collector(sim).collect()


class _Collector:
    def __init__(self, sim: Simulation) -> None:
        self.sim = sim
        self.folder = data_folder_of(sim)
        self.database: DatDatabase = self.folder.cell
        self.changes = RecordChanges()
        self.gone: dict[int, set[int]] = {}
        """By record: the places in its list of things that are no longer there."""
        self.moved: dict[int, dict[int, Frame]] = {}
        """By record: the places in its list of things that stand elsewhere."""
        self.come: dict[int, list[tuple[StaticObject, Frame]]] = {}
        """By record: the things of other records that stand there now."""

    def collect(self) -> RecordChanges:
        for block_id in sorted(self.sim.surroundings.joined):
            self._look_at(block_id)
        edited = self.sim.rooms.all_records()
        for record_id in sorted({*edited, *self.gone, *self.moved, *self.come}):
            self._put(record_id, self._changed_record(record_id))
        self._add_environments({cell_id: own for cell_id, (_, own) in edited.items() if own})
        return self.changes

    # --- static things

    def _look_at(self, block_id: int) -> None:
        block = self.sim.world.landblock(block_id)
        if block is None:
            return
        for thing in block.statics:
            self._look_at_thing(landblock_info_id(block.id), block.id, thing)
        for room in block.env_cells:
            for thing in room.static_objects:
                self._look_at_thing(room.id, room.id, thing)
        for plant in block.grown:
            if self._is_gone(plant) or self._place_now(plant, block.id) is not None:
                self._leave_out(plant, f"scenery {plant.id & 0xFFFF} of {cell_text(block.id)}", NO_RECORD, block.id)

    def _look_at_thing(self, record_id: int, home: int, thing: StaticObject) -> None:
        index = thing.id & 0xFFFF
        if self._is_gone(thing):
            self.gone.setdefault(record_id, set()).add(index)
            return
        name = f"static thing {index} of {cell_text(record_id)}"
        if self._has_other_state(thing):
            self.changes.left_out.append(LeftOut(thing.id, f"state bits of {name}", NO_STATE))
        place = self._place_now(thing, home)
        if place is None:
            return
        target, frame = place
        if target == record_id:
            self.moved.setdefault(record_id, {})[index] = frame
        elif target in self.database:
            self.gone.setdefault(record_id, set()).add(index)
            self.come.setdefault(target, []).append((thing, frame))
        else:
            self._leave_out(thing, name, NO_INFO, home)

    def _is_gone(self, thing: StaticObject) -> bool:
        """It collides, so it was registered, and is no longer."""
        solid = thing.solid
        if thing.id in self.sim.population.statics.things or not isinstance(solid, StaticThing):
            return False
        return solid.placed is not None and bool(solid.placed.shapes)

    def _place_now(self, thing: StaticObject, home: int) -> tuple[int, Frame] | None:
        """The record that a thing belongs to where it stands now, and its frame there; None if it was not moved."""
        if thing.id not in self.sim.population.statics.things:
            return None
        entry = self.sim.population.registry.entity(thing.id)
        now, then = entry.frame, thing.frame
        if entry.cell_id == home and (now.origin, now.rotation) == (then.origin, then.rotation):
            return None
        cell = self.sim.graph.get_visible(entry.cell_id) if is_env_cell(low_of(entry.cell_id)) else None
        record_id = cell.id if isinstance(cell, EnvCell) else landblock_info_id(entry.cell_id)
        return record_id, now

    def _has_other_state(self, thing: StaticObject) -> bool:
        setup = self.sim.world.setup(thing.model_id)
        if setup is None or thing.id not in self.sim.population.statics.things:
            return False
        unedited = STATIC | HAS_PHYSICS_BSP if setup.has_physics_bsp() else STATIC  # as `Statics` registers them
        return self.sim.population.registry.entity(thing.id).obj.state != unedited

    def _leave_out(self, thing: StaticObject, name: str, reason: str, home: int) -> None:
        self.changes.left_out.append(LeftOut(thing.id, name, reason))
        self.changes.kept[thing.id] = Kept(home, thing)

    # --- records

    def _changed_record(self, record_id: int) -> EnvCellRecord | LandBlockInfo:
        record = self._record(record_id)
        moved, gone = self.moved.get(record_id, {}), self.gone.get(record_id, set())
        for index, frame in moved.items():
            record.objects[index] = Stab(record.objects[index].model_id, _record_frame(frame))
        record.objects = [stab for index, stab in enumerate(record.objects) if index not in gone]
        for thing, frame in sorted(self.come.get(record_id, []), key=lambda pair: pair[0].id):
            record.objects.append(Stab(thing.model_id, _record_frame(frame)))
        if isinstance(record, EnvCellRecord):
            record.flags = record.flags & ~HAS_STATIC_OBJECTS | (HAS_STATIC_OBJECTS if record.objects else 0)
        return record

    def _record(self, record_id: int) -> EnvCellRecord | LandBlockInfo:
        """A copy of the record as edits of rooms have left it."""
        kept = self.sim.rooms.records_of(record_id)
        data = self.database.read(record_id) if kept is None else kept[0]
        file = self.database.file
        if is_env_cell(low_of(record_id)):
            return read_record(EnvCellRecord, data, file=file, record_id=record_id)
        return read_record(LandBlockInfo, data, file=file, record_id=record_id)

    def _put(self, record_id: int, record: EnvCellRecord | LandBlockInfo) -> None:
        data = write_record(record, self.database.file)
        if record_id not in self.database or self.database.read(record_id) != data:
            self.changes.cell[record_id] = data

    # --- shapes of rooms' own

    def _add_environments(self, own: dict[int, bytes]) -> None:
        """Write the environments that edited rooms bring along, under new ids where the files have others there."""
        given: dict[bytes, int] = {}
        for cell_id, data in own.items():
            record = read_record(
                EnvCellRecord,
                self.changes.cell.get(cell_id) or self.database.read(cell_id),
                file=self.database.file,
                record_id=cell_id,
            )
            wanted = ENVIRONMENT_BASE | record.environment
            shapes = read_record(Environment, data, file=self.folder.portal.file, record_id=wanted)
            if all(keyed.key != record.structure for keyed in shapes.structures):
                continue  # its shape is one of the world's
            if data not in given:
                given[data] = self._environment_id(wanted, data, set(given.values()))
                shapes.id = given[data]
                written = write_record(shapes, self.folder.portal.file)
                if self._portal_bytes(shapes.id) != written:
                    self.changes.portal[shapes.id] = written
            record.environment = given[data] & 0xFFFF
            self._put(cell_id, record)

    def _environment_id(self, wanted: int, data: bytes, taken: set[int]) -> int:
        if wanted not in taken and self._portal_bytes(wanted) in (None, data):
            return wanted
        for free in range(LAST_ENVIRONMENT, ENVIRONMENT_BASE, -1):
            if free not in taken and self.folder.portal_holder(free) is None:
                return free
        raise DatError(self.folder.portal.file, wanted, None, "id", "no id is free for another environment")

    def _portal_bytes(self, record_id: int) -> bytes | None:
        holder = self.folder.portal_holder(record_id)
        return None if holder is None else holder.read(record_id)


def _record_frame(frame: Frame) -> RecordFrame:
    return RecordFrame(frame.origin, frame.rotation)


def changed_kinds(changes: RecordChanges) -> Iterator[DatKind]:
    """The databases with a changed record."""
    for kind in (DatKind.CELL, DatKind.PORTAL):
        if changes.of(kind):
            yield kind
