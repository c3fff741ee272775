"""`stabs` in a terminal: which lists differ, why, and the data files with new ones."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from cellar_door.main import ERROR, main
from engine.dat.database import DatDatabase
from engine.dat.datafolder import DatFolder
from engine.dat.ids import DatKind
from engine.dat.records import EnvCell
from engine.dat.records.catalogue import read_record, write_record
from engine.dat.writer import rewrite_database
from tests.editor.export.small_exports import cottage
from tests.world.loader.scenes import two_rooms

HALL = 0xC95B0100


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    return cottage().build().write(tmp_path / "sound")


@pytest.fixture
def source(sound: Path, tmp_path: Path) -> Path:
    """The same with the hall's list emptied and a room that is not there put into it."""
    folder = tmp_path / "source"
    shutil.copytree(sound, folder)
    change_list(folder, HALL, [0x01F3])
    return folder


def change_list(folder: Path, cell_id: int, listed: list[int]) -> None:
    file = folder / DatKind.CELL.file_name
    with DatDatabase.open(file) as database:
        record = read_record(EnvCell, database.read(cell_id), file=database.file, record_id=cell_id)
        record.visible_cells = listed
        data = write_record(record, database.file)
    rewrite_database(file, file, {cell_id: data})


def said(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> str:
    assert main([str(word) for word in words]) == code
    printed = capsys.readouterr()
    return printed.err if code == ERROR else printed.out


def loaded(text: str) -> Any:
    return json.loads(text)


def entries(folder: Path, cell_id: int) -> list[int]:
    with DatFolder(folder) as files:
        data = files.cell.read(cell_id)
        return read_record(EnvCell, data, file=files.cell.file, record_id=cell_id).visible_cells


def test_a_sound_world_has_no_list_that_differs(capsys: pytest.CaptureFixture[str], sound: Path) -> None:
    assert said(capsys, "stabs", sound).startswith("no stab list of ")


def test_each_entry_is_told_with_the_eye_that_sees_it(capsys: pytest.CaptureFixture[str], source: Path) -> None:
    lines = said(capsys, "stabs", source, code=1).splitlines()
    assert lines[0].startswith("0xC95B0100 lists 1 cell and should list ")
    assert any(line.startswith("    + 0xC95B0101  the eye ") and "portal" in line for line in lines)
    assert "    - 0xC95B01F3  the landblock has no such room" in lines
    assert lines[-1].startswith("1 stab list of ")


def test_the_eye_that_is_told_sees_the_cell_with_lists_ignored(
    capsys: pytest.CaptureFixture[str], source: Path
) -> None:
    output = loaded(said(capsys, "stabs", source, "--json", code=1))
    (each,) = output["lists"]
    assert each["cell"] == "0xC95B0100"
    for added in each["added"]:
        eye = ",".join(map(str, added["eye"]))
        words = ["--cell", each["cell"], "--eye", eye, "--heading", added["heading"], "--pitch", added["pitch"]]
        seen = loaded(said(capsys, "visible", source, *words, "--ignore-stab-list", "--json"))
        assert any(added["cell"] in name for name in seen["beyond_stab_list"])
        assert "neighbour is not in the stab list" in said(capsys, "visible", source, *words)


@pytest.mark.parametrize("loose", [False, True])
def test_baking_writes_only_the_lists_that_differ(
    capsys: pytest.CaptureFixture[str], sound: Path, source: Path, tmp_path: Path, loose: bool
) -> None:
    before = (source / DatKind.CELL.file_name).read_bytes()
    out = tmp_path / "baked"
    text = said(capsys, "stabs", source, "--bake", "--out", out, *(["--loose"] if loose else []))
    assert "Exported 1 changed record as" in text
    assert (source / DatKind.CELL.file_name).read_bytes() == before
    if loose:
        (file,) = [path for path in out.rglob("*") if path.is_file()]
        assert file.name == "0xC95B0100.bin"
        listed = read_record(EnvCell, file.read_bytes(), file=str(file), record_id=HALL).visible_cells
        assert sorted(listed) == sorted(entries(sound, HALL))
        return
    assert said(capsys, "stabs", out).startswith("no stab list of ")
    assert sorted(entries(out, HALL)) == sorted(entries(sound, HALL))
    differing = loaded(said(capsys, "diff", source, out, "--json", code=1))
    assert [each["record"] for each in differing] == ["0xC95B0100"]


def test_keep_adds_and_takes_nothing_out(capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path) -> None:
    text = said(capsys, "stabs", source, "--keep", "--bake", "--out", tmp_path / "baked")
    assert "    - " not in text
    assert 0x01F3 in entries(tmp_path / "baked", HALL)
    assert said(capsys, "stabs", tmp_path / "baked", "--keep").startswith("no stab list of ")


def test_baking_a_sound_world_writes_nothing(capsys: pytest.CaptureFixture[str], sound: Path, tmp_path: Path) -> None:
    assert said(capsys, "stabs", sound, "--bake", "--out", tmp_path / "baked").startswith("no stab list of ")
    assert not (tmp_path / "baked").exists()


def test_rooms_landblocks_and_rectangles_can_be_named(capsys: pytest.CaptureFixture[str], source: Path) -> None:
    assert said(capsys, "stabs", source, "0xC95B0101") == "no stab list of 1 room in 1 landblock differs\n"
    for words in (["0xC95B"], ["0xC95B0100"], ["0xC95BFFFF"], ["--landblocks", "0xC85A..0xCA5C"]):
        assert "0xC95B0100 lists 1 cell" in said(capsys, "stabs", source, *words, code=1)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["0xC95B01F0"], "there is no room 0xC95B01F0"),
        (["0x1111"], "there is no landblock 0x1111FFFF"),
        (["--landblocks", "0xC95B0100"], "--landblocks '0xC95B0100': write 0xC95B, or"),
        (["--landblocks", "0x0101..0x0202"], "has no landblock of --landblocks 0x0101..0x0202"),
        (["here"], "'here' is not an id"),
        (["99"], "'99' is not an id"),
        (["--bake"], "--bake writes data files into a folder"),
        (["--out", "somewhere"], "--bake writes data files into a folder"),
        (["--loose"], "--loose is a form of what --bake writes"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    capsys: pytest.CaptureFixture[str], source: Path, words: list[str], sentence: str
) -> None:
    refused = said(capsys, "stabs", source, *words, code=ERROR)
    assert sentence in refused
    assert refused.count("\n") == 1


def test_folders_that_cannot_be_written_are_refused_before_anything_is_compared(
    capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path
) -> None:
    before = (source / DatKind.CELL.file_name).read_bytes()
    file = tmp_path / "file"
    file.write_text("in the way", encoding="utf-8")
    for out, sentence in (
        (source, "is one of the files that are read"),
        (file, "is a file, not a folder"),
        (tmp_path / "none" / "below", "there is no folder"),
    ):
        assert main(["stabs", str(source), "--bake", "--out", str(out)]) == ERROR
        printed = capsys.readouterr()
        assert (printed.out, sentence in printed.err) == ("", True)
    assert (source / DatKind.CELL.file_name).read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "sound", "source"]


def test_a_damaged_export_leaves_nothing_behind(
    capsys: pytest.CaptureFixture[str], source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("editor.export.write_data_files.copy_database", _written_badly)
    assert "does not read back" in said(capsys, "stabs", source, "--bake", "--out", tmp_path / "baked", code=ERROR)
    assert not (tmp_path / "baked").exists()


def _written_badly(database: DatDatabase, stream: BinaryIO, name: str, changes: object, told: object) -> None:
    """As the source has it, without the changes."""
    stream.write(database.blocks.raw(0, database.blocks.length))


def test_a_world_without_data_files_is_compared_but_not_baked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    scene = tmp_path / "scene.json"
    described = two_rooms()
    described["cells"][0]["stab"] = []
    scene.write_text(json.dumps(described), encoding="utf-8")
    assert said(capsys, "stabs", scene, code=1).endswith("1 stab list of 2 rooms in 9 landblocks differs\n")
    refused = said(capsys, "stabs", scene, "--bake", "--out", tmp_path / "baked", code=ERROR)
    assert "only a data folder has records" in refused
    assert not (tmp_path / "baked").exists()
