"""How the world of a reproduction is kept: as records of data files, or as the JSON files of any other source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.files.errors import FileError
from engine.files.kinds import REPRODUCTION, WORLD_JSON
from engine.files.reading import read_file
from engine.world.faults import WorldError
from engine.world.loader.dump_source import Placement
from engine.world.loader.reproduction.content import DUMPS, PORTAL_SCENES, RECORDS, SCENE
from engine.world.loader.reproduction.form import parse_reproduction
from engine.world.loader.source_detection import look_at_path
from engine.world.loader.source_kinds import dump_files, kind_of

SCENE_FILE: Final = "scene.json"
_FORMS: Final = {"scene": SCENE, "file of portal scenes": PORTAL_SCENES}


@dataclass(frozen=True)
class Origin:
    """The form, the name of the world's folder or file, the JSON files of the forms that have such, and how they were
    opened."""

    form: str
    name: str = ""
    files: tuple[tuple[str, bytes], ...] = ()
    scene: str = ""
    ground: float | None = None
    placements: tuple[Placement, ...] = ()


def origin_of(
    sources: Sequence[str],
    scene: str | None = None,
    ground: float | None = None,
    placements: Sequence[Placement] = (),
) -> Origin:
    """The origin of the world at a path, or of several folders of dumps that are opened as one."""
    name = " + ".join(Path(source).resolve().name for source in sources)
    at = look_at_path(sources[0])
    kind = kind_of(at).name
    if kind == "reproduction":
        content = parse_reproduction(at.content(REPRODUCTION), sources[0])
        head = content.head
        return Origin(head.form, name, tuple(content.files), head.scene, head.ground, tuple(head.placements))
    if kind in _FORMS:
        return Origin(_FORMS[kind], name, ((SCENE_FILE, at.content(WORLD_JSON)),), scene or "")
    if kind in ("dump", "folder of dumps"):
        files: dict[str, bytes] = {}
        for file in (file for source in sources for file in dump_files(Path(source))):
            if file.name not in files:  # of two dumps of one thing the first counts
                files[file.name] = _content(file)
        return Origin(DUMPS, name, tuple(files.items()), "", ground, tuple(placements))
    return Origin(RECORDS, name)


def _content(file: Path) -> bytes:
    try:
        return read_file(file, WORLD_JSON)
    except FileError as error:
        raise WorldError(error.reason, str(file)) from error
