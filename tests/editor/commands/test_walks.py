"""`walks` in a terminal: what goes otherwise, exit codes, JUnit and JSON, accepting, and what cannot be read."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cellar_door.main import main
from editor.document.undo_stack import Step
from editor.project.project import Project
from editor.project.project_file import save_project
from engine.build import WorldBuilder, rect
from engine.build.shapes.furniture import crate
from engine.sim.edits.placing import PlaceEntity
from engine.sim.recording_file import load_recording, save_recording
from engine.sim.world_identity import world_identity
from engine.world.cells.objects import static_object_id
from engine.world.loader import open_world
from tests.sim.helpers.small_worlds import built, house
from tests.systems import KILLED, needs_links

ROOT = Path(__file__).resolve().parents[3]


def hall_with_crate_at(x: float) -> Callable[[], WorldBuilder]:
    def made() -> WorldBuilder:
        world = WorldBuilder()
        hall = world.room("room", rect(0, 0, 10, 12), height=6.0)
        world.doorway(hall, world.room("closet", rect(10.2, 4, 3, 3)), width=1.3)
        hall.put(crate(), (x, 5))
        return world

    return made


IN_THE_WAY, IN_THE_CORNER = hall_with_crate_at(5), hall_with_crate_at(1.5)
ROOM = built(IN_THE_WAY).cell_id("room")


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A room with a crate in the way, and two kept walks: into it, and beside it."""
    built(IN_THE_WAY).write(tmp_path / "world")
    (tmp_path / "in.walk").write_text("set run_skill 801\nforward 2s run\n", encoding="utf-8")
    (tmp_path / "kept").mkdir()
    for name, x in (("beside", 8), ("into", 5)):
        words = ["--start", f"0x{ROOM:08X},{x},1,0,0", "--script", str(tmp_path / "in.walk")]
        kept = str(tmp_path / "kept" / f"{name}.cdrec")
        assert main(["walk", str(tmp_path / "world"), *words, "--record", kept]) == 0
    capsys.readouterr()
    return tmp_path


@pytest.fixture
def project(folder: Path) -> Path:
    """The crate out of the way."""
    edit = PlaceEntity(static_object_id(ROOM, 0), ROOM, 1.5, 1.5, 0.0, 1.0, 0.0, 0.0, 0.0)
    with open_world(folder / "world") as world:
        identity = world_identity(world, [ROOM | 0xFFFF])
    path = folder / "edits.cellardoor"
    made = Project(
        str(folder / "world"),
        "world",
        joined=(ROOM | 0xFFFF,),
        identity=identity,
        steps=(Step("Move the crate", (edit,)),),
    )
    save_project(made, path)
    return path


def checked(capsys: pytest.CaptureFixture[str], code: int, *words: str | Path) -> str:
    assert main(["walks", *map(str, words)]) == code
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def data_of(capsys: pytest.CaptureFixture[str], code: int, *words: str | Path) -> Any:
    return json.loads(checked(capsys, code, *words, "--json"))


def verdicts(data: Any) -> dict[str, str]:
    return {each["name"]: each["verdict"] for each in data["walks"]}


def test_all_goes_as_before_in_the_same_world(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = checked(capsys, 0, folder / "kept", "--world", folder / "world").splitlines()
    assert lines[:2] == [
        "as before       beside.cdrec: goes as before in 60 ticks",
        "as before       into.cdrec: goes as before in 60 ticks",
    ]
    assert lines[2].startswith("2 walks: 2 as before in ")


def test_an_edit_of_a_project_that_lets_one_go_on_is_told(
    folder: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = data_of(capsys, 1, folder / "kept", "--world", project)
    assert verdicts(data) == {"beside.cdrec": "as before", "into.cdrec": "otherwise"}
    into = data["walks"][1]
    assert into["what"][0] == "position"
    assert 0 < into["tick"] < 60
    assert into["final"] > 1.0
    lines = checked(capsys, 1, folder / "kept", "--world", project).splitlines()
    assert lines[1].startswith(f"otherwise       into.cdrec: goes otherwise from tick {into['tick']}: position, ")
    assert data_of(capsys, 0, folder / "kept", "--world", project, "--tolerance", "100")["same"]
    assert data_of(capsys, 1, folder / "kept", "--world", folder / "world", "--project", project)["otherwise"] == 1


def test_other_rules_and_other_data_files_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world = ("--world", folder / "world")
    data = data_of(capsys, 1, folder / "kept", *world, "--rules", "retail,run_rate_800=ace")
    assert [each["tick"] for each in data["walks"]] == [0, 0]
    assert data_of(capsys, 0, folder / "kept", *world, "--rules", "retail")["as_before"] == 2
    built(IN_THE_CORNER).write(folder / "other")
    data = data_of(capsys, 1, folder / "kept", "--world", folder / "other")
    assert verdicts(data) == {"beside.cdrec": "as before", "into.cdrec": "otherwise"}
    assert data["walks"][0]["world_differs"] == [f"0x{ROOM | 0xFFFF:08X}"]
    text = checked(capsys, 1, folder / "kept", "--world", folder / "other")
    assert f"its world is another one now: 0x{ROOM | 0xFFFF:08X} differ" in text


def test_accepting_makes_the_new_truth_of_what_goes_otherwise(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept, other = folder / "kept", folder / "other"
    built(IN_THE_CORNER).write(other)
    before = {path.name: path.read_bytes() for path in kept.iterdir()}
    data = data_of(capsys, 0, kept, "--world", other, "--accept")
    assert [each["accepted"] for each in data["walks"]] == [False, True]
    assert (kept / "beside.cdrec").read_bytes() == before["beside.cdrec"]
    assert (kept / "into.cdrec").read_bytes() != before["into.cdrec"]
    assert len(load_recording(kept / "into.cdrec")) == 60
    assert verdicts(data_of(capsys, 0, kept, "--world", other)) == dict.fromkeys(before, "as before")
    assert data_of(capsys, 1, kept / "into.cdrec", "--world", folder / "world")["otherwise"] == 1


def test_what_cannot_be_read_stops_none_of_the_others(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = folder / "kept"
    whole = (kept / "into.cdrec").read_bytes()
    (kept / "cut.cdrec").write_bytes(whole[: len(whole) // 2])
    (kept / "flipped.cdrec").write_bytes(whole[:-40] + bytes([whole[-40] ^ 1]) + whole[-39:])
    (kept / "empty.cdrec").write_bytes(b"")
    (kept / "nonsense.jsonl").write_bytes(b'{"tick": 1')
    (kept / "a.txt").write_text("not a walk")
    (kept / "dir.cdrec").mkdir()
    data = data_of(capsys, 2, kept, "--world", folder / "world")
    assert verdicts(data) == {
        "beside.cdrec": "as before",
        "cut.cdrec": "cannot be read",
        "empty.cdrec": "cannot be read",
        "flipped.cdrec": "cannot be read",
        "into.cdrec": "as before",
        "nonsense.jsonl": "cannot be read",
    }
    assert data["walks"][1]["reason"].startswith("is cut off")
    assert "is damaged: its checksum does not fit" in checked(capsys, 2, kept / "flipped.cdrec", "--world", "demo")
    assert "cannot be read" in checked(capsys, 2, folder / "missing", "--world", folder / "world")


def test_a_first_state_that_is_nonsense_spoils_no_other_walk(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = folder / "kept"
    for number, cut in enumerate((8, 40, 400, -9, -1)):
        recording = load_recording(kept / "into.cdrec")
        frames = recording.keyframes
        frames.heads[0] = zlib.compress(zlib.decompress(frames.heads[0])[:cut])
        save_recording(recording, kept / f"a{number}.cdrec")
    found = verdicts(data_of(capsys, 2, kept, "--world", folder / "world"))
    assert found.pop("beside.cdrec") == found.pop("into.cdrec") == "as before"
    assert set(found.values()) == {"cannot begin", "cannot be read"}
    assert len(found) == 5


@needs_links
def test_folders_below_are_searched_and_links_are_not(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = folder / "kept"
    (kept / "stairs").mkdir()
    shutil.move(kept / "into.cdrec", kept / "stairs" / "into.cdrec")
    (kept / "again").symlink_to(kept)
    data = data_of(capsys, 0, kept, kept / "beside.cdrec", "--world", folder / "world")
    assert [each["name"] for each in data["walks"]] == ["beside.cdrec", "stairs/into.cdrec"]


def test_an_empty_folder_is_no_passed_check(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "none").mkdir()
    assert main(["walks", str(folder / "none"), "--world", str(folder / "world")]) == 2
    assert "has no walks in it" in capsys.readouterr().err
    assert main(["walks", str(folder / "kept"), "--world", str(folder / "none")]) == 2
    assert main(["walks", str(folder / "kept"), "--world", str(folder / "world"), "--tolerance", "-1"]) == 2
    assert "--tolerance -1 is no distance in metres" in capsys.readouterr().err
    assert main(["walks", str(folder / "kept"), "--world", str(folder / "kept" / "into.cdrec")]) == 2


# --- JUnit


def test_junit_is_written_as_systems_read_it(folder: Path, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "kept" / "broken.cdrec").write_bytes(b"CDRECORD")
    checked(capsys, 2, folder / "kept", "--world", project, "--junit", folder / "out.xml")
    root = ET.fromstring((folder / "out.xml").read_bytes())
    suite = root.find("testsuite")
    assert suite is not None
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
        "skipped": "0",
    }
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    assert list(cases) == ["beside.cdrec", "broken.cdrec", "into.cdrec"]
    assert list(cases["beside.cdrec"]) == []
    failure, error = cases["into.cdrec"].find("failure"), cases["broken.cdrec"].find("error")
    assert failure is not None
    assert failure.get("message", "").startswith("goes otherwise from tick ")
    assert failure.text is not None
    assert "m at the end" in failure.text
    assert error is not None
    assert error.get("message") == "cannot be read: is not a recording"
    assert all(float(case.get("time", "x")) >= 0.0 for case in cases.values())


HOSTILE = ["a\x1b[31m<b>&\"'.cdrec", "\x01\x08\ufffe.cdrec", "]]>.cdrec", "b\u202egnp.cdrec"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
def test_hostile_names_are_told_and_written_harmlessly(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hostile = folder / "hostile"
    hostile.mkdir()
    for name in HOSTILE:
        shutil.copy(folder / "kept" / "into.cdrec", hostile / name)
    shutil.copy(folder / "kept" / "into.cdrec", os.path.join(hostile, os.fsdecode(b"\xff.cdrec")))
    out = checked(capsys, 0, hostile, "--world", folder / "world", "--junit", folder / "out.xml")
    assert not any(sign in out for sign in ("\x1b", "\x01", "\u202e"))
    names = [case.get("name") for case in ET.fromstring((folder / "out.xml").read_bytes()).iter("testcase")]
    assert sorted(map(str, names)) == sorted(
        ["a\\u001b[31m<b>&\"'.cdrec", "\\u0001\\u0008\\ufffe.cdrec", "]]>.cdrec", "b\\u202egnp.cdrec", "\\udcff.cdrec"]
    )
    assert data_of(capsys, 0, hostile, "--world", folder / "world")["as_before"] == 5


def test_junit_never_replaces_what_is_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = folder / "kept" / "into.cdrec"
    before = kept.read_bytes()
    for target in (kept, folder / "world" / "client_portal.dat", folder / "nowhere" / "out.xml"):
        assert main(["walks", str(folder / "kept"), "--world", str(folder / "world"), "--junit", str(target)]) == 2
    assert kept.read_bytes() == before
    assert capsys.readouterr().out == ""


# --- captures and reproductions


def test_a_capture_is_a_walk_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built(IN_THE_CORNER).write(folder / "other")
    capture = folder / "kept" / "moves.jsonl"
    words = ["--start", f"0x{ROOM:08X},5,1,0,0", "--script", str(folder / "in.walk"), "--capture", str(capture)]
    assert main(["walk", str(folder / "world"), *words]) == 0
    capsys.readouterr()
    assert data_of(capsys, 0, capture, "--world", folder / "world")["walks"][0]["unit"] == "call"
    (found,) = data_of(capsys, 1, capture, "--world", folder / "other")["walks"]
    assert found["verdict"] == "otherwise"
    assert found["what"][0] == "position"
    calls = capture.read_bytes().count(b"\n")
    assert data_of(capsys, 0, capture, "--world", folder / "other", "--accept")["walks"][0]["accepted"]
    assert capture.read_bytes().count(b"\n") == calls
    assert data_of(capsys, 0, capture, "--world", folder / "other")["as_before"] == 1
    assert data_of(capsys, 1, capture, "--world", folder / "world")["otherwise"] == 1
    built(house).write(folder / "elsewhere")
    assert data_of(capsys, 1, capture, "--world", folder / "elsewhere")["cannot_begin"] == 1


def test_the_moves_of_a_reproduction_are_run_and_never_rewritten(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = folder / "packed.cdrepro"
    words = [str(folder / "kept" / "into.cdrec"), "--world", str(folder / "world"), "--out", str(packed)]
    assert main(["reproduce", *words]) == 0
    capsys.readouterr()
    before = packed.read_bytes()
    assert data_of(capsys, 0, packed, "--world", folder / "world")["as_before"] == 1
    built(IN_THE_CORNER).write(folder / "other")
    (found,) = data_of(capsys, 2, packed, "--world", folder / "other", "--accept")["walks"]
    assert found["problem"].startswith("cannot be accepted: a reproduction is not written again")
    assert packed.read_bytes() == before


# --- ended on the way


KILLED_AT_THE_RENAME = """
import os, sys
from tests.systems import KILL
real = os.replace
def replace(source, target):
    if str(target).endswith("into.cdrec"):
        os.kill(os.getpid(), KILL)
    real(source, target)
os.replace = replace
from cellar_door.main import main
sys.exit(main(sys.argv[1:]))
"""


def test_killed_while_accepting_the_old_truth_stays_whole(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built(IN_THE_CORNER).write(folder / "other")
    kept = folder / "kept" / "into.cdrec"
    before = kept.read_bytes()
    words = ["walks", str(folder / "kept"), "--world", str(folder / "other"), "--accept"]
    command = [sys.executable, "-c", KILLED_AT_THE_RENAME, *words]
    killed = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert killed.returncode == KILLED, killed.stderr
    assert kept.read_bytes() == before
    data = data_of(capsys, 0, folder / "kept", "--world", folder / "other", "--accept")
    assert [each["name"] for each in data["walks"]] == ["beside.cdrec", "into.cdrec"]
    assert sorted(path.name for path in (folder / "kept").iterdir()) == ["beside.cdrec", "into.cdrec"]
