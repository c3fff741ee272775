"""Random questions in random runs: every link of every chain against all states of the run, and against the same tick
without the key, the edit or the rule that is said to have done it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from engine.sim.tick.controls import Controls
from engine.sim.trace import tree as nodes
from engine.sim.why.answer import SIMULATION, Asked, CauseKind, Chain, Link
from engine.sim.why.history import History
from engine.sim.why.question import WhyQuestion
from engine.sim.why.rows import node_at
from engine.sim.why.values import KEY_NAMES, KEYS, askable
from tests.sim.helpers.why_runs import WhyRun, demo_run, village_run

RUNS: dict[str, Callable[[int, int], WhyRun]] = {"village": village_run, "demo": demo_run}


def ask_at_random(run: WhyRun, rng: random.Random, count: int) -> Counter[CauseKind]:
    """Ask so many questions and check all links of their chains; returns how often there was which cause."""
    met: Counter[CauseKind] = Counter()
    recording = run.recording
    for _ in range(count):
        tick = rng.randrange(recording.first_tick, recording.end)
        asked = asked_at_random(run, rng, tick)
        question = WhyQuestion(run.sim, recording, asked)
        for _ in question.steps():
            pass
        check(run, question.chain, asked)
        met.update(link.kind for link in question.chain.links)
    return met


def asked_at_random(run: WhyRun, rng: random.Random, tick: int) -> Asked:
    """Of the player as often as of all others, and what people ask as often as all the rest."""
    sim = run.sim
    History(sim, run.recording).stand_after(tick)
    others = [entity.id for entity in sim.population.ordered]
    entity = rng.choice([sim.player.id] * max(len(others), 1) + others + [SIMULATION])
    paths = [each.path for each in askable(sim, entity)]
    return Asked(entity, rng.choice(paths if rng.random() < 0.5 else paths[:30]), tick)


def check(run: WhyRun, chain: Chain, asked: Asked) -> None:
    assert chain.links
    assert chain.links[0].asked == asked
    assert chain.ended
    for index, link in enumerate(chain.links):
        where = (run.recording.first_tick, link)
        if index:
            before = chain.links[index - 1]
            assert link.asked in before.leads_to, where
            assert link.tick <= before.tick, where
        if link.asked.path.startswith(KEYS):
            check_key(run, link)
        else:
            check_change(run, link)
        if link.kind is not CauseKind.START:
            check_cause(run, link)
            check_row(run, link)
    assert len({(link.asked.entity, link.asked.path, link.tick) for link in chain.links}) == len(chain.links)


def check_change(run: WhyRun, link: Link) -> None:
    """The value changed in that tick, and not since."""
    found = run.last_change(link.asked)
    assert (found is None) == (link.kind is CauseKind.START), (found, link)
    assert found is None or found == link.tick, (found, link)
    if link.kind is not CauseKind.START:
        assert link.before != link.after, link


def check_key(run: WhyRun, link: Link) -> None:
    name = link.asked.path.removeprefix(KEYS).removeprefix(".")
    controls, first = run.recording.controls, run.recording.first_tick
    values = [getattr(each, name) if name else each for each in controls[: link.asked.tick - first + 1]]
    changed = next((index for index in range(len(values) - 1, 0, -1) if values[index] != values[index - 1]), None)
    assert (changed is None) == (link.kind is CauseKind.START), link
    assert changed is None or first + changed == link.tick, link


def check_cause(run: WhyRun, link: Link) -> None:
    """Without what did it, the tick does not make the change; the tick that follows an edit may make it as well."""
    if link.asked.path.startswith(KEYS):
        return
    after = run.value(link.asked.entity, link.asked.path, link.tick)
    if link.edit_number is not None:
        edits = run.recording.edits[link.tick]
        assert run.value_again(link.asked, link.tick, edits=edits[: link.edit_number]) != after, link
        assert run.value_again(link.asked, link.tick, edits=edits[: link.edit_number + 1]) == after, link
    elif link.kind is CauseKind.KEY:
        now, before = (_keys(run, tick) for tick in (link.tick, link.tick - 1))
        others = [_with(now, link.key, value) for value in (getattr(before, link.key), type(getattr(now, link.key))())]
        found = [run.value_again(link.asked, link.tick, controls=keys) for keys in others if keys != now]
        assert any(value != after for value in found), link
    if link.kind is not CauseKind.RULE:
        for rule in link.rules:
            assert run.value_again(link.asked, link.tick, rule=rule) != after, (rule, link)


def check_row(run: WhyRun, link: Link) -> None:
    """The sub-step and the row are there, and name the polygon and the object."""
    if link.trace_path is None:
        return
    sweeps = run.sweeps(link.tick, link.swept)
    node = node_at(sweeps, link.trace_path)
    assert node.line == link.row
    above = [node_at(sweeps, link.trace_path[:count]) for count in range(1, len(link.trace_path) + 1)]
    if link.sub_step is not None:
        steps = [child for child in above[0].children if child.kind == nodes.STEP]
        assert above[1] is steps[link.sub_step - 1], link
    if node.kind == nodes.POLYGON and link.polygon is not None:
        assert node.polygon_id == link.polygon, link
        assert next((each.object_id for each in reversed(above[1:]) if each.object_id), 0) == link.entity, link
    if node.kind == nodes.OBJECT:
        assert node.object_id == link.entity, link


def _keys(run: WhyRun, tick: int) -> Controls:
    index = tick - run.recording.first_tick
    return run.recording.controls[index] if index >= 0 else Controls()


def _with(keys: Controls, name: str, value: float) -> Controls:
    values = list(keys.as_tuple())
    values[KEY_NAMES.index(name)] = value
    return Controls(*values)  # type: ignore[arg-type]  # each as the field of its name has it


@pytest.mark.parametrize("place", sorted(RUNS))
@pytest.mark.unwatched
def test_random_questions_hold_against_all_states_of_the_run(place: str) -> None:
    run = RUNS[place](3, 160)
    met = ask_at_random(run, random.Random(1), 30)
    run.close()
    assert len(met) >= 4, met


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("place", sorted(RUNS))
def test_a_thousand_random_questions_hold(place: str, seed: int) -> None:
    run = RUNS[place](100 + seed, 600)
    met = ask_at_random(run, random.Random(seed), 50)
    run.close()
    assert len(met) >= 4, met
