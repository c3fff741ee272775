"""The cells that a body made of parts occupies by the boxes of its parts (physics.md 6.7, 6.8 parts variant, 8.5)."""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.box import Box
from engine.geometry.constants import CELL_LENGTH, EPSILON, LAND_LENGTH
from engine.geometry.plane import CROSSING, NEGATIVE, POSITIVE
from engine.physics.membership import add_land_cell, neighbour
from engine.physics.objects.parts import BodyPart
from engine.physics.rules import RuleSet
from engine.physics.sweep.cell_array import CellArray
from engine.world.cells.cell import EnvCell, ObjCell, SortCell
from engine.world.cells.landdefs import Lcoord, adjust_to_outside, gid_to_lcoord
from engine.world.cells.portals import CellPortal
from engine.world.graph.graph import CellGraph

ANY_BLOCK: Final = -1


def find_bbox_cell_list(graph: CellGraph, rules: RuleSet, seed_id: int, parts: list[BodyPart], ca: CellArray) -> None:
    """The seed cell and every cell that the parts' boxes reach from there."""
    ca.added_outside = False
    ca.add(seed_id, graph.get_visible(seed_id))
    i = 0
    while i < len(ca.ids):
        cell = ca.cells[i]
        if cell is not None:
            find_transit_cells_of_parts(graph, rules, cell, parts, ca)
        i += 1


def find_transit_cells_of_parts(
    graph: CellGraph, rules: RuleSet, cell: ObjCell, parts: list[BodyPart], ca: CellArray
) -> None:
    if isinstance(cell, EnvCell):
        find_room_transit_of_parts(graph, rules, cell, parts, ca)
        return
    add_outside_cells_of_parts(graph, rules, cell.id, parts, ca)
    if isinstance(cell, SortCell) and cell.building is not None:
        for portal in cell.building.portals:
            room = graph.get_visible(portal.other_cell_id)
            if isinstance(room, EnvCell):
                check_building_transit_of_parts(graph, rules, room, portal.other_portal_id, parts, ca)


def find_room_transit_of_parts(
    graph: CellGraph, rules: RuleSet, cell: EnvCell, parts: list[BodyPart], ca: CellArray
) -> None:
    outside = False
    for portal in cell.portals:
        for part in parts:
            if not _reaches_portal(cell, portal, part):
                continue
            if portal.leads_outside:
                outside = True
                break
            other = neighbour(graph, rules, cell, portal)
            if other is None:
                ca.add(portal.other_cell_id if rules.neighbour_lookup else portal.other_cell_id & 0xFFFF, None)
                break
            if other.box_intersects_cell(part.box_in(other.id, other.frame)):
                ca.add(other.id, other)
                break
    if outside:
        add_outside_cells_of_parts(graph, rules, cell.id, parts, ca)


def _reaches_portal(cell: EnvCell, portal: CellPortal, part: BodyPart) -> bool:
    """The part's sphere and then its box come to the neighbour's side of the portal's plane."""
    polygon = portal.polygon
    sphere = part.sphere
    if polygon is None or sphere is None:
        return False
    plane = polygon.plane
    t = plane.dist(part.point_in(cell.id, cell.frame, sphere.center))
    rad = sphere.radius + EPSILON
    if portal.portal_side:
        if t < -rad:
            return False
    elif t > rad:
        return False
    side = plane.intersect_box(part.box_in(cell.id, cell.frame))
    return not ((side == POSITIVE and not portal.portal_side) or (side == NEGATIVE and portal.portal_side))


def check_building_transit_of_parts(
    graph: CellGraph, rules: RuleSet, room: EnvCell, portal_id: int, parts: list[BodyPart], ca: CellArray
) -> None:
    """Enter a room from the land. Plane and side are those of the room's own portal, seen from outside.

    A building that names a portal the room does not have is reported when the landblock is loaded; no body is let
    in there by a guess.
    """
    if not 0 <= portal_id < len(room.portals):
        return
    portal = room.portals[portal_id]
    polygon = portal.polygon
    if polygon is None:
        return
    plane = polygon.plane
    inner = NEGATIVE if portal.portal_side == rules.building_parts_side else POSITIVE
    for part in parts:
        sphere = part.sphere
        if sphere is None:
            continue
        t = plane.dist(part.point_in(room.id, room.frame, sphere.center))
        rad = sphere.radius + EPSILON
        if portal.portal_side:
            if t > rad:
                continue
        elif t < -rad:
            continue
        box = part.box_in(room.id, room.frame)
        side = plane.intersect_box(box)
        if side != CROSSING and side != inner:
            continue
        if not room.box_intersects_cell(box):
            continue
        ca.add(room.id, room)
        find_room_transit_of_parts(graph, rules, room, parts, ca)
        return


def _land_cells(metres: float) -> int:
    """Convert metres to land cells east or north, limited to the size of the whole land."""
    cells = metres / CELL_LENGTH
    return math.floor(min(max(cells, -float(LAND_LENGTH)), float(LAND_LENGTH)))


def add_outside_cells_of_parts(
    graph: CellGraph, rules: RuleSet, expanded_id: int, parts: list[BodyPart], ca: CellArray
) -> None:
    """The whole rectangle of land cells that all the parts' boxes span (6.8; physics.md #20).

    It is counted from the land cell of the first part, which has to be there. `ace` takes every part for a base in
    turn, drops the cells of other landblocks than the expanded cell's, and lets the extents grow from base to base.
    """
    if ca.added_outside:
        return
    ca.added_outside = True
    extents = Extents()
    if rules.parts_rectangle:
        cell_id, lcoord = _land_cell_of(parts[0]) if parts else (0, None)
        if lcoord is not None and graph.get_visible(cell_id) is not None:
            for part in parts:
                gfxobj = part.gfxobj
                flat = gfxobj is not None and gfxobj.drawn_flat
                extents.widen(cell_id, _square_round(part) if flat else part.box_in_block(cell_id))
            extents.add_cells(graph, lcoord, ca, ANY_BLOCK)
        return
    for base in parts:
        cell_id, lcoord = _land_cell_of(base)
        if lcoord is not None:
            for part in parts:
                extents.widen(cell_id, part.box_in_block(cell_id))
            extents.add_cells(graph, lcoord, ca, expanded_id >> 16)


def _land_cell_of(part: BodyPart) -> tuple[int, Lcoord | None]:
    """Return the land cell that contains a part's origin."""
    ok, cell_id, _ = adjust_to_outside(part.cell_id, part.frame.origin)
    return (cell_id, gid_to_lcoord(cell_id)) if ok else (0, None)


def _square_round(part: BodyPart) -> Box:
    """The box of a part that always turns to the camera, in the coordinates of its own landblock: as far as its
    sphere's radius each way from its origin, wherever the sphere is."""
    x, y, z = part.frame.origin
    r = part.sphere.radius if part.sphere is not None else 0.0
    return Box((x - r, y - r, z), (x + r, y + r, z))


class Extents:
    """The number of land cells that a body reaches beyond a base cell in each direction; never negative."""

    west: int
    south: int
    east: int
    north: int

    def __init__(self) -> None:
        self.west = 0
        self.south = 0
        self.east = 0
        self.north = 0

    def widen(self, cell_id: int, box: Box) -> None:
        """Widen the extents by a box in the landblock of the base cell."""
        lx = ((cell_id & 0xFFFF) - 1) >> 3
        ly = ((cell_id & 0xFFFF) - 1) & 7
        self.west = min(self.west, _land_cells(box.minimum[0]) - lx)
        self.south = min(self.south, _land_cells(box.minimum[1]) - ly)
        self.east = max(self.east, _land_cells(box.maximum[0]) - lx)
        self.north = max(self.north, _land_cells(box.maximum[1]) - ly)

    def add_cells(self, graph: CellGraph, lcoord: Lcoord, ca: CellArray, only_block: int) -> None:
        """The rectangle round a land cell, as far as the map goes; of one landblock alone unless it is ANY_BLOCK."""
        for x in range(max(lcoord[0] + self.west, 0), min(lcoord[0] + self.east, LAND_LENGTH - 1) + 1):
            for y in range(max(lcoord[1] + self.south, 0), min(lcoord[1] + self.north, LAND_LENGTH - 1) + 1):
                if only_block == ANY_BLOCK or ((x >> 3) << 8) | (y >> 3) == only_block:
                    add_land_cell(graph, x, y, ca)
