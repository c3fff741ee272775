"""A search that is explained is the search that ran: over walks through the demo, with every kind of cell."""

from __future__ import annotations

import pytest

from engine.build.demo import SPOTS
from engine.physics.rules import rule_set
from engine.sim.edits.player import FacePlayer, Teleport
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.cell_search import (
    BUILDING,
    EXIT,
    LAND,
    LATER,
    NOT_HOLDING,
    OUT_OF_REACH,
    OVERRULED,
    PICKED,
    PORTAL,
    START,
)
from tests.sim.helpers.demo_walks import demo_simulation
from tests.sim.helpers.searches import SearchChecker
from tests.sim.helpers.small_worlds import FORWARD, open_all

pytestmark = pytest.mark.unwatched

TICKS = 25


@pytest.fixture(scope="module", params=["retail", "ace"])
def walked(request: pytest.FixtureRequest) -> SearchChecker:
    """From every spot of the demo in two directions, every search compared; doors are open."""
    sim = Simulation(demo_simulation().sim.world, rule_set(request.param))
    checker = SearchChecker()
    sim.watch(sim.player.id, checker)
    for number, spot in enumerate(SPOTS.values()):
        sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))
        open_all(sim)
        for turn in range(2):
            sim.apply_edit(FacePlayer((spot.heading + 170.0 * turn + 7.0 * number) % 360.0))
            for _ in range(TICKS):
                sim.tick(FORWARD)
                checker.clear()
    return checker


def test_an_explained_search_is_the_one_that_ran_everywhere_in_the_demo(walked: SearchChecker) -> None:
    assert walked.searches > 5_000
    assert {START, LAND, PORTAL, EXIT, BUILDING} <= walked.hows
    assert {PICKED, NOT_HOLDING, LATER, OVERRULED, OUT_OF_REACH} <= walked.fates
