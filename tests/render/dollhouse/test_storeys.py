"""Storeys against brute force over the corners of the cells."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from engine.build.demo import ensure_demo
from engine.render.dollhouse.look import rooms_of_building
from engine.render.dollhouse.storeys import HEADROOM, storeys_of
from engine.world.cells.cell import EnvCell
from engine.world.loader import open_world
from engine.world.world import World
from tests.render.dollhouse.conftest import BLOCK

VILLAGE, DUNGEON = 0xC95BFFFF, 0x0007FFFF


def lowest_corner(room: EnvCell) -> float:
    """By matrices, not by the frame's own methods."""
    rotation = np.array([room.frame.row_x, room.frame.row_y, room.frame.row_z])
    corners = np.array(room.structure.vertices) @ rotation.T + np.array(room.frame.origin)
    return float(corners[:, 2].min())


@pytest.mark.parametrize("block_id", [VILLAGE, DUNGEON])
def test_the_storeys_of_the_demo_are_those_of_all_corners(block_id: int) -> None:
    with open_world(ensure_demo()) as world:
        block = world.landblock(block_id)
        assert block is not None
        floors = {room.id: lowest_corner(room) for room in block.env_cells}
        storeys = storeys_of(block.env_cells)
        assert sorted(cell_id for storey in storeys for cell_id in storey.rooms) == sorted(floors)
        for storey in storeys:
            inside = [cell_id for cell_id, floor in floors.items() if storey.low <= floor < storey.high]
            assert sorted(inside) == list(storey.rooms)
            heights = [floors[cell_id] for cell_id in storey.rooms]
            assert max(heights) - min(heights) < HEADROOM
        lowest = [min(floors[cell_id] for cell_id in storey.rooms) for storey in storeys]
        assert len(storeys) > 1
        assert all(above - below >= HEADROOM for below, above in itertools.pairwise(lowest))


def test_a_loft_is_a_storey_over_the_two_rooms_below(world: World) -> None:
    block = world.landblock(BLOCK)
    assert block is not None
    below, above = storeys_of(block.env_cells)
    assert [len(below.rooms), len(above.rooms)] == [
        sum(abs(lowest_corner(room) - height) < 0.5 for room in block.env_cells) for height in (0.0, 3.0)
    ]
    assert below.high == above.low


def test_no_rooms_have_no_storeys() -> None:
    assert storeys_of([]) == []


def test_each_room_of_the_village_belongs_to_one_building() -> None:
    with open_world(ensure_demo()) as world:
        block = world.landblock(VILLAGE)
        assert block is not None
        rooms = {room.id: room for room in block.env_cells}
        each = [rooms_of_building(building, rooms) for building in block.buildings]
        assert sorted(cell_id for found in each for cell_id in found) == sorted(rooms)
