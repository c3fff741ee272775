"""Which files are ours alone: those that the user's own program has put into a folder that nobody else can write to.

What a project says of itself, where its file is for one, is believed of such a file only. Anybody may send one that
says it is somebody else's.
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
    """A folder, not a link to one, that belongs to whoever runs the program and that nobody else can write to."""
    try:
        status = os.lstat(folder)
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(status.st_mode) and _is_mine(status) and not _lets_others_write(status)


def is_own_file(opened: RegularFile, folder: Path | None) -> bool:
    """Whether what was opened is a file of ours in that folder of ours: by its very name there, not by a link."""
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
    """Make it so that nobody else can look into it, and correct what an earlier version made. An OSError when it can
    not be, or belongs to somebody else."""
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode) or not _is_mine(status):
        raise PermissionError(None, "it belongs to somebody else", str(folder))
    close_to_others(folder)


def close_to_others(folder: Path) -> None:
    """Take from others what they may do in a folder of ours and with the files in it."""
    with suppress(OSError):  # it is not there yet, or a file has just gone
        _close(folder, os.lstat(folder), PRIVATE_FOLDER)
        for entry in os.scandir(folder):
            with suppress(OSError):
                _close(Path(entry.path), entry.stat(follow_symlinks=False), PRIVATE_FILE)


def _close(path: Path, status: os.stat_result, mode: int) -> None:
    is_wanted = stat.S_ISDIR(status.st_mode) if mode == PRIVATE_FOLDER else stat.S_ISREG(status.st_mode)
    if is_wanted and _is_mine(status) and stat.S_IMODE(status.st_mode) & ~mode:
        path.chmod(mode)


def _is_mine(status: os.stat_result) -> bool:
    # Windows keeps the profile's folders from others itself, and knows no such numbers.
    return True if sys.platform == "win32" else status.st_uid == os.geteuid()


def _lets_others_write(status: os.stat_result) -> bool:
    return False if sys.platform == "win32" else bool(status.st_mode & _OTHERS_WRITE)
