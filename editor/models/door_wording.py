"""The words for events of doors and for entities that leave all cells."""

from __future__ import annotations

from typing import Final

from editor.models.lost_wording import cell_event_text
from engine.entities.events import (
    BUSY,
    CLOSED,
    CLOSING,
    HELD,
    LOCKED,
    OPENED,
    OPENING,
    REFUSED,
    UNLOCKED,
    CellEvent,
    EntityEvent,
)
from engine.sim.tick.simulation import Simulation

EVENT_WORDS: Final = {
    OPENING: "opens",
    OPENED: "is open",
    CLOSING: "closes",
    CLOSED: "is closed",
    HELD: "is held open by a body inside",
    BUSY: "is moving and cannot be used",
    REFUSED: "is locked and opens only from behind",
    LOCKED: "is locked now",
    UNLOCKED: "is unlocked now",
}

DESPITE_LOCK: Final = " although it is locked: from behind the lock is not asked"


def event_text(sim: Simulation, event: EntityEvent) -> str:
    """A phrase such as "Front Door opens"."""
    if isinstance(event, CellEvent):
        return cell_event_text(sim, event)
    entity = sim.population.find(event.entity_id)
    name = f"0x{event.entity_id:08X}" if entity is None else entity.name
    why = DESPITE_LOCK if event.is_despite_lock else ""
    return f"{name} {EVENT_WORDS.get(event.what, event.what)}{why}"
