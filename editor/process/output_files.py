"""Checks the files that commands and the window write: refuses bad ones in one sentence before the work begins, and
every file that is being read (ARCHITECTURE.md, promise 7)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from editor.process.demo_name import DEMO
from engine.files.errors import why
from engine.world.faults import WorldError
from engine.world.loader.source_detection import is_read_from

UNWRITTEN: Final = "cannot be written: "
"""The start of most reasons."""
LONGEST_NAME: Final = 255
"""UTF-16 units of a name on Windows' file systems."""
FORBIDDEN: Final = '<>:"|?*'
"""Letters that Windows' file systems allow in no name."""


def output_file(name: str | Path, read: Iterable[str | Path] = ()) -> Path:
    """The path of a file to write. Raises a WorldError if it is not writable or is one of `read`, which are files and
    sources of worlds."""
    path = Path(name)
    try:
        reason = _why_not(path, read)
    except (OSError, ValueError) as error:  # a name too long, or one with a zero byte
        reason = f"{UNWRITTEN}{why(error)}"
    if reason:
        raise WorldError(reason, str(path))
    return path


def _is_windows_name(name: str) -> bool:
    """Of a name that cannot be, Windows says only that there is no such file."""
    length = len(name.encode("utf-16-le", "surrogatepass")) // 2
    return length <= LONGEST_NAME and not any(letter in FORBIDDEN or letter < " " for letter in name)


def bare(reason: str) -> str:
    """A reason without "cannot be written", for a sentence that has it already: `x was not saved: …`."""
    return f"it {reason}" if reason.startswith("is ") else reason.removeprefix(UNWRITTEN)


def _why_not(path: Path, read: Iterable[str | Path]) -> str:
    folder = path.parent
    if path.is_dir():
        return "cannot be written: it is a folder"
    if sys.platform == "win32" and not _is_windows_name(path.name):
        return "cannot be written: Windows allows no such name"
    if not folder.is_dir():
        return f"cannot be written: there is no folder {folder}"
    if any(str(given) != DEMO and is_read_from(Path(given), path) for given in read):
        return "is one of the files that are read; name another one to write to"
    if not path.exists():
        return "" if os.access(folder, os.W_OK) else f"cannot be written: {folder} does not allow new files"
    return "" if os.access(path, os.W_OK) else "cannot be written: that is not allowed"
