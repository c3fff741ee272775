"""Opens regular files only, refuses files that are too large, and supports cancellation.

Links in a name are followed; the target must be a regular file. That is checked before opening, because opening alone
has effects on some devices, and again on the opened file, because the name may lead elsewhere by then. The file is
opened without blocking, so that a pipe put there in between cannot hang the reader.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import closing
from typing import Final

from engine.files.cancelling import check_cancelled
from engine.files.errors import FileError, why
from engine.files.kinds import MB, FileKind

PIECE: Final = 1 << 20
"""Bytes that are read between two checks for cancellation."""

_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)

Name = str | os.PathLike[str]


class RegularFile:
    """An open regular file, read by position; any number of threads may read it. It is closed with the last reference:
    a read in progress still reads this file, not another one that has taken over its descriptor. Who alone has it may
    close it before, since Windows neither renames nor removes an open file, and the traceback of an error keeps it."""

    def __init__(self, file: str, handle: int, status: os.stat_result) -> None:
        self.file = file
        self.status = status
        """The file's status when it was opened."""
        self._handle = handle

    def close(self) -> None:
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)

    def __del__(self) -> None:
        self.close()

    def status_now(self) -> os.stat_result:
        return os.fstat(self._handle)

    if sys.platform == "win32":

        def read_at(self, offset: int, size: int) -> bytes:
            """Up to this many bytes of the file, fewer at its end."""
            with _positions:
                os.lseek(self._handle, offset, os.SEEK_SET)
                return os.read(self._handle, size)

    else:

        def read_at(self, offset: int, size: int) -> bytes:
            """Up to this many bytes of the file, fewer at its end."""
            return os.pread(self._handle, size, offset)


if sys.platform == "win32":
    import threading

    _positions: Final = threading.Lock()


def open_regular(name: Name) -> RegularFile:
    """Open a file for reading; raise FileError when it is not a regular file or cannot be opened."""
    file = os.fspath(name)
    try:
        _check_regular(file, os.stat(file))
        handle = os.open(file, _FLAGS)
    except (OSError, ValueError) as error:
        raise FileError(f"cannot be read: {why(error)}", file) from error
    try:
        status = os.fstat(handle)
        _check_regular(file, status)
    except OSError as error:
        os.close(handle)
        raise FileError(f"cannot be read: {why(error)}", file) from error
    except FileError:
        os.close(handle)
        raise
    return RegularFile(file, handle, status)


def _check_regular(file: str, status: os.stat_result) -> None:
    mode = status.st_mode
    if stat.S_ISDIR(mode):
        raise FileError("cannot be read: it is a folder", file)
    if not stat.S_ISREG(mode):
        raise FileError(f"cannot be read: it is {_what(mode)}, not a file", file)


def _what(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "a pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device" if stat.S_ISCHR(mode) or stat.S_ISBLK(mode) else "something else"


def read_file(name: Name, kind: FileKind) -> bytes:
    """The whole file; raises FileError when it is larger than its kind allows."""
    with closing(open_regular(name)) as opened:
        return read_opened(opened, kind)


def read_opened(opened: RegularFile, kind: FileKind) -> bytes:
    """The whole content of an open file."""
    if opened.status.st_size > kind.most:
        raise too_large(opened.file, opened.status.st_size, kind)
    content = _pieces_of(opened, kind.most + 1)
    if len(content) > kind.most:
        raise too_large(opened.file, opened.status_now().st_size, kind)
    return content


def too_large(file: str, size: int, kind: FileKind) -> FileError:
    limit = f"{kind.most // MB} MB" if kind.most >= MB else f"{kind.most:,} bytes"
    return FileError(f"has {size:,} bytes, which is larger than the {limit} that {kind.name} may have", file)


def read_head(name: Name, count: int) -> bytes:
    """Up to this many bytes from the beginning of a file."""
    with closing(open_regular(name)) as opened:
        return _pieces_of(opened, count)


class FileLook:
    """A file that is opened once and whose bytes are read once: first its head, for detecting the type, then the
    rest."""

    def __init__(self, name: Name, head: int) -> None:
        self.opened = open_regular(name)
        self.head = _pieces_of(self.opened, head)

    def content(self, kind: FileKind) -> bytes:
        """The whole file; raises FileError when it is larger than its kind allows. The caller keeps the bytes, this
        object does not."""
        if self.opened.status.st_size > kind.most:
            raise too_large(self.opened.file, self.opened.status.st_size, kind)
        content = _pieces_of(self.opened, kind.most + 1, self.head)
        if len(content) > kind.most:
            raise too_large(self.opened.file, self.opened.status_now().st_size, kind)
        return content


def _pieces_of(opened: RegularFile, count: int, begin: bytes = b"") -> bytes:
    """Up to `size` bytes; `begin` is the part already read."""
    pieces: list[bytes] = [begin] if begin else []
    at = len(begin)
    try:
        while at < count:
            check_cancelled()
            piece = opened.read_at(at, min(PIECE, count - at))
            if not piece:
                break
            pieces.append(piece)
            at += len(piece)
    except OSError as error:
        raise FileError(f"cannot be read: {why(error)}", opened.file) from error
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def read_text(name: Name, kind: FileKind) -> str:
    """The whole file as UTF-8 text."""
    try:
        return read_file(name, kind).decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError("is not text (UTF-8)", name) from error


def is_regular(name: Name) -> bool:
    """Whether a path leads to an existing regular file."""
    try:
        return stat.S_ISREG(os.stat(name).st_mode)
    except (OSError, ValueError):  # ValueError: a name no file can have
        return False
