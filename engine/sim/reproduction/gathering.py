"""Gathers the content of a reproduction: replays in a fresh world, and takes what was read on the way.

`same_again` then replays what was packed: only a packed world that gives the same results may be written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from engine import __version__
from engine.dat.ids import RecordType, id_type
from engine.sim.errors import SimError
from engine.sim.reproduction.drawing import (
    PICTURES,
    drawn_records,
    mean_colours,
    read_motions,
    roots_of,
    surfaces_named,
)
from engine.sim.reproduction.moves import Moves, Replayed, Told
from engine.world.cells.ids import landblock_id
from engine.world.faults import WorldError
from engine.world.landblock import Landblock, neighbour_ids
from engine.world.loader.dat_source import REGION_ID, DatSource
from engine.world.loader.reproduction.content import RECORDS, Head, RecordKey, Reproduction
from engine.world.loader.reproduction.origin import Origin
from engine.world.loader.reproduction.source import PackedRecords, source_of
from engine.world.names import Named, NameKey
from engine.world.world import World

MAX_TEXT: Final = 200
SEPARATORS: Final = re.compile(r"[\\/]")
PORTAL_NAMES: Final = ("portal", "highres", "local")


@dataclass
class Gathered:
    """The content with textures, and what a replay of the same must give."""

    content: Reproduction
    results: list[str] = field(default_factory=list)

    def without_textures(self) -> Reproduction:
        return replace(self.content, head=replace(self.content.head, textures=False), textures={})

    def with_textures(self) -> Reproduction:
        """As it was gathered: from a reproduction without textures there are none."""
        return replace(self.content, colours={}) if self.content.head.textures else self.content


def gather(
    moves: Moves, world: World, origin: Origin, told: Told, names: Mapping[NameKey, str] | None = None
) -> Gathered:
    """Replay the moves in a world that was opened for this with `reads_noted`, and take what was read.

    `names` are the world's, with what the user gave. Raises a SimError when the moves do not replay.
    """
    replayed = moves.replay(world, told)
    try:
        ids = {*moves.landblocks(), *replayed.sim.surroundings.joined}
        ids |= {block.id for block in world.loaded_landblocks()}
        if origin.form != RECORDS:  # it is packed whole
            ids.update(world.landblock_ids())
        blocks = [block for block in map(world.landblock, sorted(ids)) if block is not None]
        content = _content(moves, world, origin, blocks)
        if isinstance(world.source, DatSource):
            told(-1.0, f"Collecting what {world.name} is drawn with …")
            content.head.beyond = _beyond(world, content.head.landblocks)
            _take_records(content, world.source, replayed, blocks, world)
        content.names = _names(content, dict(world.names) if names is None else names)
        content.head.counts = _counts(content, moves, blocks)
        return Gathered(content, replayed.results)
    finally:
        replayed.sim.close()


def same_again(content: Reproduction, file: str, moves: Moves, results: list[str], told: Told) -> None:
    """Raise a SimError unless the packed world gives the same results."""
    try:
        world = World(source_of(content, file))
    except WorldError as error:
        raise SimError(f"the packed world cannot be opened: {error.reason}") from error
    with world:
        replayed = moves.replay(world, told)
        replayed.sim.close()
        if replayed.results != results:
            wrong = next((n for n, (a, b) in enumerate(zip(results, replayed.results, strict=False)) if a != b), 0)
            raise SimError(f"the packed world does not give the same: result {wrong + 1} of {len(results)} differs")


def _content(moves: Moves, world: World, origin: Origin, blocks: list[Landblock]) -> Reproduction:
    head = Head(
        _whole(world.name),
        world.source.kind,
        origin.form,
        moves.kind,
        [block.id for block in blocks],
        __version__,
        _whole(origin.name),
        scene=origin.scene,
        ground=origin.ground,
        placements=list(origin.placements),
    )
    content = Reproduction(head, moves.data, files=list(origin.files))
    if origin.form == RECORDS:
        content.listed = list(world.entities)
    by_block = world.source.by_block
    if by_block is not None:
        content.blocks = {block.id: list(by_block.of_block(block.id)) for block in blocks}
        content.blocks = {block_id: specs for block_id, specs in content.blocks.items() if specs}
        for specs in content.blocks.values():
            for spec in specs:
                content.sources[spec.guid] = SEPARATORS.split(by_block.source_of(spec.guid))[-1][:MAX_TEXT]
    return content


def _whole(name: str) -> str:
    """A name without halves of characters, which file systems may have."""
    return name.encode(errors="replace").decode()[:MAX_TEXT]


def _beyond(world: World, packed: list[int]) -> list[int]:
    near = {near for block_id in packed for near in neighbour_ids(block_id)} - set(packed)
    source = world.source
    known = source.beyond if isinstance(source, PackedRecords) else frozenset[int]()
    return sorted(block_id for block_id in near if block_id in known or source.has_place(block_id))


def _take_records(
    content: Reproduction, source: DatSource, replayed: Replayed, blocks: list[Landblock], world: World
) -> None:
    """The records that were read and those that drawing needs, byte for byte."""
    edited = [block for block in replayed.sim.world.loaded_landblocks() if block.id in set(content.head.landblocks)]
    read_motions(world, replayed.sim, blocks)
    roots = roots_of(replayed.sim, [*blocks, *edited])
    for model_id in roots:
        world.setup(model_id)
    databases = source.databases()
    packed = set(content.head.landblocks)
    read = {name: set(file.read_ids or ()) for name, file in databases.items()}
    drawn = drawn_records(source, roots, blocks)
    drawn |= surfaces_named(source, set().union(*(read[name] for name in read if name != "cell")))
    for name, file in databases.items():
        wanted = {record_id for record_id in read[name] if landblock_id(record_id) in packed}
        if name != "cell":
            wanted = {record_id for record_id in read[name] if id_type(record_id) not in PICTURES}
            wanted |= {record_id for record_id in drawn | {REGION_ID} if file.has(record_id)}
        for record_id in wanted:
            data = file.raw(record_id)
            if data is not None:
                is_picture = name != "cell" and id_type(record_id) in PICTURES
                (content.textures if is_picture else content.records)[name, record_id] = data
    if isinstance(source, PackedRecords) and source.colours is not None:
        content.head.textures, content.colours = False, source.colours
        return
    textures = (id_ for _, id_ in content.textures if id_type(id_) is RecordType.SURFACE_TEXTURE)
    content.colours = mean_colours(source, sorted(set(textures)))


def _names(content: Reproduction, names: Mapping[NameKey, str]) -> dict[NameKey, str]:
    """The names of what was packed."""
    blocks = {block_id >> 16 for block_id in content.head.landblocks}
    models = {record_id for _, record_id in content.records}
    is_whole = content.head.form != RECORDS

    def is_packed(key: NameKey) -> bool:
        if key.kind is Named.MODEL:
            return is_whole or key.id in models
        return key.id >> 16 in blocks

    return {key: name for key, name in names.items() if is_packed(key)}


def _counts(content: Reproduction, moves: Moves, blocks: list[Landblock]) -> dict[str, int]:
    keys: list[RecordKey] = [*content.records, *content.textures]
    kinds = [id_type(record_id) for name, record_id in keys if name in PORTAL_NAMES]
    block_ids = set(content.head.landblocks)
    entities = [spec for spec in content.listed if landblock_id(spec.cell_id) in block_ids]
    made = sum(map(len, (content.blocks or {}).values()))
    counts = {
        **moves.counts(),
        "landblock": len(blocks),
        "room": sum(len(block.env_cells) for block in blocks),
        "model": kinds.count(RecordType.GFX_OBJ) + kinds.count(RecordType.SETUP),
        "texture": kinds.count(RecordType.SURFACE_TEXTURE),
        "entity": len(entities) + made,
        "name": len(content.names),
        "file": len(content.files),
    }
    return {what: count for what, count in counts.items() if count or what in ("tick", "move", "landblock", "room")}
