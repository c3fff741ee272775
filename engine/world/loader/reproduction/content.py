"""What a reproduction holds, in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.world.entity_spec import EntitySpec
from engine.world.loader.dump_source import Placement
from engine.world.names import NameKey

DATABASES: Final = ("portal", "highres", "local", "cell")
"""The databases of a data folder, in the order of the file."""

RECORDS: Final = "records"
SCENE: Final = "scene"
PORTAL_SCENES: Final = "portal scenes"
DUMPS: Final = "dumps"
FORMS: Final = (RECORDS, SCENE, PORTAL_SCENES, DUMPS)
"""How the world is kept: as records of data files, or as the JSON files of a source that is small anyway."""

RECORDING: Final = "recording"
CAPTURE: Final = "capture"
MOVES: Final = (RECORDING, CAPTURE)

RecordKey = tuple[str, int]
"""The database and the id of a record."""


@dataclass
class Head:
    """What a reproduction says of itself. `counts` are for people, `source` is the name of the world's folder or file
    where it was made, without the way to it."""

    world: str
    kind: str
    form: str
    moves: str
    landblocks: list[int]
    program: str
    source: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    textures: bool = True
    note: str = ""
    scene: str = ""
    ground: float | None = None
    placements: list[Placement] = field(default_factory=list)
    beyond: list[int] = field(default_factory=list)
    """The landblocks beside the packed ones that the world has and that were not packed."""
    anchor: int = 0
    """An id in the landblock whose corner is the origin of a capture's frame; 0: that of its first move."""


@dataclass
class Reproduction:
    """The whole content. `records` are byte for byte as in the source, `textures` those of pictures; `files` the JSON
    files of the other forms by name. `blocks` are the entities that were made landblock by landblock, with what
    `sources` says of where they come from; `colours` stand for the pictures that were left out, by the ids of their
    SurfaceTextures. `moves` is a recording's file, or a capture's."""

    head: Head
    moves: bytes
    records: dict[RecordKey, bytes] = field(default_factory=dict)
    textures: dict[RecordKey, bytes] = field(default_factory=dict)
    files: list[tuple[str, bytes]] = field(default_factory=list)
    listed: list[EntitySpec] = field(default_factory=list)
    blocks: dict[int, list[EntitySpec]] | None = None
    sources: dict[int, str] = field(default_factory=dict)
    colours: dict[int, int] = field(default_factory=dict)
    names: dict[NameKey, str] = field(default_factory=dict)
