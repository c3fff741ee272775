"""The head of a reproduction as JSON, written and checked."""

from __future__ import annotations

import json
from typing import Final

from engine.geometry.frame import Frame
from engine.world.faults import WorldError
from engine.world.loader.dump_source import Placement
from engine.world.loader.json_form import JsonNode, parse_json
from engine.world.loader.reproduction.content import FORMS, MOVES, Head
from engine.world.loader.reproduction.heading import MAX_NOTE

MAX_HEAD: Final = 1 << 21
MAX_TEXT: Final = 1000
MAX_LANDBLOCKS: Final = 65_025
MAX_COUNTS: Final = 20
MAX_PLACEMENTS: Final = 1000
FARTHEST: Final = 1e6


def head_bytes(head: Head) -> bytes:
    form = {
        "world": head.world,
        "kind": head.kind,
        "form": head.form,
        "moves": head.moves,
        "landblocks": head.landblocks,
        "program": head.program,
        "source": head.source,
        "counts": head.counts,
        "textures": head.textures,
        "note": head.note,
        "scene": head.scene,
        "ground": head.ground,
        "placements": [_placement_form(placement) for placement in head.placements],
        "beyond": head.beyond,
        "anchor": head.anchor,
    }
    return json.dumps(form, separators=(",", ":"), allow_nan=False).encode()


def read_head(data: bytes) -> Head:
    try:
        return _head(parse_json(data, "HEAD"))
    except WorldError as error:
        raise WorldError(f"HEAD: {error.key or 'it'} {error.reason}") from error


def _head(root: JsonNode) -> Head:
    ground = root.field("ground")
    return Head(
        _text(root.field("world")),
        _text(root.field("kind")),
        _one_of(root.field("form"), FORMS),
        _one_of(root.field("moves"), MOVES),
        _landblocks(root.field("landblocks")),
        _text(root.field("program")),
        _text(root.field("source")),
        {_text(JsonNode(name, "HEAD", "counts")): _count(root, name) for name in _counted(root)},
        root.field("textures").boolean(),
        _text(root.field("note"), MAX_NOTE),
        _text(root.field("scene")),
        None if ground.value is None else _double(ground),
        [_placement(node) for node in _few(root.field("placements"), MAX_PLACEMENTS)],
        _landblocks(root.field("beyond")),
        root.field("anchor").integer(0, 0xFFFFFFFF),
    )


def _text(node: JsonNode, most: int = MAX_TEXT) -> str:
    text = node.text()
    if len(text) > most:
        raise node.error(f"has {len(text):,} characters; at most {most:,} are read")
    return text


def _one_of(node: JsonNode, known: tuple[str, ...]) -> str:
    text = _text(node)
    if text not in known:
        raise node.error(f"is {text[:40]!r}; this program knows {', '.join(known)}")
    return text


def _few(node: JsonNode, most: int) -> list[JsonNode]:
    entries = list(node.items())
    if len(entries) > most:
        raise node.error(f"has {len(entries):,} entries; at most {most:,} are read")
    return entries


def _landblocks(node: JsonNode) -> list[int]:
    found = [entry.integer(0xFFFF, 0xFFFFFFFF) for entry in _few(node, MAX_LANDBLOCKS)]
    if any(block_id & 0xFFFF != 0xFFFF for block_id in found) or sorted(set(found)) != found:
        raise node.error("are not landblocks in ascending order")
    return found


def _counted(root: JsonNode) -> list[str]:
    names = list(root.field("counts").mapping())
    if len(names) > MAX_COUNTS:
        raise root.field("counts").error("are too many")
    return names


def _count(root: JsonNode, name: str) -> int:
    return root.field("counts").field(name).integer(0, 1 << 53)


def _double(node: JsonNode) -> float:
    value = node.double()
    if not abs(value) <= FARTHEST:
        raise node.error("is out of range")
    return value


def _placement_form(placement: Placement) -> list[object]:
    x, y, z = placement.frame.origin
    return [placement.model_id, placement.cell_id, [x, y, z], list(placement.frame.rotation), placement.building]


def _placement(node: JsonNode) -> Placement:
    model_id, cell_id, origin, rotation, building = node.exactly(5)
    x, y, z = (_double(part) for part in origin.exactly(3))
    w, i, j, k = (_double(part) for part in rotation.exactly(4))
    frame = Frame((x, y, z), (w, i, j, k))
    if not frame.is_valid():
        raise node.error("is turned by what is no rotation")
    ids = [part.integer(0, 0xFFFFFFFF) for part in (model_id, cell_id)]
    return Placement(ids[0], ids[1], frame, building.boolean())
