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

pytestmark = pytest.mark.unwatched

register_all()

WHOLE = Settings(headings=8, grid=0.5, charges=(1.0,))

TOR = (0xC95B002E, 0xC95B002F, 0xC95B0030, 0xC95B0036, 0xC95B0038, 0xC95B003E, 0xC95B0040)
"""The squares of land around the tor."""

THERE: dict[int, dict[tuple[str, int], str]] = {
    DUNGEON: {("reach.floor-never", 0x0007017E): "The wedge under the first steps of the spiral stair."},
    VILLAGE: {
        **dict.fromkeys(
            (("stuck.hangs", cell) for cell in TOR),
            "Who jumps at the tor hangs on its face, and falls for"
            " ever without moving: it is too steep to stand on, and no key moves a body that does not stand.",
        ),
        (
            "stuck.no-way",
            0xC95B0102,
        ): "In the corner of the two railings around the hatch, on top of them, a body is held for good.",
        ("stuck.jump-only", 0xC95B0102): "On the railing around the hatch of the cottage's cellar.",
        ("stuck.jump-only", 0xC95B0114): "Between the railing of the inn's cellar and its hatch.",
        ("stuck.jump-only", 0xC95B001D): "On the signpost, and on the lantern at the cottage.",
        ("stuck.jump-only", 0xC95B002D): "On the lantern by the crossroads.",
        ("stuck.jump-only", 0xC95B0025): "On the townsperson's shoulders, and on the roof of the inn's porch.",
    },
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
        found = list(check_by_walking(lambda: world, block, WHOLE, frozenset(CHECKS)))
    unknown = [each.sentence for each in found if (each.check, each.cell) not in THERE[block]]
    assert unknown == []
