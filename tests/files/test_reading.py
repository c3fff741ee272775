"""What the door admits and refuses, and that it never waits."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from engine.files.cancelling import cancellable, check_cancelled
from engine.files.errors import FileError
from engine.files.json_text import json_value
from engine.files.kinds import MB, FileKind
from engine.files.reading import open_regular, read_file, read_head, read_text

SMALL: Final = FileKind("a note", 1000)
LARGE: Final = FileKind("a book", 16 * MB)


def reason(read: Callable[[], object]) -> str:
    with pytest.raises(FileError) as caught:
        read()
    return caught.value.reason


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_files_are_read_whole_and_through_links(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to("file")
    assert read_file(tmp_path / "link", SMALL) == b"content"
    assert read_head(tmp_path / "file", 3) == b"con"
    (tmp_path / "empty").write_bytes(b"")
    assert read_file(tmp_path / "empty", SMALL) == b""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_pipes_devices_sockets_and_folders_are_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    monkeypatch.chdir(tmp_path)  # the name of a socket may not be long
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        for name, what in (
            ("pipe", "a pipe, not a file"),
            ("link", "a pipe, not a file"),
            ("zero", "a device, not a file"),
            ("socket", "a socket, not a file"),
            (".", "a folder"),
        ):
            with pytest.raises(FileError) as caught:
                read_file(tmp_path / name, SMALL)
            assert caught.value.reason == f"cannot be read: it is {what}"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_a_pipe_that_replaces_a_file_during_opening_does_not_block(tmp_path: Path) -> None:
    """After the door checks the name and before it opens it, another thread puts a pipe there, again and again."""
    name = tmp_path / "file"
    swap = (
        "import os, sys\n"
        "name = sys.argv[1]\n"
        "os.mkfifo(name + '.pipe'); open(name + '.file', 'w').close()\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        "    for kind in ('.pipe', '.file'):\n"
        "        os.link(name + kind, name + '.new'); os.replace(name + '.new', name)\n"
    )
    name.write_bytes(b"")
    with subprocess.Popen([sys.executable, "-c", swap, str(name)], stdout=subprocess.PIPE) as swapping:
        assert swapping.stdout is not None
        swapping.stdout.readline()
        seen = set()
        for _ in range(3000):
            try:
                seen.add(read_file(name, SMALL))
            except FileError as error:
                seen.add(error.reason.encode())
        swapping.kill()
    assert seen <= {b"", b"cannot be read: it is a pipe, not a file"}
    assert b"" in seen


def test_an_oversized_file_is_refused_with_size_and_limit_and_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as stream:
        stream.truncate(3_000_000_000)
    said = "has 3,000,000,000 bytes, which is larger than the 16 MB that a book may have"
    assert reason(lambda: read_file(path, LARGE)) == said
    path.write_bytes(bytes(1001))
    assert (
        reason(lambda: read_file(path, SMALL))
        == "has 1,001 bytes, which is larger than the 1,000 bytes that a note may have"
    )
    path.write_bytes(bytes(1000))
    assert len(read_file(path, SMALL)) == 1000


def test_a_file_that_grows_during_reading_is_not_followed(tmp_path: Path) -> None:
    path = tmp_path / "growing"
    path.write_bytes(bytes(900))

    def grow() -> None:
        with path.open("ab") as stream:
            stream.write(bytes(500))

    with cancellable(grow):  # between looking at the size and reading
        assert "larger than the 1,000 bytes" in reason(lambda: read_file(path, SMALL))


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="only Linux has files without a size")
def test_a_file_of_unknown_size_is_read_up_to_the_limit() -> None:
    assert "larger than the 10 bytes" in reason(lambda: read_file("/proc/cpuinfo", FileKind("a note", 10)))


def test_a_cancelled_read_stops(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(bytes(8 * MB))
    asked = 0

    def check() -> None:
        nonlocal asked
        asked += 1
        if asked > 3:
            raise KeyError("cancelled")

    with pytest.raises(KeyError, match="cancelled"), cancellable(check):
        read_file(path, LARGE)
    assert asked == 4
    check_cancelled()  # outside nobody is asked
    assert asked == 4


@pytest.mark.skipif(sys.platform == "win32", reason="Windows says it in other words")
def test_impossible_file_names_are_refused(tmp_path: Path) -> None:
    assert reason(lambda: read_file(tmp_path / "none", SMALL)) == "cannot be read: No such file or directory"
    assert reason(lambda: read_file("a\0b", SMALL)) == "cannot be read: embedded null byte"
    (tmp_path / "bytes").write_bytes(b"\xff")
    assert reason(lambda: read_text(tmp_path / "bytes", SMALL)) == "is not text (UTF-8)"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts the open files as Linux lists them")
def test_no_file_stays_open(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(50):
        read_file(tmp_path / "file", SMALL)
        with pytest.raises(FileError):
            open_regular(tmp_path)
    assert len(os.listdir("/proc/self/fd")) == before


# --- JSON


@pytest.mark.parametrize(
    "piece",
    [b"[],", b"{},", b'{"a":{}},', b'"ab",', b"[1,2.5,3],", '"\U0001f600",'.encode()],
    ids=["lists", "objects", "nested", "texts", "vectors", "wide"],
)
def test_json_that_would_take_too_much_memory_for_its_size_is_refused(piece: bytes) -> None:
    text = b"[" + piece * (6 * MB // len(piece)) + b"1]"
    said = reason(lambda: json_value(text, "x.json"))
    assert said.startswith(f"has {len(text):,} bytes of JSON with so many values that they would take ")
    assert said.endswith(" MB are given to it")


def test_json_with_too_many_different_names_is_refused() -> None:
    many = b"{" + b",".join(b'"name %06d":1' % n for n in range(450_000)) + b"}"
    assert len(many) > 5 * MB
    assert "so many values" in reason(lambda: json_value(many, "x.json"))
    same = b"[" + b",".join(b'{"name":"a value of some length here %06d"}' % n for n in range(130_000)) + b"]"
    assert len(same) > 5 * MB
    assert len(list(json_value(same, "x.json"))) == 130_000  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"{", "is not JSON: Expecting property name enclosed in double quotes at line 1, column 2"),
        (b"[" * 100_000, "is nested too deeply"),
        (b"\xff", "is not JSON: 'utf-8' codec can't decode"),
        (b"1" * 5000, "is not JSON: Exceeds the limit"),
    ],
)
def test_invalid_json_is_reported_with_its_position(text: bytes, said: str) -> None:
    assert reason(lambda: json_value(text, "x.json")).startswith(said)
