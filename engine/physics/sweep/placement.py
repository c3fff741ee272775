"""Finding room for a body that appears somewhere (physics.md 5.15, 5.16)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from engine.geometry.constants import EPSILON, LANDING_Z
from engine.geometry.elementary import cos, sin
from engine.geometry.vec import Vec3, length
from engine.physics.flags import ADJUSTED, COLLIDED, INITIAL_PLACEMENT, INVALID, OK, PLACEMENT, SLID, TRANSITION
from engine.physics.objects.physics_object import PhysicsObj, find_obj_collisions
from engine.physics.sweep.steering import adjust_offset
from engine.physics.sweep.stepping import probe_in_reach
from engine.physics.sweep.trace import PLACEMENT_SPOT, PLACEMENT_START

if TYPE_CHECKING:
    from engine.physics.sweep.transition import Transition

_SEARCH_RADIUS: Final = 4.0
_TINY_SEARCH_RADIUS: Final = 2.0
_TINY_SPHERE: Final = 0.125
_USUAL_SPHERE: Final = 0.48
_ATTEMPTS: Final = 3


def find_placement_position(tr: Transition) -> bool:
    """Out of solid space, then to a free place nearby, then down onto the ground."""
    sp = tr.sp
    sp.set_check_pos(sp.curr, sp.curr_cell)
    sp.insert_type = INITIAL_PLACEMENT
    if tr.observer is not None:
        tr.observer.probe_begins(tr, PLACEMENT_START, 0.0, 0.0)
    state = _validate_placement(tr, _placement_insert(tr), True)
    if tr.observer is not None:
        tr.observer.probe_ends(tr, PLACEMENT_START, state)
    if state != OK:
        return False
    sp.insert_type = PLACEMENT
    if not _find_placement_pos(tr):
        return False
    if not tr.oi.step_down:
        return _validate_placement(tr, OK, True) == OK
    sp.probe.allowance = LANDING_Z
    sp.save_check_pos()
    sp.backup_insert_type = sp.insert_type
    insert_type = sp.insert_type
    sp.insert_type = TRANSITION
    if probe_in_reach(tr, tr.oi.step_down_height, LANDING_Z) >= 0.0:
        sp.restore_check_pos()
        tr.ci.clear_contact_plane()
    sp.insert_type = insert_type
    sp.walkable = None
    return _validate_placement(tr, OK, True) == OK


def _placement_insert(tr: Transition) -> int:
    state = tr.insert_into_cell(tr.sp.check_cell, _ATTEMPTS)  # COLLIDED when the candidate is in no cell
    if state == OK:
        state = tr.check_other_cells(tr.sp.check_cell)
    return state


def _validate_placement(tr: Transition, state: int, adjust: bool) -> int:
    if tr.sp.check_cell is None:
        return COLLIDED
    if state == OK:
        _accept(tr)
    elif adjust and (state in (ADJUSTED, SLID)):
        return _validate_placement(tr, _placement_insert(tr), False)
    return state


def _accept(tr: Transition) -> None:
    sp = tr.sp
    sp.curr.set_to(sp.check)
    sp.curr_cell = sp.check_cell
    sp.cache_global_curr_center()


def _validate_placement_transition(tr: Transition, state: int) -> int:
    """While searching: a blocked attempt starts the next one afresh (rule `placement_reset`)."""
    sp = tr.sp
    if sp.check_cell is None:
        return COLLIDED
    if state == OK:
        _accept(tr)
    elif state != INVALID and sp.placement_allows_sliding:
        if tr.rules.placement_reset:
            tr.ci.reset()
        elif tr.oi.target_id == 0:
            tr.ci.forget_objects()
    return state


def _try_here(tr: Transition) -> bool:
    tr.ci.sliding_normal_valid = False
    tr.ci.clear_contact_plane()
    if tr.observer is not None:
        tr.observer.probe_begins(tr, PLACEMENT_SPOT, 0.0, 0.0)
    state = _validate_placement_transition(tr, tr.transitional_insert(_ATTEMPTS))
    if tr.observer is not None:
        tr.observer.probe_ends(tr, PLACEMENT_SPOT, state)
    return state == OK


def _find_placement_pos(tr: Transition) -> bool:
    """Here, else on growing rings around here."""
    sp = tr.sp
    sp.set_check_pos(sp.curr, sp.curr_cell)
    if _try_here(tr):
        return True
    if not sp.placement_allows_sliding:
        return False
    radius = sp.local0.radius
    tiny = radius < _TINY_SPHERE
    if not tiny and radius < _USUAL_SPHERE:
        radius = _USUAL_SPHERE
    rings = _SEARCH_RADIUS / radius if radius > 0.0 else 0.0
    if tiny:
        rings *= 0.5
    if rings <= 1.0:
        return False
    count = math.ceil(rings)
    ring_step = (_TINY_SEARCH_RADIUS if tiny else _SEARCH_RADIUS) / float(count)
    angle_step = math.pi * ring_step / radius
    for ring in range(1, count + 1):
        around = 2 * math.ceil(angle_step * float(ring))
        for spot in range(around):
            heading = math.radians(360.0 / float(around) * float(spot))
            distance = ring_step * float(ring)
            sp.set_check_pos(sp.curr, sp.curr_cell)
            offset: Vec3 = (sin(heading) * distance, cos(heading) * distance, 0.0)
            offset = adjust_offset(tr, offset)
            if length(offset) >= EPSILON:
                sp.add_offset_to_check_pos(offset)
                if _try_here(tr):
                    return True
    return False


def check_collisions(tr: Transition, obj: PhysicsObj) -> bool:
    """Whether the body, where it is, overlaps that object now (5.15)."""
    sp = tr.sp
    sp.insert_type = PLACEMENT
    sp.set_check_pos(sp.curr, sp.curr_cell)
    return find_obj_collisions(tr, obj) != OK
