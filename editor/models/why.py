"""The two questions "why?", about what happened in a tick and about what a value is.

*Why did this happen?* is about an event of the player. The strip in the 3D view and the Timeline's events ask it; Sweep
answers with the row that decided in that tick. *Why this value?* is about any value of the player, a door or an entity.
The docks that show values ask it; Why answers since when it is so, and by what, link by link through earlier ticks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class WhyAbout(Enum):
    """What happened."""

    BLOCKED = "blocked"
    SLID = "slid"
    CELL_CHANGED = "cell changed"
    FELL = "fell"
    """Left the ground without a jump."""
    LANDED = "landed"
    PUSHED = "pushed"
    LOST = "lost"
    """Left all cells."""


@dataclass(frozen=True)
class Why:
    """What happened, and in which tick: the `tick` of its report, not the number that the clock showed after it."""

    tick: int
    about: WhyAbout
    entity_id: int = 0
    """The entity that it happened to; 0 is the player."""


@dataclass(frozen=True)
class ValueAsked:
    """The question about a value: whose, and which (engine/sim/why/values.py)."""

    entity_id: int
    path: str
    tick: int | None = None
    """As this tick left it; None for the tick that is shown."""
