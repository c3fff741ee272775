"""The gizmo's geometry: where handles are on the screen, and which change a mouse drag makes."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from editor.view3d.gizmo import (
    ARROWS,
    AXES,
    FAR,
    LENGTH,
    NEAREST,
    PLANES,
    RINGS,
    Change,
    Gizmo,
    Grip,
    Handle,
    place_gizmo,
)
from engine.geometry.vec import Vec3, add, dot, length, scale, sub
from engine.visibility.camera import looking

BLOCK = 0xC95BFFFF
NEXT_BLOCK = 0xCA5BFFFF
WIDTH, HEIGHT, FOCAL = 900.0, 600.0, 450.0
ALL = (*ARROWS, *PLANES, *RINGS)

headings = st.floats(0.0, 360.0)
pitches = st.floats(-80.0, 80.0)
metres = st.floats(-3.0, 3.0)


def gizmo_before(heading: float, pitch: float, ahead: float = 6.0, ratio: float = 1.0) -> Gizmo:
    """A gizmo in the centre of the picture of an eye at (50, 60, 20)."""
    camera = looking(BLOCK, (50.0, 60.0, 20.0), heading, pitch, WIDTH, HEIGHT, FOCAL)
    found = place_gizmo(camera, BLOCK, add(camera.eye, scale(camera.forward, ahead)), ALL, ratio)
    assert found is not None
    return found


def dragged(gizmo: Gizmo, handle: Handle, start: Vec3, end: Vec3) -> Change:
    """The change of a drag from the pixel of one point to that of another."""
    grip = Grip(gizmo, handle, *gizmo.pixel(start))
    return grip.move(*gizmo.pixel(end))


# --- size and place


@given(headings, pitches, st.floats(1.0, 200.0))
def test_the_gizmo_keeps_its_screen_size_at_any_distance(heading: float, pitch: float, ahead: float) -> None:
    gizmo = gizmo_before(heading, pitch, ahead)
    assert gizmo.size * FOCAL / ahead == pytest.approx(LENGTH)


def test_the_gizmo_has_twice_the_pixels_at_a_pixel_ratio_of_two() -> None:
    assert gizmo_before(0.0, 0.0, ratio=2.0).size == pytest.approx(2.0 * gizmo_before(0.0, 0.0).size)


@pytest.mark.parametrize("ahead", [-5.0, 0.0, NEAREST / 2.0, 2.0 * FAR])
def test_there_is_no_gizmo_behind_the_eye_too_near_or_too_far_away(ahead: float) -> None:
    camera = looking(BLOCK, (0.0, 0.0, 0.0), 0.0, 0.0, WIDTH, HEIGHT, FOCAL)
    assert place_gizmo(camera, BLOCK, (0.0, ahead, 0.0), ALL) is None


def test_the_gizmo_of_a_thing_in_the_next_landblock_is_on_that_thing() -> None:
    camera = looking(BLOCK, (190.0, 60.0, 20.0), 90.0, 0.0, WIDTH, HEIGHT, FOCAL)
    there = place_gizmo(camera, NEXT_BLOCK, (4.0, 61.0, 20.0), ALL)
    here = place_gizmo(camera, BLOCK, (196.0, 61.0, 20.0), ALL)
    assert there is not None
    assert here is not None
    assert there.pixel(there.centre) == pytest.approx(here.pixel(here.centre))


# --- under the mouse


@given(st.floats(10.0, 80.0), st.floats(-60.0, -15.0), st.sampled_from(ARROWS))
def test_the_middle_of_its_shaft_hits_an_arrow(heading: float, pitch: float, handle: Handle) -> None:
    gizmo = gizmo_before(heading, pitch)
    a, b = gizmo.arrow(handle.axis)
    assert gizmo.handle_at(a[0] * 0.2 + b[0] * 0.8, a[1] * 0.2 + b[1] * 0.8) in (handle, *RINGS)
    only = place_gizmo(gizmo.camera, BLOCK, gizmo.centre, (handle,))
    assert only is not None
    assert only.handle_at((a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0) is handle


def test_its_square_hits_a_plane_and_pixels_beside_the_gizmo_hit_nothing() -> None:
    gizmo = gizmo_before(30.0, -35.0)
    square = gizmo.square(Handle.XY)
    assert gizmo.handle_at(*square.mean(axis=0)) is Handle.XY
    assert gizmo.handle_at(10.0, 10.0) is None


def test_its_line_hits_a_ring_but_its_inside_does_not() -> None:
    gizmo = gizmo_before(0.0, -50.0)
    ring = place_gizmo(gizmo.camera, BLOCK, gizmo.centre, (Handle.TURN_Z,))
    assert ring is not None
    points, _ = ring.ring(2)
    assert ring.handle_at(*points[5]) is Handle.TURN_Z
    assert ring.handle_at(*ring.pixel(ring.centre)) is None


@given(st.sampled_from([0.0, 90.0, 180.0, 270.0]))
def test_an_arrow_that_points_at_the_eye_cannot_be_grabbed(heading: float) -> None:
    gizmo = gizmo_before(heading, 0.0)
    away = Handle.Y if heading % 180.0 == 0.0 else Handle.X
    assert gizmo.strength(away) == 0.0
    assert gizmo.handle_at(*gizmo.pixel(gizmo.centre)) is not away


def test_a_plane_seen_from_its_edge_cannot_be_grabbed() -> None:
    gizmo = gizmo_before(0.0, 0.0)
    assert gizmo.strength(Handle.XY) == gizmo.strength(Handle.YZ) == 0.0
    assert gizmo.strength(Handle.ZX) == 1.0


# --- dragging


@given(headings, pitches, st.sampled_from(ARROWS), metres, metres)
def test_a_point_on_an_axis_follows_the_mouse(
    heading: float, pitch: float, handle: Handle, start: float, way: float
) -> None:
    gizmo = gizmo_before(heading, pitch)
    assume(gizmo.strength(handle) > 0.0)
    axis = AXES[handle.axis]
    first, last = scale(axis, start), scale(axis, start + way)
    change = dragged(gizmo, handle, add(gizmo.centre, first), add(gizmo.centre, last))
    assert sub(change.offset, scale(axis, way)) == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)


@given(headings, pitches, st.sampled_from(ARROWS), st.floats(-400.0, 1300.0), st.floats(-400.0, 1000.0))
def test_an_arrow_moves_only_along_its_axis_wherever_the_mouse_goes(
    heading: float, pitch: float, handle: Handle, x: float, y: float
) -> None:
    gizmo = gizmo_before(heading, pitch)
    change = Grip(gizmo, handle, *gizmo.tip(handle.axis)).move(x, y)
    assert all(math.isfinite(part) for part in change.offset)
    assert length(change.offset) <= 2.0 * FAR
    assert [axis for axis in range(3) if change.offset[axis] != 0.0] in ([], [handle.axis])


@given(headings, pitches, st.sampled_from(PLANES), metres, metres)
def test_a_point_on_a_plane_follows_the_mouse(heading: float, pitch: float, handle: Handle, u: float, v: float) -> None:
    gizmo = gizmo_before(heading, pitch)
    assume(gizmo.strength(handle) > 0.0)
    a, b = (AXES[axis] for axis in handle.spans)
    way = add(scale(a, u), scale(b, v))
    end = add(gizmo.centre, way)
    assume(dot(sub(end, gizmo.eye), gizmo.camera.forward) > NEAREST)
    change = dragged(gizmo, handle, gizmo.centre, end)
    assert change.offset == pytest.approx(way, abs=1e-5)


@given(headings, pitches, st.sampled_from(ALL), st.floats(-900.0, 1800.0), st.floats(-900.0, 1500.0))
def test_every_drag_gives_a_finite_change(heading: float, pitch: float, handle: Handle, x: float, y: float) -> None:
    gizmo = gizmo_before(heading, pitch)
    change = Grip(gizmo, handle, WIDTH / 2.0 + 5.0, HEIGHT / 2.0 + 3.0).move(x, y)
    assert all(math.isfinite(part) and abs(part) <= 2.0 * FAR for part in (*change.offset, change.turn))


def test_a_drag_past_an_axis_vanishing_point_moves_the_thing_no_further() -> None:
    gizmo = gizmo_before(80.0, -10.0)
    grip = Grip(gizmo, Handle.X, *gizmo.tip(0))
    tip = gizmo.tip(0)
    way = (tip[0] - gizmo.pixel(gizmo.centre)[0], tip[1] - gizmo.pixel(gizmo.centre)[1])
    reached = [grip.move(tip[0] + way[0] * k, tip[1] + way[1] * k).offset[0] for k in range(1, 60)]
    assert all(later >= earlier for earlier, later in pairwise(reached))
    assert reached[-1] == reached[-2] > 0.0


@given(st.floats(0.0, 360.0), st.floats(-75.0, -25.0), st.floats(-170.0, 170.0), st.floats(0.0, 360.0))
def test_a_ring_turns_by_the_angle_of_the_mouse_around_it(
    heading: float, pitch: float, turn: float, start: float
) -> None:
    gizmo = gizmo_before(heading, pitch)

    def on_ring(degrees: float) -> tuple[float, float]:
        angle = math.radians(degrees)
        return gizmo.pixel(add(gizmo.centre, (math.cos(angle), math.sin(angle), 0.0)))

    grip = Grip(gizmo, Handle.TURN_Z, *on_ring(start))
    change = grip.move(*on_ring(start + turn / 2.0))
    change = grip.move(*on_ring(start + turn))
    assert change.turn == pytest.approx(turn, abs=1e-6)
    assert change.offset == (0.0, 0.0, 0.0)


def test_a_ring_can_be_turned_more_than_a_full_turn() -> None:
    gizmo = gizmo_before(0.0, -60.0)
    points, _ = gizmo.ring(2)
    grip = Grip(gizmo, Handle.TURN_Z, *points[0])
    for step in range(1, 2 * len(points) + 1):
        grip.move(*points[step % len(points)])
    assert grip.change.turn == pytest.approx(720.0)


def test_moving_along_a_ring_seen_from_its_edge_turns_it() -> None:
    gizmo = gizmo_before(0.0, 0.0)
    x, y = gizmo.pixel(gizmo.centre)
    right = Grip(gizmo, Handle.TURN_Z, x, y).move(x + 79.12, y)
    left = Grip(gizmo, Handle.TURN_Z, x, y).move(x - 79.12, y)
    assert right.turn == pytest.approx(57.3, abs=0.1)  # the near side goes to the right: counter-clockwise from above
    assert left.turn == pytest.approx(-right.turn)
    assert Grip(gizmo, Handle.TURN_Z, x, y).move(x, y + 80.0).turn == pytest.approx(0.0, abs=1e-9)


# --- Shift and Ctrl


def test_shift_slows_a_drag_to_a_tenth_and_releasing_it_does_not_jump() -> None:
    gizmo = gizmo_before(0.0, -30.0)
    x, y = gizmo.tip(0)
    grip = Grip(gizmo, Handle.X, x, y)
    coarse = grip.move(x + 50.0, y).offset[0]
    fine = grip.move(x + 100.0, y, fine=True).offset[0]
    assert fine - coarse == pytest.approx(coarse / 10.0, rel=1e-6)
    assert grip.move(x + 100.0, y).offset[0] == fine


def test_ctrl_snaps_to_a_quarter_of_a_metre_and_fifteen_degrees() -> None:
    assert Change((0.36, -0.13, 1.0)).snapped() == Change((0.25, -0.25, 1.0))
    assert Change(turn=52.0).snapped().turn == 45.0
    assert str(Change((-0.01, 0.0, 0.0)).snapped().offset[0]) == "0.0"
