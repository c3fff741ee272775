"""Vector arithmetic, the client's normalisation, and rounding to single precision (physics.md 0.2, 13.12)."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.constants import EPSILON
from engine.geometry.vec import (
    UP,
    ZERO,
    add,
    cross,
    distance,
    dot,
    is_finite,
    length,
    length2,
    lerp,
    neg,
    normalize_check_small,
    normalized,
    r24,
    r24v,
    scale,
    sub,
)
from tests.geometry.shapes import vectors

SINGLE_RANGE = st.floats(-3e38, 3e38, allow_subnormal=False).filter(lambda x: x == 0.0 or abs(x) > 1.2e-38)


@given(vectors(), vectors())
def test_cross_product_is_perpendicular_to_both(a: tuple[float, float, float], b: tuple[float, float, float]) -> None:
    assert dot(cross(a, b), a) == pytest.approx(0.0, abs=1e-10)
    assert dot(cross(a, b), b) == pytest.approx(0.0, abs=1e-10)


@given(vectors(), vectors())
def test_difference_undoes_sum(a: tuple[float, float, float], b: tuple[float, float, float]) -> None:
    assert sub(add(a, b), b) == pytest.approx(a, abs=1e-12)
    assert distance(a, b) == length(sub(a, b))
    assert add(a, neg(a)) == ZERO
    assert length2(a) == dot(a, a)


def test_lerp_ends_where_it_should() -> None:
    assert lerp((1.0, 2.0, 3.0), (3.0, 2.0, 1.0), 0.0) == (1.0, 2.0, 3.0)
    assert lerp((1.0, 2.0, 3.0), (3.0, 2.0, 1.0), 0.5) == (2.0, 2.0, 2.0)
    assert lerp((1.0, 2.0, 3.0), (3.0, 2.0, 1.0), 1.0) == (3.0, 2.0, 1.0)


@pytest.mark.parametrize(("size", "small"), [(0.0, True), (0.00019, True), (0.00021, False), (5.0, False)])
def test_only_a_vector_shorter_than_epsilon_is_small(size: float, small: bool) -> None:
    found, vector = normalize_check_small(scale(UP, size))
    assert found == small
    assert vector == (scale(UP, size) if small else UP)


def test_a_vector_of_exactly_epsilon_is_normalised() -> None:
    assert normalize_check_small((EPSILON, 0.0, 0.0)) == (False, (1.0, 0.0, 0.0))


def test_the_zero_vector_stays_zero_when_normalised() -> None:
    assert normalized(ZERO) == ZERO
    assert normalized((0.0, 0.0, 1e-9)) == UP


@given(SINGLE_RANGE)
def test_rounding_gives_the_nearest_single(x: float) -> None:
    assert r24(x) == struct.unpack("f", struct.pack("f", x))[0]


@pytest.mark.parametrize("x", [0.0, -0.0, math.inf, -math.inf])
def test_rounding_keeps_infinities(x: float) -> None:
    assert repr(r24(x)) == repr(x)


def test_rounding_keeps_not_a_number_and_works_per_component() -> None:
    assert math.isnan(r24(math.nan))
    assert r24v((0.1, 0.2, 0.5)) == (r24(0.1), r24(0.2), 0.5)


@pytest.mark.parametrize("bad", [math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_vector_with_one_bad_component_is_not_finite(bad: float, place: int) -> None:
    parts = [1.0, 2.0, 3.0]
    parts[place] = bad
    assert not is_finite((parts[0], parts[1], parts[2]))
    assert is_finite((1.0, 2.0, 3.0))
