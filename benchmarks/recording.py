"""`bench physics`, its part on recordings: what recording a tick costs, how long a recording is in memory and on disk,
how long it takes to be at any of its ticks (engine/sim/recording.py), to compare two of them (engine/sim/compare), and
to run kept walks again (engine/sim/walks).

The run is one through the whole demo world: keys at random, and every ten seconds another spot and a door that is used.
"""

from __future__ import annotations

import gc
import itertools
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from benchmarks.figures import Figure
from engine.build.demo import SPOTS, ensure_demo
from engine.entities.specs import DOOR
from engine.physics.rules import RuleSet, rule_set
from engine.sim.compare.alignment import aligned_sweeps
from engine.sim.compare.causes import cause_of
from engine.sim.compare.comparison import Comparison
from engine.sim.compare.sides import Side, rule_changes
from engine.sim.edits.doors import UseDoor
from engine.sim.edits.player import Teleport
from engine.sim.playback import Playback, verify
from engine.sim.recording import Recorder, Recording
from engine.sim.recording_file import load_recording, save_recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.sim.walks.run import WalkRun
from engine.sim.walks.terms import Terms
from engine.world.loader import open_world
from engine.world.world import World

TICKS = {"compiled": 100_000, "python": 3_000}
SEEKS = 300
SEEK_LIMIT = 50.0
TICKS_AT_A_SPOT = 300
TICKS_OF_A_KEY = 15

COMPARED = {"compiled": 6_000, "python": 300}
PARTS = {"compiled": ("inn_common_room", "stairs_foot", "cottage_parlour", "market"), "python": ("inn_common_room",)}
"""Places of the demo from where the two rule sets part."""
TIMES = 3
RATIO_LIMIT = 2.2
WALK_LIMIT = 500.0
"""Milliseconds for 1,000 ticks: thousands of ticks a second were promised."""
CAUSE_LIMIT = 1.0


def figures(core: str) -> list[Figure]:
    core = "python" if core == "python" else "compiled"
    count = TICKS[core]
    with open_world(ensure_demo()) as world:
        sim = Simulation(world)
        alone = run_about(sim, count)
        sim.close()
        sim = Simulation(world)
        go(sim, "inn_common_room")
        with Recorder(sim, "demo") as recorder:
            watched = run_about(sim, count)
        recording = recorder.recording
        seeks = _seeks(Playback(sim, recording), recording)
        sim.close()
    name = f"{count:,} ticks"
    limit = SEEK_LIMIT if core == "compiled" else None
    return [
        Figure("what recording adds to a tick", (watched - alone) / count * 1e6, "us"),
        Figure(f"seek in {name}, median", median(seeks), "ms", limit, limit),
        Figure(f"seek in {name}, longest", max(seeks), "ms", limit, limit),
        Figure(f"snapshots of {name}", recording.keyframes.size / 2**20, "MB"),
        *_file(recording, name),
        *comparing(core),
        *keeping_watch(core),
    ]


def go(sim: Simulation, name: str) -> None:
    spot = SPOTS[name]
    sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))


def run_about(sim: Simulation, count: int) -> float:
    """Run about the whole world for so many ticks; returns the seconds."""
    rng = random.Random(1)
    doors = [spec.guid for spec in sim.world.entities if spec.kind == DOOR]
    spots = itertools.cycle(SPOTS)
    keys = Controls()
    began = time.perf_counter()
    for tick in range(count):
        if tick % TICKS_AT_A_SPOT == 0:
            go(sim, next(spots))
            sim.apply_edit(UseDoor(rng.choice(doors), 0))
        if tick % TICKS_OF_A_KEY == 0:
            keys = Controls(
                rng.choice((-1.0, 0.0, 1.0, 1.0)),
                rng.choice((-1.0, 0.0, 0.0, 1.0)),
                rng.choice((-1.0, 0.0, 1.0)),
                rng.random() < 0.7,
                rng.random() < 0.1,
            )
        sim.tick(keys)
    return time.perf_counter() - began


def _seeks(playback: Playback, recording: Recording) -> list[float]:
    """Milliseconds to ticks at random, and to those that are the farthest from their snapshots."""
    rng = random.Random(2)
    frames = recording.keyframes.ticks
    farthest = [after - 1 for after in rng.sample(frames[1:], min(len(frames) - 1, SEEKS // 3))]
    taken = []
    for tick in [*farthest, *(rng.randrange(recording.first_tick, recording.end) for _ in range(SEEKS))]:
        began = time.perf_counter()
        playback.seek(tick)
        taken.append((time.perf_counter() - began) * 1e3)
    return taken


def _file(recording: Recording, name: str) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.cdrec"
        began = time.perf_counter()
        save_recording(recording, path)
        saved = time.perf_counter() - began
        size = path.stat().st_size
        began = time.perf_counter()
        load_recording(path)
        loaded = time.perf_counter() - began
    return [
        Figure(f"file of {name}", size / 2**20, "MB"),
        Figure(f"saving {name}", saved * 1e3, "ms"),
        Figure(f"loading {name}", loaded * 1e3, "ms"),
    ]


# --- comparing


def comparing(core: str) -> list[Figure]:
    """What two runs side by side cost beside one, and how long it takes to find what makes them part.

    A comparison that finds nothing is the dearest: it compares the whole states to its end. One run is a replay, which
    takes the state's hash after every tick, as all recorded runs do.
    """
    with open_world(ensure_demo()) as world:
        recording = _recorded(world, COMPARED[core])
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
    name = f"{COMPARED[core]:,} ticks"
    return [
        Figure(f"a replay of {name}", best["replay"], "s"),
        Figure("a comparison that finds nothing, to a replay", best["itself"] / best["replay"], "x", 2.2, RATIO_LIMIT),
        Figure("a comparison of retail and ace, to a replay", best["ace"] / best["replay"], "x", 2.2, RATIO_LIMIT),
        Figure("a comparison that finds nothing, to bare ticks", best["itself"] / best["ticks"], "x"),
        Figure("finding the rules and sweeps of a parting, median", median(taken), "s", limit, limit),
        Figure("finding the rules and sweeps of a parting, longest", max(taken), "s", limit, limit),
    ]


# --- kept walks


def keeping_watch(core: str) -> list[Figure]:
    """How fast kept walks are run again (engine/sim/walks), with nothing changed and by other rules, and how long it
    takes to begin one."""
    with open_world(ensure_demo()) as world:
        recording = _recorded(world, COMPARED[core])
        sim = _new(world, recording)
        runs = {
            "in an unchanged world": Terms(),
            "by other rules": Terms(rules=rule_set("ace")),
        }
        ticks = len(recording)
        best = {name: _walk_seconds(world, recording, terms, sim) for name, terms in runs.items()}
        begun = min(_seconds(lambda: _begin(world, recording, sim)) for _ in range(TIMES))
        sim.close()
    limit = WALK_LIMIT if core == "compiled" else None
    return [
        *(
            Figure(f"1,000 ticks of a kept walk {name}", seconds / ticks * 1e6, "ms", limit, limit)
            for name, seconds in best.items()
        ),
        Figure("beginning a kept walk", begun * 1e3, "ms"),
    ]


def _walk_seconds(world: World, recording: Recording, terms: Terms, sim: Simulation) -> float:
    return min(_seconds(lambda: WalkRun(world, recording, terms, sim=sim).run()) for _ in range(TIMES))


def _begin(world: World, recording: Recording, sim: Simulation) -> None:
    steps = WalkRun(world, recording, sim=sim).steps()
    for _ in range(3):
        next(steps)
    steps.close()


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
