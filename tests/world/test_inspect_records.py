"""`inspect` of records: what they hold, and which other records they refer to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.dat.ids import DatKind
from engine.dat.records import (
    ClothingBase,
    ClothingTable,
    EnumMapper,
    PaletteTemplate,
    PartChange,
    PhysicsScriptTable,
    PixelFormat,
    RenderSurface,
    ScriptChoice,
    ScriptEvent,
    SoundEntry,
    SoundEvent,
    SoundTable,
    StringEntry,
    StringTable,
    SubPalette,
    TextureChange,
    write_record,
)
from engine.dat.writer import write_database
from tests.world.loader.scenes import scene_records, two_rooms, write_folder
from tests.world.test_inspect import as_json, as_text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    portal, cell = scene_records(two_rooms())
    parts = [PartChange(0, 0x01000001, [TextureChange(0x05000001, 0x05000002)]), PartChange(1, 0x01000001, [])]
    dyes = {1: PaletteTemplate(0x06000001, [SubPalette([(64, 8)], 0x0F000001)])}
    portal[0x10000001] = ClothingTable(0x10000001, 8, {0x02000002: ClothingBase(parts)}, 8, dyes)
    sounds = [SoundEntry(0x0A000001, 0.0, 1.0, 1.0)]
    portal[0x20000001] = SoundTable(0x20000001, 0, [], 8, {3: SoundEvent(sounds, 0)})
    portal[0x34000001] = PhysicsScriptTable(0x34000001, {14: ScriptEvent([ScriptChoice(1.0, 0x33000001)])})
    portal[0x22000001] = EnumMapper(0x22000001, 0x22000002, 0, {1: "Undead", 2: "Human"})
    write_folder(tmp_path, portal, cell)
    strings = StringTable(0x23000001, 1, 0, {0x12345678: StringEntry([], [], ["Open the door"], [])})
    write_database(tmp_path / DatKind.LOCAL.file_name, DatKind.LOCAL, [(strings.id, write_record(strings))])
    return tmp_path


def refers_to(data: dict[str, Any]) -> list[tuple[str, str, bool, int]]:
    return [(row["id"], row["type"], row["there"], row["times"]) for row in data["refers to"]]


def test_a_clothing_table_names_its_setups_meshes_textures_and_palettes(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    data = as_json(capsys, folder, "0x10000001")
    assert (data["type"], data["id"]) == ("ClothingTable", "0x10000001")
    assert data["bases"]["0x02000002"]["parts"][0]["textures"][0]["new_texture"] == "0x05000002"
    assert refers_to(data) == [
        ("0x02000002", "Setup", True, 1),
        ("0x01000001", "GfxObj", True, 2),
        ("0x05000001", "SurfaceTexture", False, 1),
        ("0x05000002", "SurfaceTexture", False, 1),
        ("0x06000001", "RenderSurface", False, 1),
        ("0x0F000001", "PaletteSet", False, 1),
    ]
    text = as_text(capsys, folder, "0x10000001")
    assert "refers to (6)\n" in text
    assert "0x01000001  GfxObj          yes        2  bases[0x02000002].parts[0].model_id" in text


@pytest.mark.parametrize(
    ("wanted", "kind", "refers"),
    [
        ("0x20000001", "SoundTable", [("0x0A000001", "Wave", False, 1)]),
        ("0x34000001", "PhysicsScriptTable", [("0x33000001", "PhysicsScript", False, 1)]),
        ("0x22000001", "EnumMapper", [("0x22000002", "EnumMapper", False, 1)]),
    ],
)
def test_a_table_names_what_it_refers_to(
    capsys: pytest.CaptureFixture[str], folder: Path, wanted: str, kind: str, refers: list[tuple[str, str, bool, int]]
) -> None:
    data = as_json(capsys, folder, wanted)
    assert (data["type"], data["id"]) == (kind, wanted)
    assert refers_to(data) == refers


def test_the_names_of_an_enumeration_and_the_texts_of_the_language_are_shown(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    assert "0x00000002 Human" in as_text(capsys, folder, "0x22000001")
    text = as_text(capsys, folder, "0x23000001")
    assert "StringTable" in text
    assert "Open the door" in text
    assert as_json(capsys, folder)["records"]["StringTable"] == 1


def test_a_setup_says_what_it_refers_to_beside_its_parts(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    place, data = as_json(capsys, folder, "0x02000002")
    assert (place["type"], data["type"]) == ("cell", "Setup")
    assert refers_to(data)[0][1:3] == ("GfxObj", True)


def test_a_jpeg_has_the_size_that_is_in_it(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    portal, cell = scene_records(two_rooms())
    frame = bytes.fromhex("FFD8 FFC0 000B 08 0003 0005 01 011100")
    portal[0x06000001] = RenderSurface(0x06000001, 6, 64, 64, PixelFormat.RAW_JPEG, frame)
    write_folder(folder, portal, cell)
    data = as_json(capsys, folder, "0x06000001")
    assert (data["format"], data["size"], data["record"]["width"]) == ("RAW_JPEG", "5 x 3", 64)


def test_an_unreadable_text_table_is_a_fault_of_the_check(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    write_database(folder / DatKind.LOCAL.file_name, DatKind.LOCAL, [(0x23000001, bytes.fromhex("01000023 01"))])
    data = as_json(capsys, folder, "0x23000001")
    assert (data["type"], data["id"]) == ("unreadable record", "0x23000001")
    assert "client_local_English.dat, record 0x23000001, offset 0x4" in data["reason"]
