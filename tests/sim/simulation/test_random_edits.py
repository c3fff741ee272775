"""Random keys with random external changes, sensible or not: nothing raises or gets lost, and all of it repeats."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

import engine
from engine.build.demo import SPOTS
from engine.geometry.frame import Frame
from engine.physics.errors import PhysicsError
from engine.physics.rules import RULE_NAMES
from engine.sim.edits.catalogue import edit_of
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import (
    AddEntity,
    MoveEntity,
    RemoveEntity,
    RestoreStatic,
    SetScale,
    SetStateBits,
    SetVelocity,
    spec_text,
)
from engine.sim.edits.player import FacePlayer, SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.edits.world import SetTimeOfDay
from engine.sim.tick.controls import Controls
from engine.world.entity_spec import EntitySpec
from tests.sim.helpers.demo_walks import Demo, demo_simulation
from tests.sim.simulation.test_soak import Keys

pytestmark = pytest.mark.unwatched

EDIT_CHANCE = 0.03
NUMBERS = ("radius", "height", "step_up", "step_down", "run_skill", "jump_skill", "burden", "stamina", "pk_fight")
STATES = (0x8, 0x408, 0x10008, 0x10408)
FIRST_ADDED = 0x80000001


class Editor:
    """Makes up edits; many of them make no sense and are refused."""

    def __init__(self, demo: Demo, rng: random.Random) -> None:
        self.sim = demo.sim
        self.rng = rng
        self.added = 0
        self.statics = sorted(demo.sim.population.statics.things)
        self.models = sorted({entity.setup.id for entity in demo.sim.population.ordered})
        self.kinds: tuple[Callable[[], Edit], ...] = (
            self._teleport,
            self._state,
            self._move,
            self._add,
            self._remove,
            self._number,
            self._push,
            self._door,
            lambda: SetScale(self._somebody(), rng.choice((0.25, 0.5, 1.0, 3.0, -1.0))),
            self._restore,
            lambda: SetTimeOfDay(rng.choice((0.0, 0.3, 0.99, 1.0))),
            lambda: FacePlayer(rng.uniform(-400.0, 400.0)),
            lambda: SetRule(rng.choice(RULE_NAMES), rng.choice(("retail", "ace"))),
        )

    def next(self) -> Edit:
        return self.rng.choice(self.kinds)()

    def _somebody(self) -> int:
        population = self.sim.population
        return self.rng.choice([*(e.id for e in population.ordered), *population.statics.things, population.player.id])

    def _somewhere(self) -> tuple[int, float, float, float, float]:
        spot = SPOTS[self.rng.choice(list(SPOTS))]
        return (spot.cell_id, *spot.origin, self.rng.uniform(0.0, 360.0))

    def _teleport(self) -> Edit:
        return Teleport(*self._somewhere())

    def _state(self) -> Edit:
        return SetStateBits(self._somebody(), 1 << self.rng.randrange(25), self.rng.random() < 0.5)

    def _move(self) -> Edit:
        return MoveEntity(self._somebody(), *self._somewhere())

    def _add(self) -> Edit:
        cell_id, x, y, z, _ = self._somewhere()
        rng, guid = self.rng, FIRST_ADDED + self.added
        self.added += 1
        kind, model = rng.choice(("creature", "door", "chest")), rng.choice(self.models)
        spec = EntitySpec(guid, f"added {guid}", kind, model, cell_id, Frame((x, y, z)), rng.choice(STATES))
        spec.scale = rng.choice((0.5, 1.0, 2.0))
        spec.extra = {"opens_doors": True}
        return AddEntity(spec_text(spec))

    def _remove(self) -> Edit:
        return RemoveEntity(self._somebody() if self.rng.random() < 0.5 else 0x12345678)

    def _restore(self) -> Edit:
        """Usually the id of an existing entity, and so refused."""
        gone = [thing for thing in self.statics if thing not in self.sim.population.statics.things]
        return RestoreStatic(self.rng.choice(gone or self.statics))

    def _number(self) -> Edit:
        return SetPlayerNumber(self.rng.choice(NUMBERS), self.rng.choice((0.1, 0.3, 0.48, 1.0, 1.8, 2.5, 300.0)))

    def _push(self) -> Edit:
        return SetVelocity(self._somebody(), *(self.rng.gauss(0.0, 10.0) for _ in range(3)))

    def _door(self) -> Edit:
        door = self.rng.choice([door.id for door in self.sim.population.doors] or [0x12345678])
        name = self.rng.choice(("use", "open_door", "close_door", "lock_door"))
        rest = {"use": (self.sim.player.id,), "lock_door": (self.rng.random() < 0.5,)}
        return edit_of(name, (door, *rest.get(name, ())))


@pytest.fixture(scope="module")
def demo() -> Demo:
    return demo_simulation()


def run(demo: Demo, seed: int, ticks: int, rules: str) -> None:
    """Once with made-up edits, and once more with those that a listener received."""
    demo.begin()
    sim, rng = demo.sim, random.Random(seed)
    sim.apply_edit(SetRuleSet(rules))
    beginning = sim.snapshot()
    kept: list[tuple[int, Edit]] = []

    def keep(tick: int, edit: Edit) -> None:
        kept.append((tick, edit))

    sim.listen(keep)
    keys, editor = Keys(rng, [door.id for door in sim.population.doors]), Editor(demo, rng)
    controls: list[Controls] = []
    hashes: list[bytes] = []
    for _ in range(ticks):
        if rng.random() < EDIT_CHANCE:
            before = sim.state_hash()
            try:
                sim.apply_edit(editor.next())
            except PhysicsError:
                assert sim.state_hash() == before, "a refused change leaves no trace"
        controls.append(keys.next())
        report = sim.tick(controls[-1])
        assert all(math.isfinite(value) for value in (*report.origin, *report.velocity, report.heading))
        hashes.append(sim.state_hash())
    sim.unlisten(keep)
    sim.restore(beginning)
    again = iter(kept)
    waiting = next(again, None)
    for keys_held, known in zip(controls, hashes, strict=True):
        while waiting is not None and waiting[0] == sim.tick_number:
            sim.apply_edit(waiting[1])
            waiting = next(again, None)
        sim.tick(keys_held)
        assert sim.state_hash() == known, f"tick {sim.tick_number - 1}"


@pytest.mark.parametrize("rules", ["retail", "ace"])
def test_random_changes_break_nothing_and_repeat(demo: Demo, rules: str) -> None:
    run(demo, 5, 1000, rules)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("rules", ["retail", "ace"])
def test_many_random_changes_break_nothing_and_repeat(demo: Demo, seed: int, rules: str) -> None:
    run(demo, seed, 20_000 if engine.active_core() == "compiled" else 2_000, rules)
