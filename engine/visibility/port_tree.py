"""The openings of a building in the order in which DrawBuilding reaches them (rendering.md 12.4,
rendering.md C10).

When the client loads a shell, it reduces the drawing tree to the root and the PORT nodes, each the `pos` child of the
one before: collected after their children, `pos` before `neg`, and linked in reverse. The result is a chain. Walking it
far side first visits the nodes that the eye is in front of on the way down, and the others on the way back, which is
not far to near.
"""

from __future__ import annotations

from engine.geometry.drawing_bsp import DrawingInner, DrawingNode, DrawingPort
from engine.geometry.plane import CLOSE, FRONT, Plane
from engine.geometry.vec import Vec3, length2, sub
from engine.world.cells.cell import Building


class PortNode:
    """A plane that has openings in it: `indices` of building portals."""

    plane: Plane
    indices: list[int]

    def __init__(self, plane: Plane, indices: list[int]) -> None:
        self.plane = plane
        self.indices = indices


class PortOrder:
    """All openings of one building."""

    building: Building
    chain: list[PortNode]
    has_tree: bool

    def __init__(self, building: Building) -> None:
        self.building = building
        shell = building.shell
        tree = None if shell is None else shell.drawing_tree
        self.has_tree = tree is not None
        self.chain = []
        if tree is not None:
            _collect(tree, len(building.portals), self.chain)
            self.chain.reverse()

    def in_turn(self, eye: Vec3, in_plane: bool) -> list[int]:
        """The portals' indices, for an eye in the building's space.

        `in_plane` False leaves out the nodes whose plane the eye is in, as the client does; a flood in robust mode
        decides itself about an eye that stands in an opening. A shell without a tree (scenes and dumps) is ordered by
        the distance of its openings.
        """
        if not self.has_tree:
            return self._by_distance(eye)
        indices: list[int] = []
        later: list[PortNode] = []
        for node in self.chain:
            side = node.plane.side(eye)
            if side == FRONT:
                indices.extend(node.indices)
            elif side != CLOSE or in_plane:
                later.append(node)
        for node in later[::-1]:
            indices.extend(node.indices)
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


def _collect(node: DrawingNode, count: int, into: list[PortNode]) -> None:
    """The PORT nodes of a branch, each after those below it."""
    if not isinstance(node, DrawingInner):
        return
    if node.pos is not None:
        _collect(node.pos, count, into)
    if node.neg is not None:
        _collect(node.neg, count, into)
    if isinstance(node, DrawingPort):
        indices = [index for _, index in node.portals if 0 <= index < count]
        if indices:
            into.append(PortNode(node.plane, indices))
