"""The kinds of sources that a world is opened from, in one table: how each is recognised and how it is opened.

The file dialog, the errors about paths that cannot be opened, and `docs/opening.md` follow this table. A new kind is a
module with its `WorldSource`, an entry in `SOURCE_KINDS`, and a line in that page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.dat.errors import DatError
from engine.dat.ids import DatKind
from engine.files.errors import FileError, why
from engine.files.kinds import REPRODUCTION, WORLD_JSON, FileKind
from engine.files.reading import FileLook
from engine.world.faults import WorldError
from engine.world.loader.dat_source import DatSource
from engine.world.loader.dump_source import DumpSource, Placement
from engine.world.loader.entities_file import FILE_NAME as ENTITIES_FILE
from engine.world.loader.json_form import JsonNode, parse_json
from engine.world.loader.portal_scene import SCENES_KEY, PortalScenes
from engine.world.loader.reproduction.heading import is_reproduction
from engine.world.loader.scene_source import SceneSource
from engine.world.source import WorldSource

DAT_SUFFIX: Final = ".dat"
JSON_SUFFIX: Final = ".json"
SHOWN: Final = 8
"""File names that an error about a folder lists."""

HEAD: Final = 4096
"""Bytes at the beginning of a file that are enough to detect its type."""
BLANK: Final = b" \t\r\n\xef\xbb\xbf"
"""Bytes that may precede the brace of a JSON object; the last three are the byte order mark of UTF-8."""

SCENE_KEYS: Final = ("landblock", "cells")
DUMP_KEYS: Final = ("CellId", "GfxObjId")


class SourcePath:
    """The content of a path, read at most once however many kinds ask: the names in a folder, or the head, the content
    and the JSON of a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_folder = path.is_dir()
        if not self.is_folder and not path.is_file():
            raise WorldError("is neither a file nor a folder", str(path))
        self.names = names_in(path) if self.is_folder else []
        self._look: FileLook | None = None
        self._root: JsonNode | None = None

    @property
    def look(self) -> FileLook:
        """The open file."""
        if self._look is None:
            try:
                self._look = FileLook(self.path, HEAD)
            except FileError as error:
                raise WorldError(error.reason, str(self.path)) from error
        return self._look

    @property
    def begin(self) -> bytes:
        """The head of the file without leading blanks; empty for a folder."""
        return b"" if self.is_folder else self.look.head.lstrip(BLANK)

    def content(self, kind: FileKind) -> bytes:
        """All bytes of the file."""
        try:
            return self.look.content(kind)
        except FileError as error:
            raise WorldError(error.reason, str(self.path)) from error

    @property
    def is_json(self) -> bool:
        """Whether it is a file with a JSON name, or with content that looks like a JSON object."""
        return not self.is_folder and (self.path.suffix.lower() == JSON_SUFFIX or self.begin.startswith(b"{"))

    def root(self) -> JsonNode:
        """The file as JSON; raises a WorldError when it is not JSON."""
        if self._root is None:
            self._root = parse_json(self.content(WORLD_JSON), str(self.path))
        return self._root

    def has(self, key: str) -> bool:
        """Whether it is a file with a JSON object that has this key."""
        return self.is_json and self.root().has(key)


@dataclass(frozen=True)
class OpenOptions:
    """Options beside the path: `placements` and `ground` for dumps (see `DumpSource`), and the scene to choose from a
    file of several."""

    placements: Sequence[Placement] = ()
    ground: float | None = None
    scene: str | None = None


@dataclass(frozen=True)
class SourceKind:
    """A kind of source. In errors, `signs` describes what a path of this kind contains; `patterns` are its file names
    in a dialog, none for a folder."""

    name: str
    signs: str
    recognises: Callable[[SourcePath], bool]
    open: Callable[[SourcePath, OpenOptions], WorldSource]
    patterns: tuple[str, ...] = ()
    scenes: Callable[[SourcePath], tuple[str, ...]] | None = None
    """The names of the scenes in a file that may have several."""
    is_part_of_folder: bool = False
    """Whether the source is the folder that the file is in."""

    def __str__(self) -> str:
        return f"{self.name} ({self.signs})"


def names_in(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except OSError as error:
        raise WorldError(f"cannot be listed: {error.strerror or error}", str(folder)) from error


def is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError) as error:  # a name too long, or one with a zero byte
        raise WorldError(f"cannot be looked for: {why(error)}", repr(str(path))) from error


# --- data files


def has_databases(names: Iterable[str]) -> bool:
    """Any .dat file makes a folder a data folder."""
    return any(name.lower().endswith(DAT_SUFFIX) for name in names)


def _open_dat(folder: Path) -> DatSource:
    try:
        return DatSource.open(folder)
    except DatError as error:
        raise WorldError(str(error)) from error


# --- dumps


def dump_files(path: Path, names: Sequence[str] | None = None) -> list[Path]:
    """The dumps in a folder and in its sub-folders, in the order of their names."""
    if not is_there(path):
        raise WorldError("there is no such file or folder", str(path))
    if path.is_file():
        return [path]
    found: list[Path] = []
    for name in names_in(path) if names is None else names:
        entry = path / name
        if entry.is_dir():
            found.extend(entry / inner for inner in names_in(entry) if is_dump_name(inner))
        elif is_dump_name(name):
            found.append(entry)
    return found


def is_dump_name(name: str) -> bool:
    """0xA9B40143.json or 0x01000A2B.gfxobj.json; not a .setup.json, which no world needs yet."""
    stem, _, rest = name.lower().partition(".")
    digits = stem.removeprefix("0x")
    return rest in ("json", "gfxobj.json") and stem != digits and all(digit in "0123456789abcdef" for digit in digits)


def open_dumps(name: str, files: Sequence[Path], options: OpenOptions, root: JsonNode | None = None) -> DumpSource:
    """`root` is the content of the only file, if it was read to detect its type."""
    if not files:
        raise WorldError("there are no dumps (0x*.json)", name)
    read = {} if root is None else {files[0]: root}
    return DumpSource(name, files, options.placements, options.ground, read)


def _open_dump_folder(at: SourcePath, options: OpenOptions) -> WorldSource:
    return open_dumps(at.path.resolve().name, dump_files(at.path, at.names), options)


# --- scenes


def _scene_names(at: SourcePath) -> tuple[str, ...]:
    return tuple(map(str, at.root().field(SCENES_KEY).mapping()))


# --- reproductions


def _open_reproduction(at: SourcePath, options: OpenOptions) -> WorldSource:
    from engine.world.loader.reproduction.form import parse_reproduction  # only for those who have one
    from engine.world.loader.reproduction.source import source_of

    return source_of(parse_reproduction(at.content(REPRODUCTION), str(at.path)), str(at.path))


SOURCE_KINDS: list[SourceKind] = [
    SourceKind(
        "data folder",
        f"{DatKind.PORTAL.file_name}, {DatKind.CELL.file_name}",
        lambda at: at.is_folder and has_databases(at.names),
        lambda at, options: _open_dat(at.path),
    ),
    SourceKind(
        "folder of dumps",
        "0x*.json",
        lambda at: at.is_folder and bool(dump_files(at.path, at.names)),
        _open_dump_folder,
    ),
    SourceKind(
        "database file",
        "*.dat",
        lambda at: not at.is_folder and at.path.suffix.lower() == DAT_SUFFIX,
        lambda at, options: _open_dat(at.path.parent),
        patterns=("*.dat",),
        is_part_of_folder=True,
    ),
    SourceKind(
        "entities file",
        ENTITIES_FILE,
        lambda at: not at.is_folder and at.path.name.lower() == ENTITIES_FILE,
        lambda at, options: _open_dat(at.path.parent),
        patterns=("*.json",),
        is_part_of_folder=True,
    ),
    SourceKind(
        "reproduction",
        "a text that begins with Cellar Door reproduction",
        lambda at: not at.is_folder and is_reproduction(at.look.head),
        _open_reproduction,
        patterns=("*.cdrepro",),
    ),
    SourceKind(
        "dump",
        " or ".join(DUMP_KEYS),
        lambda at: any(at.has(key) for key in DUMP_KEYS),
        lambda at, options: open_dumps(at.path.name, [at.path], options, at.root()),
        patterns=("*.json",),
    ),
    SourceKind(
        "file of portal scenes",
        SCENES_KEY,
        lambda at: at.has(SCENES_KEY),
        lambda at, options: PortalScenes(at.root()).source(options.scene),
        patterns=("*.json",),
        scenes=_scene_names,
    ),
    SourceKind(
        "scene",
        " and ".join(SCENE_KEYS),
        lambda at: all(at.has(key) for key in SCENE_KEYS),
        lambda at, options: SceneSource(at.root()),
        patterns=("*.json",),
    ),
]
"""The first kind that recognises a path opens it."""


def kind_of(at: SourcePath) -> SourceKind:
    """The kind of the content at a path; raises a WorldError that says what was found instead."""
    for kind in SOURCE_KINDS:
        if kind.recognises(at):
            return kind
    raise _unrecognised(at)


def _unrecognised(at: SourcePath) -> WorldError:
    file = str(at.path)
    if at.is_folder:
        signs = " nor ".join(f"a {kind}" for kind in SOURCE_KINDS if not kind.patterns)
        scenes = [name for name in at.names if name.lower().endswith(JSON_SUFFIX)]
        if scenes:
            return WorldError(f"is neither {signs}; a scene is opened by its file: {_shown(scenes)}", file)
        return WorldError(f"is neither {signs}; the folder holds {_shown(at.names)}", file)
    if at.is_json:
        kinds = [str(kind) for kind in SOURCE_KINDS if "*.json" in kind.patterns]
        return WorldError(f"holds no world: none of {', '.join(kinds[:-1])} or {kinds[-1]}", file)
    if not at.begin and not at.look.head:
        return WorldError("is empty", file)
    return WorldError(f"has an unknown format; files that can be opened are {' '.join(patterns())}", file)


def patterns() -> list[str]:
    """The file name patterns of all kinds, each once."""
    return list(dict.fromkeys(pattern for kind in SOURCE_KINDS for pattern in kind.patterns))


def _shown(names: Iterable[str]) -> str:
    ordered = list(names)
    if not ordered:
        return "nothing"
    more = len(ordered) - SHOWN
    return ", ".join(ordered[:SHOWN]) + (f" and {more} more" if more > 0 else "")
