"""The question "why?" about something that happened to the player: the tick, and what it was.

The strip in the 3D view, the Timeline's events and Player ask it; Sweep answers with the row that decided.
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
