"""Comparisons of random runs: of a run with itself, and with one changed key, edit or rule, beside brute force."""

from __future__ import annotations

import gc
import tracemalloc
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.files.cancelling import cancellable
from engine.physics.rules import AGREED_RULES, RULE_NAMES, RuleSet, rule_set
from engine.sim.compare.answers import comparable_state
from engine.sim.compare.causes import EDITS, KEYS, cause_of
from engine.sim.compare.comparison import Comparison
from engine.sim.compare.sides import Change, Follower, Side, body_changes, rule_changes
from engine.sim.edits.entities import SetVelocity
from engine.sim.playback import ENGINE_ERRORS, Playback
from engine.sim.recording import Recorder, Recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from tests.sim.compare.arena import arena_world, entity_ids, random_run

TICKS = 40
few = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 300)


@cache
def run_of(seed: int) -> Recording:
    return random_run(seed, TICKS)


def side(recording: Recording, *changes: Change) -> Side:
    return Side("run", arena_world(), recording, changes)


def compared(one: Side, two: Side) -> Comparison:
    with Comparison(one, two) as comparison:
        comparison.run()
        return comparison


def recorded_again(recording: Recording, controls: list[Controls], push: int | None = None) -> Recording:
    """The same run with other keys, and with somebody pushed before the tick of that index."""
    sim = Simulation(arena_world(), player_id=recording.player_id)
    Playback(sim, recording).start()
    recorder = Recorder(sim)
    for index, keys in enumerate(controls):
        for edit in recording.edits.get(recording.first_tick + index, []):
            try:
                sim.apply_edit(edit)
            except ENGINE_ERRORS:
                continue
        if index == push:
            sim.apply_edit(SetVelocity(entity_ids()[0], 1.0, 2.0, 3.0))
        sim.tick(keys)
    made = recorder.stop()
    sim.close()
    return made


def first_other_hash(one: Recording, two: Recording) -> int | None:
    ticks = range(one.first_tick, one.end)
    return next((tick - one.first_tick for tick in ticks if one.hash_after(tick) != two.hash_after(tick)), None)


@few
@given(seeds)
@pytest.mark.unwatched
def test_a_run_beside_itself_differs_in_nothing(seed: int) -> None:
    found = compared(side(run_of(seed)), side(run_of(seed)))
    assert found.is_same
    assert (found.totals.ticks, found.totals.differing, found.gaps.spans, found.given) == (TICKS, 0, [], [])


@few
@given(seeds, st.integers(0, TICKS - 1), st.sampled_from([Controls(), Controls(-1.0, 1.0, 1.0), Controls(look=30.0)]))
@pytest.mark.unwatched
def test_a_changed_key_is_found_where_the_hashes_part(seed: int, index: int, keys: Controls) -> None:
    one = run_of(seed)
    controls = [*one.controls[:index], keys, *one.controls[index + 1 :]]
    two = recorded_again(one, controls)
    found = compared(side(one), side(two))
    assert (found.first.index if found.first else None) == first_other_hash(one, two)
    if found.first is not None:
        cause = cause_of(found, found.first)
        assert (cause.kind, cause.names) == (KEYS, (str(index),))


@few
@given(seeds, st.integers(0, TICKS - 1))
@pytest.mark.unwatched
def test_an_added_edit_is_found_where_the_hashes_part(seed: int, index: int) -> None:
    one = run_of(seed)
    two = recorded_again(one, one.controls, push=index)
    found = compared(side(one), side(two))
    assert (found.first.index if found.first else None) == first_other_hash(one, two)
    if found.first is not None:
        cause = cause_of(found, found.first)
        assert (cause.kind, cause.names) == (EDITS, (str(index),))


def named_without_rules(sim: Simulation) -> list[tuple[str, str]]:
    return [(path, value) for path, value in sim.named_state() if path.removeprefix("simulation.") not in RULE_NAMES]


@few
@given(seeds, st.sampled_from([rule for rule in RULE_NAMES if rule not in AGREED_RULES]))
@pytest.mark.unwatched
def test_a_flipped_rule_is_found_where_the_states_part(seed: int, rule: str) -> None:
    rules = RuleSet()
    rules.set_form(rule, "ace")
    one, two = side(run_of(seed)), side(run_of(seed), *rule_changes(RuleSet(), rules))
    found = compared(one, two)
    first, second = Follower(one), Follower(two)
    first.start()
    second.start()
    parted = None
    if not found.given:
        while parted is None and not first.is_at_end:
            first.step()
            second.step()
            if named_without_rules(first.sim) != named_without_rules(second.sim):
                parted = first.index - 1
        assert (found.first.index if found.first else None) == parted
    if found.first is not None and not found.given:
        cause = cause_of(found, found.first)
        assert (cause.kind, cause.names, cause.is_smallest) == ("rules", (rule,), True)


def test_the_comparable_state_has_everything_but_the_rules() -> None:
    sim = Simulation(arena_world())
    before = comparable_state(sim)
    for rule in RULE_NAMES:
        sim.rules.set_form(rule, "ace")
    assert comparable_state(sim) == before
    sim.time_of_day = 0.25
    assert comparable_state(sim) != before


def test_a_smaller_body_is_the_change_that_does_it() -> None:
    run = run_of(4)
    found = compared(side(run), side(run, *body_changes([("radius", 0.2), ("jump_skill", 10.0)])))
    assert found.given
    assert found.first is not None
    assert cause_of(found, found.first).names == ("radius 0.2",)


def test_two_whole_rule_sets_part_by_rules_in_every_random_run() -> None:
    for seed in range(6):
        changes = rule_changes(RuleSet(), rule_set("ace"))
        found = compared(side(run_of(seed)), side(run_of(seed), *changes))
        for parting in (found.first, found.seen):
            if parting is not None and parting.was_same:
                assert cause_of(found, parting).kind == "rules"


def test_a_comparison_can_be_cancelled() -> None:
    class StoppedError(Exception):
        pass

    def stop() -> None:
        raise StoppedError

    with Comparison(side(run_of(1)), side(run_of(1))) as comparison, cancellable(stop), pytest.raises(StoppedError):
        comparison.run()


def test_a_recording_that_grows_is_compared_as_it_does() -> None:
    sim = Simulation(arena_world())
    Playback(sim, run_of(1106)).start()
    recorder = Recorder(sim)
    one = side(recorder.recording)
    rules = RuleSet()
    rules.set_form("run_rate_800", "ace")
    with Comparison(one, one.with_changes(rule_changes(RuleSet(), rules))) as live:
        for keys in run_of(1106).controls:
            assert live.step() is None
            sim.tick(keys)
            tick = live.step()
            assert tick is not None
            assert tick.first == recorder.recording.samples[tick.index]
    recorder.stop()
    sim.close()


def test_a_comparison_takes_the_same_memory_however_long_it_is() -> None:
    run = random_run(14, 160)
    grown = []
    with Comparison(side(run), side(run, *rule_changes(RuleSet(), rule_set("ace")))) as comparison:
        tracemalloc.start()
        for tick in comparison:
            if tick.index in (80, 159):
                gc.collect()
                grown.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    assert comparison.first is not None
    assert grown[1] - grown[0] < 50_000
