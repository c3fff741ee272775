"""A search that is explained is the search that ran: over walks through the demo, with every kind of cell."""

from __future__ import annotations

import pytest

from engine.build import WorldBuilder, rect
from engine.build.demo import SPOTS
from engine.geometry.sphere import Sphere
from engine.physics.rules import RuleSet, rule_set
from engine.physics.sweep.cell_array import CellArray
from engine.sim.edits.player import FacePlayer, Teleport
from engine.sim.edits.world import OpenLandblock
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.cell_search import (
    BUILDING,
    EXIT,
    INSIDE,
    LAND,
    LATER,
    NO_PORTAL,
    NOT_HOLDING,
    OUT_OF_REACH,
    OVERRULED,
    PICKED,
    PORTAL,
    START,
)
from engine.sim.trace.search_replay import SearchReplay
from engine.world.cells.cell import EnvCell
from tests.sim.helpers.demo_walks import demo_simulation
from tests.sim.helpers.searches import SearchChecker
from tests.sim.helpers.small_worlds import FORWARD, open_all, simulate

pytestmark = pytest.mark.unwatched

TICKS = 25
VAULT = 0x00070100


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


def test_a_room_without_a_portal_holds_the_centre_and_contains_nothing() -> None:
    """Its tree says what it says; the rule of the client decides (physics.md 6.3)."""
    made = WorldBuilder()
    made.room("vault", rect(0, 0, 4, 4))
    sim = simulate(made.build())
    sim.apply_edit(OpenLandblock(VAULT | 0xFFFF))
    cell = sim.graph.get_visible(VAULT)
    assert isinstance(cell, EnvCell)
    cell.portals_left_out = False
    spheres = [Sphere((2.0, 2.0, 1.0), 0.5)]
    for rules, fate in ((RuleSet(True), NO_PORTAL), (RuleSet(False), PICKED)):
        (candidate,) = SearchReplay(sim.graph, rules, VAULT, spheres, CellArray()).run(True).candidates
        assert candidate.fate == fate
        assert candidate.centre is not None
        assert (candidate.centre.answer, candidate.centre.distance) == (INSIDE, 1.0)
