"""The drawn walls of rooms as triangles, and lines of sight that meet none of them.

A shape is looked at once for all rooms that have it and the same portals, in its own space; numpy casts all lines of an
eye together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3
from engine.render.mesh import Mesh
from engine.visibility.openings import FARTHEST

Triangles = NDArray[np.float64]
"""(t, 3, 3); a triangle is seen from where its corners are counter-clockwise."""
Lines = NDArray[np.float64]
"""(n, 3): directions from one eye."""

DIRECTIONS: Final = 128
"""Lines from each eye in all directions, about 18 degrees apart."""
SLACK: Final = 2e-3
"""Of a triangle's edges, by which it counts as larger: no line slips through where two meet."""
BESIDE: Final = 0.03
"""Metres beside an edge that no other polygon continues at which a line is aimed."""
SAME: Final = 1e-3
"""Metres: corners this near are one."""
NO_AREA: Final = 1e-12


@dataclass(frozen=True)
class Walls:
    """The triangles of a room's shape in its own space, and its openings."""

    drawn: Triangles
    openings: Triangles
    edges: NDArray[np.float64]
    """(n, 3): points just beside edges where the drawn skin ends, as far as it should not."""


def drawn_of(mesh: Mesh) -> Triangles:
    """The triangles of a mesh; those of damaged shapes that are nowhere have no area."""
    return _somewhere(np.array(mesh.triangles(), np.float64))


def _somewhere(triangles: Triangles) -> Triangles:
    triangles[~(np.abs(triangles) < FARTHEST).all(axis=(1, 2))] = 0.0
    return triangles


def walls_of(mesh: Mesh, openings: Sequence[Polygon]) -> Walls:
    drawn = drawn_of(mesh)
    fans = [
        (polygon.vertices[0], polygon.vertices[i], polygon.vertices[i + 1])
        for polygon in openings
        for i in range(1, len(polygon.vertices) - 1)
    ]
    open_ = _somewhere(np.array(fans, np.float64).reshape(-1, 3, 3))
    return Walls(drawn, open_, _beside_loose_edges(drawn, open_))


def spread(count: int) -> Lines:
    """Directions spread evenly over the sphere."""
    number = np.arange(count) + 0.5
    up = 1.0 - 2.0 * number / count
    around = number * math.pi * (1.0 + math.sqrt(5.0))
    flat = np.sqrt(1.0 - up * up)
    return np.stack([flat * np.cos(around), flat * np.sin(around), up], axis=1)


EVERYWHERE: Final = spread(DIRECTIONS)


def escaping(walls: Walls, eye: Vec3) -> Lines:
    """The directions, of those that are tried, in which an eye meets neither a drawn side nor an opening."""
    lines = EVERYWHERE
    if len(walls.edges):
        aimed = walls.edges - np.asarray(eye)
        far = np.linalg.norm(aimed, axis=1, keepdims=True)
        lines = np.concatenate([lines, aimed[far[:, 0] > SAME] / far[far[:, 0] > SAME]])
    free = ~meets(walls.openings, eye, lines, both=True)
    lines = lines[free]
    return lines[~meets(walls.drawn, eye, lines, both=False)]


def meets(triangles: Triangles, eye: Vec3, lines: Lines, *, both: bool) -> NDArray[np.bool_]:
    """Which lines from the eye meet a triangle's seen side, or either side of one."""
    found = np.isfinite(distances(triangles, eye, lines, both=both))
    return np.asarray(found.any(axis=1), np.bool_)


def distances(triangles: Triangles, eye: Vec3, lines: Lines, *, both: bool) -> NDArray[np.float64]:
    """(lines, triangles): how far off each line meets each triangle; infinite where it does not."""
    a = triangles[:, 0]
    ab, ac = triangles[:, 1] - a, triangles[:, 2] - a
    normal = np.cross(ab, ac)
    offset = np.asarray(eye) - a
    turned = np.cross(offset, lines[:, None, :])
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        along = -lines @ normal.T
        u = np.einsum("tk,ltk->lt", ac, turned) / along
        v = -np.einsum("tk,ltk->lt", ab, turned) / along
        t = np.einsum("tk,tk->t", offset, normal)[None, :] / along
        hit: NDArray[np.bool_] = (u >= -SLACK) & (v >= -SLACK) & (u + v <= 1.0 + SLACK) & (t > 0.0)
        ahead: NDArray[np.float64] = np.abs(along) if both else along
        hit &= ahead > NO_AREA
    result: NDArray[np.float64] = np.where(hit, t, np.inf)
    return result


def placed(triangles: Triangles, frame: Frame) -> Triangles:
    """In the coordinates of the frame's landblock."""
    axes = np.array([frame.local_to_global_vec(axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))])
    moved: Triangles = triangles @ axes + np.asarray(frame.origin)
    return moved


def _beside_loose_edges(drawn: Triangles, openings: Triangles) -> NDArray[np.float64]:
    """Points a little outside of a triangle's edge, in its plane, where no other triangle has the same edge."""
    triangles = np.concatenate([drawn, openings])
    ends = np.round(triangles / SAME).astype(np.int64)
    owners: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    for corners in ends.tolist():
        for i in range(3):
            one, other = tuple(corners[i]), tuple(corners[(i + 1) % 3])
            key = (one, other) if one < other else (other, one)
            owners[key] = owners.get(key, 0) + 1
    found: list[NDArray[np.float64]] = []
    for number in range(len(drawn)):
        for i in range(3):
            one, other = tuple(ends[number, i].tolist()), tuple(ends[number, (i + 1) % 3].tolist())
            if one == other or owners[(one, other) if one < other else (other, one)] > 1:
                continue
            a, b, c = triangles[number, i], triangles[number, (i + 1) % 3], triangles[number, (i + 2) % 3]
            edge = (b - a) / np.linalg.norm(b - a)
            away = a - c
            away = away - edge * (away @ edge)
            size = float(np.linalg.norm(away))
            if size > SAME:
                found.append((a + b) / 2.0 + away / size * BESIDE)
    return np.array(found).reshape(-1, 3)
