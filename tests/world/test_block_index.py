"""The landblocks of a source: from the ids of a database, or as a scene or dump makes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.dat.ids import DatKind
from engine.world.loader import open_world
from engine.world.loader.json_form import JsonNode
from engine.world.loader.scene_source import SceneSource
from tests.many_landblocks import ROOMS, huts, write_many
from tests.world.loader.scenes import BLOCK_ID, two_rooms


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_many(tmp_path_factory.mktemp("many"), 20, 30, 7)


def test_a_database_is_indexed_without_reading_a_record(many: Path) -> None:
    told: list[float] = []
    with open_world(many) as world:
        index = world.source.block_index(told.append)
        assert len(index) == 600
        assert index.with_rooms == huts(20, 30, 7)
        assert index.room_count(index.with_rooms[0]) == len(ROOMS)
        assert all(map(index.has_land, index.ids))
        assert world.landblock_ids() == index.ids
        assert world.source.block_index() is index
    assert told == sorted(told)
    assert 0.0 < told[0] <= told[-1] <= 1.0


def test_a_hut_copied_to_another_landblock_is_complete(many: Path) -> None:
    with open_world(many) as world:
        block = world.landblock(huts(20, 30, 7)[3])
        assert block is not None
        assert len(block.env_cells) == len(ROOMS)
        assert world.landblock_faults(block.id) == []


def test_a_broken_directory_indexes_its_readable_part(many: Path, tmp_path: Path) -> None:
    for file in many.iterdir():
        data = bytearray(file.read_bytes())
        if file.name == DatKind.CELL.file_name:
            data[len(data) * 9 // 10 :] = bytes(len(data) - len(data) * 9 // 10)  # where the directory is
        (tmp_path / file.name).write_bytes(data)
    with open_world(tmp_path) as world:
        assert len(world.source.block_index()) < 600
        assert world.source.faults


def test_a_scene_is_indexed_by_what_it_makes() -> None:
    index = SceneSource(JsonNode(two_rooms(), "scene.json")).block_index()
    assert index.room_count(BLOCK_ID) == 2
    assert len(index) == 9
