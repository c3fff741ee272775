"""Whole records: reading returns what was written, with the same bytes, for anything that the descriptions allow."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dat import DatError
from engine.dat.ids import DatKind, RecordType
from engine.dat.records import (
    EnvCell,
    GfxObj,
    LandBlock,
    LandBlockInfo,
    PaletteSet,
    ParticleEmitter,
    PhysicsScript,
    Surface,
    UnknownRecord,
    decode,
    describe,
    read_record,
    record_class_for,
    write_record,
)
from engine.dat.records.catalogue import DESCRIPTIONS
from engine.dat.records.hooks import HOOK, NoOpHook
from engine.dat.records.motion import ScriptEntry
from tests.dat.record_maker import RECORD_TYPES, RecordMaker, id_of


@pytest.mark.parametrize("record_type", RECORD_TYPES, ids=lambda each: each.name)
@given(chooser=st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_a_record_is_read_as_it_was_written_and_written_as_it_was_read(
    record_type: RecordType, chooser: random.Random
) -> None:
    record = RecordMaker(chooser).make(record_type)
    data = write_record(record)
    again = read_record(type(record), data, file="portal", record_id=id_of(record))
    assert describe(again) == describe(record)
    assert again.oddities == {}
    assert write_record(again) == data


@pytest.mark.parametrize("record_type", RECORD_TYPES, ids=lambda each: each.name)
def test_a_record_with_long_lists_and_deep_trees_keeps_its_bytes(record_type: RecordType) -> None:
    chooser = random.Random(record_type.name)
    for _ in range(12):
        record = RecordMaker(chooser, longest=12, deepest=9).make(record_type)
        data = write_record(record)
        again = read_record(type(record), data, file="portal", record_id=id_of(record))
        assert describe(again) == describe(record)
        assert write_record(again) == data


@pytest.mark.parametrize("record_type", RECORD_TYPES, ids=lambda each: each.name)
def test_the_readable_form_is_json_and_names_every_field(record_type: RecordType) -> None:
    record = RecordMaker(random.Random(5)).make(record_type)
    described = describe(record)
    assert json.loads(json.dumps(described, allow_nan=False)) == described
    assert set(described) == set(DESCRIPTIONS[record_type].layout.names)


def test_the_readable_form_shows_ids_in_hexadecimal_and_pixels_by_length() -> None:
    cell = RecordMaker(random.Random(1)).make(RecordType.ENV_CELL)
    assert isinstance(cell, EnvCell)
    cell.id, cell.environment = 0xA9B40100, 0x1F
    assert describe(cell)["id"] == "0xA9B40100"
    assert describe(cell)["environment"] == "0x001F"
    image = RecordMaker(random.Random(1)).make(RecordType.RENDER_SURFACE)
    assert set(dict(describe(image))) >= {"width", "height", "data"}
    data = describe(image)["data"]
    assert isinstance(data, dict)
    assert set(data) == {"bytes", "crc32"}


def test_id_and_database_determine_the_class_of_a_record() -> None:
    assert record_class_for(0x01000001) is GfxObj
    assert record_class_for(0x0100FFFF) is GfxObj
    assert record_class_for(0x0100FFFF, DatKind.CELL) is LandBlock
    assert record_class_for(0xA9B4FFFE, DatKind.CELL) is LandBlockInfo
    assert record_class_for(0xA9B40100, DatKind.CELL) is EnvCell
    assert record_class_for(0x08000001) is Surface
    assert record_class_for(0x32000001) is ParticleEmitter
    assert record_class_for(0x33000001) is PhysicsScript
    assert record_class_for(0x0E000004) is None


def test_a_record_of_an_unknown_type_stays_bytes() -> None:
    record = decode(0x31000001, b"\x01\x00\x00\x31rest", "client_portal.dat")
    assert record == UnknownRecord(0x31000001, b"\x01\x00\x00\x31rest")
    assert write_record(record) == b"\x01\x00\x00\x31rest"
    assert describe(record)["bytes"] == 8


def test_decode_reads_by_id() -> None:
    data = write_record(PaletteSet(0x0F000001, [0x04000001]))
    assert decode(0x0F000001, data, "client_portal.dat") == PaletteSet(0x0F000001, [0x04000001])


def test_a_record_under_an_id_other_than_its_own_is_an_error() -> None:
    data = write_record(PaletteSet(0x0F000001, []))
    with pytest.raises(DatError, match="says that it is 0x0F000001") as caught:
        read_record(PaletteSet, data, file="client_portal.dat", record_id=0x0F000002)
    assert (caught.value.field, caught.value.offset) == ("id", 0)


def test_bytes_after_the_end_of_a_record_are_an_error() -> None:
    data = write_record(PaletteSet(0x0F000001, [])) + b"\x00"
    with pytest.raises(DatError, match="1 more bytes follow") as caught:
        read_record(PaletteSet, data, file="client_portal.dat", record_id=0x0F000001)
    assert (caught.value.offset, caught.value.in_record) == (8, True)


def test_every_truncation_of_a_record_is_an_error_with_an_offset() -> None:
    for record_type in RECORD_TYPES:
        record = RecordMaker(random.Random(record_type.name)).make(record_type)
        data = write_record(record)
        for length in range(0, len(data), 1 if len(data) < 400 else 17):
            with pytest.raises(DatError) as caught:
                read_record(type(record), data[:length], file="some.dat", record_id=id_of(record))
            error = caught.value
            assert (error.file, error.record_id, error.in_record) == ("some.dat", id_of(record), True)
            assert error.field
            assert error.offset is not None
            assert error.offset <= length


def test_there_is_a_class_for_every_hook_type() -> None:
    assert sorted(HOOK.choices) == list(range(27))
    assert len(HOOK.numbers) == 27


def test_an_unknown_hook_type_is_an_error_as_its_length_is_unknown() -> None:
    data = bytearray(write_record(PhysicsScript(0x33000001, [ScriptEntry(0.0, NoOpHook(0))])))
    data[16] = 27
    with pytest.raises(DatError, match="hook type 27 is not known") as caught:
        read_record(PhysicsScript, bytes(data), file="x", record_id=0x33000001)
    assert (caught.value.offset, caught.value.field) == (16, "entries[0].hook")
