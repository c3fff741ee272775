"""The end of a sub-step: the candidate is accepted or rolled back (physics.md 5.9).

Membership is a latch: only `validate_transition`, accepting a sub-step, moves `sp.curr_cell`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.geometry.constants import EPSILON
from engine.geometry.plane import Plane
from engine.physics.flags import INVALID, OI_CONTACT, OI_IS_VIEWER, OI_ON_WALKABLE, OK

if TYPE_CHECKING:
    from engine.physics.sweep.transition import Transition


def validate_transition(tr: Transition, state: int) -> int:
    """The only place where the accepted cell changes. A blocked sub-step is rolled back and answers OK."""
    sp = tr.sp
    ci = tr.ci
    oi = tr.oi
    moved = True
    if state != OK:
        moved = False
        if state != INVALID:
            moved = _roll_back(tr)
            state = OK
    else:
        if _check_equals_curr(tr):
            moved = False
        sp.curr.set_to(sp.check)
        sp.curr_cell = sp.check_cell
        sp.cache_global_curr_center()
        sp.set_check_pos(sp.curr, sp.curr_cell)
    if ci.collision_normal_valid:
        ci.set_sliding_normal(ci.collision_normal)
    if not oi.state & OI_IS_VIEWER and oi.gravity:
        _count_stationary_frames(tr, moved)
    ci.last_known_contact_plane_valid = ci.contact_plane_valid
    if ci.contact_plane_valid:
        ci.last_known_contact_plane = ci.contact_plane
        ci.last_known_contact_plane_cell_id = ci.contact_plane_cell_id
        ci.last_known_contact_plane_is_water = ci.contact_plane_is_water
        oi.state |= OI_CONTACT
        if oi.is_valid_walkable(ci.contact_plane.normal):
            oi.state |= OI_ON_WALKABLE
        else:
            oi.state &= ~OI_ON_WALKABLE
    else:
        oi.state &= ~(OI_CONTACT | OI_ON_WALKABLE)
    return state


def _check_equals_curr(tr: Transition) -> bool:
    sp = tr.sp
    if sp.check.cell_id != sp.curr.cell_id or not sp.check.origin_equals(sp.curr):
        return False
    return not tr.rules.frame_equality or sp.check.turn_equals(sp.curr)


def _roll_back(tr: Transition) -> bool:
    """Back to the accepted position; True when the body stands there, which counts as having moved."""
    sp = tr.sp
    ci = tr.ci
    standing = False
    if ci.last_known_contact_plane_valid:
        tr.oi.stop_velocity()
        plane = ci.last_known_contact_plane
        # As it stands, though the plane may be of the next landblock: a slope is lost for a tick behind the border
        # (physics.md #11).
        if sp.global0.radius + EPSILON > abs(plane.dist(sp.curr_center0)):
            ci.set_contact_plane(plane, ci.last_known_contact_plane_is_water, ci.last_known_contact_plane_cell_id)
            standing = (tr.oi.state & OI_ON_WALKABLE) != 0
    if not ci.collision_normal_valid:
        ci.set_collision_normal((0.0, 0.0, 1.0))
    sp.set_check_pos(sp.curr, sp.curr_cell)
    tr.build_cell_array()
    return standing


def _count_stationary_frames(tr: Transition, moved: bool) -> None:
    """The third frame in which a body with gravity could not move makes up a level plane under its feet."""
    ci = tr.ci
    if moved:
        ci.frames_stationary_fall = 0
        return
    frames = ci.frames_stationary_fall
    if frames > 1:
        ci.frames_stationary_fall = 3
        sphere = tr.sp.global0
        ci.set_contact_plane(Plane((0.0, 0.0, 1.0), sphere.radius - sphere.center[2]), False, tr.sp.check.cell_id)
        if not tr.oi.state & OI_CONTACT:
            ci.set_collision_normal((0.0, 0.0, 1.0))
            ci.collided_with_environment = True
    else:
        ci.frames_stationary_fall = 2 if frames == 1 else 1
