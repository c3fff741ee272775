"""The demo world as it is: a survey reports nothing but what is there."""

from __future__ import annotations

import pytest

from engine.explore.findings.explore import check_by_walking
from engine.explore.forms.settings import Settings
from engine.findings.registry import CHECKS
from engine.survey.pages import register_all
from tests.explore.planted.draft import DUNGEON, VILLAGE, Draft
from tests.explore.planted.kind import CHECK, DOORS, STABS
from tests.explore.planted.survey import found_by

register_all()

THERE: dict[int, dict[tuple[str, int], str]] = {
    DUNGEON: {("reach.floor-never", 0x0007017E): "The wedge under the first steps of the spiral stair."},
    VILLAGE: {},
}
"""What walking finds and is there, by landblock: the check and the cell, and what it is."""


@pytest.mark.parametrize("part", [CHECK, STABS, DOORS])
@pytest.mark.parametrize("block", [VILLAGE, DUNGEON])
def test_nothing_is_found_without_walking(block: int, part: str) -> None:
    with Draft().open() as world:
        assert found_by(part, world, block) == []


@pytest.mark.slow
@pytest.mark.parametrize("block", [VILLAGE, DUNGEON])
def test_walking_finds_nothing_but_what_is_there(block: int) -> None:
    with Draft().open() as world:
        found = list(check_by_walking(lambda: world, block, Settings(), frozenset(CHECKS)))
    unknown = [each.sentence for each in found if (each.check, each.cell) not in THERE[block]]
    assert unknown == []
