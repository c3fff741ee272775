"""Compiles polygons into a physics tree that answers the queries of physics.md 3 (dat-format.md 3.3.4).

Three passes: `draft` cuts space along the polygons, `enclosure` finds the solid parts, and this module gives the leaves
their polygons and every node its bounding sphere. The result:

- Inner nodes have both children, and the root is one of them. Leaves are numbered depth-first, positive first.
- A polygon is listed whole in every leaf it reaches into, and in the one on its front where it lies between two.
- Solid leaves inside a body, a pillar or a wall list the polygons around them, or they would not count as solid (3.3).
  Their bounding spheres enclose the leaf as well, so that a centre deep inside passes the bounds.
- In a room, space beyond the planes of its cell is solid and lists nothing: the next room may be there, and bodies in
  it must not count as inside a wall. Polygons that stand out of the cell by more than rounding, or look out of it, have
  to be listed out there as well; then the leaf is not solid.
- A bounding sphere is the smallest around the polygons listed below the node, all of them whole.
"""

from __future__ import annotations

from engine.geometry.bsp import PhysicsInner, PhysicsLeaf, PhysicsNode, PhysicsTree
from engine.geometry.compile.bound import enclosing_sphere
from engine.geometry.compile.draft import Drafting, DraftInner, DraftLeaf, DraftNode
from engine.geometry.compile.enclosure import mark_solid_leaves
from engine.geometry.compile.fragment import BACKING, extent
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3


def compile_physics(polygons: list[Polygon], *, openings: list[Polygon], room: bool) -> PhysicsTree:
    """A tree of collision polygons: of a `room`, whose faces look into it, or of a thing they are the outside of.

    `openings` are the portal polygons of a room, or the ways into a hollow thing. They are not hit by anything.
    """
    draft = Drafting(polygons, openings, room)
    mark_solid_leaves(draft, openings, room)
    return PhysicsTree(_Finishing(polygons, draft).root(), polygons)


class _Below:
    """A finished node with what its bounding sphere, and those of its parents, have to enclose."""

    node: PhysicsNode
    orders: list[int]
    corners: list[Vec3]

    def __init__(self, node: PhysicsNode, orders: list[int], corners: list[Vec3]) -> None:
        self.node = node
        self.orders = orders
        self.corners = corners


class _Finishing:
    """Turns a draft into the tree."""

    polygons: list[Polygon]
    draft: Drafting

    def __init__(self, polygons: list[Polygon], draft: Drafting) -> None:
        self.polygons = polygons
        self.draft = draft

    def root(self) -> PhysicsNode:
        node = self.draft.root
        if isinstance(node, DraftLeaf):
            return self._over_one_leaf(node)
        return self._finish(node).node

    def _over_one_leaf(self, leaf: DraftLeaf) -> PhysicsNode:
        """Nothing to split: a plane below everything, because a root is never a leaf."""
        below = self._leaf(leaf)
        corners = [corner for polygon in self.polygons for corner in polygon.vertices]
        low = extent(corners, (0.0, 0.0, 1.0), 0.0)[0] if corners else 0.0
        empty = PhysicsLeaf(1, False, enclosing_sphere([]), [])
        return PhysicsInner(Plane((0.0, 0.0, 1.0), -low), below.node, empty, below.node.sphere.copy())

    def _finish(self, node: DraftNode) -> _Below:
        if isinstance(node, DraftInner):
            pos = self._finish(node.pos)
            neg = self._finish(node.neg)
            orders = _merged(pos.orders, neg.orders)
            corners = [*pos.corners, *neg.corners]
            sphere = enclosing_sphere(self._points(orders, corners))
            return _Below(PhysicsInner(node.plane, pos.node, neg.node, sphere), orders, corners)
        assert isinstance(node, DraftLeaf)
        return self._leaf(node)

    def _leaf(self, leaf: DraftLeaf) -> _Below:
        orders = _listed(leaf)
        corners: list[Vec3] = []
        solid = leaf.solid
        if leaf.beyond:
            solid = not orders
        elif solid and orders and leaf.region is not None:
            corners = leaf.region.corners()
        sphere = enclosing_sphere(self._points(orders, corners))
        polygons = [self.polygons[order] for order in orders]
        return _Below(PhysicsLeaf(leaf.number, solid, sphere, polygons), orders, corners)

    def _points(self, orders: list[int], corners: list[Vec3]) -> list[Vec3]:
        points = list(corners)
        for order in orders:
            points.extend(self.polygons[order].vertices)
        return points


def _listed(leaf: DraftLeaf) -> list[int]:
    """The places of the leaf's polygons, ascending."""
    orders: list[int] = []
    for fragment in leaf.fragments:
        wanted = fragment.role != BACKING or (leaf.solid and not leaf.beyond)
        if wanted and fragment.order not in orders:
            orders.append(fragment.order)
    orders.sort()
    return orders


def _merged(a: list[int], b: list[int]) -> list[int]:
    """Two ascending lists in one, each number once."""
    merged = sorted([*a, *b])
    return [number for i, number in enumerate(merged) if i == 0 or number != merged[i - 1]]
