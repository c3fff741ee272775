"""The editable state of a simulation between two ticks, and the edits that bring another simulation of the same world
there.

It covers what edits can change: entities with their places, velocities, state bits and doors, static things, edited
rooms, the rules, the player's numbers and place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from engine.entities.door import NEVER, Door
from engine.entities.entity import Entity
from engine.entities.player import player_names
from engine.entities.specs import unpack_spec
from engine.geometry.quat import Quat
from engine.geometry.vec import Vec3
from engine.physics.flags import HIDDEN
from engine.physics.rules import RULE_NAMES
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor, SetDoorTimer, SetResetInterval
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import AddEntity, RemoveEntity, RestoreStatic, SetState, SetVelocity, spec_text
from engine.sim.edits.placing import PlaceEntity, last_place
from engine.sim.edits.player import SetPlayerNumber
from engine.sim.edits.rules import SetRule
from engine.sim.edits.world import SetTimeOfDay
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import is_env_cell, landblock_id, low_of
from engine.world.entity_limits import WORD

NOWHERE: Final = 0


@dataclass(frozen=True, slots=True)
class ThingState:
    """The place of a thing, its PhysicsState unless it is nowhere, and its velocity if it has a body."""

    cell_id: int
    origin: Vec3
    rotation: Quat
    state: int | None
    velocity: Vec3 | None = None


@dataclass(frozen=True, slots=True)
class DoorState:
    """`left` counts the ticks until the door resets, or is NEVER; `closing` holds until its leaves are shut."""

    is_open: bool
    locked: bool
    interval: float
    left: int
    closing: bool


@dataclass(frozen=True, slots=True)
class EntityState:
    """An entity: its specification, and what has become of it."""

    spec: bytes
    place: ThingState
    door: DoorState | None


@dataclass(frozen=True, slots=True)
class EditableState:
    """Everything that edits can change, by id or name."""

    tick: int
    player_id: int
    player: ThingState
    numbers: dict[str, float]
    rules: dict[str, str]
    time_of_day: float
    rooms: dict[int, tuple[bytes, bytes]]
    entities: dict[int, EntityState]
    statics: dict[int, ThingState]
    cleared: list[int]
    """Static things of edited rooms that were removed."""
    joined: list[int]
    """The landblocks that have come in."""


def editable_state(sim: Simulation) -> EditableState:
    population = sim.population
    player = population.player
    rooms = sim.rooms.all_records()
    return EditableState(
        sim.tick_number,
        player.id,
        _place(sim, player),
        {name: player.number(name) for name in player_names()},
        {rule: sim.rules.form(rule) for rule in RULE_NAMES},
        sim.time_of_day,
        rooms,
        {entity.id: _entity_state(sim, entity) for entity in population.ordered},
        {thing_id: _static_place(sim, thing_id) for thing_id in population.statics.things},
        [thing_id for cell_id in rooms for thing_id in _cleared(sim, cell_id)],
        list(sim.surroundings.joined),
    )


def join(start: EditableState, sim: Simulation, block_id: int) -> None:
    """Add a landblock that has just come in to the state in which the world began."""
    if block_id in start.joined:
        return
    population = sim.population
    start.joined.append(block_id)
    for spec in sim.world.entities_of(block_id):
        entity = population.entities.get(spec.guid)
        if entity is not None and entity.id not in start.entities:
            start.entities[entity.id] = _entity_state(sim, entity)
    for thing_id in population.statics.things:
        if landblock_id(thing_id >> 16 & WORD) == block_id:
            start.statics[thing_id] = _static_place(sim, thing_id)


def _place(sim: Simulation, entity: Entity) -> ThingState:
    cell_id, frame = last_place(entity)
    there = entity.id in sim.population.registry.entities
    state = sim.population.state_of(entity.id) if there else None
    velocity = None if entity.body is None else entity.body.velocity
    return ThingState(cell_id, frame.origin, frame.rotation, state, velocity)


def _entity_state(sim: Simulation, entity: Entity) -> EntityState:
    door = _door(entity, sim.tick_number) if isinstance(entity, Door) else None
    return EntityState(entity.spec, _place(sim, entity), door)


def _door(door: Door, now: int) -> DoorState:
    left = NEVER if door.reset_at == NEVER else max(door.reset_at - now, 0)
    closing = not door.is_open and (door.held or door.is_busy(now))
    return DoorState(door.is_open, door.locked, door.reset_interval, left, closing)


def _static_place(sim: Simulation, thing_id: int) -> ThingState:
    entry = sim.population.registry.entity(thing_id)
    return ThingState(entry.cell_id, entry.frame.origin, entry.frame.rotation, entry.obj.state)


def _cleared(sim: Simulation, cell_id: int) -> list[int]:
    room = sim.graph.get_visible(cell_id)
    there = sim.population.statics.things
    things = room.static_objects if isinstance(room, EnvCell) else []
    return [thing.id for thing in things if thing.id not in there]


def current_placement(sim: Simulation, thing_id: int) -> PlaceEntity | None:
    """The edit that would put an entity or a static thing where it stands; None when it is not there."""
    entity = sim.population.find(thing_id)
    if entity is None and thing_id not in sim.population.statics.things:
        return None
    place = _static_place(sim, thing_id) if entity is None else _place(sim, entity)
    return PlaceEntity(thing_id, place.cell_id, *place.origin, *place.rotation)


# --- from one state to another


def edits_between(
    start: EditableState, now: EditableState, touched: Collection[int] = (), numbers: Collection[str] = ()
) -> list[Edit]:
    """The edits that lead from `start` to `now`. Those of `touched` entities, of the player, and of the `numbers` that
    steps have set (one of them counts down) are always included."""
    edits: list[Edit] = [SetRule(rule, form) for rule, form in now.rules.items() if form != start.rules[rule]]
    if now.time_of_day != start.time_of_day:
        edits.append(SetTimeOfDay(now.time_of_day))
    edits += [ReplaceCell(*records) for cell_id, records in now.rooms.items() if records != start.rooms.get(cell_id)]
    edits += _statics(start, now)
    edits += _removed_entities(start, now)
    for entity_id, entity in now.entities.items():
        before = start.entities.get(entity_id)
        if before != entity or entity_id in touched:
            edits += _restored_entity(entity_id, before, entity)
    edits += [
        SetPlayerNumber(name, value)
        for name, value in now.numbers.items()
        if value != start.numbers[name] or name in numbers
    ]
    if now.player.cell_id != NOWHERE:
        edits += _placed(now.player_id, now.player)
    return edits


def _statics(start: EditableState, now: EditableState) -> Iterator[Edit]:
    """The edits of static things; those that have just come in, or not yet, are where the world has them."""
    for thing_id, place in start.statics.items():
        if thing_id in now.statics or landblock_id(thing_id >> 16 & WORD) not in now.joined:
            continue
        if place.cell_id not in now.rooms or thing_id in now.cleared:
            yield RemoveEntity(thing_id)
    for thing_id, place in now.statics.items():
        owner = thing_id >> 16 & WORD
        if thing_id not in start.statics and landblock_id(owner) in start.joined and not is_env_cell(low_of(owner)):
            yield RestoreStatic(thing_id)  # the recording that was opened removes it later
            yield from _placed(thing_id, place)
        elif start.statics.get(thing_id, place) != place:
            yield from _placed(thing_id, place)


def _removed_entities(start: EditableState, now: EditableState) -> Iterator[Edit]:
    """The edits that remove entities, but not those of a landblock that has not come in again."""
    for entity_id, entity in start.entities.items():
        home = landblock_id(unpack_spec(entity.spec).cell_id) if entity_id not in now.entities else NOWHERE
        if home != NOWHERE and (home in now.joined or home not in start.joined):
            yield RemoveEntity(entity_id)


def _restored_entity(entity_id: int, before: EntityState | None, entity: EntityState) -> Iterator[Edit]:
    if before is None or before.spec != entity.spec:
        yield AddEntity(spec_text(unpack_spec(entity.spec)))
    door = entity.door
    if door is None:
        yield from _placed(entity_id, entity.place)
        return
    yield OpenDoor(entity_id) if door.is_open or door.closing else CloseDoor(entity_id)
    yield from _placed(entity_id, entity.place)
    if door.closing:  # last, so that the leaves are still moving
        yield CloseDoor(entity_id)
    yield LockDoor(entity_id, door.locked)
    yield SetResetInterval(entity_id, door.interval)
    yield SetDoorTimer(entity_id, door.left)


def _placed(thing_id: int, place: ThingState) -> Iterator[Edit]:
    yield PlaceEntity(thing_id, place.cell_id, *place.origin, *place.rotation)
    if place.state is not None:
        yield SetState(thing_id, place.state)
        if place.state & HIDDEN:  # other bits follow HIDDEN when it changes; the second edit sets them again
            yield SetState(thing_id, place.state)
    if place.velocity is not None:
        yield SetVelocity(thing_id, *place.velocity)
