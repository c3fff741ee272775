"""A file that is replaced as a whole or not at all (design, promise 7)."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from engine.dat.errors import DatError
from engine.files.errors import why
from engine.files.locking import lock

_BUFFER = 1 << 20
PAUSES = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
"""Seconds between attempts to replace a file on Windows."""


@contextmanager
def replaced_file(path: str | os.PathLike[str], *, private: bool = False) -> Iterator[BinaryIO]:
    """Write a new file that replaces `path` when the block succeeds, and leaves no trace when it fails.

    The new content is kept beside the target under a hidden name until it is safely on the disk. A process killed
    before the rename leaves the old file whole and that hidden file behind, which the next writer of the same target
    removes; one killed after it, the new file.

    A device or a pipe, which no file may replace, receives the content directly. A `private` file is readable by its
    owner alone; any other keeps the permissions of the file that it replaces.
    """
    with write_errors(path):
        target = Path(os.path.realpath(path))  # through a link: the file it names is replaced, not the link
        temporary, stream = _device(path) if _is_device(path) else _new_file_beside(target, private)
    try:
        yield stream
        with write_errors(path):
            stream.flush()
            if temporary is not None:
                os.fsync(stream.fileno())
                stream.close()
                if not private:
                    with suppress(FileNotFoundError):
                        shutil.copymode(target, temporary)
                _replace(temporary, target)
                _sync_folder(target.parent)
    finally:
        # After a failure a full disk makes closing fail once more, and nothing new is learnt from that.
        with suppress(OSError):
            stream.close()
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def write_whole(path: str | os.PathLike[str], data: bytes, *, private: bool = False) -> None:
    """Replace a file by one with this content; a DatError also when the disk is full."""
    with replaced_file(path, private=private) as stream, write_errors(path):
        stream.write(data)


@contextmanager
def write_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    """Say as a DatError what keeps the file from being written."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise DatError(path, None, None, None, f"cannot be written: {why(error)}") from error


def _is_device(path: str | os.PathLike[str]) -> bool:
    """Neither a file nor a folder, of which the rename says that it is one."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _device(path: str | os.PathLike[str]) -> tuple[None, BinaryIO]:
    return None, open(path, "wb", buffering=_BUFFER)


def _new_file_beside(target: Path, private: bool) -> tuple[Path, BinaryIO]:
    # In the same folder, because a rename is atomic only within one file system; under a free name, because two
    # processes may be writing the same target.
    _remove_abandoned(target)
    for number in itertools.count():
        temporary = target.with_name(f".{target.name}.{os.getpid()}-{number}.tmp")
        with suppress(FileExistsError):
            stream = _created(temporary, private)
            if _hold(stream, temporary):
                return temporary, stream
            stream.close()
    raise AssertionError("numbers do not end")


def _created(path: Path, private: bool) -> BinaryIO:
    return open(path, "xb", buffering=_BUFFER, opener=_owner_only if private else None)


def _remove_abandoned(target: Path) -> None:
    """Remove the hidden files that killed writers of this target have left; those in use are held by their writers."""
    form = re.compile(re.escape(f".{target.name}.") + r"\d+-\d+\.tmp")
    with suppress(OSError), os.scandir(target.parent) as entries:
        for name in [entry.name for entry in entries if form.fullmatch(entry.name)]:
            with suppress(OSError):
                _remove_unheld(target.with_name(name))


if sys.platform == "win32":

    def _hold(stream: BinaryIO, temporary: Path) -> bool:
        """Nothing to do: the system refuses to remove an open file."""
        return True

    def _remove_unheld(temporary: Path) -> None:
        temporary.unlink()

    def _replace(temporary: Path, target: Path) -> None:
        """Whoever has the old file open keeps it from being replaced; virus scanners and indexers only for a moment."""
        for pause in PAUSES:
            try:
                os.replace(temporary, target)
            except PermissionError:
                time.sleep(pause)
            else:
                return
        try:
            os.replace(temporary, target)
        except PermissionError as error:
            raise OSError(error.errno, "another program has it open, or it may not be written") from error

else:

    def _replace(temporary: Path, target: Path) -> None:
        os.replace(temporary, target)

    def _hold(stream: BinaryIO, temporary: Path) -> bool:
        """Lock a hidden file, as long as its writer lives; False if another writer has just taken it for abandoned."""
        with suppress(OSError):  # a file system without locks
            lock(stream.fileno(), wait=True)
        try:
            return os.path.samestat(os.stat(temporary), os.fstat(stream.fileno()))
        except FileNotFoundError:
            return False

    def _remove_unheld(temporary: Path) -> None:
        handle = os.open(temporary, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            lock(handle)
            temporary.unlink()
        finally:
            os.close(handle)


def _owner_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _sync_folder(folder: Path) -> None:
    """Make the rename itself last; Windows knows no such call."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
