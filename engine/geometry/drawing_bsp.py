"""Drawing trees: the painting order, and the portals of a building's shell (rendering.md 15.3, 12.4).

The side of a node's plane that the eye is on decides which child is far. For an eye in the plane, the positive child is
the far one, as in the client.
"""

from __future__ import annotations

from engine.geometry.plane import CLOSE, FRONT, Plane
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3


class DrawingNode:
    """A node of a drawing tree; this base class draws nothing."""

    depth: int

    def __init__(self, depth: int = 1) -> None:
        self.depth = depth


class DrawingLeaf(DrawingNode):
    """The end of a branch: a piece of space without polygons of its own."""

    index: int

    def __init__(self, index: int) -> None:
        super().__init__(1)
        self.index = index


class DrawingInner(DrawingNode):
    """A plane, its children, and the polygons that lie in it."""

    plane: Plane
    pos: DrawingNode | None
    neg: DrawingNode | None
    sphere: Sphere
    polygon_ids: list[int]

    def __init__(
        self,
        plane: Plane,
        pos: DrawingNode | None,
        neg: DrawingNode | None,
        sphere: Sphere,
        polygon_ids: list[int],
    ) -> None:
        super().__init__(1 + max(0 if pos is None else pos.depth, 0 if neg is None else neg.depth))
        self.plane = plane
        self.pos = pos
        self.neg = neg
        self.sphere = sphere
        self.polygon_ids = polygon_ids


class DrawingPort(DrawingInner):
    """An inner node with openings in its plane: pairs of an opening's polygon id and its building portal's index."""

    portals: list[tuple[int, int]]

    def __init__(
        self,
        plane: Plane,
        pos: DrawingNode | None,
        neg: DrawingNode | None,
        sphere: Sphere,
        polygon_ids: list[int],
        portals: list[tuple[int, int]],
    ) -> None:
        super().__init__(plane, pos, neg, sphere, polygon_ids)
        self.portals = portals


class _Step:
    """A node still to be walked, or (`own`) one whose first branch is done and whose own turn it is."""

    node: DrawingNode
    own: bool

    def __init__(self, node: DrawingNode, own: bool) -> None:
        self.node = node
        self.own = own


def back_to_front(root: DrawingNode, eye: Vec3) -> list[DrawingInner]:
    """The nodes in painter's order: the far branch, the node itself, the near branch."""
    return _ordered(root, eye, True)


def front_to_back(root: DrawingNode, eye: Vec3) -> list[DrawingInner]:
    """The nodes in the order that lets the depth test reject early."""
    return _ordered(root, eye, False)


def portals_back_to_front(root: DrawingNode, eye: Vec3) -> list[tuple[int, int]]:
    """The portal records of a shell in the order DrawBuilding walks them; a node whose plane the eye is in has none."""
    records: list[tuple[int, int]] = []
    for node in back_to_front(root, eye):
        if isinstance(node, DrawingPort) and node.plane.side(eye) != CLOSE:
            records.extend(node.portals)
    return records


def drawing_nodes(root: DrawingNode) -> list[DrawingNode]:
    """Every node, parents before children and positive before negative."""
    found: list[DrawingNode] = []
    waiting: list[DrawingNode] = [root]
    while waiting:
        node = waiting.pop()
        found.append(node)
        if isinstance(node, DrawingInner):
            if node.neg is not None:
                waiting.append(node.neg)
            if node.pos is not None:
                waiting.append(node.pos)
    return found


def _ordered(root: DrawingNode, eye: Vec3, far_first: bool) -> list[DrawingInner]:
    order: list[DrawingInner] = []
    waiting: list[_Step] = [_Step(root, False)]
    while waiting:
        step = waiting.pop()
        node = step.node
        if not isinstance(node, DrawingInner):
            continue
        if step.own:
            order.append(node)
            continue
        first = node.pos
        last = node.neg
        if (node.plane.side(eye) == FRONT) == far_first:
            first, last = last, first
        if last is not None:
            waiting.append(_Step(last, False))
        waiting.append(_Step(node, True))
        if first is not None:
            waiting.append(_Step(first, False))
    return order
