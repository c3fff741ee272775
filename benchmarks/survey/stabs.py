"""The checks of stab lists and of the picture: the demo's village, and a landblock of hundreds of rooms."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterator
from typing import Final

from benchmarks.figures import Figure
from benchmarks.survey.checks import BLOCK, VILLAGE, halls
from editor.session.sources import DEMO, open_source
from engine.findings.finding import Check, Found
from engine.sim.tick.simulation import Simulation
from engine.survey.stabs.render import CHECKS as PICTURES
from engine.survey.stabs.render import check_pictures
from engine.survey.stabs.run import CHECKS as STABS
from engine.survey.stabs.run import check_stabs
from engine.world.world import World

ROOMS: Final = 375
REPEATS: Final = 3

Part = Callable[[Simulation, int, Container[str]], Iterator[Found]]
PARTS: Final[tuple[tuple[str, Part, tuple[Check, ...]], ...]] = (
    ("stab lists", check_stabs, STABS),
    ("pictures", check_pictures, PICTURES),
)


def figures(core: str) -> list[Figure]:
    found: list[Figure] = []
    with open_source(DEMO) as world:
        for name, part, checks in PARTS:
            milliseconds = _seconds(world, VILLAGE, part, checks) * 1000.0
            found.append(Figure(f"{name} of the village (55 rooms)", milliseconds, "ms", None, None))
    with halls(ROOMS).load() as world:
        for name, part, checks in PARTS:
            found.append(Figure(f"{name} of {ROOMS} rooms", _seconds(world, BLOCK, part, checks), "s", None, None))
    return found


def _seconds(world: World, block_id: int, part: Part, checks: tuple[Check, ...]) -> float:
    """The shortest of a few runs, in seconds of the processor: what else runs meanwhile does not count."""
    sim, enabled = Simulation(world), {check.id for check in checks}
    sim.world.landblock(block_id)
    times: list[float] = []
    for _ in range(REPEATS):
        before = time.process_time()
        found = list(part(sim, block_id, enabled))
        times.append(time.process_time() - before)
        assert not found, found[0].sentence
    sim.close()
    return min(times)
