"""`doors`: the doors of a world, and who may pass one."""

from __future__ import annotations

from pathlib import Path

import pytest

from cellar_door.main import ERROR, main
from tests.sim.helpers.small_worlds import two_rooms


@pytest.fixture
def folder(tmp_path: Path) -> str:
    two_rooms(locked=True).build().write(tmp_path / "world")
    return str(tmp_path / "world")


def said(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["doors", *words]) == 0
    return capsys.readouterr().out.splitlines()


def door_id(capsys: pytest.CaptureFixture[str], folder: str) -> str:
    titles, line = said(capsys, folder)
    assert titles.split() == ["id", "door", "cell"]
    return line.split()[0]


def test_doors_are_listed(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert door_id(capsys, folder).startswith("0x")


def test_a_door_says_who_may_pass_it_and_why(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, folder, door_id(capsys, folder))
    now = lines[lines.index("as it is now") :]
    assert " ".join(now[2].split()) == "Player is stopped (lock) opens it first (from behind)"
    assert "  lock: The lock refuses the player: a locked door opens only from behind." in now
    assert [line for line in lines if not line.startswith(" ")][1:5] == ["as it is now", "closed", "open", "locked"]
    assert lines[-2] == "Beside the closed leaf: nobody gets by, not even with a radius of 0.1 m."
    assert lines[-1] == "Over it by a jump: nobody gets by, not even with a radius of 0.1 m."


def test_an_id_that_is_no_door_is_refused_with_the_doors_there_are(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    known = door_id(capsys, folder)
    assert main(["doors", folder, "0x70999999"]) == ERROR
    assert f"has no door 0x70999999; it has {known}" in capsys.readouterr().err
