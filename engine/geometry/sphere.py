"""Spheres and upright cylinders (physics.md 3.1, 3.9, 4.4)."""

from __future__ import annotations

from mypy_extensions import mypyc_attr

from engine.geometry.constants import EPSILON
from engine.geometry.vec import Vec3


@mypyc_attr(free_list_len=1)
class Sphere:
    """A ball. The routines that adjust it move it in place."""

    center: Vec3
    radius: float

    def __init__(self, center: Vec3, radius: float) -> None:
        self.center = center
        self.radius = radius

    def __repr__(self) -> str:
        return f"Sphere({self.center!r}, {self.radius!r})"

    def copy(self) -> Sphere:
        return Sphere(self.center, self.radius)

    def intersects(self, other: Sphere) -> bool:
        """The two overlap; touching is not enough."""
        ax, ay, az = self.center
        bx, by, bz = other.center
        dx = ax - bx
        dy = ay - by
        dz = az - bz
        reach = self.radius + other.radius
        return dx * dx + dy * dy + dz * dz < reach * reach

    def in_reach_of(self, other: Sphere) -> bool:
        """The gate before a part's tree (3.9): the overlap test with EPSILON of slack between the squares."""
        ax, ay, az = self.center
        bx, by, bz = other.center
        dx = ax - bx
        dy = ay - by
        dz = az - bz
        reach = self.radius + other.radius
        return dx * dx + dy * dy + dz * dz - reach * reach < EPSILON


class CylSphere:
    """An upright cylinder standing on `low_point`."""

    low_point: Vec3
    radius: float
    height: float

    def __init__(self, low_point: Vec3, radius: float, height: float) -> None:
        self.low_point = low_point
        self.radius = radius
        self.height = height

    def __repr__(self) -> str:
        return f"CylSphere({self.low_point!r}, {self.radius!r}, {self.height!r})"
