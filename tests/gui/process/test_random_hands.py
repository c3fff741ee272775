"""Random clicks, keys, drags and commands cause no exception, hang or warning in the program's window.

The quick test lasts 40 seconds; the slow one lasts 5 minutes, or CELLAR_DOOR_RANDOM_MINUTES, with one seed per minute.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.build.demo import ensure_demo
from tests.loaded import HUNG

ROOT = Path(__file__).resolve().parents[3]
QUICK_SECONDS = 40
MINUTES = int(os.environ.get("CELLAR_DOOR_RANDOM_MINUTES", "5"))
LAST_DOINGS = 40

pytestmark = pytest.mark.gui


def play(seed: int, seconds: int, folder: Path) -> None:
    """Run the process with a folder as its home; a failure shows its last actions."""
    home = {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    log = folder / "log.txt"
    played = subprocess.run(
        [sys.executable, "-m", "tests.gui.process.random_hands", str(seed), str(seconds), str(log)],
        cwd=ROOT,
        env={**os.environ, **home, "PYTHONPATH": str(ROOT), "CELLAR_DOOR_CACHE": str(ensure_demo().parent)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds + HUNG,
    )
    last = log.read_text(encoding="utf-8").splitlines()[-LAST_DOINGS:] if log.is_file() else []
    again = f"python -m tests.gui.process.random_hands {seed} {seconds} LOG"
    told = "\n".join((*last, played.stderr, played.stdout, f"ended with {played.returncode}; again: {again}"))
    assert played.returncode == 0, told


def test_random_hands_break_nothing(tmp_path: Path) -> None:
    play(1, QUICK_SECONDS, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 100 + MINUTES))
def test_random_hands_break_nothing_for_many_minutes(tmp_path: Path, seed: int) -> None:
    play(seed, 60, tmp_path)
