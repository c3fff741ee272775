"""Runs whose last states have the same hash on every system: keys from dice, over small worlds and the demo world.

`python -m tests.sim.helpers.golden_runs` prints the names and hashes of all.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from engine.build import WorldBuilder
from engine.physics.rules import ACE, RETAIL
from engine.sim.edits.rules import SetRuleSet
from engine.sim.recording import Recorder, Recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from tests.geometry.elementary_vector import Dice
from tests.sim.helpers.demo_walks import Demo, demo_simulation
from tests.sim.helpers.small_worlds import (
    built,
    furnished,
    house,
    open_all,
    slope,
    standing,
    two_rooms,
    with_cellar,
    with_people,
)

LONGEST_HOLD: Final = 20


def crowd() -> WorldBuilder:
    return with_people(6, opens_doors=True)


SMALL: Final[dict[str, Callable[[], Simulation]]] = {
    "a door": lambda: standing(built(two_rooms), "hall", (3.0, 2.0), 90.0),
    "a cellar": lambda: standing(built(with_cellar), "room", (4.5, 4.0), 200.0),
    "a slope": lambda: standing(built(slope), "top", (2.0, 2.0), 0.0),
    "furniture": lambda: standing(built(furnished), "room", (3.0, 3.0), 45.0),
    "a house on land": lambda: standing(built(house), "room", (108.0, 106.0, 20.0), 180.0),
    "a crowd": lambda: open_all(standing(built(crowd), "hall", (12.0, 12.0), 30.0)),
}
IN_DEMO: Final = ("market", "upstairs", "inn_common_room", "steep_slope", "double_door", "spiral_top")
TICKS: Final = 240


@dataclass(frozen=True)
class Run:
    name: str
    rules: str
    begin: Callable[[], Simulation]

    def __str__(self) -> str:
        return f"{self.name}, {self.rules}"


def keys(seed: int, count: int, doors: list[int]) -> list[Controls]:
    """Keys held for a while, one after the other."""
    dice = Dice(seed)
    made: list[Controls] = []
    while len(made) < count:
        forward = (1.0, 1.0, 1.0, 0.0, -1.0)[dice.word() % 5]
        side = (0.0, 0.0, 1.0, -1.0)[dice.word() % 4]
        turn, look = dice.part() * 2.0 - 1.0, dice.part() * 40.0 - 20.0
        run, jump = dice.word() % 2 == 0, dice.word() % 3 == 0
        use = doors[dice.word() % len(doors)] if doors and dice.word() % 2 == 0 else 0
        made.append(Controls(forward, side, turn, run, jump, use, look))
        made += [Controls(forward, side, turn, run, jump)] * (dice.word() % LONGEST_HOLD)
    return made[:count]


def runs() -> Iterator[Run]:
    for rules in (RETAIL, ACE):
        for name, begin in SMALL.items():
            yield Run(name, rules, begin)
        for spot in IN_DEMO:
            yield Run(f"demo: {spot}", rules, partial(in_demo, spot))


def in_demo(spot: str) -> Simulation:
    demo = _demo()
    demo.begin()
    return demo.at(spot)


@cache
def _demo() -> Demo:
    return demo_simulation()


def recorded(run: Run, ticks: int = TICKS) -> Recording:
    sim = run.begin()
    with Recorder(sim) as recorder:
        sim.apply_edit(SetRuleSet(run.rules))
        for controls in keys(len(run.name), ticks, [door.id for door in sim.population.doors]):
            sim.tick(controls)
    return recorder.recording


def end_of(run: Run) -> str:
    """The hash of the last state, and a digest of the identity of the world that was walked through."""
    recording = recorded(run)
    world = hashlib.blake2b(json.dumps(sorted(recording.identity.items())).encode(), digest_size=8)
    return f"{recording.hash_after(recording.end - 1).hex()} in {world.hexdigest()}"


if __name__ == "__main__":
    for run in runs():
        print(f"{run}: {end_of(run)}")
