"""Conditions against brute force: each primitive and random combinations, over every tick of several recordings."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import HealthCheck, given, settings

from engine.sim.conditions.primitives import PRIMITIVES
from engine.sim.conditions.reading import Misread, read_condition
from engine.sim.conditions.search import ConditionSearch
from engine.sim.conditions.watch import ConditionWatch
from engine.sim.conditions.words import Condition, Leaf, Named, Numbered, Primitive, Slot, Surface, Value
from engine.sim.playback import Playback
from engine.sim.recording import Recorder
from tests.sim.helpers.condition_runs import NAMES, Run, conditions, runs, values_of_runs
from tests.sim.helpers.small_worlds import FORWARD, built, hold, standing, two_rooms

NUMBERS = (0.0, 0.01, 0.05, 0.1, 0.2, 1.0, 3.5, 4.0)


def read(text: str) -> Condition:
    found = read_condition(text)
    assert not isinstance(found, Misread), found
    return found


def search(run: Run, condition: Condition) -> list[int]:
    sim = run.make()
    made = ConditionSearch(sim, run.recording, condition)
    found = made.run()
    made.close()
    return found


def heard(run: Run, asked: list[Condition]) -> list[list[int]]:
    """What a watch says while the whole recording runs."""
    sim = run.make()
    found: list[list[int]] = [[] for _ in asked]

    def hear(tick: int, answers: list[str]) -> None:
        for ticks, answer in zip(found, answers, strict=True):
            if answer:
                ticks.append(tick)

    playback = Playback(sim, run.recording)
    playback.start()
    ConditionWatch(sim, asked, hear)
    while playback.tick < run.recording.end:
        playback.step()
    return found


def leaves_of(primitive: Primitive) -> list[Condition]:
    ids = [Numbered(number) for number in values_of_runs()]
    by_slot: dict[Slot, list[Value]] = {
        Slot.NUMBER: list(NUMBERS),
        Slot.CELL: [*map(Named, NAMES), *ids],
        Slot.DOOR: [*map(Named, NAMES), *ids],
        Slot.THING: [*map(Named, NAMES), *ids, *Surface],
    }
    slots = [by_slot[item] for item in primitive.items if isinstance(item, Slot)]
    return [Leaf(primitive, values) for values in itertools.product(*slots)]


@pytest.mark.parametrize("primitive", PRIMITIVES, ids=lambda primitive: primitive.id)
def test_every_primitive_holds_for_the_ticks_of_the_oracle(primitive: Primitive) -> None:
    asked = leaves_of(primitive)
    met = False
    for run in runs():
        wanted = [run.truth(condition) for condition in asked]
        assert heard(run, asked) == wanted, run.name
        met = met or any(wanted)
    assert met, "there was nothing to find"


@pytest.mark.parametrize("primitive", PRIMITIVES, ids=lambda primitive: primitive.id)
def test_a_search_finds_what_the_oracle_finds(primitive: Primitive) -> None:
    for run in runs():
        told = [(condition, run.truth(condition)) for condition in leaves_of(primitive)]
        condition, wanted = max(told, key=lambda each: min(len(each[1]), len(run.ticks) - len(each[1])))
        assert search(run, condition) == wanted, (run.name, condition)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(conditions())
@pytest.mark.unwatched
def test_random_conditions_hold_for_the_ticks_of_the_oracle(condition: Condition) -> None:
    for run in runs():
        assert heard(run, [condition]) == [run.truth(condition)], run.name


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(conditions())
@pytest.mark.unwatched
def test_random_searches_find_what_the_oracle_finds(condition: Condition) -> None:
    for run in runs():
        assert search(run, condition) == run.truth(condition), run.name


def test_what_samples_decide_runs_no_tick() -> None:
    run = runs()[0]
    sim = run.make()
    ran = []
    sim.listen_to_ticks(lambda controls, report: ran.append(report.tick))
    made = ConditionSearch(sim, run.recording, read("cell changes or speed over 3 and on the ground"))
    assert made.run() == run.truth(made.condition)
    edited = set(run.recording.edits)
    spacing = 16
    assert len(ran) <= spacing * (len(edited) + 1)


def test_a_search_goes_on_after_its_recording_was_cut() -> None:
    run = runs()[0]
    recording = run.recording.copy()
    made = ConditionSearch(run.make(), recording, read("(blocked or slides) and not jumps"))
    steps = made.steps()
    for _ in range(120):
        next(steps)
    recording.cut(recording.first_tick + 30)
    made.cut()
    assert made.run() == [tick for tick in run.truth(made.condition) if tick < recording.end]


def test_a_search_goes_on_as_its_recording_grows() -> None:
    sim = standing(built(two_rooms), "hall", (3.0, 2.0), 90.0)
    recorder = Recorder(sim)
    made = ConditionSearch(standing(built(two_rooms), "hall", (3.0, 2.0)), recorder.recording, read("blocked by door"))
    hold(sim, 1.0, FORWARD)
    before = list(made.run())
    hold(sim, 2.0, FORWARD)
    assert len(made.run()) > len(before)
    fresh = ConditionSearch(standing(built(two_rooms), "hall", (3.0, 2.0)), recorder.recording, made.condition)
    assert made.found == fresh.run()
