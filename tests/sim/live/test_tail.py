"""A file that another program writes: its new bytes, and the ways in which it begins again."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from engine.sim.captures.live.tail import REPLACED, REWRITTEN, TRUNCATED, Lines, Piece, Tail
from tests.systems import needs_pipes, not_on_windows


def test_a_file_that_does_not_exist_yet_is_waited_for(tmp_path: Path) -> None:
    tail = Tail(tmp_path / "later.jsonl")
    assert tail.turn() == Piece("", b"")
    assert tail.problem == "does not exist yet"
    tail.path.write_bytes(b"one\n")
    assert tail.turn() == Piece("", b"one\n")
    assert tail.problem == ""


def test_what_is_appended_comes_once_and_a_turn_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    tail = Tail(path)
    assert [tail.turn(4).data for _ in range(4)] == [b"0123", b"4567", b"89", b""]
    with path.open("ab") as stream:
        stream.write(b"more")
    assert tail.turn() == Piece("", b"more")
    assert tail.turn() == Piece("", b"")


def test_a_truncated_file_is_read_from_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a long first session\n")
    tail = Tail(path)
    tail.turn()
    path.write_bytes(b"short\n")
    assert tail.turn() == Piece(TRUNCATED, b"short\n")


def test_a_file_written_anew_and_longer_is_read_from_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"first\n")
    tail = Tail(path)
    tail.turn()
    path.write_bytes(b"the second session is longer\n")
    assert tail.turn() == Piece(REWRITTEN, b"the second session is longer\n")


@not_on_windows("Windows lets nobody replace an open file")
def test_the_rest_of_a_replaced_file_is_read_before_the_new_one(tmp_path: Path) -> None:
    path, new = tmp_path / "file", tmp_path / "new"
    path.write_bytes(b"old and ")
    tail = Tail(path)
    tail.turn()
    with path.open("ab") as stream:
        stream.write(b"its end")
    new.write_bytes(b"new")
    os.replace(new, path)
    assert [tail.turn() for _ in range(2)] == [Piece("", b"its end"), Piece(REPLACED, b"new")]


@not_on_windows("Windows lets nobody delete an open file")
def test_a_deleted_file_is_waited_for_again(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    tail = Tail(path)
    tail.turn()
    path.unlink()
    assert tail.turn() == Piece("", b"")
    path.write_bytes(b"new")
    assert tail.turn() == Piece(REPLACED, b"new")


@needs_pipes
def test_what_is_no_file_is_a_problem_and_not_an_error(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("a\0b")):
        tail = Tail(path)
        assert tail.turn() == Piece("", b"")
        assert tail.problem


def test_the_tail_never_writes(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x\n")
    path.chmod(0o400)
    before = path.stat()
    tail = Tail(path)
    tail.turn()
    tail.turn()
    after = path.stat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)


@given(st.lists(st.text(alphabet="aé€😀\r 1", max_size=8)), st.lists(st.integers(0, 9), max_size=30))
def test_lines_are_the_same_however_the_bytes_arrive(texts: list[str], cuts: list[int]) -> None:
    data = "".join(f"{text}\r\n" if len(text) % 2 else f"{text}\n" for text in texts).encode()
    whole = list(Lines(100).add(data))
    lines, at = Lines(100), 0
    found: list[tuple[int, bytes | None]] = []
    for cut in [*cuts, len(data)]:
        found += lines.add(data[at : at + cut])
        at += cut
    assert found == whole
    numbered = enumerate(data.split(b"\n")[:-1], 1)
    assert whole == [(number, line.strip()) for number, line in numbered if line.strip()]


def test_a_line_that_is_too_long_takes_no_memory_and_the_next_is_read() -> None:
    lines = Lines(10)
    assert list(lines.add(b"x" * 1000)) == []
    assert lines.rest == b""
    assert list(lines.add(b"y" * 1000 + b"\nshort\n")) == [(1, None), (2, b"short")]
