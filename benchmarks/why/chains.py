"""`bench physics`, its part on why-chains (engine/sim/why): how long one takes in a long recording, and a step of one.

The questions are about random values at random ticks of the run through the whole demo world: of the player as often as
of everybody else. What never changed is the dearest to find out, so that is also asked at the end of the run.
"""

from __future__ import annotations

import gc
import random
import time
from dataclasses import dataclass
from statistics import median, quantiles

from benchmarks.figures import Figure
from benchmarks.recording import go, run_about
from engine.build.demo import ensure_demo
from engine.sim.recording import Recorder, Recording
from engine.sim.tick.simulation import Simulation
from engine.sim.why.answer import Asked
from engine.sim.why.history import History
from engine.sim.why.question import WhyQuestion
from engine.sim.why.values import askable
from engine.world.loader import open_world
from engine.world.world import World

TICKS = {"compiled": 20_000, "python": 300}
QUESTIONS = {"compiled": 300, "python": 10}
CHAIN_LIMIT = 300.0
STEP_GOAL = 6.0
NEVER_CHANGED = ("held", "rows_rotation", "retry_at", "scale", "suspended", "source", "command", "index")
"""Values of the player and of doors that the run leaves alone."""


@dataclass(frozen=True)
class _Taken:
    """Milliseconds of a chain, and of the longest of its steps."""

    whole: float
    longest_step: float


def figures(core: str) -> list[Figure]:
    core = "python" if core == "python" else "compiled"
    ticks = TICKS[core]
    with open_world(ensure_demo()) as world:
        recording = _recorded(world, ticks)
        sim = Simulation(world, player_id=recording.player_id)
        questions = _random_questions(sim, recording, QUESTIONS[core])
        gc.collect()
        gc.disable()  # a collection of the demo takes as long as thousands of ticks
        chains = [_taken(sim, recording, asked) for asked in questions]
        never = [_taken(sim, recording, asked) for asked in _dearest_questions(sim, recording)]
        gc.enable()
        sim.close()
    limit = CHAIN_LIMIT if core == "compiled" else None
    goal = STEP_GOAL if core == "compiled" else None
    name = f"{ticks:,} ticks"
    whole = [each.whole for each in chains]
    return [
        Figure(f"a why-chain in {name}, median", median(whole), "ms", limit, limit),
        Figure(f"a why-chain in {name}, 95th percentile", quantiles(whole, n=20)[-1], "ms", limit, limit),
        Figure(f"a why-chain in {name}, longest", max(whole), "ms", limit, limit),
        Figure(f"a value that never changed in {name}, longest", max(each.whole for each in never), "ms", limit, limit),
        Figure("longest step of a why-chain, median", median(each.longest_step for each in chains), "ms", goal),
    ]


def _recorded(world: World, ticks: int) -> Recording:
    sim = Simulation(world)
    go(sim, "street")
    with Recorder(sim, "demo") as recorder:
        run_about(sim, ticks)
    sim.close()
    return recorder.recording


def _random_questions(sim: Simulation, recording: Recording, count: int) -> list[Asked]:
    rng = random.Random(3)
    history = History(sim, recording)
    found = []
    for _ in range(count):
        tick = rng.randrange(recording.first_tick, recording.end)
        history.stand_after(tick)
        others = [entity.id for entity in sim.population.ordered]
        entity = rng.choice([*others, *[sim.player.id] * len(others)])
        found.append(Asked(entity, rng.choice(askable(sim, entity)).path, tick))
    return found


def _dearest_questions(sim: Simulation, recording: Recording) -> list[Asked]:
    last = recording.end - 1
    History(sim, recording).stand_after(last)
    entities = [sim.player, *sim.population.doors]
    return [
        Asked(entity.id, path, last)
        for entity in entities
        for path in NEVER_CHANGED
        if path in {each.path for each in askable(sim, entity.id)}
    ]


def _taken(sim: Simulation, recording: Recording, asked: Asked) -> _Taken:
    """Of the processor."""
    question = WhyQuestion(sim, recording, asked)
    began = before = time.process_time()
    longest = 0.0
    for _ in question.steps():
        now = time.process_time()
        longest, before = max(longest, now - before), now
    return _Taken((time.process_time() - began) * 1e3, longest * 1e3)
