"""A yard and a house full of obstacles of every kind, and random runs in it: keys, pushes, flags and teleports."""

from __future__ import annotations

import math
import random
from functools import cache

from engine.build import OUTDOORS, Mesh, WorldBuilder, rect, walls
from engine.build.built import BuiltWorld
from engine.build.models import Ball, Cylinder, Model
from engine.build.shapes.furniture import crate, person
from engine.build.shapes.solids import box
from engine.physics.flags import ALIGN_PATH, GRAVITY, INELASTIC, MISSILE, PATH_CLIPPED, SLEDDING
from engine.physics.rules import RuleSet
from engine.sim.edits.cells import ReplaceCell, current_record
from engine.sim.edits.doors import OpenDoor, UseDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import MoveEntity, SetStateBits, SetVelocity
from engine.sim.edits.player import SetPlayerNumber, Teleport
from engine.sim.playback import ENGINE_ERRORS
from engine.sim.recording import Recorder, Recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.loader.edited import cell_record_bytes
from engine.world.world import World
from tests.sim.helpers.small_worlds import FALLS

BLOCK = 0xC95B
LAND = (BLOCK << 16) | 0xFFFF

POST = Model("post", cylinders=(Cylinder((0.0, 0.0, 0.0), 0.4, 3.0),), height=3.0, radius=0.4)
STUMP = Model("stump", cylinders=(Cylinder((0.0, 0.0, 0.0), 0.6, 0.3),), height=0.3, radius=0.6)
LAMP = Model("lamp", cylinders=(Cylinder((0.0, 0.0, 1.9), 0.5, 0.6),), height=2.5, radius=0.5)
BOULDER = Model("boulder", balls=(Ball((0.0, 0.0, 0.4), 0.8),), height=1.2, radius=0.8)
PEBBLE = Model("pebble", balls=(Ball((0.0, 0.0, 0.1), 0.4),), height=0.5, radius=0.4)
SHOT = Model("shot", balls=(Ball((0.0, 0.0, 0.1), 0.1),), height=0.2, radius=0.1)
MITE = Model("mite", balls=(Ball((0.0, 0.0, 0.001), 0.001),), height=0.002, radius=0.001)
CLOUD = Model("cloud", cylinders=(Cylinder((0.0, 0.0, 0.0), 1.0, 2.0),), height=2.0, radius=1.0)


@cache
def arena() -> BuiltWorld:
    """A house of two rooms on level ground at 20 m, a ledge, two hills east of x = 144, one too steep, and things."""
    world = WorldBuilder()
    land = world.landblock(BLOCK)
    assert land.ground is not None
    land.ground.shape(lambda x, y: 20.0 + max(x - 144.0, 0.0) * math.tan(math.radians(58.0 if y < 96.0 else 25.0)))
    house = land.building("house", (108, 108), shell=walls(rect(-5, -4, 10, 8), 0, 3.2, "brick"))
    hall = house.room("hall", rect(-4.7, -3.7, 5.0, 7.4), height=2.8)
    study = house.room("study", rect(0.5, -3.7, 4.2, 7.4), height=2.8)
    house.door(hall, study, width=1.3, name="door")
    house.doorway(hall, OUTDOORS, (-2, -4), width=1.4, height=2.2, name="entrance")
    hall.put(crate(), (-3, 2))
    hall.put(BOULDER, (-1, 1.5))
    study.put(STUMP, (3, 2))
    study.put(Mesh.of("low block", box(-0.5, -0.5, 0.0, 1.0, 1.0, 0.5, "stone")), (2, -1))
    for number, model in enumerate((POST, STUMP, LAMP, BOULDER, PEBBLE, POST, BOULDER, PEBBLE, STUMP, CLOUD, CLOUD)):
        land.put(model, (86.0 + 1.3 * (number % 4), 86.0 + 1.4 * (number // 4)), 30.0 * number)
    land.put(Mesh.of("ledge", box(-2.0, -2.0, 0.0, 4.0, 4.0, 1.5, "stone")), (76, 90))
    land.put(Mesh.of("platform", box(-1.0, -1.0, 0.0, 2.0, 2.0, 3.0, "stone")), (76, 98), 20.0)
    land.put(Mesh.of("fence", box(-20.0, -0.1, 0.0, 40.0, 0.2, 1.8, "wood")), (60, 60), 20.0)
    for name, model, place in (
        ("guest", person(1.8), (92, 96)),
        ("arrow", SHOT, (90, 100)),
        ("bolt", SHOT, (94, 100)),
        ("mite", MITE, (98, 100)),
        ("other", person(1.6), (88, 84)),
    ):
        land.entity(name, "creature", model, place, state=FALLS)
    return world.build()


@cache
def arena_world() -> World:
    return arena().load()


def entity_ids() -> list[int]:
    return [arena().entity(name).guid for name in ("guest", "arrow", "bolt", "mite", "other")]


def random_run(seed: int, ticks: int = 90, rules: RuleSet | None = None) -> Recording:
    """A run of a seed: the player comes somewhere, runs about, and things are done to him and to others."""
    rng = random.Random(seed)
    sim = Simulation(arena_world(), rules)
    _try(sim, _somewhere(rng))
    recorder = Recorder(sim, "arena")
    controls = Controls()
    for tick in range(ticks):
        if tick % 15 == 0:
            controls = _keys(rng)
        if rng.random() < 0.08:
            _try(sim, _edit(rng, sim))
        sim.tick(controls)
    recording = recorder.stop()
    sim.close()
    return recording


def _try(sim: Simulation, edit: Edit) -> None:
    try:
        sim.apply_edit(edit)
    except ENGINE_ERRORS:
        return


def _keys(rng: random.Random) -> Controls:
    use = arena().entity("door").guid if rng.random() < 0.2 else 0
    forward, side = rng.choice([1.0, 1.0, 1.0, 0.0, -1.0]), rng.choice([0.0, 0.0, 1.0, -1.0])
    look = rng.choice([0.0, 0.0, 7.0])
    return Controls(forward, side, rng.choice([0.0, 0.0, 0.3, -1.0]), rng.random() < 0.7, rng.random() < 0.1, use, look)


def _somewhere(rng: random.Random) -> Teleport:
    heading = rng.choice([0.0, 45.0, 90.0, 180.0, 270.0, rng.uniform(0.0, 360.0)])
    hall, study = arena().cell_id("hall"), arena().cell_id("study")
    place = rng.choice(
        [
            (hall, rng.uniform(103.5, 108.0), rng.uniform(104.5, 111.5), 20.0),
            (study, rng.uniform(108.7, 112.5), rng.uniform(104.5, 111.5), 20.0),
            (LAND, rng.uniform(84.0, 92.0), rng.uniform(84.0, 92.0), 20.0),
            (LAND, rng.uniform(86.0, 90.0), rng.uniform(86.0, 89.0), rng.uniform(20.0, 23.0)),
            (LAND, rng.uniform(74.0, 78.0), rng.uniform(88.0, 92.0), 21.5),
            (LAND, rng.uniform(75.2, 76.8), rng.uniform(97.2, 98.8), 23.0),
            (LAND, rng.uniform(138.0, 143.5), rng.uniform(60.0, 130.0), 20.0),
            (LAND, rng.uniform(100.0, 116.0), rng.uniform(101.0, 103.5), 20.0),
        ]
    )
    return Teleport(*place, heading)


def _edit(rng: random.Random, sim: Simulation) -> Edit:
    whom = rng.choice([*entity_ids(), sim.player.id])
    bits = rng.choice([MISSILE, MISSILE, ALIGN_PATH | PATH_CLIPPED | MISSILE, INELASTIC, SLEDDING, GRAVITY])
    return rng.choice(
        [
            _somewhere(rng),
            SetVelocity(whom, rng.uniform(-9.0, 9.0), rng.uniform(-9.0, 9.0), rng.uniform(-3.0, 9.0)),
            SetVelocity(arena().entity("mite").guid, rng.choice([-50.0, 50.0]), 0.0, 0.0),
            SetVelocity(rng.choice(entity_ids()[1:3]), rng.uniform(-3.0, 3.0), rng.uniform(-3.0, 3.0), 4.0),
            _beside(rng, whom),
            _into_something(rng),
            _into_something(rng),
            SetStateBits(whom, bits, rng.random() < 0.7),
            SetPlayerNumber(*rng.choice([("radius", 0.3), ("height", 1.3), ("run_skill", 801.0), ("step_up", 0.3)])),
            OpenDoor(arena().entity("door").guid),
            UseDoor(arena().entity("door").guid, 0),
            _room(rng, sim),
        ]
    )


def _beside(rng: random.Random, whom: int) -> Edit:
    """Above the things in the yard."""
    place = (LAND, rng.uniform(84.5, 91.5), rng.uniform(84.5, 91.5), rng.uniform(20.0, 23.0))
    return Teleport(*place, 0.0) if whom == 0 else MoveEntity(whom, *place, rng.uniform(0.0, 360.0))


def _into_something(rng: random.Random) -> Teleport:
    """Into the walls, the furniture, the ledges and whoever stands about."""
    x, y = rng.choice([(105.0, 110.0), (111.0, 107.0), (111.0, 110.0), (76.0, 90.0), (76.0, 98.0), (103.4, 108.0)])
    cell_id = rng.choice([LAND, LAND, arena().cell_id("hall"), arena().cell_id("study")])
    spread = rng.choice([0.2, 0.6, 1.2])
    z = 20.0 + rng.choice([0.0, 0.0, 0.3, 1.0, -0.2])
    return Teleport(cell_id, x + rng.uniform(-spread, spread), y + rng.uniform(-spread, spread), z, 0.0)


def _room(rng: random.Random, sim: Simulation) -> Edit:
    """A room without its stab list or without its portals."""
    record = current_record(sim, arena().cell_id(rng.choice(["hall", "study"])))
    setattr(record, rng.choice(["visible_cells", "portals"]), [])
    return ReplaceCell(cell_record_bytes(record), b"")
