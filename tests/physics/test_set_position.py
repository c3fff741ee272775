"""Placing a body: which cell, where exactly, and when it is refused (physics.md 7.3, 7.4, 8.8)."""

from __future__ import annotations

import pytest

from engine.geometry.frame import Frame
from engine.geometry.quat import IDENTITY
from engine.physics.body import Body
from engine.physics.flags import ETHEREAL, GRAVITY, HAS_PHYSICS_BSP, TS_ACTIVE, TS_CONTACT, TS_ON_WALKABLE
from engine.physics.objects.ethereal import check_collision, set_ethereal
from engine.physics.objects.physics_object import SPHERE, ShadowShape
from engine.physics.objects.shadows import ShadowRegistry
from engine.physics.objects.shapes import shapes_from_setup
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.set_position import (
    SP_COLLIDED,
    SP_NO_VALID_POSITION,
    SP_OK,
    SP_SLIDE,
    SP_TELEPORT,
    adjust_position,
    find_room,
    resolve_cell_id,
    set_position,
)
from engine.world.world import World
from tests.physics.small_world import spheres
from tests.sim.helpers.small_worlds import big_hall, built, furnished, house, open_rooms, two_rooms

FOOT = (0.0, 0.0, 0.48)


def place(cell_id: int, x: float, y: float, z: float = 0.0) -> Place:
    return Place(cell_id, (x, y, z), Frame())


def body_in(world: World) -> Body:
    body = Body(1, world.graph, RuleSet())
    body.spheres = spheres(0.48, 1.8)
    body.step_up_height, body.step_down_height = 0.6, 1.5
    return body


# --- which cell


def test_a_room_is_found_from_its_neighbour_through_the_stab_list() -> None:
    world, cells = built(open_rooms).load(), built(open_rooms)
    there = place(cells.cell_id("hall"), 8.0, 2.0)
    cell = adjust_position(world.graph, there, FOOT, True)
    assert cell is not None
    assert cell.id == there.cell_id == cells.cell_id("study")


def test_without_the_stab_list_the_search_takes_only_neighbours() -> None:
    world, cells = built(open_rooms).load(), built(open_rooms)
    assert adjust_position(world.graph, place(cells.cell_id("hall"), 8.0, 2.0), FOOT, False) is None
    near = place(cells.cell_id("hall"), 6.1, 2.0)
    assert adjust_position(world.graph, near, FOOT, False) is not None
    assert near.cell_id == cells.cell_id("hall-study")


def test_a_position_in_no_room_of_a_dungeon_is_invalid() -> None:
    world, cells = built(open_rooms).load(), built(open_rooms)
    assert adjust_position(world.graph, place(cells.cell_id("hall"), 30.0, 30.0), FOOT, True) is None


def test_a_position_outside_a_house_is_on_the_land_under_it() -> None:
    world, cells = built(house).load(), built(house)
    there = place(cells.cell_id("room"), 90.0, 80.0, 20.0)
    cell = adjust_position(world.graph, there, FOOT, True)
    assert cell is not None
    assert there.cell_id == cell.id == 0xC95B001C


def test_a_land_cells_coordinates_are_moved_into_their_landblock() -> None:
    world = built(house).load()
    there = place(0xC95B0001, 200.0, -5.0, 20.0)
    cell = adjust_position(world.graph, there, FOOT, True)
    assert cell is not None
    assert there.cell_id == 0xCA5A0008
    assert there.origin == (8.0, 187.0, 20.0)


@pytest.mark.parametrize("cell_id", [0x00070177, 0x00070050, 0x0007FFFE])
def test_ids_without_a_loaded_cell_are_no_position(cell_id: int) -> None:
    assert adjust_position(built(two_rooms).load().graph, place(cell_id, 1.0, 1.0), FOOT, True) is None


def test_the_static_search_returns_the_containing_or_the_given_cell() -> None:
    world, cells = built(open_rooms).load(), built(open_rooms)
    hall, doorway = cells.cell_id("hall"), cells.cell_id("hall-study")
    assert resolve_cell_id(world.graph, RuleSet(), (6.1, 2.0, 0.5), 0.48, hall) == doorway
    assert resolve_cell_id(world.graph, RuleSet(), (50.0, 2.0, 0.5), 0.48, hall) == hall
    assert resolve_cell_id(world.graph, RuleSet(), (1.0, 2.0, 0.5), 0.48, 0) == 0


def test_a_room_deep_in_a_house_is_found_through_its_building() -> None:
    world, cells = built(house).load(), built(house)
    block = world.landblock(0xC95BFFFF)
    assert block is not None
    land = next(cell.id for cell in block.land_cells if cell.building is not None)
    assert find_room(world.graph, land, (108.0, 108.0, 20.5)) == cells.cell_id("room")
    assert find_room(world.graph, land, (108.0, 108.0, 30.0)) == 0
    assert find_room(world.graph, 0xC95B0001, (1.0, 1.0, 20.5)) == 0


# --- placing


def test_a_placed_body_stands_on_the_floor_in_contact() -> None:
    world, cells = built(big_hall).load(), built(big_hall)
    body = body_in(world)
    assert set_position(body, place(cells.cell_id("hall"), 20.0, 20.0, 0.9), SP_TELEPORT) == SP_OK
    assert body.place.origin == pytest.approx((20.0, 20.0, 0.0), abs=1e-4)
    assert body.cell is world.graph.get_visible(cells.cell_id("hall"))
    assert body.transient & (TS_CONTACT | TS_ON_WALKABLE | TS_ACTIVE) == TS_CONTACT | TS_ON_WALKABLE | TS_ACTIVE
    assert body.cell is not None
    assert body.cell.object_list == [1]


def test_a_body_placed_high_up_stays_in_the_air() -> None:
    world, cells = built(big_hall).load(), built(big_hall)
    body = body_in(world)
    assert set_position(body, place(cells.cell_id("hall"), 20.0, 20.0, 8.0), SP_TELEPORT) == SP_OK
    assert body.place.origin[2] == 8.0
    assert not body.transient & TS_CONTACT


def test_a_wall_refuses_a_placement_or_with_sliding_moves_it_aside() -> None:
    world, cells = built(big_hall).load(), built(big_hall)
    body = body_in(world)
    wanted = place(cells.cell_id("hall"), 39.9, 20.0)
    assert set_position(body, wanted, SP_TELEPORT) in (SP_COLLIDED, SP_NO_VALID_POSITION)
    assert body.cell is None
    assert set_position(body, wanted, SP_SLIDE) == SP_OK
    assert body.place.origin[0] <= 40.0 - 0.48 + 1e-3


def crate_in(world: World) -> ShadowRegistry:
    """The crate of the furnished room, registered."""
    registry = ShadowRegistry(world.graph, RuleSet())
    cell = world.graph.get_visible(built(furnished).cell_id("room"))
    assert cell is not None
    for thing in cell.static_objects:
        setup = world.setup(thing.model_id)
        assert setup is not None
        shapes = shapes_from_setup(setup, 1.0)
        registry.register_multi_part(thing.id, cell.id, thing.frame, shapes, HAS_PHYSICS_BSP, 0)
    return registry


def test_furniture_refuses_a_placement_or_with_sliding_moves_it_aside() -> None:
    world, cells = built(furnished).load(), built(furnished)
    crate_in(world)
    body = body_in(world)
    answer = set_position(body, place(cells.cell_id("room"), 5.0, 5.0), SP_TELEPORT)
    assert answer in (SP_COLLIDED, SP_NO_VALID_POSITION)
    assert body.cell is None
    assert set_position(body, place(cells.cell_id("room"), 5.0, 5.0), SP_SLIDE) == SP_OK
    x, y, _ = body.place.origin
    assert max(abs(x - 5.0), abs(y - 5.0)) > 0.4 + 0.3


def test_a_body_placed_nowhere_leaves_the_world_and_sleeps() -> None:
    world, cells = built(big_hall).load(), built(big_hall)
    body = body_in(world)
    set_position(body, place(cells.cell_id("hall"), 20.0, 20.0), SP_TELEPORT)
    held = body.cell
    assert held is not None
    assert set_position(body, place(0x00070177, 1.0, 1.0), SP_TELEPORT) == SP_OK
    assert body.cell is None
    assert held.object_list == []
    assert not body.transient & TS_ACTIVE


# --- becoming solid again


def test_an_object_becomes_solid_only_when_no_body_is_inside() -> None:
    world, cells = built(furnished).load(), built(furnished)
    registry = crate_in(world)
    crate = registry.entity(min(registry.entities)).obj
    body = body_in(world)
    registry.register_multi_part(body.id, cells.cell_id("room"), Frame(), [], GRAVITY, 0)
    bodies: dict[int, Body] = {body.id: body}
    assert set_ethereal(registry, crate, True, bodies)
    assert set_position(body, place(cells.cell_id("room"), 5.0, 5.0), SP_TELEPORT) == SP_OK
    registry.register_multi_part(body.id, body.place.cell_id, body.place.frame(), player_shapes(), GRAVITY, 0)
    assert not set_ethereal(registry, crate, False, bodies)
    assert crate.state & ETHEREAL
    assert set_position(body, place(cells.cell_id("room"), 5.0, 2.0), SP_TELEPORT) == SP_OK
    assert set_ethereal(registry, crate, False, bodies)
    assert not crate.state & ETHEREAL


def player_shapes() -> list[ShadowShape]:
    return [ShadowShape(None, ball.center, IDENTITY, 1.0, SPHERE, ball.radius, 0.0) for ball in spheres(0.48, 1.8)]


def test_a_body_in_no_cell_overlaps_nothing() -> None:
    world = built(furnished).load()
    registry = crate_in(world)
    assert not check_collision(body_in(world), registry.entity(min(registry.entities)).obj)
