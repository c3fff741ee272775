"""Chooses the plane that splits a set of polygons best (dat-format.md 3.3.4 leaves the choice open).

The candidates are the planes of the polygons themselves; each of those consumes its own polygon and all others flush
with it. Where these do badly (a round room, a sheet of terrain: every plane has nearly everything on one side, or cuts
across it) the planes through a polygon's edge and upright on it are tried as well.

A plane costs what sorting the two sides further will take, as in a search tree, and a price, in polygons, for each one
it cuts in two. The choice depends on nothing but the polygons and their order.
"""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.compile.fragment import FLUSH, Fragment, area_of
from engine.geometry.elementary import log2
from engine.geometry.plane import Plane
from engine.geometry.vec import Vec3, cross

_FACES_TRIED: Final = 24
_EDGES_TRIED: Final = 24
_CROWD: Final = 8  # polygons from which it is worth looking beyond their own planes
_RELIEF: Final = 0.75  # of the polygons of a leaf: a plane that leaves more of them on one side is not worth a node
_RELIEF_CUT_PRICE: Final = 0.5  # in polygons, besides being counted on both sides
_SURFACE: Final = 0.5  # the length of the mean of the normals from which they say which way the whole looks
_POOR: Final = 0.8  # of the cost of not splitting: a face's plane that saves no more is poor


class Split:
    """A plane and what choosing it would cost."""

    plane: Plane
    cost: float

    def __init__(self, plane: Plane, cost: float) -> None:
        self.plane = plane
        self.cost = cost


def choose_split(fragments: list[Fragment], cut_price: float) -> Split:
    """The best plane for these pieces, of which there is at least one."""
    best = _best_face(fragments, cut_price)
    count = len(fragments)
    if count >= _CROWD and best.cost > _POOR * _sorting(count):
        beside = _best_edge(fragments, cut_price)
        if beside is not None and beside.cost < best.cost:
            return beside
    return best


def _sorting(count: int) -> float:
    return float(count) * log2(float(count) + 1.0)


def _sample(fragments: list[Fragment], size: int) -> list[Fragment]:
    """Evenly spaced ones: neighbours in the list are mostly neighbours in space."""
    count = len(fragments)
    if count <= size:
        return fragments
    return [fragments[i * count // size] for i in range(size)]


def _plane_area(fragment: Fragment) -> float:
    return -area_of(fragment.polygon.vertices)


def _best_face(fragments: list[Fragment], cut_price: float) -> Split:
    # Among polygons in one plane the largest knows it best, so it comes first and represents the others.
    tried = sorted(_sample(fragments, _FACES_TRIED), key=_plane_area)
    best: Split | None = None
    known: list[Plane] = []
    for fragment in tried:
        plane = fragment.polygon.plane
        if _in_one_of(fragment, known):
            continue
        known.append(plane)
        split = Split(plane, _cost(fragments, plane, cut_price, False))
        if best is None or split.cost < best.cost:
            best = split
    assert best is not None
    return best


def _in_one_of(fragment: Fragment, planes: list[Plane]) -> bool:
    for plane in planes:
        low, high = fragment.extent(plane.normal, plane.d)
        if low >= -FLUSH and high <= FLUSH:
            return True
    return False


def _best_edge(fragments: list[Fragment], cut_price: float) -> Split | None:
    best: Split | None = None
    for plane in _edge_planes(fragments):
        cost = _cost(fragments, plane, cut_price, True)
        if cost < math.inf and (best is None or cost < best.cost):
            best = Split(plane, cost)
    return best


def choose_relief(fragments: list[Fragment]) -> Plane | None:
    """A plane that parts polygons which need no splitting but are too many for one leaf; None if none parts them well.

    So a floor of many tiles is not tested tile by tile.
    """
    count = len(fragments)
    if count < _CROWD:
        return None
    best: Plane | None = None
    least = _RELIEF * float(count)
    for plane in _edge_planes(fragments):
        tally = PlaneTally(fragments, plane)
        load = float(max(tally.front, tally.back) + tally.cut) + _RELIEF_CUT_PRICE * float(tally.cut)
        if load < least and tally.front > 0 and tally.back > 0:
            least = load
            best = plane
    return best


def _edge_planes(fragments: list[Fragment]) -> list[Plane]:
    """Planes through edges of some of the polygons, upright on the surface that all of them form, if they form one."""
    facing = _facing(fragments)
    planes: list[Plane] = []
    for fragment in _sample(fragments, _EDGES_TRIED):
        polygon = fragment.polygon
        for edge in polygon.edges:
            inward = cross(polygon.normal if facing is None else facing, edge.edge)
            size = math.sqrt(inward[0] * inward[0] + inward[1] * inward[1] + inward[2] * inward[2])
            if size > FLUSH:
                normal: Vec3 = (inward[0] / size, inward[1] / size, inward[2] / size)
                x, y, z = edge.last
                planes.append(Plane(normal, -(normal[0] * x + normal[1] * y + normal[2] * z)))
    return planes


def _facing(fragments: list[Fragment]) -> Vec3 | None:
    """The mean of the normals, if they look much the same way."""
    sx = 0.0
    sy = 0.0
    sz = 0.0
    for fragment in fragments:
        x, y, z = fragment.polygon.normal
        sx += x
        sy += y
        sz += z
    size = math.sqrt(sx * sx + sy * sy + sz * sz)
    if size < _SURFACE * float(len(fragments)):
        return None
    return (sx / size, sy / size, sz / size)


class PlaneTally:
    """The numbers of pieces that a plane leaves in front, leaves behind, and cuts; pieces in the plane are none of
    these."""

    front: int
    back: int
    cut: int

    def __init__(self, fragments: list[Fragment], plane: Plane) -> None:
        self.front = 0
        self.back = 0
        self.cut = 0
        normal = plane.normal
        d = plane.d
        for fragment in fragments:
            low, high = fragment.extent(normal, d)
            if low >= -FLUSH:
                if high > FLUSH:
                    self.front += 1
            elif high <= FLUSH:
                self.back += 1
            else:
                self.cut += 1


def _cost(fragments: list[Fragment], plane: Plane, cut_price: float, must_part: bool) -> float:
    """The cost of the plane; infinite if it `must_part` the pieces but leaves all of them on one side."""
    tally = PlaneTally(fragments, plane)
    front = tally.front + tally.cut
    back = tally.back + tally.cut
    count = len(fragments)
    if must_part and (front == 0 or back == 0 or front == count or back == count):
        return math.inf
    return _sorting(front) + _sorting(back) + cut_price * float(tally.cut)
