"""Appearing somewhere: finding the cell of a place, and placing a body there (physics.md 7.3, 7.4).

The only place where a cell is derived from a position: for spawn, teleport and forced positions, never for the result
of a tick.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, r24v
from engine.physics.body import Body
from engine.physics.errors import PhysicsError
from engine.physics.flags import TS_ACTIVE
from engine.physics.membership import find_cell_list
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.sweep.cell_array import CellArray
from engine.world.cells.cell import ObjCell, SortCell
from engine.world.cells.ids import FIRST_ENV_CELL, WHOLE_BLOCK, cell_in_range, cell_text
from engine.world.cells.landdefs import adjust_to_outside
from engine.world.cells.position import into_block
from engine.world.graph.graph import CellGraph

# SetPosition flags
SP_PLACEMENT: Final = 0x1
SP_TELEPORT: Final = 0x2
SP_RESTORE: Final = 0x4
SP_SLIDE: Final = 0x10
SP_DONT_CREATE_CELLS: Final = 0x20
SP_SEND_POSITION_EVENT: Final = 0x1000

# SetPosition answers
SP_OK: Final = 0
SP_GENERAL_FAILURE: Final = 1
SP_NO_VALID_POSITION: Final = 2
SP_NO_CELL: Final = 3
SP_COLLIDED: Final = 4

SP_NAMES: Final = ("OK", "general failure", "no valid position", "no cell", "collided")

_PLACED_NEARBY: Final = 0.05


def resolve_cell_id(graph: CellGraph, rules: RuleSet, centre: Vec3, radius: float, fallback_id: int) -> int:
    """The cell that holds a sphere's centre, searched from a cell that is known; that one when none does (7.3).

    `centre` is in the landblock frame of `fallback_id`.
    """
    if fallback_id == 0:
        return 0
    ca = CellArray()
    found = find_cell_list(graph, rules, fallback_id, [Sphere(centre, radius)], ca, True, None)
    return fallback_id if found is None else found.id


def find_room(graph: CellGraph, land_cell_id: int, centre: Vec3) -> int:
    """Return the room of a building on a land cell that contains a point; 0 when none does.

    The walk of cells from the land only reaches the rooms next to a way in (6.6); somebody who appears deep inside a
    house, named by the land it stands on, is found through the stab lists of its building's portals.
    """
    cell = graph.get_visible(land_cell_id)
    if not isinstance(cell, SortCell) or cell.building is None:
        return 0
    for portal in cell.building.portals:
        for room_id in (portal.other_cell_id, *portal.stab_list):
            room = graph.get_visible(room_id)
            if room is not None and room.point_in_cell(into_block(room_id, land_cell_id, centre)):
                return room_id
    return 0


def relabel_arrival(body: Body, place: Place) -> None:
    """Correct a named place to the cell that contains the body's foot there: a room before the land around it.

    A landblock's own id means the land cell under the place. Changes `place`; refused where the world has no cell.
    """
    named = place.cell_id
    if named & 0xFFFF == WHOLE_BLOCK:
        _, place.cell_id, place.origin = adjust_to_outside(named, place.origin)
    if not cell_in_range(place.cell_id & 0xFFFF) or body.graph.get_visible(place.cell_id) is None:
        raise PhysicsError(f"there is no cell {cell_text(named)} to teleport to")
    foot = body.spheres[0]
    centre = place.local_to_global(foot.center)
    place.cell_id = resolve_cell_id(body.graph, body.rules, centre, foot.radius, place.cell_id)
    if place.cell_id & 0xFFFF < FIRST_ENV_CELL:
        room_id = find_room(body.graph, place.cell_id, centre)
        if room_id != 0:
            place.cell_id = room_id


def adjust_position(
    graph: CellGraph, place: Place, low_pt: Vec3, search_stab: bool, by_tree: bool = False
) -> ObjCell | None:
    """Re-label a place with the cell that really holds it; None when there is no such cell. Changes `place`.

    `low_pt` is the centre of the body's first sphere, in its own space. `by_tree` is the `ace` form of rule
    `portalless_cell`.
    """
    if not cell_in_range(place.cell_id & 0xFFFF):
        return None
    interior = 0x100 <= (place.cell_id & 0xFFFF) <= 0xFFFD
    if interior:
        cell = graph.get_visible(place.cell_id)
        if cell is None:
            return None
        child = graph.find_visible_child_cell(cell, place.local_to_global(low_pt), search_stab, by_tree)
        if child is not None:
            place.cell_id = child.id
            return child
        if not cell.seen_outside:
            return None
    return _outside(graph, place)


def _outside(graph: CellGraph, place: Place) -> ObjCell | None:
    ok, cell_id, origin = adjust_to_outside(place.cell_id, place.origin)
    if not ok:
        return None
    place.origin = r24v(origin) if cell_id >> 16 != place.cell_id >> 16 else origin
    place.cell_id = cell_id
    return graph.get_visible(cell_id)


def set_position(body: Body, wanted: Place, flags: int) -> int:
    """Place a body (`SetPosition`). With SP_SLIDE a free spot nearby will do as well."""
    place = wanted.copy()
    place.origin = r24v(place.origin)
    tr = body.new_transition()
    cell = adjust_position(body.graph, place, tr.sp.local0.center, True, not body.rules.portalless_cell)
    if cell is None:
        body.lose_cell(place)
        return SP_OK
    tr.init_path(cell, None, place)
    if flags & SP_DONT_CREATE_CELLS:
        tr.ca.do_not_load_cells = True  # from a room nothing that it does not see is considered (physics.md #40)
    slide = (flags & SP_SLIDE) != 0
    if not slide:
        tr.sp.placement_allows_sliding = False
    was_in_contact, was_on_walkable = body.contact_bits()
    ok = tr.find_valid_position()
    if ok and not slide:
        dx = tr.sp.curr.origin[0] - place.origin[0]
        dy = tr.sp.curr.origin[1] - place.origin[1]
        # No absolute value: a quirk of the original.
        ok = tr.sp.curr.cell_id == cell.id and dx < _PLACED_NEARBY and dy < _PLACED_NEARBY
    if not ok:
        told = body.handle_all_collisions(tr.ci, was_in_contact, was_on_walkable)
        return SP_COLLIDED if told else SP_NO_VALID_POSITION
    if tr.sp.curr_cell is None:
        return SP_NO_CELL
    body.transient |= TS_ACTIVE
    body.commit(tr)
    body.last_transition = tr
    return SP_OK


def placed_at(body: Body, place: Place) -> Place | None:
    """Return where a body would be if it were placed exactly there; None when no cell holds it or it has no room."""
    cell = body.graph.get_visible(place.cell_id)
    if cell is None:
        return None
    tr = body.new_transition()
    tr.observer = None
    tr.init_path(cell, None, place)
    tr.sp.placement_allows_sliding = False
    if not tr.find_valid_position() or tr.sp.curr_cell is None:
        return None
    return tr.sp.curr


def reenter(body: Body) -> bool:
    """Put a body that no cell holds into the cell that does, or beside it (physics.md #8); False: there is none.

    The land under the body will do where its last room is seen from outside; in a dungeon the body stays where it is.
    """
    body.transient |= TS_ACTIVE
    set_position(body, body.place, SP_PLACEMENT | SP_SLIDE)
    if body.cell is not None:
        return True
    body.transient &= ~TS_ACTIVE
    return False
