"""Rays against many triangles at once (rendering.md 16.5, 22.2): Möller and Trumbore's test over arrays.

A triangle is seen, and hit, from its front alone, the side from which its corners run counter-clockwise.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.vec import Vec3

Floats = NDArray[np.float64]

BORDER: Final = 1e-7
"""The distance beyond its border, relative to its size, at which a triangle is still hit: no ray may slip between
two."""


class RayTriangles:
    """Triangles made ready for rays, in a space of their own."""

    def __init__(self, corners: Floats) -> None:
        """`corners` is (n, 3, 3): triangle, corner, coordinate."""
        self.corner = np.ascontiguousarray(corners[:, 0], np.float64)
        self.edge1 = corners[:, 1] - self.corner
        self.edge2 = corners[:, 2] - self.corner
        self.normals = np.cross(self.edge1, self.edge2)

    def __len__(self) -> int:
        return len(self.corner)

    def distances(self, origin: Vec3, direction: Vec3, both_sides: bool = False) -> Floats:
        """The distance of each triangle's hit in multiples of `direction`; NaN where it is missed or, unless
        `both_sides` count, seen from behind."""
        d = np.array(direction, np.float64)
        facing = -(self.normals @ d)
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = 1.0 / facing
            reach = np.array(origin, np.float64) - self.corner
            turned = np.cross(reach, d)
            u = np.einsum("ij,ij->i", self.edge2, turned) * inverse
            v = -np.einsum("ij,ij->i", self.edge1, turned) * inverse
            t = np.einsum("ij,ij->i", reach, self.normals) * inverse
            faced = facing != 0.0 if both_sides else facing > 0.0
            hit = faced & (u >= -BORDER) & (v >= -BORDER) & (u + v <= 1.0 + BORDER)
        return np.where(hit, t, np.nan)

    def nearest(self, origin: Vec3, direction: Vec3, after: float = 0.0) -> tuple[int, float] | None:
        """The first triangle that is hit further away than `after`: its number and how many `direction`s away."""
        if not len(self.corner):
            return None
        t = self.distances(origin, direction)
        t[~(t > after)] = np.inf
        first = int(np.argmin(t))
        return None if t[first] == np.inf else (first, float(t[first]))

    def all_hits(
        self, origin: Vec3, direction: Vec3, after: float = 0.0, both_sides: bool = False
    ) -> list[tuple[int, float]]:
        """Every triangle that is hit further away than `after`, near ones first."""
        if not len(self.corner):
            return []
        t = self.distances(origin, direction, both_sides)
        numbers = np.nonzero(t > after)[0]
        order = numbers[np.argsort(t[numbers], kind="stable")]
        return [(int(number), float(t[number])) for number in order]


def sphere_is_met(center: Vec3, radius: float, origin: Vec3, direction: Vec3) -> bool:
    """Whether a ray, whose direction has unit length, comes within `radius` of a point at or ahead of its origin."""
    dx = center[0] - origin[0]
    dy = center[1] - origin[1]
    dz = center[2] - origin[2]
    ahead = dx * direction[0] + dy * direction[1] + dz * direction[2]
    if ahead < -radius:
        return False
    return dx * dx + dy * dy + dz * dz - ahead * ahead <= radius * radius
