"""Which project files are open in a window: a second one that opens the same file is told.

A lock in the user's state folder, named after the file, stands for it. Nothing is written beside the project, which may
lie in a folder of somebody else. The lock of a process that crashed counts no more.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QLockFile

from editor.project.owned_files import make_own_folder


class ProjectClaim:
    """The claim of one window, on at most one file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: Path | None = None
        self._lock: QLockFile | None = None

    def take(self, file: Path | None) -> bool:
        """Claim a file, or none, in place of the one before; False when another window has it.

        Where no locks can be made, nobody can be asked, and nobody is told."""
        wanted = None if file is None else Path(os.path.realpath(file))
        if wanted == self._file and (wanted is None or self._lock is not None):
            return True
        self.release()
        self._file = wanted
        if wanted is None:
            return True
        with suppress(OSError):
            make_own_folder(self._folder)
        lock = QLockFile(str(self._folder / f"{_key(wanted)}.lock"))
        lock.setStaleLockTime(0)  # a living process keeps it, however long
        if lock.tryLock(0):
            self._lock = lock
            return True
        return lock.error() is not QLockFile.LockError.LockFailedError

    def release(self) -> None:
        self._file = None
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None


def _key(file: Path) -> str:
    return hashlib.blake2b(os.path.normcase(file).encode(errors="surrogatepass"), digest_size=16).hexdigest()
