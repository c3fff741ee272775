"""Runs in small worlds in which a single rule decides, one for each rule that a run can show."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from engine.build import OUTDOORS, Mesh, WorldBuilder, rect, walls
from engine.build.built import BuiltWorld
from engine.build.models import Ball, Model
from engine.build.shapes.furniture import crate, person
from engine.build.shapes.solids import box
from engine.dat.records.cells import HAS_RESTRICTION_OBJECT
from engine.physics.flags import ALIGN_PATH, ETHEREAL, INELASTIC, MISSILE, PATH_CLIPPED
from engine.physics.rules import RuleSet
from engine.sim.edits.cells import ReplaceCell, current_record
from engine.sim.edits.entities import MoveEntity, SetStateBits, SetVelocity
from engine.sim.edits.player import Teleport
from engine.sim.recording import Recorder, Recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.loader.edited import cell_record_bytes
from engine.world.world import World
from tests.sim.helpers.small_worlds import FALLS, FORWARD, RUN

SHOT = Model("shot", balls=(Ball((0.0, 0.0, 0.1), 0.1),), height=0.2, radius=0.1)
BOULDER = Model("boulder", balls=(Ball((0.0, 0.0, 0.5), 0.5),), height=1.0, radius=0.5)
CLOUD = Model("cloud", balls=(Ball((0.0, 0.0, 0.5), 0.6),), height=1.0, radius=0.6)
TALL = Model("tall", balls=(Ball((0.0, 0.0, 0.3), 0.3), Ball((0.0, 0.0, 2.6), 0.3)), height=2.9, radius=0.3)


class Place(NamedTuple):
    """A world as it was built, to be written, and as it is loaded."""

    built: BuiltWorld
    world: World


Situation = Callable[[RuleSet], tuple[Place, Recording]]
"""A run by a rule set, recorded."""


@cache
def yard() -> Place:
    """A hall of 20 by 20 m with a study behind a doorway, and bodies and things in it."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 20, 20), height=6.0)
    study = world.room("study", rect(20.2, 8, 6, 6), height=6.0)
    world.doorway(hall, study, width=1.6, height=2.2)
    hall.put(BOULDER, (4, 4))
    hall.put(CLOUD, (4, 12))
    hall.put(Mesh.of("block", box(-1.0, -1.0, 0.0, 2.0, 2.0, 4.0, "stone")), (10, 4))
    for name, model, place in (
        ("arrow", SHOT, (6, 6, 1.0)),
        ("guest", person(1.8), (12, 12)),
        ("tall", TALL, (18, 11)),
    ):
        world.entity(name, "creature", model, hall, place, state=FALLS)
    built = world.build()
    return Place(built, built.load())


class Run:
    """A run in the yard: what is done, and the recording of it."""

    def __init__(self, rules: RuleSet, at: tuple[float, ...] = (15.0, 16.0), heading: float = 0.0) -> None:
        self.built, world = yard()
        self.sim = Simulation(world, rules)
        self.teleport(at, heading)
        self.recorder = Recorder(self.sim, "yard")

    def id(self, name: str) -> int:
        return self.built.entity(name).guid

    def teleport(self, at: tuple[float, ...], heading: float = 0.0) -> None:
        z = at[2] if len(at) > 2 else 0.0
        self.sim.apply_edit(Teleport(self.built.cell_id("hall"), at[0], at[1], z, heading))

    def bits(self, name: str, bits: int, velocity: tuple[float, float, float]) -> None:
        self.sim.apply_edit(SetStateBits(self.id(name), bits, True))
        self.sim.apply_edit(SetVelocity(self.id(name), *velocity))

    def hold(self, ticks: int, controls: Controls | None = None) -> None:
        for _ in range(ticks):
            self.sim.tick(controls or Controls())

    def done(self) -> tuple[Place, Recording]:
        recording = self.recorder.stop()
        self.sim.close()
        return yard(), recording


def an_arrow_flies_into_a_wall(rules: RuleSet) -> tuple[Place, Recording]:
    run = Run(rules)
    run.hold(2)
    run.bits("arrow", MISSILE | ALIGN_PATH | PATH_CLIPPED, (-20.0, 0.0, 3.0))
    run.hold(30)
    return run.done()


def a_dead_stop_at_a_creature(rules: RuleSet) -> tuple[Place, Recording]:
    run = Run(rules)
    run.hold(20)
    run.bits("arrow", INELASTIC, (9.0, 9.0, 4.0))
    run.hold(40)
    return run.done()


def a_head_meets_a_lintel(rules: RuleSet) -> tuple[Place, Recording]:
    run = Run(rules)
    run.hold(5)
    run.bits("tall", MISSILE | PATH_CLIPPED, (20.0, 0.0, 2.0))
    run.hold(20)
    return run.done()


def a_teleport_into_a_cloud(rules: RuleSet) -> tuple[Place, Recording]:
    run = Run(rules)
    thing = next(
        each
        for each in run.sim.population.statics.things
        if run.sim.population.registry.entity(each).obj.state & 1
        and abs(run.sim.population.registry.entity(each).frame.origin[1] - 12.0) < 0.1
    )
    run.sim.apply_edit(SetStateBits(thing, ETHEREAL, True))
    run.hold(2)
    run.teleport((4.0, 12.0))
    run.hold(5)
    return run.done()


def a_walk_in_a_guarded_room(rules: RuleSet) -> tuple[Place, Recording]:
    run = Run(rules)
    record = current_record(run.sim, run.built.cell_id("hall"))
    record.flags |= HAS_RESTRICTION_OBJECT
    record.restriction_object = 0x70000009
    run.hold(2)
    run.sim.apply_edit(ReplaceCell(cell_record_bytes(record), b""))
    run.hold(10, FORWARD)
    return run.done()


def an_arrow_falls_beside_a_boulder(rules: RuleSet) -> tuple[Place, Recording]:
    run = Run(rules)
    run.hold(60)
    return run.done()


def an_arrow_is_thrown_past_a_boulder(rules: RuleSet) -> tuple[Place, Recording]:
    run = Run(rules)
    run.sim.apply_edit(MoveEntity(run.id("arrow"), run.built.cell_id("hall"), 12.0, 10.9, 1.4, 0.0))
    run.sim.apply_edit(SetVelocity(run.id("arrow"), -2.4, 0.1, -1.0))
    run.hold(30)
    return run.done()


@cache
def village() -> Place:
    """A house with a chest half in its doorway, and a long fence over the border to the next landblock."""
    world = WorldBuilder()
    land = world.landblock(0xC95B)
    world.landblock(0xCA5B)
    inside = land.building("house", (108, 108), shell=walls(rect(-5, -4, 10, 8), 0, 3.2, "brick"))
    room = inside.room("room", rect(-4.7, -3.7, 9.4, 7.4), height=2.8)
    inside.doorway(room, OUTDOORS, (0, -4), width=1.4, height=2.2, name="entrance")
    for number in range(8):
        land.put(crate(0.3), (107.6 + 0.1 * number, 103.4 + 0.15 * number))
    land.put(Mesh.of("fence", box(-30.0, -30.0, 0.0, 60.0, 60.0, 1.0, "wood")), (186, 36))
    built = world.build()
    return Place(built, built.load())


def _in_the_village(rules: RuleSet, start: Teleport, keys: Controls) -> tuple[Place, Recording]:
    sim = Simulation(village().world, rules)
    sim.apply_edit(start)
    recorder = Recorder(sim, "village")
    for _ in range(40):
        sim.tick(keys)
    sim.close()
    return village(), recorder.stop()


def a_walk_out_over_the_crates(rules: RuleSet) -> tuple[Place, Recording]:
    start = Teleport(village().built.cell_id("room"), 108.0, 107.0, 20.0, 180.0)
    return _in_the_village(rules, start, FORWARD)


def a_run_into_the_fence_of_the_next_landblock(rules: RuleSet) -> tuple[Place, Recording]:
    return _in_the_village(rules, Teleport(0xCA5BFFFF, 28.0, 36.0, 20.0, 270.0), RUN)
