"""The directory: its shape as written, what the reader tolerates, the cost of a look-up, and the checker's findings."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dat import DatError
from engine.dat.check import check
from engine.dat.database import DatDatabase
from engine.dat.ids import DatKind
from engine.dat.writer import write_database
from tests.dat.container_files import CD, ScatteredDatabase, filler, patch, word

NODE_BLOCKS = {DatKind.PORTAL: 2, DatKind.CELL: 7}


class Shape:
    """A written directory, decoded here without the reader."""

    def __init__(self, path: Path, block_size: int) -> None:
        self.raw = path.read_bytes()
        self.block_size = block_size
        self.counts: list[int] = []
        self.depths: set[int] = set()
        self.ids: list[int] = []
        self.root = self.word(0x160)
        self.visit(self.root, 1)

    def word(self, offset: int) -> int:
        value: int = struct.unpack_from("<I", self.raw, offset)[0]
        return value

    def node(self, offset: int) -> bytes:
        parts = []
        while offset:
            parts.append(self.raw[offset + 4 : offset + self.block_size])
            offset = self.word(offset)
        return b"".join(parts)

    def visit(self, offset: int, depth: int) -> None:
        node = self.node(offset)
        branches = struct.unpack_from("<62I", node)
        count: int = struct.unpack_from("<I", node, 248)[0]
        self.counts.append(count)
        is_leaf = branches[0] == 0
        if is_leaf:
            self.depths.add(depth)
        assert all(branch == 0 for branch in branches[0 if is_leaf else count + 1 :])
        assert not any(node[252 + 24 * count :])
        for index in range(count + 1):
            if not is_leaf:
                self.visit(branches[index], depth + 1)
            if index < count:
                self.ids.append(struct.unpack_from("<I", node, 252 + 24 * index + 4)[0])


def assert_well_formed(path: Path, kind: DatKind, count: int) -> None:
    shape = Shape(path, 256 if kind is DatKind.CELL else 1024)
    assert len(shape.ids) == count + 1
    assert all(first < second for first, second in zip(shape.ids, shape.ids[1:], strict=False))
    assert len(shape.depths) == 1
    assert 1 <= shape.counts[0] <= 61
    assert all(30 <= entries <= 61 for entries in shape.counts[1:])


@given(count=st.integers(0, 4500), kind=st.sampled_from([DatKind.PORTAL, DatKind.CELL]))
@settings(max_examples=40)
def test_a_directory_of_any_size_keeps_the_rules(
    tmp_path_factory: pytest.TempPathFactory, count: int, kind: DatKind
) -> None:
    path = tmp_path_factory.getbasetemp() / "tree.dat"
    write_database(path, kind, ((record_id * 3, b"x") for record_id in range(count)))
    assert_well_formed(path, kind, count)


@pytest.mark.parametrize("count", [60, 61, 62, 3842, 3843, 3844])
def test_a_directory_keeps_the_rules_as_it_gains_a_level(tmp_path: Path, count: int) -> None:
    path = tmp_path / "x.dat"
    write_database(path, DatKind.CELL, ((record_id, b"x") for record_id in range(count)))
    assert_well_formed(path, DatKind.CELL, count)


def test_a_directory_of_four_levels_keeps_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    count = 62**3 + 100
    write_database(path, DatKind.CELL, ((record_id, b"x") for record_id in range(count)))
    assert_well_formed(path, DatKind.CELL, count)
    with DatDatabase.open(path) as database:
        assert all(record_id in database for record_id in range(0, count, 97))


@pytest.mark.parametrize("kind", [DatKind.PORTAL, DatKind.CELL])
def test_a_look_up_reads_one_node_per_level_and_opening_reads_none(tmp_path: Path, kind: DatKind) -> None:
    path = tmp_path / "x.dat"
    write_database(path, kind, ((record_id, b"x") for record_id in range(3000)))  # two levels
    with DatDatabase.open(path) as database:
        assert database.blocks_read == 0
        assert 1234 in database
        assert database.blocks_read <= 2 * NODE_BLOCKS[kind]
        read = database.blocks_read
        assert 1234 in database
        assert database.blocks_read == read


@pytest.mark.parametrize("mark", [0, CD])
def test_both_marks_of_a_leaf_are_read(tmp_path: Path, mark: int) -> None:
    records = [(record_id, filler(record_id, 5)) for record_id in range(200)]
    path = ScatteredDatabase(records, leaf_mark=mark).write(tmp_path / "x.dat")
    with DatDatabase.open(path) as database:
        assert all(database.read(record_id) == data for record_id, data in records)
        said = {problem.reason for problem in check(database)}
    assert said == ({"the first branch of a leaf is not 0"} if mark else set())


def problems_of(path: Path) -> Iterator[tuple[str | None, str]]:
    with DatDatabase.open(path) as database:
        for problem in check(database):
            assert problem.file == str(path)
            yield problem.field, problem.reason


def test_a_sound_database_has_no_problems(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    write_database(path, DatKind.CELL, ((record_id, filler(record_id, 300)) for record_id in range(0x70100, 0x70500)))
    assert list(problems_of(path)) == []


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """One landblock in a single leaf: the record's block 0x400, the iteration record 0x500, the root 0x600."""
    path = tmp_path / "client_cell_1.dat"
    write_database(path, DatKind.CELL, [(0x0007FFFF, filler(0x0007FFFF, 252))], 5)
    assert word(path, 0x160) == 0x600
    return path


FIRST_ENTRY = 0x700 + 4
"""The node's second block starts with the entries: 252 bytes of branches and the count fill the first."""


@pytest.mark.parametrize(
    ("offset", "change", "field", "reason"),
    [
        (0x100, b"\x00\x50\x4c\x01", "transaction record", "the client may take this for a pending transaction"),
        (0x148, b"\x00\x0c\x00\x00", "file size", "the header says 3072 bytes, the file has"),
        (0x154, b"\x00\x04\x00\x00", "free block", "the block is not marked as free"),
        (0x158, b"\x00\x04\x00\x00", "last free block", "the header says 0x400, the chain ends at"),
        (0x15C, b"\x01\x00\x00\x00", "free block count", "the header says 1, the chain has 8"),
        (0x504, b"\x04\x00\x00\x00", "iteration", "5 is later than the database's own iteration 4"),
        (0x404, b"\x00", "id", "the record calls itself 0x0007FF00"),
        (FIRST_ENTRY, b"\x02", "flags", "0x0002 has unknown bits"),
        (FIRST_ENTRY + 2, b"\x00", "version", "the client refuses records with version 0"),
        (FIRST_ENTRY + 26, b"\x02", "version", "the client demands 1 for this record, not 2"),
        (FIRST_ENTRY + 8, b"\x00\x05", "data", "the block already belongs to something else"),
        (FIRST_ENTRY + 8, b"\x00\x60", "data", "no block can start there"),
        (FIRST_ENTRY + 12, b"\xfd", "data", "the chain ends after 1 blocks, 2 are needed"),
        (0x600, b"\x00\x00", "directory node", "the chain ends after 1 blocks, 7 are needed"),
    ],
)
def test_the_checker_reports_each_fault(small: Path, offset: int, change: bytes, field: str, reason: str) -> None:
    patch(small, offset, change)
    found = list(problems_of(small))
    assert any(said_field == field and said.startswith(reason) for said_field, said in found), found


def test_the_checker_notices_a_file_with_bytes_behind_its_end(small: Path) -> None:
    with open(small, "ab") as stream:
        stream.write(b"x")
    assert [field for field, _ in problems_of(small)] == ["file size", "file size"]


def test_the_checker_notices_a_loop_of_free_blocks(small: Path) -> None:
    first = word(small, 0x154)
    patch(small, first, struct.pack("<I", 0x80000000 | first))
    assert ("free block", "the free blocks go round") in problems_of(small)


def test_the_checker_continues_past_a_bad_branch(tmp_path: Path) -> None:
    made = ScatteredDatabase(
        [(record_id, filler(record_id, 5)) for record_id in random.Random(2).sample(range(9999), 400)]
    )
    path = made.write(tmp_path / "x.dat")
    first_leaf, last_leaf = made.root.children[0], made.root.children[-1]
    patch(path, first_leaf.offset + 4 + 248, struct.pack("<I", 62))
    patch(path, last_leaf.offset + 4 + 248, struct.pack("<I", 7))
    found = list(problems_of(path))
    assert ("entry count", "a directory node has at most 61 entries, not 62") in found
    assert ("entry count", "the directory node has 7 entries, 30 are the least") in found


def test_the_checker_notices_leaves_on_different_levels(tmp_path: Path) -> None:
    made = ScatteredDatabase([(record_id, filler(record_id, 5)) for record_id in range(5000)], 1024)
    path = made.write(tmp_path / "x.dat")
    inner = made.root.children[-1]
    assert inner.children
    patch(path, inner.offset + 4, bytes(4))
    assert any(reason == "this leaf is on level 2, others are on level 3" for _, reason in problems_of(path))


def test_a_look_up_of_an_id_beyond_32_bits_finds_nothing(small: Path) -> None:
    with DatDatabase.open(small) as database:
        assert -1 not in database
        assert 1 << 32 not in database


def test_reading_a_closed_database_is_an_error(small: Path) -> None:
    database = DatDatabase.open(small)
    database.close()
    with pytest.raises(DatError, match="the database has been closed"):
        database.read(0x0007FFFF)
