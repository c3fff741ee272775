"""The ground of all landblocks, sampled in the background for the map."""

from __future__ import annotations

import struct
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest

from editor.maps import ground_map
from editor.maps.block_map import MapColours, Picture
from editor.maps.ground_map import GRID, POINTS, GroundGrid, Paint, ReadGround, no_ground, put, shaded
from editor.session.background import CancelledError
from engine.world.block_index import SIDE
from engine.world.loader import open_world
from tests.loaded import HUNG
from tests.many_landblocks import huts, write_many

WATER, GRASS = 18, 1
FLAT = np.array([2.0 * index for index in range(256)], dtype=np.float32)
COLOURS = np.array([[kind, 2 * kind, 100] for kind in range(32)], dtype=np.float32)
MAP = MapColours((0, 0, 0), (50, 50, 50), (0, 100, 100), (0, 200, 200))


def land_record(block_id: int, kinds: list[int], heights: list[int]) -> bytes:
    """Terrain types and heights of the 81 vertices, index 9·x + y."""
    return struct.pack("<II81H81B", block_id, 0, *(kind << 2 for kind in kinds), *heights) + b"\0"


def test_samples_are_placed_like_their_vertices_with_north_on_top() -> None:
    ground = no_ground()
    kinds = [WATER if vertex % 9 >= 5 else GRASS for vertex in range(81)]  # the northern half is water
    heights = [10 * (vertex // 9) for vertex in range(81)]  # rising eastwards
    put(ground, 0x0203FFFF, land_record(0x0203FFFF, kinds, heights))
    top, left = (SIDE - 1 - 3) * POINTS, 2 * POINTS
    assert ground.types[top : top + POINTS, left].tolist() == [WATER, WATER, GRASS, GRASS]
    assert ground.heights[top, left : left + POINTS].tolist() == [10, 30, 50, 70]


def test_anything_but_a_land_record_is_left_out() -> None:
    ground = no_ground()
    put(ground, 0x0203FFFF, b"\0" * 40)
    put(ground, 0x0203FFFF, None)
    assert not ground.types.any()


def test_slopes_that_rise_to_the_south_east_are_lit() -> None:
    ground = no_ground()
    ground.types[:] = GRASS
    ground.heights[10:, 10:] = 20
    lit = shaded(ground, COLOURS, FLAT)
    assert lit.shape == (GRID, GRID, 3)
    assert lit[9, 9, 2] > lit[0, 0, 2] == 100


def test_reading_finally_draws_the_whole_world_and_stops_when_cancelled(tmp_path: Path) -> None:
    drawn: list[tuple[Picture, bool]] = []
    with open_world(write_many(tmp_path, 12, 12, 7)) as world:
        index = world.source.block_index()
        job = ReadGround(world.source, index, Paint(COLOURS, MAP))
        job.signals.drawn.connect(lambda made, is_all: drawn.append((made, is_all)))
        job.run()
        made, is_all = drawn[-1]
        assert is_all
        assert made.shape == (GRID, GRID, 4)
        hut = huts(12, 12, 7)[0]
        top, left = (SIDE - 1 - (hut >> 16 & 0xFF)) * POINTS, (hut >> 24) * POINTS
        assert tuple(made[top, left, :3]) == MAP.many
        assert tuple(made[top - 1, left, :3]) not in (MAP.many, MAP.nothing)
        assert tuple(made[0, GRID - 1, :3]) == MAP.nothing
        job = ReadGround(world.source, index, Paint(COLOURS, MAP))
        job.cancel()
        with pytest.raises(CancelledError):
            job.work()


def test_nothing_is_read_after_cancelling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A caller that cancels may close the files, as the window does right afterwards."""
    begun, cancelled, returned = Event(), Event(), Event()
    read: list[int] = []

    def watched(_: GroundGrid, block_id: int, record: bytes | None) -> None:
        begun.set()
        assert cancelled.wait(HUNG)
        returned.wait(0.0 if read else 0.1)  # enough time for a `cancel` that does not wait to return
        read.append(block_id)

    monkeypatch.setattr(ground_map, "put", watched)
    with open_world(write_many(tmp_path, 12, 12, 7)) as world:
        job = ReadGround(world.source, world.source.block_index(), Paint(COLOURS, MAP))
        job.reports.cancelled.connect(cancelled.set)
        thread = Thread(target=job.run)
        thread.start()
        assert begun.wait(HUNG)
        job.cancel()
        read_by_then = len(read)
        returned.set()
        thread.join()
        assert 0 < len(read) == read_by_then < 144


def test_a_closed_world_returns_no_ground(tmp_path: Path) -> None:
    world = open_world(write_many(tmp_path, 3, 3, 2))
    index = world.source.block_index()
    world.close()
    assert world.source.land_record(index.ids[0]) is None
