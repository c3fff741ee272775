"""Builds triangles from polygons: sides, unified vertices, subsets by surface (rendering.md 16.1 - 16.4)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.dat.records import DatPolygon, Vertex
from engine.dat.records.mesh import NO_POSITIVE_UVS
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, is_finite

FRONT: Final = 0
BACK: Final = 1
"""Sides of a polygon, as `Mesh.triangle_side` has them."""

SAME_SKIN: Final = 1
TWO_SKINS: Final = 2
LAST_SIDES_TYPE: Final = 2
"""Sides types (16.1): 0 has a front only."""

NO_SURFACE: Final = -1
"""The slot of what comes without surfaces at all: the polygons of scenes and dumps."""

SLACK: Final = 1e-4
"""How far texture coordinates may lie beyond [0, 1] and still not repeat: rounding, not a pattern."""

NO_UV: Final = (0.0, 0.0)

Range = tuple[int, int, int, bool, bool, bool]
"""Slot, first index, number of indices, stippled, wraps, bare."""


@dataclass(slots=True)
class MeshArrays:
    """All vertices and, ordered by slot, all triangles."""

    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    uvs: NDArray[np.float32]
    indices: NDArray[np.uint32]
    polygons: NDArray[np.int32]
    sides: NDArray[np.int8]
    ranges: list[Range]


class _Slot:
    """The triangles of one surface."""

    def __init__(self) -> None:
        self.indices: list[int] = []
        self.polygons: list[int] = []
        self.sides: list[int] = []
        self.stippled = False
        self.wraps = False
        self.bare = True


class TriangleCollector:
    """Collects vertices and triangles. `odd` are polygons that were left out or read otherwise than they say."""

    def __init__(self) -> None:
        self.odd: list[int] = []
        self._positions: list[Vec3] = []
        self._normals: list[Vec3] = []
        self._uvs: list[tuple[float, float]] = []
        self._slots: dict[int, _Slot] = {}

    def vertex(self, position: Vec3, normal: Vec3, uv: tuple[float, float]) -> int:
        """A new vertex; NaNs in its normal or texture coordinates count as zero."""
        self._positions.append(position)
        self._normals.append(normal if is_finite(normal) else (0.0, 0.0, 0.0))
        self._uvs.append(uv if math.isfinite(uv[0]) and math.isfinite(uv[1]) else NO_UV)
        return len(self._positions) - 1

    def fan(self, slot: int, corners: Sequence[int], key: int, side: int, stippled: bool, bare: bool = False) -> None:
        """A convex polygon, its corners counter-clockwise as seen from where it is seen. `bare`: it says that it has no
        texture coordinates, as openings do."""
        into = self._slots.setdefault(slot, _Slot())
        first = corners[0]
        for i in range(1, len(corners) - 1):
            into.indices += (first, corners[i], corners[i + 1])
        count = len(corners) - 2
        into.polygons += [key] * count
        into.sides += [side] * count
        into.bare = into.bare and bare
        into.stippled = into.stippled or stippled
        into.wraps = into.wraps or stippled or any(_repeats(self._uvs[corner]) for corner in corners)

    def arrays(self) -> MeshArrays:
        ranges: list[Range] = []
        indices: list[int] = []
        polygons: list[int] = []
        sides: list[int] = []
        for slot in sorted(self._slots):
            part = self._slots[slot]
            ranges.append((slot, len(indices), len(part.indices), part.stippled, part.wraps, part.bare))
            indices += part.indices
            polygons += part.polygons
            sides += part.sides
        return MeshArrays(
            np.array(self._positions, np.float32).reshape(-1, 3),
            np.array(self._normals, np.float32).reshape(-1, 3),
            np.array(self._uvs, np.float32).reshape(-1, 2),
            np.array(indices, np.uint32),
            np.array(polygons, np.int32),
            np.array(sides, np.int8),
            ranges,
        )


def _repeats(uv: tuple[float, float]) -> bool:
    return min(uv) < -SLACK or max(uv) > 1.0 + SLACK


def is_bare(vertices: Sequence[Vertex], polygons: Sequence[DatPolygon]) -> bool:
    """Whether a mesh has no surfaces, as those of scenes and dumps; real ones name one on each polygon."""
    return all(polygon.pos_surface < 0 for polygon in polygons) and not any(vertex.uvs for vertex in vertices)


# --- from records


class _Corners:
    """The vertices of one record, unified on (vertex key, texture coordinate, side) (16.4)."""

    def __init__(self, vertices: Sequence[Vertex], into: TriangleCollector) -> None:
        # Backwards, so that of two vertices with one key the first counts, as in the polygons of the world.
        self._by_key = {v.key: v for v in reversed(vertices) if is_finite(v.position)}
        self._into = into
        self._made: dict[tuple[int, int, int], int] = {}

    def known(self, vertex_ids: Iterable[int]) -> bool:
        return all(vertex_id in self._by_key for vertex_id in vertex_ids)

    def find(self, polygon: DatPolygon, uvs: Sequence[int], side: int) -> list[int]:
        """The numbers of a polygon's vertices, in its order."""
        numbers: list[int] = []
        for place, vertex_id in enumerate(polygon.vertex_ids):
            vertex = self._by_key[vertex_id]
            pick = uvs[place] if place < len(uvs) else 0
            key = (vertex_id, pick, side)
            number = self._made.get(key)
            if number is None:
                x, y, z = vertex.normal
                normal = vertex.normal if side == FRONT else (-x, -y, -z)
                number = self._into.vertex(
                    vertex.position, normal, vertex.uvs[pick] if pick < len(vertex.uvs) else NO_UV
                )
                self._made[key] = number
            numbers.append(number)
        return numbers


def textured_triangles(vertices: Sequence[Vertex], polygons: Iterable[DatPolygon]) -> TriangleCollector:
    """Both sides of every polygon as its sides type has it. Polygons without texture coordinates are no exception:
    openings are invisible because their surface has no picture (rendering.md C12)."""
    found = TriangleCollector()
    corners = _Corners(vertices, found)
    seen: set[int] = set()
    for polygon in polygons:
        if polygon.key in seen or len(polygon.vertex_ids) < 3 or not corners.known(polygon.vertex_ids):
            found.odd.append(polygon.key)
            continue
        seen.add(polygon.key)
        _add_sides(polygon, corners, found)
    return found


def _add_sides(polygon: DatPolygon, corners: _Corners, found: TriangleCollector) -> None:
    sides = polygon.sides_type
    if not 0 <= sides <= LAST_SIDES_TYPE:
        found.odd.append(polygon.key)  # not met in practice; drawn as a single side
    bare = bool(polygon.stippling & NO_POSITIVE_UVS)
    # Whichever bit it is: the positive surface's texture repeats, and the negative one's never does (C12).
    stippled = polygon.stippling != 0
    front = corners.find(polygon, polygon.pos_uvs, FRONT)
    if polygon.pos_surface >= 0:
        found.fan(polygon.pos_surface, front, polygon.key, FRONT, stippled, bare)
        if sides == SAME_SKIN:
            back = _reversed(corners.find(polygon, polygon.pos_uvs, BACK))
            found.fan(polygon.pos_surface, back, polygon.key, BACK, stippled, bare)
    if sides == TWO_SKINS and polygon.neg_surface >= 0:
        # With the front's winding, as in the client: seen from the front, and lit from behind (26.8).
        found.fan(polygon.neg_surface, corners.find(polygon, polygon.neg_uvs, BACK), polygon.key, BACK, False)


def _reversed(corners: Sequence[int]) -> list[int]:
    """The other winding from the same first corner, so that both sides have the same triangles."""
    return [corners[0], *reversed(corners[1:])]


# --- from polygons without surfaces


def flat_triangles(polygons: Collection[Polygon]) -> tuple[TriangleCollector, NDArray[np.float32]]:
    """Every polygon with vertices of its own, the normal of its plane, and a tint that distinguishes its wall."""
    found = TriangleCollector()
    tints: list[float] = []
    for polygon in polygons:
        points = polygon.vertices
        if len(points) < 3 or not all(is_finite(point) for point in points):
            found.odd.append(polygon.id)
            continue
        x, y, z = polygon.normal
        tint = wall_tint(polygon.normal)
        front = [found.vertex(point, polygon.normal, NO_UV) for point in points]
        found.fan(NO_SURFACE, front, polygon.id, FRONT, False)
        tints += [tint] * len(points)
        if polygon.sides_type in (SAME_SKIN, TWO_SKINS):
            back = [found.vertex(point, (-x, -y, -z), NO_UV) for point in points]
            found.fan(NO_SURFACE, _reversed(back), polygon.id, BACK, False)
            tints += [tint] * len(points)
    return found, np.repeat(np.array(tints, np.float32).reshape(-1, 1), 3, axis=1)


def wall_tint(normal: Vec3) -> float:
    """Brightness of a flat-coloured wall by where it faces: floors bright, ceilings dark, the four winds apart."""
    x, y, z = normal
    return 0.75 + 0.2 * z + 0.06 * x + 0.04 * y - 0.03 * x * y
