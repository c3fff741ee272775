"""Cell trees: whether a point is inside the cell (physics.md 3.8).

A cell is convex, a list of half-spaces, so only the positive children are walked. A missing child means inside. A cell
without any tree is different: it contains nothing, and its owner has to handle that.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.constants import EPSILON
from engine.geometry.plane import Plane
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3

OUTSIDE: Final = 0
PARTIALLY: Final = 1
ENTIRELY: Final = 2

_SPHERE_MARGIN: Final = 0.01  # metres added to the radius (3.8)


class CellNode:
    """A node of a cell tree; this base class is the end of the list, with everything inside."""

    depth: int

    def __init__(self) -> None:
        self.depth = 1

    def point_inside_cell_bsp(self, p: Vec3) -> bool:
        return True

    def sphere_intersects_cell_bsp(self, sphere: Sphere) -> int:
        return ENTIRELY

    def box_intersects_cell_bsp(self, corners: list[Vec3]) -> bool:
        return True


class CellLeaf(CellNode):
    """The end of the list."""

    index: int

    def __init__(self, index: int) -> None:
        self.depth = 1
        self.index = index


class CellInner(CellNode):
    """One half-space: the cell lies in front of the plane."""

    plane: Plane
    pos: CellNode | None
    neg: CellNode | None
    normal: Vec3
    d: float

    def __init__(self, plane: Plane, pos: CellNode | None, neg: CellNode | None) -> None:
        self.depth = 1 + max(
            0 if pos is None else pos.depth,
            0 if neg is None else neg.depth,
        )
        self.plane = plane
        self.pos = pos
        self.neg = neg
        self.normal = plane.normal
        self.d = plane.d

    def point_inside_cell_bsp(self, p: Vec3) -> bool:
        """Whether the point is in front of every plane, or at most EPSILON behind."""
        x, y, z = p
        node = self
        while True:
            nx, ny, nz = node.normal
            if nx * x + ny * y + nz * z + node.d < -EPSILON:
                return False
            child = node.pos
            if not isinstance(child, CellInner):
                return True
            node = child

    def sphere_intersects_cell_bsp(self, sphere: Sphere) -> int:
        """OUTSIDE, PARTIALLY or ENTIRELY, for the sphere grown by a centimetre."""
        x, y, z = sphere.center
        rad = sphere.radius + _SPHERE_MARGIN
        result = ENTIRELY
        node = self
        while True:
            nx, ny, nz = node.normal
            t = nx * x + ny * y + nz * z + node.d
            if t <= -rad:
                return OUTSIDE
            if not t >= rad:
                result = PARTIALLY
            child = node.pos
            if not isinstance(child, CellInner):
                return result
            node = child

    def box_intersects_cell_bsp(self, corners: list[Vec3]) -> bool:
        """No plane has all corners of the box behind it."""
        node = self
        while True:
            nx, ny, nz = node.normal
            behind = True
            for x, y, z in corners:
                if not nx * x + ny * y + nz * z + node.d < -EPSILON:
                    behind = False
                    break
            if behind:
                return False
            child = node.pos
            if not isinstance(child, CellInner):
                return True
            node = child
