"""Turns trees of geometry nodes into nodes of records (dat-format.md 3.3).

The opposite direction is `engine.world.loader.shapes`. Spheres grow by what single precision may cost them, so that
they still enclose everything below their node.
"""

from __future__ import annotations

from typing import Final

from engine.dat.records import BspNode
from engine.geometry.bsp import PhysicsInner, PhysicsLeaf, PhysicsNode
from engine.geometry.cell_bsp import CellInner, CellNode
from engine.geometry.drawing_bsp import DrawingInner, DrawingLeaf, DrawingNode, DrawingPort
from engine.geometry.plane import Plane
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, r24, r24v

SPHERE_MARGIN: Final = 1e-4
"""Far more than rounding moves a centre within a landblock, far less than any query feels."""


def physics_record(node: PhysicsNode) -> BspNode:
    """A physics tree; every inner node has both children."""
    if isinstance(node, PhysicsInner):
        pos = None if node.pos is None else physics_record(node.pos)
        neg = None if node.neg is None else physics_record(node.neg)
        return BspNode("BPnN", _plane(node.plane), pos, neg, _sphere(node.sphere))
    assert isinstance(node, PhysicsLeaf)
    ids = [polygon.id for polygon in node.polygons]
    return BspNode("LEAF", sphere=_sphere(node.sphere), polygon_ids=ids, leaf_index=node.index, solid=int(node.solid))


def cell_record(node: CellNode) -> BspNode:
    """A cell tree: a chain of positive children that ends in leaf 0."""
    if isinstance(node, CellInner):
        pos = BspNode("LEAF") if node.pos is None else cell_record(node.pos)
        return BspNode("BPnn", _plane(node.plane), pos)
    return BspNode("LEAF")


def drawing_record(node: DrawingNode) -> BspNode:
    """A drawing tree, PORT nodes included."""
    if isinstance(node, DrawingInner):
        pos = None if node.pos is None else drawing_record(node.pos)
        neg = None if node.neg is None else drawing_record(node.neg)
        made = BspNode(
            _tag(node, pos, neg), _plane(node.plane), pos, neg, _sphere(node.sphere), polygon_ids=list(node.polygon_ids)
        )
        if isinstance(node, DrawingPort):
            made.portals = list(node.portals)
        return made
    assert isinstance(node, DrawingLeaf)
    return BspNode("LEAF", leaf_index=node.index)


def count_leaves(node: BspNode) -> int:
    """The number of leaves of a tree: a building's `num_leaves` (dat-format.md 2.3)."""
    if node.tag == "LEAF":
        return 1
    return sum(count_leaves(child) for child in (node.pos, node.neg) if child is not None)


def _tag(node: DrawingInner, pos: BspNode | None, neg: BspNode | None) -> str:
    if isinstance(node, DrawingPort):
        return "PORT"
    if pos is None and neg is None:
        return "BPOL" if len(node.polygon_ids) == 1 else "BpIn"
    return f"B{'p' if pos is None else 'P'}{'I' if node.polygon_ids else 'n'}{'n' if neg is None else 'N'}"


def _plane(plane: Plane) -> tuple[Vec3, float]:
    return r24v(plane.normal), r24(plane.d)


def _sphere(sphere: Sphere) -> tuple[Vec3, float]:
    return r24v(sphere.center), r24(sphere.radius + SPHERE_MARGIN) if sphere.radius > 0.0 else 0.0
