"""`follow`: a capture replayed while it is written, from the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cellar_door.main import main
from tests.sim.live.captures import append, ended_elsewhere, line, lines, rooms
from tests.systems import needs_signals

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def world(tmp_path: Path) -> str:
    rooms()[0].write(tmp_path / "world")
    return str(tmp_path / "world")


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """A walk whose sixth record ends elsewhere, with a line that is no record."""
    _, records = rooms()
    path = tmp_path / "live.jsonl"
    path.write_bytes(lines([*records[:5], ended_elsewhere(records[5])]) + b"hello\n" + lines(records[6:]))
    return path


def test_differences_are_printed_under_both_rule_sets(
    world: str, capture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["follow", str(capture), "--world", world, "--idle", "0"]) == 1
    out, err = capsys.readouterr()
    first, retail, ace, last = out.splitlines()
    assert first.startswith(f"{capture}:6  tick 5  0x")
    assert retail.startswith("  retail  position: recorded (")
    assert ace.startswith("  ace     position: recorded (")
    assert last == "30 records, 1 differ (retail), 1 differ (ace), 1 fault, 1 session"
    assert f"{capture}:7: is not JSON" in err


def test_stop_ends_at_the_first_difference_and_json_is_a_line_each(
    world: str, capture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["follow", str(capture), "--world", world, "--stop", "--json"]) == 1
    difference, sums = map(json.loads, capsys.readouterr().out.splitlines())
    assert difference["tick"] == 5
    assert [entry["field"] for entry in difference["differences"]["ace"]] == ["position"]
    assert (sums["records"], sums["differing"]) == (6, {"retail": 1, "ace": 1})


def test_a_capture_that_agrees_ends_with_0(world: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "live.jsonl"
    path.write_bytes(lines(rooms()[1]))
    assert main(["follow", str(path), "--world", world, "--idle", "0"]) == 0
    assert capsys.readouterr().out == "30 records, 0 differ (retail), 0 differ (ace), 1 session\n"


def test_until_ends_at_the_first_move_for_which_a_condition_holds(
    world: str, capture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, records = rooms()
    first = next(number for number, each in enumerate(records) if each.result.cell_id != each.input.cell_id)
    command = ["follow", str(capture), "--world", world, "--idle", "0", "--until"]
    assert main([*command, "enters cell study or door door opens"]) == 2
    assert "--until: “door X opens”: a capture says nothing of doors" in capsys.readouterr().err
    assert main([*command, "enters cell"]) == 2
    assert "--until: The condition ends too early" in capsys.readouterr().err
    assert main([*command, "blocked by nobody"]) == 2
    output = capsys.readouterr()
    assert "--until: Nothing here is called “nobody”." in output.err
    assert output.out == "", "nothing was followed"
    assert main([*command, "blocked by walls or cell changes"]) == 0
    *_, reached, sums = capsys.readouterr().out.splitlines()
    assert reached == f"until tick {first}, {capture}:{first + 2}: cell changes"
    assert sums == f"{first + 1} records, 1 differ (retail), 1 differ (ace), 1 fault, 1 session"
    assert main([*command, "cell changes", "--json"]) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[-2])
    where = f"{capture}:{first + 2}"
    assert found == {"until": "cell changes", "tick": first, "because": "cell changes", "where": where}


def test_until_that_never_holds_ends_with_1(world: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "live.jsonl"
    path.write_bytes(lines(rooms()[1]))
    command = ["follow", str(path), "--world", world, "--idle", "0", "--until", "z over 900"]
    assert main(command) == 1
    assert capsys.readouterr().out.splitlines()[0] == "never: z over 900 m"
    assert main([*command, "--json"]) == 1
    none = {"until": "z over 900 m", "tick": None, "because": "", "where": None}
    assert json.loads(capsys.readouterr().out.splitlines()[0]) == none


def test_until_goes_by_the_rules_that_are_named(world: str, capture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for rules in ("retail", "ace"):
        command = ["follow", str(capture), "--world", world, "--idle", "0", "--rules", rules, "--stop"]
        assert main([*command, "--until", "rules disagree"]) == 1
        assert "6 records" in capsys.readouterr().out, "--stop ends it at the difference"


def test_a_time_that_is_none_is_refused(world: str, capture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["follow", str(capture), "--world", world, "--idle", "nan"]) == 2
    assert "--idle nan is no time" in capsys.readouterr().err


@needs_signals
def test_a_file_that_is_written_meanwhile_is_followed_until_interrupted(world: str, tmp_path: Path) -> None:
    _, records = rooms()
    path = tmp_path / "live.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-m", "cellar_door", "follow", str(path), "--world", world],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert "does not exist yet; waiting for it" in process.stderr.readline()
    for record in records[:5]:
        append(path, line(record))
    append(path, line(ended_elsewhere(records[5])))
    assert f"{path}:6  tick 5" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert rest.splitlines()[-1] == "6 records, 1 differ (retail), 1 differ (ace), 1 session"
    assert process.returncode == 130
