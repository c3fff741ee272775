"""Recordings travel between Linux and Windows: what was recorded on one replays on the other, in every tick.

Windows is its Python under wine (`../shared/tools/windows`); without that the tests skip.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.sim.recording_file import load_recording, save_recording
from tests.shared import SHARED
from tests.sim.helpers.golden_runs import recorded, runs
from tests.sim.helpers.small_worlds import built, house

ROOT = Path(__file__).resolve().parents[2]
PYTHON = SHARED / "tools" / "windows" / "win-python"
INSTALLED = Path(os.environ.get("CELLAR_DOOR_WINDOWS", Path.home() / ".cache" / "cellar-door-windows"))
SCRIPT = "forward 2s\nturn right 70\njump 0.5 forward\nland\nforward 3s run\nback 1s\nface 200\nforward 2s\nwait 1s\n"
IN_HOUSE = ("--start", "0xC95B0100,108,106,20,200")
IN_DEMO = ("--start", "inn_outside_front_door")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="starts Windows' Python from Linux"),
    pytest.mark.skipif(
        not (PYTHON.exists() and (INSTALLED / "prefix").exists()),
        reason="Windows' Python is not set up here (tools/windows of the shared folder)",
    ),
]


def on_linux(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return _run([sys.executable], words)


def on_windows(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return _run([str(PYTHON)], words)


def _run(python: list[str], words: tuple[str | Path, ...]) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*python, "-m", "cellar_door", *map(str, words)],
        cwd=ROOT,
        env={**os.environ, "PYTHONUTF8": "1", "CELLAR_DOOR_CORE": "auto"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "walk.txt"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Data files with a house on land."""
    built(house).write(tmp_path / "world")
    return tmp_path / "world"


def ticks_of(path: Path) -> int:
    return len(load_recording(path))


def test_runs_through_the_demo_replay_on_windows(tmp_path: Path) -> None:
    """With random keys; the demo world there is the one that Windows built."""
    for run in runs():
        if run.name.startswith("demo: double_door"):
            recording = recorded(run, 900)
            recording.source = "demo"
            save_recording(recording, tmp_path / f"{run.rules}.cdrec")
            done = on_windows("replay", tmp_path / f"{run.rules}.cdrec", "--source", "demo")
            assert "all 900 ticks agree" in done.stdout or "900 ticks agree" in done.stdout


def test_a_walk_on_windows_replays_on_linux(tmp_path: Path, script: Path) -> None:
    kept = tmp_path / "there.cdrec"
    on_windows("walk", "demo", *IN_DEMO, "--script", script, "--record", kept)
    done = on_linux("replay", kept)
    assert f"{ticks_of(kept)} ticks agree" in done.stdout


def test_a_walk_on_linux_replays_on_windows(tmp_path: Path, script: Path) -> None:
    kept = tmp_path / "here.cdrec"
    on_linux("walk", "demo", *IN_DEMO, "--script", script, "--record", kept)
    done = on_windows("replay", kept)
    assert f"{ticks_of(kept)} ticks agree" in done.stdout


def test_a_walk_in_data_files_travels_both_ways(tmp_path: Path, folder: Path, script: Path) -> None:
    here, there = tmp_path / "here.cdrec", tmp_path / "there.cdrec"
    on_linux("walk", folder, *IN_HOUSE, "--script", script, "--record", here)
    on_windows("walk", folder, *IN_HOUSE, "--script", script, "--record", there)
    one, two = load_recording(here), load_recording(there)
    assert one.hashes == two.hashes
    assert one.identity == two.identity
    assert "ticks agree" in on_windows("replay", here, "--source", folder).stdout
    assert "ticks agree" in on_linux("replay", there, "--source", folder).stdout
