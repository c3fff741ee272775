"""The end of a file that another program writes: read by polling, at most a piece a turn, and cut into lines.

The file may not exist yet, be truncated, or be replaced by another one of the same name; reading then starts again at
the beginning. Nothing but its status and its bytes is asked for, so it works on every system.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from engine.files.errors import FileError, why
from engine.files.reading import RegularFile, open_regular

PIECE: Final = 1 << 16
"""Bytes of a turn, about forty records."""
GUARD: Final = 64
"""Bytes before the end of what was read, which are read again: a file that was written anew differs there."""

TRUNCATED: Final = "was truncated"
REWRITTEN: Final = "was written anew"
REPLACED: Final = "was replaced by a new file"


class Piece(NamedTuple):
    """What a turn found. `began`: why reading started again at the beginning, before `data`; "" if it did not."""

    began: str
    data: bytes


NOTHING: Final = Piece("", b"")


class Tail:
    """A file from its beginning to its growing end. `problem` is why it cannot be read at present, "" if it can."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = "does not exist yet"
        self._opened: RegularFile | None = None
        self._at = 0
        self._guard = b""
        self._seen: tuple[int, int] = (-1, -1)
        self._was_open = False

    @property
    def behind(self) -> int:
        """Bytes that the file had at the last turn and that are not read yet."""
        return max(self._seen[0] - self._at, 0)

    def turn(self, most: int = PIECE) -> Piece:
        """The next bytes, at most so many; none at the end of the file, or while there is no file."""
        try:
            return self._turn(most)
        except (FileError, OSError, ValueError) as error:  # ValueError: a name no file can have
            self._opened = None
            self.problem = error.reason if isinstance(error, FileError) else f"cannot be read: {why(error)}"
            return NOTHING

    def _turn(self, most: int) -> Piece:
        opened = self._opened
        began = ""
        if opened is None:
            if not os.path.lexists(self.path):
                self.problem = "does not exist yet" if not self._was_open else "has been deleted"
                return NOTHING
            opened = self._opened = open_regular(self.path)
            began = REPLACED if self._was_open else ""
            self._start_again()
            self._was_open, self.problem = True, ""
        status = opened.status_now()
        now = (status.st_size, status.st_mtime_ns)
        if status.st_size < self._at:
            began = TRUNCATED
            self._start_again()
        elif now == self._seen and self._at == status.st_size:
            if not self._is_replaced(status):
                return NOTHING
            self._opened = None
            return self._turn(most)
        self._seen = now
        data = opened.read_at(self._at - len(self._guard), len(self._guard) + most)
        if not data.startswith(self._guard):
            began = REWRITTEN
            self._start_again()
            self._seen = now
            data = opened.read_at(0, most)
        data = data[len(self._guard) :]
        self._at += len(data)
        self._guard = (self._guard + data)[-GUARD:]
        return Piece(began, data)

    def _is_replaced(self, status: os.stat_result) -> bool:
        """Whether the name leads to another file now; one that is gone is read on, for its writer may still have it."""
        try:
            return not os.path.samestat(os.stat(self.path), status)
        except OSError:
            return False

    def _start_again(self) -> None:
        self._at, self._guard, self._seen = 0, b"", (-1, -1)


class Lines:
    """Cuts bytes into lines without their ends, however they arrive. Numbers count from 1, as editors show them."""

    def __init__(self, longest: int) -> None:
        self.number = 1
        """Of the line that is not complete yet."""
        self._longest = longest
        self._rest = bytearray()
        self._too_long = False

    @property
    def rest(self) -> bytes:
        """The part of the last line that has arrived; empty for one that is too long anyway."""
        return b"" if self._too_long else bytes(self._rest)

    def drop_rest(self) -> None:
        """The last line has been used already, though its end is missing."""
        self._rest.clear()

    def start_again(self) -> None:
        self.number = 1
        self._rest.clear()
        self._too_long = False

    def add(self, data: bytes) -> Iterator[tuple[int, bytes | None]]:
        """The lines that are complete now, with their numbers; None for one longer than the longest. Blank lines are
        left out."""
        start = 0
        while True:
            end = data.find(b"\n", start)
            self._take(data[start : len(data) if end < 0 else end])
            if end < 0:
                return
            line = None if self._too_long else bytes(self._rest).strip()
            number = self.number
            self._rest.clear()
            self._too_long = False
            self.number += 1
            start = end + 1
            if line is None or line:
                yield number, line

    def _take(self, data: bytes) -> None:
        if self._too_long:
            return
        self._rest += data
        if len(self._rest) > self._longest + 1:  # a carriage return at its end does not count
            self._rest.clear()
            self._too_long = True
