"""Reproduction files made section by section, sound or not, always with a checksum that fits."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib

from engine.world.loader.reproduction.content import Reproduction
from engine.world.loader.reproduction.form import SECTIONS, sections_of
from engine.world.loader.reproduction.heading import END

TITLE = b"Cellar Door reproduction 1\n\nmade by a test\n"


def assembled(sections: dict[bytes, bytes], title: bytes = TITLE, *, packed: bool = False) -> bytes:
    """A file of these contents; MOVE is stored as it is, as for a recording. `packed`: all are compressed already."""
    parts = []
    for name in SECTIONS:
        content = sections[name] if packed or name == b"MOVE" else zlib.compress(sections[name])
        parts.append(name + struct.pack("<Q", len(content)) + content)
    body = b"".join(parts)
    data = title + END + struct.pack("<Q", len(body)) + body
    return data + hashlib.blake2b(data, digest_size=32).digest()


def head(form: str = "records", moves: str = "recording") -> bytes:
    """The JSON of a head."""
    values = {"world": "x", "kind": "x", "form": form, "moves": moves, "landblocks": [0xC95BFFFF], "program": "1"}
    empty = {"source": "", "counts": {}, "textures": True, "note": "", "scene": "", "ground": None, "placements": []}
    return json.dumps({**values, **empty, "beyond": [], "anchor": 0}).encode()


def table(count: int, data: bytes = b"") -> bytes:
    """So many records of the portal database with one content between them."""
    entries = b"".join(struct.pack("<BIQ", 0, number, 0) for number in range(count))
    return struct.pack("<I", count + 1) + entries + struct.pack("<BIQ", 0, count, len(data)) + data


def file(name: bytes, data: bytes) -> bytes:
    """A list of one file."""
    return struct.pack("<IIQ", 1, len(name), len(data)) + name + data


def crowded(guid: int, values: int = 9000) -> bytes:
    """The line of an entity with as much in it as one may have."""
    lists = json.dumps({"x": [[]] * values})
    return f'[0,{guid},"x","x",1,{0xC95B0001},[0,0,0],[1,0,0,0],0,1,{lists},""]\n'.encode()


def holding(form: str = "records", **contents: bytes) -> bytes:
    """A file of nothing but these sections."""
    names = b'{"cellar_door_names": 1, "names": []}'
    nothing = struct.pack("<I", 0)
    empty = {b"HEAD": head(form), b"RECS": nothing, b"TEXS": nothing, b"FILE": nothing, b"NAME": names}
    rest = {b"ENTS": b"", b"COLS": b"", b"MOVE": b""}
    return assembled({**empty, **rest, **{name.encode(): content for name, content in contents.items()}})


def sections(content: Reproduction) -> dict[bytes, bytes]:
    return sections_of(content)
