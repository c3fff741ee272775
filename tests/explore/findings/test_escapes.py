"""What counts as an escape, tick by tick, in worlds with one hole, and what does not."""

from __future__ import annotations

import pytest

from engine.build import OUTDOORS, WorldBuilder, rect, walls
from engine.explore.findings.escapes import (
    INTO_SOLID,
    LOST,
    OUT_OF_CELLS,
    THROUGH_DOOR,
    UNDER,
    UNDER_TERRAIN,
    WITHOUT_PORTAL,
    EscapeRules,
)
from engine.explore.findings.trial import Start, stand_of
from engine.sim.edits.doors import LockDoor
from engine.sim.edits.entities import MoveEntity
from engine.sim.edits.player import SetPlayerNumber
from engine.sim.tick.controls import Controls
from tests.explore.findings.holes import AHEAD, EAST, NORTH, WEST, begins, escapes, faces, opened, side_by_side, without
from tests.sim.helpers.small_worlds import built, house, open_rooms, slope, two_rooms, with_cellar


def kinds(found: list) -> list[str]:
    return [each.check for each in found]


@pytest.mark.parametrize(
    ("make", "room", "at", "heading"),
    [
        (open_rooms, "hall", (3.0, 2.0, 0.0), EAST),
        (slope, "top", (2.0, 2.0, 0.0), NORTH),
        (with_cellar, "room", (1.75, 7.5, 0.0), 180.0),
        (two_rooms, "hall", (3.0, 2.0, 0.0), EAST),
        (side_by_side, "west", (2.0, 2.0, 0.0), NORTH),
    ],
)
def test_a_walk_through_sound_rooms_is_no_escape(make, room, at, heading) -> None:
    world = built(make)
    sim = opened(world.load())
    for controls in (AHEAD, Controls(forward=1.0, run=True)):
        assert escapes(sim, begins(world, room, at, heading), [controls] * 120) == []


def test_a_walk_into_a_house_and_out_again_is_no_escape() -> None:
    sim = opened(built(house).load())
    south = Start(0xC95BFFFF, (108.0, 100.0, 20.0), NORTH)
    keys = [AHEAD] * 90 + [Controls(forward=1.0, look=180.0)] + [AHEAD] * 120
    assert escapes(sim, south, keys) == []
    assert sim.graph.current is not None
    assert not sim.graph.current.is_interior


def test_a_missing_wall_of_a_dungeon_leads_out_of_its_cells() -> None:
    world = built(open_rooms)
    hall = world.cell_id("hall")
    sim = opened(without(world.load(), hall, faces((1.0, 0.0, 0.0))))
    found = escapes(sim, begins(world, "hall", (3.0, 2.0, 0.0), WEST), [AHEAD] * 60)
    assert kinds(found) == [OUT_OF_CELLS.id]
    assert found[0].subject == (hall,)


def test_a_missing_wall_between_two_rooms_leads_in_without_a_portal() -> None:
    world = built(side_by_side)
    loaded = world.load()
    for room, normal in (("west", (-1.0, 0.0, 0.0)), ("east", (1.0, 0.0, 0.0))):
        without(loaded, world.cell_id(room), faces(normal))
    found = escapes(opened(loaded), begins(world, "west", (2.0, 2.0, 0.0), EAST), [AHEAD] * 60)
    assert set(kinds(found)) & {WITHOUT_PORTAL.id, OUT_OF_CELLS.id}
