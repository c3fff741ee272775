"""Compiles polygons into a drawing tree: painter's order and a shell's portals (dat-format.md 3.3.5, rendering.md
15.3).

A node's own polygons are those with a piece in its plane: a polygon that an earlier plane cuts in two stands, whole, on
every node that holds a piece of it. Between two polygons the order is right piece by piece: on every line of sight the
node that holds the farther piece comes first. Drawing whole polygons is then right for all polygons that no plane cuts,
and the planes are chosen to cut as few as they can. No compiler can do better: a right order of whole polygons need not
exist.

The planes of the portals come first, so that each portal stands on exactly one node, with its own plane. A portal that
the plane of another one crosses goes to the side where its larger part lies.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.compile.bound import enclosing_sphere
from engine.geometry.compile.draft import DEEPEST
from engine.geometry.compile.fragment import FLUSH, SPLITTER, Cloud, Fragment, flattened, split_points, whole_fragments
from engine.geometry.compile.split import PlaneTally, choose_split
from engine.geometry.drawing_bsp import DrawingInner, DrawingLeaf, DrawingNode, DrawingPort
from engine.geometry.errors import GeometryError
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3

_CUT_PRICE: Final = 8.0  # a cut polygon may be drawn at the wrong moment, which is worse than a deeper tree


def compile_drawing(polygons: list[Polygon], portals: list[tuple[Polygon, int]]) -> DrawingNode:
    """A tree of the visible polygons; `portals` are openings with the index of their building portal.

    The root is always an inner node, every inner node has both children, and leaves are numbered depth-first.
    """
    return _Drawing(polygons, portals).root


class _Portal(Cloud):
    """An opening to be put on the node with its plane."""

    polygon: Polygon
    index: int

    def __init__(self, polygon: Polygon, index: int) -> None:
        super().__init__(flattened(polygon))
        if polygon.degenerate or len(polygon.vertices) < 3:
            raise GeometryError(f"portal {index}, polygon {polygon.id}, has no area, and so no plane")
        self.polygon = polygon
        self.index = index


class _Sides:
    """The pieces and portals of a region, split by a plane."""

    front: list[Fragment]
    back: list[Fragment]
    flush: list[Fragment]
    front_portals: list[_Portal]
    back_portals: list[_Portal]
    flush_portals: list[_Portal]

    def __init__(self, fragments: list[Fragment], portals: list[_Portal], plane: Plane) -> None:
        self.front = []
        self.back = []
        self.flush = []
        self.front_portals = []
        self.back_portals = []
        self.flush_portals = []
        for fragment in fragments:
            self._sort_in(fragment, plane)
        for portal in portals:
            low, high = portal.extent(plane.normal, plane.d)
            if low >= -FLUSH and high <= FLUSH:
                self.flush_portals.append(portal)
            elif high >= -low:
                self.front_portals.append(portal)
            else:
                self.back_portals.append(portal)

    def _sort_in(self, fragment: Fragment, plane: Plane) -> None:
        low, high = fragment.extent(plane.normal, plane.d)
        if low >= -FLUSH:
            if high <= FLUSH:
                self.flush.append(fragment)
            else:
                self.front.append(fragment)
        elif high <= FLUSH:
            self.back.append(fragment)
        else:
            front, back = split_points(fragment.points, plane.normal, plane.d)
            self.front.append(fragment.piece(front, SPLITTER))
            self.back.append(fragment.piece(back, SPLITTER))


class _Drawing:
    """One compilation."""

    root: DrawingNode
    _leaves: int

    def __init__(self, polygons: list[Polygon], portals: list[tuple[Polygon, int]]) -> None:
        self._leaves = 0
        pieces = whole_fragments(polygons)
        # Polygons too small to split anything are on the root: they belong somewhere, and are hardly to be seen.
        specks = [piece for piece in pieces if piece.role != SPLITTER]
        pieces = [piece for piece in pieces if piece.role == SPLITTER]
        openings = [_Portal(polygon, index) for polygon, index in portals]
        self.root = self._inner(pieces, openings, specks, 0)

    def _node(self, pieces: list[Fragment], portals: list[_Portal], depth: int) -> DrawingNode:
        if pieces or portals:
            return self._inner(pieces, portals, [], depth)
        self._leaves += 1
        return DrawingLeaf(self._leaves - 1)

    def _inner(self, pieces: list[Fragment], portals: list[_Portal], extra: list[Fragment], depth: int) -> DrawingInner:
        plane = _plane_for(pieces, portals)
        sphere = enclosing_sphere(_corners([*pieces, *extra], portals))
        sides = _Sides(pieces, portals, plane)
        own = [*extra, *sides.flush]
        if depth >= DEEPEST and not portals:
            own = pieces
            sides.front = []
            sides.back = []
        pos = self._node(sides.front, sides.front_portals, depth + 1)
        neg = self._node(sides.back, sides.back_portals, depth + 1)
        ids = _ids_in_order(own)
        if sides.flush_portals:
            records = [(portal.polygon.id, portal.index) for portal in sides.flush_portals]
            return DrawingPort(plane, pos, neg, sphere, ids, records)
        return DrawingInner(plane, pos, neg, sphere, ids)


def _plane_for(pieces: list[Fragment], portals: list[_Portal]) -> Plane:
    if portals:
        return _portal_plane(pieces, portals)
    if pieces:
        return choose_split(pieces, _CUT_PRICE).plane
    return Plane((0.0, 0.0, 1.0), 0.0)


def _portal_plane(pieces: list[Fragment], portals: list[_Portal]) -> Plane:
    """The plane of the portal that crosses the fewest others, and of those the fewest polygons."""
    best = portals[0].polygon.plane
    least = (len(portals) + 1, 0)
    for portal in portals:
        plane = portal.polygon.plane
        crossed = 0
        for other in portals:
            low, high = other.extent(plane.normal, plane.d)
            if low < -FLUSH and high > FLUSH:
                crossed += 1
        price = (crossed, PlaneTally(pieces, plane).cut)
        if price < least:
            least = price
            best = plane
    return best


def _corners(pieces: list[Fragment], portals: list[_Portal]) -> list[Vec3]:
    points: list[Vec3] = []
    for piece in pieces:
        points.extend(piece.polygon.vertices)
    for portal in portals:
        points.extend(portal.polygon.vertices)
    return points


def _order(fragment: Fragment) -> int:
    return fragment.order


def _ids_in_order(pieces: list[Fragment]) -> list[int]:
    return [piece.polygon.id for piece in sorted(pieces, key=_order)]
