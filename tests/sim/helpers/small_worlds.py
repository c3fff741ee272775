"""Small, easily pictured worlds to simulate, and a simulation of one."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

from engine.build import OUTDOORS, Mesh, WorldBuilder, rect, walls
from engine.build.built import BuiltWorld
from engine.build.doors import door_model
from engine.build.shapes.furniture import crate, person
from engine.build.shapes.solids import Slope, box
from engine.build.shapes.stairs import stairs
from engine.physics.rules import RuleSet
from engine.sim.edits.player import Teleport
from engine.sim.edits.world import OpenLandblock
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation

FALLS = 0x408
"""A state with gravity: REPORT_COLLISIONS, GRAVITY."""

TICKS = 30
"""Ticks per second."""


def two_rooms(**door: bool | int | float | str) -> WorldBuilder:
    """A hall and a study east of it with a door 1.3 m wide at (6.1, 2), which faces east, into the study."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4))
    study = world.room("study", rect(6.2, 0, 4, 4))
    world.door(hall, study, width=1.3, name="door", **door)  # type: ignore[arg-type]  # its keywords by name
    return world


def open_rooms() -> WorldBuilder:
    """The same rooms with a doorway and no door."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4))
    study = world.room("study", rect(6.2, 0, 4, 4))
    world.doorway(hall, study, width=1.3)
    return world


def big_hall() -> WorldBuilder:
    """One room of 40 by 40 m, 12 m high, with nothing in it."""
    world = WorldBuilder()
    world.room("hall", rect(0, 0, 40, 40), height=12.0)
    return world


def furnished() -> WorldBuilder:
    """A room of 10 by 10 m with a crate of 0.8 m at its centre, and blocks of 0.5 m and 2.5 m in corners."""
    world = WorldBuilder()
    room = world.room("room", rect(0, 0, 10, 10), height=6.0)
    room.put(crate(), (5, 5))
    room.put(Mesh.of("low block", box(-0.5, -0.5, 0.0, 1.0, 1.0, 0.5, "stone")), (2, 8))
    room.put(Mesh.of("ledge", box(-1.5, -1.5, 0.0, 3.0, 3.0, 2.5, "stone")), (8, 8))
    return world


def with_cellar() -> WorldBuilder:
    """A room above a cellar, with a hatch between them and a flight of 0.2 m steps under it that climbs northwards."""
    world = WorldBuilder()
    room = world.room("room", rect(0, 0, 6, 8), height=3.0)
    cellar = world.room("cellar", rect(0, 0, 6, 8), floor=-3.0, height=2.8)
    world.hatch(room, cellar, rect(1, 2, 1.5, 4.2))
    cellar.put(Mesh.of("stairs", stairs(1.5, 14, rise=0.2, run=0.3)), (1.75, 2.0, -3.0), 0.0)
    return world


def slope() -> WorldBuilder:
    """A passage northwards that descends 4 m over 8, between two level rooms."""
    world = WorldBuilder()
    top = world.room("top", rect(0, 0, 4, 4))
    down = world.room("down", rect(1, 4, 2, 8), floor=Slope((2, 12, -4), (2, 4, 0)), height=3.0)
    low = world.room("low", rect(0, 12, 4, 4), floor=-4.0)
    world.open_wall(down, top)
    world.open_wall(down, low)
    return world


def house() -> WorldBuilder:
    """A house of one room on flat ground at 20 m, with a doorway in its southern wall."""
    world = WorldBuilder()
    land = world.landblock(0xC95B)
    inside = land.building("house", (108, 108), shell=walls(rect(-5, -4, 10, 8), 0, 3.2, "brick"))
    room = inside.room("room", rect(-4.7, -3.7, 9.4, 7.4), height=2.8)
    inside.doorway(room, OUTDOORS, (0, -4), width=1.4, height=2.2, name="entrance")
    land.put(crate(), (90, 90))
    return world


def with_people(count: int = 1, state: int = FALLS, *, opens_doors: bool = False) -> WorldBuilder:
    """The big hall with people in a row along y = 20."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 40, 40), height=12.0)
    for index in range(count):
        at = (4.0 + 2.0 * index, 20.0)
        world.entity(f"person {index}", "creature", person(1.8), hall, at, state=state, opens_doors=opens_doors)
    return world


def door_without_motions() -> WorldBuilder:
    """A door in the hall whose model has no motion table."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4))
    model = door_model(1.3, 2.1)
    still = type(model)(**{**vars(model), "name": "still door", "opening": ()})
    world.entity("door", "door", still, hall, (3, 2), 90.0, state=0x10008)
    return world


@cache
def built(make: Callable[[], WorldBuilder]) -> BuiltWorld:
    """A world, built once."""
    return make().build()


def simulate(world: BuiltWorld, rules: RuleSet | None = None) -> Simulation:
    """A simulation of its own world, without a player yet."""
    return Simulation(world.load(), rules)


def open_all(sim: Simulation) -> Simulation:
    """Brings in everyone in the world's list of entities, wherever the player is."""
    for block_id in sim.world.entity_index.landblocks():
        sim.apply_edit(OpenLandblock(block_id))
    return sim


def standing(
    world: BuiltWorld, room: str, at: tuple[float, ...], heading: float = 0.0, rules: RuleSet | None = None
) -> Simulation:
    """A simulation with the player in a room, feet on its floor at (x, y), or at (x, y, z)."""
    sim = simulate(world, rules)
    z = at[2] if len(at) > 2 else 0.0
    sim.apply_edit(Teleport(world.cell_id(room), at[0], at[1], z, heading))
    return sim


def hold(sim: Simulation, seconds: float, controls: Controls | None = None) -> list[TickReport]:
    """Holds keys for a time and returns the report of each tick."""
    return [sim.tick(controls or Controls()) for _ in range(round(seconds * TICKS))]


FORWARD = Controls(forward=1.0)
RUN = Controls(forward=1.0, run=True)


def feet(sim: Simulation) -> tuple[float, float, float]:
    """His soles, which are 5 mm below his origin."""
    return sim.player.soles()


def flat_distance(a: tuple[float, float, float], b: tuple[float, float, float]) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])
