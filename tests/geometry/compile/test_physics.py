"""Compiled physics trees answer as their polygons do (physics.md 3, dat-format.md 3.3.4), in random worlds."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import pytest

from engine.geometry.bsp import PhysicsTree
from engine.geometry.compile.physics import compile_physics
from engine.geometry.polygon import Polygon
from engine.geometry.sphere import Sphere
from engine.geometry.vec import r24v
from tests.geometry.compile.checks import check_borderline, check_form, check_world, compiled, jittered, leaf_at
from tests.geometry.compile.worlds import (
    BEYOND,
    ConvexRoom,
    UnionThing,
    VoxelRoom,
    VoxelThing,
    World,
    brute_hit,
    near_surface,
)

WORLDS: dict[str, Callable[[Random], World]] = {
    "convex room": lambda rnd: ConvexRoom(rnd, rnd.randint(0, 12)),
    "concave room": lambda rnd: VoxelRoom(rnd),
    "concave room with openings": lambda rnd: VoxelRoom(rnd, openings=rnd.randint(1, 3)),
    "blocky thing": lambda rnd: VoxelThing(rnd),
    "hollow thing": lambda rnd: VoxelThing(rnd, openings=rnd.randint(1, 2)),
    "overlapping solids": lambda rnd: UnionThing(rnd, rnd.randint(1, 3), 2),
}


@pytest.mark.parametrize("kind", WORLDS)
def test_a_tree_answers_as_its_polygons_do(kind: str) -> None:
    # The seeds given one by one are rooms of several parts, whose openings lead behind each other's walls.
    for seed in [*range(60), 698, 1853, 1868, 12317]:
        rnd = Random(seed)
        check_world(WORLDS[kind](rnd), rnd, 12)


@pytest.mark.slow
@pytest.mark.parametrize("kind", WORLDS)
def test_thousands_of_trees_answer_as_their_polygons_do(kind: str) -> None:
    for seed in range(1000, 2000):
        rnd = Random(seed)
        check_world(WORLDS[kind](rnd), rnd, 20)


JITTERS = [0.0, 1e-6, 3e-5, 1e-4, 3e-4, 3e-3]


def check_uneven(kind: str, seeds: range, count: int) -> None:
    for seed in seeds:
        rnd = Random(seed)
        tree = jittered(WORLDS[kind](rnd), rnd, JITTERS[seed % len(JITTERS)])
        check_form(tree)
        check_borderline(tree, rnd, count)


@pytest.mark.parametrize("kind", WORLDS)
def test_a_barely_touched_polygon_is_found_even_among_uneven_faces(kind: str) -> None:
    check_uneven(kind, range(36), 30)


@pytest.mark.parametrize("kind", ["convex room", "concave room"])
def test_a_room_in_single_precision_lists_nothing_beyond_its_walls(kind: str) -> None:
    for seed in range(40):
        rnd = Random(seed)
        world = WORLDS[kind](rnd)
        rounded = [Polygon(p.id, [r24v(v) for v in p.vertices]) for p in world.polygons]
        openings = [Polygon(p.id, [r24v(v) for v in p.vertices]) for p in world.openings]
        tree = compile_physics(rounded, openings=openings, room=True)
        for _ in range(30):
            p = world.random_point(rnd)
            if world.truth(p) == BEYOND and not near_surface(world.polygons, p, 0.002):
                assert leaf_at(tree, p).polygons == []


@pytest.mark.parametrize("kind", WORLDS)
def test_rounded_data_makes_a_tree_hardly_larger(kind: str) -> None:
    for seed in range(20):
        world = WORLDS[kind](Random(seed))
        assert len(jittered(world, Random(seed), 1e-6).nodes()) <= len(compiled(world).nodes()) * 1.3 + 6


@pytest.mark.slow
@pytest.mark.parametrize("kind", WORLDS)
def test_thousands_of_uneven_trees_lose_no_polygon(kind: str) -> None:
    check_uneven(kind, range(1000, 2000), 40)


def walk_out(tree: PhysicsTree, opening: Polygon, radius: float, way: float) -> int:
    """Moves straight out of the middle of the opening until the sphere touches a wall, never in anything solid, and
    returns the number of steps."""
    n = len(opening.vertices)
    x, y, z = (sum(v[a] for v in opening.vertices) / n for a in range(3))
    nx, ny, nz = opening.normal
    for step in range(20):
        d = way * step * min(radius, 0.04)
        sphere = Sphere((x + nx * d, y + ny * d, z + nz * d), radius)
        if brute_hit(tree.polygons, sphere, (0.0, 0.0, 1.0))[1]:
            return step
        assert not tree.root.sphere_intersects_solid(sphere, True)
    return 20


def check_doorways(seeds: range) -> None:
    steps = 0
    for seed in seeds:
        rnd = Random(seed)
        world = VoxelRoom(rnd, openings=rnd.randint(1, 4))
        tree = compiled(world)
        for opening in world.openings:
            sides = [math.dist(opening.vertices[i - 1], opening.vertices[i]) for i in range(4)]
            for way in (1.0, -1.0):
                steps += walk_out(tree, opening, min(sides) * 0.45, way)
                steps += walk_out(tree, opening, 0.01, way)
    assert steps > 30 * len(seeds)


def test_a_sphere_passing_through_an_opening_is_never_in_anything_solid() -> None:
    check_doorways(range(100))


@pytest.mark.slow
def test_thousands_of_doorways_are_clear() -> None:
    check_doorways(range(1000, 3000))


def test_the_same_polygons_make_the_same_tree() -> None:
    def told(tree: PhysicsTree) -> list[str]:
        return [repr((node.sphere, node.depth)) for node in tree.nodes()]

    assert told(compiled(VoxelRoom(Random(5)))) == told(compiled(VoxelRoom(Random(5))))
