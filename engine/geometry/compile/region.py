"""The convex piece of space that a node of a tree stands for, as the compilers cut it plane by plane."""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.box import Box
from engine.geometry.compile.fragment import EXACT, center_of, extent, split_points
from engine.geometry.elementary import atan2
from engine.geometry.vec import Vec3

# Free space round everything, in metres and in sizes of the whole: what reaches the border of that is open to infinity.
# It is much, because the corners of a cell may lie far outside the box round its polygons.
_MARGIN: Final = 1.0
_MARGIN_SIZES: Final = 8.0

# A plane that shaves less than this off a region does not cut it: the sliver would be made of rounding errors.
_THIN: Final = 1e-7


class Region:
    """A convex solid given by its faces; the order of a face's corners does not matter to anybody."""

    faces: list[list[Vec3]]

    def __init__(self, faces: list[list[Vec3]]) -> None:
        self.faces = faces

    def corners(self) -> list[Vec3]:
        """The corners of all faces, so each several times."""
        return [corner for face in self.faces for corner in face]

    def extent(self, normal: Vec3, d: float) -> tuple[float, float]:
        low = math.inf
        high = -math.inf
        for face in self.faces:
            least, most = extent(face, normal, d)
            low = min(low, least)
            high = max(high, most)
        return (low, high)

    def cut(self, normal: Vec3, d: float) -> Cut:
        """The two halves and the outline they share; one half is None when the plane misses the region."""
        low, high = self.extent(normal, d)
        if low >= -_THIN:
            return Cut(self, None, [])
        if high <= _THIN:
            return Cut(None, self, [])
        front: list[list[Vec3]] = []
        back: list[list[Vec3]] = []
        border: list[Vec3] = []
        for face in self.faces:
            ahead, behind = split_points(face, normal, d)
            if len(ahead) >= 3:
                front.append(ahead)
            if len(behind) >= 3:
                back.append(behind)
            nx, ny, nz = normal
            for x, y, z in ahead:
                if abs(nx * x + ny * y + nz * z + d) <= EXACT:
                    border.append((x, y, z))
        cap = outline(border, normal)
        if len(cap) >= 3:
            front.append(cap)
            back.append(cap)
        return Cut(Region(front), Region(back), cap)


class Cut:
    """The parts of a region on both sides of a plane."""

    front: Region | None
    back: Region | None
    cap: list[Vec3]

    def __init__(self, front: Region | None, back: Region | None, cap: list[Vec3]) -> None:
        self.front = front
        self.back = back
        self.cap = cap


def with_margin(box: Box) -> Box:
    """The box and the space round it that counts."""
    lx, ly, lz = box.minimum
    hx, hy, hz = box.maximum
    margin = _MARGIN + _MARGIN_SIZES * max(hx - lx, hy - ly, hz - lz)
    return Box((lx - margin, ly - margin, lz - margin), (hx + margin, hy + margin, hz + margin))


def box_region(box: Box) -> Region:
    lx, ly, lz = box.minimum
    hx, hy, hz = box.maximum
    return Region(
        [
            [(lx, ly, lz), (lx, hy, lz), (lx, hy, hz), (lx, ly, hz)],
            [(hx, ly, lz), (hx, hy, lz), (hx, hy, hz), (hx, ly, hz)],
            [(lx, ly, lz), (hx, ly, lz), (hx, ly, hz), (lx, ly, hz)],
            [(lx, hy, lz), (hx, hy, lz), (hx, hy, hz), (lx, hy, hz)],
            [(lx, ly, lz), (hx, ly, lz), (hx, hy, lz), (lx, hy, lz)],
            [(lx, ly, hz), (hx, ly, hz), (hx, hy, hz), (lx, hy, hz)],
        ]
    )


class _Bearing:
    """A corner of an outline and the direction it is seen in from the middle."""

    point: Vec3
    angle: float

    def __init__(self, point: Vec3, angle: float) -> None:
        self.point = point
        self.angle = angle


def _angle(bearing: _Bearing) -> float:
    return bearing.angle


def outline(points: list[Vec3], normal: Vec3) -> list[Vec3]:
    """The corners of a convex outline put in order, counter-clockwise seen against the normal, each once."""
    cx, cy, cz = center_of(points)
    ux, uy, uz = _across(normal)
    nx, ny, nz = normal
    vx = ny * uz - nz * uy
    vy = nz * ux - nx * uz
    vz = nx * uy - ny * ux
    bearings: list[_Bearing] = []
    for x, y, z in points:
        x -= cx
        y -= cy
        z -= cz
        angle = atan2(x * vx + y * vy + z * vz, x * ux + y * uy + z * uz)
        bearings.append(_Bearing((x + cx, y + cy, z + cz), angle))
    bearings.sort(key=_angle)
    ordered: list[Vec3] = []
    for bearing in bearings:
        if not ordered or not _same(bearing.point, ordered[-1]):
            ordered.append(bearing.point)
    while len(ordered) > 1 and _same(ordered[0], ordered[-1]):
        ordered.pop()
    return ordered


def _same(a: Vec3, b: Vec3) -> bool:
    return abs(a[0] - b[0]) <= _THIN and abs(a[1] - b[1]) <= _THIN and abs(a[2] - b[2]) <= _THIN


def _across(normal: Vec3) -> Vec3:
    """Some unit vector at right angles to the normal."""
    x, y, z = normal
    if abs(x) <= abs(y) and abs(x) <= abs(z):
        size = math.sqrt(y * y + z * z)
        return (0.0, z / size, -y / size)
    if abs(y) <= abs(z):
        size = math.sqrt(x * x + z * z)
        return (-z / size, 0.0, x / size)
    size = math.sqrt(x * x + y * y)
    return (y / size, -x / size, 0.0)
