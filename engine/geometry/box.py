"""Axis-aligned boxes (physics.md 1.6)."""

from __future__ import annotations

from engine.geometry.errors import GeometryError
from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3


class Box:
    """All points between `minimum` and `maximum`, both included."""

    minimum: Vec3
    maximum: Vec3

    def __init__(self, minimum: Vec3, maximum: Vec3) -> None:
        self.minimum = minimum
        self.maximum = maximum

    def __repr__(self) -> str:
        return f"Box({self.minimum!r}, {self.maximum!r})"

    @staticmethod
    def of_points(points: list[Vec3]) -> Box:
        """The smallest box around the points."""
        if not points:
            raise GeometryError("a box needs at least one point")
        lx, ly, lz = points[0]
        hx, hy, hz = points[0]
        for x, y, z in points:
            lx = min(x, lx)
            ly = min(y, ly)
            lz = min(z, lz)
            hx = max(x, hx)
            hy = max(y, hy)
            hz = max(z, hz)
        return Box((lx, ly, lz), (hx, hy, hz))

    def corners(self) -> list[Vec3]:
        lx, ly, lz = self.minimum
        hx, hy, hz = self.maximum
        return [
            (lx, ly, lz),
            (hx, ly, lz),
            (lx, hy, lz),
            (hx, hy, lz),
            (lx, ly, hz),
            (hx, ly, hz),
            (lx, hy, hz),
            (hx, hy, hz),
        ]

    def center(self) -> Vec3:
        lx, ly, lz = self.minimum
        hx, hy, hz = self.maximum
        return ((lx + hx) * 0.5, (ly + hy) * 0.5, (lz + hz) * 0.5)

    def contains(self, p: Vec3) -> bool:
        lx, ly, lz = self.minimum
        hx, hy, hz = self.maximum
        x, y, z = p
        return lx <= x <= hx and ly <= y <= hy and lz <= z <= hz

    def overlaps(self, other: Box) -> bool:
        """The two have at least one point in common."""
        alx, aly, alz = self.minimum
        ahx, ahy, ahz = self.maximum
        blx, bly, blz = other.minimum
        bhx, bhy, bhz = other.maximum
        return alx <= bhx and blx <= ahx and aly <= bhy and bly <= ahy and alz <= bhz and blz <= ahz

    def united(self, other: Box) -> Box:
        return Box.of_points([self.minimum, self.maximum, other.minimum, other.maximum])

    def to_global(self, frame: Frame) -> Box:
        """The box around this one's eight corners in the parent space of `frame`."""
        return Box.of_points([frame.local_to_global(c) for c in self.corners()])

    def to_local(self, frame: Frame) -> Box:
        """The box around this one's eight corners in the local space of `frame`."""
        return Box.of_points([frame.global_to_local(c) for c in self.corners()])
