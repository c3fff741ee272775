"""A building's openings in the order in which DrawBuilding walks its drawing tree (spec/rendering.md 12.4).

Only the PORT nodes of a shell's drawing tree matter for this, and the splits between them; a shell has a handful of
them among hundreds of nodes. So each building gets a tree of these alone, and every frame walks that one.
"""

from __future__ import annotations

from engine.geometry.drawing_bsp import DrawingInner, DrawingNode, DrawingPort
from engine.geometry.plane import CLOSE, FRONT, Plane
from engine.geometry.vec import Vec3, length2, sub
from engine.world.cells.cell import Building


class PortNode:
    """A split between openings, or a plane that has openings in it: `indices` of building portals."""

    plane: Plane
    pos: PortNode | None
    neg: PortNode | None
    indices: list[int]

    def __init__(self, plane: Plane, pos: PortNode | None, neg: PortNode | None, indices: list[int]) -> None:
        self.plane = plane
        self.pos = pos
        self.neg = neg
        self.indices = indices


class PortOrder:
    """All openings of one building."""

    building: Building
    root: PortNode | None
    has_tree: bool

    def __init__(self, building: Building) -> None:
        self.building = building
        shell = building.shell
        tree = None if shell is None else shell.drawing_tree
        self.has_tree = tree is not None
        self.root = None if tree is None else _ports_below(tree, len(building.portals))

    def far_to_near(self, eye: Vec3, in_plane: bool) -> list[int]:
        """The portals' indices, back to front for an eye in the building's space.

        `in_plane` False leaves out the nodes whose plane the eye is in, as the client does; a flood in robust mode
        decides itself about an eye that stands in an opening. A shell without a tree (scenes and dumps) is ordered by
        the distance of its openings.
        """
        if not self.has_tree:
            return self._by_distance(eye)
        indices: list[int] = []
        if self.root is not None:
            _walk(self.root, eye, in_plane, indices)
        return indices

    def _by_distance(self, eye: Vec3) -> list[int]:
        found: list[_Far] = []
        for index, portal in enumerate(self.building.portals):
            polygon = portal.polygon
            if polygon is not None:
                far2 = 0.0
                for vertex in polygon.vertices:
                    far2 = max(far2, length2(sub(vertex, eye)))
                at = len(found)
                while at > 0 and found[at - 1].far2 < far2:
                    at -= 1
                found.insert(at, _Far(index, far2))
        return [far.index for far in found]


class _Far:
    index: int
    far2: float

    def __init__(self, index: int, far2: float) -> None:
        self.index = index
        self.far2 = far2


def _ports_below(node: DrawingNode, count: int) -> PortNode | None:
    """The part of a branch that has openings in it; None without any. A split with openings on one side is left out."""
    if not isinstance(node, DrawingInner):
        return None
    pos = None if node.pos is None else _ports_below(node.pos, count)
    neg = None if node.neg is None else _ports_below(node.neg, count)
    indices: list[int] = []
    if isinstance(node, DrawingPort):
        indices = [index for _, index in node.portals if 0 <= index < count]
    if not indices and pos is None:
        return neg
    if not indices and neg is None:
        return pos
    return PortNode(node.plane, pos, neg, indices)


def _walk(node: PortNode, eye: Vec3, in_plane: bool, indices: list[int]) -> None:
    side = node.plane.side(eye)
    far = node.neg if side == FRONT else node.pos
    near = node.pos if side == FRONT else node.neg
    if far is not None:
        _walk(far, eye, in_plane, indices)
    if side != CLOSE or in_plane:
        indices.extend(node.indices)
    if near is not None:
        _walk(near, eye, in_plane, indices)
