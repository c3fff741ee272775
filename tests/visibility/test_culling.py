"""Spheres and boxes against views (rendering.md 15.1, 15.2)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.vec import Vec3
from engine.visibility.camera import ZNEAR, Camera, looking
from engine.visibility.culling import INSIDE, OUTSIDE, PARTIAL, ViewCone, box_in_views, sphere_in_views, view_cones
from engine.visibility.view import ViewPoly, ViewVertex, full_screen

BLOCK = 0xC95BFFFF
EYE: Vec3 = (10.0, 20.0, 3.0)


def camera(heading: float = 0.0, pitch: float = 0.0, block_id: int = BLOCK) -> Camera:
    return looking(block_id, EYE, heading, pitch, 640.0, 480.0, 240.0)


def ahead(at: float, up: float = 0.0, right: float = 0.0) -> Vec3:
    """A point ahead of an eye that looks north."""
    return (EYE[0] + right, EYE[1] + at, EYE[2] + up)


def rectangle(x0: float, y0: float, x1: float, y1: float) -> ViewPoly:
    return ViewPoly([ViewVertex(x0, y1), ViewVertex(x1, y1), ViewVertex(x1, y0), ViewVertex(x0, y0)])


@pytest.mark.parametrize(
    ("center", "radius", "answer"),
    [
        (ahead(10.0), 1.0, INSIDE),
        (ahead(-10.0), 1.0, OUTSIDE),
        (ahead(0.0), 1.0, PARTIAL),
        (ahead(10.0, up=10.0), 1.0, PARTIAL),
        (ahead(10.0, up=12.0), 1.0, OUTSIDE),
        (ahead(ZNEAR - 1.01), 1.0, OUTSIDE),
        (ahead(ZNEAR - 0.99), 1.0, PARTIAL),
    ],
)
def test_a_sphere_is_inside_across_or_outside_the_full_screen(center: Vec3, radius: float, answer: int) -> None:
    looks = camera()
    assert ViewCone(looks, full_screen(looks)).sphere(center, radius) == answer


def test_a_sphere_in_one_of_two_views_is_in_view() -> None:
    looks = camera()
    left, right = rectangle(0.0, 0.0, 100.0, 480.0), rectangle(500.0, 0.0, 640.0, 480.0)
    to_the_right = ahead(10.0, right=10.0)
    assert not sphere_in_views(view_cones(looks, [left]), to_the_right, 1.0)
    assert sphere_in_views(view_cones(looks, [left, right]), to_the_right, 1.0)
    assert not sphere_in_views([], to_the_right, 1.0)


def test_a_box_takes_the_best_answer_of_all_views() -> None:
    looks = camera()
    screen, sliver = full_screen(looks), rectangle(319.0, 0.0, 321.0, 480.0)
    low, high = ahead(10.0, -1.0, -1.0), ahead(12.0, 1.0, 1.0)
    assert box_in_views(view_cones(looks, [sliver]), low, high) == PARTIAL
    assert box_in_views(view_cones(looks, [sliver, screen]), low, high) == INSIDE
    assert box_in_views(view_cones(camera(180.0), [full_screen(looks)]), low, high) == OUTSIDE


coordinates = st.floats(-40.0, 40.0)
places = st.tuples(coordinates, coordinates, coordinates)


@given(places, st.floats(0.01, 20.0), st.floats(0.0, 360.0), st.floats(-80.0, 80.0))
def test_the_answer_for_a_sphere_holds_for_its_points(
    offset: Vec3, radius: float, heading: float, pitch: float
) -> None:
    looks = camera(heading, pitch)
    view = rectangle(100.0, 50.0, 400.0, 300.0)
    center = (EYE[0] + offset[0], EYE[1] + offset[1], EYE[2] + offset[2])
    answer = ViewCone(looks, view).sphere(center, radius)
    size = math.sqrt(3.0) * 1.0001
    corners = [
        (center[0] + sx * radius / size, center[1] + sy * radius / size, center[2] + sz * radius / size)
        for sx in (-1, 0, 1)
        for sy in (-1, 0, 1)
        for sz in (-1, 0, 1)
    ]
    seen = [_seen(looks, view, corner) for corner in corners]
    if answer == OUTSIDE:
        assert not any(seen)
    elif answer == INSIDE:
        assert all(seen)


def _seen(looks: Camera, view: ViewPoly, point: Vec3) -> bool:
    screen = looks.project(point)
    return screen.w > ZNEAR and view.contains(screen.x / screen.w, screen.y / screen.w)
