"""Several simulations over one loaded demo world: the cost of a second one, and ten in turn beside each alone."""

from __future__ import annotations

import gc
import time
import tracemalloc
from statistics import median

from benchmarks.figures import Figure
from engine.build.demo import SPOTS, ensure_demo
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.loader import open_world
from engine.world.world import World

PLACES = (
    "street",
    "inn_common_room",
    "cottage_parlour",
    "stairs_foot",
    "inn_kitchen",
    "crossing",
    "market",
    "garden",
    "inn_cellar",
    "guest_room_1",
)
TICKS = {"compiled": 600, "python": 60}
MAKING_LIMIT = 20.0
"""Milliseconds to make a second simulation of the village."""
SHARE_LIMIT = 5.0
"""Percent of the memory of the world with its first simulation."""
TIMES = 5


def figures(core: str) -> list[Figure]:
    return [*_second(core), *_in_turn(core)]


def _begin(world: World, place: str) -> Simulation:
    spot = SPOTS[place]
    sim = Simulation(world)
    sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))
    return sim


def _second(core: str) -> list[Figure]:
    with open_world(ensure_demo()) as world:
        kept = [_begin(world, "street")]
        taken = []
        for _ in range(TIMES):
            start = time.thread_time()
            kept.append(_begin(world, "street"))
            taken.append((time.thread_time() - start) * 1000.0)
        for sim in kept:
            sim.close()
    gc.collect()
    tracemalloc.start()
    with open_world(ensure_demo()) as world:
        kept = [_begin(world, "street")]
        gc.collect()
        first = tracemalloc.get_traced_memory()[0]
        kept.append(_begin(world, "street"))
        gc.collect()
        second = tracemalloc.get_traced_memory()[0] - first
        for sim in kept:
            sim.close()
    tracemalloc.stop()
    limit = MAKING_LIMIT if core == "compiled" else None
    return [
        Figure("second simulation of the village", median(taken), "ms", limit, limit),
        Figure("memory of the world with its first simulation", first / 2**20, "MB"),
        Figure("memory of a second, share of that", 100.0 * second / first, "%", SHARE_LIMIT, SHARE_LIMIT),
    ]


def _in_turn(core: str) -> list[Figure]:
    """Microseconds of the processor for a tick of each; the hashes are the same, or this is an error."""
    count = TICKS[core]
    alone, hashes = [], []
    for place in PLACES:
        with open_world(ensure_demo()) as world:
            sim = _begin(world, place)
            alone.append(median(_tick(sim, number) for number in range(count)))
            hashes.append(sim.state_hash())
            sim.close()
    with open_world(ensure_demo()) as world:
        sims = [_begin(world, place) for place in PLACES]
        taken: list[list[float]] = [[] for _ in sims]
        for number in range(count):
            for sim, times in zip(sims, taken, strict=True):
                times.append(_tick(sim, number))
        for place, sim, known in zip(PLACES, sims, hashes, strict=True):
            if sim.state_hash() != known:
                raise RuntimeError(f"the simulation in {place} is not as it is alone after {count} ticks")
            sim.close()
    found = []
    for place, single, times in zip(PLACES, alone, taken, strict=True):
        found.append(Figure(f"tick in {place}, alone", single, "us"))
        found.append(Figure(f"tick in {place}, one of {len(PLACES)} in turn", median(times), "us"))
    return found


def _tick(sim: Simulation, number: int) -> float:
    controls = Controls(forward=1.0, turn=float(number // 70 % 3 - 1), run=True, jump=number % 200 < 10)
    start = time.thread_time_ns()
    sim.tick(controls)
    return (time.thread_time_ns() - start) / 1e3
