"""Edits of static things: a room's by replacing its record (dat-format.md 2.4), a landblock's, which no record of the
simulation holds, by its registered shadow entries (physics.md 8.3).

    add_static(sim, cell_id, model_id, frame)     move_static(sim, cell_id, index, frame)     remove_static(...)

are for rooms; `move_thing` and `remove_thing` take any static thing by its id.
"""

from __future__ import annotations

from dataclasses import dataclass

from editor.authoring.cell_edits import changed, room_of
from engine.dat.records import EnvCell as EnvCellRecord
from engine.dat.records import Stab
from engine.dat.records.base import RecordFrame
from engine.geometry.frame import Frame
from engine.physics.errors import PhysicsError
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import RemoveEntity
from engine.sim.edits.placing import PlaceEntity
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.cells.objects import static_object_id

MOST_STATICS = 0xFFFF


@dataclass(frozen=True)
class StaticPlace:
    """The place of a static thing: `cell_id` is the room that owns it, with `index` its number there. For a thing of a
    landblock it is the cell or landblock that its frame counts from, and `index` is −1."""

    id: int
    model_id: int
    cell_id: int
    index: int
    frame: Frame

    @property
    def in_a_room(self) -> bool:
        return self.index >= 0


def owner_of(static_id: int) -> int:
    """The id of the cell or landblock record in a static thing's id (`static_object_id`)."""
    return static_id >> 16 & 0xFFFFFFFF


def find_static(sim: Simulation, static_id: int) -> StaticPlace | None:
    """The static thing of an id; None when it does not exist, or belongs to a landblock and does not collide."""
    owner, index = owner_of(static_id), static_id & 0xFFFF
    room = sim.graph.get_visible(owner)
    if isinstance(room, EnvCell):
        there = index < len(room.static_objects) and room.static_objects[index].id == static_id
        return _in_room(room, index) if there else None
    thing = sim.population.statics.things.get(static_id)
    if thing is None:
        return None
    entry = sim.population.registry.entity(static_id)
    return StaticPlace(static_id, thing.model_id, entry.cell_id, -1, entry.frame)


def _in_room(room: EnvCell, index: int) -> StaticPlace:
    thing = room.static_objects[index]
    return StaticPlace(thing.id, thing.model_id, room.id, index, thing.frame)


def name_of_static(place: StaticPlace) -> str:
    """The name of a static thing in the names of steps."""
    model = f"Model {cell_text(place.model_id)}"
    return f"Static {place.index} of {cell_text(place.cell_id)}" if place.in_a_room else model


# --- of rooms


def add_static(sim: Simulation, cell_id: int, model_id: int, frame: Frame) -> list[Edit]:
    """Add a thing to a room, at a place in its landblock; it becomes the room's last, see `new_static_id`."""
    if sim.world.setup(model_id) is None:
        raise PhysicsError(f"this world has no model {cell_text(model_id)}")

    def change(record: EnvCellRecord) -> None:
        if len(record.objects) >= MOST_STATICS:
            raise PhysicsError(f"{cell_text(cell_id)} has {len(record.objects)} static things already")
        record.objects.append(Stab(model_id, _placed(frame)))

    return changed(sim, cell_id, change)


def new_static_id(sim: Simulation, cell_id: int) -> int:
    """The id of the next thing added to a room."""
    return static_object_id(cell_id, len(room_of(sim, cell_id).static_objects))


def remove_static(sim: Simulation, cell_id: int, index: int) -> list[Edit]:
    """Remove a thing from a room; those after it move up in the list."""

    def change(record: EnvCellRecord) -> None:
        _check_index(record, index)
        del record.objects[index]

    return changed(sim, cell_id, change)


def move_static(sim: Simulation, cell_id: int, index: int, frame: Frame) -> list[Edit]:
    """Move a thing of a room within the landblock. It stays the room's; `rehome_static` gives it to another."""

    def change(record: EnvCellRecord) -> None:
        _check_index(record, index)
        record.objects[index] = Stab(record.objects[index].model_id, _placed(frame))

    return changed(sim, cell_id, change)


def rehome_static(sim: Simulation, cell_id: int, index: int, home: int, frame: Frame) -> list[Edit]:
    """Move a thing of a room to another room of the same landblock, where it becomes the last."""
    if home == cell_id:
        return move_static(sim, cell_id, index, frame)
    room = room_of(sim, cell_id)
    if home >> 16 != cell_id >> 16:
        raise PhysicsError(f"{cell_text(home)} is in another landblock than {cell_text(cell_id)}")
    if not 0 <= index < len(room.static_objects):
        raise PhysicsError(f"{cell_text(cell_id)} has no static thing {index}")
    model_id = room.static_objects[index].model_id
    return [*remove_static(sim, cell_id, index), *add_static(sim, home, model_id, frame)]


def _check_index(record: EnvCellRecord, index: int) -> None:
    if not 0 <= index < len(record.objects):
        raise PhysicsError(f"{cell_text(record.id)} has no static thing {index}")


def _placed(frame: Frame) -> RecordFrame:
    if not frame.is_valid():
        raise PhysicsError(f"{frame!r} is not a place with a direction")
    return RecordFrame(frame.origin, frame.rotation)


# --- of any kind


def move_thing(sim: Simulation, static_id: int, frame: Frame) -> list[Edit]:
    """Move a static thing; `frame` is in the landblock it is in now."""
    place = _there(sim, static_id)
    if place.in_a_room:
        return move_static(sim, place.cell_id, place.index, frame)
    return [PlaceEntity(static_id, place.cell_id, *frame.origin, *frame.rotation)]


def remove_thing(sim: Simulation, static_id: int) -> list[Edit]:
    """Remove a static thing."""
    place = _there(sim, static_id)
    if place.in_a_room:
        return remove_static(sim, place.cell_id, place.index)
    return [RemoveEntity(static_id)]


def _there(sim: Simulation, static_id: int) -> StaticPlace:
    place = find_static(sim, static_id)
    if place is None:
        owner = cell_text(owner_of(static_id))
        raise PhysicsError(f"{owner} has no static thing {static_id & 0xFFFF} that could be edited")
    return place
