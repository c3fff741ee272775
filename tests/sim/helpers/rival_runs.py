"""A small village in which anything may be edited, random actions in it, and everything that a run can change."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from engine.build import WorldBuilder, rect, walls
from engine.build.built import BuiltWorld
from engine.build.shapes.furniture import crate, person
from engine.geometry.frame import Frame
from engine.physics.rules import RULE_NAMES
from engine.sim.edits.cells import ReplaceCell, current_record
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor, SetDoorTimer, SetResetInterval, UseDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import (
    AddEntity,
    MoveEntity,
    RemoveEntity,
    RestoreStatic,
    SetScale,
    SetState,
    SetStateBits,
    SetVelocity,
    spec_text,
)
from engine.sim.edits.placing import PlaceEntity
from engine.sim.edits.player import FacePlayer, PutPlayerBack, SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.edits.world import OpenLandblock, RestoreSnapshot, SetTimeOfDay
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell, ObjCell
from engine.world.entity_spec import EntitySpec
from engine.world.loader.edited import cell_record_bytes
from engine.world.world import World
from tests.sim.helpers.small_worlds import FALLS

HOME = 0xC95BFFFF
NEXT_DOOR = 0xC95CFFFF
FAR = 0x2020FFFF
ADDED = 0x80000001

Place = tuple[int, float, float, float]
Action = Edit | Controls | None
"""An edit, the keys of ten ticks, or None: the edits since the last tick are taken back by their snapshot."""


@cache
def village() -> BuiltWorld:
    """A house with a door between two rooms, people and crates around it, a landblock next to it and one far away."""
    world = WorldBuilder()
    land = world.landblock(0xC95B)
    house = land.building("house", (108, 108), shell=walls(rect(-5, -4, 10, 8), 0, 3.2, "brick"))
    hall = house.room("hall", rect(-4.7, -3.7, 5.0, 7.4), height=2.8)
    study = house.room("study", rect(0.5, -3.7, 4.2, 7.4), height=2.8)
    house.door(hall, study, width=1.3, name="door")
    hall.put(crate(), (-3, 2))
    study.put(crate(), (3, 2))
    house.entity("host", "creature", person(1.8), hall, (-2, -2), state=FALLS, opens_doors=True)
    for place in ((90.0, 90.0), (91.0, 90.5), (107.0, 95.0)):
        land.put(crate(), place)
    land.entity("guest", "creature", person(1.8), (95.0, 95.0), state=FALLS)
    for number in (NEXT_DOOR >> 16, FAR >> 16):
        other = world.landblock(number)
        other.put(crate(), (40, 4))
        other.entity(f"neighbour {number:04X}", "creature", person(1.8), (50.0, 5.0), state=FALLS)
    return world.build()


class Village:
    """The ids and places that random edits are about."""

    def __init__(self) -> None:
        built = village()
        sim = Simulation(built.load())
        for block_id in (HOME, NEXT_DOOR, FAR):
            sim.apply_edit(OpenLandblock(block_id))
        self.hall, self.study = built.cell_id("hall"), built.cell_id("study")
        self.door = built.entity("door").guid
        self.things = sorted(sim.population.statics.things)
        self.entities = sorted(spec.guid for spec in sim.world.entities)
        self.anybody = [*self.entities, *self.things, sim.player.id, ADDED, 0x12345678]
        self.model = built.entity("guest").setup_id
        self.places = [
            (self.hall, 105.0, 108.0, 20.0),
            (self.study, 111.0, 106.0, 20.0),
            (HOME, 100.0, 100.0, 20.0),
            (HOME, 96.0, 191.9, 20.0),
            (NEXT_DOOR, 41.0, 1.0, 20.0),
            (FAR, 41.0, 3.0, 20.0),
            (self.hall, 108.4, 108.0, 20.0),
            (self.hall, 100.0, 100.0, -50.0),
            (0x11110001, 0.0, 0.0, 0.0),
        ]
        self.rooms = [room for cell_id in (self.hall, self.study) for room in _edited_rooms(sim, cell_id)]


@cache
def things_of_village() -> Village:
    return Village()


def _edited_rooms(sim: Simulation, cell_id: int) -> list[ReplaceCell]:
    """A room as it is, seeing nothing, without its portals, without its things, and lifted."""
    found = []
    for change in (None, "visible_cells", "portals", "objects", "frame"):
        record = current_record(sim, cell_id)
        if change == "frame":
            x, y, z = record.frame.origin
            record.frame = type(record.frame)((x, y, z + 0.25), record.frame.rotation)
        elif change is not None:
            setattr(record, change, [])
        found.append(ReplaceCell(cell_record_bytes(record), b""))
    return found


def edits() -> st.SearchStrategy[Edit]:
    """Any edit, sensible or not."""
    known = things_of_village()
    somebody, place = st.sampled_from(known.anybody), st.sampled_from(known.places)
    heading, truth = st.sampled_from([0.0, 45.0, 90.0, 180.0, 300.0]), st.booleans()
    door = st.sampled_from([known.door, known.door, known.door, ADDED])
    speed = st.sampled_from([-20.0, -1.0, 0.0, 0.5, 8.0])
    added = st.builds(_added, st.sampled_from(["creature", "door", "chest"]), place, st.sampled_from([0x8, 0x408]))
    numbers = st.sampled_from(["radius", "height", "step_up", "run_skill", "burden"])
    return st.one_of(
        st.builds(_teleport, place, heading),
        st.builds(PutPlayerBack),
        st.builds(OpenLandblock, st.sampled_from([HOME, NEXT_DOOR, FAR, 0x3333FFFF])),
        st.builds(_moved, somebody, place, heading),
        st.builds(_placed, somebody, place),
        st.builds(SetState, somebody, st.sampled_from([0x8, 0x408, 0x10408, 0x4, 0x14])),
        st.builds(SetStateBits, somebody, st.integers(0, 24).map(lambda bit: 1 << bit), truth),
        st.builds(SetVelocity, somebody, speed, speed, speed),
        added,
        st.builds(RemoveEntity, somebody),
        st.builds(RestoreStatic, st.sampled_from(known.things)),
        st.builds(SetScale, somebody, st.sampled_from([0.25, 1.0, 3.0, -1.0])),
        st.builds(UseDoor, door, st.sampled_from([0, known.entities[0]])),
        st.builds(OpenDoor, door),
        st.builds(CloseDoor, door),
        st.builds(LockDoor, door, truth),
        st.builds(SetResetInterval, door, st.sampled_from([0.1, 1.0, 30.0])),
        st.builds(SetDoorTimer, door, st.integers(-1, 60)),
        st.sampled_from(known.rooms),
        st.builds(FacePlayer, heading),
        st.builds(SetPlayerNumber, numbers, st.sampled_from([0.1, 0.3, 0.48, 1.8, 200.0])),
        st.builds(SetRule, st.sampled_from(sorted(RULE_NAMES)), st.sampled_from(["retail", "ace"])),
        st.builds(SetRuleSet, st.sampled_from(["retail", "ace"])),
        st.builds(SetTimeOfDay, st.sampled_from([0.0, 0.3, 0.99, 1.0])),
    )


def _teleport(place: Place, heading: float) -> Teleport:
    return Teleport(*place, heading)


def _moved(entity_id: int, place: Place, heading: float) -> MoveEntity:
    return MoveEntity(entity_id, *place, heading)


def _placed(entity_id: int, place: Place) -> PlaceEntity:
    return PlaceEntity(entity_id, *place, 0.5, 0.5, 0.5, 0.5)


def _added(kind: str, place: Place, state: int) -> AddEntity:
    spec = EntitySpec(ADDED, "added", kind, things_of_village().model, place[0], Frame(place[1:]), state)
    return AddEntity(spec_text(spec))


def keys() -> st.SearchStrategy[Controls]:
    push = st.sampled_from([-1.0, 0.0, 1.0, 1.0])
    use = st.sampled_from([0, 0, things_of_village().door])
    return st.builds(Controls, push, push, push, st.booleans(), st.booleans(), use)


def actions() -> st.SearchStrategy[Action]:
    return st.one_of(edits(), edits(), keys(), st.none())


class Run:
    """One simulation, and the snapshot that takes back what was edited since its last tick."""

    def __init__(self, world: World) -> None:
        self.sim = Simulation(world)
        self.sim.apply_edit(Teleport(*things_of_village().places[2], 90.0))
        self._mark()

    def _mark(self) -> None:
        self._snapshot, self._waiting = self.sim.snapshot(), self.sim.waiting

    def act(self, action: Action, refused: tuple[type[Exception], ...]) -> str:
        """Do something; the reason when it was refused."""
        if isinstance(action, Controls):
            for _ in range(10):
                self.sim.tick(action)
            self._mark()
            return ""
        edit = RestoreSnapshot(self._snapshot, self._waiting) if action is None else action
        try:
            self.sim.apply_edit(edit)
        except refused as error:
            return str(error)
        return ""


def registrations(sim: Simulation) -> dict[int, object]:
    """Where everything solid is registered, in order."""
    return {
        thing_id: (entry.cell_id, entry.frame.origin, entry.cell_ids, entry.obj.state, len(entry.obj.rows))
        for thing_id, entry in sim.population.registry.entities.items()
    }


def contents(world: World) -> dict[int, object]:
    """What is in every loaded cell, and what the cell is."""
    return {cell.id: _content(cell) for cell in world.graph.all_cells()}


def _content(cell: ObjCell) -> object:
    inside = ([shadow.object_id for shadow in cell.shadow_objects], list(cell.object_list))
    if not isinstance(cell, EnvCell):
        return inside
    portals = [(portal.flags, portal.other_cell_id) for portal in cell.portals]
    return (inside, cell.frame.origin, portals, cell.stab_list, [thing.id for thing in cell.static_objects])


def whole(sim: Simulation) -> tuple[object, ...]:
    """Everything about a simulation that another one over the same world must not change."""
    return (sim.state_hash(), registrations(sim), contents(sim.world), sim.graph.current_id, sim.surroundings.joined)
