"""An index of a folder of server data: what each file held when it was read last, by its size and time.

Reading 113,000 files takes half a minute; looking whether any has changed takes a second or two. With the index a
landblock's things need one file, its own: all weenies are known.

The index is one file of lines; the first says what it belongs to, with a digest of the rest. One that is damaged,
of another version or of another folder counts as none.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from engine.files.cancelling import check_cancelled
from engine.world.faults import ENTITY, Fault
from engine.world.server import rows
from engine.world.server.folder import FileList, FolderData, SqlFile
from engine.world.server.model import Place, Told, Weenie
from engine.world.server.sql_file import read_sql_file

VERSION: Final = 1
HEADING: Final = "cellar door server data"
MAX_DAMAGED: Final = 100
"""Files with faults that are told one by one."""
CHANGED: Final = 500
"""Files between two reports of progress."""


class Entry(NamedTuple):
    """What a file held, when it had this size and time (in nanoseconds). `content` is JSON: the weenies in it, or the
    numbers of instances by weenie, or the number of encounters; empty for a file with faults, which is always read."""

    size: int
    time: int
    content: bytes


class ServerIndex:
    """Entries by the files' names below the folder."""

    def __init__(self, root: Path, entries: dict[str, Entry] | None = None) -> None:
        self.root = root
        self.entries: dict[str, Entry] = {} if entries is None else entries

    def update(self, files: FileList, told: Told | None = None) -> int:
        """Read every file that is new or has changed, and forget those that are gone; returns how many differed."""
        kept: dict[str, Entry] = {}
        changed = 0
        total = len(files.blocks) + len(files.weenies) + len(files.encounters)
        for number, (kind, _, file) in enumerate(_files_of(files)):
            if told is not None and number % CHANGED == 0:
                told(number / max(total, 1), f"Indexing the server data: {number:,} of {total:,} files")
            check_cancelled()
            shown = files.shown(file)
            try:
                status = os.stat(files.path(file))
            except OSError:
                changed += shown in self.entries
                continue  # it has gone; reading it says so
            before = self.entries.get(shown)
            if before is not None and (before.size, before.time) == (status.st_size, status.st_mtime_ns):
                kept[shown] = before
                continue
            changed += 1
            kept[shown] = Entry(status.st_size, status.st_mtime_ns, _content_of(files, file, kind))
        changed += sum(shown not in kept for shown in self.entries)
        self.entries = kept
        return changed

    def weenie(self, files: FileList, wcid: int) -> Weenie | None:
        """A weenie as its file had it; None when the file has to be read."""
        file = files.weenies.get(wcid)
        entry = None if file is None else self.entries.get(files.shown(file))
        if file is None or entry is None or not entry.content:
            return None
        for packed in json.loads(entry.content):
            if packed[0] == wcid:
                return _weenie_of(packed, files.shown(file))
        return None

    def totals(self, files: FileList) -> dict[str, int]:
        """How many instances there are of which weenie, how many weenies, how many encounters."""
        instances: Counter[str] = Counter()
        for file in files.blocks.values():
            entry = self.entries.get(files.shown(file))
            if entry is not None and entry.content:
                instances.update(json.loads(entry.content))
        encounters = (self.entries.get(files.shown(file)) for file in files.encounters.values())
        return {
            "instances": sum(instances.values()),
            "weenies placed": len(instances),
            "encounters": sum(int(entry.content) for entry in encounters if entry is not None and entry.content),
        }

    def install(self, data: FolderData) -> None:
        """Let the data know its weenies from here."""
        files = data.files
        data.known = lambda wcid: self.weenie(files, wcid)
        data.totals = self.totals(files)
        data.faults.extend(fault for fault in self.damage(files) if fault not in data.faults)

    def damage(self, files: FileList) -> list[Fault]:
        """What is wrong in the files, landblock by landblock and weenie by weenie: those that have faults are read
        again, up to a number."""
        found: list[Fault] = []
        wrong = [
            (kind, key, file)
            for kind, key, file in _files_of(files)
            if (entry := self.entries.get(files.shown(file))) is not None and not entry.content
        ]
        for kind, key, file in wrong[:MAX_DAMAGED]:
            check_cancelled()
            where = 0 if kind == rows.WEENIE else key << 16 | 0xFFFF
            found.extend(read_sql_file(files.path(file), files.shown(file), TABLES[kind], where).faults)
        if len(wrong) > MAX_DAMAGED:
            found.append(Fault(0, ENTITY, f"{len(wrong) - MAX_DAMAGED:,} more files have faults"))
        return found


def _files_of(files: FileList) -> Iterable[tuple[str, int, SqlFile]]:
    """The kind of each file, with the weenie or the digits of the landblock that it is listed by."""
    for wcid, file in files.weenies.items():
        yield rows.WEENIE, wcid, file
    for block, file in files.blocks.items():
        yield rows.INSTANCE, block, file
    for block, file in files.encounters.items():
        yield rows.ENCOUNTER, block, file


TABLES: Final[dict[str, frozenset[str]]] = {
    rows.WEENIE: rows.WEENIE_TABLES,
    rows.INSTANCE: rows.BLOCK_TABLES,
    rows.ENCOUNTER: frozenset({rows.ENCOUNTER}),
}


def _content_of(files: FileList, file: SqlFile, kind: str) -> bytes:
    content = read_sql_file(files.path(file), files.shown(file), TABLES[kind])
    if content.faults:
        return b""
    if kind == rows.WEENIE:
        return _packed([_packed_weenie(weenie) for weenie in content.weenies.values()])
    if kind == rows.INSTANCE:
        return _packed(Counter(instance.wcid for instance in content.instances))
    return _packed(len(content.encounters))


def _packed(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


# --- weenies


def _packed_weenie(weenie: Weenie) -> list[object]:
    line = weenie.source.rpartition(" ")[2]
    positions = {kind: [place.cell_id, *place.origin, *place.rotation] for kind, place in weenie.positions.items()}
    return [
        weenie.wcid,
        weenie.class_name,
        weenie.type,
        int(line),
        weenie.ints,
        weenie.bools,
        weenie.floats,
        weenie.strings,
        weenie.dids,
        weenie.iids,
        positions,
        weenie.generates,
    ]


def _weenie_of(packed: list[Any], shown: str) -> Weenie:
    wcid, class_name, kind, line, ints, bools, floats, strings, dids, iids, positions, generates = packed
    places = {
        int(key): Place(cell_id, (x, y, z), (w, i, j, k)) for key, (cell_id, x, y, z, w, i, j, k) in positions.items()
    }
    found = Weenie(wcid, class_name, kind, f"{shown}: line {line}", positions=places, generates=generates)
    found.ints, found.bools, found.floats = _by_number(ints), _by_number(bools), _by_number(floats)
    found.strings, found.dids, found.iids = _by_number(strings), _by_number(dids), _by_number(iids)
    return found


def _by_number(values: Mapping[str, Any]) -> dict[int, Any]:
    return {int(key): value for key, value in values.items()}


# --- as a file


def index_bytes(index: ServerIndex) -> bytes:
    """The index as a file."""
    lines = [
        b"%s\t%d\t%d\t%s\n" % (_packed(shown), entry.size, entry.time, entry.content)
        for shown, entry in index.entries.items()
    ]
    body = b"".join(lines)
    return _heading(index.root, body) + body


def parse_index(content: bytes, root: Path) -> ServerIndex:
    """The index of a file; an empty one when the file is not whole, or not of this folder."""
    heading, _, body = content.partition(b"\n")
    if heading + b"\n" != _heading(root, body):
        return ServerIndex(root)
    entries: dict[str, Entry] = {}
    for line in body.split(b"\n"):
        if line:
            shown, size, time, packed = line.split(b"\t", 3)
            entries[json.loads(shown)] = Entry(int(size), int(time), packed)
    return ServerIndex(root, entries)


def _heading(root: Path, body: bytes) -> bytes:
    """Nobody but the user can write the index, so the digest is against accidents."""
    digest = hashlib.blake2b(body, digest_size=16).hexdigest()
    return _packed([HEADING, VERSION, os.path.abspath(root), digest]) + b"\n"


def index_name(root: Path) -> str:
    """The name of the file with the index of a folder."""
    return f"server-{hashlib.blake2b(os.path.abspath(root).encode(), digest_size=8).hexdigest()}.index"
