"""The compiled core and the Python sources move bodies by the same bits."""

from __future__ import annotations

import pytest

from tests.geometry.test_same_bits import compiled_core, run_under
from tests.sim.helpers.scene_bits import RANDOM_SCENES

__all__ = ["compiled_core"]


def digests(core: str, nth: int) -> list[str]:
    run = run_under(core, "-m", "tests.sim.helpers.scene_bits", str(nth))
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


@pytest.mark.parametrize("nth", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_both_cores_answer_every_nth_move_of_all_scenes_with_the_same_bits(nth: int, compiled_core: None) -> None:
    interpreted = digests("python", nth)
    assert len(interpreted) >= 2 * RANDOM_SCENES
    assert interpreted == digests("compiled", nth)
