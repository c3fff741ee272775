"""`pip install .`: every command of the installed program, from a folder that knows nothing of the checkout."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from tests.cellar_door.clean_install import ROOT, Installation, install
from tests.sim.test_conform import Folder

pytestmark = pytest.mark.slow

PNG = b"\x89PNG\r\n\x1a\n"
COMMANDS = ["inspect", "conform", "visible", "doors", "walk", "replay", "compare", "why", "walks"]
COMMANDS += ["replay-capture", "reproduce", "follow", "look", "export", "diff", "survey", "stabs", "run"]


@pytest.fixture(scope="module")
def installed() -> Iterator[Installation]:
    """In the checkout's folder for what is built: on the same disk the packages cost no room."""
    place = ROOT / "build" / "tests" / "installed"
    shutil.rmtree(place, ignore_errors=True)
    try:
        yield install(place)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def test_the_version_and_the_help_come_without_the_checkout(installed: Installation, tmp_path: Path) -> None:
    done = installed.run(tmp_path, "--version")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == f"Cellar Door {engine.__version__}"
    assert f"core {installed.core}" in lines
    done = installed.run(tmp_path, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: cellar-door ")
    listed = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ") and line.split()]
    assert [word for word in listed if word in (*COMMANDS, "bench", "docs-screenshots")] == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_tells_what_it_takes(installed: Installation, tmp_path: Path, command: str) -> None:
    done = installed.run(tmp_path, command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: cellar-door {command} ")


def test_the_benchmarks_which_stay_in_the_checkout_are_no_traceback(installed: Installation, tmp_path: Path) -> None:
    assert installed.run(tmp_path, "bench", "--help").returncode == 0
    assert "Traceback" not in installed.run(tmp_path, "bench", "physics").stderr


def test_the_demo_is_printed_seen_and_drawn(installed: Installation, tmp_path: Path) -> None:
    done = installed.run(tmp_path, "inspect", "demo")
    assert (done.returncode, done.stderr) == (0, "")
    assert "0xC95B" in done.stdout
    done = installed.run(tmp_path, "visible", "demo", "--cell", "0x00070102", "--eye", "22,-15,1.5", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)
    done = installed.run(tmp_path, "look", "demo", "--screenshot", "eye.png")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "eye.png").read_bytes()[:8] == PNG


def test_a_walk_is_recorded_captured_and_made_again(installed: Installation, tmp_path: Path) -> None:
    (tmp_path / "walk.txt").write_text("forward 1s\nleft 0.5s\n", encoding="utf-8")
    walk = (
        "walk",
        "demo",
        "--start",
        "great_hall",
        "--script",
        "walk.txt",
        "--record",
        "walk.cdr",
        "--capture",
        "walk.jsonl",
    )
    done = installed.run(tmp_path, *walk)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 45)
    assert "Traceback" not in done.stderr
    done = installed.run(tmp_path, "replay", "walk.cdr")
    assert (done.returncode, done.stderr) == (0, "")
    done = installed.run(tmp_path, "replay-capture", "demo", "walk.jsonl", "--frame", "0x0007FFFF", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)


def test_scripts_import_the_library_and_type_checkers_believe_it(installed: Installation, tmp_path: Path) -> None:
    code = (
        "import cellar_door\nwith cellar_door.open_world('demo') as world: print(world.simulation().tick('W').number)\n"
    )
    (tmp_path / "script.py").write_text(code, encoding="utf-8")
    done = installed.run(tmp_path, "run", "script.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")
    with zipfile.ZipFile(installed.wheel) as wheel:
        typed = {name for name in wheel.namelist() if name.endswith("/py.typed")}
    assert {"cellar_door/py.typed", "editor/py.typed", "engine/py.typed"} <= typed


def test_a_scene_is_compared_with_its_answers(installed: Installation, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    done = installed.run(tmp_path, "conform", folder.scene.name, "--golden", folder.golden.name, "--mode", "whole")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_window_leaves_its_picture(installed: Installation, tmp_path: Path) -> None:
    done = installed.run(tmp_path, "demo", "--screenshot", "window.png", QT_QPA_PLATFORM="")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "window.png").read_bytes()[:8] == PNG
