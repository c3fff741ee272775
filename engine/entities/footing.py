"""Lets bodies fall whose ground an edit has removed.

Standing still asks for no floor, and a body on the ground looks for one no deeper than it steps down (physics.md
5.10, 7.1); in the client floors do not vanish. So the editor asks for them.
"""

from __future__ import annotations

from typing import Final

from engine.physics.body import Body
from engine.physics.flags import GRAVITY, TS_ACTIVE, TS_CONTACT, TS_ON_WALKABLE, TS_WATER_CONTACT

REACH: Final = 0.05
"""Metres down that a body has to fall freely to count as standing on nothing."""

MOST: Final = 0.045


def let_fall(bodies: dict[int, Body]) -> None:
    """Take the ground from all bodies that have none."""
    for body_id in sorted(bodies):
        body = bodies[body_id]
        if body.transient & TS_ON_WALKABLE and body.state & GRAVITY and falls_freely(body):
            body.transient &= ~(TS_CONTACT | TS_ON_WALKABLE | TS_WATER_CONTACT)
            body.transient |= TS_ACTIVE
            body.calc_acceleration()


def falls_freely(body: Body) -> bool:
    """Whether nothing is under a body: a sweep straight down completes without landing."""
    cell = body.cell
    if cell is None:
        return False
    tr = body.new_transition()
    tr.observer = None
    end = body.place.copy()
    x, y, z = end.origin
    end.origin = (x, y, z - REACH)
    tr.init_path(cell, body.place.copy(), end)
    if not tr.find_valid_position() or tr.sp.curr_cell is None or tr.ci.contact_plane_valid:
        return False
    return z - tr.sp.curr.origin[2] > MOST
