"""Reads and writes whole records, by class or by id (dat-format.md 1.10).

A record is read whole and written with the same bytes, or `DatError` names the place that prevents it.
"""

from __future__ import annotations

import os
import zlib
from typing import Final, TypeVar

from engine.dat.codec.forms import FORMS
from engine.dat.codec.record import Record
from engine.dat.codec.stream import FORM, CodecError, Sink, Source
from engine.dat.errors import DatError
from engine.dat.ids import DatKind, RecordType, id_type
from engine.dat.records.base import DatRecord, UnknownRecord
from engine.dat.records.cells import ENV_CELL, LAND_BLOCK, LAND_BLOCK_INFO
from engine.dat.records.clothing import CLOTHING_TABLE
from engine.dat.records.effects import PHYSICS_SCRIPT_TABLE, SOUND_TABLE
from engine.dat.records.mesh import DEGRADE_INFO, ENVIRONMENT, GFX_OBJ
from engine.dat.records.motion import ANIMATION, MOTION_TABLE, PHYSICS_SCRIPT
from engine.dat.records.names import DID_MAPPER, ENUM_MAPPER, STRING_TABLE
from engine.dat.records.particles import PARTICLE_EMITTER
from engine.dat.records.region import REGION
from engine.dat.records.scene import SCENE, WAVE
from engine.dat.records.setup import SETUP
from engine.dat.records.textures import PALETTE, PALETTE_SET, RENDER_SURFACE, SURFACE, SURFACE_TEXTURE

RecordT = TypeVar("RecordT", bound=DatRecord)

FilePath = str | os.PathLike[str]

IN_MEMORY: Final = "memory"
"""The file name that errors give to a record outside of any file."""

DESCRIPTIONS: Final[dict[RecordType, Record]] = {
    RecordType.LAND_BLOCK: LAND_BLOCK,
    RecordType.LAND_BLOCK_INFO: LAND_BLOCK_INFO,
    RecordType.ENV_CELL: ENV_CELL,
    RecordType.GFX_OBJ: GFX_OBJ,
    RecordType.SETUP: SETUP,
    RecordType.ANIMATION: ANIMATION,
    RecordType.PALETTE: PALETTE,
    RecordType.SURFACE_TEXTURE: SURFACE_TEXTURE,
    RecordType.RENDER_SURFACE: RENDER_SURFACE,
    RecordType.SURFACE: SURFACE,
    RecordType.MOTION_TABLE: MOTION_TABLE,
    RecordType.WAVE: WAVE,
    RecordType.ENVIRONMENT: ENVIRONMENT,
    RecordType.PALETTE_SET: PALETTE_SET,
    RecordType.DEGRADE_INFO: DEGRADE_INFO,
    RecordType.SCENE: SCENE,
    RecordType.REGION: REGION,
    RecordType.PARTICLE_EMITTER: PARTICLE_EMITTER,
    RecordType.PHYSICS_SCRIPT: PHYSICS_SCRIPT,
    RecordType.CLOTHING_TABLE: CLOTHING_TABLE,
    RecordType.SOUND_TABLE: SOUND_TABLE,
    RecordType.ENUM_MAPPER: ENUM_MAPPER,
    RecordType.STRING_TABLE: STRING_TABLE,
    RecordType.DID_MAPPER: DID_MAPPER,
    RecordType.PHYSICS_SCRIPT_TABLE: PHYSICS_SCRIPT_TABLE,
}
"""The types of record that have a description; those of all others stay bytes."""

_BY_CLASS: Final[dict[type[DatRecord], Record]] = {record.cls: record for record in DESCRIPTIONS.values()}


def record_class_for(record_id: int, kind: DatKind = DatKind.PORTAL) -> type[DatRecord] | None:
    """The class of the record with this id in a database of this kind; None for those that stay bytes."""
    description = DESCRIPTIONS.get(id_type(record_id, kind))
    return None if description is None else description.cls


def description_of(record: DatRecord) -> Record:
    """What reads and writes records of this class."""
    return _BY_CLASS[type(record)]


def decode(record_id: int, data: bytes, file: FilePath, kind: DatKind = DatKind.PORTAL) -> DatRecord | UnknownRecord:
    """The record of a database of this kind, as the class that its id asks for."""
    cls = record_class_for(record_id, kind)
    if cls is None:
        return UnknownRecord(record_id, bytes(data))
    return read_record(cls, data, file=file, record_id=record_id)


def read_record(cls: type[RecordT], data: bytes, *, file: FilePath, record_id: int) -> RecordT:
    """All of `data` as a record of this class; `file` and `record_id` are where it comes from."""
    source = Source(bytes(data))
    try:
        record = _read_in_its_form(_BY_CLASS[cls], source)
    except CodecError as error:
        raise DatError(file, record_id, error.offset, error.field() or None, error.reason, in_record=True) from None
    assert isinstance(record, cls)
    # Only a Surface has no id in the record (3).
    said = getattr(record, "id", record_id)
    if said != record_id:
        raise DatError(file, record_id, 0, "id", f"the record says that it is 0x{said:08X}", in_record=True)
    record.oddities = source.oddities
    return record


def _read_in_its_form(codec: Record, source: Source) -> object:
    """All of the source, which stays at the form that explains it; if none does, the error is that of the usual one."""
    try:
        return _read_whole(codec, source)
    except CodecError:
        if not source.has_forms:
            raise
        for form in FORMS[1:]:
            other = Source(source.data)
            other.form = form
            try:
                record = _read_whole(codec, other)
            except CodecError:
                continue
            source.oddities = {**other.oddities, FORM: bytes([form])}
            return record
        raise


def _read_whole(codec: Record, source: Source) -> object:
    record = codec.read(source, None)
    if source.offset != source.end:
        raise CodecError(source.offset, f"the record ends here, but {source.end - source.offset} more bytes follow")
    return record


def write_record(record: DatRecord | UnknownRecord, file: FilePath = IN_MEMORY) -> bytes:
    """The bytes of a record; for one that has been read and not changed, the bytes it was read from."""
    if isinstance(record, UnknownRecord):
        return record.data
    sink = Sink(record.oddities)
    try:
        _BY_CLASS[type(record)].write(sink, record, None)
    except CodecError as error:
        offset = error.offset if error.offset >= 0 else len(sink.data)
        record_id = getattr(record, "id", None)
        raise DatError(file, record_id, offset, error.field() or None, error.reason, in_record=True) from None
    sink.restore_signalling()
    return bytes(sink.data)


def describe(record: DatRecord | UnknownRecord) -> dict[str, object]:
    """All fields as dicts, lists, numbers and strings that JSON can hold, ids as "0x0D000123".

    Pixels, sounds and unknown records appear as length and checksum only.
    """
    if isinstance(record, UnknownRecord):
        return {"id": f"0x{record.id:08X}", "bytes": len(record.data), "crc32": f"0x{zlib.crc32(record.data):08X}"}
    described = _BY_CLASS[type(record)].layout.describe(record)
    if record.oddities:
        described["oddities"] = {str(place): found.hex() for place, found in record.oddities.items()}
    return described
