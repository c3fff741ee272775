"""A cell database as large as the retail one: the cost of a look-up does not grow with the file."""

from __future__ import annotations

import random
import tracemalloc
from pathlib import Path

import pytest

from benchmarks.synthetic_cells import RETAIL_COUNT, cell_records, make_cell_database
from engine.dat.check import check
from engine.dat.database import DatDatabase
from engine.dat.ids import ITERATION_ID, RecordType
from tests.dat.container_files import run_python

NODE_BLOCKS = 7


@pytest.mark.parametrize("count", [1, 2, 3, 5000])
def test_a_synthetic_database_has_the_wanted_number_of_sound_records(tmp_path: Path, count: int) -> None:
    path = tmp_path / "client_cell_1.dat"
    make_cell_database(path, count)
    with DatDatabase.open(path) as database:
        ids = list(database.ids())
        assert len(ids) == count + 1
        assert ids[:-1] == [record_id for record_id, _ in cell_records(count)]
        assert list(check(database)) == []
        land_blocks = list(database.ids_of(RecordType.LAND_BLOCK))
        assert land_blocks
        assert all(len(database.read(record_id)) == 252 for record_id in land_blocks)


def test_a_synthetic_database_refuses_more_cells_than_a_map_holds() -> None:
    with pytest.raises(ValueError, match="no room"):
        next(cell_records(255 * 255 * 70_000))


# How many MB a process gains by opening the file, listing its ids, and reading thousands of records at random.
GROWTH = """
import random, resource, sys
from engine.dat.database import DatDatabase

def grown():
    with open("/proc/self/status") as status:
        return int(status.read().split("VmHWM:")[1].split()[0]) // 1024

path, step = sys.argv[1], int(sys.argv[2])
before = grown()
with DatDatabase.open(path) as database:
    wanted = [record_id for number, record_id in enumerate(database.ids()) if number % step == 0]
    random.Random(1).shuffle(wanted)
    for record_id in wanted:
        assert len(database.read(record_id)) > 10
    print(grown() - before, len(wanted))
"""


@pytest.mark.slow
def test_look_ups_in_a_retail_sized_database_read_and_keep_little(tmp_path: Path) -> None:
    path = tmp_path / "client_cell_1.dat"
    make_cell_database(path)
    with DatDatabase.open(path) as database:
        assert 0x7F7F0100 in database
        assert database.blocks_read <= 4 * NODE_BLOCKS, "the first look-up reads one node on each of four levels"
        assert sum(1 for _ in database.ids()) == RETAIL_COUNT + 1
        chooser = random.Random(2)
        wanted = [
            x << 24 | y << 16 | 0xFFFF
            for x, y in ((chooser.randrange(255), chooser.randrange(255)) for _ in range(5000))
        ]
        tracemalloc.start()
        try:
            assert all(record_id in database for record_id in wanted)
            held = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert held < 12_000_000
        assert ITERATION_ID in database
    growth, count = map(int, run_python(GROWTH, str(path), "20"))
    assert count > 40_000
    assert growth < 50
