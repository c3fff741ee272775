"""`export` and `diff` in a terminal: texts, JSON and exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from cellar_door.main import main
from editor.authoring.cell_edits import set_stab_list
from editor.authoring.static_edits import move_static
from editor.document.undo_stack import Step
from editor.project.project import Project
from editor.project.project_file import save_project
from engine.dat.ids import DatKind
from engine.dat.writer import rewrite_database
from engine.geometry.frame import Frame
from engine.sim.edits.doors import LockDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.placing import PlaceEntity
from engine.sim.world_identity import world_identity
from engine.world.cells.objects import static_object_id
from tests.editor.export.small_exports import BLOCK, close, cottage, opened, plan_of, written

HALL = 0xC95B0100
CRATE = static_object_id(0xC95BFFFE, 0)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return cottage().build().write(tmp_path / "source")


def project(source: Path, path: Path, *, door: bool = False) -> Path:
    """A project that empties the hall's stab list and moves a crate; with `door`, that locks the door and no more."""
    sim = opened(source)
    edits: list[Edit] = [*set_stab_list(sim, HALL, []), PlaceEntity(CRATE, BLOCK, 80.0, 81.0, 20.0, 1.0, 0.0, 0.0, 0.0)]
    if door:
        edits = [LockDoor(sim.world.entities[0].guid, True)]
    steps = []
    for edit in edits:
        steps.append(Step("Edit", (edit,), tuple(edit.inverse(sim))))
        sim.apply_edit(edit)
    close(sim)
    sim = opened(source)
    identity = world_identity(sim.world, [BLOCK])
    close(sim)
    save_project(Project(str(source), "world", joined=(BLOCK,), identity=identity, steps=tuple(steps)), path)
    return path


@pytest.fixture
def repair(source: Path, tmp_path: Path) -> Path:
    return project(source, tmp_path / "repair.cellardoor")


def output(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_a_project_is_exported_and_the_export_differs_by_its_edits(
    source: Path, repair: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["export", str(source), "--project", str(repair), "--out", str(out)]) == 0
    told = output(capsys)
    assert "0xC95B0100 EnvCell changed in client_cell_1.dat" in told
    assert "objects[0].frame.origin: (90, 90, 20) -> (80, 81, 20)" in told
    assert told.splitlines()[-1] == f"Exported 2 changed records as 3 files to {out}"

    assert main(["diff", str(source), str(out)]) == 1
    told = output(capsys)
    assert told.splitlines()[-1] == "2 records differ"
    assert "0xC95BFFFE LandBlockInfo changed in client_cell_1.dat" in told
    assert main(["diff", str(repair), str(out)]) == 0
    assert output(capsys) == "nothing differs\n"
    assert main(["diff", str(source), str(repair), "--json"]) == 1
    found: Any = json.loads(output(capsys))
    assert [each["record"] for each in found] == ["0xC95B0100", "0xC95BFFFE"]
    assert found[1]["fields"][0]["after"] == [80.0, 81.0, 20.0]


def test_a_changed_room_is_drawn_before_and_after(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sim = opened(source)
    hall = sim.graph.get_visible(HALL)
    assert hall is not None
    frame = Frame((107.0, 109.0, 20.0), hall.static_objects[0].frame.rotation)
    out = tmp_path / "out"
    written(plan_of(sim, move_static(sim, HALL, 0, frame)), out)
    close(sim)
    assert main(["diff", str(source), str(out), "--pictures", str(tmp_path / "pictures")]) == 1
    assert output(capsys).splitlines()[-1] == f"2 pictures in {tmp_path / 'pictures'}"
    pictures = {path.name: path.read_bytes() for path in (tmp_path / "pictures").iterdir()}
    assert sorted(pictures) == ["0xC95B0100-after.png", "0xC95B0100-before.png"]
    assert all(data.startswith(b"\x89PNG") for data in pictures.values())
    assert len(set(pictures.values())) == 2


def test_loose_records_and_json(source: Path, repair: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["export", str(source), "--project", str(repair), "--out", str(out), "--loose", "--json"]) == 0
    found = json.loads(output(capsys))
    names = ["0xC95B0100.bin", "0xC95BFFFE.bin"]
    assert [Path(name).name for name in found["files"]] == names
    assert sorted(path.name for path in (out / "client_cell_1").iterdir()) == names


def test_the_same_worlds_differ_in_nothing(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(source, tmp_path / "copy")
    assert main(["diff", str(source), str(tmp_path / "copy")]) == 0
    assert main(["diff", str(source), str(source), "--json"]) == 0
    assert output(capsys) == "nothing differs\n[]\n"


def test_added_and_removed_records_and_files_are_told(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    shutil.copytree(source, other)
    cell = DatKind.CELL.file_name
    rewrite_database(source / cell, other / cell, {0xCA5BFFFE: None, 0x12340100: b"what is this"})
    shutil.copy(source / DatKind.PORTAL.file_name, other / DatKind.HIGHRES.file_name)
    (other / "entities.json").unlink()
    assert main(["diff", str(source), str(other)]) == 1
    told = output(capsys)
    assert "0xCA5BFFFE LandBlockInfo removed" in told
    assert "0x12340100 EnvCell added" in told
    assert "entity: listed -> nothing" in told


def test_what_data_files_cannot_hold_is_a_difference(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    locked = project(source, tmp_path / "locked.cellardoor", door=True)
    assert main(["diff", str(source), str(locked)]) == 1
    assert "not in data files: door" in output(capsys)
    assert main(["export", str(source), "--project", str(locked), "--out", str(tmp_path / "out")]) == 2
    assert "there is nothing to export" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_sources_that_cannot_be_compared_are_a_sentence(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for one, two in ((source, tmp_path / "nowhere"), (tmp_path, source), (source / "entities.json", tmp_path / "x")):
        assert main(["diff", str(one), str(two)]) == 2
        assert capsys.readouterr().err.startswith("Cellar Door: ")
    assert main(["export", str(source), "--out", str(tmp_path / "out")]) == 2
    assert "there is nothing to export" in capsys.readouterr().err


def test_a_damaged_project_is_a_sentence(
    source: Path, repair: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repair.write_bytes(repair.read_bytes().replace(b"Edit", b"Edot"))
    assert main(["export", str(source), "--project", str(repair), "--out", str(tmp_path / "out")]) == 2
    assert main(["diff", str(source), str(repair)]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert all(line.startswith("Cellar Door: ") and "repair.cellardoor" in line for line in told)


def test_a_project_that_no_longer_fits_is_refused(
    source: Path, repair: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its edits would be missing in the export."""
    cell = source / DatKind.CELL.file_name
    rewrite_database(cell, cell, {0xC95B0100: None})
    assert main(["export", str(source), "--project", str(repair), "--out", str(tmp_path / "out")]) == 2
    assert "cannot all be made in this world" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_project_of_a_world_elsewhere_needs_the_world_named(
    source: Path, repair: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    away = tmp_path / "away"
    away.mkdir()
    moved = project(source, away / "moved.cellardoor")
    assert main(["diff", str(moved), str(moved)]) == 2
    assert "name the world" in capsys.readouterr().err
    assert main(["diff", str(source), str(moved)]) == 1
    assert main(["diff", str(repair), str(moved)]) == 2
