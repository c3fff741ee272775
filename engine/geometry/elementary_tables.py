"""Constants and tables of `elementary`, computed from their series with whole numbers when the module is loaded.

Every entry is a pair: a head of 26 bits, whose product with another head is exact, and the rest of the number. No
constant is typed in, and none depends on a C library.
"""

from __future__ import annotations

from typing import Final

BITS: Final = 192
"""The fraction's bits of the fixed-point numbers here."""

REDUCING_BITS: Final = 1280
"""The same for π/2 where the argument may be the greatest float there is: 1024 bits go to the multiple."""

STEPS: Final = 64
"""The tables' entries are 1/64 apart."""

HEAD_BITS: Final = 26
GRID_BITS: Final = 42
"""Heads of logarithms are multiples of 2^-42: their sums with those of powers of two are exact."""


def _arc_of_inverse(n: int, bits: int) -> int:
    """atan(1/n), times 2^bits."""
    term = (1 << bits) // n
    total = 0
    k = 1
    while term:
        total += term // k if k & 2 == 0 else -(term // k)
        term //= n * n
        k += 2
    return total


def half_turn(bits: int) -> int:
    """π times 2^bits, by Machin's formula."""
    spare = 32
    return (16 * _arc_of_inverse(5, bits + spare) - 4 * _arc_of_inverse(239, bits + spare)) >> spare


def _series(first: int, x: int, step: int, alternating: bool) -> int:
    """The powers of x with every `step`-th exponent from `first` on, each over its factorial."""
    term = 1 << BITS
    for k in range(1, first + 1):
        term = (term * x >> BITS) // k
    total = 0
    sign = 1
    k = first
    while term:
        total += sign * term
        for _ in range(step):
            k += 1
            term = (term * x >> BITS) // k
        if alternating:
            sign = -sign
    return total


def _log_of_ratio(a: int, b: int) -> int:
    """log(a/b) by 2·atanh((a - b)/(a + b))."""
    power = ((a - b) << BITS) // (a + b)
    square = power * power >> BITS
    total = 0
    k = 1
    while power not in (0, -1):
        total += power // k
        power = power * square >> BITS
        k += 2
    return 2 * total


def _arc(i: int) -> int:
    """atan(i/64)."""
    x = (i << BITS) // STEPS
    if i == STEPS:
        return half_turn(BITS) >> 2
    # atan(x) = atan(1/2) + atan((x - 1/2)/(1 + x/2)) brings every argument below 1/2, where the series is short.
    half = 1 << (BITS - 1)
    if x <= half:
        return _short_arc(x)
    return _short_arc(half) + _short_arc(((x - half) << BITS) // ((1 << BITS) + (x >> 1)))


def _short_arc(x: int) -> int:
    square = x * x >> BITS
    power = x
    total = 0
    k = 1
    while power:
        total += power // k if k & 2 == 0 else -(power // k)
        power = power * square >> BITS
        k += 2
    return total


def ratio(value: int, bits: int = BITS) -> float:
    """The nearest float: division of whole numbers rounds correctly."""
    return value / (1 << bits)


def _split(value: int) -> tuple[float, float]:
    spare = max(abs(value).bit_length() - HEAD_BITS, 0)
    head = (value >> spare) << spare
    return (ratio(head), ratio(value - head))


def _split_on_grid(value: int) -> tuple[float, float]:
    spare = BITS - GRID_BITS
    head = (value >> spare) << spare
    return (ratio(head), ratio(value - head))


def _heads(pairs: list[tuple[float, float]]) -> list[float]:
    return [head for head, _ in pairs]


def _rests(pairs: list[tuple[float, float]]) -> list[float]:
    return [rest for _, rest in pairs]


def _angle(i: int) -> int:
    return (i << BITS) // STEPS


LAST_ANGLE: Final = 51
"""The angles of the table go past π/4, 50.3 of 64."""

_SIN: Final = [_split(_series(1, _angle(i), 2, True)) for i in range(LAST_ANGLE + 1)]
SIN_HEAD: Final = _heads(_SIN)
SIN_REST: Final = _rests(_SIN)
_COS: Final = [_split(_series(0, _angle(i), 2, True)) for i in range(LAST_ANGLE + 1)]
COS_HEAD: Final = _heads(_COS)
COS_REST: Final = _rests(_COS)
_ATAN: Final = [_split(_arc(i)) for i in range(STEPS + 1)]
ATAN_HEAD: Final = _heads(_ATAN)
ATAN_REST: Final = _rests(_ATAN)

FIRST_LOG: Final = 45
"""The arguments of the table are 45/64 to 91/64: what is left of a number without its power of two."""
_LOG: Final = [_split_on_grid(_log_of_ratio(i, STEPS)) for i in range(FIRST_LOG, 92)]
LOG_HEAD: Final = _heads(_LOG)
LOG_REST: Final = _rests(_LOG)

LN2: Final = _log_of_ratio(2, 1)
LN2_HEAD: Final = _split_on_grid(LN2)[0]
LN2_REST: Final = _split_on_grid(LN2)[1]
MOST_OCTAVES: Final = 1000
POWERS: Final = [ratio(1 << n, MOST_OCTAVES) for n in range(2 * MOST_OCTAVES + 1)]
"""2^-1000 to 2^1000."""
_EXP: Final = [_split(_series(0, LN2 * i // STEPS, 1, False)) for i in range(STEPS)]
EXP_HEAD: Final = _heads(_EXP)
EXP_REST: Final = _rests(_EXP)
