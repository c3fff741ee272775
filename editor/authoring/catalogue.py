"""The catalogue of what can be added to a world: patterns of its own entities, doors first, and static models."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Final

from editor.authoring.cell_lookup import cell_of_place, foot_of
from editor.authoring.dropping import floor_below
from engine.entities.door import Door
from engine.entities.specs import DOOR, unpack_spec
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import ZERO, Vec3
from engine.physics.flags import ETHEREAL
from engine.sim.edits.doors import LockDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import AddEntity, spec_text
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.objects import Setup
from engine.world.entity_spec import EntitySpec

FIRST_GUID: Final = 0x80000001
"""Above all static ids and players: the range in which servers number the entities they create while running."""

AHEAD: Final = 1.6
"""Metres before the player's feet at which a new entity is placed."""


@dataclass(frozen=True)
class Pattern:
    """A kind of entity to add: its title, and the entity that it copies."""

    title: str
    spec: EntitySpec

    @property
    def is_door(self) -> bool:
        return self.spec.kind == DOOR


def catalogue(sim: Simulation) -> list[Pattern]:
    """One pattern for each kind and model in the world, doors first, then by name."""
    found: dict[tuple[str, int], EntitySpec] = {}
    specs: Iterable[EntitySpec] = [*sim.world.entities, *(unpack_spec(e.spec) for e in sim.population.ordered)]
    for spec in specs:
        if sim.world.setup(spec.setup_id) is not None:
            found.setdefault((spec.kind, spec.setup_id), spec)
    patterns = [Pattern(f"{spec.name}  0x{spec.setup_id:08X}", spec) for spec in found.values()]
    return sorted(patterns, key=lambda pattern: (not pattern.is_door, pattern.title))


@dataclass(frozen=True)
class Model:
    """A Setup or GfxObj for a static thing: its id, and the id with its name and size."""

    id: int
    title: str


def models(sim: Simulation) -> list[Model]:
    """The models of the loaded static things, then those of entities, each group by id."""
    found: dict[int, None] = {}
    for block in sim.world.loaded_landblocks():
        things = [*block.statics, *(thing for cell in block.env_cells for thing in cell.static_objects)]
        found |= dict.fromkeys(sorted(thing.model_id for thing in things))
    found |= dict.fromkeys(sorted(pattern.spec.setup_id for pattern in catalogue(sim)))
    names = sim.world.names
    return [Model(model_id, _sized(sim.world.setup(model_id), names.model_field(model_id))) for model_id in found]


def _sized(setup: Setup | None, text: str) -> str:
    """The id and name with width, depth and height."""
    parts = 0 if setup is None else len(setup.parts)
    corners = [corner for index in range(parts) for corner in _corners(setup, index)]
    if not corners:
        return text
    width, depth, height = (max(axis) - min(axis) for axis in zip(*corners, strict=True))
    return f"{text}  {width:.1f} × {depth:.1f} × {height:.1f} m"


def _corners(setup: Setup | None, index: int) -> list[Vec3]:
    gfxobj = None if setup is None else setup.parts[index].gfxobj
    if setup is None or gfxobj is None:
        return []
    return [setup.part_frame(index).local_to_global(corner) for corner in gfxobj.box.corners()]


def spot_in(sim: Simulation, room: EnvCell) -> Frame:
    """Where a new thing is placed in a room: before the player if the player is there, else on the floor in its
    middle."""
    if sim.player.steered.cell is room:
        _, origin, heading = place_ahead(sim)
        return Frame(origin, from_heading(heading))
    corners = [corner for polygon in room.structure.polygons.values() for corner in polygon.vertices]
    if not corners:
        return Frame(room.frame.origin)
    x, y, z = (0.5 * (min(axis) + max(axis)) for axis in zip(*corners, strict=True))
    middle = room.frame.local_to_global((x, y, z))
    floor = floor_below(sim, room.id, middle)
    return Frame(middle if floor is None else floor.point)


def free_guid(sim: Simulation) -> int:
    guid = FIRST_GUID
    while sim.population.find(guid) is not None:
        guid += 1
    return guid


def add_like(sim: Simulation, pattern: Pattern, cell_id: int, origin: Vec3, heading: float) -> AddEntity:
    """The edit that adds a new entity of a pattern, with a free id."""
    frame = Frame(origin, from_heading(heading))
    return AddEntity(spec_text(_copy(sim, pattern.spec, free_guid(sim), cell_id, frame)))


def place_ahead(sim: Simulation) -> tuple[int, Vec3, float]:
    """The place before the player's feet, facing the player."""
    place = sim.player.steered.place
    ahead = Frame(ZERO, place.turn.rotation).local_to_global((0.0, AHEAD, 0.0))
    x, y, z = sim.player.soles()
    return place.cell_id, (x + ahead[0], y + ahead[1], z), (place.turn.heading() + 180.0) % 360.0


def duplicate(sim: Simulation, entity_id: int, guid: int, offset: Vec3 = (1.0, 0.0, 0.0)) -> list[Edit]:
    """The edits that add a copy beside an entity, with the id `guid`: in the cell there, with the same state bits.

    A copied door has the lock and the interval of the first one, and stands as it does by default.
    """
    entity = sim.population.entity(entity_id)
    frame = entity.place_frame()
    x, y, z = frame.origin
    moved = Frame((x + offset[0], y + offset[1], z + offset[2]), frame.rotation)
    cell_id, moved = cell_of_place(sim, entity.place_cell(), moved, foot_of(entity.setup, entity.scale))
    spec = _copy(sim, unpack_spec(entity.spec), guid, cell_id, moved)
    asked, spec.state = spec.state, sim.population.state_of(entity_id)
    further: list[Edit] = []
    if isinstance(entity, Door):
        if entity.is_open != entity.default_open or entity.held or entity.is_busy(sim.tick_number):
            spec.state = spec.state & ~ETHEREAL | asked & ETHEREAL
        if entity.locked != entity.default_locked:
            further.append(LockDoor(guid, entity.locked))
        spec.extra["reset_interval"] = entity.reset_interval
    return [AddEntity(spec_text(spec)), *further]


def free_name(sim: Simulation, name: str) -> str:
    """The name, or where an entity has it already the name with the first free number: Kitchen Door 2."""
    taken = {entity.name for entity in sim.population.ordered}
    if name not in taken:
        return name
    words = name.rsplit(" ", 1)
    base = words[0] if len(words) == 2 and words[1].isdecimal() else name
    return next(f"{base} {number}" for number in count(2) if f"{base} {number}" not in taken)


def _copy(sim: Simulation, spec: EntitySpec, guid: int, cell_id: int, frame: Frame) -> EntitySpec:
    name, extra = free_name(sim, spec.name), dict(spec.extra)
    return EntitySpec(guid, name, spec.kind, spec.setup_id, cell_id, frame, spec.state, spec.scale, extra)
