"""How states stand and were come to, as the numbers in the columns; `How` and `Standing` of the forms name them."""

from __future__ import annotations

import math
from typing import Final

from engine.physics.body import Body
from engine.physics.flags import TS_CONTACT, TS_ON_WALKABLE

HOW_SEED: Final = 0
HOW_WALK: Final = 1
HOW_FALL: Final = 2
HOW_JUMP: Final = 3
LEVELS: Final = 4

FLOOR: Final = 0
STEEP: Final = 1
AIR: Final = 2
LOST: Final = 3
BEYOND: Final = 4


def standing_of(body: Body) -> int:
    """How a body stands now."""
    transient = body.transient
    if body.cell is None:
        return LOST
    if transient & TS_CONTACT:
        return FLOOR if transient & TS_ON_WALKABLE else STEEP
    return AIR


def turn_of(degrees: float) -> float:
    """The same turn by at most half a circle."""
    degrees = math.fmod(degrees, 360.0)
    if degrees > 180.0:
        return degrees - 360.0
    if degrees < -180.0:
        return degrees + 360.0
    return degrees
