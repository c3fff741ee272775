"""Edits of rooms, which replace a room's record (dat-format.md 2.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.dat.records import EnvCell as EnvCellRecord
from engine.dat.records import EnvCellPortal
from engine.dat.records.base import RecordFrame
from engine.dat.records.catalogue import read_record
from engine.dat.records.cells import HAS_STATIC_OBJECTS, SEEN_OUTSIDE
from engine.geometry.frame import Frame
from engine.geometry.quat import conjugate, multiply, normalize
from engine.physics.errors import PhysicsError
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.edit import Edit
from engine.sim.edits.placing import PlaceEntity
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text, landblock_id
from engine.world.cells.portals import LEADS_OUTSIDE, OUTSIDE
from engine.world.loader.edited import EDITED, cell_record_bytes, record_of_cell
from engine.world.world import World


def set_seen_outside(sim: Simulation, cell_id: int, seen: bool) -> list[Edit]:
    """Set or clear whether the outdoors is drawn from this room at all."""

    def change(record: EnvCellRecord) -> None:
        record.flags = record.flags | SEEN_OUTSIDE if seen else record.flags & ~SEEN_OUTSIDE

    return changed(sim, cell_id, change)


def set_portal_flags(sim: Simulation, cell_id: int, index: int, flags: int) -> list[Edit]:
    """Set the flags of one portal; its target stays."""

    def change(record: EnvCellRecord) -> None:
        if not 0 <= index < len(record.portals):
            raise PhysicsError(f"{cell_text(cell_id)} has no portal {index}")
        old = record.portals[index]
        record.portals[index] = EnvCellPortal(flags & 0xFFFF, old.polygon_id, old.other_cell_id, old.other_portal_id)

    return changed(sim, cell_id, change)


def set_portal_back(sim: Simulation, cell_id: int, index: int, back: int) -> list[Edit]:
    """Set the number of a portal's other side; its target stays."""

    def change(record: EnvCellRecord) -> None:
        old = record.portals[index]
        record.portals[index] = EnvCellPortal(old.flags, old.polygon_id, old.other_cell_id, back & 0xFFFF)

    return changed(sim, cell_id, change)


def set_portal(sim: Simulation, cell_id: int, index: int, target: int, back: int, flags: int) -> list[Edit]:
    """Set a portal's target (the full id of a cell of its landblock, or `OUTSIDE`), the number of its other side there
    (−1: none), and its flags, all unchecked."""
    return changed(sim, cell_id, _leading(cell_id, index, target, back, flags))


def link_portal(
    sim: Simulation, cell_id: int, index: int, target: int, back: int, both: bool, flags: int = -1
) -> list[Edit]:
    """Link a portal to another cell, with the flag that says whether that is outdoors. With `both`, portal number
    `back` of the target links back here; otherwise it stays as it is, and so does the portal that led here before."""
    here = room_of(sim, cell_id)
    if not 0 <= index < len(here.portals):
        raise PhysicsError(f"{cell_text(cell_id)} has no portal {index}")
    outdoors = target == OUTSIDE
    there = _outdoor_flag(here.portals[index].flags if flags < 0 else flags, outdoors)
    first = _leading(cell_id, index, target, back, there)
    if not both or outdoors:
        return changed(sim, cell_id, first)
    beyond = room_of(sim, target)
    if not 0 <= back < len(beyond.portals):
        raise PhysicsError(f"{cell_text(target)} has no portal {back}, so it cannot lead back")
    second = _leading(target, back, cell_id, index, _outdoor_flag(beyond.portals[back].flags, False))
    if target != cell_id:
        return [*changed(sim, cell_id, first), *changed(sim, target, second)]

    def change(record: EnvCellRecord) -> None:
        first(record)
        second(record)

    return changed(sim, cell_id, change)


def _outdoor_flag(flags: int, outdoors: bool) -> int:
    return flags | LEADS_OUTSIDE if outdoors else flags & ~LEADS_OUTSIDE


def _leading(cell_id: int, index: int, target: int, back: int, flags: int) -> Callable[[EnvCellRecord], None]:
    if target != OUTSIDE and target >> 16 != cell_id >> 16:
        raise PhysicsError(f"{cell_text(target)} is in another landblock; a portal leads to cells of its own")
    if not -1 <= back <= 0xFFFF:
        raise PhysicsError(f"{back} is not a portal number")

    def change(record: EnvCellRecord) -> None:
        if not 0 <= index < len(record.portals):
            raise PhysicsError(f"{cell_text(cell_id)} has no portal {index}")
        old = record.portals[index]
        record.portals[index] = EnvCellPortal(flags & 0xFFFF, old.polygon_id, target & 0xFFFF, back & 0xFFFF)

    return change


def set_cell_frame(sim: Simulation, cell_id: int, frame: Frame, carry: bool = False) -> list[Edit]:
    """Move a whole room, and its static things with it, for their places count from the landblock. `carry` also moves
    the entities in it, and the player."""
    if not frame.is_valid():
        raise PhysicsError(f"{frame!r} is not a place with a direction")
    old = room_of(sim, cell_id).frame

    def change(record: EnvCellRecord) -> None:
        record.frame = RecordFrame(frame.origin, frame.rotation)
        for thing in record.objects:
            moved = _carried(Frame(thing.frame.origin, thing.frame.rotation), old, frame)
            thing.frame = RecordFrame(moved.origin, moved.rotation)

    edits = changed(sim, cell_id, change)
    for entity in (sim.player, *sim.population.ordered) if carry else ():
        if entity.place_cell() == cell_id:
            moved = _carried(entity.place_frame(), old, frame)
            edits.append(PlaceEntity(entity.id, cell_id, *moved.origin, *moved.rotation))
    return edits


def _carried(thing: Frame, old: Frame, new: Frame) -> Frame:
    """The frame of a thing that keeps its place in a room which moves from `old` to `new`."""
    turned = multiply(multiply(new.rotation, conjugate(old.rotation)), thing.rotation)
    return Frame(new.local_to_global(old.global_to_local(thing.origin)), normalize(turned))


def set_stab_list(sim: Simulation, cell_id: int, seen: Sequence[int]) -> list[Edit]:
    """Set the cells that count as seen from this one, by full ids of the same landblock."""

    def change(record: EnvCellRecord) -> None:
        for other in seen:
            if other >> 16 != cell_id >> 16:
                raise PhysicsError(f"{cell_text(other)} is in another landblock; a stab list names cells of its own")
        record.visible_cells = [other & 0xFFFF for other in dict.fromkeys(seen)]

    return changed(sim, cell_id, change)


def room_of(sim: Simulation, cell_id: int) -> EnvCell:
    cell = sim.graph.get_visible(cell_id)
    if not isinstance(cell, EnvCell):
        raise PhysicsError(f"{cell_text(cell_id)} is not a room")
    return cell


def current_record(sim: Simulation, cell_id: int) -> EnvCellRecord:
    """A room's record, free to be changed: as it was edited last, else as it was loaded. The room itself does not know
    all of it, like the cell that a portal names which leads outdoors by its flag."""
    kept, loaded = sim.rooms.records_of(cell_id), sim.world.record(cell_id)
    if kept is not None:
        return read_record(EnvCellRecord, kept[0], file=EDITED, record_id=cell_id)
    if isinstance(loaded, EnvCellRecord):
        return read_record(EnvCellRecord, cell_record_bytes(loaded), file=EDITED, record_id=cell_id)
    return record_of_cell(sim.world.source, room_of(sim, cell_id))


def loaded_records(world: World, cell_id: int) -> tuple[bytes, bytes]:
    """The records with which `ReplaceCell` restores a room to how its source has it."""
    record = world.record(cell_id)
    if not isinstance(record, EnvCellRecord):  # dumps and scenes have no records
        block = world.source.load_landblock(landblock_id(cell_id))
        rooms = [] if block is None else [room for room in block.env_cells if room.id == cell_id]
        if not rooms:
            raise PhysicsError(f"{cell_text(cell_id)} is not a room")
        record = record_of_cell(world.source, rooms[0])
    return cell_record_bytes(record), b""


def changed(sim: Simulation, cell_id: int, change: Callable[[EnvCellRecord], None]) -> list[Edit]:
    """The edit that replaces a room, its record changed by `change`."""
    record = current_record(sim, cell_id)
    change(record)
    record.flags = record.flags & ~HAS_STATIC_OBJECTS | (HAS_STATIC_OBJECTS if record.objects else 0)
    kept = sim.rooms.records_of(cell_id)
    return [ReplaceCell(cell_record_bytes(record), b"" if kept is None else kept[1])]
