"""Reproduction files made section by section, sound or not, always with a checksum that fits."""

from __future__ import annotations

import hashlib
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


def sections(content: Reproduction) -> dict[bytes, bytes]:
    return sections_of(content)
