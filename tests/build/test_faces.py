"""Cutting holes into walls and joining convex bodies to one skin."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.build.shapes.faces import (
    Face,
    area_of,
    bounds_of,
    clip,
    contains,
    cut_hole,
    dist,
    edge_planes,
    overlap,
    plane_of,
    rounded,
    split,
)
from engine.build.shapes.solids import (
    Slope,
    ball,
    box,
    cut_body,
    cylinder,
    is_convex_body,
    moved,
    prism,
    union,
    within,
)
from engine.geometry.frame import Frame
from engine.geometry.quat import from_axis_angle
from engine.geometry.vec import Vec3, dot, normalized

WALL: list[Vec3] = [(0.0, 0.0, 0.0), (6.0, 0.0, 0.0), (6.0, 0.0, 3.0), (0.0, 0.0, 3.0)]

frames = st.builds(
    lambda x, y, z, axis, angle: Frame((x, y, z), from_axis_angle(normalized(axis), angle)),
    st.floats(-20, 20),
    st.floats(-20, 20),
    st.floats(-20, 20),
    st.sampled_from([(0.0, 0.0, 1.0), (1.0, 0.2, 0.5), (0.0, 1.0, 1.0)]),
    st.floats(0, 6),
)


@st.composite
def holes(draw: st.DrawFn) -> list[Vec3]:
    """A rectangle or an arch within the wall, often with sides on the wall's own."""
    left = draw(st.sampled_from([0.0, 0.7, 2.0, 4.9]))
    right = draw(st.sampled_from([5.0, 5.5, 6.0]))
    low = draw(st.sampled_from([0.0, 0.9]))
    high = draw(st.sampled_from([2.0, 2.999, 3.0]))
    hole = [(left, 0.0, low), (right, 0.0, low), (right, 0.0, high)]
    if high < 2.5 and draw(st.booleans()):
        middle, half = (left + right) / 2.0, (right - left) / 2.0
        hole += [(middle + half * math.cos(a), 0.0, high + 0.8 * math.sin(a)) for a in (0.6, 1.2, 1.8, 2.4)]
    return [*hole, (left, 0.0, high)]


@given(holes(), frames)
def test_fragments_and_hole_fill_the_wall_without_overlap(hole: list[Vec3], frame: Frame) -> None:
    wall = [frame.local_to_global(p) for p in WALL]
    cut = [frame.local_to_global(p) for p in hole]
    fragments = cut_hole(wall, cut)
    assert sum(map(area_of, fragments)) + area_of(cut) == pytest.approx(area_of(wall), abs=1e-4)
    for i, fragment in enumerate(fragments):
        assert not overlap(fragment, cut)
        assert contains(wall, fragment, 1e-4)
        assert dot(plane_of(fragment)[0], plane_of(wall)[0]) > 0.999
        assert all(not overlap(fragment, other) for other in fragments[:i])


@given(holes(), frames)
def test_no_gap_between_fragments_is_wider_than_rounding(hole: list[Vec3], frame: Frame) -> None:
    """Points of the wall outside the hole are in a fragment, as the fragments are stored."""
    wall = [frame.local_to_global(p) for p in WALL]
    cut = rounded(frame.local_to_global(p) for p in hole)
    fragments = [rounded(fragment) for fragment in cut_hole(rounded(wall), cut)]
    inside = [edge_planes(polygon) for polygon in [*fragments, cut]]
    rng = random.Random(4)
    for _ in range(60):
        p = frame.local_to_global((rng.uniform(0.01, 5.99), 0.0, rng.uniform(0.01, 2.99)))
        assert any(all(dist(plane, p) >= -1e-5 for plane in planes) for planes in inside)


@given(holes())
def test_fragments_meet_the_hole_exactly_at_its_corners(hole: list[Vec3]) -> None:
    used = {p for fragment in cut_hole(WALL, hole) for p in fragment}
    assert all(
        corner in used or corner in WALL or corner[2] in (0.0, 3.0) or corner[0] in (0.0, 6.0) for corner in hole
    )


def test_a_doorway_leaves_two_full_height_pieces_and_a_lintel() -> None:
    door = [(2.0, 0.0, 0.0), (3.0, 0.0, 0.0), (3.0, 0.0, 2.0), (2.0, 0.0, 2.0)]
    sizes = sorted(bounds_of(f)[1][2] - bounds_of(f)[0][2] for f in cut_hole(WALL, door))
    assert sizes == [1.0, 3.0, 3.0]


def test_a_hole_beside_the_wall_changes_nothing() -> None:
    beside = [(7.0, 0.0, 0.0), (8.0, 0.0, 0.0), (8.0, 0.0, 2.0), (7.0, 0.0, 2.0)]
    assert cut_hole(WALL, beside) == [WALL]


def test_splitting_through_a_corner_makes_no_sliver() -> None:
    front, behind = split(WALL, ((1.0, 0.0, 0.0), 1e-7))
    assert (front, behind) == (WALL, [])
    assert clip(WALL, [((1.0, 0.0, 0.0), -5.99999)]) == []


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=4
    )
)
def test_the_skin_of_a_union_is_closed_and_never_inside_it(places: list[tuple[int, int, int, int]]) -> None:
    bodies = [box(x, y, 0.0, w, d, 1.0 + 0.5 * i, "wood") for i, (x, y, w, d) in enumerate(places)]
    skin = union(bodies)
    # the area vectors of a closed surface sum to zero, and its volume is that of the union
    volume = sum(dot(f.plane[0], f.points[0]) * area_of(f.points) for f in skin) / 3.0
    for axis in range(3):
        assert sum(f.plane[0][axis] * area_of(f.points) for f in skin) == pytest.approx(0.0, abs=1e-6)
    cells = 0.0
    for i in range(8):
        for j in range(8):
            tops = [1.0 + 0.5 * k for k, (x, y, w, d) in enumerate(places) if x <= i < x + w and y <= j < y + d]
            cells += max(tops, default=0.0)
    assert volume == pytest.approx(cells, abs=1e-6)


def test_a_body_cut_by_a_slope_stays_convex_and_closed() -> None:
    body = prism([(0, 0), (6, 0), (6, 4), (0, 4)], 0.0, 5.0, "plaster")
    for slope in (Slope((3, 0, 3), (3, 2, 4.5)), Slope((3, 4, 3), (3, 2, 4.5))):
        body = cut_body(body, slope.plane(), "beam")
    assert is_convex_body(body)
    assert sum(face.material == "beam" for face in body) == 2
    assert within(body, (3.0, 2.0, 4.4))
    assert not within(body, (3.0, 0.2, 4.0))
    for axis in range(3):
        assert sum(f.plane[0][axis] * area_of(f.points) for f in body) == pytest.approx(0.0, abs=1e-9)


def test_a_slope_that_misses_a_body_leaves_it_alone() -> None:
    body = box(0, 0, 0, 1, 1, 1, "wood")
    assert cut_body(body, ((0.0, 0.0, 1.0), -1.0), "beam") == body
    assert cut_body(body, ((0.0, 0.0, 1.0), -2.0), "beam") == body


@pytest.mark.parametrize(
    "faces",
    [
        box(1, 2, 3, 4, 5, 6, "wood"),
        cylinder(0, 0, 0, 1, 2, "wood"),
        cylinder(0, 0, 0, 1, 2, "wood", top_radius=0.0),
        ball(0, 0, 0, 2, "leaves"),
        moved(box(1, 2, 3, 4, 5, 6, "wood"), 7, 8, 9, heading=33),
    ],
)
def test_stock_bodies_are_closed_and_face_outwards(faces: list[Face]) -> None:
    assert is_convex_body(faces)
    assert sum(dot(f.plane[0], f.points[0]) * area_of(f.points) for f in faces) > 0.0
    for axis in range(3):
        assert sum(f.plane[0][axis] * area_of(f.points) for f in faces) == pytest.approx(0.0, abs=1e-9)
