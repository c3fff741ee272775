"""At an edge: fall, slide along it, or stop (physics.md 5.13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.geometry.plane import Plane
from engine.geometry.vec import normalize_check_small
from engine.physics.flags import ADJUSTED, COLLIDED, OI_EDGE_SLIDE, OI_ON_WALKABLE, OK
from engine.physics.sweep.slide import slide_sphere
from engine.physics.sweep.stepping import step_down
from engine.physics.sweep.trace import CLIFF_SLIDE, PRECIPICE_SLIDE, SEARCH_BEHIND
from engine.world.cells.landdefs import block_offset

if TYPE_CHECKING:
    from engine.physics.sweep.transition import Transition


def edge_slide(tr: Transition, height: float, zval: float) -> tuple[bool, int]:
    """The ground probe failed: fall, slide along the edge, or stop. (done, state); not done means try again."""
    sp = tr.sp
    ci = tr.ci
    edge = OI_ON_WALKABLE | OI_EDGE_SLIDE
    if tr.oi.state & edge != edge:
        return _let_fall(tr)
    if ci.contact_plane_valid and ci.contact_plane.normal[2] < zval:
        return (False, _slide_off_steep_ground(tr))
    if sp.walkable is not None:
        state = _slide_along_known_edge(tr)
        return (state == COLLIDED, state)
    if ci.contact_plane_valid:
        return _let_fall(tr)
    return _search_behind(tr, height, zval)


def _let_fall(tr: Transition) -> tuple[bool, int]:
    tr.sp.walkable = None
    tr.sp.restore_check_pos()
    tr.ci.clear_contact_plane()
    tr.sp.cell_array_valid = True
    return (True, OK)


def _slide_off_steep_ground(tr: Transition) -> int:
    sp = tr.sp
    plane = tr.ci.contact_plane
    if tr.rules.edge_slide_order:
        sp.walkable = None
        sp.restore_check_pos()
        state = _cliff_slide(tr, plane)
    else:
        state = _cliff_slide(tr, plane)
        sp.walkable = None
        sp.restore_check_pos()
    tr.ci.clear_contact_plane()
    return state


def _slide_along_known_edge(tr: Transition) -> int:
    sp = tr.sp
    if tr.rules.edge_slide_order:
        sp.restore_check_pos()
        tr.ci.clear_contact_plane()
        return precipice_slide(tr)
    state = precipice_slide(tr)
    sp.restore_check_pos()
    tr.ci.clear_contact_plane()
    return state


def _search_behind(tr: Transition, height: float, zval: float) -> tuple[bool, int]:
    """Look for the surface at the place the body came from."""
    sp = tr.sp
    x, y, z = sp.curr_center0
    cx, cy, cz = sp.global0.center
    sp.add_offset_to_check_pos((x - cx, y - cy, z - cz))
    tr.probe_begins(SEARCH_BEHIND, height, zval)
    step_down(tr, height, zval)
    tr.probe_ends(SEARCH_BEHIND, COLLIDED if sp.walkable is None else OK)
    tr.ci.clear_contact_plane()
    sp.restore_check_pos()
    if sp.walkable is not None:
        sp.cache_local_space_sphere(sp.walkable_cell_id, sp.walkable_frame, sp.walkable_scale)
        sp.walkable_check = sp.space0.copy()
        state = precipice_slide(tr)
        return (state == COLLIDED, state)
    sp.cell_array_valid = True
    return (True, COLLIDED)


def _cliff_slide(tr: Transition, plane: Plane) -> int:
    """Push back along the contour between two slopes. The sign looks wrong and is what all sources have."""
    tr.probe_begins(CLIFF_SLIDE)
    sp = tr.sp
    px, py, pz = plane.normal
    kx, ky, kz = tr.ci.last_known_contact_plane.normal
    cx = py * kz - pz * ky
    cy = pz * kx - px * kz
    small, n = normalize_check_small((-cy, cx, 0.0))
    if small:
        return tr.probe_ends(CLIFF_SLIDE, OK)
    x, y, z = sp.global0.center
    ox, oy, oz = block_offset(sp.curr.cell_id, sp.check.cell_id)
    qx, qy, qz = sp.curr_center0
    a = n[0] * (x - qx + ox) + n[1] * (y - qy + oy) + n[2] * (z - qz + oz)
    if a <= 0.0:
        sp.add_offset_to_check_pos((n[0] * a, n[1] * a, n[2] * a))
        tr.ci.set_collision_normal(n)
    else:
        sp.add_offset_to_check_pos((n[0] * -a, n[1] * -a, n[2] * -a))
        tr.ci.set_collision_normal((-n[0], -n[1], -n[2]))
    return tr.probe_ends(CLIFF_SLIDE, ADJUSTED)


def precipice_slide(tr: Transition) -> int:
    """Slide along the edge of the polygon that is being left."""
    tr.probe_begins(PRECIPICE_SLIDE)
    return tr.probe_ends(PRECIPICE_SLIDE, _slide_along_edge(tr))


def _slide_along_edge(tr: Transition) -> int:
    sp = tr.sp
    walkable = sp.walkable
    if walkable is None:
        return COLLIDED
    crossed = walkable.find_crossed_edge(sp.walkable_check, sp.walkable_up)
    sp.walkable = None
    if crossed is None:
        return COLLIDED
    sp.step_up = False
    nx, ny, nz = sp.walkable_frame.local_to_global_vec(crossed)
    x, y, z = sp.global0.center
    cx, cy, cz = sp.curr_center0
    ox, oy, oz = block_offset(sp.curr.cell_id, sp.check.cell_id)
    if nx * (x - cx + ox) + ny * (y - cy + oy) + nz * (z - cz + oz) > 0.0:
        nx = -nx
        ny = -ny
        nz = -nz
    return slide_sphere(tr, sp.global0.center, (nx, ny, nz), sp.curr_center0)
