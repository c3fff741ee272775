"""Planes and boxes (physics.md 1.6)."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.geometry import GeometryError
from engine.geometry.box import Box
from engine.geometry.constants import EPSILON
from engine.geometry.frame import Frame
from engine.geometry.plane import BEHIND, CLOSE, CROSSING, FRONT, NEGATIVE, POSITIVE, Plane, transform_plane
from engine.geometry.polygon import Polygon
from engine.geometry.quat import from_heading
from engine.geometry.vec import Vec3, add, dot, scale
from tests.geometry.shapes import frames, planes, polygons, vectors

GROUND = Plane((0.0, 0.0, 1.0), 0.0)
WALL = Plane((1.0, 0.0, 0.0), -2.0)


def boxes() -> st.SearchStrategy[Box]:
    return st.builds(lambda a, b: Box.of_points([a, b]), vectors(4.0), vectors(4.0))


@pytest.mark.parametrize(
    ("z", "bias", "side"),
    [
        (1.0, 0.0, FRONT),
        (-1.0, 0.0, BEHIND),
        (0.0, 0.0, CLOSE),
        (EPSILON, 0.0, CLOSE),
        (-EPSILON, 0.0, CLOSE),
        (1.01 * EPSILON, 0.0, FRONT),
        (-1.01 * EPSILON, 0.0, BEHIND),
        (0.01 * EPSILON, EPSILON, FRONT),
        (-1.99 * EPSILON, EPSILON, CLOSE),
        (-2.01 * EPSILON, EPSILON, BEHIND),
    ],
)
def test_side_of_a_plane(z: float, bias: float, side: int) -> None:
    assert GROUND.side((3.0, 4.0, z), bias) == side


@given(planes(), vectors())
def test_snapped_offset_is_parallel_and_keeps_its_course(plane: Plane, offset: Vec3) -> None:
    snapped = plane.snap_to_plane(offset)
    assert snapped[:2] == offset[:2]
    if abs(plane.normal[2]) <= EPSILON:
        assert snapped == offset
    else:
        assert dot(snapped, plane.normal) == pytest.approx(0.0, abs=1e-9)


@given(planes(), vectors())
def test_height_puts_a_point_on_the_plane(plane: Plane, p: Vec3) -> None:
    raised = plane.set_height(p)
    assert raised[:2] == p[:2]
    if abs(plane.normal[2]) > EPSILON:
        assert plane.dist(raised) == pytest.approx(0.0, abs=1e-9)
    else:
        assert raised == p


def test_an_upright_plane_leaves_offsets_and_heights_alone() -> None:
    assert WALL.snap_to_plane((1.0, 2.0, 3.0)) == (1.0, 2.0, 3.0)
    assert WALL.set_height((1.0, 2.0, 3.0)) == (1.0, 2.0, 3.0)


@given(planes(), boxes())
def test_box_against_plane_follows_from_its_corners(plane: Plane, box: Box) -> None:
    distances = [plane.dist(corner) for corner in box.corners()]
    assume(
        all(abs(abs(t) - EPSILON) > 1e-9 and abs(abs(t) - 2.0 * EPSILON) > 1e-9 and abs(t) > 1e-9 for t in distances)
    )
    if min(distances) > EPSILON:
        expected = POSITIVE
    elif max(distances) < -2.0 * EPSILON:
        expected = NEGATIVE
    elif distances[0] > EPSILON and min(distances) > 0.0:
        expected = POSITIVE  # the bias lets the other corners come closer than the first one
    else:
        expected = CROSSING
    assert plane.intersect_box(box) == expected


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.5, 1.0, POSITIVE), (-1.0, -0.5, NEGATIVE), (-0.5, 0.5, CROSSING), (0.0, 1.0, CROSSING), (-1.0, 0.0, CROSSING)],
)
def test_box_over_under_and_through_the_ground(low: float, high: float, expected: int) -> None:
    assert GROUND.intersect_box(Box((-1.0, -1.0, low), (1.0, 1.0, high))) == expected


def test_flipped_plane_sees_every_point_from_the_other_side() -> None:
    assert WALL.flipped().dist((5.0, 1.0, 1.0)) == -WALL.dist((5.0, 1.0, 1.0)) == -3.0


@given(polygons(), frames(), st.floats(0.2, 4.0), vectors(200.0))
def test_transformed_plane_holds_the_transformed_polygon(
    poly: Polygon, frame: Frame, factor: float, shift: Vec3
) -> None:
    for point in (poly.vertices[0], None):
        plane = transform_plane(poly.plane, frame, factor, point, shift)
        for v in poly.vertices:
            moved = add(frame.local_to_global(scale(v, factor)), shift)
            assert plane.dist(moved) == pytest.approx(0.0, abs=1e-9)
        assert plane.normal == pytest.approx(frame.local_to_global_vec(poly.plane.normal))


def test_plane_of_a_part_away_from_the_origin_is_not_its_scaled_distance() -> None:
    """physics.md 1.6: scaling d is only right when the part's origin is at zero."""
    plane = transform_plane(Plane((0.0, 0.0, 1.0), -1.0), Frame((0.0, 0.0, 10.0)), 2.0)
    assert plane.d == pytest.approx(-12.0)


@given(boxes(), frames())
def test_box_in_another_frame_holds_all_corners(box: Box, frame: Frame) -> None:
    there = box.to_global(frame)
    back = there.to_local(frame)
    for corner in box.corners():
        x, y, z = frame.local_to_global(corner)
        assert there.contains((x, y, z))
    for low, high, point in zip(back.minimum, back.maximum, box.center(), strict=True):
        assert low - 1e-9 <= point <= high + 1e-9


def test_a_turned_box_grows_around_its_corners() -> None:
    box = Box((-1.0, -1.0, 0.0), (1.0, 1.0, 1.0)).to_global(Frame((10.0, 0.0, 0.0), from_heading(45.0)))
    root2 = 2.0**0.5
    assert box.minimum == pytest.approx((10.0 - root2, -root2, 0.0))
    assert box.maximum == pytest.approx((10.0 + root2, root2, 1.0))


@given(boxes(), boxes())
def test_boxes_overlap_when_no_axis_separates_them(a: Box, b: Box) -> None:
    apart = any(a.maximum[i] < b.minimum[i] or b.maximum[i] < a.minimum[i] for i in range(3))
    assert a.overlaps(b) == (not apart)
    both = a.united(b)
    assert all(both.contains(c) for c in [*a.corners(), *b.corners()])


def test_a_box_has_eight_corners_and_needs_a_point() -> None:
    assert len(set(Box((0.0, 0.0, 0.0), (1.0, 2.0, 3.0)).corners())) == 8
    with pytest.raises(GeometryError, match="at least one point"):
        Box.of_points([])
