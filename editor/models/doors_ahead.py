"""Finds the door in front of the player, and whether he can use it from where he is.

Server data has a use radius for many things: players use them from within it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from engine.entities.door import Door
from engine.entities.entity import Entity
from engine.entities.specs import PRESSURE_PLATE, unpack_spec
from engine.geometry.vec import Vec3, length, sub
from engine.physics.errors import PhysicsError
from engine.sim.tick.simulation import Simulation
from engine.world.cells.position import into_block

REACH: Final = 3.0
"""The largest distance to a door's middle, in metres."""
TO_THE_SIDE: Final = 75.0
"""The largest angle between the player's heading and the door, in degrees."""
USE_RADIUS: Final = "use_radius"


def door_ahead(sim: Simulation) -> Door | None:
    """The nearest door within reach that the player faces."""
    found = _nearest(sim, sim.population.doors)
    return found if isinstance(found, Door) else None


def usable_ahead(sim: Simulation) -> Entity | None:
    """The nearest door, or switch that opens one, within reach that the player faces."""
    return _nearest(sim, [entity for entity in sim.population.ordered if is_usable(entity)])


def is_usable(entity: Entity) -> bool:
    """Whether use of it can open a door. Plates are stepped on instead."""
    return isinstance(entity, Door) or (bool(entity.activates) and entity.kind != PRESSURE_PLATE)


def _nearest(sim: Simulation, entities: Iterable[Entity]) -> Entity | None:
    here = sim.player.steered.place
    best: tuple[float, Entity] | None = None
    for entity in entities:
        away = _flat(here.origin, into_block(here.cell_id, entity.place_cell(), _middle(entity)))
        size = math.hypot(*away)
        if size > REACH:
            continue
        turn = (math.degrees(math.atan2(away[0], away[1])) - here.turn.heading() + 180.0) % 360.0 - 180.0
        if (abs(turn) <= TO_THE_SIDE or size < 0.5) and (best is None or size < best[0]):
            best = (size, entity)
    return None if best is None else best[1]


def _middle(entity: Entity) -> Vec3:
    """The place of its leaf when closed; a door's origin is not always there."""
    sphere = entity.setup.sorting_sphere
    return entity.frame.local_to_global(sphere.center) if sphere.radius > 0.0 else entity.frame.origin


def _flat(a: Vec3, b: Vec3) -> tuple[float, float]:
    return (b[0] - a[0], b[1] - a[1])


# --- from how far


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
