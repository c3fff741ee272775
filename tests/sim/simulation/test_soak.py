"""A long run of random keys all over the demo world, with doors used at random: nothing breaks or leaks, and it
repeats.

After every tick the player must not be more than a centimetre inside any polygon that he was not in before, and must be
in a cell that contains him.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

import pytest

import engine
from engine.build.demo import SPOTS
from engine.geometry.cell_bsp import OUTSIDE
from engine.geometry.sphere import Sphere
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.world.cells.cell import EnvCell
from tests.sim.helpers.demo_walks import Demo, demo_simulation
from tests.sim.helpers.solids import Solids

pytestmark = pytest.mark.unwatched

DEPTH = 0.01
STAY = 1200
"""Ticks after which the player starts again at another spot."""

LONG = 300_000
SHORT = 20_000
"""The interpreted core is some twenty times slower."""


@dataclass
class Soak:
    """Random keys from a seed, and the state's hash at intervals."""

    demo: Demo
    seed: int
    hashes: list[bytes] = field(default_factory=list)

    def run(self, ticks: int, checks: bool) -> None:
        self.demo.begin()
        sim = self.demo.sim
        rng = random.Random(self.seed)
        keys = Keys(rng, [door.id for door in sim.population.doors])
        watch = Watch(self.demo) if checks else None
        for tick in range(ticks):
            if tick % STAY == 0:
                spot = SPOTS[rng.choice(list(SPOTS))]
                sim.apply_edit(Teleport(spot.cell_id, *spot.origin, rng.uniform(0.0, 360.0)))
                self.hashes.append(sim.state_hash())
                if watch is not None:
                    watch.begin_again()
            report = sim.tick(keys.next())
            if watch is not None:
                watch.look(report)


class Keys:
    """Keys held for a while each, with an occasional jump or use of a door."""

    def __init__(self, rng: random.Random, doors: list[int]) -> None:
        self._rng = rng
        self._doors = doors
        self._left = 0
        self._held = Controls()

    def next(self) -> Controls:
        rng = self._rng
        if self._left > 0:
            self._left -= 1
            held = self._held
            self._held = Controls(held.forward, held.side_step, held.turn, held.run, held.jump)
            return self._held
        self._left = rng.randrange(3, 45)
        self._held = Controls(
            rng.choice((1.0, 1.0, 1.0, 0.0, -1.0, rng.random())),
            rng.choice((0.0, 0.0, 1.0, -1.0)),
            rng.choice((0.0, 0.0, 0.5, 1.0, -1.0)),
            rng.random() < 0.5,
            rng.random() < 0.15,
            rng.choice(self._doors) if rng.random() < 0.2 else 0,
        )
        return self._held


class Watch:
    """Checks the player's position after every tick that moved him."""

    def __init__(self, demo: Demo) -> None:
        self.sim = demo.sim
        self.solids = Solids(demo.sim)
        self.joined = len(demo.sim.surroundings.joined)
        self.inside: set[str] = set()
        self.place: tuple[int, float, float, float] = (0, 0.0, 0.0, 0.0)

    def begin_again(self) -> None:
        """After a teleport, he may be in what he was put into. New landblocks bring new solids."""
        if len(self.sim.surroundings.joined) != self.joined:
            self.solids = Solids(self.sim)
            self.joined = len(self.sim.surroundings.joined)
        body = self.sim.player.steered
        touched = self.sim.population.registry.cells_of(self.sim.player.id)
        self.inside = self._found(body.place.cell_id, body.place.origin, touched)

    def look(self, report: TickReport) -> None:
        assert all(math.isfinite(value) for value in (*report.origin, *report.velocity, report.heading))
        place = (report.cell, *report.origin)
        if place == self.place:
            return
        self.place = place
        now = self._found(report.cell, report.origin, report.cell_array)
        assert now <= self.inside, f"tick {report.tick} at {place}: {sorted(now - self.inside)}"
        self.inside = now
        self._check_cell(report)

    def _found(self, cell_id: int, feet: tuple[float, float, float], touched: list[int]) -> set[str]:
        spheres = self.sim.player.steered.spheres
        return {solid.owner for solid in self.solids.inside(cell_id, feet, spheres, touched, DEPTH)}

    def _check_cell(self, report: TickReport) -> None:
        """Within the tolerance of the sweep's own test of a sphere against a cell's tree."""
        cell = self.sim.player.steered.cell
        assert cell is not None
        assert cell.id == report.cell == self.sim.graph.current_id
        centre = (report.origin[0], report.origin[1], report.origin[2] + self.sim.player.radius)
        if isinstance(cell, EnvCell):
            point = Sphere(cell.frame.global_to_local(centre), 0.0)
            assert cell.sphere_intersects_cell(point) != OUTSIDE, f"tick {report.tick}: not in 0x{cell.id:08X}"
        else:
            assert cell.point_in_cell(centre), f"tick {report.tick}: not over 0x{cell.id:08X}"


@pytest.fixture(scope="module")
def demo() -> Demo:
    return demo_simulation()


def test_random_keys_for_a_while_break_nothing_and_repeat(demo: Demo) -> None:
    first, second = Soak(demo, 7), Soak(demo, 7)
    first.run(2 * STAY, checks=True)
    second.run(2 * STAY, checks=False)
    assert first.hashes == second.hashes


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_random_keys_for_a_long_time_break_nothing_and_repeat(demo: Demo, seed: int) -> None:
    ticks = (LONG if engine.active_core() == "compiled" else SHORT) // 2
    first, second = Soak(demo, seed), Soak(demo, seed)
    first.run(ticks, checks=True)
    second.run(ticks, checks=False)
    assert first.hashes == second.hashes
    assert len(first.hashes) == math.ceil(ticks / STAY)
