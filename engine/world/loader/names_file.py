"""Names files: the names of a world's cells, portals and models, to be handed on (engine.world.names).

    {
    "cellar_door_names": 1,
    "world": "demo",
    "names": [
    {"cell": "0xC95B0104", "name": "Cellar"},
    {"portal": "0xC95B0104", "index": 2, "name": "Trap door"},
    {"model": "0x02000012", "name": "Barrel"}
    ]
    }

A data folder may have one as `names.json`; its names then come with the world. An entry that is wrong refuses the file,
with its place: a list that somebody else wrote is used whole or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine.dat.atomic import write_whole
from engine.dat.errors import DatError
from engine.files.errors import FileError
from engine.files.kinds import NAMES
from engine.files.reading import read_file
from engine.world.cells.ids import BLOCK_INFO, cell_in_range, cell_text, is_env_cell, low_of, parse_id
from engine.world.faults import WorldError
from engine.world.loader.json_form import JsonNode, parse_json
from engine.world.names import LONGEST_NAME, MOST_NAMES, Named, NameKey, clean_name

FILE_NAME: Final = "names.json"
MARK: Final = "cellar_door_names"
VERSION: Final = 1
MOST_PORTALS: Final = 0xFFFF
_MODEL_TYPES: Final = (0x01, 0x02)
"""The high bytes of GfxObj and Setup ids (dat-format.md 1.4)."""


@dataclass(frozen=True)
class NamesFile:
    """The names of a file, and the world that they were given in."""

    world: str = ""
    names: dict[NameKey, str] = field(default_factory=dict)


def read_names(path: Path) -> NamesFile:
    """Read a names file; a WorldError names the file, the entry and the reason."""
    try:
        data = read_file(path, NAMES)
    except FileError as error:
        raise WorldError(error.reason, str(path)) from error
    return parse_names(data, str(path))


def parse_names(data: bytes, file: str) -> NamesFile:
    root = parse_json(data, file)
    if not isinstance(root.value, dict) or MARK not in root.value:
        raise root.error("is not a names file")
    version = root.field(MARK).integer(0, 2**31)
    if version != VERSION:
        raise root.error(f"is a names file of version {version}; this program reads version {VERSION}")
    world = root.optional("world")
    return NamesFile("" if world is None else world.text()[:LONGEST_NAME], read_entries(root.field("names")))


def read_entries(entries: JsonNode) -> dict[NameKey, str]:
    """The names of a list; an empty name takes one away."""
    found: dict[NameKey, str] = {}
    for number, entry in enumerate(entries.items()):
        if number == MOST_NAMES:
            raise entries.error(f"has more than {MOST_NAMES:,} names")
        key = _key(entry)
        if key in found:
            raise entry.error(f"names {key.text}, as an entry before it does")
        found[key] = _name(entry.field("name"))
    return found


def _key(entry: JsonNode) -> NameKey:
    kinds = [kind for kind in Named if entry.has(kind.value)]
    if len(kinds) != 1:
        raise entry.error("should have one of 'cell', 'portal' and 'model'")
    kind = kinds[0]
    node = entry.field(kind.value)
    try:
        thing_id = parse_id(node.text())
    except WorldError as error:
        raise error if error.file is not None else node.error(error.reason) from error
    if kind is Named.MODEL and thing_id >> 24 not in _MODEL_TYPES:
        raise node.error(f"{cell_text(thing_id)} is not a model: a GfxObj begins with 0x01, a Setup with 0x02")
    if kind is not Named.MODEL and (not cell_in_range(low_of(thing_id)) or low_of(thing_id) == BLOCK_INFO):
        raise node.error(f"{cell_text(thing_id)} is not a cell")
    if kind is Named.PORTAL and not is_env_cell(thing_id):
        raise node.error(f"{cell_text(thing_id)} is not a room")
    index = entry.field("index").integer(0, MOST_PORTALS) if kind is Named.PORTAL else -1
    return NameKey(kind, thing_id, index)


def _name(node: JsonNode) -> str:
    """Control characters and the like are left out; a name of nothing else is refused."""
    text = node.text()
    if len(text) > LONGEST_NAME:
        raise node.error(f"has {len(text):,} characters; a name has at most {LONGEST_NAME}")
    name = clean_name(text)
    if text and not name:
        raise node.error("has no character that can be shown")
    return name


def write_names(path: Path, world: str, names: Mapping[NameKey, str]) -> None:
    """Replace the file as a whole or not at all; a WorldError says why it cannot be written."""
    try:
        write_whole(path, names_bytes(world, names))
    except DatError as error:
        raise WorldError(error.reason, str(path)) from error


def names_bytes(world: str, names: Mapping[NameKey, str]) -> bytes:
    """One line an entry, in the order of their keys, so that two files can be compared."""
    entries = [json.dumps(form, ensure_ascii=False) for form in entry_forms(names)]
    listed = ",\n".join(entries)
    head = f'"{MARK}": {VERSION},\n"world": {json.dumps(world[:LONGEST_NAME], ensure_ascii=False)}'
    return f'{{\n{head},\n"names": [\n{listed}\n]\n}}\n'.encode()


def entry_forms(names: Mapping[NameKey, str]) -> list[dict[str, object]]:
    """The entries as JSON values."""
    forms: list[dict[str, object]] = []
    for key in sorted(names, key=lambda key: key.order):
        number = {"index": key.index} if key.kind is Named.PORTAL else {}
        forms.append({key.kind.value: cell_text(key.id), **number, "name": names[key]})
    return forms
