"""Every `<` and `<=` of physics.md 1.6, 2 and 3, tested with both sides exactly equal.

The numbers are sums of a few powers of two, so no rounding blurs the border: REACHING − EPSILON is exactly one half.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.geometry.box import Box
from engine.geometry.bsp import PhysicsInner, PhysicsLeaf, PhysicsNode, RayHit, SolidState
from engine.geometry.cell_bsp import CellInner, CellLeaf
from engine.geometry.constants import EPSILON
from engine.geometry.plane import CROSSING, NEGATIVE, POSITIVE, Plane
from engine.geometry.polygon import TWO_SIDED, Polygon, PolyHit, WalkProbe, find_time_of_collision
from engine.geometry.sphere import Sphere
from engine.geometry.vec import UP, ZERO, Vec3
from tests.geometry.shapes import UNIT_SQUARE, floor, unit_square

REACHING = 0.5 + EPSILON
ROOT_EPSILON = 0.014142135445100752  # its square is EPSILON exactly
EVERYWHERE = Sphere(ZERO, 1000.0)
DOWN: Vec3 = (0.0, 0.0, -1.0)


def test_the_numbers_are_exact() -> None:
    assert REACHING - EPSILON == 0.5
    assert ROOT_EPSILON * ROOT_EPSILON == EPSILON


@pytest.mark.parametrize(
    ("center", "radius"),
    [
        pytest.param((0.5, 0.5, 0.5), REACHING, id="the plane is at the shrunk radius"),
        pytest.param((0.0, 0.5, 0.0), 0.125, id="the foot point is on an edge"),
        pytest.param((1.5, 0.5, 0.0), REACHING, id="the disc reaches an edge"),
        pytest.param((1.375, 1.5, 0.0), 0.625 + EPSILON, id="the disc reaches a corner"),
    ],
)
def test_a_sphere_at_the_border_of_its_reach_hits(center: Vec3, radius: float) -> None:
    assert unit_square().hits_sphere(Sphere(center, radius))


def test_a_clockwise_polygon_has_its_border_inside_too() -> None:
    clockwise = Polygon(0, list(reversed(UNIT_SQUARE)))
    for p in [*UNIT_SQUARE, (0.5, 0.0, 0.0), (1.0, 0.25, 0.0)]:
        assert clockwise.point_in_poly2d(p, NEGATIVE)


@pytest.mark.parametrize(
    ("z", "rise"), [(-0.5 - 0.5 * EPSILON, EPSILON), (0.5 - 0.5 * EPSILON, -EPSILON)], ids=["along", "against"]
)
def test_a_move_of_epsilon_through_the_plane_counts_as_parallel(z: float, rise: float) -> None:
    sphere = Sphere((0.5, 0.5, z), 0.5)
    assert not unit_square().adjust_sphere_to_plane(WalkProbe(0.0), sphere, (0.0, 0.0, rise))
    assert unit_square().adjust_sphere_to_plane(WalkProbe(0.0), sphere, (0.0, 0.0, 1.01 * rise))


@pytest.mark.parametrize(
    ("z", "drop", "found"),
    [
        pytest.param(0.5, 1.0, False, id="tangent: interp is walk_interp"),
        pytest.param(0.25, 0.25, True, id="interp is 0"),
        pytest.param(-0.25, 0.5, True, id="interp is -0.5"),
    ],
)
def test_the_rest_of_the_probe_at_its_borders(z: float, drop: float, found: bool) -> None:
    probe = WalkProbe(0.0)
    assert unit_square().adjust_sphere_to_plane(probe, Sphere((0.5, 0.5, z), 0.5), (0.0, 0.0, -drop)) == found


def test_a_tangent_sphere_has_its_whole_move_left_to_clip() -> None:
    start = (0.5, 0.5, 0.5)
    assert unit_square().adjust_sphere_to_poly(Sphere(start, 0.5), start, (0.0, 0.0, -2.0)) == 0.0


def test_a_clipped_move_of_epsilon_is_not_parallel() -> None:
    start = (0.5, 0.5, -1.0)
    found = unit_square().adjust_sphere_to_poly(Sphere(start, 0.5), start, (0.0, 0.0, EPSILON))
    assert found == 0.5 / EPSILON


@pytest.mark.parametrize(
    ("x", "y", "radius"),
    [
        pytest.param(1.25, 0.0, 0.5, id="on the line of one edge and beside the start of another"),
        pytest.param(1.25, 1.0, 0.5, id="beside the end of an edge"),
        pytest.param(1.5, 0.5, 0.5, id="the radius reaches the edge"),
    ],
)
def test_standing_at_the_border_of_reach(x: float, y: float, radius: float) -> None:
    assert unit_square().check_walkable(Sphere((x, y, 0.25), radius), UP)


def test_a_corner_exactly_in_reach_decides_before_a_later_edge_does() -> None:
    wedge = Polygon(0, [(4.0, -0.5, 0.0), (4.0, 0.5, 0.0), (0.0, 0.0, 0.0)])
    assert wedge.check_walkable(Sphere((-0.375, 0.5, 0.25), 0.625), UP)
    assert not wedge.check_walkable(Sphere((-0.375, 0.5, 0.25), 0.624), UP)


def test_a_floor_tilted_to_epsilon_is_still_one() -> None:
    barely_up = (0.0, 0.0, EPSILON)
    assert unit_square().check_walkable(Sphere((0.5, 0.5, 0.25), 0.5), barely_up)
    assert unit_square().find_crossed_edge(Sphere((1.5, 0.5, 0.25), 0.5), barely_up) == (-1.0, 0.0, 0.0)


def test_a_centre_on_an_edge_has_not_crossed_it() -> None:
    assert unit_square().find_crossed_edge(Sphere((1.0, 0.5, 0.25), 0.5), UP) is None


def test_a_ray_inclined_by_epsilon_meets_the_polygon() -> None:
    square = Polygon(0, list(UNIT_SQUARE), TWO_SIDED)
    assert square.polygon_hits_ray((0.5, 0.5, 2.0), (0.0, 0.0, -EPSILON)) == 2.0 / EPSILON


def test_a_collision_needs_a_minimal_move_and_gap() -> None:
    assert find_time_of_collision((-ROOT_EPSILON, 0.0, 0.0), (2.0, 0.0, 0.0), 1.0) > 0.0
    assert find_time_of_collision((-1.0, 0.0, 0.0), (ROOT_EPSILON, 0.0, 0.0), 0.0) > 0.0


def test_a_grazing_point_collides() -> None:
    assert find_time_of_collision((-4.0, 0.0, 0.0), (2.0, 1.0, 0.0), 1.0) == 0.5


def test_of_two_coincident_polygons_the_ray_names_the_first() -> None:
    hit = RayHit()
    PhysicsLeaf(0, False, EVERYWHERE, [floor(1, 0.0), floor(2, 0.0)]).nearest_ray_hit((0.0, 0.0, 1.0), DOWN, hit)
    assert hit.poly is not None
    assert hit.poly.id == 1


def asks_poly(node: PhysicsNode, sphere: Sphere) -> bool:
    return node.sphere_intersects_poly(sphere, DOWN, PolyHit())


def asks_solid(node: PhysicsNode, sphere: Sphere) -> bool:
    return node.sphere_intersects_solid(sphere, False)


def asks_solid_poly(node: PhysicsNode, sphere: Sphere) -> bool:
    state = SolidState()
    node.sphere_intersects_solid_poly(sphere, sphere.radius, state, False)
    return state.poly is not None


def asks_hits_walkable(node: PhysicsNode, sphere: Sphere) -> bool:
    return node.hits_walkable(WalkProbe(0.0), sphere, UP)


def asks_find_walkable(node: PhysicsNode, sphere: Sphere) -> bool:
    out = PolyHit()
    node.find_walkable(WalkProbe(0.0), sphere, out, DOWN, UP)
    return out.poly is not None


@pytest.mark.parametrize("ask", [asks_poly, asks_solid, asks_solid_poly, asks_hits_walkable, asks_find_walkable])
@pytest.mark.parametrize(
    ("z", "asks_pos", "asks_neg"),
    [
        (0.625, True, False),
        (0.5, True, False),
        (0.5 - EPSILON, True, True),
        (0.0, True, True),
        (EPSILON - 0.5, True, True),
        (-0.5, False, True),
        (-0.625, False, True),
    ],
)
def test_the_tree_asks_children_up_to_the_reach(
    ask: Callable[[PhysicsNode, Sphere], bool], z: float, asks_pos: bool, asks_neg: bool
) -> None:
    """Each child in turn holds a floor just under the sphere's centre, wherever the centre is."""
    split = Plane(UP, 0.0)
    touched = PhysicsLeaf(0, False, EVERYWHERE, [floor(0, z - 0.125)])
    assert ask(PhysicsInner(split, touched, None, EVERYWHERE), Sphere((0.0, 0.0, z), REACHING)) == asks_pos
    assert ask(PhysicsInner(split, None, touched, EVERYWHERE), Sphere((0.0, 0.0, z), REACHING)) == asks_neg


@pytest.mark.parametrize("positive_first", [True, False])
def test_a_centre_in_the_plane_is_in_front_and_under_ace_also_behind(positive_first: bool) -> None:
    """physics.md 3.3 and #25: both tests take `t < 0` for behind, but `ace` takes `t <= 0` in the one that names the
    polygon."""
    split, sphere = Plane(UP, 0.0), Sphere(ZERO, 0.5)
    filled = PhysicsLeaf(0, True, EVERYWHERE, [floor(0, 90.0)])
    front, back = PhysicsInner(split, filled, None, EVERYWHERE), PhysicsInner(split, None, filled, EVERYWHERE)
    assert front.sphere_intersects_solid(sphere, True)
    assert not back.sphere_intersects_solid(sphere, True)
    for node, centre_solid in ((front, positive_first), (back, not positive_first)):
        state = SolidState(positive_first)
        node.sphere_intersects_solid_poly(sphere, 0.5, state, True)
        assert state.centre_solid == centre_solid


def test_the_tree_follows_a_ray_up_to_the_edge_of_a_bounding_sphere() -> None:
    bound = Sphere((0.0, 1.0 + EPSILON, 0.0), 1.0)
    leaf = PhysicsLeaf(0, False, bound, [floor(0, 0.0)])
    for y, found in ((0.0, True), (-0.001, False)):
        hit = RayHit()
        leaf.nearest_ray_hit((0.0, y, 5.0), DOWN, hit)
        assert (hit.poly is not None) == found


def test_a_ray_too_short_to_have_a_length_meets_nothing() -> None:
    hit = RayHit()
    PhysicsLeaf(0, False, EVERYWHERE, [floor(0, 0.0)]).nearest_ray_hit((0.0, 0.0, 5.0), (0.0, 0.0, -1e-200), hit)
    assert hit.poly is None


def test_a_point_exactly_epsilon_behind_a_cell_plane_is_inside() -> None:
    cell = CellInner(Plane((1.0, 0.0, 0.0), 0.0), CellLeaf(0), None)
    assert cell.point_inside_cell_bsp((-EPSILON, 0.0, 0.0))
    assert cell.box_intersects_cell_bsp(Box((-1.0, 0.0, 0.0), (-EPSILON, 1.0, 1.0)).corners())


def test_a_plane_within_epsilon_of_upright_has_no_heights() -> None:
    steep = Plane((1.0, 0.0, EPSILON), 0.0)
    assert steep.snap_to_plane((1.0, 2.0, 3.0)) == (1.0, 2.0, 3.0)
    assert steep.set_height((1.0, 2.0, 3.0)) == (1.0, 2.0, 3.0)


def test_a_box_that_starts_epsilon_above_a_plane_crosses_it() -> None:
    ground = Plane(UP, 0.0)
    assert ground.intersect_box(Box((0.0, 0.0, EPSILON), (1.0, 1.0, 1.0))) == CROSSING
    assert ground.intersect_box(Box((0.0, 0.0, 1.01 * EPSILON), (1.0, 1.0, 1.0))) == POSITIVE


def test_the_gate_before_a_tree_closes_at_epsilon() -> None:
    point = Sphere(ZERO, 0.0)
    assert not point.in_reach_of(Sphere((ROOT_EPSILON, 0.0, 0.0), 0.0))
    assert point.in_reach_of(Sphere((0.99 * ROOT_EPSILON, 0.0, 0.0), 0.0))
