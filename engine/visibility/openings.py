"""Openings: the polygons of portals in the coordinates of their landblock (rendering.md 2.3, 3.1, 9)."""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.constants import EPSILON
from engine.geometry.frame import Frame
from engine.geometry.plane import BEHIND, CLOSE, FRONT
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3
from engine.world.cells.cell import EnvCell
from engine.world.cells.portals import CellPortal

DOORWAY_SLACK: Final = 0.01
"""Metres that an eye in an opening's plane may be outside of an edge and still stand in the opening (9)."""

FARTHEST: Final = 1e6
"""Metres; no landblock is that wide, and the clipper's products stay far from overflow."""


class Corner:
    """A corner of an opening."""

    x: float
    y: float
    z: float

    def __init__(self, x: float, y: float, z: float) -> None:
        self.x = x
        self.y = y
        self.z = z


class PortalOpening:
    """A portal's polygon in the coordinates of its landblock.

    Its plane is the polygon's own, in which all corners have a say: a bent one is looked through from either side of
    their mean (rendering.md C11). `usable` is False for one that nothing can be seen through: it has less than
    three corners, or corners that are nowhere. A polygon without area has no normal.
    """

    corners: list[Corner]
    nx: float
    ny: float
    nz: float
    middle: Corner
    """The mean of the corners, which the plane goes through."""
    usable: bool

    def __init__(self, corners: list[Corner], normal: Vec3, usable: bool) -> None:
        self.corners = corners
        self.nx, self.ny, self.nz = normal
        self.middle = _mean(corners)
        self.usable = usable

    def distance(self, eye: Vec3) -> float:
        """The signed distance from the opening's plane, positive on the side of its normal."""
        middle = self.middle
        x, y, z = eye
        return self.nx * (x - middle.x) + self.ny * (y - middle.y) + self.nz * (z - middle.z)

    def side(self, eye: Vec3) -> int:
        """FRONT, BEHIND, or CLOSE for an eye in the plane."""
        d = self.distance(eye)
        if d > EPSILON:
            return FRONT
        if d < -EPSILON:
            return BEHIND
        return CLOSE

    def farthest2(self, eye: Vec3) -> float:
        """The squared distance to the farthest corner."""
        x, y, z = eye
        far2 = 0.0
        for c in self.corners:
            dx = c.x - x
            dy = c.y - y
            dz = c.z - z
            d2 = dx * dx + dy * dy + dz * dz
            if d2 > far2:
                far2 = d2
        return far2

    def holds(self, eye: Vec3) -> bool:
        """Whether an eye in the plane stands in the opening, or at most DOORWAY_SLACK beside it."""
        nx = self.nx
        ny = self.ny
        nz = self.nz
        if nx == 0.0 and ny == 0.0 and nz == 0.0:
            return False
        x, y, z = eye
        a = self.corners[-1]
        for b in self.corners:
            ex = b.x - a.x
            ey = b.y - a.y
            ez = b.z - a.z
            inwards = (
                (x - a.x) * (ny * ez - nz * ey) + (y - a.y) * (nz * ex - nx * ez) + (z - a.z) * (nx * ey - ny * ex)
            )
            if inwards < -DOORWAY_SLACK * math.sqrt(ex * ex + ey * ey + ez * ez):
                return False
            a = b
        return True


def _mean(corners: list[Corner]) -> Corner:
    x = y = z = 0.0
    for c in corners:
        x += c.x
        y += c.y
        z += c.z
    n = float(max(len(corners), 1))
    return Corner(x / n, y / n, z / n)


def make_opening(polygon: Polygon | None, frame: Frame) -> PortalOpening:
    """The opening of a polygon in the space of `frame`."""
    corners: list[Corner] = []
    if polygon is None:
        return PortalOpening(corners, (0.0, 0.0, 0.0), False)
    usable = len(polygon.vertices) >= 3
    for vertex in polygon.vertices:
        x, y, z = frame.local_to_global(vertex)
        if not (abs(x) < FARTHEST and abs(y) < FARTHEST and abs(z) < FARTHEST):
            usable = False
        corners.append(Corner(x, y, z))
    if not usable:
        return PortalOpening(corners, (0.0, 0.0, 0.0), False)
    return PortalOpening(corners, frame.local_to_global_vec(polygon.normal), True)


class CellOpenings:
    """The openings of a cell, in the order of its portals, as long as the cell has these portals and this frame."""

    cell: EnvCell
    frame: Frame
    portals: list[CellPortal]
    openings: list[PortalOpening]

    def __init__(self, cell: EnvCell) -> None:
        self.cell = cell
        self.frame = cell.frame
        self.portals = cell.portals
        self.openings = [make_opening(portal.polygon, cell.frame) for portal in cell.portals]

    def still_fits(self, cell: EnvCell) -> bool:
        return (
            self.cell is cell
            and self.frame is cell.frame
            and self.portals is cell.portals
            and len(self.openings) == len(cell.portals)
        )


class OpeningStore:
    """The openings of the cells that floods came through, kept from one flood to the next."""

    _cells: dict[int, CellOpenings]

    def __init__(self) -> None:
        self._cells = {}

    def of(self, cell: EnvCell) -> list[PortalOpening]:
        known = self._cells.get(cell.id)
        if known is None or not known.still_fits(cell):
            known = CellOpenings(cell)
            self._cells[cell.id] = known
        return known.openings

    def forget(self, cell_id: int) -> None:
        if cell_id in self._cells:
            del self._cells[cell_id]

    def count(self) -> int:
        return len(self._cells)
