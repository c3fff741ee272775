"""`export --server-out` and `diff` of server data in a terminal: texts, JSON, files and exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from cellar_door.main import ERROR, main
from editor.document.undo_stack import Step
from editor.project.project import Project
from editor.project.project_file import save_project
from engine.sim.edits.doors import LockDoor
from engine.sim.edits.edit import Edit
from engine.sim.world_identity import world_identity
from engine.world.loader.entities_file import FILE_NAME, write_entities
from engine.world.server import rows
from engine.world.server.writing.layout import number_text
from tests.editor.export.server_exports import NOW, differing, file_of, furnish, moved, opened, source_text
from tests.editor.export.small_exports import close, cottage
from tests.world.server.furnished import Place
from tests.world.server.worlds import database


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(cottage().build(), tmp_path / "server")
    place.made.write(tmp_path / "world")
    write_entities(tmp_path / "world" / FILE_NAME, [])
    furnish(place)
    return place


@pytest.fixture
def project(place: Place, tmp_path: Path) -> str:
    """A project that moves the door."""
    sim = opened(place)
    edits: list[Edit] = [moved(sim, place.guid(0)), LockDoor(place.guid(5), True)]
    joined = tuple(sim.surroundings.joined)
    made = Project(
        str(tmp_path / "world"),
        "world",
        identity=world_identity(sim.world, joined),
        joined=joined,
        steps=(Step("Move", tuple(edits)),),
        now=tuple(edits),
    )
    close(sim)
    save_project(made, tmp_path / "repair.cellardoor")
    return str(tmp_path / "repair.cellardoor")


def said(capsys: pytest.CaptureFixture[str], *words: str | Path, code: int = 0) -> str:
    assert main([str(word) for word in words]) == code
    output = capsys.readouterr()
    return output.out if code != ERROR else output.err


def loaded(text: str) -> Any:
    return json.loads(text)


def test_a_project_is_exported_as_server_data(
    place: Place, project: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("export", tmp_path / "world", "--project", project, "--server-data", place.folder)
    output = said(capsys, *words, "--server-out", tmp_path / "sql", "--modified", NOW).splitlines()
    assert output[0] == f"instance 0x{place.guid(0):08X} Door changed in landblock 0xC95B"
    assert output[1].startswith("    origin_X: 108.9 -> 109.15")
    assert any(line.startswith("not in server data: Door") and "was locked: that belongs" in line for line in output)
    assert output[-1] == f"Exported 1 changed row as 1 file to {tmp_path / 'sql'}"
    after = (tmp_path / "sql" / "C95B.sql").read_text(encoding="utf-8")
    assert len(differing(source_text(place), after)) == 2
    assert NOW in after
    data = loaded(said(capsys, *words, "--server-out", tmp_path / "json", "--json"))
    assert [row["row"] for row in data["server"]["rows"]] == [f"0x{place.guid(0):08X} Door"]
    assert NOW not in (tmp_path / "json" / "C95B.sql").read_text(encoding="utf-8")


def test_what_does_not_go_together_is_refused(
    place: Place, project: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = ("export", tmp_path / "world", "--project", project)
    out = ("--server-out", tmp_path / "sql")
    server = ("--server-data", place.folder)
    assert "give --out FOLDER" in said(capsys, *world, code=ERROR)
    assert "--server-out needs --server-data" in said(capsys, *world, *out, code=ERROR)
    assert "is not a time" in said(capsys, *world, *out, *server, "--modified", "now'); DROP", code=ERROR)
    into = ("--server-out", file_of(place).parent)
    assert "is one of the files that are read" in said(capsys, *world, *server, *into, code=ERROR)
    assert "nothing to export" in said(capsys, "export", tmp_path / "world", *server, *out, code=ERROR)
    assert not (tmp_path / "sql").exists()


def test_a_weenie_is_given_by_id_and_class(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["export", "demo", "--out", str(tmp_path / "out"), "--weenie", "door"])
    assert "is not an id and a class" in capsys.readouterr().err


def test_diff_of_a_project_lists_rows_too(
    place: Place, project: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("diff", tmp_path / "world", project, "--server-data", place.folder)
    output = said(capsys, *words, code=1).splitlines()
    assert output[0] == f"{project}: instance 0x{place.guid(0):08X} Door changed in landblock 0xC95B"
    assert any("not in server data" in line and "was locked" in line for line in output)
    assert not any("not in data files" in line for line in output)
    data = loaded(said(capsys, *words, "--json", code=1))
    assert data[0]["table"] == rows.INSTANCE
    assert "left_out" in data[-1]


def test_diff_of_two_checkouts_tells_every_row(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    shutil.copytree(place.folder, other)
    assert said(capsys, "diff", place.folder, other) == "nothing differs\n"
    text = source_text(place).replace("False", " True", 1)
    link = text.index("INSERT INTO `landblock_instance_link`")
    text = text[:link] + text[text.index("INSERT INTO `landblock_instance` ", link) :]
    (other / "landblocks" / "C95B.sql").write_text(text, encoding="utf-8")
    weenie = other / "weenies" / "412.sql"
    weenie.write_text(weenie.read_text(encoding="utf-8").replace("300", "30"), encoding="utf-8")
    (other / "weenies" / "5.sql").unlink()
    encounters = "INSERT INTO encounter (landblock, weenie_Class_Id, cell_X, cell_Y) VALUES (0xC95B, 5, 1, 2);"
    (other / "encounters").mkdir()
    (other / "encounters" / "C95B.sql").write_text(encounters, encoding="utf-8")
    door, lever = f"0x{place.guid(0):08X}", f"0x{place.guid(3):08X}"
    assert said(capsys, "diff", place.folder, other, code=1).splitlines() == [
        f"instance {door} Door changed in landblock 0xC95B",
        "    is_Link_Child: False -> True",
        f"link {door} to {lever} removed in landblock 0xC95B",
        "encounter Rat (5) in the cell 1, 2 added in landblock 0xC95B",
        "weenie 5 Rat removed",
        "weenie 412 Door changed",
        "    float 11: 300 -> 30",
        "5 rows differ",
    ]
    listed = loaded(said(capsys, "diff", other, place.folder, "--json", code=1))
    assert [row["change"] for row in listed] == ["changed", "added", "removed", "added", "changed"]


def test_diff_takes_databases_and_reports_what_cannot_be_read(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = place.door.frame
    numbers = [float(number_text(number)) for number in (*frame.origin, *frame.rotation)]
    instance = [place.guid(0), 412, place.door.cell_id, *numbers, 0]
    weenies = {rows.WEENIE: [[412, "weenie-412", 19]], rows.STRING: [[412, 1, "Door"]]}
    world = database(tmp_path / "world.db", {rows.INSTANCE: [instance], **weenies})
    output = said(capsys, "diff", place.folder, world, code=1).splitlines()
    assert f"instance 0x{place.guid(3):08X} Lever removed in landblock 0xC95B" in output
    assert not any(f"instance 0x{place.guid(0):08X}" in line for line in output)
    file_of(place).write_text(source_text(place) + "nonsense (", encoding="utf-8")
    file_of(place).write_text(source_text(place).replace("412, 0x", "'many', 0x"), encoding="utf-8")
    output = said(capsys, "diff", place.folder, world, code=1).splitlines()
    assert any(line.startswith("not compared: ") and "C95B.sql: line 4" in line for line in output)


def test_diff_compares_each_with_its_own_kind(place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world = tmp_path / "world"
    assert "compare each with one of its own kind" in said(capsys, "diff", place.folder, world, code=ERROR)
    assert "compare each with one of its own kind" in said(capsys, "diff", world, place.folder, code=ERROR)
    assert "no such file" in said(capsys, "diff", place.folder, "nowhere", code=ERROR)
    both = ("diff", place.folder, place.folder)
    assert "are for worlds" in said(capsys, *both, "--server-data", place.folder, code=ERROR)
