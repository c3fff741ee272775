"""Polygons by example: the cases C-PG of physics.md 13.2, the border cases, and what bad polygons answer."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.geometry.constants import EPSILON, FLOOR_Z
from engine.geometry.plane import NEGATIVE, POSITIVE
from engine.geometry.polygon import (
    TWO_SIDED,
    Polygon,
    PolyHit,
    WalkProbe,
    find_time_of_collision,
    make_plane,
)
from engine.geometry.sphere import Sphere
from engine.geometry.vec import UP, ZERO, Vec3, r24
from tests.geometry.shapes import UNIT_SQUARE, unit_square

DEGENERATE = {
    "two points": [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)],
    "one point": [(0.0, 0.0, 0.0)],
    "the same point": [(1.0, 1.0, 0.0)] * 4,
    "a line": [(0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (2.0, 2.0, 0.0)],
    "a line of rounded numbers": [(r24(0.1 * i), r24(0.2 * i), 0.0) for i in (1.0, 2.0, 4.0)],
    "there and back": [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.0, 0.0, 0.0)],
    "not a number": [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (math.nan, 1.0, 0.0)],
    "an area beyond all numbers": [(0.0, 0.0, 0.0), (1e80, 0.0, 0.0), (0.0, 1e80, 0.0)],
    "infinite": [(0.0, 0.0, 0.0), (math.inf, 0.0, 0.0), (0.0, math.inf, 0.0)],
}


@pytest.mark.parametrize(
    ("center", "radius", "hit"),
    [
        pytest.param((0.5, 0.5, 0.3), 0.5, True, id="C-PG-1"),
        pytest.param((0.5, 0.5, 5.0), 0.3, False, id="C-PG-2"),
        pytest.param((0.5, 0.5, 0.5), 0.5, False, id="C-PG-3 tangent"),
        pytest.param((1.30, 0.5, 0.3), 0.5, True, id="C-PG-4 by edge"),
        pytest.param((1.45, 0.5, 0.3), 0.5, False, id="C-PG-5"),
        pytest.param((1.25, 1.25, 0.3), 0.5, True, id="C-PG-6 by corner"),
        pytest.param((1.30, 1.30, 0.3), 0.5, False, id="C-PG-7"),
        pytest.param((0.5, 0.5, -0.3), 0.5, True, id="from behind"),
        pytest.param((1.0, 1.0, 0.0), 0.5, True, id="centre on a corner"),
    ],
)
def test_sphere_touches_the_unit_square(center: Vec3, radius: float, hit: bool) -> None:
    assert unit_square().hits_sphere(Sphere(center, radius)) == hit


def test_c_pg_8_sphere_is_taken_back_onto_the_plane() -> None:
    sphere, probe = Sphere((0.5, 0.5, 0.4), 0.48), WalkProbe(FLOOR_Z)
    assert unit_square().adjust_sphere_to_plane(probe, sphere, (0.0, 0.0, -0.5))
    assert sphere.center == pytest.approx((0.5, 0.5, 0.48), abs=1e-6)
    assert probe.interp == pytest.approx(0.84, abs=1e-6)


def test_c_pg_9_move_along_the_plane_changes_nothing() -> None:
    sphere, probe = Sphere((0.5, 0.5, 0.4), 0.48), WalkProbe(FLOOR_Z)
    assert not unit_square().adjust_sphere_to_plane(probe, sphere, (1.0, 0.0, 0.0))
    assert (sphere.center, probe.interp) == ((0.5, 0.5, 0.4), 1.0)


@pytest.mark.parametrize(
    ("x", "small", "walkable"),
    [
        pytest.param(1.25, False, True, id="C-PG-10 normal"),
        pytest.param(1.25, True, False, id="C-PG-10 small"),
        pytest.param(1.15, True, True, id="C-PG-11 small"),
    ],
)
def test_standing_beside_the_unit_square(x: float, small: bool, walkable: bool) -> None:
    sphere = Sphere((x, 0.5, 0.3), 0.4)
    assert unit_square().check_walkable(sphere, UP, small) == walkable
    if small:
        assert unit_square().check_small_walkable(sphere, UP) == walkable


@pytest.mark.parametrize(
    ("x", "radius", "small", "walkable"),
    [
        pytest.param(1.2, 0.4, False, True, id="C-PG-16 within the radius of the corner"),
        pytest.param(1.3, 0.4, False, False, id="C-PG-16 beyond it"),
        pytest.param(1.15, 0.5, True, True, id="C-PG-17"),
    ],
)
def test_standing_beyond_the_outer_corner_of_the_unit_square(
    x: float, radius: float, small: bool, walkable: bool
) -> None:
    sphere = Sphere((x, x, 0.3), radius)
    assert unit_square().check_walkable(sphere, UP, small) == walkable
    assert not unit_square().check_walkable(sphere, UP, small, corners=False)


@pytest.mark.parametrize(
    ("x", "normal"),
    [pytest.param(1.2, (-1.0, 0.0, 0.0), id="C-PG-12"), pytest.param(0.5, None, id="C-PG-13")],
)
def test_edge_that_the_centre_is_beyond(x: float, normal: Vec3 | None) -> None:
    found = unit_square().find_crossed_edge(Sphere((x, 0.5, 0.3), 0.4), UP)
    assert found == (None if normal is None else pytest.approx(normal))


def test_c_pg_14_time_of_collision() -> None:
    assert find_time_of_collision((-4.0, 0.0, 0.0), (2.0, 0.0, 0.0), 1.0) == pytest.approx(0.25)


@pytest.mark.parametrize("move", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], ids=["C-PG-15 along", "C-PG-15 away"])
def test_a_wall_being_left_is_recorded_but_not_hit(move: Vec3) -> None:
    wall = Polygon(7, [(1.0, 0.0, -1.0), (-1.0, 0.0, -1.0), (-1.0, 0.0, 1.0), (1.0, 0.0, 1.0)])
    assert wall.normal == (0.0, 1.0, 0.0)
    out = PolyHit()
    assert not wall.pos_hits_sphere(Sphere((0.0, 0.3, 0.0), 0.48), move, out)
    assert out.poly is wall
    assert out.contact == pytest.approx((0.0, 0.0, 0.0))


def test_a_wall_being_approached_is_hit() -> None:
    out = PolyHit()
    assert unit_square().pos_hits_sphere(Sphere((0.5, 0.5, 0.3), 0.5), (0.0, 0.0, -0.1), out)
    assert out.contact == pytest.approx((0.5, 0.5, 0.0))


def test_the_contact_point_is_written_with_only_the_plane_in_reach() -> None:
    """physics.md 2.3: the field is scratch, hit or not; out of the plane's reach it keeps its value."""
    out = PolyHit()
    assert not unit_square().pos_hits_sphere(Sphere((4.0, 0.5, 0.3), 0.5), (0.0, 0.0, -0.1), out)
    assert out.poly is None
    assert out.contact == pytest.approx((4.0, 0.5, 0.0))
    assert not unit_square().pos_hits_sphere(Sphere((2.0, 0.5, 0.6), 0.5), (0.0, 0.0, -0.1), out)
    assert out.contact == pytest.approx((4.0, 0.5, 0.0))


def test_plane_and_edges_of_the_unit_square() -> None:
    square = unit_square()
    assert (square.plane.normal, square.plane.d) == (UP, 0.0)
    first = square.edges[0]
    assert (first.last, first.edge, first.cross) == ((0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (1.0, 0.0, 0.0))
    assert (first.edge2, first.cross2, len(square.edges)) == (1.0, 1.0, 4)


def test_plane_goes_through_the_mean_of_a_bent_polygon() -> None:
    bent = make_plane([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.1), (0.0, 1.0, 0.0)])
    mean = bent.dist((0.5, 0.5, 0.025))
    assert mean == pytest.approx(0.0, abs=1e-12)


def test_border_points_are_inside() -> None:
    square = unit_square()
    for p in [*UNIT_SQUARE, (0.5, 0.0, 0.0), (1.0, 0.3, 0.0)]:
        assert square.point_in_polygon(p)
        assert square.point_in_poly2d(p, POSITIVE)
    assert not square.point_in_polygon((1.0001, 0.5, 0.0))
    assert not square.point_in_poly2d((1.0001, 0.5, 77.0), POSITIVE)


def test_point_in_2d_expects_one_winding() -> None:
    clockwise = Polygon(0, list(reversed(UNIT_SQUARE)))
    inside = (0.5, 0.25, 9.0)
    assert unit_square().point_in_poly2d(inside, POSITIVE)
    assert not unit_square().point_in_poly2d(inside, NEGATIVE)
    assert clockwise.point_in_poly2d(inside, NEGATIVE)
    assert not clockwise.point_in_poly2d(inside, POSITIVE)


def test_a_steep_polygon_is_no_floor() -> None:
    sphere = Sphere((0.5, 0.5, 0.3), 0.5)
    assert unit_square().walkable_hits_sphere(WalkProbe(0.99), sphere, UP)
    assert not unit_square().walkable_hits_sphere(WalkProbe(1.0), sphere, UP)


def single_precision_interp(height: float, z: float, radius: float, step: float) -> float:
    """`interp` of 2.4 for a level floor, each operation rounded by the processor's own single-precision arithmetic."""
    dp = np.float32(z) - np.float32(height)
    t = (dp - np.float32(radius)) / -np.float32(step)
    return float(np.float32(1.0) - t)


@pytest.mark.parametrize("tread", [0.2 * i for i in range(1, 21)])
def test_single_precision_decides_a_20_cm_tread_under_a_40_cm_probe(tread: float) -> None:
    """The boundary of 13.12: the floor is exactly one and a half probes above the lowered sphere."""
    height, radius, step = r24(tread), r24(0.48), r24(0.4)
    z = r24(r24(r24(tread - 0.2) + radius) - step)
    expected = single_precision_interp(height, z, radius, step)
    floor, sphere, probe = (
        Polygon(0, [(x, y, height) for x, y, _ in UNIT_SQUARE]),
        Sphere((0.5, 0.5, z), radius),
        WalkProbe(FLOOR_Z),
    )
    assert expected == pytest.approx(-0.5, abs=1e-5)
    assert floor.adjust_sphere_to_plane(probe, sphere, (0.0, 0.0, -step)) == (not expected < -0.5)
    assert probe.interp == (1.0 if expected < -0.5 else expected)


def test_a_lower_floor_does_not_win_over_a_higher_one() -> None:
    sphere, probe = Sphere((0.5, 0.5, 0.4), 0.48), WalkProbe(FLOOR_Z, 0.0)
    assert not unit_square().adjust_sphere_to_plane(probe, sphere, (0.0, 0.0, -0.5))
    assert (sphere.center, probe.interp) == ((0.5, 0.5, 0.4), 0.0)


def test_the_rest_of_the_probe_shrinks_by_the_same_share() -> None:
    sphere, probe = Sphere((0.5, 0.5, 0.4), 0.48), WalkProbe(FLOOR_Z, 0.5)
    assert unit_square().adjust_sphere_to_plane(probe, sphere, (0.0, 0.0, -0.5))
    assert probe.interp == pytest.approx(0.42, abs=1e-6)


def test_a_move_along_the_normal_is_measured_from_behind_the_plane() -> None:
    sphere, probe = Sphere((0.5, 0.5, -0.6), 0.48), WalkProbe(FLOOR_Z)
    assert unit_square().adjust_sphere_to_plane(probe, sphere, (0.0, 0.0, 0.5))
    assert (sphere.center[2], probe.interp) == pytest.approx((-0.72, 0.76), abs=1e-6)


@pytest.mark.parametrize(
    ("start", "move", "expected"),
    [
        ((0.5, 0.5, 2.0), (0.0, 0.0, -2.0), 0.75),
        ((0.5, 0.5, -2.0), (0.0, 0.0, 2.0), 0.75),
        ((0.5, 0.5, 0.4), (0.0, 0.0, -2.0), 1.0),
        ((0.5, 0.5, 2.0), (1.0, 0.0, 0.0), 0.0),
    ],
)
def test_part_of_a_move_until_the_plane_is_touched(start: Vec3, move: Vec3, expected: float) -> None:
    assert unit_square().adjust_sphere_to_poly(Sphere(start, 0.5), start, move) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("z", "centre_solid", "solid_check", "expected"),
    [
        (0.2, False, True, 0.5),
        (-0.2, False, True, -0.5),
        (-0.2, False, False, 0.5),
        (0.2, True, True, -0.5),
        (0.2, True, False, 0.5),
        (0.0, False, True, -0.5),
    ],
)
def test_placement_pushes_both_spheres_out(z: float, centre_solid: bool, solid_check: bool, expected: float) -> None:
    foot, head = Sphere((0.5, 0.5, z), 0.5), Sphere((0.5, 0.5, z + 1.0), 0.5)
    unit_square().adjust_to_placement_poly(foot, head, 0.5, centre_solid, solid_check)
    assert foot.center == pytest.approx((0.5, 0.5, expected))
    assert head.center == pytest.approx((0.5, 0.5, expected + 1.0))
    alone = Sphere((0.5, 0.5, z), 0.5)
    unit_square().adjust_to_placement_poly(alone, None, 0.5, centre_solid, solid_check)
    assert alone.center == foot.center


@pytest.mark.parametrize(
    ("z", "centre_solid", "exclusive", "inclusive"),
    [
        pytest.param(-0.3, True, 0.48, -0.48, id="C-PG-18 solid behind"),
        pytest.param(0.3, True, -0.48, -0.48, id="C-PG-18 solid before"),
        pytest.param(0.3, False, 0.48, 0.48, id="C-PG-18 free before"),
        pytest.param(-0.3, False, -0.48, -0.48, id="C-PG-18 free behind"),
    ],
)
def test_a_centre_in_solid_space_behind_a_face_is_pushed_out_in_front(
    z: float, centre_solid: bool, exclusive: float, inclusive: float
) -> None:
    for form, expected in ((True, exclusive), (False, inclusive)):
        sphere = Sphere((0.5, 0.5, z), 0.48)
        unit_square().adjust_to_placement_poly(sphere, None, 0.48, centre_solid, True, form)
        assert sphere.center == pytest.approx((0.5, 0.5, expected))


@pytest.mark.parametrize(
    ("origin", "direction", "sides", "expected"),
    [
        ((0.5, 0.5, 2.0), (0.0, 0.0, -1.0), 0, 2.0),
        ((0.5, 0.5, 2.0), (0.0, 0.0, -4.0), 0, 0.5),
        ((0.5, 0.5, -2.0), (0.0, 0.0, 1.0), 0, -1.0),
        ((0.5, 0.5, -2.0), (0.0, 0.0, 1.0), TWO_SIDED, 2.0),
        ((0.5, 0.5, 2.0), (0.0, 0.0, 1.0), TWO_SIDED, -1.0),
        ((1.5, 0.5, 2.0), (0.0, 0.0, -1.0), 0, -1.0),
        ((0.5, 0.5, 2.0), (1.0, 0.0, -0.0001), 0, -1.0),
        ((0.5, 0.5, 0.0), (0.0, 0.0, -1.0), 0, 0.0),
    ],
)
def test_rays_meet_the_front(origin: Vec3, direction: Vec3, sides: int, expected: float) -> None:
    assert Polygon(0, list(UNIT_SQUARE), sides).polygon_hits_ray(origin, direction) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("move", "rel", "radsum"),
    [
        pytest.param((0.01, 0.0, 0.0), (2.0, 0.0, 0.0), 1.0, id="too short a move"),
        pytest.param((-4.0, 0.0, 0.0), (0.5, 0.0, 0.0), 1.0, id="already inside"),
        pytest.param((0.0, 4.0, 0.0), (2.0, 0.0, 0.0), 1.0, id="passing by"),
    ],
)
def test_no_time_of_collision(move: Vec3, rel: Vec3, radsum: float) -> None:
    assert find_time_of_collision(move, rel, radsum) == -1.0


@pytest.mark.parametrize("vertices", DEGENERATE.values(), ids=DEGENERATE.keys())
def test_a_polygon_without_area_answers_false(vertices: list[Vec3]) -> None:
    poly = Polygon(0, vertices, TWO_SIDED)
    assert poly.degenerate
    assert (poly.plane.normal, poly.plane.d) == (ZERO, 0.0)
    sphere, probe, out = Sphere((0.5, 0.0, 0.1), 1.0), WalkProbe(-2.0), PolyHit()
    assert not poly.hits_sphere(sphere)
    assert not poly.pos_hits_sphere(sphere, (0.0, 0.0, -1.0), out)
    assert not poly.walkable_hits_sphere(probe, sphere, UP)
    assert not poly.adjust_sphere_to_plane(probe, sphere, (0.0, 0.0, -1.0))
    assert not poly.check_walkable(sphere, UP)
    assert not poly.check_small_walkable(sphere, UP)
    assert not poly.point_in_polygon((0.5, 0.0, 0.0))
    assert not poly.point_in_poly2d((0.5, 0.0, 0.0), POSITIVE)
    assert poly.find_crossed_edge(sphere, UP) is None
    assert poly.polygon_hits_ray((0.5, 0.0, 1.0), (0.0, 0.0, -1.0)) == -1.0
    assert (out.poly, out.contact, sphere.center) == (None, ZERO, (0.5, 0.0, 0.1))


def test_a_polygon_without_points_is_touched_by_everything() -> None:
    """physics.md 2.3: `if n == 0: return True`; it has no normal to move against or to walk on."""
    nothing, out, sphere = Polygon(0, []), PolyHit(), Sphere((9.0, 9.0, 9.0), 0.1)
    assert nothing.hits_sphere(sphere)
    assert not nothing.pos_hits_sphere(sphere, (0.0, 0.0, -1.0), out)
    assert out.poly is nothing
    assert not nothing.walkable_hits_sphere(WalkProbe(FLOOR_Z), sphere, UP)
    assert not nothing.check_walkable(sphere, UP)
    assert nothing.polygon_hits_ray((9.0, 9.0, 9.0), UP) == -1.0


def test_a_small_but_real_polygon_has_a_plane() -> None:
    tiny = Polygon(0, [(100.0, 100.0, 5.0), (100.001, 100.0, 5.0), (100.0, 100.001, 5.0)])
    assert tiny.normal == pytest.approx(UP)
    sliver = Polygon(0, [(0.0, 0.0, 0.0), (50.0, 0.0, 0.0), (100.0, r24(1e-5), 0.0)])
    assert not sliver.degenerate


@pytest.mark.parametrize("radius", [0.0, EPSILON, -1.0])
def test_a_sphere_no_larger_than_the_tolerance_touches_at_most_its_own_plane(radius: float) -> None:
    assert not unit_square().hits_sphere(Sphere((0.5, 0.5, 0.1), radius))
