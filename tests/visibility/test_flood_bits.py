"""The compiled core and the Python sources give the same floods, bit for bit."""

from __future__ import annotations

from tests.geometry.test_same_bits import compiled_core, run_under

__all__ = ["compiled_core"]


def digests(core: str) -> list[str]:
    run = run_under(core, "-m", "tests.visibility.helpers.flood_bits")
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


def test_both_cores_flood_with_the_same_bits(compiled_core: None) -> None:
    interpreted = digests("python")
    assert len(interpreted) == 6
    assert interpreted == digests("compiled")
