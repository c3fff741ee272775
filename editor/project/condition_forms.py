"""The conditions of *Stop When* in a project's file: the text of each, and whether time stops at it."""

from __future__ import annotations

from typing import Final

from editor.project.project import KeptCondition, ProjectError
from engine.sim.conditions.words import LONGEST

MOST: Final = 100


def conditions_form(conditions: tuple[KeptCondition, ...]) -> list[list[object]]:
    return [[condition.text, condition.stops] for condition in conditions]


def read_conditions(value: object) -> tuple[KeptCondition, ...]:
    """Texts need not be conditions: a later version may know more words, and the list says what is wrong."""
    if not isinstance(value, list):
        raise ProjectError("'conditions' of the project should be a list")
    if len(value) > MOST:
        raise ProjectError(f"has {len(value):,} conditions; at most {MOST} are read")
    return tuple(map(_read, value))


def _read(entry: object) -> KeptCondition:
    if isinstance(entry, list) and len(entry) == 2:
        text, stops = entry
        if isinstance(text, str) and isinstance(stops, bool) and 0 < len(text) <= LONGEST and text.isprintable():
            return KeptCondition(text, stops)
    raise ProjectError(f"has {str(entry)[:40]!r} for a condition")
