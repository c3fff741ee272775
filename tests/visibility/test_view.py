"""View polygons, the simplification of copy_view, and the planes of their edges (rendering.md 5)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.visibility.camera import looking
from engine.visibility.view import MAX_VERTICES, full_screen, view_of
from tests.visibility.helpers.screens import Outline, corners, on_screen, same_outline

CAMERA = looking(0xC95BFFFF, (5.0, 2.0, 1.5), 30.0, -10.0, 640.0, 480.0, 240.0)
SQUARE = [(100.0, 200.0), (200.0, 200.0), (200.0, 100.0), (100.0, 100.0)]


def kept(outline: Outline) -> list[tuple[float, float]]:
    view = view_of(on_screen(outline, 7.0))
    return [] if view is None else corners(view)


def circle(count: int, radius: float) -> list[tuple[float, float]]:
    angles = [2.0 * math.pi * k / count for k in range(count)]
    return [(320.0 + radius * math.cos(a), 240.0 - radius * math.sin(a)) for a in angles]


def test_the_full_screen_starts_at_the_bottom_left() -> None:
    assert corners(full_screen(CAMERA)) == [(0.0, 480.0), (640.0, 480.0), (640.0, 0.0), (0.0, 0.0)]
    assert full_screen(CAMERA).area() == 640.0 * 480.0


def test_a_clear_outline_is_kept_as_it_is() -> None:
    assert same_outline(kept(SQUARE), SQUARE)


@pytest.mark.parametrize("start", range(8))
def test_a_view_drops_collinear_corners_wherever_the_outline_starts(start: int) -> None:
    ring = [(100.0, 200.0), (150.0, 200.3), (200.0, 200.0), (200.0, 150.0)]
    ring += [(200.0, 100.0), (150.0, 100.0), (100.0, 100.0), (99.8, 150.0)]
    assert same_outline(kept(ring[start:] + ring[:start]), SQUARE)


@pytest.mark.parametrize("start", range(6))
def test_corners_within_a_pixel_of_each_other_merge(start: int) -> None:
    ring = [(100.0, 200.0), (101.0, 199.0), (200.0, 200.0), (200.0, 100.0), (199.5, 100.9), (100.0, 100.0)]
    assert same_outline(kept(ring[start:] + ring[:start]), SQUARE, slack=1.0)


def test_two_corners_are_apart_when_one_axis_is_more_than_a_pixel() -> None:
    assert len(kept([(10.0, 50.0), (60.0, 50.0), (60.0, 48.9), (10.0, 48.9)])) == 4
    assert kept([(10.0, 50.0), (60.0, 50.0), (60.0, 49.0), (10.0, 49.0)]) == []


def test_slivers_points_and_lines_make_no_view() -> None:
    assert view_of([]) is None
    assert kept([(5.0, 5.0)]) == []
    assert kept([(5.0, 5.0)] * 6) == []
    assert kept([(0.0, 0.0), (100.0, 0.0), (50.0, 0.4)]) == []


def test_points_behind_the_eye_or_not_finite_make_no_view() -> None:
    assert view_of(on_screen(SQUARE, 0.0)) is None
    assert view_of(on_screen(SQUARE, math.nan)) is None
    assert kept([(math.nan, 200.0), *SQUARE[1:]]) == []
    for broken in ((100.0, math.nan), (math.nan, 100.0), (math.nan, math.nan)):
        for start in range(4):
            ring = [*SQUARE[:3], broken]
            assert not any(math.isnan(x + y) for x, y in kept(ring[start:] + ring[:start]))


def test_tiny_negative_coordinates_lose_their_sign() -> None:
    view = view_of(on_screen([(-1e-9, 480.0), (640.0, 480.0), (640.0, -0.0), (-0.0, -1e-9)]))
    assert view is not None
    assert (view.xmin, view.xmax, view.ymin, view.ymax) == (0.0, 640.0, 0.0, 480.0)
    assert all(math.copysign(1.0, value) > 0.0 for value in (*view.xs, *view.ys))


def test_no_view_has_more_corners_than_the_client_keeps() -> None:
    outline = circle(60, 230.0)
    assert len(outline) > MAX_VERTICES
    assert same_outline(kept(outline), outline[:MAX_VERTICES])


@given(st.lists(st.tuples(st.floats(0.0, 640.0), st.floats(0.0, 480.0)), max_size=12))
def test_any_outline_makes_a_view_of_some_of_its_corners_or_none(outline: list[tuple[float, float]]) -> None:
    found = kept(outline)
    assert len(found) == 0 or len(found) >= 3
    assert all(any(abs(x - a) + abs(y - b) < 1e-9 for a, b in outline) for x, y in found)


def test_a_view_contains_its_inside_and_its_border() -> None:
    view = view_of(on_screen(SQUARE))
    assert view is not None
    assert view.contains(150.0, 150.0)
    assert view.contains(100.0, 150.0)
    assert not view.contains(99.9, 150.0)
    assert not view.contains(150.0, 201.0)
    assert view.area() == pytest.approx(10_000.0)


def test_a_view_contains_another_only_within_the_slack() -> None:
    view, whole = view_of(on_screen(SQUARE)), full_screen(CAMERA)
    wider = view_of(on_screen([(99.6, 200.4), (200.4, 200.4), (200.4, 99.6), (99.6, 99.6)]))
    assert view is not None
    assert wider is not None
    assert whole.contains_view(view, 0.5)
    assert view.contains_view(view, 0.0)
    assert view.contains_view(wider, 0.5)
    assert not view.contains_view(wider, 0.3)
    assert not view.contains_view(whole, 0.5)


def test_the_planes_of_a_view_contain_the_eye_and_its_inside() -> None:
    view = view_of(on_screen(circle(9, 120.0)))
    assert view is not None
    planes = view.planes(CAMERA)
    assert len(planes) == 9
    assert all(abs(plane.dist(CAMERA.eye)) < 1e-12 for plane in planes)
    for px, py in [(320.0, 240.0), (400.0, 200.0), (320.0, 100.0), (600.0, 240.0), (439.0, 240.0), (300.0, 370.0)]:
        dx, dy, dz = CAMERA.ray(px, py)
        x, y, z = CAMERA.eye
        inside = all(plane.dist((x + 9.0 * dx, y + 9.0 * dy, z + 9.0 * dz)) >= 0.0 for plane in planes)
        assert inside == view.contains(px, py)


def test_a_view_makes_its_planes_once_per_camera() -> None:
    view = full_screen(CAMERA)
    assert view.planes(CAMERA) is view.planes(CAMERA)
    moved = looking(0xC95BFFFF, (6.0, 2.0, 1.5), 0.0, 0.0, 640.0, 480.0, 240.0)
    assert view.planes(CAMERA) is not view.planes(moved)
