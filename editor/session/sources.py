"""What a user opens: the demo world, the path of a world, or a file that was made in one.

The type is detected from the content, not from the name. The content is read once: `Found` passes it on to the code
that opens it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from editor.process.demo_name import DEMO as DEMO
from editor.session.jpeg import decode_jpeg
from editor.session.server_choice import ServerChoice, furnish
from engine.files.errors import FileError
from engine.files.reading import read_head
from engine.sim.recording_file import MAGIC as RECORDING_MAGIC
from engine.world.faults import WorldError
from engine.world.loader import open_world
from engine.world.loader.reproduction.heading import is_reproduction
from engine.world.loader.source_detection import look_at_path
from engine.world.loader.source_kinds import BLANK, HEAD, SOURCE_KINDS, SourcePath, kind_of
from engine.world.server.look import server_look
from engine.world.world import World

if TYPE_CHECKING:
    from engine.world.server.model import Told

CAPTURE_KEYS: Final = re.compile(rb'"(timestampMs|bodyBefore|currentPos)"\s*:')
"""Part of the first line of a capture (physics.md 12.1), however much of it was read."""
PROJECT_BEGIN: Final = b'"cellar_door_project"'
PROJECT_HEAD: Final = 64
PROJECT_SUFFIX: Final = ".cellardoor"


class Content(Enum):
    """The contents that can be opened; `editor.session.loading.READERS` has the function for each."""

    WORLD = "world"
    RECORDING = "recording"
    CAPTURE = "capture"
    PROJECT = "project"
    REPRODUCTION = "reproduction"
    SERVER_DATA = "server's data"


@dataclass(frozen=True)
class FileOfWorld:
    """A kind of file that was made in a world, and names, needs or holds that world."""

    content: Content
    pattern: str
    recognises: Callable[[SourcePath], bool]


def _is_recording(at: SourcePath) -> bool:
    return at.look.head.startswith(RECORDING_MAGIC)


def _is_reproduction(at: SourcePath) -> bool:
    return is_reproduction(at.look.head)


def _is_project(at: SourcePath) -> bool:
    return PROJECT_BEGIN in at.look.head[:PROJECT_HEAD] or at.path.suffix.lower() == PROJECT_SUFFIX


def _is_capture(at: SourcePath) -> bool:
    return _begins_capture(at.begin)


def _begins_capture(begin: bytes) -> bool:
    return begin.startswith(b"{") and CAPTURE_KEYS.search(begin.partition(b"\n")[0]) is not None


FILES_OF_WORLDS: Final = (
    FileOfWorld(Content.RECORDING, "*.cdrec", _is_recording),
    FileOfWorld(Content.REPRODUCTION, "*.cdrepro", _is_reproduction),
    FileOfWorld(Content.PROJECT, f"*{PROJECT_SUFFIX}", _is_project),
    FileOfWorld(Content.CAPTURE, "*.jsonl", _is_capture),
)
"""Checked before the kinds of worlds (`engine.world.loader.source_kinds`)."""


@dataclass(frozen=True)
class Found:
    """The content at a path. `source` is the path to open, which is the folder for a file that is part of one; `scenes`
    are the names to choose from when there are several; `at` has the content that was read, if any."""

    content: Content
    source: str
    scenes: tuple[str, ...] = ()
    at: SourcePath | None = field(default=None, compare=False, repr=False)

    @property
    def file(self) -> SourcePath:
        """The file whose content was read."""
        if self.at is None:
            raise AssertionError("only a world can be opened from something other than a file")
        return self.at


def is_capture(source: str) -> bool:
    """Whether a path leads to a capture, which does not replace the open world."""
    try:
        return _begins_capture(read_head(source, HEAD).lstrip(BLANK))
    except FileError:
        return False


def look_at(source: str) -> Found:
    """Detect what a path leads to; a WorldError when it cannot be opened."""
    if source == DEMO:
        return Found(Content.WORLD, source)
    at = look_at_path(source)
    if not at.is_folder:
        if not at.look.head:
            raise WorldError("is empty", source)
        for made in FILES_OF_WORLDS:
            if made.recognises(at):
                return Found(made.content, source, at=at)
    try:
        kind = kind_of(at)
    except WorldError:
        if not server_look(at.path):
            raise
        return Found(Content.SERVER_DATA, source)
    if kind.is_part_of_folder:
        return Found(Content.WORLD, str(Path(source).parent))
    names = () if kind.scenes is None else kind.scenes(at)
    return Found(Content.WORLD, source, names if len(names) > 1 else (), at)


def open_found(
    found: Found, scene: str | None = None, server: ServerChoice | None = None, told: Told | None = None
) -> World:
    """Open the detected world without reading its file again; `told` hears of the progress of its server data."""
    if found.content not in (Content.WORLD, Content.REPRODUCTION):  # a reproduction holds one
        raise WorldError(f"is a {found.content.value}, not a world", found.source)
    if found.at is None:
        return open_source(found.source, scene, server, told)
    return furnish(_with_pictures(open_world(found.at, scene=scene)), server, told)


def open_source(
    source: str, scene: str | None = None, server: ServerChoice | None = None, told: Told | None = None
) -> World:
    """Open the world of a source, with a server's data if any is chosen for it; the demo world's data files are written
    first if they do not exist. `scene` chooses from a file of several portal scenes."""
    return furnish(_open_source(source, scene), server, told)


def _open_source(source: str, scene: str | None) -> World:
    if source != DEMO:
        try:
            return _with_pictures(open_world(source, scene=scene))
        except WorldError as error:
            what = server_look(Path(source))
            if not what:
                raise
            raise WorldError(f"is {what}, not a world; name it with --server-data beside one", source) from error
    if scene is not None:
        raise WorldError(f"the demo world holds no scenes to choose {scene!r} from")
    from engine.build.demo import ensure_demo  # only the demo world needs the build package

    world = _with_pictures(open_world(ensure_demo()))
    world.source.name = DEMO  # the folder's own name is a digest
    return world


def _with_pictures(world: World) -> World:
    world.source.jpeg = decode_jpeg
    return world


def file_patterns() -> list[str]:
    """The name patterns of all files that can be opened, for a dialog."""
    of_worlds = [pattern for kind in SOURCE_KINDS for pattern in kind.patterns]
    return list(dict.fromkeys([*of_worlds, *(made.pattern for made in FILES_OF_WORLDS)]))
