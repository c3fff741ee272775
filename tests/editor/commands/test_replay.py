"""`replay`: a recorded walk made again from the command line, and what is said when it is not the same."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cellar_door.main import main
from engine.build import WorldBuilder, rect
from engine.sim.edits.doors import UseDoor
from engine.sim.recording import Recording
from engine.sim.recording_file import load_recording, save_recording
from engine.sim.tick.controls import Controls
from tests.sim.helpers.small_worlds import built, two_rooms


@pytest.fixture
def recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Through the door from the hall to the study's far wall; the world lies beside the file."""
    built(two_rooms).write(tmp_path / "world")
    script = tmp_path / "in.walk"
    script.write_text("forward 1s\nuse door\nforward 2s\nturn left 90\nwait 1s\n", encoding="utf-8")
    kept = tmp_path / "in.cdrec"
    words = ["--start", "0x00070100,4.6,2,0,90", "--script", str(script), "--record", str(kept)]
    assert main(["walk", str(tmp_path / "world"), *words]) == 0
    capsys.readouterr()
    return kept


def longer_study() -> WorldBuilder:
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4))
    study = world.room("study", rect(6.2, 0, 9, 4))
    world.door(hall, study, width=1.3, name="door")
    return world


def change(path: Path, what: Callable[[Recording], None]) -> None:
    recording = load_recording(path)
    what(recording)
    save_recording(recording, path)


def replayed(path: Path, *words: str) -> int:
    return main(["replay", str(path), *words])


def printed_data(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_a_walk_agrees_in_every_tick(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replayed(recording) == 0
    ticks = len(load_recording(recording))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{ticks} ticks in world from tick 0 on, recorded by ")
    assert lines[1] == f"{ticks} ticks agree"
    assert lines[2].startswith(f"before tick {ticks} the player is in 0x00070101 ")


def test_a_replay_can_stop_at_a_tick_and_say_where_the_player_is(
    recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replayed(recording, "--to", "0") == 0
    assert "before tick 0 the player is in 0x00070100 (4.6, 2, 0.005), heading 90.0" in capsys.readouterr().out
    assert replayed(recording, "--to", "40", "--json") == 0
    data = printed_data(capsys)
    assert (data["agrees"], data["to"]) == (True, 40)
    assert data["state"] == load_recording(recording).hash_before(40).hex()


@pytest.mark.parametrize("tick", ["-1", "1000000"])
def test_a_tick_outside_the_recording_is_refused(
    recording: Path, tick: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replayed(recording, "--to", tick) == 2
    assert f"in.cdrec: --to is from 0 to {len(load_recording(recording))}, not {tick}" in capsys.readouterr().err


def test_a_key_that_was_changed_is_found_with_its_tick(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def other_key(kept: Recording) -> None:
        kept.controls[70] = Controls(forward=-1.0)

    change(recording, other_key)
    assert replayed(recording) == 1
    out = capsys.readouterr().out
    assert "the runs diverge:\nthe state differs after tick 70\n" in out
    assert "  after the tick, player.origin: recorded " in out
    assert "  before tick 80, where all of the state was recorded:" in out
    assert replayed(recording, "--json") == 1
    data = printed_data(capsys)
    assert data["agrees"] is False
    assert data["diverges"]["tick"] == 70
    assert "player.origin" in [entry["path"] for entry in data["diverges"]["player"]]
    assert replayed(recording, "--to", "70") == 0, "up to there nothing is different"


def test_an_edit_that_was_changed_is_found_too(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def another_door(kept: Recording) -> None:
        kept.edits[30] = [UseDoor(0x70007777, 0)]

    change(recording, another_door)
    assert replayed(recording) == 1
    assert "the edits for tick 30 cannot be replayed: " in capsys.readouterr().out


def test_a_world_that_was_changed_is_refused_unless_asked_for(
    recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entities = recording.parent / "world" / "entities.json"
    content = json.loads(entities.read_text(encoding="utf-8"))
    content["entities"][0]["extra"]["locked"] = True
    entities.write_text(json.dumps(content), encoding="utf-8")
    assert replayed(recording) == 2
    assert "world is no longer the world of the recording: entities differ" in capsys.readouterr().err
    assert replayed(recording, "--any-world") == 0, "who is there comes out of the snapshot"


def test_in_another_world_the_first_tick_that_parts_can_be_looked_for(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built(longer_study).write(tmp_path / "longer")
    other = ["--source", str(tmp_path / "longer")]
    assert replayed(recording, *other) == 2
    assert "is no longer the world of the recording: 0x0007FFFF differ" in capsys.readouterr().err
    assert replayed(recording, *other, "--any-world", "--json") == 1
    parts = printed_data(capsys)["diverges"]
    assert 60 < parts["tick"] < 90, "when he should have come to the wall that was moved"
    assert "player.origin" in [entry["path"] for entry in parts["player"]]


def test_a_world_that_has_moved_is_asked_for_and_can_be_named(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.move(tmp_path / "world", tmp_path / "elsewhere")
    assert replayed(recording) == 2
    assert "in.cdrec: its world is not where it was; name it with --source: " in capsys.readouterr().err
    assert replayed(recording, "--source", str(tmp_path / "elsewhere")) == 0


def test_a_recording_that_names_no_world_needs_one(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def nameless(kept: Recording) -> None:
        kept.source = ""

    change(recording, nameless)
    assert replayed(recording) == 2
    assert "does not say where its world is; name it with --source" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read: No such file"),
        (b"", "is not a recording"),
        (b'{"tick": 1}', "is not a recording"),
        (b"CDRECORD" + bytes(12), "is a recording of version 0"),
    ],
)
def test_what_is_no_recording_is_refused_in_one_line(
    tmp_path: Path, content: bytes | None, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "other.cdrec"
    if content is not None:
        file.write_bytes(content)
    assert replayed(file) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"Cellar Door: {file}: {said}")
    assert printed.err.count("\n") == 1


def test_the_help_tells_how_recordings_are_made_and_what_the_exit_codes_mean(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["replay", "--help"])
    out = capsys.readouterr().out
    assert "`walk ... --record FILE` makes a recording" in out
    assert "exit code: 0 when every tick agrees, 1 when one does not, 2 when" in out


def test_the_ticks_of_a_condition_are_listed(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replayed(recording, "--find", "door door opens or cell changes") == 0
    lines = capsys.readouterr().out.splitlines()
    assert replayed(recording, "--find", "door door opens or cell changes", "--json") == 0
    data = printed_data(capsys)["find"]
    kept = load_recording(recording)
    cells = [sample.cell for sample in (kept.samples[number] for number in range(len(kept)))]
    changes = [number for number in range(1, len(cells)) if cells[number] != cells[number - 1]]
    assert [each["tick"] for each in data["ticks"] if each["because"] == "cell changes"] == changes != []
    assert data["ticks"][0]["because"] == "door door opens"
    count = len(data["ticks"])
    assert lines[-1] == f"{count} of {data['of']} ticks: door door opens or cell changes"
    assert [int(line.split()[0]) for line in lines[-1 - count : -1]] == [each["tick"] for each in data["ticks"]]


def test_a_wrong_condition_is_one_sentence(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replayed(recording, "--find", "door opens and") == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert len(output.err.strip().splitlines()) == 1
    assert replayed(recording, "--find", "door dorr opens") == 2
    assert "--find: No door here is called “dorr”; did you mean “door”?" in capsys.readouterr().err


def test_an_earlier_recording_says_what_it_cannot_tell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where plants came to stand was part of what it noted of its world."""
    script, kept = tmp_path / "in.walk", tmp_path / "in.cdrec"
    script.write_text("forward 1s\n", encoding="utf-8")
    assert main(["walk", "demo", "--start", "street", "--script", str(script), "--record", str(kept)]) == 0
    change(kept, lambda recording: recording.identity.update({"0xC95BFFFF": "0" * 32}))
    capsys.readouterr()
    assert replayed(kept) == 0
    said = capsys.readouterr()
    assert "30 ticks agree" in said.out
    assert "recorded by an earlier version, by which it cannot be told whether 0xC95BFFFF of this world" in said.err
