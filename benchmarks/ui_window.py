"""`bench ui`, its part on the window: its start, time that passes, selections, jumps to ticks, what kept it waiting.

On a display of its own, with real OpenGL, in processes of their own: how a process starts can be measured only so, and
the other part of `bench ui` needs no display.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.figures import Figure
from cellar_door.virtual_display import display_environment, virtual_display

ROOT = Path(__file__).resolve().parent.parent
STARTS = 5
START_LIMIT = 2000.0


def figures(core: str) -> list[Figure]:
    with virtual_display() as display, tempfile.TemporaryDirectory() as home:
        environment = {**display_environment(display), "XDG_CONFIG_HOME": home, "PYTHONPATH": str(ROOT)}
        return [*_starts(environment), *_session(environment)]


def _starts(environment: dict[str, str]) -> list[Figure]:
    """The first start warms what the system keeps in memory, and does not count."""
    stations = [_start(environment) for _ in range(STARTS + 1)][1:]
    last = "a click answered and drawn"
    found = [Figure(f"start: {name}", median(each[name] for each in stations), "ms") for name in stations[0]]
    return [*found[:-1], Figure(f"start: {last}", median(e[last] for e in stations), "ms", START_LIMIT, START_LIMIT)]


def _start(environment: dict[str, str]) -> dict[str, float]:
    told: dict[str, float] = _run(["benchmarks/ui_launch.py", repr(time.monotonic())], environment)
    return told


def _session(environment: dict[str, str]) -> list[Figure]:
    told: list[dict[str, Any]] = _run(["-m", "benchmarks.ui_session"], environment)
    return [Figure(**fields) for fields in told]


def _run(words: list[str], environment: dict[str, str]) -> Any:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])
