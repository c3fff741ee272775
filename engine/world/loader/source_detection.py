"""Detects and opens the world at a path (ARCHITECTURE.md, promises 6, 7); `source_kinds` has the kinds of sources."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from engine.world.faults import WorldError
from engine.world.loader.dump_source import Placement
from engine.world.loader.entities_file import FILE_NAME as ENTITIES_FILE
from engine.world.loader.source_kinds import (
    DAT_SUFFIX,
    OpenOptions,
    SourcePath,
    dump_files,
    has_databases,
    is_dump_name,
    is_there,
    kind_of,
    names_in,
    open_dumps,
)
from engine.world.world import World

SQL_SUFFIX: Final = ".sql"


def open_world(
    path: str | Path | Sequence[str | Path] | SourcePath,
    *,
    placements: Sequence[Placement] = (),
    ground: float | None = None,
    scene: str | None = None,
) -> World:
    """Open the world at `path`; raise a WorldError that says what was found instead.

    A `SourcePath` that was detected before is not read again. Several dump folders or files may be given as a list and
    become one world. `placements` and `ground` are for dumps (see `DumpSource`), `scene` chooses from a file of several
    portal scenes.
    """
    options = OpenOptions(placements, ground, scene)
    if isinstance(path, Sequence) and not isinstance(path, str):
        paths = [_path(part) for part in path]
        names = " + ".join(part.name for part in paths)
        return World(open_dumps(names, [file for part in paths for file in dump_files(part)], options))
    at = path if isinstance(path, SourcePath) else look_at_path(path)
    kind = kind_of(at)
    if scene is not None and kind.scenes is None:
        raise WorldError(f"is a {kind.name} and holds no scenes to choose {scene!r} from", str(at.path))
    return World(kind.open(at, options), at.path)


def look_at_path(given: str | Path) -> SourcePath:
    """The `SourcePath` for detecting and opening the content of a path; raises a WorldError when nothing exists
    there."""
    path = _path(given)
    if not is_there(path):
        raise WorldError("there is no such file or folder", str(path))
    return SourcePath(path)


def _path(given: str | Path) -> Path:
    """An empty path would mean the working directory, which no user intends."""
    if given == "":
        raise WorldError("the name of the world is empty")
    return Path(given)


def is_read_from(path: Path, file: Path) -> bool:
    """Whether the world at `path` reads, or would read, a file, by any of its names. A path that leads to any other
    kind of file is only compared with it."""
    if _is_same(path, file):
        return True
    folder = path.parent if path.suffix.lower() == DAT_SUFFIX else path
    if not folder.is_dir():
        return False
    target = Path(os.path.realpath(file))
    if target.suffix.lower() == SQL_SUFFIX and Path(os.path.realpath(folder)) in target.parents and target.exists():
        return True  # server data is read from folders at any depth
    near = (target.parent, target.parent.parent) if is_dump_name(target.name) else (target.parent,)
    if _is_read_name(target.name) and any(_is_same(folder, each) for each in near):
        return True
    return target.exists() and any(_is_same(entry, target) for entry in _read_files(folder))


def _read_files(folder: Path) -> Iterable[Path]:
    names = names_in(folder)
    if has_databases(names):
        return [folder / name for name in names if _is_read_name(name)]
    return dump_files(folder)


def _is_read_name(name: str) -> bool:
    """Any .dat file makes a folder a data folder."""
    return name.lower().endswith(DAT_SUFFIX) or name.lower() == ENTITIES_FILE or is_dump_name(name)


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # one of them does not exist
        return False
