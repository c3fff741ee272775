"""A body against a sphere object (physics.md 4.3).

Landing and stepping down round to single precision, as 13.12 does for polygons: a body that was just put onto a sphere
meets its boundary exactly in the next pass, and whether a landed body keeps a last trace of velocity hangs on the
normal's last bit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.geometry.constants import EPSILON, LANDING_Z
from engine.geometry.plane import Plane
from engine.geometry.polygon import find_time_of_collision
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, normalize_check_small, r24, r24v
from engine.physics.flags import (
    ADJUSTED,
    COLLIDED,
    OI_CONTACT,
    OI_ON_WALKABLE,
    OI_PATH_CLIPPED,
    OI_PERFECT_CLIP,
    OK,
    PLACEMENT,
    SLID,
)
from engine.physics.sweep.slide import slide_sphere
from engine.physics.sweep.stepping import step_up, step_up_slide
from engine.world.cells.landdefs import block_offset

if TYPE_CHECKING:
    from engine.physics.sweep.transition import Transition


def sphere_intersects(tr: Transition, c: Vec3, radius: float, is_creature: bool) -> int:
    """The dispatch for a sphere of `radius` around `c`, given in the landblock frame of the candidate."""
    sp = tr.sp
    g0 = sp.global0
    reach = r24(r24(g0.radius + radius) - EPSILON)  # sphere 0's radius serves for both spheres
    x, y, z = g0.center
    d0: Vec3 = (x - c[0], y - c[1], z - c[2])
    hit0 = d0[0] * d0[0] + d0[1] * d0[1] + d0[2] * d0[2] <= reach * reach
    hit1 = False
    if sp.num_sphere > 1:
        x, y, z = sp.global1.center
        x -= c[0]
        y -= c[1]
        z -= c[2]
        hit1 = x * x + y * y + z * z <= reach * reach
    if sp.obstruction_ethereal or sp.insert_type == PLACEMENT:
        return COLLIDED if hit0 or hit1 else OK
    if sp.step_down:
        if is_creature or not (hit0 or hit1):
            return OK
        return _step_sphere_down(tr, c, radius, d0, reach)
    if sp.check_walkable:
        return COLLIDED if hit0 or hit1 else OK
    if sp.collide:
        if is_creature or (tr.rules.sphere_land_single and not (hit0 or hit1)):
            return OK
        if sp.num_sphere > 1 and not (hit0 or hit1):
            return OK
        return _land(tr, d0, reach)
    if tr.oi.state & (OI_CONTACT | OI_ON_WALKABLE):
        if hit0:
            return _step_sphere_up(tr, c, d0, reach)
        if hit1:
            return _object_slide(tr, c, sp.global1, sp.curr_center1)
    elif tr.oi.state & OI_PATH_CLIPPED:
        if hit0:
            return _collide_with_point(tr, c, g0, sp.curr_center0, reach)
    else:
        if hit0:
            return _land_on_sphere(tr, c)
        if hit1:
            return _collide_with_point(tr, c, sp.global1, sp.curr_center1, reach)
    return OK


def _land(tr: Transition, d0: Vec3, reach: float) -> int:
    """Finish a landing on top of the sphere: go back along the motion until the two touch."""
    sp = tr.sp
    g0 = sp.global0
    cx, cy, cz = sp.curr_center0
    ox, oy, oz = block_offset(sp.curr.cell_id, sp.check.cell_id)
    mx = cx - g0.center[0] - ox
    my = cy - g0.center[1] - oy
    mz = cz - g0.center[2] - oz
    reach = r24(reach + EPSILON)
    m2 = r24(mx * mx + my * my + mz * mz)
    b = -r24(mx * d0[0] + my * d0[1] + mz * d0[2])
    if m2 < EPSILON:
        return COLLIDED
    outside = r24(r24(d0[0] * d0[0] + d0[1] * d0[1] + d0[2] * d0[2]) - r24(reach * reach))
    disc = r24(r24(b * b) - r24(outside * m2))
    if not disc >= 0.0:
        return COLLIDED if tr.rules.sphere_land_miss else OK
    t = r24(r24(math.sqrt(disc)) + b)
    if t > 1.0:
        t = r24(2.0 * b - t)
    t = r24(t / m2)
    interp = r24(r24(1.0 - t) * sp.probe.interp)
    if interp >= sp.probe.interp or interp < -0.1:
        return COLLIDED
    mx, my, mz = r24v((mx * t, my * t, mz * t))
    n = r24v(((d0[0] + mx) / reach, (d0[1] + my) / reach, (d0[2] + mz) / reach))
    if not n[2] > sp.probe.allowance:
        return OK
    x, y, z = g0.center
    px = x - n[0] * g0.radius
    py = y - n[1] * g0.radius
    pz = z - n[2] * g0.radius
    # Standing on an object counts as water: it disables the push of adjust_offset (5.5).
    tr.ci.set_contact_plane(Plane(n, -(n[0] * px + n[1] * py + n[2] * pz)), True, sp.check.cell_id)
    sp.probe.interp = interp
    sp.add_offset_to_check_pos((mx, my, mz))
    return ADJUSTED


def _step_sphere_down(tr: Transition, c: Vec3, radius: float, d: Vec3, reach: float) -> int:
    """Rest on the sphere; a head that touches while the foot's column misses it gives not-a-number: COLLIDED."""
    sp = tr.sp
    s = sp.step_down_amt * sp.probe.interp
    if abs(s) < EPSILON:
        return COLLIDED
    reach = r24(reach + EPSILON)
    rise2 = reach * reach - (d[0] * d[0] + d[1] * d[1])
    if not rise2 >= 0.0:
        return COLLIDED
    f = (math.sqrt(rise2) - d[2]) / s
    interp = r24(r24(1.0 - f) * sp.probe.interp)
    if interp >= sp.probe.interp or interp < -0.1:
        return COLLIDED
    lift = s * f
    n = r24v((d[0] / reach, d[1] / reach, (d[2] + lift) / reach))
    if n[2] <= sp.probe.allowance:
        return OK
    px = n[0] * radius + c[0]
    py = n[1] * radius + c[1]
    pz = n[2] * radius + c[2]
    tr.ci.set_contact_plane(Plane(n, -(n[0] * px + n[1] * py + n[2] * pz)), True, sp.check.cell_id)
    sp.probe.interp = interp
    sp.add_offset_to_check_pos((0.0, 0.0, lift))
    return ADJUSTED


def _step_sphere_up(tr: Transition, c: Vec3, d: Vec3, reach: float) -> int:
    reach += EPSILON
    if tr.oi.step_up_height < reach - d[2]:
        return _slide_off(tr, c, d)
    x, y, z = tr.sp.curr_center0
    if step_up(tr, (x - c[0], y - c[1], z - c[2])):
        return OK
    return step_up_slide(tr)


def _object_slide(tr: Transition, c: Vec3, sphere: Sphere, current: Vec3) -> int:
    small, n = normalize_check_small((current[0] - c[0], current[1] - c[1], current[2] - c[2]))
    if small:
        return COLLIDED
    return slide_sphere(tr, sphere.center, n, current)


def _slide_off(tr: Transition, c: Vec3, d0: Vec3) -> int:
    """The foot against a sphere too high for it: 4.2 with an end of its own after the crease case
    (physics.md #16)."""
    sp = tr.sp
    ci = tr.ci
    current = sp.curr_center0
    small, n = normalize_check_small((current[0] - c[0], current[1] - c[1], current[2] - c[2]))
    if small:
        return COLLIDED
    plane = ci.contact_plane if ci.contact_plane_valid else ci.last_known_contact_plane
    px, py, pz = plane.normal
    dx = n[1] * pz - n[2] * py
    dy = n[2] * px - n[0] * pz
    dz = n[0] * py - n[1] * px
    if dx * dx + dy * dy + dz * dz >= EPSILON:
        return slide_sphere(tr, sp.global0.center, n, current)
    ci.set_collision_normal(n)
    if px * d0[0] + py * d0[1] + pz * d0[2] < 0.0:
        return _told(tr, n, COLLIDED)
    ox, oy, oz = block_offset(sp.curr.cell_id, sp.check.cell_id)
    x, y, z = sp.global0.center
    into = n[0] * (x - current[0] + ox) + n[1] * (y - current[1] + oy) + n[2] * (z - current[2] + oz)
    sp.add_offset_to_check_pos((-n[0] * into, -n[1] * into, -n[2] * into))
    return _told(tr, n, SLID)


def _told(tr: Transition, n: Vec3, state: int) -> int:
    if tr.observer is not None:
        tr.observer.slid(tr, n, state)
    return state


def _land_on_sphere(tr: Transition, c: Vec3) -> int:
    x, y, z = tr.sp.curr_center0
    small, n = normalize_check_small((x - c[0], y - c[1], z - c[2]))
    if small:
        return COLLIDED
    tr.sp.set_collide(n)
    tr.sp.probe.allowance = LANDING_Z
    return ADJUSTED


def _collide_with_point(tr: Transition, c: Vec3, sphere: Sphere, current: Vec3, reach: float) -> int:
    sp = tr.sp
    rel: Vec3 = (current[0] - c[0], current[1] - c[1], current[2] - c[2])
    if not tr.oi.state & OI_PERFECT_CLIP:
        small, n = normalize_check_small(rel)
        if not small:
            tr.ci.set_collision_normal(n)
        return COLLIDED
    ox, oy, oz = block_offset(sp.curr.cell_id, sp.check.cell_id)
    x, y, z = sphere.center
    fx = x - current[0] + ox
    fy = y - current[1] + oy
    fz = z - current[2] + oz
    t = find_time_of_collision((fx, fy, fz), rel, reach + EPSILON)
    if t < EPSILON or t > 1.0:
        return COLLIDED
    # The way back from the candidate to the touching point, never the whole displacement (4.3).
    bx = fx * t - fx
    by = fy * t - fy
    bz = fz * t - fz
    tr.ci.set_collision_normal(((bx + x - c[0]) / reach, (by + y - c[1]) / reach, (bz + z - c[2]) / reach))
    sp.add_offset_to_check_pos((bx, by, bz))
    return ADJUSTED
