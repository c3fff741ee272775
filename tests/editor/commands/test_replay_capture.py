"""`replay-capture`: records made again from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cellar_door.main import main
from engine.sim.captures.writer import CaptureWriter
from tests.shared import SHARED, needs_shared
from tests.sim.helpers.small_worlds import FORWARD, built, hold, open_rooms, standing


@pytest.fixture
def walk(tmp_path: Path) -> tuple[str, Path]:
    """A world on disk and a capture of a walk in it."""
    world = built(open_rooms)
    world.write(tmp_path / "world")
    sim = standing(world, "hall", (4.0, 2.0), 90.0)
    capture = tmp_path / "walk.jsonl"
    with capture.open("w", encoding="ascii") as stream:
        sim.watch(sim.player.id, CaptureWriter(stream, sim.player.steered))
        hold(sim, 1.0, FORWARD)
    return str(tmp_path / "world"), capture


def test_our_own_walk_agrees_in_every_record(walk: tuple[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    world, capture = walk
    assert main(["replay-capture", world, str(capture)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "30 of 30 records agree"
    assert lines[0].endswith("(4, 2, 0.005) -> (4.104, 2, 0.005)  agrees")


def test_a_record_that_differs_is_told_with_both_values_and_an_exit_code(
    walk: tuple[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    world, capture = walk
    records = [json.loads(line) for line in capture.read_text().splitlines()]
    records[2]["result"]["isOnGround"] = False
    capture.write_text("\n".join(json.dumps(record) for record in records))
    assert main(["replay-capture", world, str(capture)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].endswith("differs")
    assert lines[3] == "      isOnGround: recorded False, ours True"
    assert main(["replay-capture", world, str(capture), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["records"], data["agreeing"]) == (30, 29)
    assert data["replays"][2]["differences"] == [{"field": "isOnGround", "recorded": "False", "ours": "True"}]


def test_one_record_can_be_taken_apart(walk: tuple[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    world, capture = walk
    assert main(["replay-capture", world, str(capture), "--trace", "3"]) == 0
    out = capsys.readouterr().out
    assert "sweep of object 0x50000001 from " in out
    assert "  sub-step 1, asked (0.104, 0, 0)" in out
    assert main(["replay-capture", world, str(capture), "--trace", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["trace"]["kind"] == "sweep"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--trace", "30"], "has the records 0 to 29, none of number 30"),
        (["--place", "0x01000A2B,0xA9B40029,1,2"], "is not a place: write MODEL,CELL,X,Y,Z"),
        (["--place", "0x01000A2B,0xA9B40029,1,2,nan"], "is not a place"),
        (["--ground", "nan"], "--ground nan is not a height"),
        (["--ground", "3e38"], "--ground 3e+38 is not a height"),
        (["--rules", "neither"], "the rule sets are retail and ace"),
        (["--frame", "here"], "'here' is not an id"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    walk: tuple[str, Path], words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    world, capture = walk
    assert main(["replay-capture", world, str(capture), *words]) == 2
    assert said in capsys.readouterr().err


def test_a_broken_line_is_named(walk: tuple[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    world, capture = walk
    text = capture.read_text().splitlines()
    text[4] = text[4].replace('"cellId"', '"cell"', 1)
    capture.write_text("\n".join(text))
    assert main(["replay-capture", world, str(capture)]) == 2
    assert f"{capture}:5: input: has no 'cellId'" in capsys.readouterr().err


@needs_shared
def test_a_model_that_is_not_there_is_not_left_out_in_silence(capsys: pytest.CaptureFixture[str]) -> None:
    fixtures = SHARED / "fixtures"
    words = [str(fixtures / "issue98"), str(fixtures / "issue98/live-capture.jsonl")]
    assert main(["replay-capture", *words, "--place", "0x01000A2C,0xA9B40029,130.5,11.5,94"]) == 2
    assert "has no model 0x01000A2C to be placed" in capsys.readouterr().err


@needs_shared
@pytest.mark.conformance
def test_dumps_are_given_ground_and_the_houses_walls(capsys: pytest.CaptureFixture[str]) -> None:
    fixtures = SHARED / "fixtures"
    words = [str(fixtures / "issue98"), str(fixtures / "cellar-ascent"), str(fixtures / "issue98/live-capture.jsonl")]
    words += ["--ground=-1000", "--place", "0x01000A2B,0xA9B40029,130.5,11.5,94,180,shell"]
    assert main(["replay-capture", *words]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "      isOnGround: recorded True, ours False"
    assert lines[-1] == "0 of 3 records agree"
