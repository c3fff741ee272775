"""`bench physics`, its part on conditions (engine/sim/conditions): what they cost a tick while time runs, and how long
a recording takes to be searched for one.

The run is the one through the whole demo world of the recordings; times are of the processor.
"""

from __future__ import annotations

import time
from statistics import median

from benchmarks.figures import Figure
from benchmarks.recording import go, run_about
from engine.build.demo import ensure_demo
from engine.sim.conditions.reading import condition_of
from engine.sim.conditions.search import ConditionSearch
from engine.sim.conditions.watch import ConditionWatch
from engine.sim.playback import Playback
from engine.sim.recording import Recorder, Recording
from engine.sim.tick.simulation import Simulation
from engine.world.loader import open_world
from engine.world.world import World

TICKS = {"compiled": 20_000, "python": 600}
LIVE = {"compiled": 3_000, "python": 300}
SAMPLES = "moved more than 1 m in a tick"
RERUN = "blocked by Front Door or any door opens"
RULES = "rules disagree"
RULES_GOAL = 0.5
"""Milliseconds of a tick."""


def figures(core: str) -> list[Figure]:
    core = "python" if core == "python" else "compiled"
    count = TICKS[core]
    goal = RULES_GOAL if core == "compiled" else None
    with open_world(ensure_demo()) as world:
        recording = _recorded(world, count)
        bare = _live(world, recording, "", LIVE[core])
        found = []
        for what, text in (("samples", SAMPLES), ("ticks run again", RERUN), ("both rule sets", RULES)):
            live = _live(world, recording, text, LIVE[core])
            added = median(live) - median(bare)
            is_rules = text == RULES
            found.append(Figure(f"“{text}” adds to a tick, median", added, "ms", goal if is_rules else None))
            found.append(Figure(f"“{text}” adds to a tick, mean", (sum(live) - sum(bare)) / len(live), "ms"))
            found.append(Figure(f"a search of {count:,} ticks by {what}", _search(world, recording, text), "s"))
    return found


def _recorded(world: World, count: int) -> Recording:
    sim = Simulation(world)
    go(sim, "street")
    with Recorder(sim, "demo") as recorder:
        run_about(sim, count)
    sim.close()
    return recorder.recording


def _live(world: World, recording: Recording, text: str, count: int) -> list[float]:
    """Milliseconds of each of the first ticks, with a condition watched."""
    sim = Simulation(world, player_id=recording.player_id)
    playback = Playback(sim, recording)
    playback.start()
    conditions = [condition_of(text, "")] if text else []
    watch = ConditionWatch(sim, conditions, lambda tick, found: None)
    taken = []
    for _ in range(count):
        began = time.process_time()
        playback.step()
        taken.append((time.process_time() - began) * 1e3)
    watch.close()
    sim.close()
    return taken


def _search(world: World, recording: Recording, text: str) -> float:
    """Seconds to find every tick for which it holds."""
    sim = Simulation(world, player_id=recording.player_id)
    search = ConditionSearch(sim, recording, condition_of(text, ""))
    began = time.process_time()
    search.run()
    taken = time.process_time() - began
    search.close()
    sim.close()
    return taken
