"""`bench physics`, its part on comparisons: two runs side by side beside one, and the time to find what makes them part
(engine/sim/compare).

One run is a replay, which takes the state's hash after every tick as all recorded runs do. A comparison that finds
nothing is the dearest: it compares the whole states to its end.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from statistics import median

from benchmarks.figures import Figure
from benchmarks.recording import go, run_about
from engine.build.demo import ensure_demo
from engine.physics.rules import RuleSet, rule_set
from engine.sim.compare.alignment import aligned_sweeps
from engine.sim.compare.causes import cause_of
from engine.sim.compare.comparison import Comparison
from engine.sim.compare.sides import Side, rule_changes
from engine.sim.playback import Playback, verify
from engine.sim.recording import Recorder, Recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.loader import open_world
from engine.world.world import World

TICKS = {"compiled": 6_000, "python": 300}
PARTS = {"compiled": ("inn_common_room", "stairs_foot", "cottage_parlour", "market"), "python": ("inn_common_room",)}
"""Places of the demo from where the two rule sets part."""
TIMES = 3
RATIO_LIMIT = 2.2
CAUSE_LIMIT = 1.0


def figures(core: str) -> list[Figure]:
    core = "python" if core == "python" else "compiled"
    with open_world(ensure_demo()) as world:
        recording = _recorded(world, TICKS[core])
        one = Side("retail", world, recording)
        changes = rule_changes(RuleSet(), rule_set("ace"))
        runs: dict[str, list[float]] = {"ticks": [], "replay": [], "itself": [], "ace": []}
        for _ in range(TIMES):
            runs["ticks"].append(_seconds(lambda: _ticks(world, recording)))
            runs["replay"].append(_seconds(lambda: verify(_new(world, recording), recording)))
            runs["itself"].append(_seconds(lambda: _compare(one, one)))
            runs["ace"].append(_seconds(lambda: _compare(one, one.with_changes(changes))))
        best = {name: min(times) for name, times in runs.items()}
        causes = [_cause_seconds(world, place) for place in PARTS[core]]
    taken = [seconds for seconds in causes if seconds is not None]
    limit = CAUSE_LIMIT if core == "compiled" else None
    name = f"{TICKS[core]:,} ticks"
    return [
        Figure(f"a replay of {name}", best["replay"], "s"),
        Figure("a comparison that finds nothing, to a replay", best["itself"] / best["replay"], "x", 2.2, RATIO_LIMIT),
        Figure("a comparison of retail and ace, to a replay", best["ace"] / best["replay"], "x", 2.2, RATIO_LIMIT),
        Figure("a comparison that finds nothing, to bare ticks", best["itself"] / best["ticks"], "x"),
        Figure("finding the rules and sweeps of a parting, median", median(taken), "s", limit, limit),
        Figure("finding the rules and sweeps of a parting, longest", max(taken), "s", limit, limit),
    ]


def _recorded(world: World, count: int) -> Recording:
    """A run through the whole demo world."""
    sim = Simulation(world)
    go(sim, "street")
    with Recorder(sim, "demo") as recorder:
        run_about(sim, count)
    sim.close()
    return recorder.recording


def _run_from(world: World, place: str) -> Recording:
    """A run of 20 seconds from one place, in curves and with jumps."""
    sim = Simulation(world)
    go(sim, place)
    with Recorder(sim, "demo") as recorder:
        for tick in range(600):
            sim.tick(Controls(forward=1.0, turn=float(tick // 70 % 3 - 1), run=True, jump=tick % 200 < 10))
    sim.close()
    return recorder.recording


def _new(world: World, recording: Recording) -> Simulation:
    return Simulation(world, player_id=recording.player_id)


def _ticks(world: World, recording: Recording) -> None:
    playback = Playback(_new(world, recording), recording)
    playback.start()
    for _ in range(len(recording)):
        playback.step()


def _compare(one: Side, two: Side) -> None:
    with Comparison(one, two) as comparison:
        comparison.run()


def _seconds(work: Callable[[], object]) -> float:
    """Of the processor. What was left before is collected before, as a collection of the demo takes as long as
    thousands of ticks."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def _cause_seconds(world: World, place: str) -> float | None:
    """The time from the first difference of retail and ace to its rules and sweeps."""
    recording = _run_from(world, place)
    one = Side("retail", world, recording)
    with Comparison(one, one.with_changes(rule_changes(RuleSet(), rule_set("ace")))) as comparison:
        comparison.run()
        parting = comparison.seen or comparison.first
        if parting is None:
            return None
        gc.collect()
        start = time.process_time()
        aligned_sweeps(comparison, parting, cause_of(comparison, parting))
        return time.process_time() - start
