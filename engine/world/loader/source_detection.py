"""Opening whatever a path leads to: a data folder, a golden scene, portal scenes, dumps
(ARCHITECTURE.md, promises 6, 7)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from engine.dat.errors import DatError
from engine.dat.ids import DatKind
from engine.files.errors import FileError, why
from engine.files.reading import read_head
from engine.world.faults import WorldError
from engine.world.loader.dat_source import DatSource
from engine.world.loader.dump_source import DumpSource, Placement
from engine.world.loader.entities_file import FILE_NAME as ENTITIES_FILE
from engine.world.loader.json_form import read_json
from engine.world.loader.portal_scene import SCENES_KEY, PortalScenes, PortalSceneSource
from engine.world.loader.scene_source import SceneSource
from engine.world.source import WorldSource
from engine.world.world import World

DAT_SUFFIX: Final = ".dat"
JSON_SUFFIX: Final = ".json"
SHOWN: Final = 8
HEAD: Final = 256
"""Bytes that show whether a file of another name is JSON; there may be blanks before it."""

SCENE_KEYS: Final = ("landblock", "cells")
DUMP_KEYS: Final = ("CellId", "GfxObjId")


def open_world(
    path: str | Path | Sequence[str | Path],
    *,
    placements: Sequence[Placement] = (),
    ground: float | None = None,
    scene: str | None = None,
) -> World:
    """Open the world at `path`; raises a WorldError that says what was found instead.

    A folder with the client's databases, a scene's .json file, a folder of dumps or of folders of dumps; several dump
    folders or files may be given as a list and become one world. `placements` and `ground` are for dumps (see
    `DumpSource`), `scene` chooses from a file of several portal scenes.
    """
    if not isinstance(path, str | Path):
        paths = [_path(part) for part in path]
        names = " + ".join(part.name for part in paths)
        return World(_open_dumps(names, [f for part in paths for f in _dump_files(part)], placements, ground))
    given = _path(path)
    source = _source_at(given, placements, ground, scene)
    if scene is not None and not isinstance(source, PortalSceneSource):
        raise WorldError(f"is a {source.kind} and holds no scenes to choose {scene!r} from", str(given))
    return World(source, given)


def _path(given: str | Path) -> Path:
    """An empty path would mean the working directory, which no user intends."""
    if given == "":
        raise WorldError("the name of the world is empty")
    return Path(given)


def is_read_from(path: Path, file: Path) -> bool:
    """Whether the world at `path` is read from a file, by whatever name, or would be if that were there; of a path that
    is a file of anything else, whether it is that."""
    if _is_same(path, file):
        return True
    folder = path.parent if path.suffix.lower() == DAT_SUFFIX else path
    if not folder.is_dir():
        return False
    target = Path(os.path.realpath(file))
    near = (target.parent, target.parent.parent) if _is_dump_name(target.name) else (target.parent,)
    if _is_read_name(target.name) and any(_is_same(folder, each) for each in near):
        return True
    return target.exists() and any(_is_same(entry, target) for entry in _read_files(folder))


def _read_files(folder: Path) -> Iterable[Path]:
    names = _names_in(folder)
    if any(name.lower().endswith(DAT_SUFFIX) for name in names):
        return [folder / name for name in names if _is_read_name(name)]
    return _dump_files(folder)


def _is_read_name(name: str) -> bool:
    """Any .dat file makes a folder one of data."""
    return name.lower().endswith(DAT_SUFFIX) or name.lower() == ENTITIES_FILE or _is_dump_name(name)


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # one of them is not there
        return False


def _source_at(path: Path, placements: Sequence[Placement], ground: float | None, scene: str | None) -> WorldSource:
    if not _is_there(path):
        raise WorldError("there is no such file or folder", str(path))
    if path.is_file():
        return _source_of_file(path, placements, ground, scene)
    if not path.is_dir():
        raise WorldError("is neither a file nor a folder", str(path))
    names = _names_in(path)
    databases = {kind.file_name.lower() for kind in DatKind}
    if any(name.lower() in databases or name.lower().endswith(DAT_SUFFIX) for name in names):
        return _open_dat(path)
    files = _dump_files(path)
    if files:
        return _open_dumps(path.resolve().name, files, placements, ground)
    scenes = [name for name in names if name.lower().endswith(JSON_SUFFIX)]
    wanted = ", ".join(kind.file_name for kind in (DatKind.PORTAL, DatKind.CELL))
    if scenes:
        raise WorldError(f"no {wanted} and no dumps here; a scene is opened by its file: {_shown(scenes)}", str(path))
    raise WorldError(f"neither {wanted} nor dumps (0x*.json) here; the folder holds {_shown(names)}", str(path))


def _source_of_file(
    path: Path, placements: Sequence[Placement], ground: float | None, scene: str | None
) -> WorldSource:
    if path.suffix.lower() == DAT_SUFFIX:
        return _open_dat(path.parent)
    if path.suffix.lower() != JSON_SUFFIX and not _begins_as_json(path):
        raise WorldError("is neither a folder nor a .json or .dat file", str(path))
    root = read_json(path)
    if any(root.has(key) for key in DUMP_KEYS):
        return _open_dumps(path.name, [path], placements, ground)
    if root.has(SCENES_KEY):
        return PortalScenes(root).source(scene)
    if all(root.has(key) for key in SCENE_KEYS):
        return SceneSource(root)
    missing = " and ".join(key for key in SCENE_KEYS if not root.has(key))
    raise root.error(f"is no scene (it has no {missing}) and no dump (no {' or '.join(DUMP_KEYS)})")


def _begins_as_json(path: Path) -> bool:
    try:
        return read_head(path, HEAD).lstrip().startswith(b"{")
    except FileError as error:
        raise WorldError(error.reason, str(path)) from error


def _open_dat(folder: Path) -> DatSource:
    try:
        return DatSource.open(folder)
    except DatError as error:
        raise WorldError(str(error)) from error


def _open_dumps(name: str, files: Sequence[Path], placements: Sequence[Placement], ground: float | None) -> DumpSource:
    if not files:
        raise WorldError("there are no dumps (0x*.json)", name)
    return DumpSource(name, files, placements, ground)


def _dump_files(path: Path) -> list[Path]:
    """The dumps in a folder and in its sub-folders, in the order of their names."""
    if not _is_there(path):
        raise WorldError("there is no such file or folder", str(path))
    if path.is_file():
        return [path]
    found: list[Path] = []
    for name in _names_in(path):
        entry = path / name
        if entry.is_dir():
            found.extend(entry / inner for inner in _names_in(entry) if _is_dump_name(inner))
        elif _is_dump_name(name):
            found.append(entry)
    return found


def _is_dump_name(name: str) -> bool:
    """0xA9B40143.json or 0x01000A2B.gfxobj.json; not a .setup.json, which no world needs yet."""
    stem, _, rest = name.lower().partition(".")
    digits = stem.removeprefix("0x")
    return rest in ("json", "gfxobj.json") and stem != digits and all(digit in "0123456789abcdef" for digit in digits)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError) as error:  # a name too long, or one with a zero byte
        raise WorldError(f"cannot be looked for: {why(error)}", repr(str(path))) from error


def _names_in(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except OSError as error:
        raise WorldError(f"cannot be listed: {error.strerror or error}", str(folder)) from error


def _shown(names: Iterable[str]) -> str:
    ordered = list(names)
    if not ordered:
        return "nothing"
    more = len(ordered) - SHOWN
    return ", ".join(ordered[:SHOWN]) + (f" and {more} more" if more > 0 else "")
