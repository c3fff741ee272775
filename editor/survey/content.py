"""Digests of what a survey of one landblock goes by: its records and its neighbours', the rooms' structures and the
models that these name, the entities that stand there, and whether what these lead to is there.

Of data files the records' bytes are taken, so that nothing has to be made. A source of another kind counts as a whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from engine.dat.errors import DatError
from engine.dat.records import EnvCell, GfxObj, GfxObjDegradeInfo, LandBlockInfo, Scene, Setup
from engine.dat.records.catalogue import read_record
from engine.entities.human import HUMAN_SETUP
from engine.entities.specs import wholes
from engine.files.cancelling import check_cancelled
from engine.files.errors import FileError
from engine.files.reading import PIECE, open_regular
from engine.world.cells.ids import FIRST_ENV_CELL, in_block_of, landblock_info_id, parse_id
from engine.world.entity_spec import EntitySpec
from engine.world.faults import WorldError
from engine.world.landblock import neighbour_ids
from engine.world.loader.dat_source import DatSource
from engine.world.loader.record_file import RecordT
from engine.world.loader.rooms import ENVIRONMENT_BASE
from engine.world.loader.source_kinds import dump_files
from engine.world.world import World

SIZE: Final = 12
"""Bytes of a digest."""
EVERYWHERE: Final = (
    (0x03000000, 0x0300FFFF),
    (0x09000000, 0x0900FFFF),
    (0x11000000, 0x1100FFFF),
    (0x12000000, 0x1200FFFF),
    (0x13000000, 0x13000000),
)
"""Animations, motion tables, degrade tables, scenes and the region: few, and used nearly everywhere."""
MESH, SETUP = 0x01, 0x02
"""The top eight bits of ids of models."""
SCENES: Final = (0x12000000, 0x1200FFFF)


class Contents:
    """Digests of the landblocks of one world; each of its records is read once."""

    def __init__(self, world: World) -> None:
        self._world = world
        source = world.source
        files = source.databases() if isinstance(source, DatSource) else {}
        self._cell = files.get("cell")
        self._portals = [files[name] for name in ("portal", "highres") if name in files]
        self._own: dict[int, bytes] = {}
        self._models: dict[int, bytes] = {}

    def of(self, block_id: int) -> bytes:
        """The digest of a landblock with its neighbours."""
        parts = [self.own(block_id), *(self.own(neighbour) for neighbour in neighbour_ids(block_id))]
        return _digest(parts)

    def own(self, block_id: int) -> bytes:
        """The digest of one landblock alone."""
        if block_id not in self._own:
            check_cancelled()
            self._own[block_id] = _digest([*self._records(block_id), *self._entities(block_id)])
        return self._own[block_id]

    def _records(self, block_id: int) -> list[bytes]:
        cell = self._cell
        if cell is None:
            return [block_id.to_bytes(4, "little")]
        info_id = landblock_info_id(block_id)
        parts = [cell.raw(block_id) or b"", cell.raw(info_id) or b""]
        named: dict[int, None] = {}
        info = _record(LandBlockInfo, parts[1], info_id) if parts[1] else None
        if info is not None:
            named.update(dict.fromkeys(thing.model_id for thing in info.objects))
            named.update(dict.fromkeys(building.model_id for building in info.buildings))
        for room_id in cell.ids(in_block_of(block_id, FIRST_ENV_CELL), info_id - 1):
            raw = cell.raw(room_id) or b""
            parts += [room_id.to_bytes(4, "little"), raw]
            room = _record(EnvCell, raw, room_id)
            if room is not None:
                named[ENVIRONMENT_BASE | room.environment] = None
                named.update(dict.fromkeys(thing.model_id for thing in room.objects))
        return [*parts, *(self._portal_record(record_id) for record_id in sorted(named))]

    def _entities(self, block_id: int) -> Iterable[bytes]:
        specs = self._world.entities_of(block_id)
        here = {spec.guid for spec in specs}
        for spec in specs:
            yield repr(spec).encode(errors="replace")
            yield self._portal_record(spec.setup_id)
            yield from self._elsewhere(spec, here)
        by_block = self._world.source.by_block
        if by_block is not None:
            yield from (str(fault).encode(errors="replace") for fault in by_block.block_faults(block_id))
            if not self._world.graph.is_loaded(block_id):
                by_block.forget(block_id)

    def _elsewhere(self, spec: EntitySpec, here: Container[int]) -> Iterable[bytes]:
        """Whether what an entity leads to and activates is there, wherever in the world that is."""
        destination = spec.extra.get("destination")
        cell = destination.get("cell") if isinstance(destination, dict) else None
        if isinstance(cell, str):
            with suppress(WorldError):
                yield b"place %d" % self._world.source.has_place(parse_id(cell))
        for target_id in wholes(spec.extra.get("activates")):
            if target_id not in here:
                yield b"thing %d" % (self._world.entity_spec(target_id) is not None)

    def _portal_record(self, record_id: int) -> bytes:
        """The digest of a structure, or of a model with its parts."""
        if record_id not in self._models:
            self._models[record_id] = _digest(self._record_parts(record_id))
        return self._models[record_id]

    def _record_parts(self, record_id: int) -> Iterable[bytes]:
        yield record_id.to_bytes(4, "little")
        for file in self._portals:
            if not file.has(record_id):
                continue
            yield file.raw(record_id) or b""
            if record_id >> 24 == SETUP:
                setup = file.read(record_id, Setup, [])
                meshes = [] if setup is None else sorted(part for part in set(setup.parts) if part >> 24 == MESH)
                yield from map(self._portal_record, meshes)
            elif record_id >> 24 == MESH:
                mesh = file.read(record_id, GfxObj, [])
                yield b"" if mesh is None or not mesh.degrade_id else self._nearest(mesh.degrade_id)
            return

    def _nearest(self, table_id: int) -> bytes:
        """The first mesh of a degrade table, which collides in place of the one that names the table."""
        for file in self._portals:
            if file.has(table_id):
                table = file.read(table_id, GfxObjDegradeInfo, [])
                first = 0 if table is None or not table.degrades else table.degrades[0].gfxobj_id
                return next((other.raw(first) or b"" for other in self._portals if other.has(first)), b"")
        return b""

    # --- what counts for every landblock

    def shared(self, sees: bool) -> str:
        """The digest of what counts for all of them; with textures for what goes by pictures."""
        if self._cell is None:
            return _digest(_files_content(self._files())).hex()
        parts = [
            piece
            for file in self._portals
            for low, high in EVERYWHERE
            for record_id in file.ids(low, high)
            for piece in (record_id.to_bytes(4, "little"), file.raw(record_id) or b"")
        ]
        parts += map(self._portal_record, [HUMAN_SETUP, *self._grown()])
        if sees:
            parts += _files_content(Path(file.file) for file in self._portals)
        return _digest(parts).hex()

    def _grown(self) -> list[int]:
        """The models of all scenery."""
        found: set[int] = set()
        for file in self._portals:
            for scene_id in file.ids(*SCENES):
                scene = file.read(scene_id, Scene, [])
                found.update([] if scene is None else (thing.model_id for thing in scene.objects))
        return sorted(found)

    def _files(self) -> list[Path]:
        path = self._world.path
        return [] if path is None else dump_files(path)


def _record(cls: type[RecordT], raw: bytes, record_id: int) -> RecordT | None:
    """What bytes say, if they can be read; that they can not is for checks to tell."""
    try:
        return read_record(cls, raw, file="", record_id=record_id)
    except DatError:
        return None


def _digest(parts: Iterable[bytes]) -> bytes:
    out = hashlib.blake2b(digest_size=SIZE)
    for part in parts:
        out.update(len(part).to_bytes(4, "little"))
        out.update(part)
    return out.digest()


def _files_content(files: Iterable[Path]) -> Iterable[bytes]:
    """The content of whole files, in pieces; of one that cannot be read nothing."""
    for file in files:
        yield file.name.encode(errors="replace")
        try:
            opened = open_regular(file)
        except FileError:
            continue
        at = 0
        while True:
            check_cancelled()
            piece = opened.read_at(at, PIECE)
            if not piece:
                break
            yield piece
            at += len(piece)
