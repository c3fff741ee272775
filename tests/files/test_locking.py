"""Locks between processes: alone or shared, and taken back when a process is killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.files.locking import lock

ROOT = Path(__file__).resolve().parents[2]

HOLDER = """
import os, sys
from engine.files.locking import lock
lock(os.open(sys.argv[1], os.O_RDWR | os.O_CREAT), shared=sys.argv[2] == "shared", wait=True)
print("held", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a file"
    path.write_bytes(b"content")
    return path


@pytest.fixture
def handle(file: Path) -> Iterator[int]:
    opened = os.open(file, os.O_RDWR)
    yield opened
    os.close(opened)


@contextmanager
def held_elsewhere(file: Path, how: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the lock until it is killed, or given a line."""
    command = [sys.executable, "-c", HOLDER, str(file), how]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


@pytest.mark.parametrize(("theirs", "ours"), [("alone", "alone"), ("alone", "shared"), ("shared", "alone")])
def test_a_lock_that_another_process_has_is_refused(file: Path, handle: int, theirs: str, ours: str) -> None:
    with held_elsewhere(file, theirs), pytest.raises(BlockingIOError):
        lock(handle, shared=ours == "shared")


def test_a_shared_lock_is_for_several(file: Path, handle: int) -> None:
    with held_elsewhere(file, "shared"):
        lock(handle, shared=True)


def test_what_is_locked_can_be_read_and_written(file: Path, handle: int) -> None:
    with held_elsewhere(file, "alone"):
        assert file.read_bytes() == b"content"
        os.write(handle, b"CON")
        assert file.read_bytes() == b"CONtent"
        os.ftruncate(handle, 3)
        assert file.read_bytes() == b"CON"


def test_a_killed_process_holds_nothing(file: Path, handle: int) -> None:
    with held_elsewhere(file, "alone") as process:
        process.kill()
        process.wait()
        lock(handle)


def test_waiting_ends_when_the_other_lets_go(file: Path, handle: int) -> None:
    with held_elsewhere(file, "alone") as process:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
        lock(handle, wait=True)
        assert process.wait() == 0
