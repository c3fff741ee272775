"""Damaged and hostile databases: one kind of error with a location, no hang, no excessive memory."""

from __future__ import annotations

import os
import struct
import sys
import tracemalloc
from pathlib import Path

import pytest

from engine.dat import DatError
from engine.dat.check import check
from engine.dat.database import DatDatabase
from engine.dat.ids import DatKind
from engine.dat.writer import write_database
from tests.dat.container_files import ScatteredDatabase, filler, packed, patch, run_python, word

RECORD = 0x0D000123


def refused(path: Path) -> DatError:
    with pytest.raises(DatError) as caught:
        DatDatabase.open(path)
    assert caught.value.file == str(path)
    assert caught.value.reason
    return caught.value


def unreadable(path: Path, record_id: int = RECORD) -> DatError:
    with DatDatabase.open(path) as database, pytest.raises(DatError) as caught:
        database.read(record_id)
    error = caught.value
    assert error.file == str(path)
    assert None not in (error.offset, error.field)
    return error


@pytest.fixture
def scattered(tmp_path: Path) -> ScatteredDatabase:
    """300 records, of which 0x0D000123 has ten blocks and its compressed neighbour 0x0D000124 a few."""
    records = [(0x0D000000 + number, filler(number, 40)) for number in range(300)]
    records[0x123] = (RECORD, filler(RECORD, 2500))
    records[0x124] = (RECORD + 1, bytes(3000) + filler(1, 900))
    return ScatteredDatabase(records, compressed=frozenset({RECORD + 1}))


@pytest.fixture
def path(tmp_path: Path, scattered: ScatteredDatabase) -> Path:
    return scattered.write(tmp_path / "client_cell_1.dat")


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.dat").touch()
    assert str(refused(tmp_path / "x.dat")).endswith("x.dat, offset 0x0 of the file, field header: the file is empty")


def test_a_file_shorter_than_a_header_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.dat").write_bytes(bytes(399))
    assert refused(tmp_path / "x.dat").reason == "the file has 399 bytes, a header has 400"


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path).reason == "cannot be opened: it is a folder"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows says it in other words")
def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "x.dat").reason == "cannot be opened: No such file or directory"


def test_an_impossible_file_name_is_refused(tmp_path: Path) -> None:
    assert "embedded null" in refused(tmp_path / "x\0.dat").reason


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.dat")
    assert refused(tmp_path / "x.dat").reason == "cannot be opened: it is a pipe, not a file"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_a_file_without_permission_is_refused(path: Path) -> None:
    path.chmod(0)
    mighty = os.geteuid() == 0
    if mighty:
        os.seteuid(65534)  # nobody: the superuser may read everything
    try:
        assert refused(path).reason == "cannot be opened: Permission denied"
    finally:
        if mighty:
            os.seteuid(0)


@pytest.mark.parametrize(
    ("offset", "change", "field", "reason"),
    [
        (0x140, b"MZ", "magic", "this is not a database of the client: 42 54 00 00 expected, 4D 5A 00 00 found"),
        (0x144, b"\xff\x01\0\0", "block size", "511 is neither 256 nor 1024"),
        (0x144, bytes(4), "block size", "0 is neither 256 nor 1024"),
        (0x14C, b"\x09", "data set", "9 is neither 1 (portal), 2 (cell) nor 3 (local)"),
    ],
)
def test_a_bad_header_is_refused(path: Path, offset: int, change: bytes, field: str, reason: str) -> None:
    patch(path, offset, change)
    error = refused(path)
    assert (error.offset, error.field, error.reason) == (offset, field, reason)


def test_a_truncated_file_is_refused_with_both_lengths(path: Path) -> None:
    length = path.stat().st_size
    os.truncate(path, length - 1)
    error = refused(path)
    assert (error.offset, error.field) == (0x148, "file size")
    assert error.reason == f"the file is cut off: its header says {length} bytes, it has {length - 1}"


@pytest.mark.parametrize(
    ("root", "reason"),
    [
        (0, "no block can start there: that is inside the header"),
        (0x100, "no block can start there: that is inside the header"),
        (0x401, "no block can start there: the offset is not a multiple of 256"),
        (0xFFFFFF00, "no block can start there: the file has only"),
    ],
)
def test_a_root_outside_the_file_is_an_error(path: Path, root: int, reason: str) -> None:
    patch(path, 0x160, struct.pack("<I", root))
    error = unreadable(path)
    assert (error.offset, error.field) == (root, "directory node")
    assert error.reason.startswith(reason)


def entry_at(path: Path, record_id: int) -> int:
    """The offset of a record's entry; only entries that do not cross two blocks are searched."""
    return path.read_bytes().index(struct.pack("<HI", 2, record_id)) - 2


def test_a_record_larger_than_the_file_is_refused_before_it_is_read(path: Path) -> None:
    patch(path, entry_at(path, RECORD) + 12, struct.pack("<I", 0xFFFFFFFF))
    with DatDatabase.open(path) as database:
        assert RECORD in database
        before = database.blocks_read
        with pytest.raises(DatError, match="4294967295 bytes do not fit into a file of") as caught:
            database.read(RECORD)
        assert database.blocks_read == before
    assert (caught.value.record_id, caught.value.field) == (RECORD, "data")


def test_a_chain_that_loops_is_an_error(path: Path, scattered: ScatteredDatabase) -> None:
    chain = scattered.chains[RECORD]
    patch(path, entry_at(path, RECORD) + 12, struct.pack("<I", path.stat().st_size * 9 // 10))
    for length in range(1, len(chain)):
        patch(path, chain[length], struct.pack("<I", chain[0]))
        error = unreadable(path)
        assert (error.record_id, error.field) == (RECORD, "data")
        assert error.reason.startswith("the chain comes back to block 0x")
        patch(path, chain[length], struct.pack("<I", chain[length - 1]))
        assert unreadable(path).reason.startswith("the chain comes back to block 0x")
        patch(path, chain[length], struct.pack("<I", chain[length + 1] if length + 1 < len(chain) else 0))


def test_a_last_block_that_points_back_is_an_error(path: Path, scattered: ScatteredDatabase) -> None:
    chain = scattered.chains[RECORD]
    patch(path, chain[-1], struct.pack("<I", chain[0]))
    error = unreadable(path)
    assert (error.offset, error.reason) == (chain[-1], "the chain continues after the 10 blocks it needs")


def test_a_chain_that_ends_early_is_an_error(path: Path, scattered: ScatteredDatabase) -> None:
    chain = scattered.chains[RECORD]
    patch(path, chain[3], bytes(4))
    error = unreadable(path)
    assert (error.offset, error.reason) == (chain[3], "the chain ends after 4 blocks, 10 are needed")


@pytest.mark.parametrize("index", [0, 4, 9])
def test_a_free_block_inside_a_chain_is_an_error(path: Path, scattered: ScatteredDatabase, index: int) -> None:
    at = scattered.chains[RECORD][index]
    patch(path, at, struct.pack("<I", 0x80000000 | word(path, at)))
    error = unreadable(path)
    assert (error.offset, error.reason) == (at, "the chain runs into a free block")


@pytest.mark.parametrize("depth", [0, 1])
def test_a_directory_that_loops_is_an_error(path: Path, scattered: ScatteredDatabase, depth: int) -> None:
    root = scattered.root
    victim = root if depth == 0 else root.children[-1]
    for branch in range(len(victim.entries) + 1):
        patch(path, victim.offset + 4 + 4 * branch, struct.pack("<I", root.offset))
    error = unreadable(path, 0x0D000FFF)
    assert (error.offset, error.field) == (root.offset, "entry id")
    with DatDatabase.open(path) as database:
        with pytest.raises(DatError, match="the directory node holds"):
            list(database.ids())
        assert any("already belongs to something else" in problem.reason for problem in check(database))


def test_two_branches_to_the_same_node_are_an_error(path: Path, scattered: ScatteredDatabase) -> None:
    root = scattered.root
    patch(path, root.offset + 4, struct.pack("<I", root.children[1].offset))
    with DatDatabase.open(path) as database:
        with pytest.raises(DatError, match="where only 0x00000000 to"):
            list(database.ids())
        assert RECORD in database, "the other branches still serve"


def test_ids_that_do_not_ascend_are_an_error(path: Path, scattered: ScatteredDatabase) -> None:
    patch(path, scattered.chains[scattered.root.offset][1] + 4 + 4, b"\xff\xff\xff\xff")
    assert unreadable(path).reason == "the ids of the directory node do not ascend"


def test_a_node_with_too_many_entries_is_an_error(path: Path, scattered: ScatteredDatabase) -> None:
    patch(path, scattered.root.offset + 4 + 248, struct.pack("<I", 0x7FFFFFFF))
    assert unreadable(path).reason == "a directory node has at most 61 entries, not 2147483647"


def test_an_inner_node_without_entries_is_an_error(path: Path, scattered: ScatteredDatabase) -> None:
    patch(path, scattered.root.offset + 4 + 248, bytes(4))
    assert unreadable(path).reason == "an inner directory node has no entries"


def test_a_directory_deeper_than_allowed_is_abandoned(tmp_path: Path) -> None:
    """Twenty nodes of one entry below each other, each within the bounds of the one above."""
    path = tmp_path / "x.dat"
    write_database(path, DatKind.PORTAL, [(1000, b"x"), *((number, filler(number, 2040)) for number in range(1, 21))])
    with DatDatabase.open(path) as database:
        offsets = [entry.offset for entry in database.entries(1, 20)]
    for index, at in enumerate(offsets):
        branch = offsets[index + 1] if index + 1 < len(offsets) else 0
        entries = struct.pack("<HHIIIII", 0, 2, 500 - index, at, 1, 0, 1)
        node = (struct.pack("<2I", branch, 0).ljust(248, b"\0") + struct.pack("<I", 1) + entries).ljust(2040, b"\0")
        patch(path, at + 4, node[:1020])
        patch(path, at + 1024 + 4, node[1020:])
    patch(path, 0x160, struct.pack("<I", offsets[0]))
    assert unreadable(path, 1).reason == "the directory is more than 16 levels deep"
    with DatDatabase.open(path) as database:
        with pytest.raises(DatError, match="more than 16 levels"):
            list(database.ids())
        assert any("more than 16 levels" in problem.reason for problem in check(database))


def compressed_as(tmp_path: Path, stored: bytes) -> Path:
    """A database whose record 7 claims to be compressed but holds these bytes, among 20,000 bytes of other records."""
    made = ScatteredDatabase([(7, b"zlib"), (8, filler(8, 20_000))], compressed=frozenset({7}))
    made.stored[0] = stored
    return made.write(tmp_path / "client_cell_1.dat")


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        (b"\1\0\0", "3 bytes cannot hold a compressed record"),
        (struct.pack("<I", 5), "the compressed data end too early"),
        (packed(b"hello")[:-1], "the compressed data end too early"),
        (packed(b"hello")[:8], "the compressed data end too early"),
        (struct.pack("<I", 5) + b"no zlib stream", "the compressed data are damaged (Error -3 while decompressing"),
        (packed(b"hello", claimed=4), "4 bytes uncompressed are announced, more come out"),
        (packed(b"hello", claimed=6), "6 bytes uncompressed are announced, 5 come out"),
        (packed(b"hello", claimed=0xFFFFFFFF), "4294967295 bytes uncompressed is beyond the"),
        (packed(bytes(1 << 24), claimed=1000), "1000 bytes uncompressed are announced, more come out"),
        (packed(bytes(1 << 24)), "16777216 bytes uncompressed is beyond the"),
    ],
)
def test_a_damaged_compressed_record_is_an_error(tmp_path: Path, stored: bytes, reason: str) -> None:
    error = unreadable(compressed_as(tmp_path, stored), 7)
    assert (error.record_id, error.field) == (7, "compressed data")
    assert error.reason.startswith(reason)


def test_a_compressed_record_read_in_many_steps_is_whole(tmp_path: Path) -> None:
    text = filler(3, 70_000) + bytes(70_000)
    with DatDatabase.open(compressed_as(tmp_path, packed(text))) as database:
        assert database.read(7) == text


def test_reading_a_compressed_record_stays_below_ten_times_the_file(tmp_path: Path) -> None:
    company = filler(8, 1_000_000)
    made = ScatteredDatabase([(7, bytes(6_000_000)), (8, company)], compressed=frozenset({7}))
    path = made.write(tmp_path / "x.dat")
    with DatDatabase.open(path) as database:
        tracemalloc.start()
        try:
            assert len(database.read(7)) == 6_000_000
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < 9 * path.stat().st_size, "the mapped file itself is the tenth"


def test_a_file_that_shrinks_while_open_is_an_error_not_a_crash(path: Path) -> None:
    with DatDatabase.open(path) as database:
        os.truncate(path, 2000)
        with pytest.raises(DatError, match="shrank from"):
            database.read(RECORD)
        with pytest.raises(DatError, match="shrank from"):
            list(database.ids())


HOSTILE = """
import resource, sys
from engine.dat import DatError
from engine.dat.check import check
from engine.dat.database import DatDatabase

path, file_size = sys.argv[1], int(sys.argv[2])
with open("/proc/self/statm") as pages:
    now = int(pages.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (now + 10 * file_size, now + 10 * file_size))
outcomes = []
with DatDatabase.open(path) as database:
    for record_id in range(1, 7):
        try:
            outcomes.append(str(len(database.read(record_id))))
        except DatError as error:
            outcomes.append(error.reason.split()[-1])
    sum(1 for _ in database.ids())
    outcomes.append(str(sum(1 for _ in check(database))))
print(*outcomes)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of memory for a process")
def test_no_claimed_size_takes_ten_times_the_file_in_memory(tmp_path: Path) -> None:
    ids = range(1, 7)
    made = ScatteredDatabase([(number, b"") for number in ids], 1024, compressed=frozenset({1, 2, 3, 4}))
    bomb = packed(bytes(200_000_000))
    made.stored[:6] = [
        packed(b"", claimed=0xFFFFFFFF),
        bomb,
        packed(bytes(200_000_000), claimed=100),
        packed(bytes(4_000_000)),
        filler(5, 700_000),
        filler(6, 10),
    ]
    path = made.write(tmp_path / "x.dat")
    size = path.stat().st_size
    patch(path, entry_at(path, 6) + 12, struct.pack("<I", size - 10 * 1024))
    outcomes = run_python(HOSTILE, str(path), str(size))
    assert outcomes[3:5] == ["4000000", "700000"]
    assert [outcomes[0], outcomes[1], outcomes[2]] == ["hold", "hold", "out"]
    assert outcomes[5] == "needed"
    assert outcomes[6] == "4"
