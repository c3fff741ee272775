"""Databases damaged at random with fixed seeds: everything is read or refused, in a bounded number of steps."""

from __future__ import annotations

import random
import struct
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.dat import DatError
from engine.dat.check import check
from engine.dat.database import DatDatabase
from engine.dat.ids import ITERATION_ID, DatKind
from engine.dat.writer import write_database
from tests.dat.container_files import ScatteredDatabase, filler

QUICK_CASES = 3_000
SLOW_CASES = 100_000
PROBES = 6
"""Records read in each case, besides those that the checker reads."""

NASTY_WORDS = [0, 1, 2, 30, 61, 62, 0x100, 0x400, 0x401, 0x7FFFFFFF, 0x80000000, 0x80000400, 0xCDCDCDCD, 0xFFFFFFFF]


class Victim:
    """A sound database, damaged in place and repaired for each case."""

    def __init__(self, path: Path, ids: list[int]) -> None:
        self.path = path
        self.content = path.read_bytes()
        self.ids = [*ids, ITERATION_ID]
        self.block_size = int.from_bytes(self.content[0x144:0x148], "little")
        self.blocks = len(self.content) // self.block_size

    @contextmanager
    def damaged(self, chooser: random.Random) -> Iterator[None]:
        length = len(self.content)
        changes = [self._change(chooser) for _ in range(chooser.choice([1, 1, 1, 2, 4, 9]))]
        cut = chooser.randrange(length) if chooser.random() < 0.1 else length
        if cut < length and chooser.random() < 0.7:
            changes.append((0x148, struct.pack("<I", cut)))  # a header that knows nothing of a missing end
        with open(self.path, "r+b", buffering=0) as file:
            for offset, data in changes:
                file.seek(offset)
                file.write(data)
            file.truncate(cut)
            yield
            if cut < length:
                file.seek(cut)
                file.write(self.content[cut:])
            for offset, data in changes:
                file.seek(offset)
                file.write(self.content[offset : offset + len(data)])
            file.truncate(length)

    def _change(self, chooser: random.Random) -> tuple[int, bytes]:
        """One damage: random bytes anywhere, or a word at one of the words that matter."""
        length, size = len(self.content), self.block_size
        where = chooser.randrange(5)
        if where == 0:
            return chooser.randrange(length - 8), chooser.randbytes(chooser.randrange(1, 9))
        if where == 1:
            offset = 0x140 + 4 * chooser.randrange(20)
        elif where == 2:
            offset = chooser.randrange(4, self.blocks) * size  # a next pointer, most likely
        else:
            offset = chooser.randrange(4, self.blocks) * size + 4 * chooser.randrange(size // 4)
        return offset, struct.pack("<I", self._word(chooser))

    def _word(self, chooser: random.Random) -> int:
        what = chooser.randrange(4)
        if what == 0:
            return chooser.choice(NASTY_WORDS)
        if what == 1:
            return chooser.randrange(self.blocks + 2) * self.block_size
        if what == 2:
            return max(0, chooser.choice(self.ids) + chooser.choice([0, 0, 1, -1]))
        return chooser.getrandbits(32)


def make_victims(folder: Path) -> list[Victim]:
    chooser = random.Random(11)
    plain = {number: filler(number, chooser.choice([1, 20, 252, 600])) for number in range(40)}
    write_database(folder / "plain.dat", DatKind.CELL, plain.items())
    deep = {0x0D000000 + number: filler(number, chooser.choice([1, 30, 300])) for number in range(130)}
    zipped = frozenset({0x0D000003, 0x0D000055})
    for record_id in zipped:
        deep[record_id] = bytes(4000) + filler(record_id, 500)
    ScatteredDatabase(deep.items(), 256, compressed=zipped).write(folder / "deep.dat")
    large = {0x06000000 + number: filler(number, chooser.choice([100, 5000])) for number in range(12)}
    large[0x06000005] = bytes(20_000)
    ScatteredDatabase(large.items(), 1024, compressed=frozenset({0x06000005})).write(folder / "large.dat")
    return [
        Victim(folder / "plain.dat", list(plain)),
        Victim(folder / "deep.dat", list(deep)),
        Victim(folder / "large.dat", list(large)),
    ]


def use(victim: Victim, chooser: random.Random) -> int:
    """Runs every operation on a database and counts how often reading it was refused."""
    refused = 0
    try:
        database = DatDatabase.open(victim.path)
    except DatError as error:
        assert_tells(victim, error)
        return 1
    with database:
        for record_id in chooser.sample(victim.ids, PROBES):
            try:
                database.read(record_id)
            except DatError as error:
                assert_tells(victim, error)
                refused += 1
        try:
            database.entry(chooser.getrandbits(32))
            for _ in database.ids():
                pass
        except DatError as error:
            assert_tells(victim, error)
            refused += 1
        for problem in check(database):
            assert_tells(victim, problem)
        # Each probe reads at most the whole file once; the walk and the checker a few times more.
        assert database.blocks_read <= (PROBES + 12) * (victim.blocks + 16 * 7)
    return refused


def assert_tells(victim: Victim, error: DatError) -> None:
    assert error.file == str(victim.path)
    assert error.reason
    assert "\n" not in str(error)
    if error.field is None:
        assert error.reason == "there is no such record"
    else:
        assert error.offset is not None


def run_cases(folder: Path, cases: int, seed: int) -> tuple[int, int]:
    victims = make_victims(folder)
    chooser = random.Random(seed)
    refused = untouched = 0
    for case in range(cases):
        victim = victims[case % len(victims)]
        with victim.damaged(chooser):
            bad = use(victim, chooser) > 0
        refused += bad
        untouched += not bad
    assert all(victim.path.read_bytes() == victim.content for victim in victims)
    return refused, untouched


def test_the_undamaged_database_is_read_without_refusal(tmp_path: Path) -> None:
    for victim in make_victims(tmp_path):
        with DatDatabase.open(victim.path) as database:
            assert list(database.ids()) == sorted(victim.ids)
            assert [problem for problem in check(database) if problem.field != "id"] == []


def test_damaged_databases_are_read_or_refused(tmp_path: Path) -> None:
    refused, untouched = run_cases(tmp_path, QUICK_CASES, seed=1)
    assert min(refused, untouched) > QUICK_CASES // 20, "both happen"


@pytest.mark.slow
def test_a_hundred_thousand_damaged_databases_are_read_or_refused(tmp_path: Path) -> None:
    refused, untouched = run_cases(tmp_path, SLOW_CASES, seed=2)
    assert min(refused, untouched) > SLOW_CASES // 20, "both happen"


def test_a_database_cut_off_anywhere_is_read_or_refused(tmp_path: Path) -> None:
    victim = make_victims(tmp_path)[1]
    chooser = random.Random(5)
    for length in range(0, len(victim.content), 97):
        victim.path.write_bytes(victim.content[:length])
        assert use(victim, chooser) == 1
        if length > 0x14C:
            known = bytearray(victim.content[:length])
            struct.pack_into("<I", known, 0x148, length)
            victim.path.write_bytes(known)
            use(victim, chooser)


def test_a_damaged_database_takes_less_memory_than_ten_times_its_size(tmp_path: Path) -> None:
    victims = make_victims(tmp_path)
    chooser = random.Random(6)
    tracemalloc.start()
    try:
        for case in range(300):
            victim = victims[case % len(victims)]
            with victim.damaged(chooser):
                before = tracemalloc.get_traced_memory()[0]
                tracemalloc.reset_peak()
                use(victim, chooser)
                peak = tracemalloc.get_traced_memory()[1] - before
                assert peak < 9 * len(victim.content), "the mapped file itself is the tenth"
    finally:
        tracemalloc.stop()
