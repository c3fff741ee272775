"""Sines, their inverses, logarithms and powers: exact as promised, with the errors of `math`, the same everywhere."""

from __future__ import annotations

import math
import struct
import sys
from collections.abc import Callable
from decimal import Context, Decimal, localcontext

import pytest

from engine.geometry import elementary
from engine.geometry.elementary_tables import BITS, half_turn
from tests.geometry.elementary_vector import DIGEST, EACH, ONE, TWO, Dice, answer, arguments, digest
from tests.geometry.test_same_bits import compiled_core, run_under

__all__ = ["compiled_core"]

DIGITS = 60
MATH: dict[str, Callable[..., float]] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "log2": math.log2,
    "atan2": math.atan2,
    "power": math.pow,
}
PROMISED = {"power": 0.51}
OTHERWISE = 0.502
SUBNORMAL = 0.76
"""A power so small is rounded twice."""


# --- another way to the same numbers: decimals of many digits


def sine_and_cosine(x: Decimal) -> tuple[Decimal, Decimal]:
    """By their series, for any angle."""
    with localcontext(Context(prec=DIGITS)) as context:
        if abs(x) > 4:
            context.prec = DIGITS + 320
            x = x % (2 * _long_pi())
            context.prec = DIGITS
        x = +x
        found = []
        for first in (1, 0):
            term = x if first else Decimal(1)
            total, k = term, first
            while total + term != total or k < 4:
                term = -term * x * x / ((k + 1) * (k + 2))
                total, k = total + term, k + 2
            found.append(total)
        return found[0], found[1]


def _long_pi() -> Decimal:
    """By the series of Gauss and Legendre, to the digits of the context."""
    a, b, t, p = Decimal(1), 1 / Decimal(2).sqrt(), Decimal("0.25"), Decimal(1)
    for _ in range(10):
        a, b, t, p = (a + b) / 2, (a * b).sqrt(), t - p * ((a - b) / 2) ** 2, 2 * p
    return (a + b) ** 2 / (4 * t)


def exact_arc(y: Decimal, x: Decimal) -> Decimal:
    """The angle of a point: what `math` says, corrected by how far from it the point is seen."""
    with localcontext(Context(prec=DIGITS)):
        size = (x * x + y * y).sqrt()
        guess = Decimal(math.atan2(float(y / size), float(x / size)))
        up, along = sine_and_cosine(guess)
        off = (y * along - x * up) / (x * along + y * up)
        return guess + off - off**3 / 3


def exact(name: str, values: tuple[float, ...]) -> Decimal:
    with localcontext(Context(prec=DIGITS)):
        x = Decimal(values[0])
        if name in ("sin", "cos", "tan"):
            up, along = sine_and_cosine(x)
            return {"sin": up, "cos": along, "tan": up / along}[name]
        if name == "asin":
            return exact_arc(x, (1 - x * x).sqrt())
        if name == "acos":
            return exact_arc((1 - x * x).sqrt(), x)
        if name == "atan2":
            return exact_arc(x, Decimal(values[1]))
        if name == "log2":
            return x.ln() / Decimal(2).ln()
        size = (Decimal(values[1]) * abs(x).ln()).exp()
        return size if x > 0 or values[1] % 2.0 == 0.0 else -size


def off(name: str, values: tuple[float, ...], found: float) -> float:
    """How far an answer is from the truth, in units of its last place."""
    with localcontext(Context(prec=DIGITS)):
        true = exact(name, values)
        return float(abs(Decimal(found) - true) / Decimal(math.ulp(found)))


@pytest.mark.parametrize("name", [name for name in (*ONE, *TWO) if name not in ("hypot", "power of a few")])
def test_answers_are_within_what_is_promised(name: str) -> None:
    worst, tried = 0.0, 0
    for values in arguments(name, seed=3, count=2_000):
        found = answer(name, values)
        if isinstance(found, str) or found - found != 0.0 or found == 0.0 or not all(map(math.isfinite, values)):
            continue
        if name == "atan2" and (abs(values[0]) < 1e-300 or abs(values[1]) < 1e-300):
            continue  # decimals take long for the rest, which is a quotient
        if name == "power" and values[0] == 0.0:
            continue
        tried += 1
        away = off(name, values, found)
        if abs(found) < sys.float_info.min:
            assert away < SUBNORMAL, values
        else:
            worst = max(worst, away)
    assert tried > 1_000
    assert worst < PROMISED.get(name, OTHERWISE)


@pytest.mark.parametrize(
    "x",
    [
        6381956970095103.0 * 2.0**797,  # the double next to a multiple of a quarter turn
        sys.float_info.max,
        1048576.0,
        1048577.0,
        math.pi,
        math.pi / 2.0,
        11.0,
        355.0,
        math.nextafter(0.78125, 0.0),
        0.78125,
    ],
)
def test_hard_angles(x: float) -> None:
    for name in ("sin", "cos", "tan"):
        found = answer(name, (x,))
        assert isinstance(found, float)
        assert off(name, (x,), found) < OTHERWISE, name


ODD = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -3.0, 3.0, 5e-324, -5e-324, 1e300, -1e300, math.inf, -math.inf, math.nan]


def same(one: float | str, two: float | str) -> bool:
    if isinstance(one, str) or isinstance(two, str):
        return one == two
    return (
        struct.pack("<d", one) == struct.pack("<d", two)
        or (one != one and two != two)
        or abs(one - two) <= math.ulp(two)
    )


@pytest.mark.parametrize("name", MATH)
def test_odd_arguments_are_answered_as_math_does(name: str) -> None:
    """Signed zeros, infinities, what is no number; the same errors."""
    pairs = [(x, y) for x in ODD for y in ODD] if name in TWO else [(x,) for x in ODD]
    for values in pairs:
        try:
            wanted: float | str = MATH[name](*values)
        except (ValueError, OverflowError) as error:
            wanted = type(error).__name__
        found = answer(name, values)
        assert same(found, wanted), (values, found, wanted)
        if isinstance(found, float) and found == 0.0 and isinstance(wanted, float):
            assert math.copysign(1.0, found) == math.copysign(1.0, wanted), values


def test_powers_of_two_have_whole_logarithms() -> None:
    assert [elementary.log2(2.0**n) for n in range(-1022, 1024)] == [float(n) for n in range(-1022, 1024)]


def test_whole_powers_are_exact_where_they_fit() -> None:
    for base in range(2, 12):
        for exponent in range(1, 15):
            assert elementary.power(float(base), float(exponent)) == float(base**exponent)


def test_too_great_and_too_small_a_power() -> None:
    assert elementary.power(2.0, -1074.0) == 5e-324
    assert elementary.power(2.0, -1080.0) == 0.0
    assert elementary.power(2.0, 1023.0) == 2.0**1023
    with pytest.raises(OverflowError):
        elementary.power(2.0, 1024.0)


def test_half_a_turn_has_all_its_digits() -> None:
    with localcontext(Context(prec=400)):
        true = _long_pi()
        assert abs(Decimal(half_turn(1280)) / 2**1280 - true) < Decimal(2) ** -1278
        assert abs(Decimal(half_turn(BITS)) / 2**BITS - true) < Decimal(2) ** -(BITS - 2)
    assert elementary.atan2(0.0, -1.0) == math.pi


def test_lengths_and_sums_go_in_order() -> None:
    assert elementary.hypot(3.0, 4.0) == 5.0
    assert elementary.distance_between((1.0, 2.0, 2.0), (0.0, 0.0, 0.0)) == 3.0
    assert elementary.plain_sum([1e16, 1.0, -1e16]) == 0.0


def test_dice_do_not_depend_on_the_system() -> None:
    assert Dice(1).word() == 0x910A2DEC89025CC1


# --- the same everywhere


def test_the_answers_to_a_hundred_thousand_questions() -> None:
    """The digest is that of Linux, of Windows, compiled or not."""
    assert EACH * (len(ONE) + len(TWO)) == 100_000
    assert digest() == DIGEST


@pytest.mark.parametrize("core", ["python", "compiled"])
def test_the_answers_of_either_core(core: str, request: pytest.FixtureRequest) -> None:
    if core == "compiled":
        request.getfixturevalue("compiled_core")
    told = run_under(core, "-m", "tests.geometry.elementary_vector")
    assert told.stdout.split() == [DIGEST], told.stderr
