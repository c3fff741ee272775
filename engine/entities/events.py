"""Events of doors and bodies during a tick, for reports and docks (physics.md 9.2, physics.md
#8)."""

from __future__ import annotations

from typing import Final

from engine.geometry.vec import Vec3
from engine.physics.place import Place

OPENING: Final = "opening"
OPENED: Final = "opened"
CLOSING: Final = "closing"
CLOSED: Final = "closed"
HELD: Final = "held"
"""The door has closed on a body inside: it stays passable until it is free."""

BUSY: Final = "busy"
"""The door was used while it was moving; nothing happens."""

REFUSED: Final = "refused"
"""The door was used and is locked: the user reads LOCKED_TEXT, and everybody hears it."""

LOCKED: Final = "locked"
UNLOCKED: Final = "unlocked"

LOST: Final = "lost"
"""A body has left all cells: none holds its centre (physics.md #8)."""

FOUND: Final = "found"
"""A body that no cell held is in one again."""

LOCKED_TEXT: Final = "The door is locked!"


class EntityEvent:
    """An event of an entity; `by` is the id of the entity that caused it, 0 for none."""

    tick: int
    entity_id: int
    what: str
    by: int
    is_despite_lock: bool
    """A locked door opens: it was used from behind, where the lock is not asked (9.2)."""

    def __init__(self, tick: int, entity_id: int, what: str, by: int = 0) -> None:
        self.tick = tick
        self.entity_id = entity_id
        self.what = what
        self.by = by
        self.is_despite_lock = False

    def __repr__(self) -> str:
        by = f" by 0x{self.by:08X}" if self.by else ""
        return f"EntityEvent({self.tick}: 0x{self.entity_id:08X} {self.what}{by})"


class CellEvent(EntityEvent):
    """A body left all cells, or is in one again: where it is, and where it was before that."""

    cell_id: int
    origin: Vec3
    cell_before: int
    origin_before: Vec3

    def __init__(self, tick: int, entity_id: int, what: str, now: Place, before: Place) -> None:
        super().__init__(tick, entity_id, what)
        self.cell_id = now.cell_id
        self.origin = now.origin
        self.cell_before = before.cell_id
        self.origin_before = before.origin
