"""`compare` in a terminal: what differs, the rule or edit that does it, exit codes, and input that cannot be read."""

from __future__ import annotations

import json
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
from engine.sim.edits.world import SetTimeOfDay
from engine.sim.recording_file import load_recording, save_recording
from engine.sim.world_identity import world_identity
from engine.world.cells.objects import static_object_id
from engine.world.loader import open_world
from tests.sim.helpers.small_worlds import built


def two_halls() -> WorldBuilder:
    """A hall of 10 by 12 m with a crate at (5, 5), and a closet."""
    world = WorldBuilder()
    hall = world.room("room", rect(0, 0, 10, 12), height=6.0)
    closet = world.room("closet", rect(10.2, 4, 3, 3))
    world.doorway(hall, closet, width=1.3)
    hall.put(crate(), (5, 5))
    return world


ROOM = built(two_halls).cell_id("room")
START = f"0x{ROOM:08X},5,1,0,0"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A room with a crate in the way; the world, and a script beside it."""
    built(two_halls).write(tmp_path / "world")
    (tmp_path / "in.walk").write_text("set run_skill 801\nforward 2s run\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def recording(folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    words = ["--start", START, "--script", str(folder / "in.walk"), "--record", str(folder / "in.cdrec")]
    assert main(["walk", str(folder / "world"), *words]) == 0
    capsys.readouterr()
    return folder / "in.cdrec"


@pytest.fixture
def project(folder: Path) -> Path:
    """Two steps: another time of day, and the crate out of the way."""
    edits = [SetTimeOfDay(0.25), PlaceEntity(static_object_id(ROOM, 0), ROOM, 1.5, 1.5, 0.0, 1.0, 0.0, 0.0, 0.0)]
    steps = tuple(Step(name, (edit,)) for name, edit in zip(("Evening", "Move the crate"), edits, strict=True))
    with open_world(folder / "world") as world:
        identity = world_identity(world, [ROOM | 0xFFFF])
    path = folder / "edits.cellardoor"
    save_project(Project(str(folder / "world"), "world", joined=(ROOM | 0xFFFF,), identity=identity, steps=steps), path)
    return path


def compared(capsys: pytest.CaptureFixture[str], code: int, *words: str | Path) -> str:
    assert main(["compare", *map(str, words)]) == code
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def data_of(capsys: pytest.CaptureFixture[str], code: int, *words: str | Path) -> Any:
    return json.loads(compared(capsys, code, *words, "--json"))


def test_a_rule_is_named_with_its_sentences(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = compared(capsys, 1, recording, "--rules", "retail,run_rate_800=ace").splitlines()
    assert lines[0].startswith("retail and retail,run_rate_800=ace part in tick 0 (0.0 s) of 60: position")
    at = lines.index("One rule does it:")
    assert lines[at + 1 : at + 4] == [
        "  run_rate_800: Greatest run rate",
        "    retail: A run skill of exactly 800 gives the rate 4.5.",
        "    ace:    A run skill of 800 or more gives the rate 4.5.",
    ]
    assert any("the gap" in line for line in lines)


def test_json_has_everything_that_the_text_says(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = data_of(capsys, 1, recording, "--rules", "ace", "--corrections")
    assert (found["same"], found["ticks"], found["first"]["ticks"]) == (False, 60, 60)
    assert found["parts"]["cause"]["names"] == ["run_rate_800"]
    assert found["parts"]["distance"] > 0.0
    assert found["apart"][0]["first"] == found["parts"]["tick"]
    assert found["corrections"][0] == {
        "tick": found["parts"]["tick"],
        "server": "corrects",
        "distance": found["parts"]["distance"],
    }


def test_the_same_rules_differ_in_nothing(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compared(capsys, 0, recording, "--rules", "retail") == "Nothing differs in 60 ticks of retail and retail.\n"


def test_a_script_is_run_by_both_rule_sets(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = (folder / "in.walk", "--world", folder / "world", "--start", START)
    assert "run_rate_800" in compared(capsys, 1, *words, "--rules", "ace")


def test_another_body_is_named_by_the_number_that_matters(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = data_of(capsys, 1, recording, "--body", "jump_skill=7,radius=0.3")
    assert found["parts"]["cause"]["names"] == ["radius 0.3"]
    assert found["values_differing_at_start"] > 0


def test_the_step_of_a_project_that_does_it_is_named(
    recording: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in ((project, recording), (recording, "--other-world", project)):
        found = data_of(capsys, 1, *words)
        assert found["parts"]["cause"] == {
            "kind": "changes",
            "names": ["step 2, Move the crate"],
            "alone": ["step 2, Move the crate"],
            "is_smallest": True,
            "from_start": True,
        }
        assert found["parts"]["sweeps"]["object"] == f"0x{static_object_id(ROOM, 0):08X}"


def test_a_script_runs_before_and_after_the_edits(
    folder: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = compared(capsys, 1, project, folder / "in.walk", "--start", START)
    assert text.startswith("before edits.cellardoor and after edits.cellardoor part in tick ")
    assert "This change does it: step 2, Move the crate." in text


def test_other_data_files_are_the_cause(
    recording: Path, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "repaired"
    assert main(["export", str(tmp_path / "world"), "--project", str(project), "--out", str(out)]) == 0
    capsys.readouterr()
    text = compared(capsys, 1, recording, "--other-world", out)
    assert "The worlds are not the same: 0x0007FFFF differ." in text
    same = compared(capsys, 0, recording, "--other-world", tmp_path / "world")
    assert same.startswith("Nothing differs in 60 ticks")


def test_another_recording_is_told_by_its_keys(
    folder: Path, recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "in.walk").write_text("set run_skill 801\nforward 1s run\nback 2s\n", encoding="utf-8")
    other = folder / "other.cdrec"
    words = ["--start", START, "--script", str(folder / "in.walk"), "--record", str(other)]
    assert main(["walk", str(folder / "world"), *words]) == 0
    capsys.readouterr()
    text = compared(capsys, 1, recording, other)
    assert text.startswith("in.cdrec and other.cdrec part in tick 30 (1.0 s) of 60: ")
    assert "The keys are not the same in tick 30." in text
    assert "other.cdrec has 30 more ticks" in text


def test_a_recording_is_compared_with_itself_as_recorded(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compared(capsys, 0, recording) == "in.cdrec runs as it was recorded in 60 ticks.\n"
    kept = load_recording(recording)
    kept.hashes[16 * 20] ^= 1
    save_recording(kept, recording)
    assert compared(capsys, 1, recording).startswith("in.cdrec and what it recorded part in tick 20: state.")
    assert data_of(capsys, 1, recording)["differing_ticks"] == 1


def test_a_capture_is_compared_with_its_answers_and_by_both_rule_sets(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capture = folder / "moves.jsonl"
    words = ["--start", START, "--script", str(folder / "in.walk"), "--capture", str(capture)]
    assert main(["walk", str(folder / "world"), *words]) == 0
    capsys.readouterr()
    said = compared(capsys, 0, capture, "--world", folder / "world")
    assert said.startswith("All of 60 calls answer the same by retail and as recorded.")
    assert data_of(capsys, 0, capture, "--world", folder / "world", "--rules", "ace")["calls"] == 60
    lines = capture.read_text(encoding="utf-8").splitlines()
    record = json.loads(lines[3])
    record["result"]["position"]["y"] += 0.5
    lines[3] = json.dumps(record)
    capture.write_text("\n".join(lines) + "\n", encoding="utf-8")
    text = compared(capsys, 1, capture, "--world", folder / "world")
    assert text.startswith("1 call of 60 differ")
    assert "No rules make both agree." in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["in.cdrec", "--rules", "fair"], "the rule sets are retail and ace, not 'fair'"),
        (["in.cdrec", "--rules", "ace", "--body", "radius=1"], "one thing differs between the two sides"),
        (["in.cdrec", "--body", "girth=1"], "--body 'girth=1': a player has radius, height"),
        (["in.cdrec", "--body", "radius=wide"], "--body 'radius=wide': write NAME=NUMBER"),
        (["in.cdrec", "--body", "radius=nan"], "is not a valid radius for a player"),
        (["in.cdrec", "none.cdrec"], "none.cdrec: there is no such file or folder"),
        (["in.cdrec", "--other-world", "nowhere"], "nowhere: there is no such file or folder"),
        (["in.walk", "--rules", "ace"], "a walk's script needs --start and --world"),
        (["in.walk", "--start", START, "--rules", "ace"], "is a walk's script: name its world with --world"),
        (["in.walk", "--start", START, "--world", "world"], "a walk has nothing recorded to compare with"),
        (["world", "--rules", "ace"], "is a world; the first is a run"),
        (["edits.cellardoor"], "is a project, which holds no run"),
        (["edits.cellardoor", "in.cdrec", "--rules", "ace"], "is compared before and after its edits, without --rules"),
    ],
)
@pytest.mark.usefixtures("recording", "project")
def test_bad_input_is_refused_in_one_sentence(
    words: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert main(["compare", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert printed.err.count("\n") == 1


def test_the_help_says_what_may_differ_and_what_the_exit_codes_mean(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["compare", "--help"])
    out = capsys.readouterr().out
    assert "exit code: 0 when both are the same, 1 when something differs, 2 when something cannot be read" in out
    assert "walkable_corner" in out
