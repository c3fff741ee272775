"""Obstacle courses for the rules that take a narrow place to show: a hall with a few things, walked through by keys."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engine.build import Mesh, WorldBuilder, rect
from engine.build.models import Cylinder, Model
from engine.build.shapes.faces import Face
from engine.build.shapes.solids import box
from engine.geometry.vec import Vec3
from engine.physics.rules import RuleSet
from engine.sim.edits.player import SetPlayerNumber, Teleport
from engine.sim.recording import Recorder, Recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from tests.sim.compare.situations import Place, Situation

Thing = tuple[Mesh | Model, tuple[float, float], float]
"""What stands where, turned how far."""
Legs = Sequence[tuple[int, Controls]]


def ramp(width: float, depth: float, height: float) -> Mesh:
    """A wedge that rises northwards."""
    w, d = width / 2, depth / 2
    a, b, c, e = (-w, -d, 0.0), (w, -d, 0.0), (w, d, 0.0), (-w, d, 0.0)
    top_c, top_e = (w, d, height), (-w, d, height)
    sides: list[tuple[Vec3, ...]] = [(a, b, top_c, top_e), (b, c, top_c), (e, a, top_e), (c, e, top_e, top_c)]
    return Mesh.of("ramp", [Face(points, "stone") for points in (*sides, (a, e, c, b))])


def screen(half: float, height: float, lean: float = 0.0, bottom: float = 0.0) -> Mesh:
    """A wall without thickness, which faces south."""
    top = bottom + height
    corners = ((-half, 0.0, bottom), (half, 0.0, bottom), (half, lean, top), (-half, lean, top))
    return Mesh.of("screen", [Face(corners, "stone")])


def post(radius: float, height: float, bottom: float = 0.0) -> Model:
    column = Cylinder((0.0, 0.0, bottom), radius, height)
    return Model("post", cylinders=(column,), height=bottom + height, radius=radius)


def walk(things: Sequence[Thing], at: Vec3, heading: float, legs: Legs, radius: float = 0.48) -> Situation:
    """A walk through a hall of 16 by 16 m."""

    @cache
    def course() -> Place:
        world = WorldBuilder()
        hall = world.room("hall", rect(0, 0, 16, 16), height=8.0)
        world.doorway(hall, world.room("porch", rect(16.2, 6, 3, 4)), width=1.3)  # a world has no closed rooms
        for model, where, turned in things:
            hall.put(model, where, turned)
        built = world.build()
        return Place(built, built.load())

    def walked(rules: RuleSet) -> tuple[Place, Recording]:
        place = course()
        sim = Simulation(place.world, rules)
        sim.apply_edit(SetPlayerNumber("radius", radius))
        sim.apply_edit(Teleport(place.built.cell_id("hall"), *at, heading))
        recorder = Recorder(sim, "course")
        for ticks, keys in legs:
            for _ in range(ticks):
                sim.tick(keys)
        sim.close()
        return place, recorder.stop()

    return walked


def keys(forward: float, side: float, turn: float, *, run: bool = True, jump: bool = False) -> Controls:
    return Controls(forward, side, turn, run, jump)


off_the_side_of_a_ramp = walk(
    [(ramp(2.0, 3.6, 2.4), (5.5, 8.9), 242.7)],
    (5.9, 10.4, 1.0),
    222.0,
    [(20, keys(1.0, 1.0, -1.0)), (20, keys(1.0, 1.0, -1.0, run=False))],
)
off_a_ramp_beside_a_post = walk(
    [
        (Mesh.of("post", box(-1.0, -1.0, 0.0, 0.22, 0.25, 1.6, "stone")), (9.94, 9.97), 267.93),
        (ramp(2.43, 3.39, 1.85), (9.73, 8.79), 138.44),
    ],
    (10.608, 9.09, 3.0),
    56.773,
    [(20, keys(1.0, 0.0, -1.0, run=False))],
    radius=0.3,
)
under_a_lamp_by_a_leaning_wall = walk(
    [(screen(2.7, 0.8, 0.5, 1.0), (7.7, 11.9), 81.3), (post(1.3, 0.6, 2.7), (7.8, 12.7), 230.3)],
    (2.6, 3.4, 0.0),
    294.1,
    [
        (20, keys(1.0, 1.0, 1.0, jump=True)),
        (20, keys(0.0, 0.0, 1.0, run=False)),
        (20, keys(1.0, 1.0, -1.0)),
        (20, keys(0.0, 1.0, 1.0, run=False, jump=True)),
        (10, keys(1.0, 1.0, 0.0)),
    ],
    radius=0.5,
)
past_posts_behind_a_screen = walk(
    [
        (screen(2.004, 1.818), (10.564, 12.719), 190.13),
        (post(0.755, 0.6), (11.291, 12.237), 234.297),
        (post(0.394, 3.0), (11.258, 13.029), 24.938),
    ],
    (10.478, 12.626, 1.0),
    67.413,
    [(20, keys(-1.0, 0.0, 0.0)), (7, keys(1.0, -1.0, -1.0))],
    radius=0.1,
)


# --- arrivals


@cache
def blocks() -> Place:
    """Two solid blocks outdoors, 4 m high, with a gap of 0.6 m between them."""
    world = WorldBuilder()
    land = world.landblock(0xC95B)
    land.building(
        "blocks",
        (108, 108),
        shell=[box(-2.0, -2.0, 0.0, 2.0, 4.0, 4.0, "stone"), box(0.6, -2.0, 0.0, 2.0, 4.0, 4.0, "stone")],
    )
    built = world.build()
    return Place(built, built.load())


def arrival(x: float, y: float, z: float) -> Situation:
    """Somebody who stands beside the blocks is teleported into them, and takes two steps."""

    def arrived(rules: RuleSet) -> tuple[Place, Recording]:
        sim = Simulation(blocks().world, rules)
        sim.apply_edit(Teleport(0xC95BFFFF, 90.0, 90.0, 20.0, 0.0))
        recorder = Recorder(sim, "blocks")
        sim.tick()
        sim.apply_edit(Teleport(0xC95BFFFF, x, y, z, 0.0))
        sim.tick()
        sim.tick()
        sim.close()
        return blocks(), recorder.stop()

    return arrived


just_behind_a_face = arrival(107.7044, 107.7175, 22.28)
exactly_in_a_face = arrival(106.0, 110.0, 20.0)
deep_in_a_block = arrival(106.79628220652607, 109.41190588498918, 23.025137075367894)
