"""Finds the door in front of the player."""

from __future__ import annotations

import math
from typing import Final

from engine.entities.door import Door
from engine.geometry.vec import Vec3
from engine.sim.tick.simulation import Simulation
from engine.world.cells.position import into_block

REACH: Final = 3.0
"""The largest distance to a door's middle, in metres."""
TO_THE_SIDE: Final = 75.0
"""The largest angle between the player's heading and the door, in degrees."""


def door_ahead(sim: Simulation) -> Door | None:
    """The nearest door within reach that the player faces."""
    here = sim.player.steered.place
    best: tuple[float, Door] | None = None
    for door in sim.population.doors:
        away = _flat(here.origin, into_block(here.cell_id, door.place_cell(), _middle(door)))
        size = math.hypot(*away)
        if size > REACH:
            continue
        turn = (math.degrees(math.atan2(away[0], away[1])) - here.turn.heading() + 180.0) % 360.0 - 180.0
        if (abs(turn) <= TO_THE_SIDE or size < 0.5) and (best is None or size < best[0]):
            best = (size, door)
    return None if best is None else best[1]


def _middle(door: Door) -> Vec3:
    """The place of its leaf when closed; a door's origin is not always there."""
    sphere = door.setup.sorting_sphere
    return door.frame.local_to_global(sphere.center) if sphere.radius > 0.0 else door.frame.origin


def _flat(a: Vec3, b: Vec3) -> tuple[float, float]:
    return (b[0] - a[0], b[1] - a[1])
