"""`bench survey`, its part on searches (engine/explore): a sweep of exploration, beside the bare transition that is in
it, and the demo village and the dungeon searched to the end.

A search ends when nothing waits: a minute more finds nothing. It runs in one thread; its seconds are those of its core,
which other work on the machine does not change. Interpreted only a part is searched.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median

from benchmarks.figures import Figure
from editor.process.memory import collect_seldom, peak_megabytes
from engine.build.demo import SPOTS, ensure_demo
from engine.explore.forms.seeds import seeds_of
from engine.explore.forms.settings import DoorsAs, Seed, Settings
from engine.explore.saved_body import SavedBody, put_back
from engine.explore.search import Search
from engine.physics.body import Body
from engine.physics.place import Place
from engine.sim.tick.simulation import QUANTUM, Simulation
from engine.world.cells.ids import landblock_id
from engine.world.loader import open_world
from engine.world.world import World

PLACES = ("cottage_parlour", "inn_common_room", "street", "great_hall")
STATES = {"compiled": 20_000, "python": 150}
SAMPLE_SLICE = 25
HEADINGS = (0.0, 90.0, 180.0, -90.0)
REPEATS = 3

SWEEP_GOAL = 5.0
"""Microseconds: 200,000 a second."""
RATIO_GOAL = 1.5
VILLAGE_GOAL = 60.0
DUNGEON_GOAL = 30.0
MEMORY_GOAL = 300.0
SLICE = 2000


@dataclass(frozen=True)
class _Whole:
    """A search that has come to its end."""

    seconds: float
    states: int
    sweeps: int
    memory: float


def figures(core: str) -> list[Figure]:
    core = "python" if core == "python" else "compiled"
    with open_world(ensure_demo()) as world:
        collect_seldom()  # as the processes that search do
        costs = [_costs(world, place, STATES[core]) for place in PLACES]
        found = [
            Figure("a sweep of exploration", median(cost for cost, _ in costs), "us", _only(core, SWEEP_GOAL)),
            Figure(
                "times the bare transition", median(cost / bare for cost, bare in costs), "x", _only(core, RATIO_GOAL)
            ),
        ]
        if core == "compiled":
            village = _searched(world, landblock_id(SPOTS["street"].cell_id))
            dungeon = _searched(world, landblock_id(SPOTS["great_hall"].cell_id))
            found += _of_whole("the village, its cottage and inn", village, VILLAGE_GOAL)
            found += _of_whole("the dungeon", dungeon, DUNGEON_GOAL)
            found.append(Figure("memory of the searches", max(village.memory, dungeon.memory), "MB", MEMORY_GOAL))
    return found


def _only(core: str, goal: float) -> float | None:
    return goal if core == "compiled" else None


def _of_whole(name: str, whole: _Whole, goal: float) -> list[Figure]:
    return [
        Figure(f"{name} searched", whole.seconds, "s", goal),
        Figure(f"{name}: places", float(whole.states), ""),
        Figure(f"{name}: sweeps", whole.sweeps / 1e6, "M"),
    ]


def _searched(world: World, block_id: int) -> _Whole:
    """From its doors, portals, floors and ground, with the doors used."""
    sim = Simulation(world)
    search = Search(sim, seeds_of(sim, block_id), Settings(doors=DoorsAs.USED))
    start = time.process_time()
    while search.expand(SLICE):
        pass
    whole = _Whole(time.process_time() - start, search.count, search.sweeps, peak_megabytes())
    sim.close()
    return whole


def _costs(world: World, place: str, states: int) -> tuple[float, float]:
    """Microseconds of a sweep of exploration around a place, with all that a search does, and of the bare transitions
    in it: every slice is followed by those of a state that waits then."""
    spot = SPOTS[place]
    sim = Simulation(world)
    settings = Settings(jumps=False, doors=DoorsAs.OPEN)
    search = Search(sim, [Seed(spot.cell_id, spot.origin, spot.heading, "spot")], settings)
    spent, bare, samples = 0.0, 0.0, 0
    for _ in range(max(states // SAMPLE_SLICE, 1)):
        start = time.process_time()
        if not search.expand(SAMPLE_SLICE):
            break
        spent += time.process_time() - start
        waiting = search.waiting_body(search.count - 1)
        if waiting is not None:
            bare += sum(_bare(search, waiting, heading) for heading in HEADINGS)
            samples += len(HEADINGS)
    cost = spent / search.sweeps
    sim.close()
    return cost * 1e6, bare / max(samples, 1) * 1e6


def _bare(search: Search, waiting: SavedBody, heading: float) -> float:
    """The transition that a state begins with in one direction, without anything before or after it."""
    body = search.sim.player.steered
    shortest = float("inf")
    for _ in range(REPEATS):
        put_back(body, waiting)
        body.look(heading)
        body.steer(1.0, 0.0, 0.0, True, False, QUANTUM)
        end = body.motion(QUANTUM)
        end = body.update_physics_internal(QUANTUM, end.origin, end.turn)
        shortest = min(shortest, _timed(partial(_sweep, body, end)))
    return shortest - _NOTHING


def _sweep(body: Body, end: Place) -> None:
    body.begin_transition(end).find_valid_position()


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _nothing() -> None:
    pass


_NOTHING = min(_timed(_nothing) for _ in range(1000))
"""What timing takes by itself."""
