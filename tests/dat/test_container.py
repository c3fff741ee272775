"""Databases written and read back: the header, records of every size, ids in order, the iteration record."""

from __future__ import annotations

import random
import struct
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dat import DatError
from engine.dat.check import check
from engine.dat.database import DatDatabase
from engine.dat.ids import ITERATION_ID, DatKind, RecordType
from engine.dat.writer import write_database
from tests.dat.container_files import ScatteredDatabase, filler

BOTH = pytest.mark.parametrize("kind", [DatKind.PORTAL, DatKind.CELL])
SIZES = [1, 2, 4, 251, 252, 253, 504, 505, 1019, 1020, 1021, 2040, 2041, 100_000]
SURFACE = bytes.fromhex("02000000 01000005 00000000 00000000 00000000 CDCC4C3F")


def random_ids(count: int, seed: int = 1) -> list[int]:
    """`count` different ids in random order, over the whole range of 32 bits."""
    return random.Random(seed).sample(range(0xFFFF0000), count)


def problems(path: Path) -> list[str]:
    with DatDatabase.open(path) as database:
        return [str(problem) for problem in check(database) if problem.field != "id"]


def test_the_worked_example_is_written_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "client_portal.dat"
    write_database(path, DatKind.PORTAL, [(0x08000001, SURFACE)], 3, free_blocks=2)
    expected = bytearray(0x1C00)

    def put(offset: int, text: str) -> None:
        data = bytes.fromhex(text)
        expected[offset : offset + len(data)] = data

    put(0x100, "00 50 4C 00")
    put(0x140, "42 54 00 00  00 04 00 00  00 1C 00 00  01 00 00 00")
    put(0x150, "00 00 00 00  00 14 00 00  00 18 00 00  02 00 00 00")
    put(0x160, "00 0C 00 00  00 00 00 00  00 00 00 00  00 00 00 00")
    put(0x170, "00 00 00 00  6E 00 00 00  00 00 00 00  D2 D7 A7 34")
    put(0x180, "2F 72 46 4C  8A B4 EF 51  4F 85 6F FD  01 1A 00 00")
    put(0x400, "00 00 00 00")
    put(0x404, "02 00 00 00 01 00 00 05 00 00 00 00 00 00 00 00 00 00 00 00 CD CC 4C 3F")
    put(0x800, "00 00 00 00  03 00 00 00 FD FF FF FF 01 00 00 00")
    put(0xC00, "00 10 00 00")
    put(0xCFC, "02 00 00 00")
    put(0xD00, "00 00 02 00  01 00 00 08  00 04 00 00  18 00 00 00  00 2F 68 59  03 00 00 00")
    put(0xD18, "00 00 01 00  01 00 FF FF  00 08 00 00  0C 00 00 00  00 2F 68 59  03 00 00 00")
    put(0x1400, "00 18 00 80")
    put(0x1800, "00 00 00 80")
    assert path.read_bytes() == bytes(expected)


@pytest.mark.parametrize(
    ("kind", "block_size", "data_set", "subset", "engine"),
    [
        (DatKind.PORTAL, 1024, 1, 0, 110),
        (DatKind.CELL, 256, 2, 1, 22),
        (DatKind.LOCAL, 1024, 3, 1, 110),
        (DatKind.HIGHRES, 1024, 1, 0x69466948, 110),
    ],
)
def test_each_kind_of_database_has_its_own_header(
    tmp_path: Path, kind: DatKind, block_size: int, data_set: int, subset: int, engine: int
) -> None:
    path = tmp_path / kind.file_name
    write_database(path, kind, [])
    with DatDatabase.open(path) as database:
        header = database.header
        assert (database.kind, database.block_size) == (kind, block_size)
        assert (header.data_set, header.data_subset, header.engine_version) == (data_set, subset, engine)
        assert (header.game_version, header.minor_version) == (0, 6657)
        assert header.file_size == path.stat().st_size
        assert header.free_count == 8
        assert header.last_free == header.file_size - block_size
        assert header.first_free == header.file_size - 8 * block_size


@BOTH
def test_records_of_every_size_come_back(tmp_path: Path, kind: DatKind) -> None:
    records = [(0x06000000 + size, filler(0x06000000 + size, size)) for size in SIZES]
    path = tmp_path / "x.dat"
    write_database(path, kind, records)
    with DatDatabase.open(path) as database:
        for record_id, data in records:
            assert database.read(record_id) == data
            entry = database.entry(record_id)
            assert entry is not None
            assert (entry.size, entry.version, entry.flags) == (len(data), 2, 0)
    assert problems(path) == []


@BOTH
@pytest.mark.parametrize("count", [0, 1, 59, 60, 61, 62, 63, 1000, 6000])
def test_any_number_of_records_in_random_order_is_found_again(tmp_path: Path, kind: DatKind, count: int) -> None:
    ids = random_ids(count)
    path = tmp_path / "x.dat"
    write_database(path, kind, ((record_id, filler(record_id, 9)) for record_id in ids))
    known = set(ids)
    with DatDatabase.open(path) as database:
        assert list(database.ids()) == [*sorted(ids), ITERATION_ID]
        assert all(database.read(record_id) == filler(record_id, 9) for record_id in ids)
        near = [record_id + step for record_id in ids for step in (-1, 1)] + [0, 0xFFFFFFFF]
        assert not any(record_id in database for record_id in near if record_id not in known)
    assert problems(path) == []


@BOTH
def test_a_scattered_database_grown_by_insertion_is_read_the_same(tmp_path: Path, kind: DatKind) -> None:
    ids = random_ids(700, seed=4)
    records = [(record_id, filler(record_id, index * 7 + 1)) for index, record_id in enumerate(ids)]
    block_size = 256 if kind is DatKind.CELL else 1024
    path = ScatteredDatabase(records, block_size).write(tmp_path / "x.dat")
    with DatDatabase.open(path) as database:
        assert database.kind is kind
        assert list(database.ids()) == [*sorted(ids), ITERATION_ID]
        assert all(database.read(record_id) == data for record_id, data in records)
    assert problems(path) == []


@given(
    records=st.dictionaries(st.integers(0, 0xFFFF0000), st.binary(min_size=1, max_size=700), max_size=90),
    kind=st.sampled_from([DatKind.PORTAL, DatKind.CELL]),
    order=st.randoms(use_true_random=False),
)
@settings(max_examples=60)
def test_a_written_database_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, records: dict[int, bytes], kind: DatKind, order: random.Random
) -> None:
    path = tmp_path_factory.getbasetemp() / "round-trip.dat"
    items = list(records.items())
    order.shuffle(items)
    write_database(path, kind, items)
    with DatDatabase.open(path) as database:
        found = {record_id: database.read(record_id) for record_id in database.ids()}
        assert found.pop(ITERATION_ID) == struct.pack("<3i", 1, -1, 1)
        assert found == records
        assert list(found) == sorted(records)
    assert problems(path) == []


def test_equal_records_in_equal_order_give_equal_files(tmp_path: Path) -> None:
    for name in ("a.dat", "b.dat"):
        write_database(tmp_path / name, DatKind.CELL, [(7, b"x"), (3, b"y" * 900)], 5)
    assert (tmp_path / "a.dat").read_bytes() == (tmp_path / "b.dat").read_bytes()


def test_the_date_of_entries_is_an_argument(tmp_path: Path) -> None:
    write_database(tmp_path / "x.dat", DatKind.CELL, [(7, b"x")], date=123)
    with DatDatabase.open(tmp_path / "x.dat") as database:
        assert {entry.date for entry in database.entries()} == {123}


@BOTH
def test_an_empty_record_takes_a_block_and_counts_as_absent(tmp_path: Path, kind: DatKind) -> None:
    path = tmp_path / "x.dat"
    write_database(path, kind, [(5, b""), (6, b"x")])
    with DatDatabase.open(path) as database:
        assert 5 not in database
        assert database.entry(5) is None
        assert list(database.ids()) == [6, ITERATION_ID]
        assert [entry.size for entry in database.entries()] == [0, 1, 12]
        with pytest.raises(DatError, match="record 0x00000005: there is no such record"):
            database.read(5)
    assert problems(path) == []


def test_an_absent_record_is_named_in_the_error(tmp_path: Path) -> None:
    path = tmp_path / "client_portal.dat"
    write_database(path, DatKind.PORTAL, [])
    with DatDatabase.open(path) as database, pytest.raises(DatError) as caught:
        database.read(0x0D000123)
    assert (caught.value.file, caught.value.record_id) == (str(path), 0x0D000123)
    assert str(caught.value) == f"{path}, record 0x0D000123: there is no such record"


@BOTH
def test_ids_are_listed_by_range_and_only_that_part_of_the_tree_is_read(tmp_path: Path, kind: DatKind) -> None:
    ids = sorted(random_ids(4000))
    path = tmp_path / "x.dat"
    write_database(path, kind, ((record_id, b"x") for record_id in ids))
    chooser = random.Random(3)
    with DatDatabase.open(path) as database:
        for _ in range(200):
            low, high = sorted(
                chooser.sample(ids, 2) if chooser.random() < 0.5 else random_ids(2, chooser.getrandbits(30))
            )
            assert list(database.ids(low, high)) == [record_id for record_id in ids if low <= record_id <= high]
        before = database.blocks_read
        assert list(database.ids(ids[2000], ids[2001])) == ids[2000:2002]
        node_blocks = 7 if kind is DatKind.CELL else 2
        assert database.blocks_read - before <= 4 * node_blocks
        assert list(database.ids(5, 4)) == []


def test_records_are_listed_by_type(tmp_path: Path) -> None:
    path = tmp_path / "portal.dat"
    ids = [0x01000001, 0x0100FFFF, 0x02000001, 0x06000001, 0x07FFFFFF, 0x0E000002, 0x0E010001, 0x13000000, 0x99000000]
    write_database(path, DatKind.PORTAL, ((record_id, b"x") for record_id in ids))
    with DatDatabase.open(path) as database:
        assert list(database.ids_of(RecordType.GFX_OBJ)) == [0x01000001, 0x0100FFFF]
        assert list(database.ids_of(RecordType.RENDER_SURFACE)) == [0x06000001, 0x07FFFFFF]
        assert list(database.ids_of(RecordType.GAME_TABLE)) == [0x0E000002, 0x0E010001]
        assert list(database.ids_of(RecordType.UNKNOWN)) == [0x99000000]
        assert list(database.ids_of(RecordType.ENV_CELL)) == []
        assert database.read(0x99000000) == b"x"


def test_landblocks_and_cells_are_listed_by_type(tmp_path: Path) -> None:
    path = tmp_path / "cell.dat"
    ids = [0x0007FFFF, 0x00070100, 0x0007FFFE, 0xC95BFFFF, 0xC95B0100, 0xC95B0101, 0xC95B0001]
    write_database(path, DatKind.CELL, ((record_id, b"x") for record_id in ids))
    with DatDatabase.open(path) as database:
        assert list(database.ids_of(RecordType.LAND_BLOCK)) == [0x0007FFFF, 0xC95BFFFF]
        assert list(database.ids_of(RecordType.LAND_BLOCK_INFO)) == [0x0007FFFE]
        assert list(database.ids_of(RecordType.ENV_CELL)) == [0x00070100, 0xC95B0100, 0xC95B0101]


def test_several_threads_may_read_at_once(tmp_path: Path) -> None:
    ids = random_ids(3000)
    path = tmp_path / "x.dat"
    write_database(path, DatKind.CELL, ((record_id, filler(record_id, 300)) for record_id in ids))
    with DatDatabase.open(path) as database, ThreadPoolExecutor(4) as threads:
        read = list(threads.map(database.read, ids * 2))
    assert read == [filler(record_id, 300) for record_id in ids] * 2


def test_a_compressed_record_comes_back_whole(tmp_path: Path) -> None:
    records = [(1, filler(1, 3000)), (2, bytes(200_000)), (3, b"")]
    # Incompressible padding: the content of a file may not exceed six times its size.
    company = [(9, filler(9, 40_000))]
    database = ScatteredDatabase([*records, *company], 256, compressed=frozenset({1, 2, 3}))
    path = database.write(tmp_path / "x.dat")
    with DatDatabase.open(path) as opened:
        for record_id, data in records:
            assert opened.read(record_id) == data
            entry = opened.entry(record_id)
            assert entry is not None
            assert entry.compressed
            assert opened.read_stored(entry)[:6] == struct.pack("<I", len(data)) + b"\x78\x9c"
    assert problems(path) == []


@pytest.mark.parametrize("number", [1, 3, 2072])
def test_the_iteration_record_is_one_run_of_the_databases_version(tmp_path: Path, number: int) -> None:
    path = tmp_path / "x.dat"
    write_database(path, DatKind.PORTAL, [(1, b"x")], number)
    with DatDatabase.open(path) as database:
        assert database.iteration() == number
        assert database.read(ITERATION_ID) == struct.pack("<3i", number, -number, 1)
        assert [(entry.version, entry.iteration) for entry in database.entries()] == [(2, number), (1, number)]


def test_an_iteration_record_of_several_runs_still_has_a_version(tmp_path: Path) -> None:
    runs = struct.pack("<6i", 12, -10, 1, -1, 15, 20)
    path = ScatteredDatabase([(1, b"x")], iteration=runs).write(tmp_path / "x.dat")
    with DatDatabase.open(path) as database:
        assert database.iteration() == 12


@pytest.mark.parametrize("content", [b"", b"\1\0\0\0", struct.pack("<3i", -4, 4, 1)])
def test_a_damaged_iteration_record_is_an_error(tmp_path: Path, content: bytes) -> None:
    path = ScatteredDatabase([(1, b"x")], iteration=content).write(tmp_path / "x.dat")
    with DatDatabase.open(path) as database, pytest.raises(DatError) as caught:
        database.iteration()
    assert caught.value.record_id == ITERATION_ID


def test_a_repeated_id_is_refused_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(DatError, match="record 0x0D000123, field id: there are two records") as caught:
        write_database(tmp_path / "x.dat", DatKind.PORTAL, [(0x0D000123, b"a"), (5, b"b"), (0x0D000123, b"c")])
    assert caught.value.record_id == 0x0D000123
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("records", "iteration", "field"),
    [
        ([(ITERATION_ID, b"x")], 1, "id"),
        ([(-1, b"x")], 1, "id"),
        ([(1 << 32, b"x")], 1, "id"),
        ([(1, b"x")], 0, "iteration"),
        ([(1, b"x")], 1 << 31, "iteration"),
    ],
)
def test_records_that_cannot_be_written_are_refused(
    tmp_path: Path, records: list[tuple[int, bytes]], iteration: int, field: str
) -> None:
    with pytest.raises(DatError) as caught:
        write_database(tmp_path / "x.dat", DatKind.PORTAL, records, iteration)
    assert caught.value.field == field
    assert list(tmp_path.iterdir()) == []


def test_a_date_beyond_32_bits_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatError, match="date"):
        write_database(tmp_path / "x.dat", DatKind.PORTAL, [], date=-1)
