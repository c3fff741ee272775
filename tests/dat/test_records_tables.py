"""Clothing, sound, script and string tables and mappers, by hand from their layouts (dat-format.md 3.15 - 3.19)."""

from __future__ import annotations

import struct

import pytest

from engine.dat import DatError
from engine.dat.ids import DatKind, RecordType, id_type
from engine.dat.records import (
    Animation,
    AnimationFrame,
    ClothingBase,
    ClothingTable,
    DatRecord,
    DidMapper,
    EnumMapper,
    PaletteTemplate,
    PartChange,
    PhysicsScriptTable,
    ScriptChoice,
    ScriptEvent,
    SoundEntry,
    SoundEvent,
    SoundTable,
    StringEntry,
    StringTable,
    SubPalette,
    TextureChange,
    decode,
    describe,
    read_record,
    write_record,
)
from engine.dat.records.hooks import ReplaceObjectHook, SoundHook
from engine.dat.records.references import references

CLOTHING = """
01 00 00 10
01 00 20 00  4E 00 00 02  01 00 00 00
    09 00 00 00  B4 0B 00 01  01 00 00 00  11 00 00 05  12 00 00 05
02 00 08 00
    01 00 00 00  34 12 00 06  01 00 00 00  02 00 00 00  40 00 00 00  08 00 00 00  50 00 00 00  10 00 00 00  07 00 00 0F
    15 00 00 00  00 00 00 00  00 00 00 00"""

SOUNDS = """
01 00 00 20  00 00 00 00
01 00 00 00  EF BE AD DE  00 00 80 3F  00 00 00 3F  00 00 80 3E
01 00 10 00  05 00 00 00  01 00 00 00  33 00 00 0A  00 00 00 00  00 00 80 3F  00 00 40 3F  01 00 00 00"""

SCRIPTS = """
01 00 00 34  01 00 00 00  0E 00 00 00  02 00 00 00
    00 00 00 3F  11 00 00 33  00 00 80 3F  12 00 00 33"""

STRINGS = """
01 00 00 23  01 00 00 00  03  01  78 56 34 12
    01 00  01 6E 00  00 00  02 00 00 00  02 44 00 E9 00  00  00 00 00 00  00"""

NAMES = "01 00 00 22  02 00 00 22  01  02  00 00 00 00  04 4E 6F 6E 65  10 00 00 00  03 49 6E 74"

RECORDS = """
01 00 00 25  01  01  07 00 00 00  05 00 00 21  01  01  07 00 00 00  02 55 49  00  00  00  00"""

ONE_OF_EACH = [
    (
        CLOTHING,
        ClothingTable(
            0x10000001,
            32,
            {0x0200004E: ClothingBase([PartChange(9, 0x01000BB4, [TextureChange(0x05000011, 0x05000012)])])},
            8,
            {
                1: PaletteTemplate(0x06001234, [SubPalette([(0x40, 8), (0x50, 16)], 0x0F000007)]),
                0x15: PaletteTemplate(0, []),
            },
        ),
    ),
    (
        SOUNDS,
        SoundTable(
            0x20000001,
            0,
            [SoundEntry(0xDEADBEEF, 1.0, 0.5, 0.25)],
            16,
            {5: SoundEvent([SoundEntry(0x0A000033, 0.0, 1.0, 0.75)], 1)},
        ),
    ),
    (
        SCRIPTS,
        PhysicsScriptTable(
            0x34000001, {14: ScriptEvent([ScriptChoice(0.5, 0x33000011), ScriptChoice(1.0, 0x33000012)])}
        ),
    ),
    (STRINGS, StringTable(0x23000001, 1, 3, {0x12345678: StringEntry(["n"], [], ["Dé", ""], [])})),
    (NAMES, EnumMapper(0x22000001, 0x22000002, 1, {0: "None", 16: "Int"})),
    (RECORDS, DidMapper(0x25000001, 1, {7: 0x21000005}, 1, {7: "UI"})),
]


@pytest.mark.parametrize(("text", "record"), ONE_OF_EACH, ids=lambda each: type(each).__name__)
def test_a_table_by_hand_is_read_and_written(text: str, record: DatRecord) -> None:
    data = bytes.fromhex(text)
    record_id = int.from_bytes(data[:4], "little")
    assert decode(record_id, data, "client_portal.dat") == record
    assert write_record(record) == data
    for length in range(4, len(data)):
        with pytest.raises(DatError) as caught:
            read_record(type(record), data[:length], file="client_portal.dat", record_id=record_id)
        assert (caught.value.record_id, caught.value.in_record) == (record_id, True)
        assert caught.value.field
    with pytest.raises(DatError, match="the record ends here, but 1 more bytes follow"):
        decode(record_id, data + b"\0", "client_portal.dat")


@pytest.mark.parametrize(
    ("record_id", "kind"),
    [
        (0x10000001, RecordType.CLOTHING_TABLE),
        (0x20000001, RecordType.SOUND_TABLE),
        (0x22000001, RecordType.ENUM_MAPPER),
        (0x23000001, RecordType.STRING_TABLE),
        (0x24000001, RecordType.UI_OR_STRINGS),
        (0x25000000, RecordType.DID_MAPPER),
        (0x27000001, RecordType.MAPPER),
        (0x34000001, RecordType.PHYSICS_SCRIPT_TABLE),
    ],
)
def test_the_id_of_a_table_names_its_type(record_id: int, kind: RecordType) -> None:
    assert id_type(record_id) is kind
    assert id_type(record_id, DatKind.LOCAL) is kind


def test_a_name_longer_than_a_byte_can_say_has_a_compressed_length() -> None:
    record = EnumMapper(0x22000001, 0, 0, {1: "n" * 300})
    data = write_record(record)
    assert data[14:16] == bytes.fromhex("81 2C")
    assert read_record(EnumMapper, data, file="x", record_id=record.id) == record


def test_a_text_keeps_words_that_are_no_characters() -> None:
    """A half of a surrogate pair can be in a damaged text; JSON can hold it, and the same bytes are written."""
    words = struct.pack("<3H", 0xD800, 0x41, 0xDC00)
    head = bytes.fromhex("01 00 00 23  01 00 00 00  00  01  05 00 00 00  00 00  00 00  01 00 00 00  03")
    data = head + words + bytes(5)
    record = read_record(StringTable, data, file="x", record_id=0x23000001)
    assert record.strings[5].strings == ["\ud800A\udc00"]
    assert write_record(record) == data


def test_a_name_that_is_no_windows_1252_is_an_error_with_its_place() -> None:
    data = bytes.fromhex("01 00 00 22  00 00 00 00  00  01  05 00 00 00  02 41 81")
    with pytest.raises(DatError, match="0x81 is no Windows-1252 character") as caught:
        read_record(EnumMapper, data, file="x", record_id=0x22000001)
    assert (caught.value.offset, caught.value.field) == (16, "names[0]")
    with pytest.raises(DatError, match="is no Windows-1252 character"):
        write_record(EnumMapper(0x22000001, 0, 0, {5: "日"}))


def test_a_record_names_what_it_refers_to_with_the_field() -> None:
    (clothing, sounds, scripts, *_) = (record for _, record in ONE_OF_EACH)
    assert [tuple(found) for found in references(clothing)] == [
        ("bases[0x0200004E]", 0x0200004E),
        ("bases[0x0200004E].parts[0].model_id", 0x01000BB4),
        ("bases[0x0200004E].parts[0].textures[0].old_texture", 0x05000011),
        ("bases[0x0200004E].parts[0].textures[0].new_texture", 0x05000012),
        ("templates[1].icon", 0x06001234),
        ("templates[1].palettes[0].palette_set", 0x0F000007),
    ]
    assert [found.id for found in references(sounds)] == [0x0A000033]
    assert [found.id for found in references(scripts)] == [0x33000011, 0x33000012]
    hooks = AnimationFrame([], [SoundHook(1, 0x0A000001), ReplaceObjectHook(1, 2, 0x01000005)])
    assert [found.field for found in references(Animation(0x03000001, 0, 0, [], [hooks]))] == [
        "frames[0].hooks[0].wave_id",
        "frames[0].hooks[1].gfxobj_id",
    ]


def test_the_readable_form_of_a_table_has_its_names() -> None:
    (*_, strings, names, records) = (record for _, record in ONE_OF_EACH)
    assert describe(names)["names"] == {"0x00000000": "None", "0x00000010": "Int"}
    assert describe(records)["client_ids"] == {"0x00000007": "0x21000005"}
    assert '"Dé"' in str(describe(strings)).replace("'", '"')
