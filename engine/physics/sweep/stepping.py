"""Stepping down onto a surface, up onto one, and whether something carries the body (physics.md 5.10-5.12).

`step_up` does not come back to itself: while the sweep steps, trees and objects are only asked for floors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.geometry.constants import LANDING_Z, UNWALKABLE_STEP
from engine.geometry.vec import Vec3
from engine.physics.flags import COLLIDED, OI_EDGE_SLIDE, OI_ON_WALKABLE, OK, PLACEMENT
from engine.physics.sweep.slide import STEP_UP_NORMAL, slide_sphere
from engine.physics.sweep.trace import CHECK_WALKABLE, PLACEMENT_CHECK, STEP_DOWN, STEP_UP

if TYPE_CHECKING:
    from engine.physics.sweep.transition import Transition

_PROBE_ATTEMPTS: Final = 5


def probe_in_reach(tr: Transition, height: float, zval: float) -> float:
    """Step down by `height`, in two halves when it exceeds the sphere: −1 on ground, else the depth last tried."""
    sp = tr.sp
    two_r = 2.0 * sp.global0.radius
    if sp.num_sphere < 2 and two_r < height:
        height = 0.5 * sp.global0.radius
    if two_r >= height:
        return -1.0 if step_down(tr, height, zval) else height
    height *= 0.5
    if step_down(tr, height, zval) or step_down(tr, height, zval):
        return -1.0
    return height


def step_down(tr: Transition, height: float, zval: float) -> bool:
    """Lower the body and let surfaces push it up again; during a step up it is raised from where it is."""
    sp = tr.sp
    ci = tr.ci
    sp.neg_poly_hit = False
    sp.step_down = True
    sp.step_down_amt = height
    sp.probe.interp = 1.0
    if not sp.step_up:
        sp.cell_array_valid = False
        sp.move_check_pos((0.0, 0.0, -height))
    if tr.observer is not None:
        tr.observer.probe_begins(tr, STEP_DOWN, height, zval)
    state = tr.transitional_insert(_PROBE_ATTEMPTS)
    sp.step_down = False
    stands = (
        state == OK
        and ci.contact_plane_valid
        and ci.contact_plane.normal[2] >= zval
        and (not tr.oi.state & OI_EDGE_SLIDE or sp.step_up or check_walkable(tr, zval))
        and check_placement(tr, 1) == OK
    )
    if tr.observer is not None:
        tr.observer.probe_ends(tr, STEP_DOWN, OK if stands else COLLIDED)
    return stands


def step_up(tr: Transition, normal: Vec3) -> bool:
    sp = tr.sp
    tr.ci.clear_contact_plane()
    sp.step_up = True
    sp.step_up_normal = normal
    height = UNWALKABLE_STEP
    zval = LANDING_Z
    if tr.oi.state & OI_ON_WALKABLE:
        zval = tr.oi.get_walkable_z()
        height = tr.oi.step_up_height
    sp.probe.allowance = zval
    sp.save_check_pos()
    if tr.observer is not None:
        tr.observer.probe_begins(tr, STEP_UP, height, zval)
    climbed = step_down(tr, height, zval)
    if tr.observer is not None:
        tr.observer.probe_ends(tr, STEP_UP, OK if climbed else COLLIDED)
    sp.step_up = False
    sp.walkable = None
    if not climbed:
        sp.restore_check_pos()
    return climbed


def step_up_slide(tr: Transition) -> int:
    sp = tr.sp
    tr.ci.clear_contact_plane()
    return slide_sphere(tr, sp.global0.center, sp.step_up_normal, sp.curr_center0, STEP_UP_NORMAL)


def check_placement(tr: Transition, attempts: int) -> int:
    """A landing and a step both end with the question whether there is room."""
    sp = tr.sp
    sp.backup_insert_type = sp.insert_type
    sp.insert_type = PLACEMENT
    if tr.observer is not None:
        tr.observer.probe_begins(tr, PLACEMENT_CHECK, 0.0, 0.0)
    state = tr.transitional_insert(attempts)
    sp.insert_type = sp.backup_insert_type
    if tr.observer is not None:
        tr.observer.probe_ends(tr, PLACEMENT_CHECK, state)
    return state


def check_walkables(tr: Transition) -> bool:
    """The remembered polygon still carries the body, tested with half the radius.

    Retail halves the stored sphere, so a second test in the same probe is stricter (`check_walkables_radius`).
    """
    sp = tr.sp
    walkable = sp.walkable
    if walkable is None:
        return True
    sphere = sp.walkable_check
    if not tr.rules.check_walkables_radius:
        sphere = sphere.copy()
    sphere.radius *= 0.5
    return walkable.check_walkable(sphere, sp.walkable_up, False, tr.rules.walkable_corner)


def check_walkable(tr: Transition, zval: float) -> bool:
    """Something carries the body here: with `sp.check_walkable` set every supporting surface answers COLLIDED."""
    sp = tr.sp
    if not tr.oi.state & OI_ON_WALKABLE or check_walkables(tr):
        return True
    if not tr.rules.check_walkable_backup:
        sp.save_check_pos()
    place = sp.check.copy()
    cell = sp.check_cell
    height = tr.oi.step_down_height
    sp.probe.allowance = zval
    sp.check_walkable = True
    radius = sp.global0.radius
    if sp.num_sphere < 2 and height > 2.0 * radius:
        height = 0.5 * radius
    if height > 2.0 * radius:
        height *= 0.5
    if tr.observer is not None:
        tr.observer.probe_begins(tr, CHECK_WALKABLE, height, zval)
    sp.add_offset_to_check_pos((0.0, 0.0, -height))
    state = tr.transitional_insert(1)
    sp.check_walkable = False
    if tr.observer is not None:
        tr.observer.probe_ends(tr, CHECK_WALKABLE, COLLIDED if state == OK else OK)
    if tr.rules.check_walkable_backup:
        sp.set_check_pos(place, cell)
    else:
        sp.restore_check_pos()
    return state != OK
