"""Recordings and captures: arrays, replays, conditions, and where their worlds may come from."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import cellar_door
from cellar_door.main import main
from engine.sim.captures.writer import CaptureWriter
from engine.sim.recording_file import load_recording, save_recording
from engine.world.server.place import ServerPlace
from tests.editor.scripting.conftest import HALL, START
from tests.sim.helpers.small_worlds import built, open_rooms

SCRIPT = "forward 1s\nuse door\nforward 1s\njump 0.3\nland"


@pytest.fixture
def saved(world: cellar_door.World, tmp_path: Path) -> Path:
    with world.simulation(START) as run:
        run.walk(SCRIPT)
        run.save(tmp_path / "a.cdrec")
    return tmp_path / "a.cdrec"


def test_the_arrays_are_what_the_ticks_said(world: cellar_door.World) -> None:
    with world.simulation(START) as run:
        ticks = run.walk(SCRIPT)
        recording = run.recording
    assert len(recording) == len(ticks) == len(recording.cells)
    assert np.array_equal(recording.positions, [tick.position for tick in ticks])
    assert np.array_equal(recording.velocities, [tick.velocity for tick in ticks])
    assert np.array_equal(recording.headings, [tick.heading for tick in ticks])
    assert np.array_equal(recording.cells, [tick.cell for tick in ticks])
    assert np.array_equal(recording.in_contact, [tick.in_contact for tick in ticks])
    assert np.array_equal(recording.on_ground, [tick.on_ground for tick in ticks])
    assert [sample.position for sample in recording] == [tick.position for tick in ticks]
    assert recording[5].cell == ticks[5].cell
    (edit,) = recording.edits
    assert (edit.tick, edit.name, edit.values["door_id"]) == (30, "use", world.id_of("door"))


def test_a_recording_replays_by_its_keys_and_edits(world: cellar_door.World, saved: Path) -> None:
    with cellar_door.open_recording(saved, world) as recording:
        assert recording.check() == ""
        edits = {edit.tick: edit.edit for edit in recording.edits}
        with world.simulation(START) as run:
            for tick in range(recording.first_tick, recording.end):
                if tick in edits:
                    run.edit(edits[tick])
                run.tick(recording.keys(tick))
            assert run.recording.engine.hashes == recording.engine.hashes


def test_conditions_are_found_and_ticks_traced(world: cellar_door.World, saved: Path) -> None:
    with cellar_door.open_recording(saved, world) as recording:
        crossed, *_ = recording.find("cell changes")
        assert recording[crossed - 1].cell == HALL != recording[crossed].cell
        assert "door" in recording.trace(recording.find("blocked by door")[0]).outcome
        assert recording.find("contact lost") == [
            tick
            for tick in range(1, len(recording))
            if recording.in_contact[tick - 1] and not recording.in_contact[tick]
        ]
        with pytest.raises(cellar_door.RefusedError, match="does not fit"):
            recording.find("when pigs fly")
        with pytest.raises(cellar_door.RefusedError, match="did you mean “door”"):
            recording.find("blocked by dor")


def test_a_run_goes_on_from_any_tick(world: cellar_door.World, saved: Path) -> None:
    with cellar_door.open_recording(saved, world) as recording:
        run = recording.run_at(40)
        assert (run.tick_number, run.player.position) == (40, recording[39].position)
        run.walk("back 10t")
        assert run.recording.check() == ""
        assert len(recording) > 70
        for tick in (-1, 10_000):
            with pytest.raises(cellar_door.RefusedError):
                recording.run_at(tick)


def test_a_world_that_lies_beside_the_file_is_opened_for_a_replay(folder: Path, saved: Path, tmp_path: Path) -> None:
    beside = tmp_path / "beside"
    shutil.copytree(folder, beside / "world")
    recording = load_recording(saved)
    recording.source = str(beside / "world")
    save_recording(recording, beside / "a.cdrec")
    with cellar_door.open_recording(beside / "a.cdrec") as opened:
        assert opened.check() == ""
    with pytest.raises(cellar_door.ClosedError):
        opened.check()


def test_a_world_elsewhere_is_not_read_unless_it_is_named(
    folder: Path, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cellar_door.open_recording(saved) as recording:
        assert len(recording.positions) == len(recording)
        monkeypatch.setattr("editor.session.sources.look_at_path", None)  # nothing may ask what lies there
        with pytest.raises(cellar_door.OpenError, match="not beside it") as refused:
            recording.find("cell changes")
        assert refused.value.file == str(saved)
    monkeypatch.undo()
    with cellar_door.open_recording(saved, folder) as recording:
        assert recording.check() == ""


def test_server_data_elsewhere_is_not_read_even_where_the_world_is_named(folder: Path, saved: Path) -> None:
    recording = load_recording(saved)
    recording.server = ServerPlace(("/somewhere/else",))
    save_recording(recording, saved)
    with cellar_door.open_recording(saved, folder) as opened, pytest.raises(cellar_door.OpenError, match="server data"):
        opened.check()


def test_the_wrong_world_is_refused(saved: Path, tmp_path: Path) -> None:
    other = built(open_rooms).write(tmp_path / "other")
    with cellar_door.open_world(other) as world:
        recording = cellar_door.open_recording(saved, world)
        with pytest.raises(cellar_door.OpenError, match="no longer the world of the recording"):
            recording.check()


@pytest.mark.parametrize("content", [b"", b"what?", b"CDREC"])
def test_what_is_no_recording_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.cdrec").write_bytes(content)
    with pytest.raises(cellar_door.OpenError) as refused:
        cellar_door.open_recording(tmp_path / "a.cdrec")
    assert refused.value.file == str(tmp_path / "a.cdrec")


def test_a_capture_is_replayed_move_by_move(world: cellar_door.World, tmp_path: Path) -> None:
    file = tmp_path / "walk.jsonl"
    with file.open("w", encoding="ascii") as stream, world.simulation(START) as run:
        run.engine.watch(run.engine.player.id, CaptureWriter(stream, run.engine.player.steered))
        run.walk("forward 1s")
    capture = cellar_door.open_capture(file, world)
    moves = capture.replay()
    assert len(moves) == len(capture) == 30
    assert all(move.agrees for move in moves)
    assert (moves[0].cell, moves[0].client_cell) == (HALL, HALL)
    assert cellar_door.compare_capture(capture) == []

    rows = [json.loads(line) for line in file.read_text(encoding="ascii").splitlines()]
    rows[3]["result"]["position"]["x"] += 1.0
    file.write_text("\n".join(map(json.dumps, rows)), encoding="ascii")
    capture = cellar_door.open_capture(file, world)
    assert [move.number for move in capture.replay() if not move.agrees] == [3]
    (difference,) = cellar_door.compare_capture(capture)
    assert (difference.call, difference.rules) == (3, ())
    assert "position" in difference.differences[0]


def test_a_reproduction_brings_its_world(folder: Path, saved: Path, tmp_path: Path) -> None:
    packed = tmp_path / "a.cdrepro"
    assert main(["reproduce", str(saved), "--world", str(folder), "--out", str(packed)]) == 0
    with cellar_door.open_recording(packed) as recording:
        assert recording.check() == ""
        assert recording.world.doors["door"].name == "door"
    with cellar_door.open_world(packed) as world:
        assert world.cell(HALL).is_room
        with pytest.raises(cellar_door.OpenError, match="holds a recording"):
            cellar_door.open_capture(packed, world)


def test_a_capture_of_another_world_is_refused(world: cellar_door.World, tmp_path: Path) -> None:
    with pytest.raises(cellar_door.OpenError):
        cellar_door.open_capture(tmp_path / "none.jsonl", world)
