"""The entities of a world that the client's files do not hold: doors, chests, people (physics.md 8.7, 9.1).

The retail client is told of these by the server. Our worlds bring them along: a data folder in its `entities.json`
(`engine.world.loader.entities_file`), a golden scene in its `objects`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.geometry.frame import Frame

STATIC: Final = 0x1  # bits of PhysicsState (physics.md 8.7)
ETHEREAL: Final = 0x4
REPORT_COLLISIONS: Final = 0x8
GRAVITY: Final = 0x400
HAS_PHYSICS_BSP: Final = 0x10000


@dataclass(slots=True)
class EntitySpec:
    """One entity as it is before anything happens to it.

    `frame` is in the landblock of `cell_id`; `state` are PhysicsState bits; `kind` says who looks after it ("door",
    "creature", "chest", ...); `extra` is what only that one understands, plain JSON values.
    """

    guid: int
    name: str
    kind: str
    setup_id: int
    cell_id: int
    frame: Frame
    state: int
    scale: float = 1.0
    extra: dict[str, object] = field(default_factory=dict)
