"""The files that commands write their answers to: refused in one sentence before the work begins, never one that is
read, and written as a whole or not at all (design.md, promise 7)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from editor.opening import DEMO
from engine.dat.atomic import write_errors, write_whole
from engine.world.faults import WorldError
from engine.world.loader.opening import source_files


def output_file(name: str | Path, read: Iterable[str | Path] = ()) -> Path:
    """The path of a file that is to be written, if that can be and takes nothing away of what is `read`: files, and
    sources of worlds."""
    path = Path(name)
    try:
        reason = _why_not(path, read)
    except OSError as error:  # a name too long
        reason = f"can not be written: {error.strerror or error}"
    if reason:
        raise WorldError(reason, str(path))
    return path


def _why_not(path: Path, read: Iterable[str | Path]) -> str:
    folder = path.parent
    if path.is_dir():
        return "can not be written: it is a folder"
    if not folder.is_dir():
        return f"can not be written: there is no folder {folder}"
    if not path.exists():
        return "" if os.access(folder, os.W_OK) else f"can not be written: {folder} lets nobody add a file"
    if not os.access(path, os.W_OK):
        return "can not be written: that is not allowed"
    for given in read:
        if str(given) != DEMO and any(each.exists() and path.samefile(each) for each in source_files(Path(given))):
            return "is one of the files that are read; name another one to write to"
    return ""


def write_output(path: Path, data: bytes) -> None:
    """All of a file, or nothing. What is no file, the standard output or a pipe, takes it as it comes."""
    if path.exists() and not path.is_file():
        with write_errors(path):
            path.write_bytes(data)
        return
    write_whole(path, data)
