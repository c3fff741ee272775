"""Files that grow line by line and are read again after the program was killed, or the disk was full.

A line counts when it is whole: a last one without its end is cut off before the next is written. One process at a time
has such a file open, where the file system can tell.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Final

from engine.files.cancelling import check_cancelled
from engine.files.errors import FileError, why
from engine.files.kinds import MB, FileKind
from engine.files.locking import lock
from engine.files.reading import PIECE, Name, RegularFile, open_regular, too_large

MOST_LINE: Final = 64 * MB
SAVE_EVERY: Final = 2.0
"""Seconds between two times that the system is asked to put what was written onto the disk."""


class LineFile:
    """An open file of lines. `lines` reads those that are there, `append` adds one."""

    def __init__(self, name: Name, kind: FileKind) -> None:
        """Open the file, which may be new; raises a FileError when it cannot be, or another process has it open."""
        self.file = os.fspath(name)
        self._kind = kind
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
        try:
            self._handle = os.open(self.file, flags | getattr(os, "O_BINARY", 0), 0o666)
        except (OSError, ValueError) as error:
            raise FileError(f"cannot be written: {why(error)}", self.file) from error
        self._saved = time.monotonic()
        try:
            self._reader: RegularFile = open_regular(name)
            _hold(self._handle, self.file)
            if self._reader.status.st_size > kind.most:
                raise too_large(self.file, self._reader.status.st_size, kind)
        except FileError:
            os.close(self._handle)
            raise

    def lines(self) -> Iterator[bytes]:
        """The whole lines, without their ends; what is behind the last one is cut off. A line that is too long is
        left out."""
        rest = b""
        at = whole = 0
        skipping = False
        while True:
            check_cancelled()
            piece = self._read(at)
            if not piece:
                break
            at += len(piece)
            *ended, rest = (rest + piece).split(b"\n")
            for line in ended:
                if skipping:
                    skipping = False
                else:
                    yield line
            whole = at - len(rest) if ended else whole
            if len(rest) > MOST_LINE:
                skipping, rest = True, b""
        if whole < at:
            self._cut(whole)

    def append(self, line: bytes) -> None:
        """Add a line, which has no end in it; raises a FileError when it cannot be written."""
        content = memoryview(line + b"\n")
        try:
            while content:
                content = content[os.write(self._handle, content) :]
            if time.monotonic() - self._saved > SAVE_EVERY:
                self.save()
        except OSError as error:
            raise FileError(f"cannot be written: {why(error)}", self.file) from error

    def save(self) -> None:
        """Let the system put everything onto the disk."""
        os.fsync(self._handle)
        self._saved = time.monotonic()

    def close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _read(self, at: int) -> bytes:
        try:
            return self._reader.read_at(at, PIECE)
        except OSError as error:
            raise FileError(f"cannot be read: {why(error)}", self.file) from error

    def _cut(self, size: int) -> None:
        try:
            os.ftruncate(self._handle, size)
        except OSError as error:
            raise FileError(f"cannot be written: {why(error)}", self.file) from error


def _hold(handle: int, file: str) -> None:
    try:
        lock(handle)
    except BlockingIOError as error:
        raise FileError("is being written by another survey", file) from error
    except OSError:  # a file system without locks
        return
