"""A body against everything in a cell: walls or terrain, the building on it, its objects (physics.md 6.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.geometry.constants import CELL_LENGTH, HALF_SQUARE
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.physics.collision.bsp import collide_with_tree, gate_open
from engine.physics.flags import (
    COLLIDED,
    ETHEREAL,
    INITIAL_PLACEMENT,
    MISSILE,
    OI_BYPASS_RESTRICTIONS,
    OI_CONTACT,
    OI_IS_PLAYER,
    OI_IS_VIEWER,
    OK,
    PLACEMENT,
)
from engine.physics.objects.physics_object import PhysicsObj, find_obj_collisions
from engine.physics.sweep.terrain_contact import validate_walkable
from engine.physics.sweep.trace import BUILDING, TERRAIN, UNDER, WALLS
from engine.world.cells.cell import LandCell, ObjCell
from engine.world.cells.landdefs import gid_to_lcoord
from engine.world.cells.objects import ShadowObject
from engine.world.cells.position import into_block
from engine.world.cells.terrain import ENTIRELY_WATER, NOT_WATER

if TYPE_CHECKING:
    from engine.physics.sweep.transition import Transition


def cell_find_collisions(tr: Transition, cell: ObjCell) -> int:
    """The full question to a cell. Terrain is asked by land cells only, never by a room."""
    if entry_refused(tr, cell):
        if tr.observer is not None:
            tr.observer.entry_refused(tr, cell)
        return COLLIDED
    if isinstance(cell, LandCell):
        if tr.observer is not None:
            tr.observer.surroundings_begins(tr, cell, TERRAIN)
        result = _terrain(tr, cell)
        if tr.observer is not None:
            tr.observer.surroundings_ends(tr, cell, TERRAIN, result)
        if result == OK and cell.building is not None:
            result = _building(tr, cell)
    else:
        result = _walls(tr, cell)
    if result == OK and len(cell.shadow_objects) > 0:
        return _objects(tr, cell)
    return result


def _walls(tr: Transition, cell: ObjCell) -> int:
    sp = tr.sp
    sp.obstruction_ethereal = False
    tree = cell.physics_tree
    if tree is None:
        return OK
    if tr.observer is not None:
        tr.observer.surroundings_begins(tr, cell, WALLS)
    sp.cache_local_space_sphere(cell.id, cell.frame, 1.0)
    result = collide_with_tree(tr, tree, 1.0)
    if tr.observer is not None:
        tr.observer.surroundings_ends(tr, cell, WALLS, result)
    if result != OK and not tr.oi.state & OI_CONTACT:
        tr.ci.collided_with_environment = True
    return result


def _terrain(tr: Transition, cell: LandCell) -> int:
    sp = tr.sp
    point = into_block(cell.id, sp.check.cell_id, sp.global_low_point)
    poly = cell.find_terrain_poly(point)
    if poly is None:
        return OK
    if tr.observer is not None:
        tr.observer.polygon_met(tr, poly, 0, UNDER)
    if cell.terrain.water_type == ENTIRELY_WATER and not tr.oi.state & OI_IS_VIEWER and not tr.oi.mover_state & MISSILE:
        return COLLIDED
    depth = cell.water_depth(point)
    sphere = Sphere(into_block(cell.id, sp.check.cell_id, sp.global0.center), sp.global0.radius)
    return validate_walkable(tr, sphere, poly.plane, cell.water_type != NOT_WATER, depth, cell.id)


def _building(tr: Transition, cell: LandCell) -> int:
    building = cell.building
    if building is None or building.shell is None or building.shell.physics_tree is None:
        return OK
    sp = tr.sp
    if tr.observer is not None:
        tr.observer.surroundings_begins(tr, cell, BUILDING)
    sp.building_check = True
    sp.cache_local_space_sphere(building.cell_id, building.frame, 1.0)
    result = OK
    if gate_open(sp, building.shell.physics_tree):
        result = collide_with_tree(tr, building.shell.physics_tree, 1.0)
    sp.building_check = False
    if tr.observer is not None:
        tr.observer.surroundings_ends(tr, cell, BUILDING, result)
    if result != OK and not tr.oi.state & OI_CONTACT:
        tr.ci.collided_with_environment = True
    return result


def _objects(tr: Transition, cell: ObjCell) -> int:
    """The objects registered here as they are now: a collision may register or remove some.

    The list is no copy: leaving a cell makes a new list of those who stay, and who enters comes after the count.
    """
    if tr.sp.insert_type == INITIAL_PLACEMENT:
        return OK
    there: list[ShadowObject] = cell.shadow_objects
    count = len(there)
    for i in range(count):
        shadow = there[i] if tr.rules.shadow_order else there[count - 1 - i]
        if not isinstance(shadow, PhysicsObj) or shadow.parent_id != 0 or shadow.object_id == tr.oi.mover_id:
            continue
        if tr.observer is None and shadow.is_clear_of(tr.sp):
            continue
        result = find_obj_collisions(tr, shadow)
        if result != OK:
            if tr.sp.insert_type == PLACEMENT and shadow.state & ETHEREAL and not tr.rules.placement_ethereal:
                continue
            return result
    return OK


def entry_refused(tr: Transition, cell: ObjCell) -> bool:
    """A player before a house's barrier. Land pushes back along the wider axis, rooms give no normal."""
    barrier = cell.restriction_object
    if barrier == 0 or not tr.oi.state & OI_IS_PLAYER or tr.oi.state & OI_BYPASS_RESTRICTIONS:
        return False
    once = not tr.rules.entry_restriction_once
    if once and (tr.barrier_opened or cell is tr.sp.begin_cell):
        return False
    if not tr.restrictions.is_known(barrier):
        return True
    if tr.restrictions.lets_in(barrier, tr.oi.mover_id):
        tr.barrier_opened = True
        return False
    if not cell.is_interior:
        tr.ci.set_collision_normal(_away_from_land_cell(tr, cell))
    return True


def _away_from_land_cell(tr: Transition, cell: ObjCell) -> Vec3:
    lcoord = gid_to_lcoord(cell.id)
    x, y, _ = into_block(cell.id, tr.sp.check.cell_id, tr.sp.global0.center)
    if lcoord is None:
        return (0.0, 0.0, 1.0)
    dx = x - (float(lcoord[0] & 7) * CELL_LENGTH + HALF_SQUARE)
    dy = y - (float(lcoord[1] & 7) * CELL_LENGTH + HALF_SQUARE)
    if abs(dy) <= HALF_SQUARE:
        return (1.0 if dx >= 0.0 else -1.0, 0.0, 0.0)
    return (0.0, 1.0 if dy >= 0.0 else -1.0, 0.0)
