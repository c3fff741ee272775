"""`bench data`: look-ups in a database of retail size, loading the demo inn, decoding rooms, compiling BSP trees."""

from __future__ import annotations

import gc
import math
import random
import tempfile
import time
from pathlib import Path

from benchmarks import server_data
from benchmarks.figures import Figure, best_of
from benchmarks.synthetic_cells import RETAIL_COUNT, make_cell_database
from benchmarks.synthetic_rooms import room_record, room_soup
from editor.process.memory import peak_megabytes
from engine.build.demo import VILLAGE, ensure_demo
from engine.dat.database import DatDatabase
from engine.dat.records import Environment, read_record
from engine.geometry.compile.physics import compile_physics
from engine.world.loader import open_world

LOOKUPS = 2_000
ROOMS = 1_000
ROOM_POLYGONS = 60
SOUP_POLYGONS = 500


def figures(core: str) -> list[Figure]:
    return [*_database(), _inn(), _decoding(), _compiling(), *server_data.figures()]


def _database() -> list[Figure]:
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "client_cell_1.dat"
        make_cell_database(path)
        some = random.Random(1)
        with DatDatabase.open(path) as database:
            ids = some.sample(list(database.ids()), LOOKUPS)
        gc.collect()
        before = peak_megabytes()
        start = time.perf_counter()
        with DatDatabase.open(path) as database:
            found = database.entry(ids[0])
            first = time.perf_counter() - start
            assert found is not None
            warm = best_of(5, lambda: [database.entry(record_id) for record_id in ids]) / LOOKUPS
            for record_id in ids:
                database.read(record_id)
        growth = peak_megabytes() - before
    count = f"{RETAIL_COUNT // 1000}k records"
    return [
        Figure(f"open and first look-up, {count}", first * 1e3, "ms", 50.0, 50.0),
        Figure(f"warm look-up, {count}", warm * 1e6, "us", 50.0, 50.0),
        Figure(f"memory growth, {count}", growth, "MB", 50.0, 50.0),
    ]


def _inn() -> Figure:
    """From an open demo world to the inn's landblock with its cells ready to simulate, nothing of it read before."""
    folder = ensure_demo()

    def load() -> float:
        with open_world(folder) as world:
            start = time.perf_counter()
            block = world.landblock(VILLAGE << 16)
            taken = time.perf_counter() - start
        assert block is not None
        assert block.env_cells
        return taken

    return Figure("demo inn's landblock to ready cells", min(load() for _ in range(5)) * 1e3, "ms", 150.0, 150.0)


def _decoding() -> Figure:
    record_id, data = room_record(ROOM_POLYGONS)

    def decode() -> None:
        for _ in range(ROOMS):
            read_record(Environment, data, file="benchmark", record_id=record_id)

    return Figure(f"decode {ROOMS} rooms of {ROOM_POLYGONS} polygons", best_of(3, decode), "s", 1.5, 1.5)


def _compiling() -> Figure:
    soup = room_soup(SOUP_POLYGONS)
    assert len(soup) == SOUP_POLYGONS
    seconds = best_of(3, lambda: compile_physics(soup, openings=[], room=True))
    assert math.isfinite(seconds)
    return Figure(f"compile a BSP of {SOUP_POLYGONS} polygons", seconds, "s", 0.5, 0.5)
