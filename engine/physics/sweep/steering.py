"""Restricts a motion to the planes of the previous sub-step (physics.md 5.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.geometry.constants import EPSILON
from engine.geometry.plane import Plane
from engine.geometry.vec import Vec3, normalize_check_small
from engine.world.cells.position import into_block

if TYPE_CHECKING:
    from engine.physics.sweep.transition import Transition


def adjust_offset(tr: Transition, offset: Vec3) -> Vec3:
    """The offset as the planes of the sub-step before leave it."""
    ci = tr.ci
    ox, oy, oz = offset
    slide = False
    sx, sy, sz = ci.sliding_normal
    into = ox * sx + oy * sy + oz * sz
    if ci.sliding_normal_valid:
        if into < 0.0:
            slide = True
        else:
            ci.sliding_normal_valid = False
    if not ci.contact_plane_valid:
        if slide:
            return (ox - sx * into, oy - sy * into, oz - sz * into)
        return offset
    plane = ci.contact_plane
    nx, ny, nz = plane.normal
    c = ox * nx + oy * ny + oz * nz
    if slide:
        vx = ny * sz - nz * sy
        vy = nz * sx - nx * sz
        vz = nx * sy - ny * sx
        small, v = normalize_check_small((vx, vy, vz))
        if small:
            offset = (0.0, 0.0, 0.0)
        else:
            along = v[0] * ox + v[1] * oy + v[2] * oz
            offset = (v[0] * along, v[1] * along, v[2] * along)
    elif c <= 0.0:
        offset = (ox - nx * c, oy - ny * c, oz - nz * c)
    else:
        offset = plane.snap_to_plane(offset)
    if ci.contact_plane_cell_id != 0 and not ci.contact_plane_is_water:
        _push_out_of_contact_plane(tr, plane)
    return offset


def _push_out_of_contact_plane(tr: Transition, plane: Plane) -> None:
    """Keep sphere 0 from sinking into what it stands on."""
    sp = tr.sp
    radius = sp.global0.radius
    t = plane.dist(into_block(tr.ci.contact_plane_cell_id, sp.check.cell_id, sp.global0.center))
    nz = plane.normal[2]
    if t >= radius - EPSILON or nz == 0.0:
        return
    z = (radius - t) / nz
    if radius > abs(z):
        sp.add_offset_to_check_pos((0.0, 0.0, z))
