"""The bodies of cells: the half-spaces of a cell tree as the faces they bound (physics.md 3.8)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.box import Box
from engine.geometry.cell_bsp import CellInner, CellNode
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.vec import Vec3, add, cross, dot, length, normalized, scale, sub
from engine.render.overlays.sketch import across
from engine.world.cells.cell import CellStruct, EnvCell

ON: Final = 1e-6
"""Metres within which a corner counts as lying on a plane."""

ROOM: Final = 0.5
"""Metres around a cell's polygons in which its planes are shown."""


def half_spaces(tree: CellNode | None) -> list[Plane]:
    """The planes of a cell tree; the cell lies in front of all of them."""
    found: list[Plane] = []
    node = tree
    while isinstance(node, CellInner):
        found.append(node.plane)
        node = node.pos
    return found


def box_of_struct(struct: CellStruct, room: float = 0.0) -> Box | None:
    """Around the drawn polygons, `room` metres larger each way; None when there are none."""
    corners = [corner for polygon in struct.polygons.values() for corner in polygon.vertices]
    if not corners:
        return None
    box = Box.of_points(corners)
    grow = (room, room, room)
    return Box(sub(box.minimum, grow), add(box.maximum, grow))


def plane_in_box(plane: Plane, box: Box) -> list[Vec3]:
    """The piece of a plane that lies in a box, counter-clockwise seen from its front; empty when there is none."""
    reach = length(sub(box.maximum, box.minimum)) + 1.0
    center = box.center()
    foot = sub(center, scale(plane.normal, dot(plane.normal, center) + plane.d))
    a = scale(across(plane.normal), reach)
    b = scale(normalized(cross(plane.normal, a)), reach)
    corners = [sub(sub(foot, a), b), sub(add(foot, a), b), add(add(foot, a), b), add(sub(foot, a), b)]
    for side in box_planes(box):
        corners = clip(corners, side)
    return corners


def box_planes(box: Box) -> list[Plane]:
    """The six half-spaces whose meeting is the box."""
    low, high = box.minimum, box.maximum
    return [
        Plane((1.0, 0.0, 0.0), -low[0]),
        Plane((-1.0, 0.0, 0.0), high[0]),
        Plane((0.0, 1.0, 0.0), -low[1]),
        Plane((0.0, -1.0, 0.0), high[1]),
        Plane((0.0, 0.0, 1.0), -low[2]),
        Plane((0.0, 0.0, -1.0), high[2]),
    ]


def clip(corners: list[Vec3], plane: Plane) -> list[Vec3]:
    """The part of a convex polygon in front of a plane, or in it."""
    kept: list[Vec3] = []
    for i, p in enumerate(corners):
        q = corners[(i + 1) % len(corners)]
        at_p, at_q = plane.dist(p), plane.dist(q)
        if at_p >= -ON:
            kept.append(p)
        if (at_p > ON and at_q < -ON) or (at_p < -ON and at_q > ON):
            kept.append(add(p, scale(sub(q, p), at_p / (at_p - at_q))))
    return kept if len(kept) > 2 else []


def faces(planes: list[Plane], box: Box) -> list[list[Vec3]]:
    """The faces of the body in front of all the planes, as far as the box reaches."""
    found = []
    for plane in planes:
        corners = plane_in_box(plane, box)
        for other in planes:
            if other is not plane and corners:
                corners = clip(corners, other)
        if corners:
            found.append(corners)
    return found


@lru_cache(maxsize=1024)
def struct_faces(struct: CellStruct) -> list[list[Vec3]]:
    """The faces that bound a cell of this shape: those of its tree, or its polygons when it has none. Shapes never
    change, so they are computed once."""
    box = box_of_struct(struct, ROOM)
    planes = half_spaces(struct.cell_tree)
    found = faces(planes, box) if planes and box is not None else []
    return found or [polygon.vertices for polygon in struct.polygons.values()]


def cell_faces(cell: EnvCell) -> list[list[Vec3]]:
    """The faces that bound a cell, in its landblock."""
    to_block = cell.frame.local_to_global
    return [[to_block(corner) for corner in corners] for corners in struct_faces(cell.structure)]


@lru_cache(maxsize=1024)
def struct_edges(struct: CellStruct) -> NDArray[np.float64]:
    """The edges of those faces, each once, in the shape's own space: (n, 2, 3)."""
    seen: dict[tuple[Vec3, Vec3], tuple[Vec3, Vec3]] = {}
    for corners in struct_faces(struct):
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
            start, end = _rounded(a), _rounded(b)
            seen.setdefault((start, end) if start < end else (end, start), (a, b))
    return np.array(list(seen.values()), np.float64).reshape(-1, 2, 3)


@lru_cache(maxsize=1024)
def struct_triangles(struct: CellStruct) -> NDArray[np.float64]:
    """The faces as triangles, in the shape's own space: (n, 3, 3)."""
    fans = [
        (corners[0], corners[i], corners[i + 1]) for corners in struct_faces(struct) for i in range(1, len(corners) - 1)
    ]
    return np.array(fans, np.float64).reshape(-1, 3, 3)


def in_block(frame: Frame, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points of a frame's own space, whatever the shape of their array, in the landblock."""
    rotation = np.array([frame.row_x, frame.row_y, frame.row_z])
    moved: NDArray[np.float64] = points @ rotation.T + np.array(frame.origin)
    return moved


def _rounded(p: Vec3) -> Vec3:
    return (round(p[0], 3), round(p[1], 3), round(p[2], 3))


def cell_center(cell: EnvCell) -> Vec3:
    """The middle of the box around a cell's polygons, in its landblock."""
    center = struct_center(cell.structure)
    return cell.frame.origin if center is None else cell.frame.local_to_global(center)


@lru_cache(maxsize=1024)
def struct_center(struct: CellStruct) -> Vec3 | None:
    """The middle of the box around the polygons of a shape; None when there are none."""
    box = box_of_struct(struct)
    return None if box is None else box.center()
