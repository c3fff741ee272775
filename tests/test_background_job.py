"""Runs tests as a shell's background job or `nohup` would: with interrupts and hang-ups ignored."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_tests_of_interrupts_pass_where_interrupts_are_ignored() -> None:
    tests = ("tests/editor/process/test_interrupt.py", "tests/cellar_door/test_main.py", "-k", "interrupt")
    words = shlex.join([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests])
    done = subprocess.run(
        ["sh", "-c", f"trap '' INT HUP; exec {words}"],
        cwd=ROOT,
        env={**os.environ, "CELLAR_DOOR_CORE": "python"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
