"""`walk`: a script run through a world from the command line, for people and as JSON."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from cellar_door.main import main
from editor.commands.walk import parse_rules
from engine.physics.errors import PhysicsError
from engine.physics.rules import RULE_NAMES
from engine.sim.captures.form import read_capture
from engine.sim.edits.doors import UseDoor
from engine.sim.recording_file import load_recording
from engine.world.faults import WorldError
from engine.world.loader.names_file import write_names
from engine.world.names import NameKey
from tests.sim.helpers.small_worlds import built, two_rooms

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(two_rooms).write(tmp_path_factory.mktemp("two rooms"))


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """From the hall through the door into the study."""
    file = tmp_path / "walk.txt"
    file.write_text("forward 1s\nuse door\nforward 1s\n", encoding="utf-8")
    return file


START = "0x00070100,4.6,2,0,90"


def walk(folder: Path, script: Path | str, *words: str, start: str = START) -> int:
    return main(["walk", str(folder), "--start", start, "--script", str(script), *words])


def rows(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_line_is_printed_for_every_tick(folder: Path, script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert walk(folder, script) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 60
    assert lines[0].split()[:2] == ["0", "0x00070100"]
    assert any("blocked" in line and "touched door" in line for line in lines[:30])
    assert "door 0x70007001 opening" in lines[30]
    assert any("from 0x00070102" in line for line in lines)
    assert "ground" in lines[-1]


def test_a_names_file_names_the_cells_of_a_walk(
    folder: Path, script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_names(tmp_path / "names.json", "x", {NameKey.cell(0x00070100): "Hall", NameKey.cell(0x00070102): "Doorway"})
    assert walk(folder, script, "--names", str(tmp_path / "names.json")) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["0", "0x00070100", "Hall"]
    assert any("from 0x00070102 Doorway" in line for line in lines)


def test_json_has_an_object_for_every_tick(folder: Path, script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert walk(folder, script, "--json") == 0
    ticks = rows(capsys.readouterr().out)
    assert [tick["tick"] for tick in ticks] == list(range(60))
    assert ticks[30]["events"] == [{"entity": "0x70007001", "what": "opening", "by": "0x50000001"}]
    assert ticks[-1]["cell"] == f"0x{built(two_rooms).cell_id('study'):08X}"
    blocked = next(tick for tick in ticks if tick["blocked"])
    assert blocked["collided_objects"] == ["0x70007001"]
    assert blocked["made"] == [0.0, 0.0, 0.0]


def test_the_same_walk_prints_the_same_lines(folder: Path, script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walk(folder, script, "--json")
    first = capsys.readouterr().out
    walk(folder, script, "--json")
    assert capsys.readouterr().out == first


def test_a_script_is_read_from_the_standard_input(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("wait 3t\n"))
    assert walk(folder, "-") == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_the_rules_are_those_that_were_asked_for(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.txt"
    file.write_text("set run_skill 900\nforward run 1t\n", encoding="utf-8")
    reached = []
    for rules in ("retail", "ace", "ace,run_rate_800=retail", "retail,run_rate_800=ace"):
        assert walk(folder, file, "--rules", rules, "--json", start="0x00070100,1,2,0,90") == 0
        reached.append(rows(capsys.readouterr().out)[0]["origin"][0])
    assert reached[0] == reached[2]
    assert reached[1] == reached[3] == pytest.approx(1.6, abs=1e-3)


def test_rules_are_read_as_a_set_with_single_ones_flipped() -> None:
    rules = parse_rules("ace,edge_slide_order=retail,max_steps=retail")
    assert {rule for rule in RULE_NAMES if rules.form(rule) == "retail"} == {"edge_slide_order", "max_steps"}
    for text in ("nice", "ace,gravity=ace", "ace,max_steps=some"):
        with pytest.raises(PhysicsError):
            parse_rules(text)
    with pytest.raises(WorldError, match="flips no rule"):
        parse_rules("ace,max_steps")


@pytest.mark.parametrize(
    ("line", "said"),
    [("dance", "walk.txt: line 1: 'dance' is not a command"), ("use window", "walk.txt: line 1: 'use window'")],
)
def test_a_wrong_script_ends_with_file_and_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    file = tmp_path / "walk.txt"
    file.write_text(line, encoding="utf-8")
    assert walk(folder, file) == 2
    assert said in capsys.readouterr().err


def test_a_walk_starts_at_a_place_as_players_write_it(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "script").write_text("wait 1t\n")
    answers = []
    for start in ("0x00070100,1,2,0,90", "@teleloc 0x00070100 [1 2 0.005] -0.707107 0 0 0.707107"):
        assert walk(folder, tmp_path / "script", "--json", start=start) == 0
        answers.append(json.loads(capsys.readouterr().out.splitlines()[0]))
    assert answers[0]["cell"] == answers[1]["cell"]
    assert answers[0]["origin"] == pytest.approx(answers[1]["origin"], abs=1e-5)


def test_a_wrong_start_and_a_missing_script_end_with_one_sentence(
    folder: Path, script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for start, said in (("here", "is not a place"), ("0x00070177,1,1,0", "there is no cell 0x00070177")):
        assert walk(folder, script, start=start) == 2
        assert said in capsys.readouterr().err
    assert walk(folder, script.with_name("other.txt")) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_the_demo_worlds_spots_are_places_to_start_and_to_go_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "demo.txt"
    file.write_text("wait 1t\nteleport cellar\nwait 1t\n", encoding="utf-8")
    assert main(["walk", "demo", "--start", "inn_common_room", "--script", str(file), "--json"]) == 0
    first, second = rows(capsys.readouterr().out)
    assert first["cell"] != second["cell"]
    assert second["origin"][2] < first["origin"][2]


def test_a_tick_can_be_traced(folder: Path, script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walk(folder, script, "--json")
    plain = rows(capsys.readouterr().out)
    blocked = next(tick["tick"] for tick in plain if tick["blocked"])
    walk(folder, script, "--json", "--trace", str(blocked))
    traced = rows(capsys.readouterr().out)
    outcomes = [tick.pop("outcome") for tick in traced if "outcome" in tick]
    assert outcomes == ["■ Blocked by door, part 1, polygon 0"]
    assert [tick.pop("sweeps", None) is not None for tick in traced] == [tick["tick"] == blocked for tick in plain]
    assert traced == plain
    walk(folder, script, "--trace", "0", "--trace", str(blocked))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > len(plain) + 10
    assert any("0x70007001" in line for line in lines if line.startswith(" " * 9))


def test_a_trace_begins_with_what_decided(folder: Path, script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the words of the window, for the tick that met the door and for the one after it."""
    walk(folder, script, "--json")
    blocked = next(tick["tick"] for tick in rows(capsys.readouterr().out) if tick["blocked"])
    walk(folder, script, "--trace", str(blocked), "--trace", str(blocked + 1))
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert "■ Blocked by door, part 1, polygon 0" in lines
    assert "■ Blocked by door, part 1, polygon 0 (met in an earlier tick)" in lines


def test_a_trace_says_why_the_cell_changed(folder: Path, script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walk(folder, script, "--json")
    plain = rows(capsys.readouterr().out)
    before, after = next((a, b) for a, b in pairwise(plain) if a["cell"] != b["cell"])
    old, new, tick = before["cell"], after["cell"], str(after["tick"])
    walk(folder, script, "--trace", tick)
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert f"latch: accepted (from {old} to {new})" in lines
    assert any(
        line.startswith(f"1. {old}, start: does not hold the centre (foot partly inside, -")
        and "; centre outside, -" in line
        for line in lines
    )
    assert any(
        line.startswith(f"2. {new}, portal 0 of {old}: picked (") and "; centre inside, " in line for line in lines
    )
    walk(folder, script, "--json", "--trace", tick)
    (sweep,) = next(row["sweeps"] for row in rows(capsys.readouterr().out) if row.get("sweeps"))
    step = sweep["children"][0]
    assert (step["latch"]["cell_before"], step["latch"]["cell"]) == (int(old, 16), int(new, 16))


def test_a_walk_can_be_recorded_and_is_printed_all_the_same(
    folder: Path, script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walk(folder, script)
    plain = capsys.readouterr().out
    kept = tmp_path / "walk.cdrec"
    assert walk(folder, script, "--record", str(kept)) == 0
    printed = capsys.readouterr()
    assert printed.out == plain
    assert printed.err == f"60 ticks saved to {kept}\n"
    recording = load_recording(kept)
    assert (len(recording), recording.source) == (60, str(folder))
    assert recording.edits == {30: [UseDoor(0x70007001, 0x50000001)]}


def test_a_walk_that_fails_is_kept_up_to_there(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "walk.txt"
    file.write_text("forward 1s\nuse window\nforward 1s\n", encoding="utf-8")
    kept = tmp_path / "walk.cdrec"
    assert walk(folder, file, "--record", str(kept)) == 2
    assert "line 2" in capsys.readouterr().err
    assert len(load_recording(kept)) == 30


def test_the_source_of_a_recording_is_found_from_any_folder(
    folder: Path, script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    assert walk(Path(folder.name), script, "--record", str(tmp_path / "walk.cdrec")) == 0
    assert load_recording(tmp_path / "walk.cdrec").source == str(folder)


def test_a_place_where_nothing_can_be_kept_is_refused_before_the_walk(
    folder: Path, script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for kept, said in ((tmp_path / "none" / "walk.cdrec", "there is no folder"), (tmp_path, "it is a folder")):
        assert walk(folder, script, "--record", str(kept)) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert said in printed.err


def test_a_walk_can_be_written_as_a_capture_that_replays(
    folder: Path, script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capture = tmp_path / "walk.jsonl"
    assert walk(folder, script, "--capture", str(capture), "--record", str(tmp_path / "walk.cdrec")) == 0
    records = read_capture(capture)
    assert [record.tick for record in records[:30]] == list(range(30))
    assert records[-1].tick == 59
    capsys.readouterr()
    main(["replay-capture", str(folder), str(capture), "--json"])
    replays = json.loads(capsys.readouterr().out)["replays"]
    assert all(replay["agrees"] for replay in replays[:30]), "later the door is open, which a capture does not tell"
    assert walk(folder, script, "--capture", str(tmp_path)) == 2
    assert "cannot be written: it is a folder" in capsys.readouterr().err


def test_a_walk_that_fails_leaves_the_capture_of_its_whole_ticks(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, capture = tmp_path / "walk.txt", tmp_path / "walk.jsonl"
    file.write_text("forward 1s\nuse window\nforward 1s\n", encoding="utf-8")
    assert walk(folder, file, "--capture", str(capture)) == 2
    assert len(read_capture(capture)) == 30


def test_a_walk_is_never_written_over_what_it_is_made_of(
    folder: Path, script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for option in ("--capture", "--record"):
        for read in (script, folder / "client_cell_1.dat"):
            before = read.read_bytes()
            assert walk(folder, script, option, str(read)) == 2
            assert "one of the files that are read" in capsys.readouterr().err
            assert read.read_bytes() == before
    same = str(tmp_path / "walk")
    assert walk(folder, script, "--capture", same, "--record", same) == 2
    assert "cannot hold both" in capsys.readouterr().err


def test_a_tick_never_reached_is_reported_after_the_walk_a_negative_one_at_once(
    folder: Path, script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert walk(folder, script, "--trace", "999", "--trace", "59", "--trace", "60") == 2
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) > 60
    assert printed.err == "Cellar Door: --trace 60, 999: the walk has the ticks 0 to 59\n"
    assert walk(folder, script, "--trace", "5", "--trace=-1") == 2
    assert capsys.readouterr() == ("", "Cellar Door: --trace -1: ticks are counted from 0\n")


def test_a_script_that_can_not_be_read_is_said_in_words(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    data = folder / "client_cell_1.dat"
    for script, said in (
        (tmp_path / "x", f"{tmp_path / 'x'}: cannot be read: No such file or directory"),
        (data, f"{data}: is not text (UTF-8)"),
        ("", "the name of the script is empty"),
    ):
        assert walk(folder, script) == 2
        assert capsys.readouterr().err == f"Cellar Door: {said}\n"


def test_the_clients_probe_lines_come_when_the_environment_asks_for_them(folder: Path, script: Path) -> None:
    words = ["walk", str(folder), "--start", START, "--script", str(script)]
    told = []
    for probe in ("ACDREAM_PROBE_CELL", "ACDREAM_PROBE_CELL_CACHE", "ACDREAM_PROBE_RESOLVE", "ACDREAM_PROBE_NONE"):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "cellar_door", *words],
            cwd=ROOT,
            env={**os.environ, probe: "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        told.append(sorted({line.split()[0] for line in done.stderr.splitlines()}))
    assert told == [["[cell]"], ["[cell-cache]"], ["[resolve]"], []]


def test_a_walk_ends_where_its_condition_holds(folder: Path, script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert walk(folder, script) == 0
    whole = capsys.readouterr().out.splitlines()
    first = next(number for number, line in enumerate(whole) if "blocked" in line)
    assert walk(folder, script, "--until", "jumps or blocked by door") == 0
    *ticks, last = capsys.readouterr().out.splitlines()
    assert ticks == whole[: first + 1]
    assert last == f"until tick {first}: blocked by door"
    assert walk(folder, script, "--until", "blocked by door", "--json") == 0
    assert rows(capsys.readouterr().out)[-1] == {
        "until": "blocked by door",
        "tick": first,
        "because": "blocked by door",
    }


def test_a_walk_tells_when_its_condition_never_holds(
    folder: Path, script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert walk(folder, script, "--until", "z over 900") == 1
    assert capsys.readouterr().out.splitlines()[-1] == "never: z over 900 m"
    assert walk(folder, script, "--until", "blocked by dor") == 2
    output = capsys.readouterr()
    assert "--until: Nothing here is called “dor”; did you mean “door”?" in output.err
    assert output.out == "", "nothing ran"
    assert walk(folder, script, "--until", "blocked bye") == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert "--until: At character 9, “bye” does not fit; what fits is “by”" in output.err
