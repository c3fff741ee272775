"""What differs between two worlds, as records of data files and as entities beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields

from editor.export.data_files import databases_of, entities_left_out
from editor.export.edited_world import edited_world
from editor.export.record_listing import ChangedRecord, changed_record
from editor.export.server_data import plan_server_export, server_entities
from editor.session.server_choice import ServerChoice
from engine.dat.comparison import DatabaseSide, differences
from engine.dat.database import DatDatabase
from engine.dat.datafolder import DatFolder
from engine.dat.field_changes import FieldChange
from engine.dat.ids import DatKind
from engine.sim.data_files.changes import LeftOut, RecordChanges, data_folder_of, record_changes
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text
from engine.world.entity_spec import EntitySpec
from engine.world.server.differences import RowDifference


@dataclass(frozen=True)
class ComparedWorld:
    """One side: data files, the changes that edits make to their records, and what these cannot hold."""

    name: str
    folder: DatFolder
    changes: RecordChanges
    left_out: tuple[LeftOut, ...]
    entities: dict[int, EntitySpec]
    sim: Simulation
    rows: tuple[RowDifference, ...] = ()
    """What its edits change in the server's data that stands in it, and what of that no row can hold."""
    rows_left_out: tuple[LeftOut, ...] = ()


@contextmanager
def compared_world(source: str, beside: str, server: ServerChoice | None = None) -> Iterator[ComparedWorld]:
    """Open a data folder, the demo world, or a project of either; `beside` is the other side, which the user named."""
    with edited_world(source, named=[beside], server=server) as edited:
        sim = edited.sim
        folder, changes = data_folder_of(sim), record_changes(sim)
        entities = {spec.guid: spec for spec in sim.world.entities}
        if server_entities(sim) is None:
            left_out = (*changes.left_out, *entities_left_out(sim, edited.start, edited.touched))
            yield ComparedWorld(source, folder, changes, left_out, entities, sim)
            return
        plan = plan_server_export(sim, edited.start, edited.touched)
        left_out = tuple(changes.left_out)
        yield ComparedWorld(source, folder, changes, left_out, entities, sim, tuple(plan.rows), plan.left_out)


@dataclass(frozen=True)
class MissingFile:
    """A database that only one side has."""

    kind: DatKind
    only_in: str


def world_differences(
    before: ComparedWorld, after: ComparedWorld, told: Callable[[float], None] | None = None
) -> Iterator[ChangedRecord | MissingFile]:
    """The records that differ, one at a time, in the order of the databases and of their ids."""
    old, new = dict(databases_of(before.folder)), dict(databases_of(after.folder))
    for kind in (DatKind.PORTAL, DatKind.HIGHRES, DatKind.LOCAL, DatKind.CELL):
        if kind not in old and kind not in new:
            continue
        if kind not in old or kind not in new:
            yield MissingFile(kind, before.name if kind in old else after.name)
            continue
        left = DatabaseSide(old[kind], before.changes.of(kind))
        right = DatabaseSide(_same(old[kind], new[kind]), after.changes.of(kind))
        for difference in differences(left, right, told):
            yield changed_record(difference, kind)


def _same(one: DatDatabase, other: DatDatabase) -> DatDatabase:
    """The first database for both sides if they are one file: only the changes are compared then."""
    return one if one.blocks.stamp == other.blocks.stamp else other


def entity_differences(before: ComparedWorld, after: ComparedWorld) -> Iterator[tuple[str, list[FieldChange]]]:
    """The entities beside the data files that differ, with their fields."""
    for guid in sorted({*before.entities, *after.entities}):
        old, new = before.entities.get(guid), after.entities.get(guid)
        found = list(_spec_changes(old, new))
        if found:
            spec = old or new
            name = "" if spec is None else spec.name
            yield f"entity {cell_text(guid)} {name}", found


def _spec_changes(old: EntitySpec | None, new: EntitySpec | None) -> Iterator[FieldChange]:
    if old is None or new is None:
        yield FieldChange("entity", None if old is None else "listed", None if new is None else "listed")
        return
    for each in fields(EntitySpec):
        was, now = getattr(old, each.name), getattr(new, each.name)
        if each.name == "frame":
            was, now = (*was.origin, *was.rotation), (*now.origin, *now.rotation)
        if was != now:
            yield FieldChange(each.name, str(was), str(now))
