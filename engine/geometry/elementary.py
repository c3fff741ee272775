"""Sine, cosine, tangent, their inverses, logarithm of two and power, the same to the last bit on every system
(ARCHITECTURE.md, promise 12).

C libraries differ in the last bit of theirs, numpy's vary with the processor. These are made of additions,
multiplications, divisions and square roots alone, which IEEE 754 rounds in one way. A number that a double cannot hold
goes on as two, `head + rest`. What comes out is within 0.502 units in the last place (`power` within 0.51), measured in
`tests/geometry/test_elementary.py`. Errors are those of `math`: ValueError, and OverflowError for a power too great.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from mypy_extensions import i64

from engine.geometry.elementary_tables import (
    ATAN_HEAD,
    ATAN_REST,
    BITS,
    COS_HEAD,
    COS_REST,
    EXP_HEAD,
    EXP_REST,
    FIRST_LOG,
    LN2,
    LN2_HEAD,
    LN2_REST,
    LOG_HEAD,
    LOG_REST,
    MOST_OCTAVES,
    POWERS,
    REDUCING_BITS,
    SIN_HEAD,
    SIN_REST,
    STEPS,
    half_turn,
    ratio,
)

Pair = tuple[float, float]
"""A number as the sum of two, the first of which is that sum rounded."""

_SPLIT: Final = 134217729.0  # 2**27 + 1 leaves 26 of 53 bits
_DOMAIN: Final = "math domain error"
_RANGE: Final = "math range error"

_HALF_PI: Final = half_turn(REDUCING_BITS) >> 1
_TWO_PI_PARTS: Final = 27
"""Bits of each of the first three parts of π/2: their products with a multiple below 2^26 are exact."""


def _part(number: int) -> float:
    """The bits of π/2 from 27·number on, 27 of them."""
    low = REDUCING_BITS - 1 - _TWO_PI_PARTS * (number + 1) + 2
    above = _HALF_PI >> (low + _TWO_PI_PARTS) << (low + _TWO_PI_PARTS)
    return ratio((_HALF_PI - above) >> low << low, REDUCING_BITS)


_PI_1: Final = _part(0)
_PI_2: Final = _part(1)
_PI_3: Final = _part(2)
_PI_4: Final = ratio(
    _HALF_PI
    - int(_PI_1 * 2.0**200) * 2 ** (REDUCING_BITS - 200)
    - int(_PI_2 * 2.0**200) * 2 ** (REDUCING_BITS - 200)
    - int(_PI_3 * 2.0**200) * 2 ** (REDUCING_BITS - 200),
    REDUCING_BITS,
)
_PI_3_AND_4: Final = _PI_3 + _PI_4
_PLAIN: Final = 1e-4
"""Where more than this is left of an angle, 107 bits of π/2 are enough."""
_QUARTERS: Final = ratio((1 << (2 * BITS)) // (half_turn(BITS) >> 1))
"""2/π"""
_QUARTER_TURN: Final = ratio(_HALF_PI, REDUCING_BITS)
_QUARTER_TURN_REST: Final = ratio(_HALF_PI - int(_QUARTER_TURN * 2.0**100) * 2 ** (REDUCING_BITS - 100), REDUCING_BITS)
_UNTURNED: Final = 0.78125
"""Angles below are not reduced."""
_NEAR: Final = 1048576.0
"""Angles up to here are reduced with floats, greater ones with whole numbers."""

_PER_OCTAVE: Final = ratio((STEPS << (2 * BITS)) // LN2)
"""64/ln 2"""
_STEP_HEAD: Final = math.floor(LN2_HEAD * 2.0**34) * 2.0**-40
_STEP_REST: Final = (LN2_HEAD - _STEP_HEAD * 64.0 + LN2_REST) / 64.0
"""(ln 2)/64, its first 34 bits and the rest."""
_OCTAVES: Final = ratio((1 << (2 * BITS)) // LN2)
_OCTAVES_REST: Final = ratio((1 << (2 * BITS)) // LN2 - int(_OCTAVES * 2.0**100) * 2 ** (BITS - 100))
"""1/ln 2"""


def _rest_of_product(a: float, b: float, product: float) -> float:
    """What rounding took from a·b, exactly (Dekker)."""
    c = a * _SPLIT
    a_head = c - (c - a)
    a_rest = a - a_head
    c = b * _SPLIT
    b_head = c - (c - b)
    b_rest = b - b_head
    return ((a_head * b_head - product) + a_head * b_rest + a_rest * b_head) + a_rest * b_rest


def _rest_of_sum(a: float, b: float, total: float) -> float:
    """What rounding took from a + b, exactly (Knuth)."""
    b_there = total - a
    return (a - (total - b_there)) + (b - b_there)


# --- sine, cosine, tangent


def _reduced(x: float) -> tuple[i64, float, float]:
    """x ≥ 0 as quarter turns, 0 to 3, and what is left, between about -π/4 and π/4, as a pair."""
    if x < _UNTURNED:
        return (0, x, 0.0)
    if x > _NEAR:
        return _reduced_far(x)
    count: i64 = int(x * _QUARTERS + 0.5)
    turns = float(count)
    first = x - turns * _PI_1
    product = turns * _PI_2
    second = first - product
    rest = _rest_of_sum(first, -product, second)
    if second > _PLAIN or second < -_PLAIN:
        rest -= turns * _PI_3_AND_4
        head = second + rest
        return (count & 3, head, (second - head) + rest)
    product = turns * _PI_3
    third = second - product
    rest += _rest_of_sum(second, -product, third) - turns * _PI_4
    head = third + rest
    return (count & 3, head, _rest_of_sum(third, rest, head))


def _reduced_far(x: float) -> tuple[i64, float, float]:
    top, bottom = x.as_integer_ratio()  # x is above 2^20: the bottom is a power of two up to 2^32
    scaled = (top << REDUCING_BITS) // bottom
    turns, left = divmod(scaled, _HALF_PI)
    if 2 * left > _HALF_PI:
        turns += 1
        left -= _HALF_PI
    head = ratio(left, REDUCING_BITS)
    top, bottom = head.as_integer_ratio()
    quarter: i64 = turns & 3
    return (quarter, head, ratio(left - (top << REDUCING_BITS) // bottom, REDUCING_BITS))


def _sine_pair(head: float, rest: float) -> Pair:
    """The sine of an angle up to π/4 as an unrounded sum."""
    if head < 0.0:
        low = _sine_pair(-head, -rest)
        return (-low[0], -low[1])
    i: i64 = int(head * 64.0 + 0.5)
    if i == 0:
        square = head * head
        return (
            head,
            rest
            - head * square * (0.16666666666666666 - square * (0.008333333333333333 - square * 0.0001984126984126984)),
        )
    return _near_entry(head - float(i) * 0.015625, rest, SIN_HEAD[i], SIN_REST[i], COS_HEAD[i], COS_REST[i])


def _cosine_pair(head: float, rest: float) -> Pair:
    """The same for the cosine."""
    if head < 0.0:
        head, rest = -head, -rest
    i: i64 = int(head * 64.0 + 0.5)
    return _near_entry(head - float(i) * 0.015625, rest, COS_HEAD[i], COS_REST[i], -SIN_HEAD[i], -SIN_REST[i])


def _near_entry(d: float, rest: float, a: float, a_rest: float, b: float, b_rest: float) -> Pair:
    """A·cos(d) + B·sin(d), which is the sine d away from an angle whose sine is A and whose cosine is B."""
    c = d * _SPLIT
    d_head = c - (c - d)
    product = b * d_head  # 26 bits each: exact
    total = a + product
    square = d * d
    less = square * (0.5 - square * (0.041666666666666664 - square * 0.001388888888888889))
    bent = d * square * (0.16666666666666666 - square * (0.008333333333333333 - square * 0.0001984126984126984))
    return (
        total,
        ((a - total) + product)
        + (a_rest + (b * ((d - d_head) + rest) + b_rest * d) - ((a + a_rest) * less + (b + b_rest) * bent)),
    )


def sin(x: float) -> float:
    """The sine of x radians."""
    if x - x != 0.0:
        return _refused(x)
    size = -x if x < 0.0 else x
    if size < _UNTURNED:
        if size == 0.0:
            return x
        pair = _sine_pair(size, 0.0)
        return -(pair[0] + pair[1]) if x < 0.0 else pair[0] + pair[1]
    quarter, head, rest = _reduced(size)
    pair = _sine_pair(head, rest) if quarter & 1 == 0 else _cosine_pair(head, rest)
    value = pair[0] + pair[1]
    return -value if (quarter >= 2) != (x < 0.0) else value


def cos(x: float) -> float:
    """The cosine of x radians."""
    if x - x != 0.0:
        return _refused(x)
    size = -x if x < 0.0 else x
    if size < _UNTURNED:
        pair = _cosine_pair(size, 0.0)
        return pair[0] + pair[1]
    quarter, head, rest = _reduced(size)
    pair = _cosine_pair(head, rest) if quarter & 1 == 0 else _sine_pair(head, rest)
    value = pair[0] + pair[1]
    return -value if quarter == 1 or quarter == 2 else value


def tan(x: float) -> float:
    """The tangent of x radians."""
    if x - x != 0.0:
        return _refused(x)
    if -1e-9 < x < 1e-9:
        return x
    quarter, head, rest = _reduced(-x if x < 0.0 else x)
    up, along = _sine_pair(head, rest), _cosine_pair(head, rest)
    if quarter & 1:
        up, along = along, (-up[0], -up[1])
    pair = _quotient(_rounded(up), _rounded(along))
    value = pair[0] + pair[1]
    return -value if x < 0.0 else value


def _refused(x: float) -> float:
    """What the functions of angles make of an infinity, and of what is no number."""
    if x != x:
        return x
    raise ValueError(_DOMAIN)


def _rounded(pair: Pair) -> Pair:
    total = pair[0] + pair[1]
    return (total, (pair[0] - total) + pair[1])


def _quotient(a: Pair, b: Pair) -> Pair:
    head = a[0] / b[0]
    product = head * b[0]
    left = ((a[0] - product) - _rest_of_product(head, b[0], product)) + (a[1] - head * b[1])
    return (head, left / b[0])


# --- the inverse functions


def _arc(y: Pair, x: Pair) -> Pair:
    """The angle of a point with y and x above 0, from the x axis; neither is much greater than the other."""
    if y[0] > x[0]:
        head, rest = _arc(x, y)
        total = _QUARTER_TURN - head
        return (total, ((_QUARTER_TURN - total) - head) + (_QUARTER_TURN_REST - rest))
    i: i64 = int(y[0] / x[0] * 64.0 + 0.5)
    if i == 0:
        z, z_rest = _quotient(y, x)
        return (z, z_rest - _bend(z))
    step = float(i) * 0.015625
    z, z_rest = _quotient(_plus(y, x, -step), _plus(x, y, step))
    head = ATAN_HEAD[i]
    total = head + z
    return (total, ((head - total) + z) + (ATAN_REST[i] + (z_rest - _bend(z))))


def _bend(z: float) -> float:
    """z less its arc tangent, up to 1/128."""
    square = z * z
    return (
        z
        * square
        * (0.3333333333333333 - square * (0.2 - square * (0.14285714285714285 - square * 0.1111111111111111)))
    )


def _plus(a: Pair, b: Pair, factor: float) -> Pair:
    """a + factor·b, the factor with few bits."""
    c = b[0] * _SPLIT
    b_head = c - (c - b[0])
    product = factor * b_head
    first = a[0] + product
    rest = _rest_of_sum(a[0], product, first)
    product = factor * (b[0] - b_head)
    second = first + product
    return (second, (rest + _rest_of_sum(first, product, second)) + (a[1] + factor * b[1]))


def atan2(y: float, x: float) -> float:
    """The angle of the point (x, y) in radians, -π to π."""
    if x != x or y != y:
        return x + y
    behind = x < 0.0 or (x == 0.0 and math.copysign(1.0, x) < 0.0)
    size = _angle_of(-y if y < 0.0 else y, -x if x < 0.0 else x, behind)
    if y == 0.0:
        return math.copysign(size, y)
    return -size if y < 0.0 else size


def _angle_of(y: float, x: float, behind: bool) -> float:
    """The angle of a point above the axis; `behind` for one on the other side."""
    if y == 0.0:
        return 2.0 * _QUARTER_TURN if behind else 0.0
    if x == 0.0:
        return _QUARTER_TURN
    if x - x != 0.0 and y - y != 0.0:
        return 1.5 * _QUARTER_TURN if behind else 0.5 * _QUARTER_TURN
    if y / x < 1e-20:
        return 2.0 * _QUARTER_TURN if behind else y / x
    if x / y < 1e-20:
        return _QUARTER_TURN
    if x > 1e120 or y > 1e120:
        x, y = x * 2.0**-600, y * 2.0**-600
    elif x < 1e-120 or y < 1e-120:
        x, y = x * 2.0**600, y * 2.0**600
    head, rest = _rounded(_arc((y, 0.0), (x, 0.0)))
    return _mirrored(head, rest) if behind else head


def _mirrored(head: float, rest: float) -> float:
    """π less that angle."""
    turn = 2.0 * _QUARTER_TURN
    total = turn - head
    return total + (_rest_of_sum(turn, -head, total) + (2.0 * _QUARTER_TURN_REST - rest))


def _leg(x: float) -> Pair:
    """√(1 - x²)"""
    product = x * x
    head = 1.0 - product
    rest = ((1.0 - head) - product) - _rest_of_product(x, x, product)
    total = head + rest
    rest = (head - total) + rest
    root = math.sqrt(total)
    product = root * root
    return (root, (((total - product) - _rest_of_product(root, root, product)) + rest) / (2.0 * root))


def asin(x: float) -> float:
    """The angle whose sine is x."""
    if x != x:
        return x
    size = abs(x)
    if size > 1.0:
        raise ValueError(_DOMAIN)
    if size < 1e-9:
        return x
    if size == 1.0:
        return math.copysign(_QUARTER_TURN, x)
    pair = _arc((size, 0.0), _leg(size))
    return -(pair[0] + pair[1]) if x < 0.0 else pair[0] + pair[1]


def acos(x: float) -> float:
    """The angle whose cosine is x."""
    if x != x:
        return x
    size = abs(x)
    if size > 1.0:
        raise ValueError(_DOMAIN)
    if size == 1.0:
        return 0.0 if x > 0.0 else 2.0 * _QUARTER_TURN
    if size < 1e-20:
        return _QUARTER_TURN
    head, rest = _rounded(_arc(_leg(size), (size, 0.0)))
    return _mirrored(head, rest) if x < 0.0 else head


# --- logarithm and power


def _log(x: float) -> Pair:
    """The natural logarithm of a finite x above 0."""
    mantissa, exponent = math.frexp(x)
    if mantissa < 0.7071067811865476:
        mantissa *= 2.0
        exponent -= 1
    i = int(mantissa * 64.0 + 0.5)
    entry = float(i) * 0.015625
    up = mantissa - entry
    sum_ = mantissa + entry
    s = up / sum_
    product = s * sum_
    left = ((up - product) - _rest_of_product(s, sum_, product)) - s * _rest_of_sum(mantissa, entry, sum_)
    square = s * s
    powers = square * (
        0.3333333333333333 + square * (0.2 + square * (0.14285714285714285 + square * 0.1111111111111111))
    )
    bent = 2.0 * (left / sum_ + s * powers)
    octaves = float(exponent)
    head = octaves * LN2_HEAD + LOG_HEAD[i - FIRST_LOG]
    total = head + 2.0 * s
    rest = ((head - total) + 2.0 * s) + (bent + (octaves * LN2_REST + LOG_REST[i - FIRST_LOG]))
    return _rounded((total, rest))


def log2(x: float) -> float:
    """The logarithm to the base 2."""
    if x != x or x == math.inf:
        return x
    if x <= 0.0:
        raise ValueError(_DOMAIN)
    head, rest = _log(x)
    product = head * _OCTAVES
    return product + (_rest_of_product(head, _OCTAVES, product) + (head * _OCTAVES_REST + rest * _OCTAVES))


def power(x: float, y: float) -> float:
    """x to the power of y, as `math.pow` has it."""
    if y == 0.0 or x == 1.0:
        return 1.0
    if x != x or y != y:
        return x + y
    odd = abs(y) < 9007199254740992.0 and y == math.floor(y) and math.fmod(y, 2.0) != 0.0
    size = abs(x)
    if x == 0.0 or size == math.inf or y - y != 0.0:
        return _power_at_the_ends(x, y, odd)
    if x < 0.0 and y != math.floor(y):
        raise ValueError(_DOMAIN)
    value = _power_of(size, y)
    return -value if x < 0.0 and odd else value


def _power_at_the_ends(x: float, y: float, odd: bool) -> float:
    size = abs(x)
    if y - y != 0.0:
        if size == 1.0:
            return 1.0
        return math.inf if (size > 1.0) == (y > 0.0) else 0.0
    if x == 0.0 and y < 0.0:
        raise ValueError(_DOMAIN)
    value = 0.0 if (x == 0.0) == (y > 0.0) else math.inf
    return math.copysign(value, x) if odd else value


def _power_of(x: float, y: float) -> float:
    head, rest = _log(x)
    whole = y * head
    if whole > 710.0:
        raise OverflowError(_RANGE)
    if whole < -746.0:
        return 0.0
    if -1e-18 < whole < 1e-18:
        return 1.0
    rest = _rest_of_product(y, head, whole) + y * rest
    near = whole * _PER_OCTAVE
    steps: i64 = int(near + 0.5) if near >= 0.0 else -int(0.5 - near)
    count = float(steps)
    first = whole - count * _STEP_HEAD  # 34 and 17 bits: exact
    less = rest - count * _STEP_REST
    d = first + less
    d_rest = _rest_of_sum(first, less, d)
    i = steps & 63
    entry = EXP_HEAD[i]
    c = d * _SPLIT
    d_head = c - (c - d)
    product = entry * d_head
    total = entry + product
    bent = (
        d
        * d
        * (
            0.5
            + d
            * (0.16666666666666666 + d * (0.041666666666666664 + d * (0.008333333333333333 + d * 0.001388888888888889)))
        )
    )
    value = total + (
        ((entry - total) + product)
        + (EXP_REST[i] + (entry * ((d - d_head) + d_rest) + EXP_REST[i] * d) + (entry + EXP_REST[i]) * bent)
    )
    return _scaled(value, steps >> 6)


def _scaled(value: float, octaves: i64) -> float:
    """Times a power of two; `math.ldexp` rounds what is too small in the C library's own way."""
    if octaves > 1000:
        value *= POWERS[octaves - 1000 + MOST_OCTAVES]
        octaves = 1000
    if octaves < -1000:
        value *= POWERS[octaves + 1000 + MOST_OCTAVES]
        octaves = -1000
    found = value * POWERS[octaves + MOST_OCTAVES]
    if found == math.inf:
        raise OverflowError(_RANGE)
    return found


# --- lengths and sums


def hypot(x: float, y: float) -> float:
    """The length of (x, y). That of `math` rounds otherwise in each version of Python."""
    return math.sqrt(x * x + y * y)


def distance_between(a: Sequence[float], b: Sequence[float]) -> float:
    """The distance of two points of as many numbers."""
    total = 0.0
    for i in range(len(a)):
        step = a[i] - b[i]
        total += step * step
    return math.sqrt(total)


def plain_sum(values: Iterable[float]) -> float:
    """Added one after the other; since Python 3.12 `sum` adds floats in another way."""
    total = 0.0
    for value in values:
        total += value
    return total
