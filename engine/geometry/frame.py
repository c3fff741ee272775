"""Frames: an origin and a unit quaternion (physics.md 1.2). A frame never changes; a turned one is a new one."""

from __future__ import annotations

import math

from engine.geometry.constants import EPSILON
from engine.geometry.elementary import asin, atan2
from engine.geometry.quat import (
    IDENTITY,
    Quat,
    from_axis_angle,
    from_heading,
    from_rotation_vector,
    multiply,
    normalize,
    quat_is_valid,
    rotation_rows,
)
from engine.geometry.vec import ZERO, Vec3, is_finite, normalize_check_small


class Frame:
    """A position and an orientation in the space of the parent."""

    origin: Vec3
    rotation: Quat
    row_x: Vec3
    row_y: Vec3
    row_z: Vec3

    def __init__(self, origin: Vec3 = ZERO, rotation: Quat = IDENTITY) -> None:
        self.origin = origin
        self.rotation = rotation
        rows = rotation_rows(rotation)
        self.row_x = rows[0]
        self.row_y = rows[1]
        self.row_z = rows[2]

    def __repr__(self) -> str:
        return f"Frame({self.origin!r}, {self.rotation!r})"

    def local_to_global(self, p: Vec3) -> Vec3:
        """O + R·p"""
        ox, oy, oz = self.origin
        ax, ay, az = self.row_x
        bx, by, bz = self.row_y
        cx, cy, cz = self.row_z
        x, y, z = p
        return (
            ox + (ax * x + ay * y + az * z),
            oy + (bx * x + by * y + bz * z),
            oz + (cx * x + cy * y + cz * z),
        )

    def local_to_global_vec(self, v: Vec3) -> Vec3:
        """R·v"""
        ax, ay, az = self.row_x
        bx, by, bz = self.row_y
        cx, cy, cz = self.row_z
        x, y, z = v
        return (ax * x + ay * y + az * z, bx * x + by * y + bz * z, cx * x + cy * y + cz * z)

    def global_to_local(self, p: Vec3) -> Vec3:
        """Rᵀ·(p − O)"""
        ox, oy, oz = self.origin
        ax, ay, az = self.row_x
        bx, by, bz = self.row_y
        cx, cy, cz = self.row_z
        x = p[0] - ox
        y = p[1] - oy
        z = p[2] - oz
        return (ax * x + bx * y + cx * z, ay * x + by * y + cy * z, az * x + bz * y + cz * z)

    def global_to_local_vec(self, v: Vec3) -> Vec3:
        """Rᵀ·v"""
        ax, ay, az = self.row_x
        bx, by, bz = self.row_y
        cx, cy, cz = self.row_z
        x, y, z = v
        return (ax * x + bx * y + cx * z, ay * x + by * y + cy * z, az * x + bz * y + cz * z)

    def is_valid(self) -> bool:
        """Every number is one, and the quaternion has unit length within 5·EPSILON. Infinity counts as no number: a
        position there has no cell."""
        return is_finite(self.origin) and quat_is_valid(self.rotation)

    def equals_origin(self, other: Frame) -> bool:
        """Equality as the `ace` form of `frame_equality` sees it: the origin alone."""
        ax, ay, az = self.origin
        bx, by, bz = other.origin
        return abs(ax - bx) <= EPSILON and abs(ay - by) <= EPSILON and abs(az - bz) <= EPSILON

    def equals(self, other: Frame) -> bool:
        """The origins differ by at most EPSILON on every axis, the quaternions by less (physics.md #41)."""
        if not self.equals_origin(other):
            return False
        aw, ax, ay, az = self.rotation
        bw, bx, by, bz = other.rotation
        return abs(aw - bw) < EPSILON and abs(ax - bx) < EPSILON and abs(ay - by) < EPSILON and abs(az - bz) < EPSILON

    def set_frame(self, new: Frame) -> Frame:
        """The frame of a body that is moved to `new`: a bad quaternion keeps its orientation, a bad origin keeps
        everything."""
        if new.is_valid():
            return new
        if is_finite(new.origin):
            return Frame(new.origin, self.rotation)
        return self

    def with_origin(self, origin: Vec3) -> Frame:
        return Frame(origin, self.rotation)

    def with_rotation(self, rotation: Quat) -> Frame:
        return Frame(self.origin, rotation)

    def with_heading(self, degrees: float) -> Frame:
        """`set_heading`: upright and facing the compass heading."""
        return Frame(self.origin, from_heading(degrees))

    def heading(self) -> float:
        """Compass degrees of the local +y axis: 0 = north (+y), 90 = east (+x)."""
        return heading_of((self.row_x[1], self.row_y[1], self.row_z[1]))

    def grotate(self, w: Vec3) -> Frame:
        """Turned by the axis·angle `w`, given in parent space."""
        return Frame(self.origin, normalize(multiply(from_rotation_vector(w), self.rotation)))

    def rotate(self, w: Vec3) -> Frame:
        """Turned by the axis·angle `w`, given in local space."""
        return self.grotate(self.local_to_global_vec(w))

    def set_vector_heading(self, v: Vec3) -> Frame:
        """Facing along `v`, pitched but not rolled; too short a vector changes nothing."""
        small, n = normalize_check_small(v)
        if small:
            return self
        rise = n[2]
        if rise > 1.0:
            rise = 1.0
        elif rise < -1.0:
            rise = -1.0
        yaw = from_heading(heading_of(n))
        pitch = from_axis_angle((1.0, 0.0, 0.0), asin(rise))
        return Frame(self.origin, multiply(yaw, pitch))


def heading_of(v: Vec3) -> float:
    """The compass heading in degrees of a direction; its height does not matter."""
    return (450.0 - math.degrees(atan2(v[1], v[0]))) % 360.0


def combine(a: Frame, b: Frame, scale: float = 1.0) -> Frame:
    """`b`, given in the space of `a`, in the space that `a` is given in; `scale` stretches b's origin."""
    x, y, z = b.origin
    return Frame(a.local_to_global((x * scale, y * scale, z * scale)), multiply(a.rotation, b.rotation))
