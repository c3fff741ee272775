"""Small files that would expand to a large size, and that must be refused. Nothing here is larger in memory than the
file itself."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from editor.project.project import Project
from editor.project.project_file import project_bytes
from engine.sim.recording_file import CHECKSUM, SECTIONS, recording_bytes
from tests.sim.helpers.small_worlds import built, standing, two_rooms
from tests.sim.test_capture_form import RECORD, line
from tests.sim.test_recording import recorded
from tests.world.loader.reproductions import crowded, file, holding, table
from tests.world.loader.scenes import two_rooms as scene_of_two_rooms

MB: Final = 1 << 20


def repeated(piece: bytes, size: int, begin: bytes = b"", end: bytes = b"") -> bytes:
    return begin + piece * ((size - len(begin) - len(end)) // len(piece)) + end


def packed(piece: bytes, size: int) -> bytes:
    """The piece repeated up to that size, compressed without ever being whole in memory."""
    engine = zlib.compressobj(9)
    part = piece * max(MB // len(piece), 1)
    parts = [engine.compress(part) for _ in range(size // len(part))]
    return b"".join([*parts, engine.flush()])


def recording(**sections: bytes) -> bytes:
    """A recording without ticks but with other sections, and a valid checksum."""
    data = recording_bytes(recorded(standing(built(two_rooms), "hall", (3.0, 2.0)), 0))
    found = {}
    at = 20
    while at < len(data) - CHECKSUM:
        name, length = struct.unpack_from("<4sQ", data, at)
        found[name] = data[at + 12 : at + 12 + length]
        at += 12 + length
    found |= {name.encode(): content for name, content in sections.items()}
    body = b"".join(name + struct.pack("<Q", len(found[name])) + found[name] for name in SECTIONS)
    whole = struct.pack("<8sIQ", b"CDRECORD", 1, len(body)) + body
    return whole + hashlib.blake2b(whole, digest_size=CHECKSUM).digest()


def listed(parts: list[bytes]) -> bytes:
    return struct.pack("<I", len(parts)) + b"".join(struct.pack("<I", len(part)) + part for part in parts)


def project(steps: bytes = b"", now: bytes = b"", blobs: bytes = b"") -> bytes:
    """A project with other text in its lists, and a valid checksum."""
    data = project_bytes(Project("demo", "demo"))
    for name, text in ((b"steps", steps), (b"now", now), (b"blobs", blobs)):
        data = data.replace(b'"%s": []' % name, b'"%s": [%s]' % (name, text))
    body = data[: data.rindex(b'\n"checksum": "')]
    return body + b'\n"checksum": "' + hashlib.blake2b(body, digest_size=16).hexdigest().encode() + b'"\n}\n'


def blob_text(content: bytes) -> bytes:
    return b'"' + base64.b64encode(content) + b'"'


def folder_with(entities: bytes, path: Path) -> Path:
    built(two_rooms).write(path)
    (path / "entities.json").write_bytes(entities)
    return path


ENTITIES: Final = b'{"version": 1, "entities": ['
EDIT: Final = b'[0,"set_rule","edge_slide_order","ace"]\n'
STEP: Final = b'{"name":"","edits":[["set_time_of_day",0.5]],"back":[]}'

BOMBS: Final[dict[str, tuple[str, Callable[[], bytes]]]] = {
    "a recording whose edits unpack to 64 MB": ("x.cdrec", lambda: recording(EDIT=packed(EDIT, 64 * MB))),
    "a recording whose edits unpack to 30 MB": ("x.cdrec", lambda: recording(EDIT=packed(EDIT, 30 * MB))),
    "a recording of the most edits": ("x.cdrec", lambda: recording(EDIT=zlib.compress(EDIT * 200_000))),
    "a recording with rooms of 1 GB": ("x.cdrec", lambda: recording(BLOB=listed([packed(bytes(64), 32 * MB)] * 32))),
    "a recording with 256 MB of keys": ("x.cdrec", lambda: recording(CTRL=packed(bytes(37), 256 * MB))),
    "a recording with 256 MB of samples": ("x.cdrec", lambda: recording(SAMP=packed(bytes(64), 256 * MB))),
    "a recording with a head of 256 MB": ("x.cdrec", lambda: recording(HEAD=packed(b"[],", 256 * MB))),
    "a recording whose head is 4 MB of lists": (
        "x.cdrec",
        lambda: recording(HEAD=zlib.compress(repeated(b"[],", 4 * MB, b'{"program":[', b"1]}"))),
    ),
    "a recording with 32 keyframes of 32 MB": ("x.cdrec", lambda: recording(TAIL=listed([packed(b"x", 32 * MB)] * 32))),
    "a capture of 200 MB of line ends": ("x.jsonl", lambda: capture(repeated(b"\n", 200 * MB))),
    "a capture of 120 MB of line ends": ("x.jsonl", lambda: capture(repeated(b"\n", 120 * MB))),
    "a capture of 120 MB of blanks and line ends": ("x.jsonl", lambda: capture(repeated(b" \n", 120 * MB))),
    "a capture of 120 MB in one line": ("x.jsonl", lambda: capture(repeated(b"[],", 120 * MB))),
    "200 MB of empty lists": ("x.json", lambda: repeated(b"[],", 200 * MB, b'{"cells":[', b"1]}")),
    "60 MB of empty lists": ("x.json", lambda: repeated(b"[],", 60 * MB, b'{"cells":[', b"1]}")),
    "60 MB of empty objects": ("x.json", lambda: repeated(b"{},", 60 * MB, b'{"cells":[', b"1]}")),
    "60 MB of numbers": ("x.json", lambda: repeated(b"300,", 60 * MB, b'{"cells":[', b"1]}")),
    "60 MB of brackets": ("x.json", lambda: repeated(b"[", 60 * MB, b'{"cells":')),
    "60 MB of digits": ("x.json", lambda: repeated(b"1", 60 * MB, b'{"cells":', b"}")),
    "60 MB of one text": ("x.json", lambda: repeated(b"a", 60 * MB, b'{"cells":"\xf0\x9f\x98\x80', b'"}')),
    "4.9 MB of empty lists": ("x.json", lambda: repeated(b"[],", 49 * MB // 10, b'{"landblock":1,"cells":[', b"1]}")),
    "4.9 MB of empty cells": ("x.json", lambda: repeated(b"{},", 49 * MB // 10, b'{"landblock":1,"cells":[', b"{}]}")),
    "a project with rooms of 1 GB": (
        "x.cellardoor",
        lambda: project(blobs=b",".join([blob_text(packed(bytes(64), 32 * MB))] * 32)),
    ),
    "a project of 60 MB of steps": ("x.cellardoor", lambda: project(steps=repeated(STEP + b",", 60 * MB, end=STEP))),
    "a project of 80,000 steps": ("x.cellardoor", lambda: project(steps=b",".join([STEP] * 80_000))),
    "a project with a step of a million edits": (
        "x.cellardoor",
        lambda: project(steps=b'{"name":"","edits":[%s[]],"back":[]}' % (b"[]," * 1_000_000)),
    ),
    "a million empty entities": ("folder", lambda: repeated(b"{},", 3 * MB, ENTITIES, b"{}]}")),
    "800,000 empty entities": ("folder", lambda: repeated(b"{},", 24 * MB // 10, ENTITIES, b"{}]}")),
    "4.9 MB of sound entities": ("folder", lambda: entities(49 * MB // 10)),
    "20 MB of sound entities": ("folder", lambda: entities(20 * MB)),
    "3 MB of rooms": ("x.json", lambda: rooms(3 * MB)),
    "12 MB of rooms": ("x.json", lambda: rooms(12 * MB)),
    "a reproduction of 90 MB of records": ("x.cdrepro", lambda: holding(RECS=table(9, bytes(90 * MB)))),
    "a reproduction of the most records": ("x.cdrepro", lambda: holding(RECS=table(299_000), TEXS=table(0))),
    "a reproduction of 299,000 records of no size and 60 MB": (
        "x.cdrepro",
        lambda: holding(RECS=table(299_000, bytes(60 * MB)), ENTS=b"".join(map(crowded, range(1, 100)))),
    ),
    "a reproduction of 6 MB that unpacks to five times that": (
        "x.cdrepro",
        lambda: holding(RECS=table(9, random.Random(1).randbytes(6 * MB) + bytes(23 * MB))),
    ),
    "a reproduction of 32 MB of entities": ("x.cdrepro", lambda: holding(ENTS=b"".join(map(crowded, range(1, 1100))))),
    "a reproduction of a scene of 12 MB of lists": (
        "x.cdrepro",
        lambda: holding("scene", FILE=file(b"x.json", repeated(b"[],", 12 * MB - 40, b'{"cells":[', b"1]}"))),
    ),
    "a reproduction of a scene of 60 MB of lists": (
        "x.cdrepro",
        lambda: holding("scene", FILE=file(b"x.json", repeated(b"[],", 60 * MB, b'{"cells":[', b"1]}"))),
    ),
    "a reproduction of a recording of the most edits": (
        "x.cdrepro",
        lambda: holding(RECS=table(9, bytes(90 * MB)), MOVE=recording(EDIT=zlib.compress(EDIT * 200_000))),
    ),
    "60 MB of empty entities": ("folder", lambda: repeated(b"{},", 60 * MB, ENTITIES, b"{}]}")),
    "4.9 MB of entities that lack all but one thing": (
        "folder",
        lambda: repeated(b'{"cell":256},', 49 * MB // 10, ENTITIES, b"{}]}"),
    ),
}


def entities(size: int) -> bytes:
    """In the form that this program writes, in many landblocks."""
    form = (
        b'{"guid": "0x%08X", "name": "Front door", "kind": "door", "setup": "0x02000001", "cell": "0x%08X", '
        b'"frame": {"origin": [132.6, 17.1, 94.1], "rotation": [1.0, 0.0, 0.0, 0.0]}, "state": "0x00010008", '
        b'"scale": 1.0, "extra": {}},\n'
    )
    count = size // len(form % (0, 0))
    parts = (form % (0x70000000 + number, (number % 7000) << 16 | 1) for number in range(count))
    return ENTITIES + b"".join(parts).rstrip(b",\n") + b"]}"


def rooms(size: int) -> bytes:
    """A scene with that many equal rooms."""
    scene = scene_of_two_rooms()
    cell = json.dumps(scene["cells"][0], separators=(",", ":"))
    number = scene["cells"][0]["id"]
    head = json.dumps({**scene, "cells": []}, separators=(",", ":"))
    count = min(size // len(cell), 60_000)
    cells = (cell.replace(json.dumps(number), json.dumps(_numbered(number, index)), 1) for index in range(count))
    return head.replace('"cells":[]', f'"cells":[{",".join(cells)}]').encode()


def _numbered(number: object, index: int) -> object:
    return f"0x{0x100 + index:04X}" if isinstance(number, str) else 0x100 + index


def capture(rest: bytes) -> bytes:
    """A sound record followed by other bytes."""
    return line(RECORD) + rest


def write_bomb(name: str, folder: Path) -> tuple[Path, int]:
    """The path, and the size of what it opens."""
    file, make = BOMBS[name]
    content = make()
    if file == "folder":
        path = folder_with(content, folder / "world")
    else:
        path = folder / file
        path.write_bytes(content)
    return path, len(content)
