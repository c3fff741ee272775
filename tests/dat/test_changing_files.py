"""Data files that another process writes to, truncates or replaces while they are open: an error each time, never a
signal."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

from engine.dat import DatError
from engine.dat.database import DatDatabase
from engine.dat.ids import DatKind
from engine.dat.writer import write_database
from tests.dat.container_files import ROOT, filler
from tests.loaded import HUNG

READERS: Final = 8
SECONDS: Final = 2.0
SOME: Final = 400

READER: Final = """
import os, sys
from engine.dat.database import DatDatabase
from engine.dat.errors import DatError
read = refused = 0
print("ready", flush=True)
while not os.path.exists(sys.argv[1] + ".end"):
    try:
        with DatDatabase.open(sys.argv[1]) as database:
            for record_id in database.ids():
                database.read(record_id)
                read += 1
    except DatError:
        refused += 1
        open(sys.argv[1] + ".refused", "w").close()
print(read, refused)
"""


def made(path: Path) -> list[tuple[int, bytes]]:
    records = [(0x0D000000 + number, filler(number, 3000)) for number in range(SOME)]
    write_database(path, DatKind.PORTAL, records)
    return records


@pytest.mark.skipif(sys.platform == "win32", reason="writes with os.pwrite, which is not there")
def test_eight_readers_survive_truncation_and_rewriting_in_place(tmp_path: Path) -> None:
    path = tmp_path / "client_portal.dat"
    made(path)
    content = path.read_bytes()
    readers = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", READER, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        for _ in range(READERS)
    ]
    try:
        for reader in readers:
            assert reader.stdout is not None
            reader.stdout.readline()
        chooser = random.Random(3)
        handle = os.open(path, os.O_WRONLY)
        end = time.monotonic() + SECONDS
        refused = tmp_path / "client_portal.dat.refused"
        while time.monotonic() < end or not (refused.exists() or time.monotonic() > end + HUNG):
            os.ftruncate(handle, chooser.choice((0, 400, 5000, len(content) // 2)))
            os.pwrite(handle, content, 0)
        os.close(handle)
    finally:
        (tmp_path / "client_portal.dat.end").touch()
    said = [reader.communicate(timeout=HUNG)[0] for reader in readers]
    assert [reader.returncode for reader in readers] == [0] * READERS
    assert any(int(line.split()[1]) for line in said), "no reader met the file while it was short"


def test_a_file_rewritten_at_equal_length_is_an_error_until_reopened(tmp_path: Path) -> None:
    path = tmp_path / "client_portal.dat"
    records = made(path)
    with DatDatabase.open(path) as database:
        assert database.read(records[0][0]) == records[0][1]
        status = path.stat()
        path.open("r+b").close()
        assert database.read(records[1][0]) == records[1][1], "opening it for writing does not write yet"
        content = path.read_bytes()
        with path.open("r+b") as stream:
            stream.write(content)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 10_000_000))
        with pytest.raises(DatError, match="was written to while it was open; opened again, it is read as it is now"):
            database.read(records[2][0])
    with DatDatabase.open(path) as database:
        assert database.read(records[2][0]) == records[2][1]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows replaces no file that is open")
def test_a_replaced_file_stays_readable_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "client_portal.dat"
    records = made(path)
    with DatDatabase.open(path) as database:
        write_database(path, DatKind.PORTAL, [(0x0D000000, b"another")])
        assert [database.read(record_id) for record_id, _ in records] == [data for _, data in records]


def test_a_database_that_another_thread_closes_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "client_portal.dat"
    records = made(path)
    database = DatDatabase.open(path)
    database.close()
    with pytest.raises(DatError, match="the database has been closed"):
        database.read(records[0][0])
