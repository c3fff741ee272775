"""Things that no client file holds because a server creates them: doors, creatures, chests (dat-format.md 7.2)."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.build.cells import CellShape
from engine.build.models import Model
from engine.geometry.frame import Frame
from engine.world.entity_spec import ETHEREAL, HAS_PHYSICS_BSP, REPORT_COLLISIONS

DOOR_CLOSED = HAS_PHYSICS_BSP | REPORT_COLLISIONS
DOOR_OPEN = DOOR_CLOSED | ETHEREAL
"""The reference door's states (physics.md 9.1)."""

Extra = dict[str, bool | int | float | str]
"""Values that only the entity's own code understands."""


@dataclass(eq=False)
class Entity:
    """An entity to be. `cell` is its room, or None outdoors, where the land cell under it is its place.

    The frame is in the space of the interior, or of the landblock when outdoors.
    """

    name: str
    kind: str
    model: Model
    frame: Frame
    cell: CellShape | None
    state: int
    scale: float = 1.0
    extra: Extra = field(default_factory=dict)
