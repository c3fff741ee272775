"""`survey` in a terminal: what is chosen, printed and written, exit codes, and what cannot be read."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from cellar_door.main import main
from editor.commands.survey import exit_code, parse_landblocks, print_report
from editor.survey.report_form import BlockReport, Report, read_report
from engine.world.faults import WorldError
from tests.editor.survey.worlds import BROKEN, HUTS, ROOM, change_records, move_rooms, write_huts
from tests.systems import not_under_wine


@pytest.fixture(scope="module")
def shared_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_huts(tmp_path_factory.mktemp("survey") / "world")


@pytest.fixture
def world(shared_world: Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    return str(shared_world)


FEW = ("--landblocks", "0x0005..0x0008,0x0100", "--workers", "1")
"""One landblock with a room that has moved among them."""


def test_findings_are_printed_with_their_checks_and_are_an_exit_code(
    world: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["survey", world, *FEW]) == 1
    *lines, summary = capsys.readouterr().out.splitlines()
    assert any(line.startswith("warning: 0x00060100 portals.sides-do-not-meet: portal 0 and ") for line in lines)
    assert summary.startswith("5 landblocks: ")
    assert "error" in summary


def test_checks_are_switched_on_and_off_by_id_and_severity_decides(
    world: str, capsys: pytest.CaptureFixture[str]
) -> None:
    only = ("--enable", "portals.sides-do-not-meet")
    assert main(["survey", world, *FEW, *only]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "5 landblocks: 2 warnings"
    assert main(["survey", world, *FEW, *only, "--fail-on", "warning"]) == 1
    assert main(["survey", world, *FEW, "--fail-on", "never"]) == 0
    capsys.readouterr()
    assert main(["survey", world, *FEW, "--disable", "geometry", "--disable", "physics"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "5 landblocks: nothing is wrong"
    assert main(["survey", world, *FEW, *only, "--disable", "stabs.*", "--disable", "explore"]) == 0
    for words, said in (
        (["--enable", "no.such"], "there is no check 'no.such'"),
        (["--enable", "stabs.*"], "no check of --do check is switched on"),
        ([*only, "--disable", "geometry"], "no check of --do check is switched on"),
    ):
        assert main(["survey", world, *words]) == 2
        assert said in capsys.readouterr().err


def test_a_baseline_leaves_out_what_was_known(world: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = str(tmp_path / "known")
    assert main(["survey", world, *FEW, "--write-baseline", known]) == 1
    assert main(["survey", world, *FEW, "--baseline", known]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("5 landblocks: nothing is wrong; ")
    everything = ("--landblocks", "0x0000..0x03FF", "--workers", "2")
    assert main(["survey", world, *everything, "--baseline", known, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert {found["block"] for found in report["found"]} == {BROKEN[1]}


def test_all_reports_are_written_and_say_the_same(
    world: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = {form: str(tmp_path / f"report.{form}") for form in ("html", "sarif", "junit")}
    words = [word for form, name in names.items() for word in (f"--{form}", name)]
    assert main(["survey", world, *FEW, "--out", str(tmp_path / "out"), *words, "--no-pictures"]) == 1
    report = read_report(tmp_path / "out" / "survey.json")
    assert len(report.blocks) == 5
    assert report.source == world
    html = Path(names["html"]).read_text(encoding="utf-8")
    assert all(found.check in html for found in report.found)
    sarif = json.loads(Path(names["sarif"]).read_text(encoding="utf-8"))
    assert len(sarif["runs"][0]["results"]) == len(report.found)
    assert ET.parse(names["junit"]).getroot().tag == "testsuites"


def test_the_same_command_goes_on_and_does_what_has_changed_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world, out = write_huts(tmp_path / "world"), tmp_path / "out"
    words = ["survey", str(world), "--workers", "1", "--out", str(out)]
    assert main(words) == 1
    journal = (out / "survey.journal").read_bytes()
    first = (out / "survey.json").read_bytes()
    assert main(words) == 1
    assert (out / "survey.journal").read_bytes() == journal
    assert (out / "survey.json").read_bytes() == first
    move_rooms(world, BROKEN, -0.4)
    assert main(words) == 0
    assert len((out / "survey.journal").read_bytes()) > len(journal)
    capsys.readouterr()
    assert main([*words, "--afresh"]) == 0


def test_a_damaged_record_is_a_finding_and_the_rest_is_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world = write_huts(tmp_path / "world", [])
    change_records(world, {HUTS[4] & 0xFFFF0000 | ROOM: lambda record: record[:30]})
    assert main(["survey", str(world), "--workers", "1"]) == 1
    said = capsys.readouterr().out
    assert "error: 0x" in said
    assert "36 landblocks: " in said


def test_entities_that_are_left_out_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world = write_huts(tmp_path / "world", [])
    (world / "entities.json").write_text('{"version": 1, "entities": [{"name": "bell\\u0007"}]}', encoding="utf-8")
    assert main(["survey", str(world), *FEW, "--json"]) == 0
    [said] = capsys.readouterr().err.splitlines()
    assert "entities.json" in said
    assert said.endswith("; left out")


def test_what_was_not_done_is_told_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = [BlockReport(HUTS[1], 0.5, ("stabs",), ("check did not finish: no reason",)), BlockReport(HUTS[2])]
    report = Report.of("world", (), blocks, [])
    assert exit_code(report, "never") == 2
    print_report(report)
    assert capsys.readouterr().out.splitlines() == [
        "not done: 0x0002: check did not finish: no reason",
        "2 landblocks: nothing is wrong; 1 landblock not done",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["gone"], "gone: there is no such file or folder"),
        (["WORLD", "--do", "dance"], "--do 'dance': a survey can do check, stabs"),
        (["WORLD", "--landblocks", "0xFEFE"], "has no landblock 0xFEFE"),
        (["WORLD", "--landblocks", "0xF0F0..0xFEFE"], "has no landblock 0xF0F0..0xFEFE"),
        (["WORLD", "--landblocks", "A9B4"], "--landblocks 'A9B4': write 0xC95B"),
        (["WORLD", "--baseline", "gone"], "gone: cannot be read"),
        (["WORLD", "--set", "grid=1"], "--set belongs to --do explore"),
        (["WORLD", "--do", "explore", "--set", "grid=0"], "a search has a grid of 0.05 to "),
        (["WORLD", "--do", "explore", "--set", "grid=x"], "grid is a number"),
        (["WORLD", "--do", "explore", "--set", "doors=shut"], "doors is as they are, open, used"),
        (["WORLD", "--do", "explore", "--set", "nonsense=1"], "write NAME=VALUE with one of"),
        (["WORLD", "--html", "no/such/folder"], "cannot be written"),
        (["WORLD", "--out", "WORLD/client_cell_1.dat/none"], "cannot be made"),
        (["WORLD", "--json", "--junit", "WORLD/client_cell_1.dat"], "is one of the files that are read"),
        (["WORLD", "--scheduler", "tcp://127.0.0.1:1", "--limit", "3"], "--workers and --limit are of this machine's"),
        pytest.param(
            *(["WORLD", "--scheduler", "tcp:nonsense"], "no scheduler answers there"),
            marks=not_under_wine("it asks for minutes where such a name is"),
        ),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    world: str, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["survey", *(word.replace("WORLD", world) for word in words)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize("name", ["out/survey.journal", "out/../out/survey.json", "report"])
def test_one_file_is_not_written_for_two_purposes(
    world: str, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["survey", world, *FEW, "--out", str(tmp_path / "out"), "--sarif", str(tmp_path / "report")]
    assert main(words) == 1
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    capsys.readouterr()
    assert main([*words, "--write-baseline", str(tmp_path / name)]) == 2
    assert "is named twice as a file to write" in capsys.readouterr().err
    assert {file: file.read_bytes() for file in before} == before


def test_a_baseline_is_not_written_over_server_data(
    world: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = tmp_path / "world.db"
    server.write_bytes(b"SQLite format 3\0")
    assert main(["survey", world, *FEW, "--server-data", str(server), "--write-baseline", str(server)]) == 2
    assert "is one of the files that are read" in capsys.readouterr().err


def test_landblocks_are_named_one_by_one_and_by_corners() -> None:
    assert list(parse_landblocks("0xC95B, 0xa9b4ffff")) == [(0xC95BFFFF, 0xC95BFFFF), (0xA9B4FFFF, 0xA9B4FFFF)]
    assert list(parse_landblocks("0x0102..0x0304")) == [(0x0102FFFF, 0x0304FFFF)]
    for bad in ("", "0x1", "0x12345678", "0x0102...0x0304", "0x0102..", "٠x0102"):
        with pytest.raises(WorldError):
            list(parse_landblocks(bad))
