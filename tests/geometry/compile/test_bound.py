"""Enclosing spheres are the smallest ones (physics.md 3.1)."""

from __future__ import annotations

import math
from random import Random

import pytest

from engine.geometry.compile.bound import enclosing_sphere
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, distance
from tests.geometry.compile.worlds import random_direction


def check_encloses(sphere: Sphere, points: list[Vec3]) -> None:
    for point in points:
        assert distance(point, sphere.center) <= sphere.radius * (1.0 + 1e-9) + 1e-9


def test_no_points_have_the_empty_sphere() -> None:
    assert enclosing_sphere([]).radius == 0.0


def test_one_point_even_repeated_has_radius_zero() -> None:
    sphere = enclosing_sphere([(1.0, 2.0, 3.0)] * 3)
    assert (sphere.center, sphere.radius) == ((1.0, 2.0, 3.0), 0.0)


@pytest.mark.parametrize("count", [2, 5, 50])
def test_points_on_a_line_have_the_sphere_over_its_ends(count: int) -> None:
    points = [(3.0 * i, 4.0 * i, 0.0) for i in range(count)]
    sphere = enclosing_sphere(points)
    assert sphere.radius == pytest.approx(2.5 * (count - 1))
    check_encloses(sphere, points)


def test_a_triangle_has_its_circumcircle_or_the_circle_over_its_long_side() -> None:
    equal = enclosing_sphere([(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (1.0, math.sqrt(3.0), 0.0)])
    assert equal.radius == pytest.approx(2.0 / math.sqrt(3.0))
    flat = enclosing_sphere([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (2.0, 0.1, 0.0)])
    assert flat.radius == pytest.approx(2.0)


def test_a_box_has_the_sphere_over_its_diagonal() -> None:
    corners = [(float(x), float(y), float(z)) for x in (0, 3) for y in (0, 4) for z in (0, 12)]
    sphere = enclosing_sphere(corners)
    assert sphere.center == pytest.approx((1.5, 2.0, 6.0))
    assert sphere.radius == pytest.approx(6.5)


def test_no_smaller_sphere_encloses_random_points() -> None:
    """Only the smallest sphere has its centre among the points that it rests on."""
    for seed in range(150):
        rnd = Random(seed)
        size = rnd.choice([0.001, 1.0, 100.0])
        points = [
            (rnd.uniform(-size, size), rnd.uniform(-size, size), rnd.choice([1.0, rnd.uniform(-size, size)]))
            for _ in range(rnd.randint(1, 60))
        ]
        sphere = enclosing_sphere(points)
        check_encloses(sphere, points)
        # Wherever the centre moves, some point must stick out; otherwise the sphere could have been smaller.
        for _ in range(30):
            dx, dy, dz = random_direction(rnd)
            step = size * 0.01
            x, y, z = sphere.center
            moved = (x + dx * step, y + dy * step, z + dz * step)
            assert max(distance(moved, point) for point in points) > sphere.radius


def test_points_on_a_sphere_have_that_sphere() -> None:
    rnd = Random(9)
    points = [tuple_of(direction, 7.0) for direction in (random_direction(rnd) for _ in range(500))]
    sphere = enclosing_sphere(points)
    assert sphere.radius == pytest.approx(7.0, abs=0.02)
    check_encloses(sphere, points)


def tuple_of(direction: Vec3, size: float) -> Vec3:
    return (direction[0] * size, direction[1] * size, direction[2] * size)
