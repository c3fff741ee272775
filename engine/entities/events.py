"""What happens to doors and others during a tick, for reports and docks (spec/physics.md 9.2)."""

from __future__ import annotations

from typing import Final

OPENING: Final = "opening"
OPENED: Final = "opened"
CLOSING: Final = "closing"
CLOSED: Final = "closed"
HELD: Final = "held"
"""It has closed and somebody is inside: passable until it is free."""

BUSY: Final = "busy"
"""It was used while it was moving; nothing happens."""

REFUSED: Final = "refused"
"""It was used and is locked: the user reads LOCKED_TEXT, and everybody hears it."""

LOCKED: Final = "locked"
UNLOCKED: Final = "unlocked"

LOCKED_TEXT: Final = "The door is locked!"


class EntityEvent:
    """Something that happened to an entity; `by` is who did it, 0 for nobody."""

    tick: int
    entity_id: int
    what: str
    by: int

    def __init__(self, tick: int, entity_id: int, what: str, by: int = 0) -> None:
        self.tick = tick
        self.entity_id = entity_id
        self.what = what
        self.by = by

    def __repr__(self) -> str:
        by = f" by 0x{self.by:08X}" if self.by else ""
        return f"EntityEvent({self.tick}: 0x{self.entity_id:08X} {self.what}{by})"
