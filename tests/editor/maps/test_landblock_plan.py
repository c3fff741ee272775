"""The plan of a landblock, built without a window."""

from __future__ import annotations

import pytest

from editor.maps.landblock_plan import Plan, PortalTarget, convex_outline, make_plan
from engine.build import OUTDOORS, WorldBuilder, rect, walls
from engine.world.world import World


def plan_of(world: World, block_id: int) -> Plan:
    block = world.landblock(block_id)
    assert block is not None
    return make_plan(world, block)


@pytest.fixture(scope="module")
def two_storeys() -> Plan:
    builder = WorldBuilder()
    hall = builder.room("hall", rect(0, 0, 6, 4), height=2.8)
    builder.room("step", rect(20, 0, 4, 4), floor=0.2)
    study = builder.room("study", rect(6.2, 0, 4, 4), height=2.8)
    loft = builder.room("loft", rect(0, 0, 6, 4), floor=3.0, height=2.5)
    builder.doorway(hall, study)
    builder.hatch(loft, hall, rect(4, 1, 1.5, 2))
    return plan_of(builder.build().load(), 0x0007FFFF)


def test_rooms_a_step_apart_are_one_storey_and_a_loft_is_another(two_storeys: Plan) -> None:
    assert len(two_storeys.storeys) == 2
    assert two_storeys.storey_of(0.2) == 0
    assert two_storeys.storey_of(3.0) == 1
    assert two_storeys.storey_of(-4.0) == 0


def test_a_doorway_seen_from_above_is_a_line_and_a_hatch_an_area(two_storeys: Plan) -> None:
    interior = [portal for portal in two_storeys.portals if portal.kind is PortalTarget.INTERIOR]
    assert {len(portal.points) for portal in interior} == {2, 4}


def test_a_dungeon_shows_no_ground(two_storeys: Plan) -> None:
    assert two_storeys.ground is None


def test_a_house_on_land_has_an_outline_an_exit_and_a_building_portal() -> None:
    builder = WorldBuilder()
    land = builder.landblock(0xC95B, height=20)
    house = land.building("hut", (108, 108), 0, shell=walls(rect(-4, -3, 8, 6), 0, 3, "brick"))
    room = house.room("room", rect(-3.6, -2.6, 7.2, 5.2), height=2.6)
    house.doorway(room, OUTDOORS, (0, -3))
    plan = plan_of(builder.build().load(), 0xC95BFFFF)
    kinds = [portal.kind for portal in plan.portals]
    assert kinds.count(PortalTarget.EXIT) == 1
    assert kinds.count(PortalTarget.BUILDING) == 1
    assert plan.ground is not None
    assert set(plan.ground.heights) == {20.0}
    (building,) = plan.buildings
    xs = [x for x, _ in building.outline]
    assert min(xs) == pytest.approx(104.0, abs=0.01)
    assert max(xs) == pytest.approx(112.0, abs=0.01)


def test_an_outline_is_the_convex_hull_without_points_on_its_sides() -> None:
    points = [(0.0, 0.0), (2.0, 0.0), (1.0, 0.0), (2.0, 2.0), (0.0, 2.0), (1.0, 1.0)]
    assert set(convex_outline(points)) == {(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)}
    assert convex_outline([(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)]) == ((0.0, 0.0), (1.0, 0.0))
