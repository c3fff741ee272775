"""The world in a reproduction. What was not packed is not there: beyond its landblocks the world ends."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from engine.dat.ids import DatKind
from engine.dat.records import Surface
from engine.dat.records.textures import BASE_CLIPMAP
from engine.world.entity_index import BlockEntities
from engine.world.entity_spec import EntitySpec
from engine.world.faults import CONTAINER, SURFACE, Fault, Severity, WorldError
from engine.world.loader.dat_source import DatSource
from engine.world.loader.dump_source import DumpSource
from engine.world.loader.json_form import parse_json
from engine.world.loader.portal_scene import PortalScenes
from engine.world.loader.record_file import MemoryRecords
from engine.world.loader.reproduction.content import DUMPS, RECORDS, SCENE, Reproduction
from engine.world.loader.scene_source import SceneSource
from engine.world.source import SurfaceImage, WorldSource

KIND: Final = "reproduction"
FILE_NAMES: Final = {
    "portal": DatKind.PORTAL.file_name,
    "highres": DatKind.HIGHRES.file_name,
    "local": DatKind.LOCAL.file_name,
    "cell": DatKind.CELL.file_name,
}
OPAQUE: Final = 255


class PackedBlocks(BlockEntities):
    """The entities of the packed landblocks that a server's data had."""

    def __init__(self, blocks: dict[int, list[EntitySpec]], sources: dict[int, str]) -> None:
        self._blocks = blocks
        self._sources = sources
        self._by_id = {spec.guid: spec for specs in blocks.values() for spec in specs}

    def landblocks(self) -> list[int]:
        return sorted(self._blocks)

    def of_block(self, block_id: int) -> list[EntitySpec]:
        return self._blocks.setdefault(block_id, [])

    def is_made(self, block_id: int) -> bool:
        return True

    def find(self, entity_id: int) -> EntitySpec | None:
        return self._by_id.get(entity_id)

    def source_of(self, entity_id: int) -> str:
        return self._sources.get(entity_id, "")

    def faults(self) -> list[Fault]:
        return []

    def block_faults(self, block_id: int) -> list[Fault]:
        return []

    def overview(self) -> dict[str, object]:
        return {"name": KIND, "instances": len(self._by_id)}

    def forget(self, block_id: int) -> None:
        """Do nothing: they cannot be made again."""

    def close(self) -> None:
        """Do nothing: no file is open."""


class PackedRecords(DatSource):
    """The packed records of data files."""

    def __init__(self, content: Reproduction, file: str) -> None:
        packed: dict[str, dict[int, bytes]] = {"portal": {}, "cell": {}}
        for records in (content.records, content.textures):
            for (database, record_id), data in records.items():
                packed.setdefault(database, {})[record_id] = data
        files = {name: MemoryRecords(found, f"{file}: {FILE_NAMES[name]}") for name, found in packed.items()}
        self.beyond: Final = frozenset(content.head.beyond)
        """The landblocks beside its own that the original world has."""
        super().__init__(content.head.world, files["portal"], files["cell"], files.get("highres"), files.get("local"))
        self.colours: Final[dict[int, int] | None] = None if content.head.textures else content.colours
        """What stands for the textures that were left out; None where none was."""
        if self.colours is not None:
            reason = "its textures were left out; everything is drawn in the mean colour of its picture"
            self.faults.append(Fault(0, SURFACE, reason, Severity.INFO))

    def surface_image(self, surface_id: int) -> SurfaceImage | None:
        if self.colours is None:
            return super().surface_image(surface_id)
        record = self.record(surface_id)
        if not isinstance(record, Surface):
            return None
        found = SurfaceImage(
            surface_id, record.type_flags, record.translucency, record.luminosity, record.diffuse, record.color
        )
        if record.texture_id is not None:
            found.texture_id = record.texture_id
            self._fill(found, solid=bool(record.type_flags & BASE_CLIPMAP))
        return found

    def texture_image(self, texture_id: int) -> SurfaceImage | None:
        if self.colours is None:
            return super().texture_image(texture_id)
        found = SurfaceImage(0, 0, 0.0, 0.0, 1.0, texture_id=texture_id)
        self._fill(found)
        return found if found.pixels is not None else None

    def _fill(self, found: SurfaceImage, solid: bool = False) -> None:
        """A picture of one pixel; a solid one leaves no hole in what it is on."""
        colour = (self.colours or {}).get(found.texture_id)
        if colour is not None:
            alpha = OPAQUE if solid else colour >> 24
            pixel = (colour >> 16 & 0xFF, colour >> 8 & 0xFF, colour & 0xFF, alpha)
            found.width = found.height = 1
            found.pixels = np.array([[pixel]], np.uint8)


def source_of(content: Reproduction, file: str) -> WorldSource:
    """The world's source; raises a WorldError for files in it that no world can be made of."""
    source = _source_of(content, file)
    source.kind = KIND
    source.name = content.head.world
    if content.head.form in (RECORDS, DUMPS):
        source.entities = content.listed
    if content.blocks is not None:
        source.by_block = PackedBlocks(content.blocks, content.sources)
    source.given_names = content.names
    if content.head.form != RECORDS:
        return source
    count = len(content.head.landblocks)
    held = "1 landblock" if count == 1 else f"{count} landblocks"
    where = content.head.landblocks[0] if content.head.landblocks else 0
    more = "" if not content.head.beyond else ", which goes on beyond them"
    reason = f"holds {held} of {content.head.world}{more}; here the world ends there"
    source.faults.append(Fault(where, CONTAINER, reason, Severity.INFO))
    return source


def _source_of(content: Reproduction, file: str) -> WorldSource:
    head = content.head
    if head.form == RECORDS:
        return PackedRecords(content, file)
    roots = {}
    for name, data in content.files:
        path = Path(name)
        if not name or path.name != name or path in roots:
            raise WorldError(f"FILE has a file of the name {name[:80]!r}", file)
        roots[path] = parse_json(data, f"{file}: {name}")
    if head.form == DUMPS:
        return DumpSource(head.world, roots, head.placements, head.ground, roots)
    if len(roots) != 1:
        raise WorldError(f"FILE has {len(roots)} files for one scene", file)
    (root,) = roots.values()
    return SceneSource(root) if head.form == SCENE else PortalScenes(root).source(head.scene or None)
