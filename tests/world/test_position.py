"""Positions and the offsets between them (physics.md 1.5)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry import quat
from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3, r24, r24v
from engine.world.cells import landdefs
from engine.world.cells.position import (
    Position,
    cylinder_distance,
    distance,
    get_offset,
    heading_to,
    local_to_global,
    local_to_local,
)

COORDINATE = st.floats(-300.0, 300.0).map(r24)
POINTS = st.tuples(COORDINATE, COORDINATE, COORDINATE)
BLOCKS = st.builds(lambda x, y: x << 24 | y << 16, st.integers(100, 103), st.integers(100, 103))
FRAMES = st.builds(Frame, POINTS, st.floats(0.0, 360.0).map(quat.from_heading))
POSITIONS = st.builds(lambda block, frame: Position(block | 0x0001, frame), BLOCKS, FRAMES)


def at(cell_id: int, x: float, y: float, z: float = 0.0, heading: float = 0.0) -> Position:
    return Position(cell_id, Frame((x, y, z), quat.from_heading(heading)))


def close(a: Vec3, b: Vec3, tolerance: float = 1e-3) -> bool:
    return all(math.isclose(p, q, abs_tol=tolerance) for p, q in zip(a, b, strict=True))


def world(position: Position) -> Vec3:
    """The origin in metres from the map's south-west corner."""
    corner = landdefs.block_offset(0, position.objcell_id)
    x, y, z = position.frame.origin
    return (corner[0] + x, corner[1] + y, z)


def test_positions_on_both_sides_of_a_border_are_close() -> None:
    assert close(get_offset(at(0xA9B40031, 150.0, 1.0), at(0xA9B30038, 150.0, 191.0)), (0.0, -2.0, 0.0))


def test_a_point_of_a_turned_frame_converts_to_the_other_block() -> None:
    frm = at(0xCA5B0001, 10.0, 20.0, 5.0, heading=90.0)
    to = at(0xC95B0001, 0.0, 0.0)
    assert close(local_to_global(to, frm, (0.0, 2.0, 1.0)), (204.0, 20.0, 6.0))


@given(POSITIONS, POSITIONS)
def test_offset_and_distance_equal_those_on_the_whole_map(a: Position, b: Position) -> None:
    (ax, ay, az), (bx, by, bz) = world(a), world(b)
    assert close(get_offset(a, b), (bx - ax, by - ay, bz - az))
    assert math.isclose(distance(a, b), math.dist(world(a), world(b)), abs_tol=1e-3)
    assert math.isclose(distance(a, b), distance(b, a), abs_tol=1e-3)


@given(POSITIONS, POSITIONS, POINTS)
def test_a_point_survives_a_round_trip_through_another_local_space(a: Position, b: Position, p: Vec3) -> None:
    assert close(local_to_local(a, b, local_to_local(b, a, p)), p)


@given(POSITIONS, POINTS)
def test_within_one_block_no_value_is_rounded(a: Position, p: Vec3) -> None:
    assert local_to_global(a, a, p) == a.frame.local_to_global(p)


@given(POSITIONS, POSITIONS, POINTS)
def test_across_blocks_the_point_is_single_precision(a: Position, b: Position, p: Vec3) -> None:
    point = local_to_global(a, b, p)
    if a.objcell_id >> 16 != b.objcell_id >> 16:
        assert point == r24v(point)


@pytest.mark.parametrize(
    ("x", "y", "heading"), [(0.0, 5.0, 0.0), (5.0, 0.0, 90.0), (0.0, -5.0, 180.0), (-5.0, 0.0, 270.0), (3.0, 3.0, 45.0)]
)
def test_headings_are_compass_degrees(x: float, y: float, heading: float) -> None:
    assert math.isclose(heading_to(at(0xA9B40001, 50.0, 50.0), at(0xA9B40001, 50.0 + x, 50.0 + y, 9.0)), heading)


def test_the_heading_to_something_straight_above_is_north() -> None:
    assert heading_to(at(0xA9B40001, 50.0, 50.0), at(0xA9B40001, 50.0, 50.0001, 9.0)) == 0.0


def test_the_heading_looks_across_the_border() -> None:
    assert math.isclose(heading_to(at(0xA9B40031, 150.0, 1.0), at(0xA9B30038, 150.0, 191.0)), 180.0)


def test_adjust_to_outside_moves_position_and_frame_together() -> None:
    position = at(0xA9B40164, 150.0, -0.5, 7.0, heading=90.0)
    assert position.get_outside_cell_id() == 0xA9B30038
    assert position.adjust_to_outside()
    assert position.objcell_id == 0xA9B30038
    assert close(position.frame.origin, (150.0, 191.5, 7.0))
    assert math.isclose(position.frame.heading(), 90.0)


@given(POSITIONS)
def test_adjust_to_outside_does_not_move_the_point(position: Position) -> None:
    before = world(position)
    assert position.adjust_to_outside()
    assert close(world(position), before)
    assert landdefs.in_block(position.frame.origin)


def test_off_the_map_adjust_to_outside_fails_and_leaves_the_frame() -> None:
    position = at(0x00000001, -1.0, 12.0)
    assert not position.adjust_to_outside()
    assert position.objcell_id == 0
    assert position.frame.origin == (-1.0, 12.0, 0.0)


def test_a_copy_is_independent_and_equal() -> None:
    position = at(0xA9B40031, 150.0, 1.0)
    copy = position.copy()
    assert copy.equals(position)
    copy.objcell_id = 0xA9B40032
    assert position.objcell_id == 0xA9B40031
    assert not copy.equals(position)


def test_a_position_shows_its_cell_id() -> None:
    assert repr(at(0xA9B40031, 150.0, 1.0)).startswith("Position(0xA9B40031, ")


@pytest.mark.parametrize(
    ("x", "z", "expected"),
    [
        (3.0, 0.0, 2.0),  # beside one another: the gap between the mantles
        (3.0, 3.0, math.hypot(math.hypot(3.0, 3.0) - 1.0, 1.0)),  # apart both ways: the corner distance
        (0.6, 0.0, -math.hypot(0.4, 2.0)),  # inside one another
        (0.0, 0.5, -math.hypot(0.5, 1.5)),  # overlapping one above the other
        (0.0, -2.5, 1.5),  # below, the whole offset beyond the radii counts
    ],
)
def test_cylinder_distance(x: float, z: float, expected: float) -> None:
    a, b = at(0xA9B40001, 50.0, 50.0, 10.0), at(0xA9B40001, 50.0 + x, 50.0, 10.0 + z)
    if z == -2.5:
        assert math.isclose(cylinder_distance(a, 0.5, 2.0, b, 0.5, 2.0), math.hypot(expected, 0.5))
    else:
        assert math.isclose(cylinder_distance(a, 0.5, 2.0, b, 0.5, 2.0), expected)


@given(POSITIONS, POSITIONS, st.floats(0.1, 5.0), st.floats(0.1, 5.0))
def test_cylinder_distance_is_the_same_from_both_sides(a: Position, b: Position, height: float, radius: float) -> None:
    there = cylinder_distance(a, radius, height, b, 0.5, 2.0)
    back = cylinder_distance(b, 0.5, 2.0, a, radius, height)
    assert math.isclose(there, back, abs_tol=1e-2)
