"""Defects planted at random places of the demo world: each kind is found by the part of a survey that is for it, where
a body can come to it."""

from __future__ import annotations

import math
from random import Random

import pytest

from engine.sim.edits.player import Teleport
from engine.sim.playback import verify
from engine.sim.recording_file import parse_recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.survey.pages import register_all
from tests.explore.planted import openings, rooms, things
from tests.explore.planted.draft import Draft
from tests.explore.planted.kind import KINDS, Kind
from tests.explore.planted.surfaces import doorways_of
from tests.explore.planted.survey import plant, surveyed, tells_of

pytestmark = pytest.mark.unwatched

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
    with surveyed(kind, part, number) as (world, planted, found):
        telling = [each for each in found if tells_of(each, planted) and each.check in kind.found_by[part]]
        assert telling, f"found are {sorted({each.check for each in found})}"
        for each in telling[:2]:
            if each.recording:
                sim = Simulation(world)
                assert verify(sim, parse_recording(each.recording, each.key)) is None
                sim.close()


def test_a_step_of_0_61_m_is_no_obstacle_to_the_sweep() -> None:
    """A body may step up 0.6 m, and its round foot rolls over an edge that is a little higher."""
    draft = Draft()
    room, _ = rooms.raised(draft, Random(3), 0.61)
    way = doorways_of(draft, room)[0]
    with draft.open() as world:
        sim = Simulation(world)
        heading = math.degrees(math.atan2(way.normal[0], way.normal[1]))
        sim.apply_edit(Teleport(room.id & 0xFFFF0000 | way.other, *way.inside(-1.3), heading % 360.0))
        highest = max(sim.tick(Controls(forward=1.0)).origin[2] for _ in range(30))
        assert highest >= way.threshold[2] + 0.6
        sim.close()


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_the_same_number_plants_the_same_defect(kind: Kind) -> None:
    (once, place), (again, same_place) = plant(kind, 0), plant(kind, 0)
    assert place == same_place
    assert once.changes() == again.changes()


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_something_is_planted(kind: Kind) -> None:
    draft, _ = plant(kind, 0)
    assert draft.changes() != Draft().changes()
