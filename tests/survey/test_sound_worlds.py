"""Sound worlds give no alarm: made ones, random ones, the demo, and rooms of real buildings."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from editor.session.sources import DEMO, open_source
from engine.build import WorldBuilder
from engine.findings.registry import CHECKS
from engine.sim.tick.simulation import Simulation
from engine.survey.checks.buildings import NO_ENTRY
from engine.survey.checks.loaded import UNREACHED
from engine.survey.run import check_landblock
from engine.world.loader import open_world
from tests.build.test_random_worlds import storeys
from tests.build.worlds import built as built_by_name
from tests.shared import SHARED, needs_shared
from tests.sim.helpers.small_worlds import built, furnished, house, open_rooms, slope, two_rooms, with_cellar
from tests.survey.planting import kinds, survey


@pytest.mark.parametrize("make", [two_rooms, open_rooms, house, furnished, with_cellar, slope])
def test_small_worlds_give_no_alarm(make: Callable[[], WorldBuilder]) -> None:
    assert survey(built(make)) == []


@pytest.mark.parametrize("name", ["touching_rooms", "concave_rooms", "tower", "turned_rooms", "ring", "cottage"])
def test_worlds_of_the_builder_give_no_alarm(name: str) -> None:
    assert kinds(survey(built_by_name(name))) <= {NO_ENTRY.id, UNREACHED.id}


@pytest.mark.parametrize("seed", range(6))
def test_random_storeys_give_no_alarm_but_what_they_have(seed: int) -> None:
    """They are a dungeon with an exit, which no building has an entry for; some rooms have no opening to the others."""
    found = survey(storeys(seed).world.build())
    assert NO_ENTRY.id in kinds(found)
    assert kinds(found) <= {NO_ENTRY.id, UNREACHED.id}


def test_the_demo_gives_no_alarm() -> None:
    with open_source(DEMO) as world:
        sim = Simulation(world)
        for block_id in world.landblock_ids():
            assert list(check_landblock(sim, block_id, CHECKS)) == []


@needs_shared
@pytest.mark.conformance
@pytest.mark.parametrize("folder", ["cellar-ascent", "cellar-lip", "flap-doorway", "issue98"])
def test_real_rooms_have_nothing_but_what_the_dumps_left_out(folder: str) -> None:
    """Dumps have parts of two buildings, without their trees: openings lead to rooms that are not there."""
    with open_world(SHARED / "fixtures" / folder) as world:
        sim = Simulation(world)
        found = [each for block in world.landblock_ids() for each in check_landblock(sim, block, CHECKS)]
    assert {each.check.partition(".")[0] for each in found} <= {"loaded"}
