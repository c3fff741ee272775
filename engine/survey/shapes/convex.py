"""Convex spaces by their half-spaces and corners, and how deep two of them overlap.

A cell tree is a convex space, but often an open one: it has no plane where nothing borders the cell. So it is closed by
the box of the structure's own polygons, beyond which nothing of the cell is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.box import Box
from engine.geometry.cell_bsp import CellInner, CellNode
from engine.geometry.constants import EPSILON
from engine.geometry.elementary import plain_sum
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, cross, dot, length, scale, sub

Points = NDArray[np.float64]

SAME_WAY: Final = 1.0 - 1e-9
"""The cosine from which two directions count as one."""


@dataclass(slots=True)
class Convex:
    """A convex space: `normals` point inwards, a point p is inside where every normals·p + offsets >= 0. `edges` are
    the directions of its edges, each once."""

    normals: Points
    offsets: Points
    corners: Points
    edges: Points
    low: Vec3
    high: Vec3

    def placed(self, frame: Frame) -> Convex:
        """The same space in the parent space of a frame."""
        rows = np.array((frame.row_x, frame.row_y, frame.row_z))
        origin = np.array(frame.origin)
        normals = self.normals @ rows.T
        corners = self.corners @ rows.T + origin
        return Convex(
            normals, self.offsets - normals @ origin, corners, self.edges @ rows.T, _least(corners), _most(corners)
        )

    def distance(self, point: Vec3) -> float:
        """How far inside a point lies: to the nearest plane, negative outside."""
        return float((self.normals @ np.array(point) + self.offsets).min())

    def meets_box(self, other: Convex, slack: float) -> bool:
        """Whether the boxes around the two overlap by more than the slack."""
        a, b, c, d = self.low, self.high, other.low, other.high
        return all(a[i] + slack < d[i] and c[i] + slack < b[i] for i in range(3))


def half_spaces(tree: CellNode | None) -> list[Plane]:
    """The planes of a cell tree (dat-format.md 3.3.3): of its nodes the positive children alone are followed."""
    planes: list[Plane] = []
    node = tree
    while isinstance(node, CellInner):
        planes.append(node.plane)
        node = node.pos
    return planes


def convex_of(tree: CellNode | None, polygons: Iterable[Polygon]) -> Convex | None:
    """The space of a cell tree inside the box of the polygons; None where nothing is."""
    corners = [corner for polygon in polygons for corner in polygon.vertices]
    planes = half_spaces(tree)
    if not planes or not corners:
        return None
    box = Box.of_points(corners)
    if min(high - low for low, high in zip(box.minimum, box.maximum, strict=True)) <= EPSILON:
        return None
    faces = _box_faces(box)
    for plane in planes:
        faces = _cut(faces, plane)
    return _convex([*planes, *_box_planes(box)], faces)


def overlap(one: Convex, other: Convex, enough: float) -> float:
    """How deep two spaces overlap: the shortest way by which they part. The search ends when it is below `enough`."""
    depth = _depth_along(one, other, np.vstack((one.normals, other.normals)))
    if depth <= enough:
        return depth
    crossed = np.cross(one.edges[:, None, :], other.edges[None, :, :]).reshape(-1, 3)
    sizes = np.sqrt((crossed * crossed).sum(axis=1))
    axes = crossed[sizes > 1e-6] / sizes[sizes > 1e-6, None]
    return depth if not len(axes) else min(depth, _depth_along(one, other, axes))


def common_point(one: Convex, other: Convex) -> Vec3:
    """A point in the middle of what two overlapping spaces have in common."""
    faces = _box_faces(Box(_highest(one.low, other.low), _lowest(one.high, other.high)))
    for space in (one, other):
        for normal, offset in zip(space.normals.tolist(), space.offsets.tolist(), strict=True):
            faces = _cut(faces, Plane((normal[0], normal[1], normal[2]), offset)) or faces
    corners = [corner for face in faces for corner in face]
    return mean(corners)


def mean(points: Sequence[Vec3]) -> Vec3:
    count = len(points)
    return (
        plain_sum(p[0] for p in points) / count,
        plain_sum(p[1] for p in points) / count,
        plain_sum(p[2] for p in points) / count,
    )


def _depth_along(one: Convex, other: Convex, axes: Points) -> float:
    ours, theirs = one.corners @ axes.T, other.corners @ axes.T
    ahead = ours.max(axis=0) - theirs.min(axis=0)
    behind = theirs.max(axis=0) - ours.min(axis=0)
    return float(np.minimum(ahead, behind).min())


# --- corners by cutting a box


def _box_faces(box: Box) -> list[list[Vec3]]:
    c = box.corners()
    return [
        [c[i], c[j], c[k], c[m]]
        for i, j, k, m in ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    ]


def _box_planes(box: Box) -> list[Plane]:
    planes: list[Plane] = []
    for axis in range(3):
        normal = (float(axis == 0), float(axis == 1), float(axis == 2))
        planes += [Plane(normal, -box.minimum[axis]), Plane(scale(normal, -1.0), box.maximum[axis])]
    return planes


def _cut(faces: list[list[Vec3]], plane: Plane) -> list[list[Vec3]]:
    """The faces of the part of a convex body in front of a plane."""
    nx, ny, nz = plane.normal
    d = plane.d
    if all(nx * x + ny * y + nz * z + d >= -EPSILON for face in faces for x, y, z in face):
        return faces
    kept: list[list[Vec3]] = []
    rim: list[Vec3] = []
    for face in faces:
        sides = [nx * x + ny * y + nz * z + d for x, y, z in face]
        left: list[Vec3] = []
        for index, corner in enumerate(face):
            before, side = sides[index - 1], sides[index]
            if (before < 0.0) != (side < 0.0):
                crossing = _between(face[index - 1], corner, before / (before - side))
                left.append(crossing)
                rim.append(crossing)
            if side >= 0.0:
                left.append(corner)
                if side == 0.0:
                    rim.append(corner)
        if len(left) >= 3:
            kept.append(left)
    cap = _around(rim, plane.normal)
    return [*kept, cap] if len(cap) >= 3 and kept else kept


def _between(a: Vec3, b: Vec3, part: float) -> Vec3:
    return (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part)


def _around(points: list[Vec3], normal: Vec3) -> list[Vec3]:
    """The points in order around their middle, each once."""
    if len(points) < 3:
        return []
    middle = mean(points)
    first = max((sub(point, middle) for point in points), key=length)
    second = cross(normal, first)
    once: dict[tuple[int, int, int], Vec3] = {}
    for point in points:
        once.setdefault((round(point[0] / EPSILON), round(point[1] / EPSILON), round(point[2] / EPSILON)), point)
    found = list(once.values())
    angles = [np.arctan2(dot(sub(point, middle), second), dot(sub(point, middle), first)) for point in found]
    return [found[index] for index in np.argsort(angles, kind="stable")]


def _convex(planes: Sequence[Plane], faces: list[list[Vec3]]) -> Convex | None:
    corners: dict[tuple[float, float, float], Vec3] = {}
    ways: list[Vec3] = []
    for face in faces:
        for index, corner in enumerate(face):
            corners.setdefault((round(corner[0], 5), round(corner[1], 5), round(corner[2], 5)), corner)
            edge = sub(corner, face[index - 1])
            size = length(edge)
            if size > EPSILON:
                way = scale(edge, 1.0 / size)
                if not any(abs(dot(way, other)) > SAME_WAY for other in ways):
                    ways.append(way)
    if len(corners) < 4:
        return None
    points = np.array(list(corners.values()))
    normals = np.array([plane.normal for plane in planes])
    offsets = np.array([plane.d for plane in planes])
    return Convex(normals, offsets, points, np.array(ways), _least(points), _most(points))


def _least(points: Points) -> Vec3:
    x, y, z = points.min(axis=0).tolist()
    return (x, y, z)


def _most(points: Points) -> Vec3:
    x, y, z = points.max(axis=0).tolist()
    return (x, y, z)


def _highest(a: Vec3, b: Vec3) -> Vec3:
    return (max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2]))


def _lowest(a: Vec3, b: Vec3) -> Vec3:
    return (min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2]))
