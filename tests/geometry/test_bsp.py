"""Physics trees by example: C-BSP-1 to 4 of physics.md 13.3, solid space, borders and bad trees (3.1-3.6)."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.bsp import (
    MAX_CALLS,
    PhysicsInner,
    PhysicsLeaf,
    PhysicsNode,
    PhysicsTree,
    RayHit,
    SolidState,
)
from engine.geometry.constants import EPSILON, FLOOR_Z
from engine.geometry.deep_bsp import PhysicsDeep, physics_node
from engine.geometry.errors import GeometryError
from engine.geometry.plane import Plane
from engine.geometry.polygon import TWO_SIDED, Polygon, PolyHit, WalkProbe
from engine.geometry.sphere import Sphere
from engine.geometry.vec import UP, ZERO, Vec3
from tests.geometry.shapes import bounding_sphere, floor, leaf, slope, split_tree

DOWN: Vec3 = (0.0, 0.0, -1.0)
EVERYWHERE = Sphere(ZERO, 1000.0)


def two_floors() -> PhysicsTree:
    return split_tree([floor(0, 0.0), floor(1, 3.0)], [Plane(UP, -1.5)])


def probe_down(tree: PhysicsTree, z: float, radius: float = 0.48) -> tuple[int | None, float]:
    sphere, out = Sphere((0.0, 0.0, z), radius), PolyHit()
    tree.root.find_walkable(WalkProbe(FLOOR_Z), sphere, out, (0.0, 0.0, -0.5), UP)
    return (None if out.poly is None else out.poly.id, sphere.center[2])


@pytest.mark.parametrize(
    ("z", "found", "end"),
    [
        pytest.param(0.4, 0, 0.48, id="C-BSP-1"),
        pytest.param(3.4, 1, 3.48, id="C-BSP-2"),
        pytest.param(10.0, None, 10.0, id="C-BSP-3"),
    ],
)
def test_probe_finds_the_floor_it_reaches(z: float, found: int | None, end: float) -> None:
    key, height = probe_down(two_floors(), z)
    assert key == found
    assert height == pytest.approx(end, abs=1e-6)


@pytest.mark.parametrize(
    ("degrees", "found"), [pytest.param(60.0, None, id="C-BSP-4"), pytest.param(40.0, 5, id="walkable slope")]
)
def test_only_a_walkable_slope_is_found(degrees: float, found: int | None) -> None:
    tree = split_tree([slope(5, degrees)], [Plane(UP, 0.0)])
    assert probe_down(tree, 0.3)[0] == found


def test_the_highest_of_several_floors_wins_whatever_the_order() -> None:
    for heights in ([0.0, 0.1, 0.2], [0.2, 0.1, 0.0], [0.1, 0.2, 0.0]):
        tree = split_tree([floor(i, z) for i, z in enumerate(heights)], [Plane(UP, -0.1), Plane(UP, -0.15)])
        key, height = probe_down(tree, 0.4)
        assert key == heights.index(0.2)
        assert height == pytest.approx(0.68, abs=1e-6)


def test_the_second_child_sees_the_sphere_where_the_first_left_it() -> None:
    """The positive child comes first: once the upper floor has lifted the sphere, the lower one is out of reach."""
    upper, lower = floor(1, 0.3), floor(0, 0.0)
    sphere, out, probe = Sphere((0.0, 0.0, 0.4), 0.48), PolyHit(), WalkProbe(FLOOR_Z)
    tree = PhysicsInner(Plane(UP, -0.15), leaf([upper]), leaf([lower]), EVERYWHERE)
    tree.find_walkable(probe, sphere, out, (0.0, 0.0, -0.5), UP)
    assert out.poly is upper
    lifted = probe.interp
    tree.find_walkable(probe, sphere, out, (0.0, 0.0, -0.5), UP)
    assert (out.poly, probe.interp) == (upper, lifted)


@pytest.mark.parametrize(("x", "hit"), [(0.0, True), (5.2, True), (5.3, False), (6.0, False)])
def test_a_floor_underfoot_needs_half_the_radius_on_it(x: float, hit: bool) -> None:
    tree = two_floors()
    assert tree.root.hits_walkable(WalkProbe(FLOOR_Z), Sphere((x, 0.0, 0.3), 0.48), UP) == hit


def wall_tree() -> PhysicsTree:
    """A wall at x = 2 that faces −x, with solid space behind it."""
    wall = Polygon(3, [(2.0, 5.0, 0.0), (2.0, -5.0, 0.0), (2.0, -5.0, 4.0), (2.0, 5.0, 4.0)])
    assert wall.normal == pytest.approx((-1.0, 0.0, 0.0))
    bound = bounding_sphere([wall])
    return PhysicsTree(
        PhysicsInner(wall.plane, leaf([wall]), PhysicsLeaf(1, True, bound, [wall]), Sphere(ZERO, 1000.0)), [wall]
    )


def test_a_wall_is_hit_from_its_front_while_approaching() -> None:
    tree, out = wall_tree(), PolyHit()
    assert tree.root.sphere_intersects_poly(Sphere((1.7, 0.0, 2.0), 0.48), (0.1, 0.0, 0.0), out)
    assert out.poly is tree.polygons[0]
    assert out.contact == pytest.approx((2.0, 0.0, 2.0))


def test_a_wall_being_left_is_named_although_not_hit() -> None:
    tree, out = wall_tree(), PolyHit()
    assert not tree.root.sphere_intersects_poly(Sphere((1.7, 0.0, 2.0), 0.48), (-0.1, 0.0, 0.0), out)
    assert out.poly is tree.polygons[0]


def test_the_tree_names_nothing_out_of_reach() -> None:
    tree, out = wall_tree(), PolyHit()
    assert not tree.root.sphere_intersects_poly(Sphere((1.5, 0.0, 2.0), 0.48), (0.1, 0.0, 0.0), out)
    assert not tree.root.sphere_intersects_poly(Sphere((1.7, 0.0, 900.0), 0.48), (0.1, 0.0, 0.0), out)
    assert out.poly is None


@pytest.mark.parametrize(
    ("x", "centre_check", "solid"),
    [
        (1.0, True, False),
        (1.7, False, True),
        (2.1, False, True),
        (3.0, True, True),
        (3.0, False, False),
        (2.0 + 0.4799, False, False),
    ],
)
def test_solid_space_behind_a_wall(x: float, centre_check: bool, solid: bool) -> None:
    sphere = Sphere((x, 0.0, 2.0), 0.48)
    assert wall_tree().root.sphere_intersects_solid(sphere, centre_check) == solid


@pytest.mark.parametrize(
    ("x", "centre_check", "answer", "centre_solid", "named"),
    [
        (1.0, True, False, False, False),
        (1.7, True, False, False, True),
        (2.1, True, True, True, True),
        (2.1, False, False, False, True),
        (3.0, True, True, True, False),
        (3.0, False, False, False, False),
    ],
)
def test_solid_search_names_the_polygon_and_where_the_centre_is(
    x: float, centre_check: bool, answer: bool, centre_solid: bool, named: bool
) -> None:
    """The inner node answers with `centre_solid` once its first child has found the polygon (3.3)."""
    tree, state = wall_tree(), SolidState()
    sphere = Sphere((x, 0.0, 2.0), 0.48)
    assert tree.root.sphere_intersects_solid_poly(sphere, 0.48, state, centre_check) == answer
    assert state.centre_solid == centre_solid
    assert (state.poly is tree.polygons[0]) == named


def test_a_leaf_at_the_root_answers_the_solid_search_itself() -> None:
    ground, state = floor(0, 0.0), SolidState()
    root = leaf([ground], solid=True)
    assert root.sphere_intersects_solid_poly(Sphere((0.0, 0.0, 0.3), 0.48), 0.48, state, False)
    assert (state.poly, state.centre_solid) == (ground, False)
    far = SolidState()
    assert root.sphere_intersects_solid_poly(Sphere((0.0, 0.0, 90.0), 0.48), 0.48, far, True)
    assert (far.poly, far.centre_solid) == (None, True)


def test_solid_search_reaches_as_far_as_the_grown_probe_radius() -> None:
    """The descent uses the grown radius; what it reaches is still tested with the sphere itself (3.3)."""
    near = floor(1, 0.5)
    tree = PhysicsInner(Plane(UP, 0.0), leaf([near]), leaf([floor(0, -0.5)], solid=True), EVERYWHERE)
    sphere = Sphere((0.0, 0.0, -0.4), 0.48)
    narrow = SolidState()
    assert tree.sphere_intersects_solid_poly(sphere, 0.1, narrow, True)
    assert narrow.poly is not None
    assert narrow.poly.id == 0
    lifted = Sphere((0.0, 0.0, 0.3), 0.25)
    for radius, reached in ((0.25, 1), (0.5, 1)):
        state = SolidState()
        tree.sphere_intersects_solid_poly(lifted, radius, state, True)
        assert (None if state.poly is None else state.poly.id) == reached


def test_a_leaf_without_polygons_is_never_solid_to_spheres() -> None:
    empty = PhysicsLeaf(0, True, EVERYWHERE, [])
    sphere, state = Sphere(ZERO, 1.0), SolidState()
    assert not empty.sphere_intersects_solid(sphere, True)
    assert not empty.sphere_intersects_solid_poly(sphere, 1.0, state, True)
    assert not state.centre_solid
    assert empty.point_intersects_solid(ZERO)


def test_a_point_in_a_plane_is_behind_it() -> None:
    tree = wall_tree().root
    assert not tree.point_intersects_solid((1.9, 0.0, 2.0))
    assert tree.point_intersects_solid((2.0, 0.0, 2.0))
    assert tree.point_intersects_solid((2.1, 0.0, 2.0))


@pytest.mark.parametrize("side", ["pos", "neg"])
def test_a_missing_child_holds_nothing(side: str) -> None:
    ground = floor(0, 0.0)
    present = leaf([ground], solid=True)
    plane = Plane(UP, 1.0) if side == "neg" else Plane(UP, -1.0)
    pos, neg = (present, None) if side == "neg" else (None, present)
    tree = PhysicsInner(plane, pos, neg, EVERYWHERE)
    z = -2.0 if side == "neg" else 2.0
    for reach in (0.48, 1.5):
        sphere = Sphere((0.0, 0.0, z), reach)
        assert not tree.sphere_intersects_poly(sphere, DOWN, PolyHit())
        assert not tree.sphere_intersects_solid(sphere, False)
        assert not tree.sphere_intersects_solid_poly(sphere, reach, SolidState(), False)
        assert not tree.hits_walkable(WalkProbe(FLOOR_Z), sphere, UP)
        out = PolyHit()
        tree.find_walkable(WalkProbe(FLOOR_Z), sphere, out, DOWN, UP)
        assert out.poly is None
    assert not tree.point_intersects_solid((0.0, 0.0, z))
    assert tree.sphere_intersects_poly(Sphere((0.0, 0.0, 0.3), 0.48), DOWN, PolyHit())


def test_a_plain_node_holds_nothing() -> None:
    node = PhysicsNode(EVERYWHERE, 1)
    sphere, ray = Sphere(ZERO, 1.0), RayHit()
    assert not node.sphere_intersects_poly(sphere, DOWN, PolyHit())
    assert not node.sphere_intersects_solid(sphere, True)
    assert not node.sphere_intersects_solid_poly(sphere, 1.0, SolidState(), True)
    assert not node.point_intersects_solid(ZERO)
    assert not node.hits_walkable(WalkProbe(FLOOR_Z), sphere, UP)
    node.find_walkable(WalkProbe(FLOOR_Z), sphere, PolyHit(), DOWN, UP)
    node.nearest_ray_hit(ZERO, UP, ray)
    assert ray.poly is None


def test_the_bounding_sphere_excludes_even_polygons_that_would_be_touched() -> None:
    ground = floor(0, 0.0)
    blind = PhysicsLeaf(0, False, Sphere((100.0, 0.0, 0.0), 1.0), [ground])
    touching = Sphere((0.0, 0.0, 0.3), 0.48)
    assert not blind.sphere_intersects_poly(touching, DOWN, PolyHit())
    assert not blind.sphere_intersects_solid(touching, False)
    assert not blind.hits_walkable(WalkProbe(FLOOR_Z), touching, UP)
    tree = PhysicsInner(Plane(UP, 0.0), leaf([ground]), None, Sphere((100.0, 0.0, 0.0), 1.0))
    out = PolyHit()
    tree.find_walkable(WalkProbe(FLOOR_Z), touching, out, DOWN, UP)
    assert out.poly is None


def test_centre_check_in_a_leaf_comes_before_its_bounding_sphere() -> None:
    solid = PhysicsLeaf(0, True, Sphere((100.0, 0.0, 0.0), 1.0), [floor(0, 0.0)])
    assert solid.sphere_intersects_solid(Sphere(ZERO, 0.1), True)


@pytest.mark.parametrize("reach", [0.48, 0.48 - EPSILON])
def test_descent_at_the_reach_takes_one_side_only(reach: float) -> None:
    """`t >= r − EPSILON` takes only the positive side: the search skips a polygon exactly there."""
    below, out = floor(0, 0.0), PolyHit()
    tree = PhysicsInner(Plane(UP, 0.0), None, leaf([below]), EVERYWHERE)
    assert not tree.sphere_intersects_poly(Sphere((0.0, 0.0, reach), 0.48), DOWN, out)
    assert out.poly is None
    assert tree.sphere_intersects_poly(Sphere((0.0, 0.0, 0.48 - 1.1 * EPSILON), 0.48), DOWN, out)


def test_ray_through_two_floors_stops_at_the_first() -> None:
    tree = two_floors()
    hit = RayHit()
    tree.root.nearest_ray_hit((1.0, 1.0, 10.0), (0.0, 0.0, -2.0), hit)
    assert hit.poly is tree.polygons[1]
    assert hit.time == pytest.approx(3.5)
    short = RayHit(3.4)
    tree.root.nearest_ray_hit((1.0, 1.0, 10.0), (0.0, 0.0, -2.0), short)
    assert short.poly is None


def test_ray_passes_the_back_of_a_floor_unless_it_is_two_sided() -> None:
    for sides, found in ((0, None), (TWO_SIDED, 9)):
        tree, hit = split_tree([floor(9, 0.0, sides_type=sides)], [Plane(UP, -1.0)]), RayHit()
        tree.root.nearest_ray_hit((0.0, 0.0, -5.0), UP, hit)
        assert (None if hit.poly is None else hit.poly.id) == found


DEEP = 100_000
"""Far more than the interpreter's limit of calls, and than compiled calls have stack for."""


def deep_chain(depth: int, sphere_straddles: bool, end: PhysicsNode) -> PhysicsNode:
    node = end
    plane = Plane(UP, 0.0) if sphere_straddles else Plane(UP, 50.0)
    for _ in range(depth - 1):
        node = physics_node(plane, node, None, EVERYWHERE)
    return node


@pytest.mark.parametrize("straddles", [True, False])
def test_the_tree_search_handles_a_tree_of_any_depth(straddles: bool) -> None:
    ground = floor(0, 0.0)
    root = deep_chain(DEEP, straddles, PhysicsLeaf(0, True, EVERYWHERE, [ground]))
    assert root.depth == DEEP
    sphere, out, ray = Sphere((0.0, 0.0, 0.3), 0.48), PolyHit(), RayHit()
    assert root.sphere_intersects_poly(sphere, DOWN, out)
    assert root.sphere_intersects_solid(sphere, True)
    assert root.sphere_intersects_solid_poly(sphere, 0.48, SolidState(), True)
    assert root.hits_walkable(WalkProbe(FLOOR_Z), sphere, UP)
    root.nearest_ray_hit((0.0, 0.0, 5.0), DOWN, ray)
    assert ray.poly is ground
    root.find_walkable(WalkProbe(FLOOR_Z), sphere, out, DOWN, UP)
    assert sphere.center[2] == pytest.approx(0.48, abs=1e-6)
    assert len(PhysicsTree(root, [ground]).nodes()) == DEEP


def test_what_waits_in_a_deep_tree_is_searched_too() -> None:
    """Every node straddles, and what is hit lies behind the plane of the first."""
    ground = floor(0, 0.0)
    inner = deep_chain(DEEP, True, leaf([]))
    root = physics_node(Plane(UP, 0.0), inner, PhysicsLeaf(0, True, EVERYWHERE, [ground]), EVERYWHERE)
    sphere, out, ray = Sphere((0.0, 0.0, 0.3), 0.48), PolyHit(), RayHit()
    assert root.sphere_intersects_poly(sphere, DOWN, out)
    assert root.hits_walkable(WalkProbe(FLOOR_Z), sphere, UP)
    state = SolidState()
    assert root.sphere_intersects_solid_poly(sphere, 0.48, state, True)
    assert state.poly is ground
    assert root.sphere_intersects_solid(Sphere((0.0, 0.0, -0.3), 0.48), True)
    root.nearest_ray_hit((0.0, 0.0, 5.0), DOWN, ray)
    assert ray.poly is ground


def test_calls_go_no_deeper_than_the_stack_allows() -> None:
    deep = deep_chain(MAX_CALLS, True, leaf([]))
    assert type(deep) is PhysicsInner
    with pytest.raises(GeometryError, match="no deeper than 512 nodes"):
        PhysicsInner(Plane(UP, 0.0), None, deep, EVERYWHERE)
    assert physics_node(Plane(UP, 0.0), None, deep, EVERYWHERE).depth == MAX_CALLS + 1


@given(data=st.data())
def test_loops_and_calls_give_the_same_answers(data: st.DataObject) -> None:
    """The same tree by calls, and by loops for all of it."""
    floors = [floor(number, data.draw(st.sampled_from([-0.5, 0.0, 0.2]))) for number in range(6)]

    def branch(levels: int, kind: type[PhysicsInner], chooser: random.Random) -> PhysicsNode | None:
        if levels == 0 or chooser.random() < 0.2:
            return leaf(chooser.sample(floors, 2)) if chooser.random() < 0.8 else None
        plane = Plane(chooser.choice([UP, (1.0, 0.0, 0.0)]), chooser.choice([0.0, 0.3, -0.3]))
        return kind(plane, branch(levels - 1, kind, chooser), branch(levels - 1, kind, chooser), EVERYWHERE)

    seed = data.draw(st.integers(0, 10_000))
    x, z, radius = (data.draw(st.sampled_from(values)) for values in ([0.0, 0.2, -0.4], [0.0, 0.3, 0.6], [0.1, 0.48]))
    centre_check, positive_first = data.draw(st.booleans()), data.draw(st.booleans())
    answers = []
    for kind in (PhysicsInner, PhysicsDeep):
        chooser = random.Random(seed)
        root = kind(Plane(UP, 0.0), branch(4, kind, chooser), branch(4, kind, chooser), EVERYWHERE)
        ball = Sphere((x, 0.0, z), radius)
        hit, found, state, ray, moved = PolyHit(), PolyHit(), SolidState(positive_first), RayHit(), ball.copy()
        said = (
            root.sphere_intersects_poly(ball, DOWN, hit),
            root.sphere_intersects_solid(ball, centre_check),
            root.sphere_intersects_solid_poly(ball, radius, state, centre_check),
            root.hits_walkable(WalkProbe(FLOOR_Z), ball, UP),
            root.point_intersects_solid(ball.center),
        )
        root.find_walkable(WalkProbe(FLOOR_Z), moved, found, DOWN, UP)
        root.nearest_ray_hit((x, 0.0, 5.0), DOWN, ray)
        touched = [None if poly is None else poly.id for poly in (hit.poly, found.poly, state.poly, ray.poly)]
        answers.append((said, touched, hit.contact, moved.center, state.centre_solid, ray.time))
    assert answers[0] == answers[1]


def test_nodes_are_listed_parents_first_and_positive_before_negative() -> None:
    tree = two_floors()
    upper, lower = (node for node in tree.nodes() if isinstance(node, PhysicsLeaf))
    assert [p.id for p in upper.polygons] == [1]
    assert [p.id for p in lower.polygons] == [0]
    assert tree.nodes()[0] is tree.root


@pytest.mark.parametrize(
    ("start", "end", "touching"),
    [
        pytest.param((0.0, 0.0, 2.0), (0.0, 0.0, 0.1), 0.48, id="onto a floor"),
        pytest.param((0.0, 0.0, 2.0), (1.0, 1.0, -1.4), 0.48, id="through a floor, slanting"),
    ],
)
def test_exact_clipping_stops_just_before_touching(start: Vec3, end: Vec3, touching: float) -> None:
    tree, sphere, hit = two_floors(), Sphere(end, 0.48), PolyHit()
    move = (end[0] - start[0], end[1] - start[1], end[2] - start[2])
    hit.poly = tree.polygons[0]
    assert tree.adjust_to_plane(sphere, start, hit)
    assert not tree.root.sphere_intersects_poly(sphere, move, PolyHit())
    assert touching <= sphere.center[2] + 1e-9
    assert sphere.center[2] - touching < 0.03 * math.dist(start, end)


def test_exact_clipping_gives_up_without_a_polygon() -> None:
    assert not two_floors().adjust_to_plane(Sphere((0.0, 0.0, 0.1), 0.48), (0.0, 0.0, 2.0), PolyHit())


def test_exact_clipping_of_a_body_already_touching_stays_there() -> None:
    tree, sphere, hit = two_floors(), Sphere((0.0, 0.0, -0.2), 0.48), PolyHit()
    hit.poly = tree.polygons[0]
    assert tree.adjust_to_plane(sphere, (0.0, 0.0, 0.3), hit)
    assert sphere.center == pytest.approx((0.0, 0.0, 0.3), abs=0.02)
