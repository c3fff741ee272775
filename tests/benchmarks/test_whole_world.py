"""A world of the client's shape, small: what it holds, that nothing in it is wrong, and every step that `bench data`
measures in the whole one."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.world_size import steps
from benchmarks.world_size.steps import MEMORY, STEPS, a_room, step_apart
from benchmarks.world_size.world import ensure_world, shape_of
from engine.world.loader import open_world

SIDE = 18
VILLAGE_ROOMS, DUNGEON_ROOMS = 55, 130


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, seconds = ensure_world(tmp_path_factory.mktemp("worlds"), SIDE)
    assert seconds is not None
    return folder


def test_the_whole_world_has_the_records_of_the_clients_files() -> None:
    shape = shape_of(255, VILLAGE_ROOMS, DUNGEON_ROOMS)
    assert (shape.blocks, shape.with_rooms) == (65_025, 9_000)
    assert shape.records(VILLAGE_ROOMS, DUNGEON_ROOMS) == 805_003


def test_a_smaller_world_has_the_same_shares(world: Path) -> None:
    shape = shape_of(SIDE, VILLAGE_ROOMS, DUNGEON_ROOMS)
    with open_world(world) as opened:
        index = opened.source.block_index()
        counts = opened.source.record_counts()
        assert len(index) == SIDE * SIDE
        assert all(index.has_land(block_id) for block_id in index.ids)
        rooms = [index.room_count(block_id) for block_id in index.with_rooms]
    assert (rooms.count(VILLAGE_ROOMS), rooms.count(DUNGEON_ROOMS)) == (shape.villages, shape.dungeons)
    assert len(rooms) == shape.with_rooms
    assert counts["LandBlockInfo"] == shape.with_rooms + shape.bare


def test_a_world_that_is_there_is_used_again(world: Path) -> None:
    before = {path.name: path.stat() for path in world.iterdir()}
    assert ensure_world(world.parent, SIDE) == (world, None)
    assert {path.name: path.stat() for path in world.iterdir()} == before


def test_equal_sizes_give_equal_bytes(world: Path, tmp_path: Path) -> None:
    again, _ = ensure_world(tmp_path, SIDE)
    assert [path.read_bytes() for path in sorted(again.iterdir())] == [
        path.read_bytes() for path in sorted(world.iterdir())
    ]


def test_its_rooms_load_with_all_that_they_see(world: Path) -> None:
    room_id = a_room(world)
    with open_world(world) as opened:
        block = opened.landblock(room_id | 0xFFFF)
        assert block is not None
        assert len(block.env_cells) in (VILLAGE_ROOMS, DUNGEON_ROOMS)
        assert all(opened.graph.get_visible(seen) for cell in block.env_cells for seen in cell.stab_list)
        assert opened.landblock_faults(block.id) == []


def test_every_step_that_needs_no_window_can_be_measured(world: Path, tmp_path: Path) -> None:
    for step in [each for each in STEPS if each != "window"]:
        assert min(getattr(steps, step)(world, tmp_path / "out").values()) > 0


def test_a_step_of_a_process_of_its_own_has_its_own_peak_of_memory(world: Path, tmp_path: Path) -> None:
    held = bytes(range(256)) * 4096 * 300  # 300 MB, which the child does not have
    found = step_apart("index", world, tmp_path / "out")
    assert len(held) > 300e6
    assert 10 < found[MEMORY] < 250


@pytest.mark.gui
def test_the_window_can_be_measured(world: Path, tmp_path: Path) -> None:
    found = step_apart("window", world, tmp_path / "out")
    assert found["landblock to first picture"] > 0
    assert found[MEMORY] > 10
