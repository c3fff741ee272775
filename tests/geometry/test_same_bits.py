"""The compiled core and the Python sources answer every geometry question with the same bits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run_under(core: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, "CELLAR_DOOR_CORE": core},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def compiled_core() -> None:
    """Skips if the compiled core does not match the sources or was never built."""
    trial = run_under("compiled", "-c", "import engine")
    if trial.returncode != 0:
        pytest.skip(f"no compiled core: {trial.stderr.strip().splitlines()[-1]}")


@pytest.mark.usefixtures("compiled_core")
def test_both_cores_give_the_same_bits() -> None:
    told = {core: run_under(core, "-m", "tests.geometry.bits") for core in ("python", "compiled")}
    for process in told.values():
        assert process.returncode == 0, process.stderr
    assert told["python"].stdout.splitlines() == told["compiled"].stdout.splitlines()
    assert len(told["python"].stdout.splitlines()) == 6


def test_the_python_core_repeats_itself() -> None:
    first, second = (run_under("python", "-m", "tests.geometry.bits") for _ in range(2))
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
