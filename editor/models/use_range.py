"""From how far a thing can be used: its use radius, as server data has it, and the distance of the player."""

from __future__ import annotations

import math
from typing import Final

from engine.entities.entity import Entity
from engine.entities.specs import unpack_spec
from engine.geometry.vec import length, sub
from engine.physics.errors import PhysicsError
from engine.sim.tick.simulation import Simulation
from engine.world.cells.position import into_block

USE_RADIUS: Final = "use_radius"


def use_radius(entity: Entity) -> float | None:
    """The metres from which it can be used; None where the data says nothing, and any distance will do."""
    try:
        found = unpack_spec(entity.spec).extra.get(USE_RADIUS)
    except PhysicsError:
        return None
    if not isinstance(found, int | float) or isinstance(found, bool) or not math.isfinite(found):
        return None
    return float(found)


def use_distance(sim: Simulation, entity: Entity) -> float:
    """The distance between the player's cylinder and the thing's (physics.md 1.5)."""
    player = sim.player
    x, y, z = into_block(player.place_cell(), entity.place_cell(), entity.origin())
    own = player.origin()
    apart = length(sub((x, y, z), own)) - player.radius - entity.setup.radius * entity.scale
    over = max(z - (own[2] + player.height), own[2] - (z + entity.setup.height * entity.scale))
    if apart > 0.0 and over > 0.0:
        return math.hypot(apart, over)
    return -math.hypot(apart, over) if apart < 0.0 and over < 0.0 else apart


def too_far(sim: Simulation, entity: Entity) -> str:
    """Why the player cannot use a thing from where he is; empty when he can, and while he is nowhere."""
    radius = use_radius(entity)
    if radius is None or sim.player.steered.cell is None:
        return ""
    distance = use_distance(sim, entity)
    if distance <= radius:
        return ""
    return f"{entity.name} is {distance:.1f} m away; it is used from within {max(radius, 0.0):g} m."
