"""Vectors as plain tuples, the client's normalisation, and its single-precision roundings (physics.md 0.2, 13.12).

The hot routines of the package unpack vectors into locals instead of calling these: a call costs more than the sum.

`ZERO` and `UP` are not `Final`: mypyc 2.4.1 compiles each use of a final tuple of floats into a NameError. They are
looked up like any global, so hot code writes the numbers.
"""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.constants import EPSILON

Vec3 = tuple[float, float, float]

ZERO: Vec3 = (0.0, 0.0, 0.0)
UP: Vec3 = (0.0, 0.0, 1.0)

_SPLIT: Final = 536870913.0  # 2**29 + 1 leaves 24 of 53 bits (13.12)


def add(a: Vec3, b: Vec3) -> Vec3:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a: Vec3, b: Vec3) -> Vec3:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def neg(v: Vec3) -> Vec3:
    return (-v[0], -v[1], -v[2])


def scale(v: Vec3, s: float) -> Vec3:
    return (v[0] * s, v[1] * s, v[2] * s)


def dot(a: Vec3, b: Vec3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec3, b: Vec3) -> Vec3:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def length2(v: Vec3) -> float:
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]


def length(v: Vec3) -> float:
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


def distance(a: Vec3, b: Vec3) -> float:
    dx = a[0] - b[0]
    dy = a[1] - b[1]
    dz = a[2] - b[2]
    return math.sqrt(dx * dx + dy * dy + dz * dz)


def lerp(a: Vec3, b: Vec3, t: float) -> Vec3:
    return (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t)


def normalize_check_small(v: Vec3) -> tuple[bool, Vec3]:
    """The `nz` of the specification: (True, v) for a vector shorter than EPSILON, else (False, unit vector)."""
    size = length(v)
    if size < EPSILON:
        return (True, v)
    return (False, (v[0] / size, v[1] / size, v[2] / size))


def normalized(v: Vec3) -> Vec3:
    """The unit vector, or the zero vector where the client would divide by zero."""
    size = length(v)
    if size == 0.0:
        return (0.0, 0.0, 0.0)
    return (v[0] / size, v[1] / size, v[2] / size)


def is_finite(v: Vec3) -> bool:
    """No infinity and not-a-number: those minus themselves are not zero."""
    x, y, z = v
    return x - x == 0.0 and y - y == 0.0 and z - z == 0.0


def r24(x: float) -> float:
    """The nearest single-precision value, in doubles (13.12); infinities and not-a-numbers stay what they are."""
    c = x * _SPLIT
    if c - c != 0.0:
        return x
    return c - (c - x)


def r24v(v: Vec3) -> Vec3:
    return (r24(v[0]), r24(v[1]), r24(v[2]))
