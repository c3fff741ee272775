"""What counts as an escape, tick by tick, in worlds with one hole, and what does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.build import Mesh, WorldBuilder, rect
from engine.build.shapes.solids import box
from engine.explore.findings.escapes import (
    INTO_SOLID,
    LOST,
    OUT_OF_CELLS,
    THROUGH_DOOR,
    UNDER,
    UNDER_TERRAIN,
    WITHOUT_PORTAL,
    Escape,
    EscapeRules,
)
from engine.explore.findings.trial import NOWHERE, Stand, Start
from engine.geometry.vec import Vec3
from engine.sim.edits.doors import OpenDoor
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from tests.explore.findings.holes import AHEAD, EAST, NORTH, WEST, begins, escapes, faces, opened, side_by_side, without
from tests.sim.helpers.small_worlds import built, house, open_rooms, slope, two_rooms, with_cellar


def kinds(found: list[Escape]) -> list[str]:
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
def test_a_walk_through_sound_rooms_is_no_escape(
    make: Callable[[], WorldBuilder], room: str, at: Vec3, heading: float
) -> None:
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


def judged(sim: Simulation, cell_id: int, before: Vec3, after: Vec3) -> list[str]:
    """What is told of a body that is put from one place to another, whatever led it there."""
    return kinds(list(EscapeRules(sim).of_step(Stand(cell_id, cell_id, before), Stand(cell_id, cell_id, after))))


def test_a_body_under_the_ground_is_told_and_one_that_sinks_in_is_not() -> None:
    sim = opened(built(house).load())
    land = 0xC95B0014
    assert judged(sim, land, (60.0, 90.0, 20.005), (60.0, 90.3, 20.005 - UNDER)) == []
    assert judged(sim, land, (60.0, 90.0, 20.005), (60.0, 90.3, 19.5)) == [UNDER_TERRAIN.id]
    assert judged(sim, land, (60.0, 90.0, 19.5), (60.0, 90.3, 19.0)) == []


def test_feet_sink_into_water_before_a_body_is_under_the_ground() -> None:
    world = WorldBuilder()
    land = world.landblock(0xC95B)
    assert land.ground is not None
    land.ground.paint(lambda _x, _y: 0x14)
    sim = opened(world.build().load())
    assert judged(sim, 0xC95B0014, (60.0, 90.0, 19.1), (60.0, 90.3, 18.9)) == []
    assert judged(sim, 0xC95B0014, (60.0, 90.0, 19.1), (60.0, 90.3, 18.5)) == [UNDER_TERRAIN.id]


def test_a_body_in_a_block_is_in_something_solid() -> None:
    world = WorldBuilder()
    room = world.room("room", rect(0, 0, 10, 10), height=6.0)
    room.put(Mesh.of("block", box(-1.0, -1.0, 0.0, 2.0, 2.0, 2.0, "stone")), (5, 5))
    made = world.build()
    sim = opened(made.load())
    cell = made.cell_id("room")
    assert judged(sim, cell, (3.0, 5.0, 0.005), (3.5, 5.0, 0.005)) == []
    assert judged(sim, cell, (3.0, 5.0, 0.005), (4.3, 5.0, 0.005)) == [INTO_SOLID.id]
    assert judged(sim, cell, (5.0, 5.0, 2.005), (5.0, 4.0, 2.005)) == []


def test_a_way_through_a_closed_leaf_is_told_and_through_an_open_one_is_not() -> None:
    sim = opened(built(two_rooms).load())
    hall = built(two_rooms).cell_id("hall")
    assert THROUGH_DOOR.id in judged(sim, hall, (5.9, 2.0, 0.005), (6.3, 2.0, 0.005))
    assert THROUGH_DOOR.id not in judged(sim, hall, (5.0, 2.0, 0.005), (5.4, 2.0, 0.005))
    sim.apply_edit(OpenDoor(sim.population.doors[0].id))
    assert THROUGH_DOOR.id not in judged(sim, hall, (5.9, 2.0, 0.005), (6.3, 2.0, 0.005))


def test_a_body_that_no_cell_holds_is_lost_where_rooms_lead_outdoors() -> None:
    sim = opened(built(house).load())
    room = built(house).cell_id("room")
    before, after = Stand(room, room, (108.0, 108.0, 20.005)), Stand(NOWHERE, room, (108.0, 108.0, 15.0))
    assert kinds(list(EscapeRules(sim).of_step(before, after))) == [LOST.id]
    assert list(EscapeRules(sim).of_step(after, before)) == []


def test_where_the_land_of_the_world_ends_nobody_is_lost() -> None:
    sim = opened(built(house).load())
    land = 0xC85A0008
    before, after = Stand(land, land, (0.2, 180.0, 20.005)), Stand(NOWHERE, land, (-0.1, 180.0, 20.005))
    assert list(EscapeRules(sim).of_step(before, after)) == []
