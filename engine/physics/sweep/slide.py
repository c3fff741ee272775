"""Sliding the body along what it hit (physics.md 4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.geometry.constants import EPSILON
from engine.geometry.vec import Vec3, normalize_check_small
from engine.physics.flags import ADJUSTED, COLLIDED, OK, SLID
from engine.world.cells.landdefs import block_offset

if TYPE_CHECKING:
    from engine.physics.sweep.transition import Transition

# Where the caller's normal is stored; `ace` overwrites it when two surfaces oppose each other.
PASSING_NORMAL: Final = 0
STEP_UP_NORMAL: Final = 1
NEG_COLLISION_NORMAL: Final = 2


def slide_sphere(tr: Transition, centre: Vec3, n: Vec3, current: Vec3, stored: int = PASSING_NORMAL) -> int:
    """Slide a global sphere at `centre` that came from `current` along a surface of normal `n`."""
    state = _slide(tr, centre, n, current, stored)
    if tr.observer is not None:
        tr.observer.slid(tr, n, state)
    return state


def _slide(tr: Transition, centre: Vec3, n: Vec3, current: Vec3, stored: int) -> int:
    """Squared lengths are compared with EPSILON itself, not with its square."""
    sp = tr.sp
    ci = tr.ci
    cx, cy, cz = current
    gx = centre[0] - cx
    gy = centre[1] - cy
    gz = centre[2] - cz
    if n[0] == 0.0 and n[1] == 0.0 and n[2] == 0.0:
        sp.add_offset_to_check_pos((-gx * 0.5, -gy * 0.5, -gz * 0.5))
        return ADJUSTED
    ci.set_collision_normal(n)
    if sp.curr.cell_id >> 16 != sp.check.cell_id >> 16:
        ox, oy, oz = block_offset(sp.curr.cell_id, sp.check.cell_id)
        gx += ox
        gy += oy
        gz += oz
    plane = ci.contact_plane if ci.contact_plane_valid else ci.last_known_contact_plane
    nx, ny, nz = n
    px, py, pz = plane.normal
    dx = ny * pz - nz * py
    dy = nz * px - nx * pz
    dz = nx * py - ny * px
    d2 = dx * dx + dy * dy + dz * dz
    if d2 >= EPSILON:
        along = (dx * gx + dy * gy + dz * gz) / d2
        dx *= along
        dy *= along
        dz *= along
        if dx * dx + dy * dy + dz * dz < EPSILON:
            return COLLIDED
        sp.add_offset_to_check_pos((dx - gx, dy - gy, dz - gz))
        return SLID
    if nx * px + ny * py + nz * pz >= 0.0:
        into = nx * gx + ny * gy + nz * gz
        sp.add_offset_to_check_pos((-nx * into, -ny * into, -nz * into))
        return SLID
    return _opposing_surfaces(tr, (-gx, -gy, -gz), stored)


def _opposing_surfaces(tr: Transition, back: Vec3, stored: int) -> int:
    small, unit = normalize_check_small(back)
    if not small:
        tr.ci.set_collision_normal(unit)
    if tr.rules.slide_opposing:
        return COLLIDED
    if stored == STEP_UP_NORMAL:
        tr.sp.step_up_normal = unit
    elif stored == NEG_COLLISION_NORMAL:
        tr.sp.neg_collision_normal = unit
    return OK
