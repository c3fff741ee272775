"""No body arrives outside the cells or under the ground, whether by teleport, as a newcomer, or dropped (physics.md #7
to #9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from engine.build import WorldBuilder
from engine.build.demo import ensure_demo
from engine.world.loader import open_world
from engine.world.loader.json_form import read_json
from engine.world.loader.scene_source import SceneSource
from engine.world.world import World
from tests.shared import SHARED, needs_shared
from tests.sim.helpers.arrivals import Arrivals
from tests.sim.helpers.small_worlds import built, furnished, house, open_rooms, with_cellar, with_people

FIXTURES = ("cellar-ascent", "cellar-lip", "flap-doorway", "issue98")
SHARE = 250
"""Of each kind and world in the usual run."""

WHOLE = 5000


def arrive(world: World, times: int, seed: int) -> Counter[str]:
    """Makes this many arrivals of each kind; the first faulty one fails."""
    arrivals = Arrivals(world, seed)
    for _ in range(times):
        for come in (arrivals.teleport, arrivals.drop, arrivals.spawn):
            wrong = come()
            assert not wrong, wrong
    return arrivals.counts


def demo() -> World:
    return open_world(ensure_demo())


def fixtures() -> World:
    return open_world([SHARED / "fixtures" / name for name in FIXTURES], ground=94.0)


@pytest.mark.parametrize("times", [SHARE, pytest.param(WHOLE, marks=pytest.mark.slow)])
def test_arrivals_in_the_demo_world_are_sound(times: int) -> None:
    counts = arrive(demo(), times, 1)
    assert counts["teleports"] > times // 2
    assert counts["drops"] > times // 2
    assert counts["spawns"] > times // 2


@pytest.mark.parametrize("times", [SHARE // 5, pytest.param(WHOLE // 5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("make", [open_rooms, house, furnished, with_cellar, with_people])
def test_arrivals_in_small_worlds_are_sound(make: Callable[[], WorldBuilder], times: int) -> None:
    assert arrive(built(make).load(), times, 2)["teleports"] > 0


@needs_shared
@pytest.mark.parametrize("times", [SHARE, pytest.param(WHOLE, marks=pytest.mark.slow)])
def test_arrivals_in_the_recorded_houses_are_sound(times: int) -> None:
    assert arrive(fixtures(), times, 3)["teleports"] > times // 4


@needs_shared
@pytest.mark.parametrize("times", [SHARE // 5, pytest.param(WHOLE // 5, marks=pytest.mark.slow)])
@pytest.mark.unwatched
def test_arrivals_in_the_golden_scenes_are_sound(times: int) -> None:
    for path in sorted((SHARED / "goldens" / "scenes").glob("*.json")):
        assert arrive(World(SceneSource(read_json(path))), times, 4), path.name
