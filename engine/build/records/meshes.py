"""Vertices and polygons of a mesh record: shared corners, texture coordinates in metres, normals.

Spec: dat-format.md 3.1, 3.2, 5.1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from engine.build.errors import BuildError
from engine.build.materials import Material
from engine.build.shapes.faces import Face, centre_of, plane_of
from engine.dat.records import DatPolygon, Vertex
from engine.geometry.polygon import Polygon
from engine.geometry.vec import UP, Vec3, cross, dot, normalized, r24, r24v

REPEATS_FRONT: Final = 0x01
REPEATS_BACK: Final = 0x02
NO_UVS: Final = 0x04
"""Stippling flags (dat-format.md 3.2.1)."""

TWO_SIDED: Final = 1
"""Sides type: the back shows the same surface (3.2.2)."""

MAX_VERTICES: Final = 0x7FFF
MAX_UVS: Final = 0xFF
MAX_POLYGONS: Final = 0xFFFF
"""The limits of a polygon's number fields."""

UV = tuple[float, float]


class MeshAssembler:
    """Collects the polygons of one CellStruct or GfxObj; keys are the places in the lists (3.1).

    `surface_of` numbers a material in the list of surfaces that goes with the mesh.
    """

    vertices: list[Vertex]
    polygons: list[DatPolygon]
    physics: list[DatPolygon]
    drawn: list[Polygon]
    solid: list[Polygon]

    def __init__(self, where: str, materials: Callable[[str], Material], surface_of: Callable[[str], int]) -> None:
        self.vertices = []
        self.polygons = []
        self.physics = []
        self.drawn = []
        self.solid = []
        self._where = where
        self._material = materials
        self._surface_of = surface_of
        self._by_corner: dict[tuple[Vec3, Vec3], int] = {}
        self._by_place: dict[Vec3, int] = {}

    def add(self, face: Face) -> None:
        """A face as it is: drawn, solid or both."""
        if face.drawn:
            self._draw(face)
        if face.solid:
            self.block(face.points)

    def block(self, points: Sequence[Vec3]) -> None:
        """A polygon that stops bodies and is not drawn."""
        self.physics.append(self._bare(len(self.physics), points, -1))
        self.solid.append(Polygon(len(self.solid), list(points)))

    def portal(self, points: Sequence[Vec3], surface: int) -> Polygon:
        """An opening: a polygon in the drawing list that has no texture coordinates and is not drawn."""
        key = len(self.polygons)
        self.polygons.append(self._bare(key, points, surface))
        return Polygon(key, list(points))

    def check(self) -> None:
        """Refuse what the record's fields cannot number."""
        if len(self.vertices) > MAX_VERTICES:
            raise BuildError(self._where, f"{len(self.vertices)} vertices; a mesh can have {MAX_VERTICES}")
        if max(len(self.polygons), len(self.physics)) > MAX_POLYGONS:
            raise BuildError(self._where, f"a mesh can have {MAX_POLYGONS} polygons")

    def _draw(self, face: Face) -> None:
        material = self._material(face.material)
        normal = r24v(face.plane[0])
        uvs = texture_coordinates(face, material.metres)
        ids, picks = [], []
        for i, p in enumerate(face.points):
            own = normal if face.normals is None else r24v(face.normals[i])
            vertex = self._vertex(p, own)
            ids.append(vertex.key)
            picks.append(self._uv(vertex, uvs[i]))
        key = len(self.polygons)
        flags = 0 if face.fit else REPEATS_FRONT
        if material.two_sided:
            flags |= 0 if face.fit else REPEATS_BACK
        sides = TWO_SIDED if material.two_sided else 0
        self.polygons.append(DatPolygon(key, flags, sides, self._surface_of(face.material), -1, ids, picks))
        self.drawn.append(Polygon(key, list(face.points), sides))

    def _bare(self, key: int, points: Sequence[Vec3], surface: int) -> DatPolygon:
        normal = r24v(plane_of(points)[0])
        ids = []
        for p in points:
            known = self._by_place.get(p)
            ids.append(self._vertex(p, normal).key if known is None else known)
        return DatPolygon(key, NO_UVS, 0, surface, -1, ids)

    def _vertex(self, place: Vec3, normal: Vec3) -> Vertex:
        known = self._by_corner.get((place, normal))
        if known is not None:
            return self.vertices[known]
        vertex = Vertex(len(self.vertices), place, normal, [])
        self.vertices.append(vertex)
        self._by_corner[(place, normal)] = vertex.key
        self._by_place.setdefault(place, vertex.key)
        return vertex

    def _uv(self, vertex: Vertex, uv: UV) -> int:
        if uv in vertex.uvs:
            return vertex.uvs.index(uv)
        if len(vertex.uvs) >= MAX_UVS:
            raise BuildError(self._where, f"more than {MAX_UVS} texture coordinates at one corner {vertex.position}")
        vertex.uvs.append(uv)
        return len(vertex.uvs) - 1


def texture_coordinates(face: Face, metres: float) -> list[UV]:
    """u to the right and v downwards as seen from the front (5.1), one repeat for each `metres`, or one for all of it.

    Repeating coordinates are moved by whole repeats towards zero, alike for the whole plane around the face's middle,
    so that fragments of one wall continue each other.
    """
    right, down = _axes(face.plane[0])
    flat = [(dot(right, p), dot(down, p)) for p in face.points]
    if face.fit:
        low_u, low_v = min(u for u, _ in flat), min(v for _, v in flat)
        width = max(u for u, _ in flat) - low_u or 1.0
        height = max(v for _, v in flat) - low_v or 1.0
        return [(r24((u - low_u) / width), r24((v - low_v) / height)) for u, v in flat]
    middle = centre_of(face.points)
    base_u = math.floor(dot(right, middle) / metres)
    base_v = math.floor(dot(down, middle) / metres)
    return [(r24(u / metres - base_u), r24(v / metres - base_v)) for u, v in flat]


def _axes(normal: Vec3) -> tuple[Vec3, Vec3]:
    """Directions of growing u and v on a plane: level and downhill; on floors and ceilings east and south."""
    if abs(normal[2]) > 0.95:
        return (1.0, 0.0, 0.0), (0.0, -1.0 if normal[2] > 0.0 else 1.0, 0.0)
    right = normalized(cross(UP, normal))
    return right, cross(right, normal)
