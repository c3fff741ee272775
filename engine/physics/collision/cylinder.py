"""A body against an upright cylinder object (physics.md 4.4)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from mypy_extensions import mypyc_attr

from engine.geometry.constants import EPSILON, LANDING_Z
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, normalize_check_small, r24
from engine.physics.flags import (
    ADJUSTED,
    COLLIDED,
    OI_CONTACT,
    OI_ON_WALKABLE,
    OI_PATH_CLIPPED,
    OI_PERFECT_CLIP,
    OK,
    PLACEMENT,
)
from engine.physics.sweep.slide import slide_sphere
from engine.physics.sweep.stepping import step_up, step_up_slide
from engine.world.cells.landdefs import block_offset

if TYPE_CHECKING:
    from engine.physics.sweep.transition import Transition


@mypyc_attr(free_list_len=1)
class UprightCylinder:
    """The cylinder in the landblock frame of the candidate, and the body's spheres as seen from its low point."""

    low: Vec3
    height: float
    reach: float
    d0: Vec3
    d1: Vec3
    hit0: bool
    hit1: bool

    def __init__(self, tr: Transition, low: Vec3, radius: float, height: float) -> None:
        sp = tr.sp
        self.low = low
        self.height = height
        self.reach = radius - EPSILON + sp.global0.radius
        self.d0 = _minus(sp.global0.center, low)
        self.hit0 = self.hit(sp.global0, self.d0)
        self.d1 = self.d0
        self.hit1 = False
        if sp.num_sphere > 1:
            self.d1 = _minus(sp.global1.center, low)
            self.hit1 = self.hit(sp.global1, self.d1)

    def hit(self, sphere: Sphere, d: Vec3) -> bool:
        return d[0] * d[0] + d[1] * d[1] <= self.reach * self.reach and self.level_with(sphere, d[2])

    def level_with(self, sphere: Sphere, z: float) -> bool:
        """The sphere's height range overlaps the cylinder's."""
        half = self.height * 0.5
        return sphere.radius - EPSILON + half >= abs(half - z)


def cylinder_intersects(tr: Transition, low: Vec3, radius: float, height: float, frame: Frame) -> int:
    """The dispatch; `low` is in the landblock frame of the candidate, `frame` is the object's."""
    sp = tr.sp
    cyl = UprightCylinder(tr, low, radius, height)
    touched = cyl.hit0 or cyl.hit1
    if sp.obstruction_ethereal or sp.insert_type == PLACEMENT:
        return COLLIDED if touched else OK
    if sp.step_down:
        return _step_sphere_down(tr, cyl) if touched else OK
    if sp.check_walkable:
        return COLLIDED if touched else OK
    if sp.collide:
        return _land(tr, cyl) if touched else OK
    if tr.oi.state & (OI_CONTACT | OI_ON_WALKABLE):
        if cyl.hit0:
            return _step_sphere_up(tr, cyl, frame)
        if cyl.hit1:
            d_check = cyl.d1 if tr.rules.cyl_slide_head else cyl.d0
            return _cyl_slide(tr, cyl, sp.global1, sp.curr_center1, d_check)
    elif tr.oi.state & OI_PATH_CLIPPED:
        if cyl.hit0:
            return _collide_with_point(tr, cyl, sp.global0, sp.curr_center0, cyl.d0)
    else:
        if cyl.hit0:
            return _land_on_cylinder(tr, cyl)
        if cyl.hit1:
            return _collide_with_point(tr, cyl, sp.global1, sp.curr_center1, cyl.d1)
    return OK


def _minus(a: Vec3, b: Vec3) -> Vec3:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _collision_normal(cyl: UprightCylinder, sphere: Sphere, current: Vec3, d_check: Vec3) -> tuple[Vec3, bool]:
    """Outwards when the sphere came from outside the infinite column, else up or down; and whether that is certain."""
    dx, dy, dz = _minus(current, cyl.low)
    if cyl.reach * cyl.reach < dx * dx + dy * dy:
        definite = cyl.level_with(sphere, dz) or abs(dz - d_check[2]) <= EPSILON
        return ((dx, dy, 0.0), definite)
    return ((0.0, 0.0, 1.0 if d_check[2] - dz <= 0.0 else -1.0), True)


def _step_sphere_up(tr: Transition, cyl: UprightCylinder, frame: Frame) -> int:
    """The client turns the normal, global already, once more by the object's frame (physics.md #17)."""
    sp = tr.sp
    if tr.oi.step_up_height < sp.global0.radius + cyl.height - cyl.d0[2]:
        return _cyl_slide(tr, cyl, sp.global0, sp.curr_center0, cyl.d0)
    n, _ = _collision_normal(cyl, sp.global0, sp.curr_center0, cyl.d0)
    small, unit = normalize_check_small(n)
    if small:
        return COLLIDED
    if step_up(tr, frame.local_to_global_vec(unit)):
        return OK
    return step_up_slide(tr)


def _cyl_slide(tr: Transition, cyl: UprightCylinder, sphere: Sphere, current: Vec3, d_check: Vec3) -> int:
    """Under `ace` the foot's displacement decides for the head too (rule `cyl_slide_head`)."""
    n, _ = _collision_normal(cyl, sphere, current, d_check)
    small, unit = normalize_check_small(n)
    if small:
        return COLLIDED
    return slide_sphere(tr, sphere.center, unit, current)


def _land_on_cylinder(tr: Transition, cyl: UprightCylinder) -> int:
    n, _ = _collision_normal(cyl, tr.sp.global0, tr.sp.curr_center0, cyl.d0)
    small, unit = normalize_check_small(n)
    if small:
        return COLLIDED
    tr.sp.set_collide(unit)
    tr.sp.probe.allowance = LANDING_Z
    return ADJUSTED


def _land(tr: Transition, cyl: UprightCylinder) -> int:
    """Finish a landing on the top disc: go back along the motion to its height."""
    sp = tr.sp
    x, y, z = sp.global0.center
    ox, oy, oz = block_offset(sp.curr.cell_id, sp.check.cell_id)
    mx = sp.curr_center0[0] - x - ox
    my = sp.curr_center0[1] - y - oy
    mz = sp.curr_center0[2] - z - oz
    if abs(mz) < EPSILON:
        return COLLIDED
    t = (cyl.height + sp.global0.radius - cyl.d0[2]) / mz
    mx *= t
    my *= t
    mz *= t
    fx = mx + cyl.d0[0]
    fy = my + cyl.d0[1]
    if cyl.reach * cyl.reach < fx * fx + fy * fy:
        return OK
    interp = r24(r24(1.0 - t) * sp.probe.interp)
    if interp >= sp.probe.interp or interp < -0.1:
        return COLLIDED
    top = z + mz - sp.global0.radius
    tr.ci.set_contact_plane(Plane((0.0, 0.0, 1.0), -top), True, sp.check.cell_id)
    sp.probe.interp = interp
    sp.add_offset_to_check_pos((mx, my, mz))
    return ADJUSTED


def _step_sphere_down(tr: Transition, cyl: UprightCylinder) -> int:
    """Rest on the top disc."""
    sp = tr.sp
    s = sp.step_down_amt * sp.probe.interp
    if abs(s) < EPSILON:
        return COLLIDED
    dz = cyl.height + sp.global0.radius - cyl.d0[2]
    interp = r24(r24(1.0 - r24(dz / s)) * sp.probe.interp)
    if interp >= sp.probe.interp or interp < -0.1:
        return COLLIDED
    top = sp.global0.center[2] + dz - sp.global0.radius
    cell_id = sp.check.cell_id if tr.rules.cyl_step_down_cell else tr.ci.contact_plane_cell_id
    tr.ci.set_contact_plane(Plane((0.0, 0.0, 1.0), -top), True, cell_id)
    sp.probe.interp = interp
    sp.add_offset_to_check_pos((0.0, 0.0, dz))
    return ADJUSTED


def _collide_with_point(tr: Transition, cyl: UprightCylinder, sphere: Sphere, current: Vec3, d: Vec3) -> int:
    """Missiles, and the head in the air."""
    raw, definite = _collision_normal(cyl, sphere, current, d)
    small, n = normalize_check_small(raw)
    if small:
        return COLLIDED
    if not tr.oi.state & OI_PERFECT_CLIP:
        tr.ci.set_collision_normal(n)
        return COLLIDED
    return _clip_exactly(tr, cyl, sphere, n, definite)


def _clip_exactly(tr: Transition, cyl: UprightCylinder, sphere: Sphere, n: Vec3, definite: bool) -> int:
    """PERFECT_CLIP: move back to where the sphere touches the side or a cap."""
    sp = tr.sp
    cur = sp.curr_center0
    shift = block_offset(sp.curr.cell_id, sp.check.cell_id)
    m: Vec3 = (
        shift[0] + sphere.center[0] - cur[0],
        shift[1] + sphere.center[1] - cur[1],
        shift[2] + sphere.center[2] - cur[2],
    )
    o = _minus(cur, cyl.low)
    reach = cyl.reach + EPSILON
    if definite and n[2] == 0.0:
        t = _side_time(m, o, reach)
        n = ((m[0] * t + o[0]) / reach, (m[1] * t + o[1]) / reach, 0.0)
    else:
        if not definite:
            n = (0.0, 0.0, -1.0) if m[2] > 0.0 else (0.0, 0.0, 1.0)
        t = _cap_time(m, o, sphere.radius, cyl.height)
        if not definite and t != _NEVER:
            fx = m[0] * t + o[0]
            fy = m[1] * t + o[1]
            if fx * fx + fy * fy >= reach * reach:
                if m[0] * m[0] + m[1] * m[1] < EPSILON:
                    return COLLIDED
                side = _side_time(m, o, reach)
                if side != _NEVER:
                    t = side
                n = ((m[0] * t + o[0]) / reach, (m[1] * t + o[1]) / reach, 0.0)
    if t < 0.0 or t > 1.0:
        return COLLIDED
    sp.add_offset_to_check_pos(
        (
            cur[0] + m[0] * t - sphere.center[0],
            cur[1] + m[1] * t - sphere.center[1],
            cur[2] + m[2] * t - sphere.center[2],
        )
    )
    tr.ci.set_collision_normal(n)
    return ADJUSTED


_NEVER: Final = -1.0


def _side_time(m: Vec3, o: Vec3, reach: float) -> float:
    m2 = m[0] * m[0] + m[1] * m[1]
    b = -(m[0] * o[0] + m[1] * o[1])
    disc = b * b - (o[0] * o[0] + o[1] * o[1] - reach * reach) * m2
    if not disc >= 0.0 or m2 < EPSILON:
        return _NEVER
    q = math.sqrt(disc)
    if b - q < 0.0:
        return (b + q) / m2
    return (b - q) / m2


def _cap_time(m: Vec3, o: Vec3, radius: float, height: float) -> float:
    if abs(m[2]) < EPSILON:
        return _NEVER
    if m[2] > 0.0:
        return -(o[2] + radius) / m[2]
    return (radius + height - o[2]) / m[2]
