"""Convex spaces: their corners, how deep they overlap, wherever they stand and however they are turned."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.geometry.box import Box
from engine.geometry.cell_bsp import CellInner, CellLeaf, CellNode
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.quat import from_axis_angle
from engine.geometry.vec import Vec3, normalized
from engine.survey.shapes.convex import Convex, common_point, convex_of, overlap
from engine.survey.shapes.outline import overlaps, parting

sizes = st.floats(0.5, 20.0)
shifts = st.floats(-15.0, 15.0)
vectors = st.tuples(shifts, shifts, shifts)


@st.composite
def frames(draw: st.DrawFn, reach: float = 15.0) -> Frame:
    axis = draw(st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1)).filter(lambda v: math.hypot(*v) > 0.1))
    near = st.floats(-reach, reach)
    return Frame(draw(st.tuples(near, near, near)), from_axis_angle(normalized(axis), draw(st.floats(-3.0, 3.0))))


def space(size: Vec3, planes: list[Plane] | None = None) -> Convex:
    """A box from the origin, by one plane and its polygons, or cut by more planes."""
    box = Box((0.0, 0.0, 0.0), size)
    tree: CellNode = CellLeaf(0)
    for plane in planes or [Plane((0.0, 0.0, 1.0), 0.0)]:
        tree = CellInner(plane, tree, None)
    corners = box.corners()
    found = convex_of(tree, [Polygon(0, corners[:4]), Polygon(1, corners[4:])])
    assert found is not None
    return found


def test_a_box_has_eight_corners_and_three_directions() -> None:
    box = space((2.0, 3.0, 4.0))
    assert len(box.corners) == 8
    assert len(box.edges) == 3
    assert (box.low, box.high) == ((0.0, 0.0, 0.0), (2.0, 3.0, 4.0))


def test_a_plane_cuts_the_corners_off() -> None:
    """Half of a cube: a prism, whose slanted face is the plane's."""
    half = math.sqrt(0.5)
    prism = space((2.0, 2.0, 2.0), [Plane((half, half, 0.0), -half * 2.0)])
    assert len(prism.corners) == 6
    assert prism.distance((1.9, 1.9, 1.0)) == pytest.approx(0.1)
    assert prism.distance((0.5, 0.5, 1.0)) == pytest.approx(-half)


def test_a_space_without_planes_or_polygons_is_none() -> None:
    assert convex_of(None, []) is None
    assert convex_of(CellLeaf(0), [Polygon(0, [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 1.0)])]) is None


@given(sizes, sizes, vectors, frames())
def test_the_overlap_of_two_boxes_is_that_of_their_sides(one: float, other: float, shift: Vec3, frame: Frame) -> None:
    """Whatever frame both stand in, up to the rounding of turning them."""
    first, second = space((one, one, one)), space((other, other, other)).placed(Frame(shift))
    sides = [min(one, at + other) - max(0.0, at) for at in shift]
    ways = [min(one - at, at + other) for at in shift]
    depth = overlap(first.placed(frame), second.placed(frame), 0.001)
    if min(sides) > 0.01:
        assert depth == pytest.approx(min(ways), abs=1e-6)
    elif min(sides) < -0.01:
        assert depth <= 0.001


@given(sizes, frames(), frames())
def test_the_overlap_is_the_same_from_both_sides(size: float, here: Frame, there: Frame) -> None:
    one, other = space((size, 3.0, 2.0)).placed(here), space((2.0, size, 4.0)).placed(there)
    assert overlap(one, other, -math.inf) == pytest.approx(overlap(other, one, -math.inf), abs=1e-6)


@given(sizes, frames(1.0), frames(1.0))
def test_the_common_point_of_overlapping_spaces_is_in_both(size: float, here: Frame, there: Frame) -> None:
    one, other = space((size, 3.0, 2.0)).placed(here), space((2.0, size, 4.0)).placed(there)
    assume(overlap(one, other, 0.05) > 0.05)
    point = common_point(one, other)
    assert one.distance(point) > -1e-3
    assert other.distance(point) > -1e-3


@given(frames(), st.floats(0.0, 3.0), st.floats(0.0, 3.0))
def test_outlines_part_by_how_far_one_is_moved(frame: Frame, across: float, off: float) -> None:
    square: list[Vec3] = [(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (4.0, 4.0, 0.0), (0.0, 4.0, 0.0)]
    ours = [frame.local_to_global(corner) for corner in square]
    theirs = [frame.local_to_global((x + across, y, z + off)) for x, y, z in square]
    parts = parting(theirs, ours, frame.local_to_global_vec((0.0, 0.0, 1.0)))
    assert parts.off_plane == pytest.approx(off, abs=1e-9) or parts.beyond >= off - 1e-9
    assert parts.apart == pytest.approx(max(across, off), abs=1e-9)


@pytest.mark.parametrize(("shift", "common"), [(0.0, True), (3.9, True), (4.0, False), (9.0, False)])
def test_outlines_overlap_where_they_have_an_area_in_common(shift: float, common: bool) -> None:
    square: list[Vec3] = [(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (4.0, 4.0, 0.0), (0.0, 4.0, 0.0)]
    other = [(x + shift, y, z) for x, y, z in square]
    for outline in (other, other[::-1]):
        assert overlaps(square, outline, (0.0, 0.0, 1.0), 0.01) == common
        assert overlaps(outline, square, (0.0, 0.0, 1.0), 0.01) == common
