"""A database replaces another in one step: whatever happens, the old or the new one is whole."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dat import DatError
from engine.dat.atomic import replaced_file
from engine.dat.check import check
from engine.dat.database import DatDatabase
from engine.dat.ids import ITERATION_ID, DatKind
from engine.dat.writer import rewrite_database, write_database
from tests.dat.container_files import ROOT, ScatteredDatabase, filler, patch, run_python

if sys.platform != "win32":
    import resource

posix = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no forks, limits of files, permission bits and free links"
)

windows = pytest.mark.skipif(sys.platform != "win32", reason="elsewhere a file that is open is replaced")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "client_portal.dat"
    write_database(path, DatKind.PORTAL, [(0x0D000001, b"the old world")])
    return path


def names(folder: Path) -> list[str]:
    return sorted(found.name for found in folder.iterdir())


# Each child process writes a new database over the old one and kills itself when the n-th line of the writing code
# runs, by trace hook: a kill can come at every moment between two lines.
KILL_AT_LINES = """
import os, signal, sys
from engine.dat.ids import DatKind
from engine.dat.writer import rewrite_database, write_database

path, what = sys.argv[1], sys.argv[2]
old = open(path, "rb").read()

def write():
    if what == "write":
        write_database(path, DatKind.PORTAL, ((number, bytes([number]) * 3000) for number in range(20)), 2)
    else:
        rewrite_database(path, path, {0x0D000001: None, **{number: bytes([number]) * 3000 for number in range(20)}})

class Lines:
    def __init__(self, last):
        self.seen, self.last = 0, last
    def trace(self, frame, event, argument):
        if frame.f_code.co_filename.endswith(("writer.py", "atomic.py")):
            if event == "line":
                self.seen += 1
                if self.seen == self.last:
                    os.kill(os.getpid(), signal.SIGKILL)
            return self.trace
        return None

def in_child(last):
    child = os.fork()
    if child == 0:
        lines = Lines(last)
        sys.settrace(lines.trace)
        write()
        sys.settrace(None)
        os.write(count_out, str(lines.seen).encode())
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

count_in, count_out = os.pipe()
assert in_child(0) == 0
total = int(os.read(count_in, 100))
new = open(path, "rb").read()
assert new != old
survivors = {"old": 0, "new": 0}
for last in sorted({*range(1, total, max(1, total // 60)), *range(max(1, total - 60), total + 1)}):
    open(path, "wb").write(old)
    assert in_child(last) == -signal.SIGKILL, last
    found = open(path, "rb").read()
    assert found in (old, new), last
    survivors["old" if found == old else "new"] += 1
print(survivors["old"], survivors["new"], total)
"""


@posix
@pytest.mark.parametrize("what", ["write", "rewrite"])
def test_a_kill_at_any_line_leaves_the_old_or_the_new_file_whole(old: Path, what: str) -> None:
    kept, replaced, lines = map(int, run_python(KILL_AT_LINES, str(old), what))
    assert lines > 300
    assert kept > 50
    assert replaced > 0, "the last lines come after the rename"


KILLED_FROM_OUTSIDE = """
import sys
from engine.dat.ids import DatKind
from engine.dat.writer import write_database
print("ready", flush=True)
while True:
    for mark in range(2):
        write_database(sys.argv[1], DatKind.CELL, ((number, bytes([mark]) * 700) for number in range(2000)))
"""


def test_a_kill_by_another_process_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "client_cell_1.dat"
    write_database(path, DatKind.CELL, ((number, b"\0" * 700) for number in range(2000)))
    for round_number in range(6):
        writer = subprocess.Popen(
            [sys.executable, "-c", KILLED_FROM_OUTSIDE, str(path)], cwd=ROOT, stdout=subprocess.PIPE
        )
        with writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            deadline = time.monotonic() + 0.004 * (round_number * round_number + 1)
            while time.monotonic() < deadline:
                assert path.exists()
            writer.kill()
        with DatDatabase.open(path) as database:
            assert [problem for problem in check(database) if problem.field != "id"] == []
            found = {database.read(number) for number in range(2000)}
        assert found in ({b"\0" * 700}, {b"\1" * 700})


def test_records_that_fail_halfway_leave_only_the_old_file(old: Path) -> None:
    before = old.read_bytes()

    def records() -> Iterator[tuple[int, bytes]]:
        for number in range(5000):
            yield number, b"x" * 900
        raise LookupError("the room has no walls")

    with pytest.raises(LookupError, match="no walls"):
        write_database(old, DatKind.PORTAL, records())
    assert old.read_bytes() == before
    assert names(old.parent) == ["client_portal.dat"]


@posix
def test_a_full_disk_is_an_error_and_leaves_only_the_old_file(old: Path) -> None:
    before = old.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(DatError, match="cannot be written: File too large") as caught:
            write_database(old, DatKind.PORTAL, ((number, b"x" * 900) for number in range(5000)))
        with pytest.raises(DatError, match="cannot be written: File too large"):
            write_database(old, DatKind.PORTAL, ((number, b"x" * 900) for number in range(200)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caught.value.file == str(old)
    assert old.read_bytes() == before
    assert names(old.parent) == ["client_portal.dat"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows says it in other words")
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nowhere/x.dat", "No such file or directory"),
        ("client_portal.dat/x.dat", "Not a directory"),
        ("folder", "Is a directory"),
        ("x\0.dat", "embedded null"),
        ("x" * 300, "File name too long"),
    ],
)
def test_a_folder_that_cannot_be_written_is_an_error(old: Path, name: str, reason: str) -> None:
    (old.parent / "folder").mkdir()
    with pytest.raises(DatError, match=f"cannot be written: .*{reason}"):
        write_database(old.parent / name, DatKind.PORTAL, [])
    assert names(old.parent) == ["client_portal.dat", "folder"]


@posix
def test_the_new_file_keeps_the_permissions_of_the_old_one(old: Path) -> None:
    old.chmod(0o640)
    write_database(old, DatKind.PORTAL, [])
    assert stat.S_IMODE(old.stat().st_mode) == 0o640


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_database(tmp_path / "x.dat", DatKind.PORTAL, [])
    assert (tmp_path / "x.dat").stat().st_mode == (tmp_path / "usual").stat().st_mode


@posix
def test_writing_through_a_link_replaces_its_target(old: Path) -> None:
    link = old.parent / "link.dat"
    link.symlink_to(old)
    write_database(link, DatKind.PORTAL, [(9, b"new")])
    assert link.is_symlink()
    with DatDatabase.open(old) as database:
        assert database.read(9) == b"new"


def test_the_next_writer_removes_the_remains_of_a_killed_one(old: Path) -> None:
    left = old.parent / f".{old.name}.{os.getpid()}-0.tmp"
    another = old.parent / f".{old.name}.1-0.tmp.txt"
    for path in (left, another):
        path.write_bytes(b"half")
    write_database(old, DatKind.PORTAL, [(9, b"new")])
    assert names(old.parent) == [another.name, old.name]
    with DatDatabase.open(old) as database:
        assert 9 in database


def test_a_writer_at_work_keeps_its_hidden_file(old: Path) -> None:
    with replaced_file(old) as stream:
        stream.write(b"slow")
        write_database(old, DatKind.PORTAL, [(9, b"quick")])
        assert len(names(old.parent)) == 2
    assert old.read_bytes() == b"slow"
    assert names(old.parent) == [old.name]


@windows
def test_a_file_that_is_open_for_a_moment_is_replaced_after_it(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Virus scanners and indexers open what is new."""
    with old.open("rb") as scanned:
        monkeypatch.setattr("engine.dat.atomic.time.sleep", lambda seconds: scanned.close())
        write_database(old, DatKind.PORTAL, [(9, b"new")])
    with DatDatabase.open(old) as database:
        assert database.read(9) == b"new"
    assert names(old.parent) == ["client_portal.dat"]


@windows
def test_a_file_that_stays_open_stays_whole_and_is_a_sentence(old: Path) -> None:
    before = old.read_bytes()
    with old.open("rb"), pytest.raises(DatError, match="cannot be written: another program has it open"):
        write_database(old, DatKind.PORTAL, [(9, b"new")])
    assert old.read_bytes() == before
    assert names(old.parent) == ["client_portal.dat"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows replaces no file that is open")
def test_a_database_stays_readable_while_it_is_replaced(old: Path) -> None:
    with DatDatabase.open(old) as database:
        rewrite_database(old, old, {0x0D000001: b"the new world"})
        assert database.read(0x0D000001) == b"the old world"
    with DatDatabase.open(old) as database:
        assert database.read(0x0D000001) == b"the new world"


@given(
    records=st.dictionaries(st.integers(0, 250), st.binary(max_size=600), max_size=80),
    changes=st.dictionaries(st.integers(0, 250), st.none() | st.binary(max_size=600), max_size=80),
)
@settings(max_examples=50)
def test_a_rewritten_database_holds_kept_and_changed_records(
    tmp_path_factory: pytest.TempPathFactory, records: dict[int, bytes], changes: dict[int, bytes | None]
) -> None:
    source = ScatteredDatabase(records.items()).write(tmp_path_factory.getbasetemp() / "source.dat")
    target = source.with_name("target.dat")
    rewrite_database(source, target, changes)
    expected = {record_id: data for record_id, data in {**records, **changes}.items() if data}
    with DatDatabase.open(target) as database:
        assert [record_id for record_id in database.ids() if record_id != ITERATION_ID] == sorted(expected)
        assert all(database.read(record_id) == data for record_id, data in expected.items())
        assert list(check(database)) == []


def test_a_rewrite_without_changes_is_byte_identical(tmp_path: Path) -> None:
    source, target = tmp_path / "a.dat", tmp_path / "b.dat"
    write_database(source, DatKind.PORTAL, ((number, filler(number, number * 9)) for number in range(500)), 7)
    rewrite_database(source, target, {})
    assert target.read_bytes() == source.read_bytes()


def test_a_rewrite_keeps_how_records_are_stored_and_the_headers_versions(tmp_path: Path) -> None:
    records = [(number, filler(number, 900)) for number in range(1, 6)]
    source = ScatteredDatabase(records, 1024, compressed=frozenset({2, 4})).write(tmp_path / "a.dat")
    patch(source, 0x170, (0x25000000).to_bytes(4, "little") + b"\x6e\0\0\0\0\0\0\0" + b"0123456789abcdef" + b"\7\0\0\0")
    target = tmp_path / "b.dat"
    rewrite_database(source, target, {4: b"plain now", 9: b"new"}, date=123)
    with DatDatabase.open(target) as database:
        header = database.header
        assert (header.master_map_id, header.engine_version, header.minor_version) == (0x25000000, 110, 7)
        assert header.guid == b"0123456789abcdef"
        stored = {entry.record_id: (entry.compressed, entry.date, entry.version) for entry in database.entries()}
        assert stored == {
            1: (False, 7, 2),
            2: (True, 7, 2),
            3: (False, 7, 2),
            4: (False, 123, 2),
            5: (False, 7, 2),
            9: (False, 123, 2),
            ITERATION_ID: (False, 123, 1),
        }
        assert database.read(2) == records[1][1]


def test_a_rewrite_can_raise_the_iteration(old: Path) -> None:
    rewrite_database(old, old, {9: b"new"}, iteration=12)
    with DatDatabase.open(old) as database:
        assert database.iteration() == 12
        assert [entry.iteration for entry in database.entries()] == [12, 1, 12]


def test_a_rewrite_that_lowers_the_iteration_lowers_that_of_its_entries(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    write_database(path, DatKind.PORTAL, [(1, b"x")], 9)
    rewrite_database(path, path, {}, iteration=4)
    with DatDatabase.open(path) as database:
        assert {entry.iteration for entry in database.entries()} == {4}


@pytest.mark.parametrize("data", [None, b"x"])
def test_a_rewrite_refuses_an_iteration_record(old: Path, data: bytes | None) -> None:
    with pytest.raises(DatError, match="the iteration record is made by the writer"):
        rewrite_database(old, old, {ITERATION_ID: data})


def test_a_rewrite_of_a_damaged_database_stops_unless_the_damage_is_replaced(tmp_path: Path) -> None:
    made = ScatteredDatabase([(number, filler(number, 900)) for number in range(1, 6)])
    source, target = made.write(tmp_path / "a.dat"), tmp_path / "b.dat"
    patch(source, made.chains[3][1], bytes(4))
    with pytest.raises(DatError, match="record 0x00000003") as caught:
        rewrite_database(source, target, {1: None})
    assert caught.value.file == str(source)
    assert names(tmp_path) == ["a.dat"]
    rewrite_database(source, target, {3: b"mended"})
    with DatDatabase.open(target) as database:
        assert [database.read(number)[:4] for number in (2, 3)] == [b"\2\0\0\0", b"mend"]
