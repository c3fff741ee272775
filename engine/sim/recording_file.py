"""Recordings as files: a header with a version, sections, a checksum over all of it.

    8 bytes  CDRECORD
    4        version
    8        length of the sections
             sections: 4 letters, 8 bytes of length, content
    32       BLAKE2b of everything before

All numbers are little-endian. HEAD is JSON, EDIT has JSON in lines and its bytes in BLOB, the other sections are
binary; all but HASH are compressed. Nothing of a damaged file is used: the checksum is looked at first, and what it
lets through is checked as if anybody could have written it. No more is unpacked than the ticks need, and the hashes say
how many there are.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
import sys
import zlib
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from engine.dat.atomic import write_whole
from engine.dat.errors import DatError
from engine.files.cancelling import check_cancelled
from engine.files.errors import FileError
from engine.files.json_text import json_value
from engine.files.kinds import RECORDING
from engine.files.reading import open_regular, read_opened
from engine.files.unpacking import Unpacking, allowance
from engine.physics.errors import PhysicsError
from engine.sim.edits.catalogue import EDITS, edit_of, name_of, values_of
from engine.sim.edits.edit import Edit, EditValue
from engine.sim.errors import SimError
from engine.sim.recording import HASH_SIZE, INTEGERS, REALS, Recording
from engine.sim.tick.controls import Controls
from engine.sim.world_identity import ENTITIES, PLAYER
from engine.world.server.place import ServerPlace, read_server_place

MAGIC: Final = b"CDRECORD"
VERSION: Final = 1
_HEADER: Final = struct.Struct("<8sIQ")
_SECTION: Final = struct.Struct("<4sQ")
_KEYFRAME: Final = struct.Struct("<QII")
_COUNT: Final = struct.Struct("<I")
_RUN: Final = struct.Struct("<I3dBq")
"""Ticks with the same keys: how many, the three that have an amount, RUN | JUMP | LOOK, the entity used."""
_LOOK: Final = struct.Struct("<d")
"""Follows a row with LOOK: the degrees that the mouse turned in each of its ticks."""
CHECKSUM: Final = 32

MAX_TICKS: Final = 10_000_000
"""Almost four days."""
MAX_TICK: Final = 1 << 40
MAX_HEAD: Final = 1 << 22
MAX_EDITS: Final = 1 << 25
"""The text of all edits; `add_entity` and a drag's `place_entity` have 200 bytes."""
MAX_EDIT_COUNT: Final = 200_000
"""Two hours of dragging without a pause."""
MAX_EDIT: Final = 1 << 16
"""The text of one edit: an entity's specification is the longest."""
MAX_STATE: Final = 1 << 25
"""Each half of a snapshot, and each edit's bytes. The demo world's snapshots have 5 KB and 190 KB."""
_LINE_END: Final = b"\n"
_INTEGERS: Final = 1 << 63

_SAMPLE: Final = REALS * 8 + INTEGERS * 4

RUN: Final = 0x1
JUMP: Final = 0x2
LOOK: Final = 0x4

SECTIONS: Final = (b"HEAD", b"CTRL", b"BLOB", b"EDIT", b"HASH", b"SAMP", b"TAIL", b"KEYF")

_LANDBLOCK: Final = re.compile("0x[0-9A-F]{4}FFFF")

Json = dict[str, Any]


# --- writing


def save_recording(recording: Recording, path: Path) -> None:
    """Write the file as a whole or not at all."""
    try:
        write_whole(path, recording_bytes(recording))
    except DatError as error:
        raise SimError(error.reason, str(path)) from error


def recording_bytes(recording: Recording) -> bytes:
    """Return the contents of the file; raises a SimError for more than can be read again."""
    blobs: dict[bytes, int] = {}
    lines = list(_edit_lines(recording, blobs))
    edits = b"".join(lines)
    if len(lines) > MAX_EDIT_COUNT:
        raise SimError(f"cannot be kept: it has {len(lines):,} edits, more than {MAX_EDIT_COUNT:,}")
    if max(map(len, blobs), default=0) > MAX_STATE:
        raise SimError(f"cannot be kept: an edit has more than {MAX_STATE >> 20} MB")
    controls = _control_runs(recording.controls)
    kept = len(controls) + sum(map(len, blobs)) + len(edits) + len(recording) * _SAMPLE
    data = _whole_bytes(recording, controls, edits, [zlib.compress(blob) for blob in blobs])
    if kept > allowance(len(data)):  # compressed so well that unpacking would refuse it
        data = _whole_bytes(recording, controls, edits, [zlib.compress(blob, 0) for blob in blobs])
    if len(recording) > MAX_TICKS or len(data) + CHECKSUM > RECORDING.most:
        raise SimError(f"cannot be kept: {len(recording)} ticks in {len(data) >> 20} MB are too long a recording")
    return data + _checksum(data)


def _whole_bytes(recording: Recording, controls: bytes, edits: bytes, blobs: list[bytes]) -> bytes:
    """All but the checksum."""
    contents = (
        _packed("HEAD", _json(_head(recording)), MAX_HEAD),
        zlib.compress(controls),
        _listed(blobs),
        _packed("EDIT", edits, MAX_EDITS),
        bytes(recording.hashes),
        _packed_samples(recording),
        _listed(recording.keyframes.tails),
        _packed_keyframes(recording),
    )
    sections = b"".join(
        _SECTION.pack(name, len(content)) + content for name, content in zip(SECTIONS, contents, strict=True)
    )
    return _HEADER.pack(MAGIC, VERSION, len(sections)) + sections


def _checksum(data: bytes | memoryview) -> bytes:
    return hashlib.blake2b(data, digest_size=CHECKSUM).digest()


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def _packed(what: str, content: bytes, limit: int) -> bytes:
    if len(content) > limit:
        raise SimError(f"cannot be kept: {what} has more than {limit >> 20} MB")
    return zlib.compress(content)


def _head(recording: Recording) -> Json:
    server = {} if recording.server is None else {"server": recording.server.form()}
    return {
        "program": recording.program,
        "core": recording.core,
        "source": recording.source,
        "world": recording.world,
        **server,
        "identity": recording.identity,
        "first_tick": recording.first_tick,
        "ticks": len(recording),
        "start_hash": recording.start_hash.hex(),
        "player": recording.player_id,
    }


def _control_runs(controls: list[Controls]) -> bytes:
    runs = []
    start = 0
    for end in range(1, len(controls) + 1):
        if end == len(controls) or controls[end] != controls[start]:
            keys = controls[start]
            held = RUN * keys.run | JUMP * keys.jump | LOOK * (keys.look != 0.0)
            runs.append(_RUN.pack(end - start, keys.forward, keys.side_step, keys.turn, held, keys.use))
            if keys.look != 0.0:
                runs.append(_LOOK.pack(keys.look))
            start = end
    return b"".join(runs)


def _edit_lines(recording: Recording, blobs: dict[bytes, int]) -> Iterator[bytes]:
    """The number of the tick, the name and the arguments of each; bytes by their number among `blobs`."""
    for tick in sorted(recording.edits):
        for edit in recording.edits[tick]:
            name = name_of(edit)
            line = _json([tick, name, *(_argument_form(value, blobs) for value in values_of(edit))])
            if len(line) > MAX_EDIT:
                raise SimError(f"cannot be kept: {name} before tick {tick} has more than {MAX_EDIT >> 10} KB")
            yield line + b"\n"


def _argument_form(value: EditValue, blobs: dict[bytes, int]) -> object:
    if isinstance(value, bytes):
        return {"blob": blobs.setdefault(value, len(blobs))}
    if isinstance(value, int) and abs(value) >= _INTEGERS:
        raise SimError(f"cannot be kept: {value} is not a number for an edit")
    return value


def _packed_samples(recording: Recording) -> bytes:
    samples = recording.samples
    return zlib.compress(_little_endian(samples.reals).tobytes() + _little_endian(samples.integers).tobytes())


def _little_endian(values: array[Any]) -> array[Any]:
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values


def _listed(parts: list[bytes]) -> bytes:
    return b"".join([_COUNT.pack(len(parts)), *(_COUNT.pack(len(part)) + part for part in parts)])


def _packed_keyframes(recording: Recording) -> bytes:
    frames = recording.keyframes
    parts = [_COUNT.pack(len(frames))]
    for tick, tail, head in zip(frames.ticks, frames.tail_numbers, frames.heads, strict=True):
        parts.append(_KEYFRAME.pack(tick, tail, len(head)) + head)
    return b"".join(parts)


# --- reading


def load_recording(path: Path) -> Recording:
    """Load the recording of a file; raises a SimError with the reason when it cannot be used."""
    try:
        opened = open_regular(path)
        data = read_opened(opened, RECORDING) if opened.read_at(0, len(MAGIC)) == MAGIC else b""
    except FileError as error:
        raise SimError(error.reason, str(path)) from error
    return parse_recording(data, str(path))


def parse_recording(data: bytes, file: str) -> Recording:
    try:
        return _parse(data, Unpacking(file, len(data)))
    except (FileError, SimError) as error:
        raise SimError(error.reason, file) from error


def _parse(data: bytes, unpacking: Unpacking) -> Recording:
    sections = _sections(data)
    head = _Checked("HEAD", _json_value("HEAD", unpacking.keep("HEAD", sections[b"HEAD"], MAX_HEAD)))
    ticks = head.integer("ticks", 0, MAX_TICKS)
    if len(sections[b"HASH"]) != ticks * HASH_SIZE:
        raise SimError(f"has {len(sections[b'HASH'])} bytes of hashes for {ticks} ticks")
    recording = Recording(
        head.integer("first_tick", 0, MAX_TICK),
        head.digest("start_hash"),
        head.integer("player", 1, 0xFFFFFFFF),
        head.text("source"),
        head.text("world"),
    )
    recording.program = head.text("program")
    recording.core = head.text("core")
    recording.identity = head.identity("identity")
    recording.server = head.server("server")
    recording.controls = _read_controls(sections[b"CTRL"], ticks, unpacking)
    _read_edits(recording, sections[b"EDIT"], _read_blobs(sections[b"BLOB"], unpacking), unpacking)
    recording.hashes = bytearray(sections[b"HASH"])
    _read_samples(recording, sections[b"SAMP"], ticks, unpacking)
    _read_tails(recording, sections[b"TAIL"], unpacking)
    _read_keyframes(recording, sections[b"KEYF"], unpacking)
    return recording


def _sections(data: bytes) -> dict[bytes, memoryview]:
    """The sections by name, not copied, after everything that can be said of the file as a whole."""
    if len(data) < _HEADER.size or not data.startswith(MAGIC):
        raise SimError("is not a recording")
    _, version, length = _HEADER.unpack_from(data)
    if version != VERSION:
        raise SimError(f"is a recording of version {version}; this program reads version {VERSION}")
    wanted = _HEADER.size + length + CHECKSUM
    if len(data) < wanted:
        raise SimError(f"is cut off: {len(data)} of {wanted} bytes are there")
    if len(data) > wanted:
        raise SimError(f"goes on for {len(data) - wanted} bytes after its end")
    whole = memoryview(data)
    if _checksum(whole[:-CHECKSUM]) != data[-CHECKSUM:]:
        raise SimError("is damaged: its checksum does not fit")
    found: dict[bytes, memoryview] = {}
    at, end = _HEADER.size, len(data) - CHECKSUM
    while at < end:
        name, content, at = _section_at(whole, at, end)
        if name not in SECTIONS or name in found:
            raise SimError(f"has a section {name!r} too many")
        found[name] = content
    missing = [name.decode() for name in SECTIONS if name not in found]
    if missing:
        raise SimError(f"lacks {', '.join(missing)}")
    return found


def _section_at(data: memoryview, at: int, end: int) -> tuple[bytes, memoryview, int]:
    start = at + _SECTION.size
    if start > end:
        raise SimError("ends within a section")
    name, length = _SECTION.unpack_from(data, at)
    if start + length > end:
        raise SimError(f"ends within the section {name!r}")
    return name, data[start : start + length], start + length


def _json_value(what: str, text: bytes) -> object:
    try:
        return json_value(text, "")
    except FileError as error:
        raise SimError(f"{what} {error.reason}") from error


def _read_controls(packed: memoryview, ticks: int, unpacking: Unpacking) -> list[Controls]:
    controls: list[Controls] = []
    reader = _Reader("CTRL", memoryview(unpacking.keep("CTRL", packed, ticks * (_RUN.size + _LOOK.size))))
    while not reader.is_at_end:
        count, forward, side_step, turn, held, use = reader.values(_RUN)
        if not 1 <= count <= ticks - len(controls):
            raise SimError(f"CTRL does not hold the keys of {ticks} ticks")
        if held & ~(RUN | JUMP | LOOK):
            raise SimError("CTRL has a key that there is not")
        look = reader.values(_LOOK)[0] if held & LOOK else 0.0
        try:
            keys = Controls(forward, side_step, turn, bool(held & RUN), bool(held & JUMP), use, look)
        except PhysicsError as error:
            raise SimError(f"CTRL: {error}") from error
        controls.extend([keys] * count)
    if len(controls) != ticks:
        raise SimError(f"CTRL holds the keys of {len(controls)} ticks, not of {ticks}")
    return controls


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _read_blobs(data: memoryview, unpacking: Unpacking) -> list[bytes]:
    return [unpacking.keep("BLOB", packed, MAX_STATE) for packed in _read_list("BLOB", data)]


def _read_edits(recording: Recording, packed: memoryview, blobs: list[bytes], unpacking: Unpacking) -> None:
    text = unpacking.keep("EDIT", packed, MAX_EDITS)
    if text.count(_LINE_END) > MAX_EDIT_COUNT:
        raise SimError(f"has {text.count(_LINE_END):,} edits; at most {MAX_EDIT_COUNT:,} are read")
    at = 0
    while at < len(text):
        check_cancelled()
        end = text.find(b"\n", at)
        if not 0 <= end - at <= MAX_EDIT:
            raise SimError("EDIT has a line without an end")
        entry = _json_value("EDIT", text[at:end])
        if not isinstance(entry, list) or len(entry) < 2:
            raise SimError("EDIT has a line that is not an edit")
        tick, name = entry[:2]
        if not _is_whole(tick) or not recording.first_tick <= tick <= recording.end:
            raise SimError("EDIT has an edit of a tick that was not recorded")
        if not isinstance(name, str) or name not in EDITS:
            raise SimError(f"EDIT has the unknown edit {str(name)[:40]!r}")
        recording.edits.setdefault(tick, []).append(_read_edit(name, entry[2:], blobs))
        at = end + 1


def _read_edit(name: str, values: list[object], blobs: list[bytes]) -> Edit:
    try:
        return edit_of(name, [_read_argument(value, blobs) for value in values])
    except PhysicsError as error:
        raise SimError(f"EDIT has an edit that cannot be made: {error}") from error


def _read_argument(value: object, blobs: list[bytes]) -> EditValue:
    if isinstance(value, bool | str | float):
        return value
    if isinstance(value, int):
        if abs(value) < _INTEGERS:
            return value
    elif isinstance(value, dict):
        number = value.get("blob")
        if isinstance(number, int) and 0 <= number < len(blobs):
            return blobs[number]
    raise SimError("EDIT has an argument that no edit takes")


def _read_samples(recording: Recording, packed: memoryview, ticks: int, unpacking: Unpacking) -> None:
    samples = recording.samples
    reals = ticks * REALS * samples.reals.itemsize
    integers = ticks * INTEGERS * samples.integers.itemsize
    content = bytearray()
    found = 0
    for piece in unpacking.pieces("SAMP", packed, reals + integers):
        found += len(piece)
        content += piece
        if len(samples.reals) * samples.reals.itemsize < reals:
            _move(content, samples.reals, reals)
        if found > reals:
            _move(content, samples.integers, integers)
    if found != reals + integers:
        raise SimError(f"SAMP has {found} bytes for {ticks} ticks")
    samples.reals = _little_endian(samples.reals)
    samples.integers = _little_endian(samples.integers)


def _move(content: bytearray, values: array[Any], most: int) -> None:
    """The whole values at the beginning of the content into an array, which gets so many bytes in the end."""
    size = values.itemsize
    count = min(len(content), most - len(values) * size) // size * size
    values.frombytes(bytes(content[:count]))
    del content[:count]


class _Reader:
    """Goes through a binary section."""

    def __init__(self, what: str, data: memoryview) -> None:
        self.what = what
        self.data = data
        self.at = 0

    @property
    def is_at_end(self) -> bool:
        return self.at == len(self.data)

    def values(self, form: struct.Struct) -> tuple[Any, ...]:
        if self.at + form.size > len(self.data):
            raise SimError(f"{self.what} ends too early")
        self.at += form.size
        return form.unpack_from(self.data, self.at - form.size)

    def view(self, count: int) -> memoryview:
        if self.at + count > len(self.data):
            raise SimError(f"{self.what} ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def check_end(self) -> None:
        if not self.is_at_end:
            raise SimError(f"{self.what} is longer than what it holds")


def _read_list(what: str, data: memoryview) -> Iterator[memoryview]:
    reader = _Reader(what, data)
    for _ in range(reader.values(_COUNT)[0]):
        yield reader.view(reader.values(_COUNT)[0])
    reader.check_end()


def _read_tails(recording: Recording, data: memoryview, unpacking: Unpacking) -> None:
    for tail in _read_list("TAIL", data):
        unpacking.look_through("TAIL", tail, MAX_STATE)
        recording.keyframes.tails.append(bytes(tail))


def _read_keyframes(recording: Recording, data: memoryview, unpacking: Unpacking) -> None:
    frames = recording.keyframes
    reader = _Reader("KEYF", data)
    for _ in range(reader.values(_COUNT)[0]):
        tick, tail, size = reader.values(_KEYFRAME)
        head = bytes(reader.view(size))
        if tail >= len(frames.tails):
            raise SimError("KEYF names missing blobs")
        if not (frames.ticks[-1] if frames.ticks else recording.first_tick - 1) < tick <= recording.end:
            raise SimError("KEYF is not in the order of the ticks")
        unpacking.look_through("KEYF", head, MAX_STATE)
        frames.ticks.append(tick)
        frames.tail_numbers.append(tail)
        frames.heads.append(head)
    reader.check_end()
    if not frames.ticks or frames.ticks[0] != recording.first_tick:
        raise SimError("has no snapshot at its start")


class _Checked:
    """A JSON object whose values are asked for by type."""

    def __init__(self, what: str, value: object) -> None:
        if not isinstance(value, dict):
            raise SimError(f"{what} is not a JSON object")
        self.what = what
        self.value: Json = value

    def _get(self, name: str, fits: Callable[[Any], bool], wanted: str) -> Any:
        value = self.value.get(name)
        if not fits(value):
            raise SimError(f"{self.what}: {name} should be {wanted}")
        return value

    def integer(self, name: str, low: int, high: int) -> int:
        found: int = self._get(name, lambda v: _is_whole(v) and low <= v <= high, f"{low} to {high}")
        return found

    def text(self, name: str) -> str:
        found: str = self._get(name, _is_text, "a text")
        return found

    def server(self, name: str) -> ServerPlace | None:
        try:
            return read_server_place(self.value.get(name))
        except ValueError as error:
            raise SimError(f"{self.what}: {error}") from error

    def identity(self, name: str) -> dict[str, str]:
        found: dict[str, str] = self._get(name, _is_identity, "digests by landblock")
        return found

    def digest(self, name: str) -> bytes:
        try:
            digest = bytes.fromhex(self.text(name))
        except ValueError:
            digest = b""
        if len(digest) != HASH_SIZE:
            raise SimError(f"{self.what}: {name} is not a hash")
        return digest


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)


def _is_identity(value: object) -> bool:
    if not isinstance(value, dict) or not all(map(_is_text, value.values())):
        return False
    return all(name in (ENTITIES, PLAYER) or _LANDBLOCK.fullmatch(name) for name in value)
