"""Frames, quaternions and headings (physics.md 1.2, C-LD-24)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.constants import EPSILON
from engine.geometry.frame import Frame, combine, heading_of
from engine.geometry.quat import (
    IDENTITY,
    Quat,
    conjugate,
    from_axis_angle,
    from_heading,
    from_rotation_vector,
    multiply,
    nlerp,
    normalize,
    quat_is_valid,
    quat_length,
    rotate,
    slerp,
)
from engine.geometry.vec import UP, ZERO, Vec3, cross, dot, length, scale
from tests.geometry.shapes import directions, frames, rotations, vectors

HEADINGS = st.floats(0.0, 359.99)


@pytest.mark.parametrize(
    ("rotation", "heading"),
    [
        pytest.param(IDENTITY, 0.0, id="C-LD-24 identity"),
        pytest.param(from_axis_angle(UP, math.radians(-90.0)), 90.0, id="C-LD-24 yaw -90"),
    ],
)
def test_heading_of_a_frame(rotation: Quat, heading: float) -> None:
    assert Frame(ZERO, rotation).heading() == pytest.approx(heading, abs=1e-9)


@given(rotations(), vectors())
def test_turning_keeps_the_length(q: Quat, v: Vec3) -> None:
    assert length(rotate(q, v)) == pytest.approx(length(v), abs=1e-9)


@given(rotations(), rotations(), vectors())
def test_product_of_turns_turns_one_after_the_other(a: Quat, b: Quat, v: Vec3) -> None:
    assert rotate(multiply(a, b), v) == pytest.approx(rotate(a, rotate(b, v)), abs=1e-9)


@given(rotations(), vectors())
def test_conjugate_turns_back(q: Quat, v: Vec3) -> None:
    assert rotate(conjugate(q), rotate(q, v)) == pytest.approx(v, abs=1e-9)


@given(directions(), st.floats(-3.0, 3.0), vectors())
def test_turn_about_an_axis_is_rodrigues_formula(axis: Vec3, angle: float, v: Vec3) -> None:
    c, s, along = math.cos(angle), math.sin(angle), dot(axis, v)
    side = cross(axis, v)
    expected = [v[i] * c + side[i] * s + axis[i] * along * (1.0 - c) for i in range(3)]
    assert rotate(from_axis_angle(axis, angle), v) == pytest.approx(expected, abs=1e-9)
    assert rotate(from_rotation_vector(scale(axis, angle)), v) == pytest.approx(expected, abs=1e-9)


@given(frames(), vectors())
def test_local_and_global_undo_each_other(frame: Frame, p: Vec3) -> None:
    assert frame.global_to_local(frame.local_to_global(p)) == pytest.approx(p, abs=1e-9)
    assert frame.global_to_local_vec(frame.local_to_global_vec(p)) == pytest.approx(p, abs=1e-9)
    assert frame.local_to_global(ZERO) == frame.origin
    assert frame.local_to_global_vec(p) == pytest.approx(rotate(frame.rotation, p), abs=1e-12)


@given(frames(), frames(), frames(), vectors())
def test_combining_frames_is_associative_and_is_the_chain_of_both(a: Frame, b: Frame, c: Frame, p: Vec3) -> None:
    left = combine(combine(a, b), c)
    right = combine(a, combine(b, c))
    assert left.origin == pytest.approx(right.origin, abs=1e-8)
    assert left.rotation == pytest.approx(right.rotation, abs=1e-9)
    assert combine(a, b).local_to_global(p) == pytest.approx(a.local_to_global(b.local_to_global(p)), abs=1e-8)


@given(frames(), frames(), st.floats(0.1, 3.0))
def test_combining_scales_only_the_inner_origin(a: Frame, b: Frame, factor: float) -> None:
    scaled = combine(a, b, factor)
    assert scaled.origin == pytest.approx(a.local_to_global(scale(b.origin, factor)), abs=1e-9)
    assert scaled.rotation == combine(a, b).rotation


@given(HEADINGS)
def test_heading_is_what_was_set(degrees: float) -> None:
    frame = Frame((1.0, 2.0, 3.0)).with_heading(degrees)
    assert math.cos(math.radians(frame.heading() - degrees)) == pytest.approx(1.0, abs=1e-12)
    forward = frame.local_to_global_vec((0.0, 1.0, 0.0))
    expected = (math.sin(math.radians(degrees)), math.cos(math.radians(degrees)), 0.0)
    assert forward == pytest.approx(expected, abs=1e-9)
    assert frame.origin == (1.0, 2.0, 3.0)


@given(directions())
def test_vector_heading_looks_along_the_vector_without_roll(v: Vec3) -> None:
    frame = Frame().set_vector_heading(scale(v, 3.0))
    assert frame.local_to_global_vec((0.0, 1.0, 0.0)) == pytest.approx(v, abs=1e-6)
    assert frame.local_to_global_vec((1.0, 0.0, 0.0))[2] == pytest.approx(0.0, abs=1e-9)


def test_vector_heading_ignores_a_small_vector() -> None:
    frame = Frame(ZERO, from_heading(33.0))
    assert frame.set_vector_heading((0.0001, 0.0, 0.0)) is frame


def test_vector_heading_straight_up_does_not_fall_over() -> None:
    for rise in (UP, (0.0, 0.0, -1.0), (1e-9, 0.0, 5.0)):
        assert Frame().set_vector_heading(rise).is_valid()


@given(frames(), directions(), st.floats(-2.0, 2.0))
def test_local_turn_is_the_parents_turn_about_the_turned_axis(frame: Frame, axis: Vec3, angle: float) -> None:
    local = frame.rotate(scale(axis, angle))
    expected = multiply(frame.rotation, from_axis_angle(axis, angle))
    assert local.rotation == pytest.approx(expected, abs=1e-9)
    turned = frame.grotate(scale(axis, angle))
    assert turned.rotation == pytest.approx(multiply(from_axis_angle(axis, angle), frame.rotation), abs=1e-9)
    assert turned.origin == frame.origin


def test_the_identity_rotation_turns_nothing() -> None:
    frame = Frame((1.0, 2.0, 3.0), from_heading(40.0))
    assert frame.grotate(ZERO).equals(frame)


@pytest.mark.parametrize(
    ("origin", "rotation", "valid"),
    [
        (ZERO, IDENTITY, True),
        (ZERO, (1.0009, 0.0, 0.0, 0.0), True),
        (ZERO, (1.0011, 0.0, 0.0, 0.0), False),
        (ZERO, (0.9989, 0.0, 0.0, 0.0), False),
        (ZERO, (0.0, 0.0, 0.0, 0.0), False),
        (ZERO, (math.nan, 0.0, 0.0, 1.0), False),
        ((0.0, math.nan, 0.0), IDENTITY, False),
        ((0.0, math.inf, 0.0), IDENTITY, False),
    ],
)
def test_validity_of_frames(origin: Vec3, rotation: Quat, valid: bool) -> None:
    assert Frame(origin, rotation).is_valid() == valid


def test_a_bad_frame_does_not_poison_a_body() -> None:
    body, good = Frame((1.0, 2.0, 3.0), from_heading(40.0)), Frame((4.0, 5.0, 6.0), from_heading(10.0))
    assert body.set_frame(good) is good
    unturned = body.set_frame(Frame((4.0, 5.0, 6.0), (math.nan, 0.0, 0.0, 0.0)))
    assert (unturned.origin, unturned.rotation) == ((4.0, 5.0, 6.0), body.rotation)
    assert body.set_frame(Frame((math.nan, 5.0, 6.0), good.rotation)) is body


def test_frames_are_equal_within_epsilon_in_every_component() -> None:
    frame = Frame((1.0, 2.0, 3.0), IDENTITY)
    assert frame.equals(Frame((1.0 + 0.9 * EPSILON, 2.0, 3.0), IDENTITY))
    assert not frame.equals(Frame((1.0, 2.0, 3.0 - 1.1 * EPSILON), IDENTITY))
    assert Frame(ZERO).equals(Frame((EPSILON, 0.0, 0.0)))
    turned = Frame((1.0, 2.0, 3.0), from_heading(1.0))
    assert not frame.equals(turned)
    assert frame.equals_origin(turned)


@given(rotations(), rotations(), st.floats(0.0, 1.0))
def test_blend_of_rotations_is_a_rotation_along_the_short_way(a: Quat, b: Quat, t: float) -> None:
    blend = nlerp(a, b, t)
    assert quat_is_valid(blend)
    other_sign = (-b[0], -b[1], -b[2], -b[3])
    same = [abs(x) for x in nlerp(a, other_sign, t)]
    if abs(sum(x * y for x, y in zip(a, b, strict=True))) > 1e-6:
        assert same == pytest.approx([abs(x) for x in blend], abs=1e-9)


def test_blend_starts_and_ends_at_its_turns() -> None:
    a, b = from_heading(10.0), from_heading(50.0)
    assert nlerp(a, b, 0.0) == pytest.approx(a)
    assert nlerp(a, b, 1.0) == pytest.approx(b)
    assert nlerp(a, b, 0.5) == pytest.approx(from_heading(30.0))


@given(rotations(), rotations(), st.floats(0.0, 1.0))
def test_the_spherical_blend_goes_equal_angles_in_equal_parts(a: Quat, b: Quat, t: float) -> None:
    blend = slerp(a, b, t)
    assert quat_is_valid(blend)
    whole, part = angle_between(a, b), angle_between(a, blend)
    assert part == pytest.approx(t * whole, abs=1e-3)
    assert part + angle_between(blend, b) == pytest.approx(whole, abs=1e-3)


def angle_between(a: Quat, b: Quat) -> float:
    """Half the turn from one to the other, the short way around."""
    return math.acos(min(1.0, abs(sum(x * y for x, y in zip(a, b, strict=True)))))


def test_the_spherical_blend_of_a_turn_with_itself_is_itself() -> None:
    a = from_heading(33.0)
    minus_a = (-a[0], -a[1], -a[2], -a[3])
    for t in (0.0, 0.3, 1.0):
        assert slerp(a, a, t) == pytest.approx(a)
        assert slerp(a, minus_a, t) == pytest.approx(a)


def test_a_third_of_a_right_angle_is_thirty_degrees_only_on_the_sphere() -> None:
    east = from_heading(90.0)
    assert Frame(ZERO, slerp(IDENTITY, east, 1.0 / 3.0)).heading() == pytest.approx(30.0, abs=1e-4)
    assert Frame(ZERO, nlerp(IDENTITY, east, 1.0 / 3.0)).heading() == pytest.approx(29.278, abs=1e-3)


def test_frames_whose_quaternions_differ_by_epsilon_are_not_equal() -> None:
    """`<` for the quaternion and `<=` for the origin (physics.md #41). A negated quaternion turns alike but differs."""
    there = (EPSILON, 0.0, 0.0)
    assert Frame(ZERO, IDENTITY).equals(Frame(there, IDENTITY))
    assert not Frame(ZERO, (0.0, 0.0, 0.0, 1.0)).equals(Frame(ZERO, (EPSILON, 0.0, 0.0, 1.0)))
    assert Frame(ZERO, (0.0, 0.0, 0.0, 1.0)).equals(Frame(ZERO, (0.99 * EPSILON, 0.0, 0.0, 1.0)))
    assert not Frame(ZERO, IDENTITY).equals(Frame(ZERO, (-1.0, 0.0, 0.0, 0.0)))


def test_a_quaternion_without_length_turns_nothing() -> None:
    assert normalize((0.0, 0.0, 0.0, 0.0)) == IDENTITY
    assert quat_length(IDENTITY) == 1.0


@given(vectors())
def test_heading_of_a_direction_points_there(v: Vec3) -> None:
    heading = heading_of(v)
    assert 0.0 <= heading < 360.0
    flat = math.hypot(v[0], v[1])
    if flat > 1e-6:
        assert (math.sin(math.radians(heading)), math.cos(math.radians(heading))) == pytest.approx(
            (v[0] / flat, v[1] / flat), abs=1e-6
        )
