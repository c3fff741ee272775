"""`rules disagree`, tick by tick beside the slow way that puts the whole state back before each."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from editor.commands.walk import parse_rules
from engine.build import WorldBuilder, rect
from engine.build.demo import SPOTS, ensure_demo
from engine.build.shapes.furniture import person
from engine.physics.rules import ACE, RETAIL, RuleSet
from engine.sim.conditions.other_rules import BothRules
from engine.sim.edits.doors import OpenDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import SetVelocity
from engine.sim.edits.player import Teleport
from engine.sim.edits.rules import SetRuleSet
from engine.sim.playback import ENGINE_ERRORS, Playback
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.world.loader import open_world
from engine.world.world import World
from tests.sim.compare.arena import arena_world, random_run
from tests.sim.conditions.whole_rules import WholeRules
from tests.sim.helpers.small_worlds import FALLS, built, furnished, standing, with_people


class BothWays:
    """Answers to every tick of a simulation, both ways."""

    def __init__(self, sim: Simulation) -> None:
        self.sim = sim
        self.quick, self.slow = BothRules(sim), WholeRules(sim)
        self.answers: list[tuple[bool, bool]] = []
        self._remember(None)
        sim.listen(self._edited)
        sim.listen_to_ticks(self._ticked)

    def _remember(self, last: TickReport | None) -> None:
        self.quick.remember(last)
        self.slow.remember()

    def _edited(self, tick: int, edit: Edit) -> None:
        self._remember(None)

    def _ticked(self, controls: Controls, report: TickReport) -> None:
        quick = self.quick.disagree(controls, report)
        assert self.quick.disagree(controls, report) == quick, "it may be asked twice"
        self.answers.append((quick, self.slow.disagree(controls, report)))
        self._remember(report)

    def close(self) -> list[bool]:
        """What both said."""
        self.quick.close()
        self.slow.close()
        self.sim.close()
        assert [quick for quick, _ in self.answers] == [slow for _, slow in self.answers]
        return [quick for quick, _ in self.answers]


MIXED = "retail,walkable_corner=ace,edge_slide_order=ace"


def answers_of(seed: int, rules: str) -> list[bool]:
    run = random_run(seed, 60, parse_rules(rules))
    sim = Simulation(arena_world(), player_id=run.player_id)
    playback = Playback(sim, run)
    playback.start()
    both = BothWays(sim)
    while playback.tick < run.end:
        playback.step()
    return both.close()


@pytest.mark.parametrize("rules", [RETAIL, ACE, MIXED])
@pytest.mark.unwatched
def test_random_runs_full_of_edits_doors_and_bodies_answer_the_same(rules: str) -> None:
    assert sum(sum(answers_of(seed, rules)) for seed in range(1102, 1108)) > 5


@pytest.mark.slow
@pytest.mark.parametrize("rules", [RETAIL, ACE, MIXED])
def test_many_random_runs_answer_the_same(rules: str) -> None:
    assert sum(sum(answers_of(seed, rules)) for seed in range(60)) > 50


@pytest.fixture(scope="module")
def demo() -> Iterator[World]:
    with open_world(ensure_demo()) as world:
        yield world


def hands(rng: random.Random) -> Controls:
    return Controls(
        rng.choice([1.0, 1.0, 1.0, -1.0, 0.0]),
        rng.choice([0.0, 0.0, 1.0, -1.0]),
        rng.choice([0.0, 0.3, -0.3]),
        rng.random() < 0.8,
        rng.random() < 0.1,
    )


@pytest.mark.parametrize("name", ["cottage_inside_front_door", "cottage_outside_front_door"])
@pytest.mark.unwatched
def test_walks_through_the_demo_answer_the_same(demo: World, name: str) -> None:
    spot, rng = SPOTS[name], random.Random(name)
    sim = Simulation(demo)
    sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))
    for door in list(sim.population.doors):
        sim.apply_edit(OpenDoor(door.id))
    both = BothWays(sim)
    for _ in range(12):
        controls = hands(rng)
        for _ in range(20):
            sim.tick(controls)
    both.close()


def test_crowded_cells_keep_the_order_of_the_objects_in_them() -> None:
    """Where the order decides, along and over the things of a room, again and again into and out of their cells."""
    rng = random.Random(7)
    found = 0
    for heading in range(0, 360, 40):
        both = BothWays(standing(built(furnished), "room", (8.0, 8.0, 2.5), float(heading), RuleSet()))
        for _ in range(4):
            controls = hands(rng)
            for _ in range(15):
                both.sim.tick(controls)
        found += sum(both.close())
    assert found > 20


@pytest.mark.parametrize("rules", [RETAIL, ACE])
def test_a_body_that_has_moved_is_where_it_went(rules: str) -> None:
    """Somebody is thrown up, and the player runs through under him."""
    sim = standing(built(with_people), "hall", (4.0, 18.6), 0.0, parse_rules(rules))
    sim.apply_edit(SetVelocity(min(entity.id for entity in sim.population.movers), 0.0, 0.0, 14.0))
    both = BothWays(sim)
    for tick in range(40):
        sim.tick(Controls(1.0 if tick > 6 else 0.0, run=True))
    assert sim.player.steered.place.origin[1] > 22.0
    both.close()


def crowd() -> WorldBuilder:
    """People close together on both sides of a doorway."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4))
    study = world.room("study", rect(6.2, 0, 4, 4))
    world.doorway(hall, study, width=1.3)
    for number, at in enumerate([(4.2, 1.4), (4.6, 2.3), (5.3, 1.5), (5.6, 2.6), (6.8, 1.3), (7.2, 2.4), (7.9, 1.6)]):
        world.entity(f"guest {number}", "creature", person(1.8), hall if at[0] < 6.0 else study, at, state=FALLS)
    return world


@pytest.mark.parametrize("rules", [RETAIL, ACE])
@pytest.mark.unwatched
def test_a_crowd_is_met_in_its_order(rules: str) -> None:
    for seed in range(12):
        rng = random.Random(seed)
        both = BothWays(standing(built(crowd), "hall", (3.2, 2.0), rng.uniform(60.0, 120.0), parse_rules(rules)))
        for _ in range(8):
            controls = hands(rng)
            for _ in range(10):
                both.sim.tick(controls)
        both.close()


STRANGE: list[Callable[[Simulation], None]] = [
    lambda sim: sim.restore(sim.snapshot()),
    lambda sim: sim.apply_edit(SetRuleSet(ACE)),
    lambda sim: sim.apply_edit(Teleport(sim.graph.current_id, 5.0, 3.0, 0.0, 10.0)),
]


@pytest.mark.parametrize("happens", STRANGE)
def test_what_happens_between_two_ticks_is_seen(happens: Callable[[Simulation], None]) -> None:
    both = BothWays(standing(built(furnished), "room", (8.0, 8.0, 2.5), 220.0))
    for _ in range(20):
        both.sim.tick(Controls(1.0, run=True))
    happens(both.sim)
    both._remember(None)
    for _ in range(20):
        try:
            both.sim.tick(Controls(0.0, 1.0))
        except ENGINE_ERRORS:
            continue
    both.close()
