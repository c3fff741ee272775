"""In which cells a static part is drawn: its home, and on through every opening that its sphere reaches
(rendering.md 13.1, 18.2).

Only cells that are loaded are looked into, and nothing is loaded here; what could not be looked into is named, so that
the answer can be had afresh when it is there. Live entities are in the cells that physics says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from engine.geometry.constants import CELL_LENGTH
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3
from engine.world.cells.cell import EnvCell, SortCell
from engine.world.cells.ids import WHOLE_BLOCK, is_interior, landblock_id
from engine.world.cells.landdefs import adjust_to_outside, blockid_to_lcoord, lcoord_to_gid
from engine.world.cells.position import into_block
from engine.world.graph.graph import CellGraph

MOST_SQUARES: Final = 16
"""Land cells to each side that a sphere is followed to: two landblocks. Nothing that stands on land is wider."""


@dataclass(frozen=True, slots=True)
class Membership:
    """The cells in the order in which they were reached, home first, and the landblocks whose cells were missing."""

    cells: tuple[int, ...]
    missing: tuple[int, ...]


def cells_of_sphere(graph: CellGraph, home: int, center: Vec3, radius: float) -> Membership:
    """The cells that draw a part with this sphere, given in the landblock of its home. A home outdoors, or 0xXXYYFFFF,
    means the land cell under the sphere, which may be another landblock's."""
    start = home
    if not is_interior(home) or home & WHOLE_BLOCK == WHOLE_BLOCK:
        inside, under, _ = adjust_to_outside(home, center)
        start = under if inside else home
    search = _Search(graph, home, center, radius)
    search.enter(start)
    while search.waiting:
        search.look_into(search.waiting.pop(0))
    return Membership(tuple(search.found), tuple(sorted(search.missing)))


class _Search:
    """The spreading of one sphere from its home."""

    def __init__(self, graph: CellGraph, block_id: int, center: Vec3, radius: float) -> None:
        self._graph = graph
        self._block_id = block_id
        self._center = center
        self._radius = radius
        self._outdoors = False
        self.found: dict[int, None] = {}
        self.missing: set[int] = set()
        self.waiting: list[int] = []

    def enter(self, cell_id: int) -> None:
        if cell_id in self.found:
            return
        self.found[cell_id] = None
        self.waiting.append(cell_id)
        if not is_interior(cell_id):
            self._go_outdoors()

    def _go_outdoors(self) -> None:
        """All land cells under the sphere, whatever their height."""
        if self._outdoors:
            return
        self._outdoors = True
        for cell_id in squares_under(self._block_id, self._center, self._radius):
            self.enter(cell_id)

    def look_into(self, cell_id: int) -> None:
        cell = self._graph.peek(cell_id)
        if isinstance(cell, EnvCell):
            for portal in cell.portals:
                if portal.polygon is not None and self._crosses(cell, portal.polygon):
                    if portal.leads_outside:
                        self._go_outdoors()
                    elif self._graph.peek(portal.other_cell_id) is not None:
                        self.enter(portal.other_cell_id)
        elif isinstance(cell, SortCell):
            self._look_into_building(cell)
        elif cell is None:
            self.missing.add(landblock_id(cell_id))

    def _look_into_building(self, land: SortCell) -> None:
        building = land.building
        for portal in [] if building is None else building.portals:
            room = self._graph.peek(portal.other_cell_id)
            if not isinstance(room, EnvCell) or not 0 <= portal.other_portal_id < len(room.portals):
                continue
            opening = room.portals[portal.other_portal_id].polygon
            if opening is not None and self._crosses(room, opening):
                self.enter(room.id)

    def _crosses(self, cell: EnvCell, opening: Polygon) -> bool:
        center = into_block(cell.id, self._block_id, self._center)
        return sphere_crosses(opening, cell.frame.global_to_local(center), self._radius)


def squares_under(cell_id: int, center: Vec3, radius: float) -> list[int]:
    """The land cells that share a point with a circle, given in the landblock of an id; ascending from west to east and
    south to north."""
    corner = blockid_to_lcoord(cell_id)
    x, y, _ = center
    if corner is None or not (math.isfinite(x) and math.isfinite(y) and math.isfinite(radius)):
        return []
    cx, cy = math.floor(x / CELL_LENGTH), math.floor(y / CELL_LENGTH)
    reach = min(math.ceil(radius / CELL_LENGTH), MOST_SQUARES)
    found: list[int] = []
    for i in range(cx - reach, cx + reach + 1):
        for j in range(cy - reach, cy + reach + 1):
            dx = max(i * CELL_LENGTH - x, 0.0, x - (i + 1) * CELL_LENGTH)
            dy = max(j * CELL_LENGTH - y, 0.0, y - (j + 1) * CELL_LENGTH)
            gid = lcoord_to_gid(corner[0] + i, corner[1] + j)
            if gid != 0 and ((i, j) == (cx, cy) or dx * dx + dy * dy < radius * radius):
                found.append(gid)
    return found


def sphere_crosses(polygon: Polygon, center: Vec3, radius: float) -> bool:
    """Whether a ball reaches any point of a convex polygon."""
    nx, ny, nz = polygon.normal
    away = nx * center[0] + ny * center[1] + nz * center[2] + polygon.d
    if polygon.degenerate or abs(away) > radius:
        return False
    foot = (center[0] - nx * away, center[1] - ny * away, center[2] - nz * away)
    if polygon.point_in_polygon(foot):
        return True
    left = radius * radius - away * away
    corners = polygon.vertices
    return any(_distance2(foot, corners[i - 1], corners[i]) <= left for i in range(len(corners)))


def _distance2(p: Vec3, a: Vec3, b: Vec3) -> float:
    """Squared, from a point to a segment."""
    ex, ey, ez = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    px, py, pz = p[0] - a[0], p[1] - a[1], p[2] - a[2]
    long2 = ex * ex + ey * ey + ez * ez
    t = 0.0 if long2 == 0.0 else min(max((px * ex + py * ey + pz * ez) / long2, 0.0), 1.0)
    dx, dy, dz = px - t * ex, py - t * ey, pz - t * ez
    return dx * dx + dy * dy + dz * dz
