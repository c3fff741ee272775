"""What a user names, and opening it when it is a world: the demo world, or whatever a path leads to.

What a file is, its content says, not its name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from editor.process.demo_name import DEMO as DEMO
from engine.files.errors import FileError
from engine.files.reading import is_regular, read_head
from engine.sim.recording_file import MAGIC as RECORDING_MAGIC
from engine.world.faults import WorldError
from engine.world.loader import open_world
from engine.world.loader.json_form import read_json
from engine.world.loader.portal_scene import SCENES_KEY
from engine.world.loader.source_detection import DAT_SUFFIX
from engine.world.world import World

HEAD: Final = 4096
"""Bytes of a file that are looked at first."""
CAPTURE_KEYS: Final = re.compile(rb'"(timestampMs|bodyBefore|currentPos)"\s*:')
"""In the first line of a capture (physics.md 12.1), however much of it is there."""
ENTITIES_KEY: Final = "entities"
PROJECT_BEGIN: Final = b'"cellar_door_project"'
PROJECT_HEAD: Final = 64
PROJECT_SUFFIX: Final = ".cellardoor"
BLANK: Final = b" \t\r\n\xef\xbb\xbf"


class Content(Enum):
    """What can be opened. Whoever brings a kind of file of his own adds it here, to `_content_of_file`, and to
    `editor.session.loading.READERS`."""

    WORLD = "world"
    RECORDING = "recording"
    CAPTURE = "capture"
    PROJECT = "project"


@dataclass(frozen=True)
class Found:
    """What lies at a path. `source` is what is to be opened for it, the folder of a file that is a part of one;
    `scenes` are the names to choose from when there are several."""

    content: Content
    source: str
    scenes: tuple[str, ...] = ()


def is_capture(source: str) -> bool:
    """Whether a path leads to a capture, which takes nothing away that is open."""
    try:
        head = read_head(source, HEAD)
    except FileError:
        return False
    return _is_capture(head.lstrip(BLANK))


def _is_capture(begin: bytes) -> bool:
    return begin.startswith(b"{") and CAPTURE_KEYS.search(begin.partition(b"\n")[0]) is not None


def look_at(source: str) -> Found:
    """What a user's path leads to; a WorldError when nothing can be made of it."""
    if source == DEMO or not is_regular(source):
        return Found(Content.WORLD, source)
    try:
        head = read_head(source, HEAD)
    except FileError as error:
        raise WorldError(error.reason, source) from error
    return _content_of_file(Path(source), head)


def _content_of_file(path: Path, head: bytes) -> Found:
    source = str(path)
    if not head:
        raise WorldError("is empty", source)
    if head.startswith(RECORDING_MAGIC):
        return Found(Content.RECORDING, source)
    if PROJECT_BEGIN in head[:PROJECT_HEAD] or path.suffix.lower() == PROJECT_SUFFIX:
        return Found(Content.PROJECT, source)
    if path.suffix.lower() == DAT_SUFFIX:
        return Found(Content.WORLD, str(path.parent))
    begin = head.lstrip(BLANK)
    if not begin.startswith(b"{"):
        raise WorldError("is none of the files that can be opened here", source)
    if _is_capture(begin):
        return Found(Content.CAPTURE, source)
    root = read_json(path)
    if root.has(SCENES_KEY):
        names = tuple(map(str, root.field(SCENES_KEY).mapping()))
        return Found(Content.WORLD, source, names if len(names) > 1 else ())
    if root.has(ENTITIES_KEY) and not root.has("cells"):
        return Found(Content.WORLD, str(path.parent))  # it belongs to the data files beside it
    return Found(Content.WORLD, source)


def open_source(source: str, scene: str | None = None) -> World:
    """The world of a source; the demo world's data files are written first when they are not there yet. `scene` chooses
    from a file of several portal scenes."""
    if source != DEMO:
        return open_world(source, scene=scene)
    if scene is not None:
        raise WorldError(f"the demo world holds no scenes to choose {scene!r} from")
    from engine.build.demo import ensure_demo  # what builds worlds is only loaded for the one that is built

    world = open_world(ensure_demo())
    world.source.name = DEMO  # the folder's own name is a digest
    return world
