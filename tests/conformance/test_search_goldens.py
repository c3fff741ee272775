"""A search that is explained has the array and the pick of the engine's own, over the golden moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.physics.rules import rule_set
from engine.sim.golden.scene_run import GoldenScene, MoveRun
from tests.shared import SHARED, needs_shared
from tests.sim.helpers.searches import SearchChecker

pytestmark = [pytest.mark.conformance, needs_shared]

SCENES = SHARED / "goldens" / "scenes"
NAMES = sorted(path.stem for path in SCENES.glob("*.json")) if SCENES.is_dir() else []
TICKS = 15


def check(name: str, rules: str, every: int, ticks: int) -> SearchChecker:
    scene = GoldenScene.open(Path(SCENES / f"{name}.json"), rule_set(rules))
    checker = SearchChecker()
    for move in scene.moves[::every]:
        run = MoveRun(scene, move)
        run.body.observer = checker
        for _ in range(min(ticks, len(move.offsets))):
            run.tick()
            checker.clear()
    return checker


@pytest.mark.parametrize("rules", ["ace", "retail"])
@pytest.mark.parametrize("name", NAMES)
def test_an_explained_search_is_the_one_that_ran(name: str, rules: str) -> None:
    checker = check(name, rules, 7, TICKS)
    assert checker.searches > 0


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["ace", "retail"])
@pytest.mark.parametrize("name", NAMES)
def test_every_explained_search_is_the_one_that_ran(name: str, rules: str) -> None:
    check(name, rules, 1, 1000)
