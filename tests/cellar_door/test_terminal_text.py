"""What the commands print of names that steer a terminal: its letters, and nothing that steers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.build import WorldBuilder, rect
from tests.sim.test_conform import Folder

ROOT = Path(__file__).resolve().parents[2]
NAME = "\x1b]0;owned\x07\x1b[2JDoor\nsecond line\t\u202eeood\u2066\x9b31m\x85"
FILE = "\x1b[31mred\n\u202efile"
WALK = ("--start", "0x00070100,4.6,2,0,90", "--script", "walk.txt")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A world in a folder with such a name, with a door with such a name."""
    if sys.platform == "win32":
        pytest.skip("Windows allows no such names of files")
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4), height=2.8)
    study = world.room("study", rect(6.2, 0, 4, 4), height=2.8)
    world.door(hall, study)
    place = tmp_path / FILE
    place.mkdir()
    world.build().write(place)
    file = place / "entities.json"
    document = json.loads(file.read_text(encoding="utf-8"))
    document["entities"][0]["name"] = NAME
    file.write_text(json.dumps(document), encoding="utf-8")
    (tmp_path / "walk.txt").write_text("forward 1s\n", encoding="utf-8")
    return tmp_path


def run(folder: Path, *words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "cellar_door", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "CELLAR_DOOR_CORE": "python", "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    printed, errors = (output.decode().replace(os.linesep, "\n") for output in (done.stdout, done.stderr))
    return done.returncode, printed, errors


def steering(text: str) -> set[str]:
    return {letter for letter in text if not letter.isprintable() and letter != "\n"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("inspect", FILE), "\\u001b[2JDoor\\u000asecond line"),
        (("inspect", FILE, "0x70007001"), "\\u001b[2JDoor\\u000asecond line"),
        (("walk", FILE, *WALK), "\\u001b[2JDoor\\u000asecond line"),
        (("inspect", f"{FILE}/absent"), "\\u001b[31mred\\u000a\\u202efile/absent"),
        (("visible", FILE, "--cell", "0x00070999", "--eye", "1,1,1"), ""),
        (("look", f"{FILE}.absent", "--screenshot", "x.png"), "\\u001b[31mred\\u000a\\u202efile.absent"),
        (("replay", f"{FILE}/entities.json"), "\\u001b[31mred\\u000a\\u202efile/entities.json"),
        (("replay-capture", FILE, f"{FILE}/entities.json"), "\\u001b[31mred\\u000a"),
        (("conform", f"{FILE}/absent", "--golden", "x"), "\\u001b[31mred\\u000a\\u202efile/absent"),
        (("inspect", "demo", f"--{FILE}"), "\\u001b[31mred"),
    ],
    ids=lambda value: value[0][:8] if isinstance(value, tuple) else "",
)
def test_names_are_printed_and_do_nothing(folder: Path, words: tuple[str, ...], told: str) -> None:
    _, printed, errors = run(folder, *words)
    assert steering(printed + errors) == set()
    assert told in printed + errors
    assert "Traceback" not in errors


def test_a_name_in_a_line_of_a_walk_begins_no_line_of_its_own(folder: Path) -> None:
    code, printed, _ = run(folder, "walk", FILE, *WALK)
    assert (code, len(printed.splitlines())) == (0, 30)


@pytest.mark.parametrize(
    "words", [("inspect", FILE, "--json"), ("walk", FILE, *WALK, "--json")], ids=["inspect", "walk"]
)
def test_json_stays_json_and_gives_the_name_back(folder: Path, words: tuple[str, ...]) -> None:
    code, printed, _ = run(folder, *words)
    assert code == 0
    assert steering(printed) == set()
    if words[0] == "inspect":
        assert NAME in _strings(json.loads(printed))
    else:
        assert all(json.loads(line) for line in printed.splitlines())


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [found for each in inner for found in _strings(each)]


def test_a_scene_with_such_a_name_is_compared_on_one_line(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.scene.write_text(json.dumps({**json.loads(folder.scene.read_text()), "name": NAME}))
    _, printed, errors = run(tmp_path, "conform", str(folder.scene), "--golden", str(folder.golden), "--mode", "whole")
    assert steering(printed + errors) == set()
    assert "\\u001b[2JDoor\\u000asecond line" in printed + errors
