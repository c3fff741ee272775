"""The ground under a body (physics.md 10.4)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.geometry.constants import EPSILON, FLOOR_Z
from engine.geometry.plane import Plane
from engine.geometry.sphere import Sphere
from engine.physics.flags import ADJUSTED, COLLIDED, OI_CONTACT, OI_IS_VIEWER, OI_ON_WALKABLE, OK

if TYPE_CHECKING:
    from engine.physics.sweep.transition import Transition


def validate_walkable(tr: Transition, sphere: Sphere, plane: Plane, water: bool, depth: float, cell_id: int) -> int:
    """A sphere over plane-like ground, both in the landblock frame of `cell_id`.

    Ground that is too steep for a walking body neither lifts nor carries it, and answers OK (physics.md
    #1): without a contact plane the body probes for ground, finds the steep plane, and slides off it along the contour
    (`edges`). Under `ace` (rule `steep_ground`) it answers ADJUSTED, the attempts run out, and the sub-step is rolled
    back with nothing to slide along.
    """
    if tr.oi.state & OI_IS_VIEWER:
        return _viewer(tr, sphere, plane)
    sp = tr.sp
    ci = tr.ci
    nx, ny, nz = plane.normal
    x, y, z = sphere.center
    # The lowest point of the sphere counts, not the nearest one.
    t = nx * x + ny * y + nz * (z - sphere.radius) + plane.d + depth
    grounded = (tr.oi.state & OI_CONTACT) != 0 or sp.step_down
    supports = sp.step_down or not tr.oi.state & OI_ON_WALKABLE or nz >= FLOOR_Z
    if t >= -EPSILON:
        if t > EPSILON:
            return OK
        if supports:
            ci.set_contact_plane(plane, water, cell_id)
        if not grounded:
            ci.set_collision_normal(plane.normal)
            ci.collided_with_environment = True
        return OK
    if sp.check_walkable:
        return COLLIDED
    lift = t / nz if nz != 0.0 else 0.0
    answer = ADJUSTED
    if supports:
        ci.set_contact_plane(plane, water, cell_id)
        if sp.step_down:
            interp = _interp_of(lift, sp.step_down_amt, sp.probe.interp)
            if interp >= sp.probe.interp or interp < -0.1:
                return COLLIDED
            sp.probe.interp = interp
        sp.add_offset_to_check_pos((0.0, 0.0, -lift))
    elif tr.rules.steep_ground:
        answer = OK
    if not grounded:
        ci.set_collision_normal(plane.normal)
        ci.collided_with_environment = True
    return answer


def _interp_of(lift: float, amount: float, interp: float) -> float:
    """Return the share of a probe that a lift leaves. With nothing left, the client computes an infinity or a NaN."""
    reach = amount * interp
    if reach == 0.0:
        return math.nan if interp == 0.0 else -math.inf
    return (1.0 + lift / reach) * interp


def _viewer(tr: Transition, sphere: Sphere, plane: Plane) -> int:
    """The camera is pushed back along its own motion, never when it began in a room and looks through the ground; one
    that is clear of the ground goes on wherever it began (physics.md #28)."""
    sp = tr.sp
    nx, ny, nz = plane.normal
    x, y, z = sphere.center
    t = nx * x + ny * y + nz * z + plane.d - sphere.radius
    begin = sp.begin
    from_room = begin is not None and (begin.cell_id & 0xFFFF) >= 0x100
    if t > -EPSILON:
        return OK
    cx, cy, cz = sp.curr_center0
    ox = x - cx
    oy = y - cy
    oz = z - cz
    along = ox * nx + oy * ny + oz * nz
    if along == 0.0:
        return OK
    a = t / along
    if (a <= 0.0 or a > 1.0) and from_room:
        return OK
    sp.add_offset_to_check_pos((-ox * a, -oy * a, -oz * a))
    tr.ci.set_collision_normal(plane.normal)
    tr.ci.collided_with_environment = True
    return ADJUSTED
