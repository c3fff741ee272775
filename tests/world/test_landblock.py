"""Landblocks: their cells, dungeons, lazy scenery and edges (physics.md 15.2, dat-format.md 2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.frame import Frame
from engine.world.cells.cell import Building, CellStruct, EnvCell, LandCell
from engine.world.cells.terrain import Terrain
from engine.world.faults import SCENERY, TERRAIN_EDGE, Fault, Severity
from engine.world.landblock import Landblock, edge_faults, neighbour_ids
from engine.world.scenery import PlacedScenery

LINEAR = [2.0 * index for index in range(256)]
BLOCK = 0xC95BFFFF
ROOM = CellStruct(0x0D000001, 0, [], {}, [], {}, None, None, None, None)


def ground(height: int = 0, cell_id: int = BLOCK) -> Terrain:
    return Terrain(cell_id, [height] * 81, [0] * 81, LINEAR)


def room(low: int) -> EnvCell:
    return EnvCell(0xC95B0000 | low, Frame(), ROOM, [], [], 0, [])


def house() -> Building:
    return Building(1, 0xC95B0012, 0x01000A2B, Frame((30.0, 40.0, 0.0)), None, [], 0)


def test_cells_are_in_order_of_their_ids_land_first() -> None:
    terrain = ground()
    lands = [LandCell(0xC95B0000 | low, terrain) for low in (2, 1)]
    block = Landblock(0xC95B0000, terrain, [room(0x101), *lands, room(0x100)])
    assert block.id == BLOCK
    assert [cell.id & 0xFFFF for cell in block.cells] == [1, 2, 0x100, 0x101]
    assert [cell.id & 0xFFFF for cell in block.land_cells] == [1, 2]
    assert [cell.id & 0xFFFF for cell in block.env_cells] == [0x100, 0x101]


@pytest.mark.parametrize(
    ("what", "height", "rooms", "buildings", "is_dungeon", "has_dungeon"),
    [
        ("a dungeon", 0, 1, 0, True, True),
        ("an estate with a basement", 20, 1, 0, False, True),
        ("a house", 0, 1, 1, False, False),
        ("flat land", 0, 0, 0, False, False),
        ("hills", 20, 0, 0, False, False),
    ],
)
def test_a_dungeon_has_rooms_no_building_and_no_heights(
    what: str, height: int, rooms: int, buildings: int, is_dungeon: bool, has_dungeon: bool
) -> None:
    cells = [room(0x100 + index) for index in range(rooms)]
    block = Landblock(BLOCK, ground(height), cells, num_cells=rooms, buildings=[house()] * buildings)
    assert (block.is_dungeon, block.has_dungeon) == (is_dungeon, has_dungeon), what


def test_a_dungeon_whose_rooms_fail_to_load_is_still_a_dungeon() -> None:
    assert Landblock(BLOCK, ground(), [], has_info=True, num_cells=3).is_dungeon


def test_a_landblock_without_terrain_is_not_known_as_a_dungeon() -> None:
    block = Landblock(BLOCK, None, [room(0x100)])
    assert block.has_dungeon
    assert not block.is_dungeon


def test_scenery_is_made_once_and_only_on_demand() -> None:
    made: list[list[int]] = []
    tree = PlacedScenery(0x02000247, Frame(), 1.0, 0x12000074, 0, 0)
    fault = Fault(BLOCK, SCENERY, "scene 0x12000075 is not there")

    def make(block: Landblock) -> tuple[list[PlacedScenery], list[Fault]]:
        made.append(block.building_cells)
        return [tree], [fault]

    block = Landblock(BLOCK, ground(), [], buildings=[house()], make_scenery=make)
    assert made == []
    assert block.faults == []
    assert block.scenery == [tree]
    assert block.scenery == [tree]
    assert made == [[0x12]]
    assert block.faults == [fault]


def test_without_a_maker_there_is_no_scenery() -> None:
    assert Landblock(BLOCK, ground(), []).scenery == []


# --- neighbours


def test_eight_landblocks_surround_one() -> None:
    assert [f"{block >> 16:04X}" for block in neighbour_ids(0xC95B0104)] == [
        "C85A", "C85B", "C85C", "C95A", "C95C", "CA5A", "CA5B", "CA5C",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("corner", "around"),
    [(0x0000FFFF, {0x0001, 0x0100, 0x0101}), (0xFEFEFFFF, {0xFDFD, 0xFDFE, 0xFEFD})],
)
def test_the_map_ends_at_columns_and_rows_0_and_254(corner: int, around: set[int]) -> None:
    assert {block >> 16 for block in neighbour_ids(corner)} == around


@given(st.integers(0, 254), st.integers(0, 254))
def test_neighbours_are_neighbours_of_each_other(x: int, y: int) -> None:
    block = x << 24 | y << 16 | 0xFFFF
    assert all(block in neighbour_ids(other) for other in neighbour_ids(block))


# --- edges


def test_equal_edges_have_no_fault() -> None:
    assert [edge_faults(ground(7), ground(7, other)) for other in neighbour_ids(BLOCK)] == [[]] * 8


@pytest.mark.parametrize(
    ("neighbour", "shared"),
    [(0xC85AFFFF, 1), (0xC85BFFFF, 9), (0xC95AFFFF, 9), (0xC95CFFFF, 9), (0xCA5BFFFF, 9), (0xCA5CFFFF, 1)],
)
def test_differing_heights_along_an_edge_are_one_fault(neighbour: int, shared: int) -> None:
    faults = edge_faults(ground(7), ground(8, neighbour))
    assert [(fault.where, fault.what, fault.severity) for fault in faults] == [(BLOCK, TERRAIN_EDGE, Severity.WARNING)]
    assert f"at {shared} of {shared} shared vertices" in faults[0].reason


def test_an_edge_fault_names_the_first_vertex_and_both_values() -> None:
    heights = [7] * 81
    heights[3] = 12  # the west edge of the eastern neighbour, row 3
    east = Terrain(0xCA5BFFFF, heights, [0] * 81, LINEAR)
    faults = edge_faults(ground(7), east)
    assert [fault.reason for fault in faults] == [
        "height indices differ from landblock 0xCA5B at 1 of 9 shared vertices, "
        "first at column 8, row 3: 7 here, 12 there"
    ]


def test_differing_terrain_words_are_only_information() -> None:
    north = Terrain(0xC95CFFFF, [7] * 81, [4] * 81, LINEAR)
    faults = edge_faults(ground(7), north)
    assert [fault.severity for fault in faults] == [Severity.INFO]
    assert faults[0].reason.startswith("terrain words differ from landblock 0xC95C at 9 of 9 shared vertices")


def test_differences_off_the_edge_do_not_matter() -> None:
    heights = [7] * 81
    for i in range(1, 9):
        for j in range(9):
            heights[9 * i + j] = 100 + i
    assert edge_faults(ground(7), Terrain(0xCA5BFFFF, heights, [0] * 81, LINEAR)) == []


@pytest.mark.parametrize("far", [0xCB5BFFFF, 0xC961FFFF, 0x0000FFFF])
def test_landblocks_that_do_not_touch_share_nothing(far: int) -> None:
    assert edge_faults(ground(7), ground(8, far)) == []


@given(st.sampled_from(neighbour_ids(BLOCK)), st.lists(st.integers(0, 2), min_size=162, max_size=162))
def test_both_sides_of_an_edge_report_the_same_difference(neighbour: int, heights: list[int]) -> None:
    here = Terrain(BLOCK, heights[:81], [0] * 81, LINEAR)
    there = Terrain(neighbour, heights[81:], [0] * 81, LINEAR)
    ours, theirs = edge_faults(here, there), edge_faults(there, here)
    assert len(ours) == len(theirs)
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.reason.split(" at ")[1].split(",")[0] == other.reason.split(" at ")[1].split(",")[0]


@given(
    st.sampled_from([0xC85BFFFF, 0xCA5BFFFF]),
    st.lists(st.integers(0, 255), min_size=81, max_size=81),
    st.floats(0.0, 192.0),
)
def test_the_ground_is_continuous_across_edges_that_agree(neighbour: int, heights: list[int], y: float) -> None:
    """Copying the shared column makes the heights along it equal from both sides."""
    west, east = (neighbour, BLOCK) if neighbour < BLOCK else (BLOCK, neighbour)
    western = Terrain(west, heights, [0] * 81, LINEAR)
    eastern = Terrain(east, heights[72:] + heights[9:], [0] * 81, LINEAR)
    assert edge_faults(western, eastern) == []
    left, right = western.height_at(192.0, y), eastern.height_at(0.0, y)
    assert left is not None
    assert right == pytest.approx(left, abs=1e-6)
