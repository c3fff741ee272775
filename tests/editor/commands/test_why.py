"""`why` in a terminal: chains as lines and as JSON, lists of values, and questions that cannot be answered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cellar_door.main import main
from tests.sim.helpers.small_worlds import built, two_rooms

DOOR = "door"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two rooms with a door, and a walk through it."""
    built(two_rooms).write(tmp_path / "world")
    (tmp_path / "in.walk").write_text(f'wait 0.5s\nuse "{DOOR}"\nwait 1s\nforward 2s run\n', encoding="utf-8")
    return tmp_path


@pytest.fixture
def start() -> str:
    return f"0x{built(two_rooms).cell_id('hall'):08X},3,2,0,90"


@pytest.fixture
def recording(folder: Path, start: str, capsys: pytest.CaptureFixture[str]) -> Path:
    words = ["--start", start, "--script", str(folder / "in.walk"), "--record", str(folder / "in.cdrec")]
    assert main(["walk", str(folder / "world"), *words]) == 0
    capsys.readouterr()
    return folder / "in.cdrec"


def asked(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    assert main(["why", *map(str, words)]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def data_of(capsys: pytest.CaptureFixture[str], *words: str | Path) -> Any:
    return json.loads(asked(capsys, *words, "--json"))


def test_a_chain_is_told_link_by_link(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = asked(capsys, recording, "--of", "player.cell").splitlines()
    assert lines[0].startswith("tick ")
    assert "cell of the player: " in lines[0]
    assert "through portal" in lines[1]
    assert lines[2].strip().startswith("sub-step 1: ")
    assert "            The forward key went down." in lines
    assert lines[-1].strip() == "A key was pressed or let go: nothing in the recording made it."


def test_json_has_every_link_with_what_it_names(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, recording, "--of", "player.cell")
    picked, moved, *_ = data["links"]
    assert picked["kind"] == "portal"
    assert picked["asked"]["path"] == "cell"
    assert {"portal", "cell", "sub_step", "trace_path", "row", "point"} <= picked.keys()
    assert picked["leads_to"][0] == moved["asked"]
    assert data["ended"]


def test_a_door_is_asked_about_by_its_name_or_its_id(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    by_name = data_of(capsys, recording, "--of", f'"{DOOR}".is_open')
    by_id = data_of(capsys, recording, "--of", f"0x{built(two_rooms).entity(DOOR).guid:08X}.open")
    assert [link["tick"] for link in by_name["links"]] == [link["tick"] for link in by_id["links"]] == [15]
    assert by_name["links"][0]["kind"] == "edit"


def test_a_tick_before_the_change_is_answered_from_before_it(
    recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (link,) = data_of(capsys, recording, "--of", f"{DOOR}.is_open", "--tick", "14")["links"]
    assert link["kind"] == "start"


def test_a_script_is_run_first(folder: Path, start: str, capsys: pytest.CaptureFixture[str]) -> None:
    words: list[str | Path] = ["--world", folder / "world", "--start", start]
    assert "The forward key went down" in asked(capsys, folder / "in.walk", *words, "--of", "player.x")


def test_a_reproduction_brings_its_own_world(recording: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", str(recording), "--out", str(folder / "in.cdrepro")]) == 0
    capsys.readouterr()
    whole = asked(capsys, recording, "--of", "player.cell")
    assert asked(capsys, folder / "in.cdrepro", "--of", "player.cell") == whole


def test_the_values_are_listed_with_the_others_that_are_there(
    recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = asked(capsys, recording, "--list")
    assert "player.contact_plane " in listed
    assert f'"{DOOR}"' in listed
    data = data_of(capsys, recording, "--list", "--of", DOOR)
    assert {"is_open", "busy_until", "reset_at"} <= {each["path"] for each in data["values"]}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "say with --of what is asked about"),
        (["--of", "player"], "write ENTITY.VALUE, such as player.cell"),
        (["--of", "playr.cell"], "there is no entity 'playr'; there is player"),
        (["--of", "player.cel"], "player has no value 'cel'; there is cell"),
        (["--of", "player.cell", "--tick", "9999"], "--tick is from 0 to"),
        (["--of", "player.cell", "--tick", "-1"], "--tick is from 0 to"),
        (["--of", "player.cell", "--world", "nowhere"], "nowhere"),
        (["--list", "--of", "nobody"], "there is no entity 'nobody'"),
    ],
)
def test_bad_questions_are_refused_in_one_sentence(
    words: list[str], said: str, recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["why", str(recording), *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize("content", [b"", b"{}", b"\x00" * 64])
def test_what_is_no_recording_is_refused(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "in.cdrec"
    path.write_bytes(content)
    assert main(["why", str(path), "--of", "player.cell"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
