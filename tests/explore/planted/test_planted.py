"""Defects planted at random places of the demo world: each kind is found by the part of a survey that is for it, where
a body can come to it."""

from __future__ import annotations

import pytest

from engine.survey.pages import register_all
from tests.explore.planted import openings, rooms, things
from tests.explore.planted.draft import Draft
from tests.explore.planted.kind import KINDS, Kind
from tests.explore.planted.survey import findings, plant, tells_of

register_all()
PLANTED = (rooms, openings, things)
"""They fill the table of kinds."""

PLACES = 3
"""Random places of each kind; all of them in the slow tests."""

CASES = [
    pytest.param(kind, part, number, id=f"{kind.name}, by {part}, {number}", marks=[pytest.mark.slow] if number else [])
    for kind in KINDS.values()
    for part in kind.found_by
    for number in range(PLACES)
]


def test_there_are_forty_kinds() -> None:
    assert len(KINDS) >= 40


@pytest.mark.parametrize(("kind", "part", "number"), CASES)
def test_a_planted_defect_is_found(kind: Kind, part: str, number: int) -> None:
    planted, found = findings(kind, part, number)
    there = {each.check for each in found if tells_of(each, planted)}
    assert there & set(kind.found_by[part]), f"found are {sorted({each.check for each in found})}"


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_the_same_number_plants_the_same_defect(kind: Kind) -> None:
    (once, place), (again, same_place) = plant(kind, 0), plant(kind, 0)
    assert place == same_place
    assert once.changes() == again.changes()


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_something_is_planted(kind: Kind) -> None:
    draft, _ = plant(kind, 0)
    assert draft.changes() != Draft().changes()
