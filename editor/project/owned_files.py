"""Files that this user's program alone has written, in a folder that nobody else can write to.

The program believes what a project says of itself, such as where its file is, only for these: a project from elsewhere
can claim anything.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from engine.files.reading import RegularFile

PRIVATE_FOLDER: Final = 0o700
PRIVATE_FILE: Final = 0o600
_OTHERS_WRITE: Final = 0o022


def is_own_folder(folder: Path) -> bool:
    """Whether this is a folder, not a link, that belongs to the user and that nobody else can write to."""
    try:
        status = os.lstat(folder)
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(status.st_mode) and _is_mine(status) and not _lets_others_write(status)


def is_own_file(opened: RegularFile, folder: Path | None) -> bool:
    """Whether the opened file is one of ours in that folder, by its own name and not through a link."""
    path = Path(os.path.abspath(opened.file))
    if folder is None or path.parent != Path(os.path.abspath(folder)) or not is_own_folder(folder):
        return False
    try:
        there = os.lstat(path)
    except (OSError, ValueError):
        return False
    is_same = os.path.samestat(there, opened.status)
    return is_same and stat.S_ISREG(there.st_mode) and _is_mine(there) and not _lets_others_write(there)


def make_own_folder(folder: Path) -> None:
    """Deny other users access, and correct what an earlier version made. Raises an OSError when that fails, or when it
    belongs to somebody else."""
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode) or not _is_mine(status):
        raise PermissionError(None, "it belongs to another user", str(folder))
    close_to_others(folder)


def close_to_others(folder: Path) -> None:
    """Deny other users access to one of our folders and the files in it."""
    with suppress(OSError):  # the folder does not exist yet, or a file has just gone
        _close(folder, os.lstat(folder), PRIVATE_FOLDER)
        for entry in os.scandir(folder):
            with suppress(OSError):
                _close(Path(entry.path), entry.stat(follow_symlinks=False), PRIVATE_FILE)


def _close(path: Path, status: os.stat_result, mode: int) -> None:
    is_wanted = stat.S_ISDIR(status.st_mode) if mode == PRIVATE_FOLDER else stat.S_ISREG(status.st_mode)
    if is_wanted and _is_mine(status) and stat.S_IMODE(status.st_mode) & ~mode:
        path.chmod(mode)


def _is_mine(status: os.stat_result) -> bool:
    # Windows protects the profile's folders itself, and has no such permission bits.
    return sys.platform == "win32" or status.st_uid == os.geteuid()


def _lets_others_write(status: os.stat_result) -> bool:
    return False if sys.platform == "win32" else bool(status.st_mode & _OTHERS_WRITE)
