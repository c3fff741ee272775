"""Openings, the side of them on which an eye is, and eyes that stand in them (rendering.md 2.3, 9)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.frame import Frame
from engine.geometry.plane import BEHIND, CLOSE, FRONT
from engine.geometry.polygon import Polygon
from engine.geometry.quat import from_heading
from engine.geometry.vec import Vec3
from engine.visibility.openings import PortalOpening, make_opening

DOOR: list[Vec3] = [(4.0, 10.0, 0.0), (6.0, 10.0, 0.0), (6.0, 10.0, 3.0), (4.0, 10.0, 3.0)]
"""Its normal points south."""


def opening_of(vertices: list[Vec3], frame: Frame | None = None) -> PortalOpening:
    return make_opening(Polygon(0, vertices), Frame() if frame is None else frame)


def test_the_side_of_an_eye_has_a_tolerance_of_0_2_mm() -> None:
    door = opening_of(DOOR)
    sides = [door.side((5.0, y, 1.5)) for y in (2.0, 9.9997, 9.9999, 10.0, 10.0001, 10.0003, 20.0)]
    assert sides == [FRONT, FRONT, CLOSE, CLOSE, CLOSE, BEHIND, BEHIND]


@pytest.mark.parametrize("start", range(4))
def test_all_corners_of_a_bent_opening_decide_its_side(start: int) -> None:
    """Its fourth corner is a metre back: the plane leans, and passes through the mean of the corners."""
    ring: list[Vec3] = [*DOOR[:3], (4.0, 11.0, 3.0)]
    bent = opening_of(ring[start:] + ring[:start])
    size = math.sqrt(3.0 * 3.0 + 12.0 * 12.0 + 2.0 * 2.0)  # of the sum of (0, -6, 0) and (-3, -6, 2)
    assert (bent.nx, bent.ny, bent.nz) == pytest.approx((-3.0 / size, -12.0 / size, 2.0 / size))
    assert bent.side((5.0, 10.2495, 1.5)) == FRONT
    assert bent.side((5.0, 10.25, 1.5)) == CLOSE
    assert bent.side((5.0, 10.2505, 1.5)) == BEHIND


def test_collinear_corners_do_not_hide_which_way_an_opening_faces() -> None:
    for start in range(5):
        ring: list[Vec3] = [DOOR[0], (5.0, 10.0, 0.0), *DOOR[1:]]
        door = opening_of(ring[start:] + ring[:start])
        assert (door.nx, door.ny, door.nz) == pytest.approx((0.0, -1.0, 0.0))


@given(st.floats(0.0, 360.0), st.floats(-1000.0, 1000.0), st.floats(-20.0, 20.0))
def test_an_opening_is_where_its_cells_frame_puts_it(heading: float, x: float, off: float) -> None:
    frame = Frame((x, -3.0, 7.0), from_heading(heading))
    door = opening_of(DOOR, frame)
    eye = frame.local_to_global((5.0, 10.0 + off, 1.5))
    assert door.distance(eye) == pytest.approx(-off, abs=1e-6)
    assert door.farthest2(eye) == pytest.approx(off * off + 1.0 + 2.25, rel=1e-6)


def test_the_farthest_corner_counts() -> None:
    assert opening_of(DOOR).farthest2((5.0, 2.0, 1.5)) == pytest.approx(67.25)


@pytest.mark.parametrize(
    ("eye", "held"),
    [
        ((5.0, 10.0, 1.5), True),
        ((4.0, 10.0, 0.0), True),
        ((3.995, 10.0, 1.5), True),
        ((3.985, 10.0, 1.5), False),
        ((5.0, 10.0, 3.005), True),
        ((5.0, 10.0, 3.015), False),
    ],
)
def test_an_eye_stands_in_an_opening_or_a_centimetre_beside_it(eye: Vec3, held: bool) -> None:
    assert opening_of(DOOR).holds(eye) == held
    assert opening_of(list(reversed(DOOR))).holds(eye) == held


def test_no_eye_stands_in_an_opening_without_area() -> None:
    line = opening_of([(4.0, 10.0, 0.0), (5.0, 10.0, 0.0), (6.0, 10.0, 0.0)])
    assert line.usable
    assert line.side((5.0, 3.0, 0.0)) == CLOSE
    assert not line.holds((5.0, 10.0, 0.0))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e7])
def test_corners_that_are_not_finite_make_an_opening_useless(bad: float) -> None:
    assert not opening_of([*DOOR[:3], (4.0, bad, 3.0)]).usable
    assert not opening_of(DOOR, Frame((0.0, 0.0, bad))).usable


def test_fewer_than_three_corners_make_an_opening_useless() -> None:
    assert not make_opening(None, Frame()).usable
    assert not opening_of([]).usable
    assert not opening_of(DOOR[:2]).usable
