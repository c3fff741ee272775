"""`reproduce` packs moves with their world; `replay`, `inspect` and `walk` take what it wrote."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cellar_door.main import ERROR, main
from engine.sim.captures.writer import CaptureWriter
from tests.sim.helpers.small_worlds import FORWARD, built, hold, standing, two_rooms


@pytest.fixture
def recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Through the door from the hall to the study's far wall; the world lies beside the file."""
    built(two_rooms).write(tmp_path / "world")
    script = tmp_path / "in.walk"
    script.write_text("forward 1s\nuse door\nforward 2s\n", encoding="utf-8")
    kept = tmp_path / "in.cdrec"
    words = ["--start", "0x00070100,4.6,2,0,90", "--script", str(script), "--record", str(kept)]
    assert main(["walk", str(tmp_path / "world"), *words]) == 0
    capsys.readouterr()
    return kept


def said(capsys: pytest.CaptureFixture[str], *words: str | Path, code: int = 0) -> str:
    assert main(list(map(str, words))) == code
    output = capsys.readouterr()
    return output.out if code != ERROR else output.err


def test_a_recording_is_packed_and_replayed_without_its_world(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "in.cdrepro"
    lines = said(capsys, "reproduce", recording, "--out", out).splitlines()
    assert lines[0] == "of world, a data folder"
    assert "90 ticks" in lines
    assert "1 landblock" in lines
    assert "replayed with the same results" in lines[-2]
    before = said(capsys, "replay", recording).splitlines()
    shutil.rmtree(tmp_path / "world")
    recording.unlink()
    assert said(capsys, "replay", out).splitlines() == before
    assert json.loads(said(capsys, "replay", out, "--to", "40", "--json"))["agrees"]
    assert "0x00070101" in said(capsys, "inspect", out, "0x0007FFFF")
    assert "door" in said(capsys, "doors", out)
    script = tmp_path / "on.walk"
    script.write_text("forward 1s\n", encoding="utf-8")
    on = tmp_path / "on.cdrec"
    said(capsys, "walk", out, "--start", "0x00070100,4.6,2,0,90", "--script", script, "--record", on)
    assert "30 ticks agree" in said(capsys, "replay", on)
    again = json.loads(said(capsys, "reproduce", on, "--out", tmp_path / "on.cdrepro", "--json", "--no-textures"))
    over = said(capsys, "reproduce", on, "--out", out, code=ERROR)
    assert "is one of the files that are read" in over
    assert (again["tick"], again["landblock"]) == (30, 1)


def test_a_capture_is_packed_and_its_moves_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world = built(two_rooms)
    world.write(tmp_path / "world")
    sim = standing(world, "hall", (4.0, 2.0), 90.0)
    capture = tmp_path / "walk.jsonl"
    with capture.open("w", encoding="ascii") as stream:
        sim.watch(sim.player.id, CaptureWriter(stream, sim.player.steered))
        hold(sim, 1.0, FORWARD)
    out = tmp_path / "walk.cdrepro"
    assert "30 moves" in said(capsys, "reproduce", capture, "--world", tmp_path / "world", "--out", out)
    before = said(capsys, "replay-capture", tmp_path / "world", capture)
    shutil.rmtree(tmp_path / "world")
    assert said(capsys, "replay", out) == before
    assert json.loads(said(capsys, "replay", out, "--json"))["agreeing"] == 30
    assert "holds a capture" in said(capsys, "replay", out, "--to", "3", code=ERROR)


def test_what_cannot_be_packed_is_said(recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "x.cdrepro"
    built_elsewhere = tmp_path / "far"
    shutil.move(tmp_path / "world", built_elsewhere)
    assert "there is no such file" in said(capsys, "reproduce", recording, "--out", out, code=ERROR)
    capture = tmp_path / "moves.jsonl"
    capture.write_text("{}\n", encoding="utf-8")
    assert "has no" in said(capsys, "reproduce", capture, "--world", built_elsewhere, "--out", out, code=ERROR)
    assert not out.exists()
    for file in (recording, built_elsewhere / "client_portal.dat"):
        refusal = said(capsys, "reproduce", recording, "--world", built_elsewhere, "--out", file, code=ERROR)
        assert "is one of the files that are read" in refusal
    missing = said(capsys, "reproduce", tmp_path / "none.cdrec", "--out", out, code=ERROR)
    assert "none.cdrec: cannot be read" in missing
    packed = said(capsys, "reproduce", recording, "--world", built_elsewhere, "--out", out)
    assert "Saved x.cdrepro" in packed
    out.write_bytes(out.read_bytes()[:-50])
    for command in ("replay", "inspect", "doors"):
        assert "x.cdrepro: is cut off" in said(capsys, command, out, code=ERROR)
