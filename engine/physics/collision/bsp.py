"""A body against a physics tree (physics.md 3.5-3.7, 3.9).

The spheres are expected in the tree's local space, put there by `SpherePath.cache_local_space_sphere`; answers go back
by rotating with the same frame and multiplying by the scale.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.geometry.bsp import PhysicsNode, PhysicsTree, SolidState
from engine.geometry.constants import LANDING_Z
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon, PolyHit
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.physics.flags import (
    ADJUSTED,
    COLLIDED,
    INITIAL_PLACEMENT,
    OI_CONTACT,
    OI_PATH_CLIPPED,
    OI_PERFECT_CLIP,
    OK,
    PLACEMENT,
)
from engine.physics.sweep.slide import slide_sphere
from engine.physics.sweep.sphere_path import SpherePath
from engine.physics.sweep.stepping import step_up, step_up_slide
from engine.physics.sweep.trace import FLOOR, HIT, LEFT, PUSHED
from engine.world.cells.position import into_block

if TYPE_CHECKING:
    from engine.physics.sweep.transition import Transition

_PLACEMENT_ROUNDS: Final = 20


def collide_with_tree(tr: Transition, tree: PhysicsTree, scale: float) -> int:
    """`find_collisions` or, for an initial placement, `placement_insert`."""
    if tr.observer is not None:
        tr.observer.tree_begins(tr, tree)
    if tr.sp.insert_type == INITIAL_PLACEMENT:
        state = placement_insert(tr, tree.root)
    else:
        state = find_collisions(tr, tree, scale)
    if tr.observer is not None:
        tr.observer.tree_ends(tr, tree, state)
    return state


def gate_open(sp: SpherePath, tree: PhysicsTree) -> bool:
    """Whether one of the body's spheres comes near the tree's own bounding sphere (3.9)."""
    bound = tree.root.sphere
    if sp.space0.in_reach_of(bound):
        return True
    return sp.num_sphere > 1 and sp.space1.in_reach_of(bound)


def find_collisions(tr: Transition, tree: PhysicsTree, scale: float) -> int:
    """The dispatch of 3.5: what the tree is asked depends on what the sweep is doing. The order of branches counts."""
    sp = tr.sp
    root = tree.root
    if sp.insert_type == PLACEMENT or sp.obstruction_ethereal:
        return _solid_probe(sp, root)
    if sp.check_walkable:
        return COLLIDED if root.hits_walkable(sp.probe, sp.space0, sp.space_z) else OK
    if sp.step_down:
        return step_sphere_down(tr, root, scale)
    x, y, z = sp.space0.center
    cx, cy, cz = sp.local_space_curr_center()
    move: Vec3 = (x - cx, y - cy, z - cz)
    if sp.collide:
        return _land(tr, root, move, scale)
    if tr.oi.state & OI_CONTACT:
        return _hit_grounded(tr, root, move)
    return _hit_airborne(tr, tree, move, scale)


def _solid_probe(sp: SpherePath, root: PhysicsNode) -> int:
    centre = not (sp.building_check and sp.hits_interior_cell)
    if root.sphere_intersects_solid(sp.space0, centre):
        return COLLIDED
    if sp.num_sphere > 1 and root.sphere_intersects_solid(sp.space1, centre):
        return COLLIDED
    return OK


def _land(tr: Transition, root: PhysicsNode, move: Vec3, scale: float) -> int:
    """Branch 4: an earlier pass hit something in the air; is there a floor within the motion?"""
    sp = tr.sp
    sphere = sp.space0.copy()
    out = PolyHit()
    root.find_walkable(sp.probe, sphere, out, move, sp.space_z)
    poly = out.poly
    if poly is None:
        return OK
    sp.add_offset_to_check_pos(_offset_to_world(sp, sphere.center, scale))
    _rest_on(tr, sphere, poly, scale)
    return ADJUSTED


def step_sphere_down(tr: Transition, root: PhysicsNode, scale: float) -> int:
    """Branch 3: take the highest floor within the probe."""
    sp = tr.sp
    sphere = sp.space0.copy()
    amount = -(sp.step_down_amt * sp.probe.interp)
    zx, zy, zz = sp.space_z
    out = PolyHit()
    move: Vec3 = (zx * amount / scale, zy * amount / scale, zz * amount / scale)
    root.find_walkable(sp.probe, sphere, out, move, sp.space_z)
    poly = out.poly
    if poly is None:
        return OK
    sp.move_check_pos(_offset_to_world(sp, sphere.center, scale))
    _rest_on(tr, sphere, poly, scale)
    return ADJUSTED


def _rest_on(tr: Transition, sphere: Sphere, poly: Polygon, scale: float) -> None:
    """The polygon becomes the contact plane and the surface walked on."""
    if tr.observer is not None:
        tr.observer.polygon_met(tr, poly, 0, FLOOR)
    sp = tr.sp
    tr.ci.set_contact_plane(_world_plane(tr, poly, scale), False, sp.check.cell_id)
    sp.set_walkable(sphere, poly, sp.space_z, scale)


def _world_plane(tr: Transition, poly: Polygon, scale: float) -> Plane:
    """The polygon's plane in the landblock frame of the candidate.

    The point on it is not scaled, its distance is: on a scaled part that is away from the block's origin the client
    takes a plane beside the true one (physics.md #6).
    """
    sp = tr.sp
    frame = sp.space_frame
    nx, ny, nz = frame.local_to_global_vec(poly.normal)
    x, y, z = poly.normal
    point: Vec3 = (-poly.d * x, -poly.d * y, -poly.d * z)
    x, y, z = into_block(sp.check.cell_id, sp.space_cell_id, frame.local_to_global(point))
    return Plane((nx, ny, nz), scale * -(nx * x + ny * y + nz * z))


def _offset_to_world(sp: SpherePath, moved: Vec3, scale: float) -> Vec3:
    """The displacement of a copy of sphere 0 in the tree's space, as a world vector."""
    x, y, z = sp.space0.center
    dx, dy, dz = sp.space_frame.local_to_global_vec((moved[0] - x, moved[1] - y, moved[2] - z))
    return (dx * scale, dy * scale, dz * scale)


def _hit_grounded(tr: Transition, root: PhysicsNode, move: Vec3) -> int:
    """Branch 5: the foot steps up or slides, the head slides; a polygon that is being left is noted for later."""
    sp = tr.sp
    frame = sp.space_frame
    foot = PolyHit()
    hit = root.sphere_intersects_poly(sp.space0, move, foot)
    left_by_foot = foot.poly
    if tr.observer is not None and left_by_foot is not None:
        tr.observer.polygon_met(tr, left_by_foot, 0, HIT if hit else LEFT)
    if hit and left_by_foot is not None:
        if step_up(tr, frame.local_to_global_vec(left_by_foot.normal)):
            return OK
        return step_up_slide(tr)
    if sp.num_sphere < 2:
        return OK
    head = PolyHit()
    hit = root.sphere_intersects_poly(sp.space1, move, head)
    left_by_head = head.poly
    if left_by_head is not None:
        if tr.observer is not None:
            tr.observer.polygon_met(tr, left_by_head, 1, HIT if hit else LEFT)
        normal = frame.local_to_global_vec(left_by_head.normal)
        if hit:
            return slide_sphere(tr, sp.global0.center, normal, sp.curr_center0)
        sp.set_neg_poly_hit(False, normal)
    elif left_by_foot is not None:
        sp.set_neg_poly_hit(True, frame.local_to_global_vec(left_by_foot.normal))
    return OK


def _hit_airborne(tr: Transition, tree: PhysicsTree, move: Vec3, scale: float) -> int:
    """Branch 6: a polygon that is touched while moving away counts too.

    What is clipped at its path flies by its foot alone (rule `clipped_head`, physics.md #24).
    """
    sp = tr.sp
    touched = _touched(tr, tree.root, 0, move)
    if touched is not None:
        if tr.oi.state & OI_PATH_CLIPPED:
            return _collide_with_pt(tr, tree, touched, scale)
        sp.probe.allowance = LANDING_Z
        sp.set_collide(sp.space_frame.local_to_global_vec(touched.normal))
        return ADJUSTED
    if sp.num_sphere > 1 and not (tr.rules.clipped_head and tr.oi.state & OI_PATH_CLIPPED):
        touched = _touched(tr, tree.root, 1, move)
        if touched is not None:
            tr.ci.set_collision_normal(sp.space_frame.local_to_global_vec(touched.normal))
            return COLLIDED
    return OK


def _touched(tr: Transition, root: PhysicsNode, sphere: int, move: Vec3) -> Polygon | None:
    """The polygon recorded last, hit or only being left."""
    out = PolyHit()
    hit = root.sphere_intersects_poly(tr.sp.space1 if sphere == 1 else tr.sp.space0, move, out)
    if tr.observer is not None and out.poly is not None:
        tr.observer.polygon_met(tr, out.poly, sphere, HIT if hit else LEFT)
    return out.poly


def _collide_with_pt(tr: Transition, tree: PhysicsTree, touched: Polygon, scale: float) -> int:
    """Missiles stop where they are; with PERFECT_CLIP exactly where they touch (3.6)."""
    sp = tr.sp
    normal = sp.space_frame.local_to_global_vec(touched.normal)
    if not tr.oi.state & OI_PERFECT_CLIP:
        tr.ci.set_collision_normal(normal)
        return COLLIDED
    sphere = sp.space0.copy()
    hit = PolyHit()
    hit.poly = touched
    if not tree.adjust_to_plane(sphere, sp.local_space_curr_center(), hit):
        return COLLIDED
    tr.ci.set_collision_normal(normal)
    sp.add_offset_to_check_pos(_offset_to_world(sp, sphere.center, scale))
    return ADJUSTED


def placement_insert(tr: Transition, root: PhysicsNode) -> int:
    """Push both spheres out of solid space, for an initial placement only (3.7)."""
    sp = tr.sp
    fresh = tr.rules.placement_insert_state
    foot = sp.space0.copy()
    head = sp.space1.copy() if sp.num_sphere > 1 else None
    rad = foot.radius
    centre = not (sp.building_check and sp.hits_interior_cell)
    state = SolidState(tr.rules.solid_poly_tie)
    for i in range(_PLACEMENT_ROUNDS):
        if fresh:
            state.poly = None
        state.centre_solid = False
        pushed = foot
        other = head
        inside = root.sphere_intersects_solid_poly(foot, rad, state, centre)
        if not inside and head is not None:
            pushed = head
            other = foot
            inside = root.sphere_intersects_solid_poly(head, rad, state, centre)
        if not inside:
            if i == 0:
                return OK
            sp.add_offset_to_check_pos(_offset_to_world(sp, foot.center, 1.0))
            return ADJUSTED
        if state.poly is not None:
            if tr.observer is not None:
                tr.observer.polygon_met(tr, state.poly, 0 if pushed is foot else 1, PUSHED)
            state.poly.adjust_to_placement_poly(pushed, other, rad, state.centre_solid, centre, tr.rules.placement_side)
            if fresh:
                rad = foot.radius
            continue
        rad *= 2.0
    return COLLIDED
