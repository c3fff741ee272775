"""Convex outlines in space: how far two of them part."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.geometry.elementary import plain_sum
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, cross, dot, length, sub


class Parting(NamedTuple):
    """How far one outline parts from another, in metres, and the corner that does."""

    off_plane: float
    beyond: float
    corner: Vec3

    @property
    def apart(self) -> float:
        return max(self.off_plane, self.beyond)


def placed(polygon: Polygon, frame: Frame) -> list[Vec3]:
    """The corners of a polygon in the parent space of a frame."""
    return [frame.local_to_global(corner) for corner in polygon.vertices]


def parting(corners: Iterable[Vec3], outline: Sequence[Vec3], normal: Vec3) -> Parting:
    """How far corners lie off the plane of an outline, and beyond its edges in that plane. `normal` is the outline's,
    counter-clockwise around it; the farthest corner counts."""
    base = outline[0]
    inward = _inward_normals(outline, normal)
    worst = Parting(0.0, 0.0, base)
    for corner in corners:
        off = abs(dot(sub(corner, base), normal))
        beyond = max((-dot(sub(corner, start), way) for start, way in inward), default=0.0)
        if max(off, beyond) > worst.apart:
            worst = Parting(off, max(beyond, 0.0), corner)
    return worst


def _inward_normals(outline: Sequence[Vec3], normal: Vec3) -> list[tuple[Vec3, Vec3]]:
    found: list[tuple[Vec3, Vec3]] = []
    for index, corner in enumerate(outline):
        start = outline[index - 1]
        way = cross(normal, sub(corner, start))
        size = length(way)
        if size > 0.0 and math.isfinite(size):
            found.append((start, (way[0] / size, way[1] / size, way[2] / size)))
    return found


def overlaps(one: Sequence[Vec3], other: Sequence[Vec3], normal: Vec3, slack: float) -> bool:
    """Whether two outlines of one plane have an area in common: no edge of one has all of the other beyond it."""
    for mine, theirs in ((one, other), (other, one)):
        inward = _inward_normals(mine, normal)
        if plain_sum(dot(sub(corner, start), inside) for start, inside in inward for corner in mine) < 0.0:
            inward = _inward_normals(mine, (-normal[0], -normal[1], -normal[2]))
        if any(all(dot(sub(corner, start), inside) <= slack for corner in theirs) for start, inside in inward):
            return False
    return True


def inner_points(corners: Sequence[Vec3], pull: float) -> list[Vec3]:
    """The middle of an outline, and its corners pulled towards it by this part of the way."""
    count = len(corners)
    mx, my, mz = (plain_sum(corner[axis] for corner in corners) / count for axis in range(3))
    return [
        (mx, my, mz),
        *((x + (mx - x) * pull, y + (my - y) * pull, z + (mz - z) * pull) for x, y, z in corners),
    ]
