"""Compiles a cell's polygons into its cell tree, a list of half-spaces (physics.md 3.8, dat-format.md 3.3.3).

A cell tree can only state "in front of all these planes". The planes are those of the faces and openings that have the
whole cell on one side. For a convex cell that is the cell itself. For a concave one it is the smallest convex space
around it that its own faces describe; where no face has everything in front of it, nothing closes the space.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.cell_bsp import CellInner, CellLeaf, CellNode
from engine.geometry.compile.fragment import FLUSH, area_of, extent, is_flush, require_finite
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3

_SAME_WAY: Final = 0.5  # of two normals: faces this flush with one another look the same way or the opposite one


class _Candidate:
    """A face or opening that may bound the cell, and its place in the list."""

    polygon: Polygon
    opening: bool
    order: int
    area: float

    def __init__(self, polygon: Polygon, opening: bool, order: int) -> None:
        self.polygon = polygon
        self.opening = opening
        self.order = order
        self.area = area_of(polygon.vertices)


class _Bound:
    """A plane of the cell, from the polygon at `order`."""

    plane: Plane
    order: int

    def __init__(self, plane: Plane, order: int) -> None:
        self.plane = plane
        self.order = order


def _largest_first(candidate: _Candidate) -> tuple[float, int]:
    return (-candidate.area, candidate.order)


def _in_order(bound: _Bound) -> int:
    return bound.order


def compile_cell(polygons: list[Polygon], openings: list[Polygon]) -> CellNode | None:
    """The half-spaces as a chain of positive children, in the order of the polygons, then of the openings.

    None when no polygon bounds anything: such a cell contains nothing, while an empty list would contain everything.
    """
    planes = cell_planes(polygons, openings)
    if not planes:
        return None
    node: CellNode = CellLeaf(0)
    for plane in reversed(planes):
        node = CellInner(plane, node, None)
    return node


def cell_planes(polygons: list[Polygon], openings: list[Polygon]) -> list[Plane]:
    """The planes with the whole cell in front of them, each once, normals pointing in.

    A face counts only if it looks into the cell. An opening may look either way: the cell's corners tell.
    """
    require_finite(polygons)
    require_finite(openings)
    candidates: list[_Candidate] = []
    for polygon in polygons:
        candidates.append(_Candidate(polygon, False, len(candidates)))
    for polygon in openings:
        candidates.append(_Candidate(polygon, True, len(candidates)))
    corners = corners_of([*polygons, *openings])
    candidates.sort(key=_largest_first)  # of several faces in a plane the largest one knows it best
    bounds: list[_Bound] = []
    for candidate in candidates:
        plane = _inward_plane(candidate, corners)
        if plane is not None and not _is_known(candidate.polygon, plane, bounds):
            bounds.append(_Bound(plane, candidate.order))
    bounds.sort(key=_in_order)
    return [bound.plane for bound in bounds]


def corners_of(polygons: list[Polygon]) -> list[Vec3]:
    """The corners of all polygons, each once."""
    corners: dict[Vec3, bool] = {}
    for polygon in polygons:
        for corner in polygon.vertices:
            corners[corner] = True
    return list(corners)


def _inward_plane(candidate: _Candidate, corners: list[Vec3]) -> Plane | None:
    polygon = candidate.polygon
    if polygon.degenerate or len(polygon.vertices) < 3:
        return None
    plane = _behind_its_corners(polygon, polygon.plane)
    if _all_in_front(corners, plane):
        return plane
    if candidate.opening:
        plane = _behind_its_corners(polygon, polygon.plane.flipped())
        if _all_in_front(corners, plane):
            return plane
    return None


def _behind_its_corners(polygon: Polygon, plane: Plane) -> Plane:
    """The plane; that of a bent polygon moved back to its outermost corner, or the polygon would stick out itself."""
    low, _ = extent(polygon.vertices, plane.normal, plane.d)
    return plane if low >= -FLUSH else Plane(plane.normal, plane.d - low)


def _all_in_front(corners: list[Vec3], plane: Plane) -> bool:
    nx, ny, nz = plane.normal
    d = plane.d
    return all(nx * x + ny * y + nz * z + d >= -FLUSH for x, y, z in corners)


def _is_known(polygon: Polygon, plane: Plane, bounds: list[_Bound]) -> bool:
    x, y, z = plane.normal
    for bound in bounds:
        nx, ny, nz = bound.plane.normal
        if nx * x + ny * y + nz * z > _SAME_WAY and is_flush(polygon.vertices, bound.plane):
            return True
    return False
