"""The free camera's cell (rendering.md 21.5): through doors, through walls, out and down."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.build.demo import SPOTS
from engine.geometry.vec import Vec3, distance, lerp
from engine.visibility.free_cell import CROSSED, KEPT, NEARBY, NOWHERE, OUTDOORS, SEARCHED, FreeCell
from engine.visibility.world_view import WorldView
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import is_env_cell
from engine.world.cells.landdefs import block_offset, get_outside_cell_id
from engine.world.world import World
from tests.visibility.helpers.worlds import DUNGEON, VILLAGE, demo, eye_at, house_world

FRONT, BACK, DOORWAY, PORCH, BACK_PORCH = (0xC95B0000 | low for low in (0x100, 0x101, 0x102, 0x103, 0x104))


def in_house(x: float, y: float, z: float = 1.5) -> Vec3:
    """A point of the house of `house_world`, whose door faces south."""
    block = house_world().landblock(VILLAGE)
    assert block is not None
    return block.buildings[0].frame.local_to_global((x, y, z))


def latch(world: World, cell_id: int, eye: Vec3) -> FreeCell:
    free = FreeCell(WorldView(world))
    free.place(cell_id, eye)
    return free


def fly(free: FreeCell, goal: Vec3, steps: int) -> list[int]:
    """Flies straight to a point of the eye's landblock and returns the cells on the way, each change once."""
    start, home = free.eye, free.cell_id
    cells = [free.cell_id]
    for step in range(1, steps + 1):
        x, y, z = lerp(start, goal, step / steps)
        dx, dy, dz = block_offset(free.cell_id, home)
        free.update_free_cell((x + dx, y + dy, z + dz))
        if free.cell_id != cells[-1]:
            cells.append(free.cell_id)
    return cells


@pytest.mark.parametrize("steps", [1, 7, 100])
def test_a_flight_through_the_houses_doors_needs_no_search(steps: int) -> None:
    outside = in_house(0.0, -9.0)
    free = latch(house_world(), VILLAGE & 0xFFFF0000 | 0x25, outside)
    assert free.cell_id == get_outside_cell_id(VILLAGE, outside)
    outdoors = free.cell_id
    searches = free.locator.searches
    cells = fly(free, in_house(0.0, 2.0), steps)
    assert cells[-1] == BACK
    if steps == 100:
        assert cells == [outdoors, PORCH, FRONT, DOORWAY, BACK]
    indoors = free.locator.searches
    cells = fly(free, in_house(0.0, 12.0), steps)
    assert cells[0] == BACK
    assert not is_env_cell(cells[-1])
    assert not free.outside_all
    if steps == 100:
        assert cells[1] == BACK_PORCH
    if steps == 1:
        assert (searches, free.locator.searches) == (1, indoors + 1)  # what is outdoors looks for a room around it


def test_an_eye_that_stays_in_a_room_keeps_it() -> None:
    free = latch(house_world(), FRONT, in_house(0.0, -2.0))
    free.update_free_cell(free.eye)
    assert (free.cell_id, free.how, free.locator.searches) == (FRONT, KEPT, 0)
    free.update_free_cell(in_house(1.0, -3.0, 0.4))
    assert (free.cell_id, free.how, free.locator.searches) == (FRONT, KEPT, 0)


def test_through_a_wall_the_camera_searches_neighbours_and_the_stab_list() -> None:
    free = latch(house_world(), FRONT, in_house(2.0, -2.0))
    free.update_free_cell(in_house(2.0, 2.0))
    assert (free.cell_id, free.how, free.crossings) == (BACK, NEARBY, 0)


def test_an_outer_wall_leads_outdoors_and_back_into_the_room() -> None:
    free = latch(house_world(), FRONT, in_house(2.0, -2.0))
    free.update_free_cell(in_house(5.0, -2.0))
    assert free.how == OUTDOORS
    assert free.cell_id == get_outside_cell_id(VILLAGE, in_house(5.0, -2.0))
    free.update_free_cell(in_house(2.0, -2.0))
    assert (free.cell_id, free.how) == (FRONT, SEARCHED)


def test_an_eye_past_an_exit_is_outdoors_and_stays_there() -> None:
    threshold = in_house(0.0, -5.5)
    outward = in_house(0.0, -5.6)
    direction = [(b - a) / distance(threshold, outward) for a, b in zip(threshold, outward, strict=True)]
    free = latch(house_world(), FRONT, in_house(0.0, -5.0))
    cells = []
    for beyond in (-0.001, -0.0003, -0.0001, 0.00005, 0.0001, 0.0005, 0.002, 0.01, 0.05, 0.2):
        free.update_free_cell(
            (
                threshold[0] + direction[0] * beyond,
                threshold[1] + direction[1] * beyond,
                threshold[2] + direction[2] * beyond,
            )
        )
        cells.append(is_env_cell(free.cell_id))
    assert cells == [True] * 3 + [False] * 7


@pytest.mark.parametrize("rounds", [30])
def test_an_eye_trembling_on_a_threshold_stays_in_its_two_rooms(rounds: int) -> None:
    free = latch(house_world(), FRONT, in_house(0.0, -1.0))
    for number in range(rounds):
        free.update_free_cell(in_house(0.0, -0.1 + 1e-5 * (-1.0 if number % 2 else 1.0)))
        assert free.cell_id == (FRONT if number % 2 else DOORWAY)
        assert free.locator.searches == 0


def test_below_ground_the_free_camera_is_outdoors_but_inside_in_a_cellar() -> None:
    cellar_id, cellar = eye_at("cellar")
    kitchen_id, kitchen = eye_at("cottage_kitchen")
    free = latch(demo(), kitchen_id, kitchen)
    free.update_free_cell(cellar)
    assert free.cell_id == cellar_id
    free.update_free_cell((cellar[0], cellar[1], cellar[2] - 30.0))
    assert not is_env_cell(free.cell_id)
    assert free.how == OUTDOORS


def test_outside_a_dungeon_the_last_root_stays_and_is_marked() -> None:
    start_id, start = eye_at("dungeon_start")
    free = latch(demo(), start_id, start)
    free.update_free_cell((start[0], start[1], start[2] + 200.0))
    assert (free.cell_id, free.how, free.outside_all) == (start_id, NOWHERE, True)
    hall_id, hall = eye_at("great_hall")
    free.update_free_cell(hall)
    assert (free.cell_id, free.outside_all) == (hall_id, False)


def test_the_eye_changes_to_the_coordinates_of_the_next_landblock() -> None:
    free = latch(demo(), VILLAGE & 0xFFFF0000 | 0x40, (190.0, 190.0, 60.0))
    free.update_free_cell((200.0, 195.0, 60.0))
    assert free.cell_id == 0xCA5C0001
    assert free.eye == (8.0, 3.0, 60.0)
    assert not free.outside_all


def test_beyond_the_last_landblock_the_last_land_cell_stays_the_root() -> None:
    free = latch(demo(), VILLAGE & 0xFFFF0000 | 0x40, (190.0, 190.0, 60.0))
    free.update_free_cell((190.0 + 5 * 192.0, 190.0, 60.0))
    assert (free.cell_id, free.outside_all) == (VILLAGE & 0xFFFF0000 | 0x40, True)
    free.update_free_cell((190.0, 190.0, 60.0))
    assert (free.cell_id, free.outside_all) == (VILLAGE & 0xFFFF0000 | 0x40, False)


def test_an_eye_that_is_no_valid_position_changes_nothing() -> None:
    cell_id, eye = eye_at("cottage_parlour")
    free = latch(demo(), cell_id, eye)
    for bad in (math.nan, math.inf):
        free.update_free_cell((bad, eye[1], eye[2]))
        assert (free.cell_id, free.eye, free.how) == (cell_id, eye, KEPT)


def test_the_camera_corrects_a_position_that_names_the_wrong_room() -> None:
    cellar_id, cellar = eye_at("cellar")
    assert latch(demo(), eye_at("bedroom")[0], cellar).cell_id == cellar_id
    assert latch(demo(), DUNGEON & 0xFFFF0000 | 0xFF00, eye_at("great_hall")[1]).cell_id == eye_at("great_hall")[0]


VILLAGE_SPOTS = sorted(name for name, spot in SPOTS.items() if spot.cell_id >> 16 == VILLAGE >> 16)
DUNGEON_SPOTS = sorted(name for name, spot in SPOTS.items() if spot.cell_id >> 16 == DUNGEON >> 16)


@settings(max_examples=60)
@given(st.sampled_from([VILLAGE_SPOTS, DUNGEON_SPOTS]), st.data(), st.integers(1, 40))
def test_a_flight_through_any_walls_arrives_in_the_cell_of_its_position(
    spots: list[str], data: st.DataObject, steps: int
) -> None:
    free: FreeCell | None = None
    for name in data.draw(st.lists(st.sampled_from(spots), min_size=2, max_size=4)):
        cell_id, eye = eye_at(name, 1.0)
        if free is None:
            free = latch(demo(), cell_id, eye)
        else:
            x, y, z = eye
            dx, dy, dz = block_offset(free.cell_id, cell_id)
            fly(free, (x + dx, y + dy, z + dz), steps)
        assert free.cell_id == cell_id, name
        assert not free.outside_all


@settings(max_examples=40)
@given(st.data())
def test_the_latched_room_always_contains_the_eye(data: st.DataObject) -> None:
    free = latch(demo(), *eye_at("cottage_parlour"))
    angle = st.floats(0.0, 2.0 * math.pi)
    for _ in range(30):
        way, length, rise = data.draw(angle), data.draw(st.floats(0.0, 4.0)), data.draw(st.floats(-1.0, 1.0))
        x, y, z = free.eye
        free.update_free_cell((x + length * math.cos(way), y + length * math.sin(way), z + rise))
        cell = free.graph.peek(free.cell_id)
        if isinstance(cell, EnvCell):
            assert cell.point_in_cell(free.eye)
        else:
            assert free.cell_id == get_outside_cell_id(free.cell_id, free.eye)
        assert free.how in (KEPT, CROSSED, NEARBY, SEARCHED, OUTDOORS)


def test_an_eye_that_leaves_a_house_and_dives_into_another_room_is_in_it() -> None:
    """The last step crosses an exit and ends in the cellar below the ground."""
    cellar_id, cellar = eye_at("cellar", 1.0)
    free = latch(demo(), *eye_at("ledge", 1.0))
    fly(free, cellar, 2)
    assert free.cell_id == cellar_id
