"""What of conditions no record of a capture answers, and why."""

from __future__ import annotations

from typing import Final

from engine.sim.conditions.words import Condition, Leaf, Not

DOORS: Final = "a capture says nothing of doors"
NOT_ASKED: Final = {
    "jumps": "a capture says nothing of keys",
    "door_opens": DOORS,
    "door_closes": DOORS,
    "door_changes": DOORS,
    "any_door_opens": DOORS,
    "any_door_closes": DOORS,
    "any_door_changes": DOORS,
    "door_is_open": DOORS,
    "door_is_closed": DOORS,
    "door_is_locked": DOORS,
    "door_is_moving": DOORS,
    "thing_moves": "a capture says nothing of others",
    "fault": "a capture says nothing of faults",
}
"""Primitives that no record of a capture answers, and why."""


def why_not_of_calls(condition: Condition) -> str:
    """Why a condition cannot be asked of a capture; "" when it can."""
    if isinstance(condition, Leaf):
        why = NOT_ASKED.get(condition.primitive.id, "")
        return f"“{condition.primitive.form}”: {why}" if why else ""
    if isinstance(condition, Not):
        return why_not_of_calls(condition.part)
    return next(filter(None, map(why_not_of_calls, condition.parts)), "")
