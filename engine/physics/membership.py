"""The cells that a body touches, and the one that it is in (physics.md 6.4, 6.6, 6.8, #12, #33,
#40).

The cell array decides what the sweep collides with, the pick decides membership. Both come out of `find_cell_list`, but
they are different answers: a thin threshold cell is in the array and can never be picked.
"""

from __future__ import annotations

import math

from engine.geometry.cell_bsp import OUTSIDE as CELL_OUTSIDE
from engine.geometry.constants import BLOCK_LENGTH, CELL_LENGTH, EPSILON, LAND_LENGTH
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.physics.rules import RuleSet
from engine.physics.sweep.cell_array import CellArray
from engine.physics.sweep.sphere_path import SpherePath
from engine.world.cells.cell import EnvCell, ObjCell, SortCell
from engine.world.cells.ids import cell_in_range
from engine.world.cells.landdefs import adjust_to_outside, gid_to_lcoord, lcoord_to_gid
from engine.world.cells.portals import CellPortal
from engine.world.cells.position import into_block
from engine.world.graph.graph import CellGraph


def find_cell_list(
    graph: CellGraph,
    rules: RuleSet,
    pos_id: int,
    spheres: list[Sphere],
    ca: CellArray,
    want_cell: bool,
    sp: SpherePath | None,
) -> ObjCell | None:
    """Fill the array with the cells that the spheres touch; with `want_cell`, answer the one holding the first centre.

    The spheres are in the landblock frame of `pos_id`, the cell that the search starts from (6.4).
    """
    if rules.cell_array_cleared:
        ca.clear()
    ca.added_outside = False
    visible = graph.get_visible(pos_id)
    interior = (pos_id & 0xFFFF) >= 0x100
    if interior:
        if sp is not None:
            sp.hits_interior_cell = True
        ca.add(pos_id, visible)
    else:
        add_all_outside_cells(graph, pos_id, spheres, ca)
    if visible is None or len(spheres) == 0:
        return None
    i = 0
    while i < len(ca.ids):
        cell = ca.cells[i]
        if cell is not None:
            find_transit_cells(graph, rules, cell, pos_id, spheres, ca, sp)
        i += 1
    result: ObjCell | None = None
    if want_cell:
        result = pick_cell(rules, pos_id, spheres[0].center, ca)
        if result is not None and result.is_interior:
            if sp is not None:
                sp.hits_interior_cell = True
            if not rules.sweep_prune:
                return result
    if interior and ca.do_not_load_cells:
        prune(rules, visible, ca)
    return result


def pick_cell(rules: RuleSet, pos_id: int, centre: Vec3, ca: CellArray) -> ObjCell | None:
    """The first room that holds the centre, else the last land cell that does."""
    result: ObjCell | None = None
    i = 0
    while i < len(ca.ids):
        cell = ca.cells[i]
        i += 1
        if cell is None:
            continue
        p = into_block(cell.id, pos_id, centre)
        if cell.point_in_cell(p) if rules.portalless_cell else cell.point_in_tree(p):
            result = cell
            if cell.is_interior:
                break
    return result


def prune(rules: RuleSet, visible: ObjCell, ca: CellArray) -> None:
    """Drop the cells that the seed cell does not list; the last one takes the place of one that goes, and is looked at
    next (physics.md #40).

    Under `ace` a gap is left, and an entry without a cell stays: it is only a hint to a loader.
    """
    if not rules.sweep_prune:
        for i in range(len(ca.ids)):
            cell = ca.cells[i]
            if cell is not None and cell.id != visible.id and cell.id not in visible.stab_set:
                ca.remove_at(i)
        return
    i = 0
    while i < len(ca.ids):
        if ca.ids[i] == visible.id or ca.ids[i] in visible.stab_set:
            i += 1
        else:
            ca.move_last_to(i)


def find_transit_cells(
    graph: CellGraph,
    rules: RuleSet,
    cell: ObjCell,
    pos_id: int,
    spheres: list[Sphere],
    ca: CellArray,
    sp: SpherePath | None,
) -> None:
    """Append the neighbours of one cell that the spheres reach (6.6)."""
    if isinstance(cell, EnvCell):
        find_room_transit_cells(graph, rules, cell, pos_id, spheres, ca)
        return
    add_all_outside_cells(graph, pos_id, spheres, ca)
    if isinstance(cell, SortCell) and cell.building is not None:
        for portal in cell.building.portals:
            room = graph.get_visible(portal.other_cell_id)
            if isinstance(room, EnvCell):
                check_building_transit(room, portal.other_portal_id, spheres, ca, sp)


def find_room_transit_cells(
    graph: CellGraph, rules: RuleSet, cell: EnvCell, pos_id: int, spheres: list[Sphere], ca: CellArray
) -> None:
    outside = False
    for portal in cell.portals:
        if portal.leads_outside:
            if not outside:
                outside = exit_portal_near(cell, portal, spheres)
            continue
        other: ObjCell | None = None
        if looks_up(rules, cell, portal):
            if ca.place_of(portal.other_cell_id) >= 0:
                continue  # it would keep its place, however far the spheres reach
            other = graph.get_visible(portal.other_cell_id)
        if other is None:
            add_unloaded_neighbour(rules, cell, portal, spheres, ca)
        elif spheres_reach(other, spheres):
            ca.add(other.id, other)
    if outside:
        add_all_outside_cells(graph, pos_id, spheres, ca)


def looks_up(rules: RuleSet, cell: EnvCell, portal: CellPortal) -> bool:
    """Whether the cell looks up its neighbour behind a portal; under `ace` only if its own stab list names it."""
    return rules.neighbour_lookup or portal.other_cell_id in cell.stab_set


def neighbour(graph: CellGraph, rules: RuleSet, cell: EnvCell, portal: CellPortal) -> ObjCell | None:
    """The loaded cell behind a portal (6.6)."""
    return graph.get_visible(portal.other_cell_id) if looks_up(rules, cell, portal) else None


def local_center(cell: ObjCell, sphere: Sphere) -> Vec3:
    """The sphere's centre in the cell's own space, as if both were of one landblock.

    The client adds no offset here, as it does for the pick: a room of the next landblock is only found once the
    position is labelled with that (physics.md #12).
    """
    return cell.frame.global_to_local(sphere.center)


def spheres_reach(cell: ObjCell, spheres: list[Sphere]) -> bool:
    """One of the spheres reaches into the cell's tree; a cell without one is never reached."""
    tree = cell.cell_tree
    if tree is None:
        return False
    for sphere in spheres:
        local = Sphere(local_center(cell, sphere), sphere.radius)
        if tree.sphere_intersects_cell_bsp(local) != CELL_OUTSIDE:
            return True
    return False


def exit_portal_near(cell: EnvCell, portal: CellPortal, spheres: list[Sphere]) -> bool:
    polygon = portal.polygon
    if polygon is None:
        return False
    for sphere in spheres:
        distance = polygon.plane.dist(local_center(cell, sphere))
        if abs(distance) < sphere.radius + EPSILON:
            return True
    return False


def add_unloaded_neighbour(
    rules: RuleSet, cell: EnvCell, portal: CellPortal, spheres: list[Sphere], ca: CellArray
) -> None:
    """A hint to a loader: the id without a cell, which collides with nothing. `ace` enters the bare 16-bit id."""
    polygon = portal.polygon
    if polygon is None:
        return
    for sphere in spheres:
        t = polygon.plane.dist(local_center(cell, sphere))
        rad = sphere.radius + EPSILON
        if (portal.portal_side and t > -rad) or (not portal.portal_side and t < rad):
            ca.add(portal.other_cell_id if rules.neighbour_lookup else portal.other_cell_id & 0xFFFF, None)
            return


def check_building_transit(
    room: EnvCell, portal_id: int, spheres: list[Sphere], ca: CellArray, sp: SpherePath | None
) -> None:
    """Enter the room behind a building's portal from the land; without a reciprocal portal nothing enters."""
    if portal_id < 0:
        return
    if spheres_reach(room, spheres):
        if sp is not None:
            sp.hits_interior_cell = True
        ca.add(room.id, room)


def add_all_outside_cells(graph: CellGraph, pos_id: int, spheres: list[Sphere], ca: CellArray) -> None:
    """The land cells under the spheres and the neighbours they reach into: one, two or four for each (6.8)."""
    if ca.added_outside:
        return
    ca.added_outside = True
    block_x = ((pos_id >> 24) & 0xFF) * 8
    block_y = ((pos_id >> 16) & 0xFF) * 8
    on_map = cell_in_range(pos_id & 0xFFFF) and block_x < LAND_LENGTH and block_y < LAND_LENGTH
    for sphere in spheres:
        x, y, _ = sphere.center
        if on_map and EPSILON <= x < BLOCK_LENGTH and EPSILON <= y < BLOCK_LENGTH:
            column = math.floor(x / CELL_LENGTH)  # in the block, as nearly always, nothing has to be adjusted
            row = math.floor(y / CELL_LENGTH)
            lx = block_x + column
            ly = block_y + row
            x -= column * CELL_LENGTH
            y -= row * CELL_LENGTH
        else:
            ok, cell_id, p = adjust_to_outside(pos_id, sphere.center)
            if not ok:
                break
            lcoord = gid_to_lcoord(cell_id)
            if lcoord is None:
                break
            lx, ly = lcoord
            x = p[0] - math.floor(p[0] / CELL_LENGTH) * CELL_LENGTH
            y = p[1] - math.floor(p[1] / CELL_LENGTH) * CELL_LENGTH
        low = sphere.radius
        high = CELL_LENGTH - sphere.radius
        add_land_cell(graph, lx, ly, ca)
        if x > high:
            add_land_cell(graph, lx + 1, ly, ca)
            if y > high:
                add_land_cell(graph, lx + 1, ly + 1, ca)
            if y < low:
                add_land_cell(graph, lx + 1, ly - 1, ca)
        if x < low:
            add_land_cell(graph, lx - 1, ly, ca)
            if y > high:
                add_land_cell(graph, lx - 1, ly + 1, ca)
            if y < low:
                add_land_cell(graph, lx - 1, ly - 1, ca)
        if y > high:
            add_land_cell(graph, lx, ly + 1, ca)
        if y < low:
            add_land_cell(graph, lx, ly - 1, ca)


def add_land_cell(graph: CellGraph, x: int, y: int, ca: CellArray) -> None:
    if 0 <= x < LAND_LENGTH and 0 <= y < LAND_LENGTH:
        cell = graph.get_visible(lcoord_to_gid(x, y))
        if cell is not None:
            ca.add(cell.id, cell)
