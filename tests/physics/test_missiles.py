"""Missiles and exactly clipped bodies against walls, balls and columns (physics.md 3.6, 4.3, 4.4)."""

from __future__ import annotations

import pytest

from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, distance, length
from engine.physics.collision.bsp import find_collisions
from engine.physics.collision.cylinder import cylinder_intersects
from engine.physics.collision.sphere import sphere_intersects
from engine.physics.flags import ADJUSTED, COLLIDED, OI_PATH_CLIPPED, OI_PERFECT_CLIP, OK
from engine.physics.sweep.transition import Transition
from tests.physics.bodies import hall, one_sphere
from tests.physics.small_world import leaf_tree, spheres, sweep, wall_facing_west

WEST: Vec3 = (-1.0, 0.0, 0.0)
HERE: Vec3 = (0.0, 0.0, 0.0)
RADIUS = 0.1


def missile(start: Vec3, end: Vec3, exact: bool, polygons: list[Polygon] | None = None) -> Transition:
    """A sphere of 0.1 m whose centre moved from `start` and is tested at `end`."""

    def feet(p: Vec3) -> Vec3:
        return (p[0], p[1], p[2] - RADIUS)

    tr = sweep(hall(polygons or []), feet(start), feet(end), one_sphere(RADIUS))
    tr.oi.state |= OI_PATH_CLIPPED | (OI_PERFECT_CLIP if exact else 0)
    tr.sp.cache_local_space_sphere(tr.sp.check.cell_id, tr.sp.space_frame, 1.0)
    return tr


def centre(tr: Transition) -> Vec3:
    return tr.sp.global0.center


def at_the_wall(exact: bool) -> tuple[int, Transition]:
    wall = wall_facing_west(0.95)
    tr = missile((0.0, 0.0, 1.0), (1.0, 0.0, 1.0), exact, [wall])
    return find_collisions(tr, leaf_tree([wall]), 1.0), tr


def test_a_wall_stops_a_missile_where_it_is() -> None:
    state, tr = at_the_wall(exact=False)
    assert state == COLLIDED
    assert tr.ci.collision_normal == WEST
    assert centre(tr)[0] == 1.0


def test_an_exactly_clipped_missile_goes_back_to_touch_the_wall() -> None:
    state, tr = at_the_wall(exact=True)
    assert state == ADJUSTED
    assert tr.ci.collision_normal == WEST
    assert centre(tr) == pytest.approx((0.85, 0.0, 1.0), abs=1e-6)


def test_an_exactly_clipped_missile_that_began_in_a_wall_returns_there() -> None:
    wall = wall_facing_west(0.95)
    tr = missile((0.92, 0.0, 1.0), (1.0, 0.0, 1.0), True, [wall])
    assert find_collisions(tr, leaf_tree([wall]), 1.0) == ADJUSTED
    assert centre(tr)[0] == pytest.approx(0.92, abs=1e-6)


# --- balls


def test_a_ball_stops_a_missile_where_it_is() -> None:
    tr = missile((-2.0, 0.0, 1.0), (-0.3, 0.0, 1.0), exact=False)
    assert sphere_intersects(tr, (0.0, 0.0, 1.0), 0.5, True) == COLLIDED
    assert tr.ci.collision_normal == WEST
    assert centre(tr)[0] == pytest.approx(-0.3)


def test_a_missile_from_the_centre_of_a_ball_gets_no_normal() -> None:
    tr = missile((0.0, 0.0, 1.0), (0.1, 0.0, 1.0), exact=False)
    assert sphere_intersects(tr, (0.0, 0.0, 1.0), 0.5, True) == COLLIDED
    assert not tr.ci.collision_normal_valid


@pytest.mark.parametrize("aside", [0.0, 0.3, -0.45])
def test_an_exactly_clipped_missile_goes_back_along_its_path_to_the_ball(aside: float) -> None:
    tr = missile((-2.0, aside, 1.0), (-0.2, aside, 1.0), exact=True)
    assert sphere_intersects(tr, (0.0, 0.0, 1.0), 0.5, True) == ADJUSTED
    x, y, z = centre(tr)
    assert (y, z) == pytest.approx((aside, 1.0), abs=1e-6)
    assert x < -0.2
    assert distance((x, y, z), (0.0, 0.0, 1.0)) == pytest.approx(0.6, abs=1e-5)
    nx, ny, nz = tr.ci.collision_normal
    assert (nx, ny, nz) == pytest.approx((x / 0.6, y / 0.6, 0.0), abs=1e-3)


def test_an_exactly_clipped_missile_that_hardly_moved_cannot_be_corrected() -> None:
    tr = missile((-0.35, 0.0, 1.0), (-0.34, 0.0, 1.0), exact=True)
    assert sphere_intersects(tr, (0.0, 0.0, 1.0), 0.5, True) == COLLIDED


def test_a_missile_beside_a_ball_flies_on() -> None:
    tr = missile((-2.0, 0.7, 1.0), (0.0, 0.7, 1.0), exact=True)
    assert sphere_intersects(tr, (0.0, 0.0, 1.0), 0.5, True) == OK


# --- columns: radius 0.5 m, 2 m high, standing at the origin


def meets_the_column(tr: Transition) -> int:
    return cylinder_intersects(tr, HERE, 0.5, 2.0, Frame())


def test_a_column_stops_a_missile_where_it_is() -> None:
    tr = missile((-2.0, 0.3, 1.0), (-0.2, 0.3, 1.0), exact=False)
    assert meets_the_column(tr) == COLLIDED
    x, y, z = tr.ci.collision_normal
    assert (x, y, z) == pytest.approx((-0.98893, 0.14834, 0.0), abs=1e-4)
    assert length((x, y, z)) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("start", "end", "touching", "normal"),
    [
        pytest.param((-2.0, 0.0, 1.0), (-0.2, 0.0, 1.0), (-0.6, 0.0, 1.0), WEST, id="from the side"),
        pytest.param((0.1, 0.0, 3.0), (0.1, 0.0, 1.9), (0.1, 0.0, 2.1), (0.0, 0.0, 1.0), id="from above"),
        pytest.param((0.1, 0.0, -1.0), (0.1, 0.0, 0.1), (0.1, 0.0, -0.1), (0.0, 0.0, -1.0), id="from below"),
        pytest.param((-0.8, 0.0, 3.0), (0.0, 0.0, 1.9), (-0.1454545, 0.0, 2.1), (0.0, 0.0, 1.0), id="onto the top"),
        pytest.param((-0.8, 0.0, -1.0), (0.0, 0.0, 0.1), (-0.1454545, 0.0, -0.1), (0.0, 0.0, -1.0), id="from under it"),
        pytest.param((-2.0, 0.0, 2.5), (-0.3, 0.0, 1.9), (-0.6, 0.0, 2.0058824), WEST, id="past the top's rim"),
    ],
)
def test_an_exactly_clipped_missile_goes_back_along_its_path_to_the_column(
    start: Vec3, end: Vec3, touching: Vec3, normal: Vec3
) -> None:
    tr = missile(start, end, exact=True)
    assert meets_the_column(tr) == ADJUSTED
    assert centre(tr) == pytest.approx(touching, abs=1e-5)
    assert tr.ci.collision_normal == pytest.approx(normal, abs=1e-5)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        pytest.param((0.1, 0.0, 1.0), (0.1, 0.0, 1.0), id="it did not move"),
        pytest.param((-0.55, 0.0, 2.05), (-0.55, 0.0, 1.0), id="it had been inside already"),
    ],
)
def test_an_exactly_clipped_missile_always_inside_the_column_stays(start: Vec3, end: Vec3) -> None:
    tr = missile(start, end, exact=True)
    assert meets_the_column(tr) == COLLIDED
    assert centre(tr) == pytest.approx(end, abs=1e-6)


# --- heads in the air


def rising(start: Vec3, end: Vec3) -> Transition:
    """The default body in the air, in feet coordinates."""
    return sweep(hall([]), start, end, spheres())


def test_a_ball_stops_a_head_in_the_air() -> None:
    tr = rising((0.0, 0.0, 0.0), (0.0, 0.0, 0.3))
    assert sphere_intersects(tr, (0.0, 0.0, 1.9), 0.5, False) == COLLIDED
    assert tr.ci.collision_normal == pytest.approx((0.0, 0.0, -1.0))


def test_a_column_above_stops_a_head_in_the_air() -> None:
    tr = rising((0.0, 0.0, 0.0), (0.0, 0.0, 0.3))
    assert cylinder_intersects(tr, (0.0, 0.0, 1.4), 0.5, 2.0, Frame()) == COLLIDED
    assert tr.ci.collision_normal == (0.0, 0.0, -1.0)
