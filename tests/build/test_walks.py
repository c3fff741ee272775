"""Bodies walk through built worlds by the engine's sweeps: through openings, up stairs, into houses, against doors."""

from __future__ import annotations

import pytest

from engine.build import WorldBuilder, rect
from engine.world.cells.cell import Building
from tests.build.walker import Walker
from tests.build.worlds import built


def _walker(name: str, room: str, at: tuple[float, float, float]) -> Walker:
    return Walker(built(name).load(), built(name).cell_id(room), at)


def _names(name: str, cells: list[int]) -> list[str]:
    ids = {cell: room for room, cell in built(name).cells.items() if "/" not in room}
    return [ids.get(cell, hex(cell)) for cell in cells]


def test_a_body_walks_through_a_doorway_both_ways() -> None:
    world = WorldBuilder()
    world.doorway(world.room("a", rect(0, 0, 4, 4)), world.room("b", rect(4.3, 0, 4, 4)))
    made = world.build()
    walker = Walker(made.load(), made.cell_id("a"), (1.0, 2.0, 0.0))
    walker.go(7, 2)
    assert walker.cell_id == made.cell_id("b")
    assert walker.at == pytest.approx((7.0, 2.0, 0.0), abs=1e-3)
    walker.go(1, 2)
    assert walker.cell_id == made.cell_id("a")
    assert walker.at == pytest.approx((1.0, 2.0, 0.0), abs=1e-3)


def test_a_wall_beside_the_doorway_blocks() -> None:
    walker = _walker("two_rooms", "hall", (3.0, 1.0, 0.0))
    walker.go(9, 1.0)
    assert walker.cell_id == built("two_rooms").cell_id("hall")
    assert 5.3 < walker.at[0] < 5.53


def test_a_closed_door_blocks_across_its_width_and_an_open_one_does_not() -> None:
    door = built("two_rooms").entity("hall-study door")
    for y in (2.0, 1.7, 2.3):
        walker = _walker("two_rooms", "hall", (3.0, y, 0.0))
        walker.go(9, y)
        assert walker.at[0] < 5.8
        walker.registry.update_physics_state(door.guid, door.state | 0x4)
    walker = _walker("two_rooms", "hall", (3.0, 2.0, 0.0))
    walker.registry.update_physics_state(door.guid, door.state | 0x4)
    assert _names("two_rooms", walker.go(9, 2)) == ["hall", "hall-study", "study"]


def test_stairs_lead_up_through_a_hatch_and_back_down() -> None:
    walker = _walker("tower", "ground", (-1.5, -3.0, 0.0))
    assert _names("tower", walker.go(-1.5, 2.8)) == ["ground", "loft-ground", "loft"]
    assert walker.at == pytest.approx((-1.5, 2.8, 3.0), abs=1e-2)
    walker.go(1, 2.8)
    walker.go(-1.5, 2.8)
    assert _names("tower", walker.go(-1.5, -3.0)) == ["loft", "loft-ground", "ground"]
    assert walker.at == pytest.approx((-1.5, -3.0, 0.0), abs=1e-2)


def test_a_body_walks_all_the_way_around_a_ring_of_turned_pieces() -> None:
    walker = _walker("ring", "corridor 0", (0.0, 0.0, 0.0))
    for x, y in ((0, 4), (8, 4), (8, -4), (0, -4), (0, 0)):
        walker.go(x, y)
        assert walker.at == pytest.approx((x, y, 0.0), abs=1e-2)
    assert walker.cell_id == built("ring").cell_id("corridor 0")


def test_a_body_crosses_the_parts_of_a_concave_room_freely() -> None:
    walker = _walker("concave_rooms", "L", (1.0, 1.0, 0.0))
    for x, y in ((1, 5), (1, 1), (5, 1.5), (7.5, 1.5), (13, 1.5), (13.5, 8), (8, 1.5), (8, 8)):
        walker.go(x, y)
        assert walker.at == pytest.approx((x, y, 0.0), abs=1e-2)


def test_a_body_walks_down_and_up_a_sloping_corridor() -> None:
    walker = _walker("slanting_corridor", "top", (2.0, 1.0, 0.0))
    assert _names("slanting_corridor", walker.go(2, 15)) == ["top", "down", "low"]
    assert walker.at == pytest.approx((2.0, 15.0, -4.0), abs=1e-2)
    walker.go(2, 1)
    assert walker.at == pytest.approx((2.0, 1.0, 0.0), abs=1e-2)


def test_a_body_enters_and_leaves_a_house_by_its_door_not_its_walls() -> None:
    made = built("cottage")
    world = made.load()
    world.landblock(0xC95BFFFF)
    (building,) = [b for block in world.loaded_landblocks() for b in block.buildings]
    walker = Walker(world, building.cell_id, building.frame.local_to_global((-2.0, -8.0, 0.0)))

    def local() -> tuple[float, float, float]:
        return building.frame.global_to_local(walker.at)

    _walk(walker, building, -2, 0)
    assert local()[1] < -4.0  # the front door is closed
    _walk(walker, building, -2, -8)
    door = made.entity("front door")
    walker.registry.update_physics_state(door.guid, door.state | 0x4)
    assert _names("cottage", _walk(walker, building, -2, 0))[1:] == ["room-outdoors", "room"]
    assert local() == pytest.approx((-2.0, 0.0, 0.0), abs=1e-2)
    _walk(walker, building, -2, -8)
    assert walker.cell_id == building.cell_id
    _walk(walker, building, -4.2, -8)
    _walk(walker, building, -4.2, 0)
    assert -5.0 < local()[1] < -4.3  # the wall beside the door


def _walk(walker: Walker, building: Building, x: float, y: float) -> list[int]:
    px, py, _ = building.frame.local_to_global((x, y, 0.0))
    return walker.go(px, py)
