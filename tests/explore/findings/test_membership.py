"""Bodies whose cell does not hold them."""

from __future__ import annotations

from engine.explore.findings.membership import MembershipRules
from engine.explore.findings.trial import NOWHERE, Stand
from tests.explore.findings.holes import opened
from tests.sim.helpers.small_worlds import built, house, open_rooms


def test_a_body_is_outside_of_its_cell_where_no_search_from_there_finds_one() -> None:
    world = built(open_rooms)
    rules = MembershipRules(opened(world.load()))
    hall = world.cell_id("hall")
    assert not rules.is_outside_its_cell(Stand(hall, hall, (3.0, 2.0, 0.005)))
    assert rules.is_outside_its_cell(Stand(hall, hall, (-1.0, 2.0, 0.005)))
    assert not rules.is_outside_its_cell(Stand(hall, hall, (6.3, 2.0, 0.005))), "it finds the next room as it moves"
    assert not rules.is_outside_its_cell(Stand(NOWHERE, hall, (-1.0, 2.0, 0.005)))


def test_a_body_sees_nothing_with_its_eyes_in_no_cell_and_the_outdoors_unseen() -> None:
    world = built(open_rooms)
    rules = MembershipRules(opened(world.load()))
    hall = world.cell_id("hall")
    assert not rules.sees_nothing(Stand(hall, hall, (3.0, 2.0, 0.005)))
    assert rules.sees_nothing(Stand(hall, hall, (3.0, 2.0, 2.0))), "eyes above the ceiling"


def test_who_sees_the_outdoors_sees_something() -> None:
    world = built(house)
    sim = opened(world.load())
    rules = MembershipRules(sim)
    room = world.cell_id("room")
    cell = sim.graph.get_visible(room)
    assert cell is not None
    assert cell.seen_outside
    assert not rules.sees_nothing(Stand(room, room, (108.0, 108.0, 22.0)))
