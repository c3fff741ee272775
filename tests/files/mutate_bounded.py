"""Opens mutated copies of sound files in one process of limited memory: `-m tests.files.mutate_bounded SEED COUNT`.

The mutations change the content, under a valid checksum. The last line states how many opened and how many were
refused; any other outcome ends the process.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from editor.document.undo_stack import Step
from editor.project.project import Project
from editor.project.project_file import project_bytes
from editor.session.background import Job
from editor.session.loading import Request, arrive
from editor.session.session import ENGINE_ERRORS
from engine.files.cancelling import cancellable
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.player import SetPlayerNumber
from engine.sim.edits.world import SetTimeOfDay
from tests.files.bombs import EDIT, MB, recording
from tests.files.open_bounded import SMALL_MEMORY, memory
from tests.sim.helpers.small_worlds import built, two_rooms
from tests.sim.test_capture_form import RECORD, line
from tests.world.loader.reproductions import crowded, file, head, holding
from tests.world.loader.scenes import two_rooms as scene_of_two_rooms

if sys.platform != "win32":
    import resource

NASTY: Final = (
    *(b"0", b"-1", b"1e308", b"-1e308", b"NaN", b"99999999999999999999", b"4294967295", b"null", b"true", b'""'),
    *(b"[]", b"{}", b'"0xFFFFFFFF"', b"[[[[", b'"\\u0000"', b'"\\ud800"', b'"x"', b"1e-320", b"2147483648"),
)
VALUE: Final = re.compile(rb'-?\d[\d.eE+-]*|"(?:[^"\\]|\\.)*"|true|false|null')


def mutated(text: bytes, chooser: random.Random) -> bytes:
    """The text with one to four values replaced, doubled, or cut off."""
    for _ in range(chooser.randint(1, 4)):
        found = list(VALUE.finditer(text))
        if not found:
            return text
        start, end = chooser.choice(found).span()
        how = chooser.random()
        if how < 0.7:
            text = text[:start] + chooser.choice(NASTY) + text[end:]
        elif how < 0.9:
            other = chooser.choice(found)
            text = text[:start] + other[0] + text[end:]
        else:
            begin = chooser.randrange(len(text))
            piece = text[begin : begin + chooser.randrange(200)]
            text = text[:begin] + piece * chooser.choice((2, 50, 1000)) + text[begin:]
    return text


def project_of(chooser: random.Random) -> bytes:
    steps = (
        Step("Noon", (SetTimeOfDay(0.5),), (SetTimeOfDay(0.25),)),
        Step("Small", (SetPlayerNumber("height", 1.2),), (SetPlayerNumber("height", 1.8),)),
        Step("Room", (ReplaceCell(bytes(range(200)), b""),), ()),
    )
    data = project_bytes(Project("world", "house", place=0x0007FFFF, steps=steps, joined=(0x0007FFFF,)))
    body = mutated(data[: data.rindex(b'\n"checksum": "')], chooser)
    return body + b'\n"checksum": "' + hashlib.blake2b(body, digest_size=16).hexdigest().encode() + b'"\n}\n'


def recording_of(chooser: random.Random) -> bytes:
    edits = b"".join(mutated(EDIT, chooser) for _ in range(chooser.randint(1, 5)))
    head = {
        "program": "1",
        "core": "python",
        "source": "world",
        "world": "world",
        "identity": {},
        "first_tick": 0,
        "ticks": 0,
        "start_hash": "00" * 16,
        "player": 0x50000001,
    }
    changed = mutated(json.dumps(head).encode(), chooser) if chooser.random() < 0.5 else None
    sections = {"EDIT": zlib.compress(edits)}
    return recording(**sections, **({} if changed is None else {"HEAD": zlib.compress(changed)}))


def reproduction_of(scene: bytes, chooser: random.Random) -> bytes:
    """A scene with entities and a recording, one to three of its parts changed."""
    edits = {"EDIT": zlib.compress(mutated(EDIT, chooser))}
    parts = {"ENTS": crowded(1, 3), "FILE": file(b"x.json", scene), "MOVE": recording(**edits), "HEAD": head("scene")}
    for name in chooser.sample(["ENTS", "HEAD", "FILE"], chooser.randint(1, 3)):
        content = mutated(scene if name == "FILE" else parts[name], chooser)
        parts[name] = file(b"x.json", content) if name == "FILE" else content
    return holding("scene", **parts)


def main(seed: int, count: int) -> int:
    chooser = random.Random(seed)
    outcomes = {"opened": 0, "refused": 0}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        built(two_rooms).write(folder / "world")
        entities = (folder / "world" / "entities.json").read_bytes()
        scene = json.dumps(scene_of_two_rooms()).encode()
        kinds: dict[str, Callable[[], bytes]] = {
            "x.cellardoor": lambda: project_of(chooser),
            "x.cdrec": lambda: recording_of(chooser),
            "x.jsonl": lambda: mutated(line(RECORD), chooser),
            "x.json": lambda: mutated(scene, chooser),
            "x.cdrepro": lambda: reproduction_of(scene, chooser),
            "world/entities.json": lambda: mutated(entities, chooser),
        }
        arrive(Request(str(folder / "world"), ask=False), Job()).close()
        limit = memory("VmSize") + SMALL_MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        for _ in range(count):
            for name, make in kinds.items():
                (folder / name).write_bytes(make())
                source = folder / "world" if name.startswith("world") else folder / name
                job = Job()
                try:
                    with cancellable(job.check):
                        arrive(Request(str(source), ask=False), job).close()
                    outcomes["opened"] += 1
                except ENGINE_ERRORS:
                    outcomes["refused"] += 1
                (folder / "world" / "entities.json").write_bytes(entities)
    print(outcomes["opened"], outcomes["refused"], (memory("VmPeak") - limit) // MB)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
