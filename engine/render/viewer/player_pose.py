"""The player as cameras see him: where his feet are, and the cell that physics latched (rendering.md 21.1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from engine.entities.bodies import PlayerBody
from engine.entities.commands import READY
from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3, lerp
from engine.physics.flags import ETHEREAL
from engine.render.viewer.smooth import turn_between
from engine.sim.tick.simulation import Simulation
from engine.world.graph.graph import NO_CELL

PIVOT_HEIGHT: Final = 1.5
"""Metres above the feet; what the camera looks at, and where first person looks from."""


@dataclass(frozen=True, slots=True)
class PlayerPose:
    """`origin` is in the landblock of `cell_id`, `heading` in compass degrees. `climb` is the slope in degrees of the
    ground ahead of a walking player; 0 while standing. The other fields identify the player to the camera's sweep."""

    cell_id: int
    origin: Vec3
    heading: float
    climb: float = 0.0
    player_id: int = 0
    ethereal: bool = False
    left_id: int = NO_CELL
    """For a player in no cell: the last one."""
    name: str = "player"
    """Whose body it is, if cameras follow another one."""

    @property
    def pivot(self) -> Vec3:
        x, y, z = self.origin
        return (x, y, z + PIVOT_HEIGHT)


NOWHERE: Final = PlayerPose(NO_CELL, (0.0, 0.0, 0.0), 0.0)

PoseSource = Callable[[], PlayerPose]
"""Asked once in every update of a camera that follows the player."""


def pose_of(sim: Simulation) -> PlayerPose:
    """The player after the last tick. He has no cell before he was put somewhere, and when none holds him."""
    body = sim.player.steered
    if body.cell is None:
        return replace(NOWHERE, left_id=body.place.cell_id) if body.is_lost else NOWHERE
    place = body.place
    heading = Frame((0.0, 0.0, 0.0), place.turn.rotation).heading()
    ethereal = (body.state & ETHEREAL) != 0
    return PlayerPose(body.cell.id, place.origin, heading, _climb(body, heading), body.id, ethereal)


def _climb(body: PlayerBody, heading: float) -> float:
    """The slope of the contact plane of a body that walks."""
    motion = body.interp.interpreted
    in_contact, _ = body.contact_bits()
    x, y, z = body.contact_plane.normal
    if not in_contact or z <= 0.0 or (motion.forward_command == READY and motion.side_step_command == 0):
        return 0.0
    turn = math.radians(heading)
    return math.degrees(math.atan2(-(x * math.sin(turn) + y * math.cos(turn)), z))


def between(before: PlayerPose, after: PlayerPose, part: float) -> PlayerPose:
    """The player between two ticks. A pose and its cell belong together, so he is not drawn on the way from one cell to
    another: cells are convex, and within one the way stays inside."""
    if before.cell_id != after.cell_id:
        return after
    heading = before.heading + turn_between(before.heading, after.heading) * part
    climb = before.climb + (after.climb - before.climb) * part
    origin = lerp(before.origin, after.origin, part)
    return replace(after, origin=origin, heading=heading % 360.0, climb=climb)
