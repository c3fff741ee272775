"""The results of a survey in a project's file: the landblock, the steps that were done when it was searched, the cells
that were stale then, and as blobs what was found and the states that were reached.

What is in the blobs is the survey's own affair (`editor/models/survey/keeping.py`): what cannot be read is told, and
spoils nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from editor.project.project import KeptSurvey, ProjectError

MAX_KEPT: Final = 16 << 20
"""Bytes of all blobs together, as the survey packs them; a village takes 1 MB."""
MOST_PARTS: Final = 100
MOST_STALE: Final = 70_000
"""More than a landblock has cells."""

Json = dict[str, Any]


def survey_form(survey: KeptSurvey, steps: int, blobs: dict[bytes, int]) -> Json:
    """The form of results in a project with so many steps; the blobs get theirs."""
    if sum(map(len, (survey.about, *survey.parts))) > MAX_KEPT:
        raise ProjectError(f"cannot be saved: the survey has more than {MAX_KEPT >> 20} MB")
    return {
        "block": f"0x{survey.block_id:08X}",
        "steps": min(survey.steps, steps),
        "stale": [f"0x{cell:08X}" for cell in survey.stale],
        "about": blobs.setdefault(survey.about, len(blobs)),
        "parts": [blobs.setdefault(part, len(blobs)) for part in survey.parts],
    }


def read_survey(value: object, steps: int, blobs: Sequence[bytes]) -> KeptSurvey | None:
    """The results in a project with so many steps; None without any. Raises a ProjectError."""
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ProjectError("'survey' of the project should be an object")
    block, shared, stale, about, parts = (value.get(key) for key in ("block", "steps", "stale", "about", "parts"))
    if type(shared) is not int or not 0 <= shared <= steps:
        raise ProjectError(f"has {steps} steps, and a survey with others")
    if not isinstance(stale, list) or len(stale) > MOST_STALE:
        raise ProjectError("should have a list of the stale cells of its survey")
    if not isinstance(parts, list) or not 0 < len(parts) <= MOST_PARTS:
        raise ProjectError("should have a list of the parts of its survey")
    numbers = [about, *parts]
    if not all(type(number) is int and 0 <= number < len(blobs) for number in numbers):
        raise ProjectError("has no data for its survey")
    data = [blobs[number] for number in numbers]
    if sum(map(len, data)) > MAX_KEPT:
        raise ProjectError(f"has a survey of more than {MAX_KEPT >> 20} MB")
    return KeptSurvey(_id(block), shared, tuple(map(_id, stale)), data[0], tuple(data[1:]))


def _id(value: object) -> int:
    if isinstance(value, str) and len(value) == 10 and value.startswith("0x"):
        try:
            return int(value[2:], 16)
        except ValueError:
            pass
    raise ProjectError(f"has {str(value)[:40]!r} for an id in its survey")
