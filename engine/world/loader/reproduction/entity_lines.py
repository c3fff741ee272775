"""The entities of a reproduction, one in a line of JSON, to the last bit as they were.

A line is `[landblock, guid, name, kind, setup, cell, origin, rotation, state, scale, extra, source]`. The landblock is
0 for those that were listed with the world, in their order; the others follow, landblock by landblock.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Final

from engine.files.cancelling import check_cancelled
from engine.files.errors import FileError
from engine.files.json_text import cost_of, json_value
from engine.files.kinds import MB
from engine.geometry.frame import Frame
from engine.world.entity_limits import flaw_of, shown_name
from engine.world.entity_spec import EntitySpec
from engine.world.faults import WorldError
from engine.world.loader.reproduction.content import Reproduction

LISTED: Final = 0
PARTS: Final = 12
MAX_LINE: Final = 1 << 20
MAX_COST: Final = 120 * MB
"""Memory of all lines together, as it is estimated from the text."""
MAX_ENTITIES: Final = 100_000
MADE: Final = "[]"
"""The line that says that entities were made landblock by landblock, even if none was."""


@dataclass
class Entities:
    listed: list[EntitySpec] = field(default_factory=list)
    blocks: dict[int, list[EntitySpec]] | None = None
    sources: dict[int, str] = field(default_factory=dict)


def entity_lines(content: Reproduction) -> bytes:
    lines = [_line(LISTED, spec, "") for spec in content.listed]
    if content.blocks is not None:
        lines.append(MADE)
        for block_id in sorted(content.blocks):
            lines += [_line(block_id, spec, content.sources.get(spec.guid, "")) for spec in content.blocks[block_id]]
    if len(lines) > MAX_ENTITIES:
        raise WorldError(f"cannot be kept: {len(lines):,} entities are more than {MAX_ENTITIES:,}")
    data = "".join(f"{line}\n" for line in lines).encode()
    if len(data) + cost_of(data) > MAX_COST:
        raise WorldError(f"cannot be kept: its {len(lines):,} entities are too much text")
    return data


def _line(block_id: int, spec: EntitySpec, source: str) -> str:
    x, y, z = spec.frame.origin
    parts = [block_id, spec.guid, spec.name, spec.kind, spec.setup_id, spec.cell_id, [x, y, z]]
    parts += [list(spec.frame.rotation), spec.state, spec.scale, spec.extra, source]
    return json.dumps(parts, separators=(",", ":"))


def read_entity_lines(data: bytes) -> Entities:
    """The entities; a WorldError names the first one that is wrong."""
    if data.count(b"\n") > MAX_ENTITIES:
        raise WorldError(f"ENTS has more than {MAX_ENTITIES:,} entities")
    found = Entities()
    seen: set[int] = set()
    at, cost = 0, len(data)
    while at < len(data):
        check_cancelled()
        end = data.find(b"\n", at)
        if not 0 < end - at <= MAX_LINE:
            raise WorldError("ENTS has a line without an end")
        line = data[at:end]
        cost += cost_of(line)
        if cost > MAX_COST:
            raise WorldError(f"ENTS has entities that would take more than {MAX_COST // MB} MB of memory")
        at = end + 1
        if line == MADE.encode():
            found.blocks = {}
            seen = set()
        else:
            _read(_value(line), found, seen)
    return found


def _value(line: bytes) -> object:
    try:
        return json_value(line, "")
    except FileError as error:
        raise WorldError(f"ENTS {error.reason}") from error


def _read(value: object, found: Entities, seen: set[int]) -> None:
    if not isinstance(value, list) or len(value) != PARTS:
        raise WorldError("ENTS has a line that is no entity")
    block_id, guid, name, kind, setup_id, cell_id, origin, rotation, state, scale, extra, source = value
    if (
        not all(type(number) is int for number in (block_id, guid, setup_id, cell_id, state))
        or not all(isinstance(text, str) for text in (name, kind, source))
        or not _are_numbers(origin, 3)
        or not _are_numbers(rotation, 4)
        or not _are_numbers([scale], 1)
        or not isinstance(extra, dict)
    ):
        raise WorldError("ENTS has an entity with a value of the wrong kind")
    x, y, z = map(float, origin)
    w, i, j, k = map(float, rotation)
    spec = EntitySpec(guid, name, kind, setup_id, cell_id, Frame((x, y, z), (w, i, j, k)), state, float(scale), extra)
    flaw = flaw_of(spec)
    if not flaw and guid in seen:
        flaw = "has the id of another entity before it"
    if flaw:
        raise WorldError(f"ENTS: {shown_name(spec)} {flaw}")
    seen.add(guid)
    if found.blocks is None:
        if block_id != LISTED:
            raise WorldError("ENTS has an entity of a landblock among those that are listed")
        found.listed.append(spec)
        return
    if block_id & 0xFFFF != 0xFFFF or not 0 <= block_id <= 0xFFFFFFFF:
        raise WorldError("ENTS has an entity of no landblock")
    found.blocks.setdefault(block_id, []).append(spec)
    if source:
        found.sources[guid] = source[:300]


def _are_numbers(values: object, count: int) -> bool:
    if not isinstance(values, list) or len(values) != count:
        return False
    return all(type(value) in (int, float) and abs(value) <= 1e300 for value in values)
