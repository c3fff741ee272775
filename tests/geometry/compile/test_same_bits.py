"""The compiled core and the Python sources make the same trees, bit for bit."""

from __future__ import annotations

import pytest

from tests.geometry.test_same_bits import run_under


def test_both_cores_compile_the_same_trees() -> None:
    trial = run_under("compiled", "-c", "import engine")
    if trial.returncode != 0:
        pytest.skip(f"no compiled core: {trial.stderr.strip().splitlines()[-1]}")
    told = {core: run_under(core, "-m", "tests.geometry.compile.bits") for core in ("python", "compiled")}
    for process in told.values():
        assert process.returncode == 0, process.stderr
    assert told["python"].stdout == told["compiled"].stdout
    assert len(told["python"].stdout.splitlines()) == 3


def test_the_python_core_compiles_the_same_trees_again() -> None:
    first, second = (run_under("python", "-m", "tests.geometry.compile.bits") for _ in range(2))
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
