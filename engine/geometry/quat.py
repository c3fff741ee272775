"""Unit quaternions (w, x, y, z), the order of the data files (physics.md 1.2)."""

from __future__ import annotations

import math

from engine.geometry.constants import EPSILON
from engine.geometry.elementary import acos, cos, sin
from engine.geometry.vec import Vec3

Quat = tuple[float, float, float, float]

IDENTITY: Quat = (1.0, 0.0, 0.0, 0.0)  # not Final, see `vec`


def multiply(a: Quat, b: Quat) -> Quat:
    """a ⊗ b: the turn b followed by the turn a."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def conjugate(q: Quat) -> Quat:
    return (q[0], -q[1], -q[2], -q[3])


def quat_length(q: Quat) -> float:
    w, x, y, z = q
    return math.sqrt(w * w + x * x + y * y + z * z)


def normalize(q: Quat) -> Quat:
    """The unit quaternion; a quaternion without length turns nothing."""
    size = quat_length(q)
    if size == 0.0:
        return IDENTITY
    return (q[0] / size, q[1] / size, q[2] / size, q[3] / size)


def quat_is_valid(q: Quat) -> bool:
    """Unit length within 5·EPSILON; a not-a-number anywhere makes the comparison false."""
    return abs(quat_length(q) - 1.0) < 5.0 * EPSILON


def rotation_rows(q: Quat) -> tuple[Vec3, Vec3, Vec3]:
    """R(q) row by row."""
    w, x, y, z = q
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


def rotate(q: Quat, v: Vec3) -> Vec3:
    """R(q)·v"""
    r0, r1, r2 = rotation_rows(q)
    x, y, z = v
    return (
        r0[0] * x + r0[1] * y + r0[2] * z,
        r1[0] * x + r1[1] * y + r1[2] * z,
        r2[0] * x + r2[1] * y + r2[2] * z,
    )


def from_axis_angle(axis: Vec3, angle: float) -> Quat:
    """A turn of `angle` radians about the unit vector `axis`; an angle that is none gives no valid quaternion."""
    half = angle * 0.5
    if half - half != 0.0:
        return (half - half, half - half, half - half, half - half)
    s = sin(half)
    return (cos(half), axis[0] * s, axis[1] * s, axis[2] * s)


def from_rotation_vector(w: Vec3) -> Quat:
    """rot(w): axis times angle. No angle, no turn."""
    angle = math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    if angle == 0.0:
        return IDENTITY
    return from_axis_angle((w[0] / angle, w[1] / angle, w[2] / angle), angle)


def from_heading(degrees: float) -> Quat:
    """Facing a compass heading: a turn about +z by −degrees."""
    return from_axis_angle((0.0, 0.0, 1.0), -math.radians(degrees))


def slerp(a: Quat, b: Quat, t: float) -> Quat:
    """The spherical blend, the short way round (physics.md #26): equal parts of t are equal angles."""
    cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    sign = 1.0
    if cosine < 0.0:
        sign = -1.0
        cosine = -cosine
    u = 1.0 - t
    v = t
    if 1.0 - cosine > EPSILON:
        angle = acos(cosine)
        sine = sin(angle)
        u = sin((1.0 - t) * angle) / sine
        v = sin(t * angle) / sine
        if not (0.0 <= u <= 1.0 and 0.0 <= v <= 1.0):
            u = 1.0 - t
            v = t
    s = v * sign
    return normalize((u * a[0] + s * b[0], u * a[1] + s * b[1], u * a[2] + s * b[2], u * a[3] + s * b[3]))


def nlerp(a: Quat, b: Quat, t: float) -> Quat:
    """The normalised linear blend, the short way round (1.2, the `ace` form of `turn_blend`)."""
    sign = 1.0
    if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0.0:
        sign = -1.0
    u = 1.0 - t
    s = t * sign
    return normalize((u * a[0] + s * b[0], u * a[1] + s * b[1], u * a[2] + s * b[2], u * a[3] + s * b[3]))
