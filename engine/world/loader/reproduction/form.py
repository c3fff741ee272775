"""Reproductions as files: a text for people, sections, a checksum over all of it.

    text     "Cellar Door reproduction VERSION", what it holds and from where, an end mark (`heading`)
    8 bytes  length of the sections
             sections: 4 letters, 8 bytes of length, content
    32       BLAKE2b of everything before

All numbers are little-endian, all sections but MOVE are compressed. The same content makes the same bytes. Nothing of a
damaged file is used: the checksum is looked at first, and what it lets through is checked as if anybody could have
written it. No name in it is ever used as a path.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Callable
from typing import Final

from engine.files.cancelling import check_cancelled
from engine.files.errors import FileError
from engine.files.kinds import CAPTURE as CAPTURE_KIND
from engine.files.kinds import MB, REPRODUCTION, WORLD_JSON
from engine.files.unpacking import SMALL, Unpacking
from engine.world.faults import WorldError
from engine.world.loader.names_file import names_bytes, parse_names
from engine.world.loader.reproduction.content import CAPTURE, DATABASES, RECORDS, Head, RecordKey, Reproduction
from engine.world.loader.reproduction.entity_lines import entity_lines, read_entity_lines
from engine.world.loader.reproduction.head_form import MAX_HEAD, head_bytes, read_head
from engine.world.loader.reproduction.heading import END, FIRST_LINE, MAX_HEADING, VERSION, heading
from engine.world.names import NameKey

SECTIONS: Final = (b"HEAD", b"RECS", b"TEXS", b"FILE", b"ENTS", b"NAME", b"COLS", b"MOVE")
_LENGTH: Final = struct.Struct("<Q")
_SECTION: Final = struct.Struct("<4sQ")
_COUNT: Final = struct.Struct("<I")
_ENTRY: Final = struct.Struct("<BIQ")
"""The database, the id and the size of a record."""
_COLOUR: Final = struct.Struct("<II")
CHECKSUM: Final = 32

MAX_RECORDS: Final = 300_000
MAX_FILES: Final = 20_000
MAX_COLOURS: Final = 100_000
MAX_NAMES: Final = 4 * MB
MAX_ENTITIES: Final = 32 * MB
GROWTH: Final = 5
"""The limit on all that is unpacked as a multiple of the file's size: it is in memory twice for a moment."""
SMALL_KEPT: Final = 96 * MB
"""What a file of less than 5 MB may unpack to: a recording in it may take as much again."""
SMALL_JSON: Final = 12 * MB
"""Bytes of JSON in a small file; parsed they take nine times that."""


def sections_of(content: Reproduction) -> dict[bytes, bytes]:
    """The sections before they are compressed."""
    head = content.head
    return {
        b"HEAD": head_bytes(head),
        b"RECS": _table(content.records),
        b"TEXS": _table(content.textures),
        b"FILE": _file_list(content.files),
        b"ENTS": entity_lines(content),
        b"NAME": names_bytes(head.world, content.names),
        b"COLS": b"".join(_COLOUR.pack(key, content.colours[key]) for key in sorted(content.colours)),
        b"MOVE": content.moves,
    }


def reproduction_bytes(content: Reproduction, pack: Callable[[bytes], bytes] = zlib.compress) -> bytes:
    """The content of the file; raises a WorldError for more than can be read again."""
    plain = sections_of(content)
    limits = ((b"HEAD", MAX_HEAD), (b"NAME", MAX_NAMES), (b"ENTS", MAX_ENTITIES))
    for name, most in limits:
        if len(plain[name]) > most:
            raise WorldError(f"cannot be kept: {name.decode()} has more than {most // MB} MB")
    for what, count, most in (
        ("records", len(content.records) + len(content.textures), MAX_RECORDS),
        ("files", len(content.files), MAX_FILES),
        ("textures", len(content.colours), MAX_COLOURS),
    ):
        if count > most:
            raise WorldError(f"cannot be kept: {count:,} {what} are more than the {most:,} that it may have")
    packs = {name for name in SECTIONS if name != b"MOVE" or content.head.moves == CAPTURE}
    data = _joined(content.head, {name: pack(plain[name]) if name in packs else plain[name] for name in SECTIONS})
    if sum(len(plain[name]) for name in packs) > _kept(len(data)) or len(plain[b"FILE"]) > _json(len(data)):
        stored = {name: zlib.compress(plain[name], 0) if name in packs else plain[name] for name in SECTIONS}
        data = _joined(content.head, stored)  # compressed so well that unpacking would refuse it
    if len(data) + CHECKSUM > REPRODUCTION.most:
        raise WorldError(f"cannot be kept: {len(data) // MB:,} MB are more than the {REPRODUCTION.most // MB:,} MB")
    return data + _checksum(data)


def _joined(head: Head, sections: dict[bytes, bytes]) -> bytes:
    body = b"".join(_SECTION.pack(name, len(sections[name])) + sections[name] for name in SECTIONS)
    return heading(head) + _LENGTH.pack(len(body)) + body


def _checksum(data: bytes | memoryview) -> bytes:
    return hashlib.blake2b(data, digest_size=CHECKSUM).digest()


def _kept(size: int) -> int:
    return SMALL_KEPT if size < SMALL else GROWTH * size


def _json(size: int) -> int:
    return max(SMALL_JSON, size)


def _table(records: dict[RecordKey, bytes]) -> bytes:
    keys = sorted(records, key=lambda key: (DATABASES.index(key[0]), key[1]))
    table = [_ENTRY.pack(DATABASES.index(database), id_, len(records[database, id_])) for database, id_ in keys]
    return b"".join([_COUNT.pack(len(keys)), *table, *(records[key] for key in keys)])


def _file_list(files: list[tuple[str, bytes]]) -> bytes:
    parts = [_COUNT.pack(len(files))]
    for name, data in files:
        encoded = name.encode()
        parts.append(_COUNT.pack(len(encoded)) + _LENGTH.pack(len(data)) + encoded + data)
    return b"".join(parts)


# --- reading


def parse_reproduction(data: bytes, file: str) -> Reproduction:
    """The content of a file; raises a WorldError that names the file and the part."""
    try:
        return _parse(data, file)
    except (FileError, WorldError) as error:
        raise WorldError(error.reason, file) from error


def _parse(data: bytes, file: str) -> Reproduction:
    sections = _sections(data)
    unpacking = Unpacking(file, len(data))
    unpacking.left = _kept(len(data))
    head = read_head(unpacking.keep("HEAD", sections[b"HEAD"], MAX_HEAD))
    records = _read_table("RECS", unpacking.keep("RECS", sections[b"RECS"], unpacking.left))
    textures = _read_table("TEXS", unpacking.keep("TEXS", sections[b"TEXS"], unpacking.left))
    files = _read_files(unpacking.keep("FILE", sections[b"FILE"], _json(len(data))))
    if (head.form == RECORDS) == bool(files):
        raise WorldError(f"FILE has {len(files)} files, for a world kept as {head.form}")
    if records.keys() & textures.keys():
        raise WorldError("TEXS has a record that RECS has too")
    entities = read_entity_lines(unpacking.keep("ENTS", sections[b"ENTS"], MAX_ENTITIES))
    names = _read_names(unpacking.keep("NAME", sections[b"NAME"], MAX_NAMES))
    colours = _read_colours(unpacking.keep("COLS", sections[b"COLS"], MAX_COLOURS * _COLOUR.size))
    moves = bytes(sections[b"MOVE"])
    if head.moves == CAPTURE:
        moves = unpacking.keep("MOVE", sections[b"MOVE"], CAPTURE_KIND.most)
    return Reproduction(
        head, moves, records, textures, files, entities.listed, entities.blocks, entities.sources, colours, names
    )


def _sections(data: bytes) -> dict[bytes, memoryview]:
    """The sections by name, after everything that can be said of the file as a whole."""
    title = FIRST_LINE.match(data[:100])
    if title is None:
        raise WorldError("is not a reproduction")
    if int(title[1]) != VERSION:
        raise WorldError(f"is a reproduction of version {int(title[1])}; this program reads version {VERSION}")
    at = data.find(END, 0, MAX_HEADING)
    if at < 0:
        raise WorldError("is damaged: its text has no end")
    start = at + len(END) + _LENGTH.size
    if len(data) < start:
        raise WorldError("is cut off after its text")
    (length,) = _LENGTH.unpack_from(data, start - _LENGTH.size)
    wanted = start + length + CHECKSUM
    if len(data) < wanted:
        raise WorldError(f"is cut off: {len(data):,} of {wanted:,} bytes are there")
    if len(data) > wanted:
        raise WorldError(f"goes on for {len(data) - wanted:,} bytes after its end")
    whole = memoryview(data)
    if _checksum(whole[:-CHECKSUM]) != data[-CHECKSUM:]:
        raise WorldError("is damaged: its checksum does not fit")
    found: dict[bytes, memoryview] = {}
    at, end = start, len(data) - CHECKSUM
    for wanted_name in SECTIONS:
        if at + _SECTION.size > end:
            raise WorldError(f"lacks the section {wanted_name.decode()}")
        name, size = _SECTION.unpack_from(data, at)
        at += _SECTION.size
        if name != wanted_name or at + size > end:
            raise WorldError(f"has no whole section {wanted_name.decode()} where it should be")
        found[name] = whole[at : at + size]
        at += size
    if at != end:
        raise WorldError("has a section too many")
    return found


def _read_table(what: str, data: bytes) -> dict[RecordKey, bytes]:
    count = _first_count(what, data)
    if count > MAX_RECORDS:
        raise WorldError(f"{what} has {count:,} records; at most {MAX_RECORDS:,} are read")
    at = _COUNT.size + count * _ENTRY.size
    if at > len(data):
        raise WorldError(f"{what} ends within its list of records")
    found: dict[RecordKey, bytes] = {}
    last = (-1, -1)
    for number in range(count):
        if number % 1000 == 0:
            check_cancelled()
        database, id_, size = _ENTRY.unpack_from(data, _COUNT.size + number * _ENTRY.size)
        if not last < (database, id_) or database >= len(DATABASES):
            raise WorldError(f"{what} is not in the order of its ids")
        if at + size > len(data):
            raise WorldError(f"{what} ends within the record 0x{id_:08X}")
        last = (database, id_)
        found[DATABASES[database], id_] = data[at : at + size]
        at += size
    if at != len(data):
        raise WorldError(f"{what} is longer than what it lists")
    return found


def _read_files(data: bytes) -> list[tuple[str, bytes]]:
    count = _first_count("FILE", data)
    if count > MAX_FILES:
        raise WorldError(f"FILE has {count:,} files; at most {MAX_FILES:,} are read")
    found: list[tuple[str, bytes]] = []
    at = _COUNT.size
    for _ in range(count):
        begin = at + _COUNT.size + _LENGTH.size
        if begin > len(data):
            raise WorldError("FILE ends too early")
        (name_size,) = _COUNT.unpack_from(data, at)
        (size,) = _LENGTH.unpack_from(data, at + _COUNT.size)
        at = begin + name_size + size
        if name_size > 1000 or size > WORLD_JSON.most or at > len(data):
            raise WorldError("FILE has a file that is not whole")
        try:
            name = data[begin : begin + name_size].decode()
        except UnicodeDecodeError as error:
            raise WorldError("FILE has a name that is no text") from error
        found.append((name, data[begin + name_size : at]))
    if at != len(data):
        raise WorldError("FILE is longer than what it lists")
    return found


def _first_count(what: str, data: bytes) -> int:
    if len(data) < _COUNT.size:
        raise WorldError(f"{what} ends too early")
    (count,) = _COUNT.unpack_from(data, 0)
    return int(count)


def _read_names(data: bytes) -> dict[NameKey, str]:
    try:
        return parse_names(data, "NAME").names
    except WorldError as error:
        raise WorldError(f"NAME: {error.key or 'it'} {error.reason}") from error


def _read_colours(data: bytes) -> dict[int, int]:
    if len(data) % _COLOUR.size:
        raise WorldError("COLS ends within a colour")
    return dict(_COLOUR.iter_unpack(data))
