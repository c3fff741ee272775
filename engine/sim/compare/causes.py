"""What makes two runs part at a tick: a rule, several together, a number of the body, an edit, keys, or the world.

Rules are flipped from the state before the tick, first each alone: those of the first side that make it answer as the
second does. What lies further back is tried from the beginning of the run. Steps of a project are taken away from the
second side until it agrees with the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.physics.rules import AGREED_RULES, CELL_RULES, RULE_NAMES, RuleSet
from engine.sim.compare.answers import OTHERS, REFUSED, comparable_state, differing, is_seen, others_differ
from engine.sim.compare.comparison import Comparison, Parting
from engine.sim.compare.sides import EDIT, RULE, Change, Follower, Forms, Side
from engine.sim.compare.smallest import SmallestSet, Steps, all_at_once, smallest_set, smallest_set_steps
from engine.sim.edits.catalogue import name_of
from engine.sim.edits.edit import Edit
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS
from engine.sim.tick.report import TickReport
from engine.sim.world_identity import differing_parts
from engine.world.world import World

RULES: Final = "rules"
CHANGES: Final = "changes"
KEYS: Final = "keys"
EDITS: Final = "edits"
WORLD: Final = "world"
EARLIER: Final = "earlier"
UNKNOWN: Final = "unknown"

MOST_TRIALS: Final = 850
"""Of one tick each, to prove that a set of rules is the smallest."""
NEVER: Final = -1
AT_ONCE: Final = 4
"""Ticks that are run between two pauses."""
MOST_TICKS: Final = 100_000
"""Ticks run in all where every trial begins with the run."""


@dataclass(frozen=True)
class Cause:
    """Why two runs part at a tick.

    `kind` is one of the constants above. `names` are the rules of the smallest set, or the titles of its changes, or
    the landblocks that are not the same; `alone` those that do it by themselves. `is_smallest`: every smaller set was
    tried. `from_start`: the trials began with the run, not with the tick.
    """

    kind: str
    names: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    is_smallest: bool = True
    from_start: bool = False
    trials: int = 0


def cause_of(comparison: Comparison, parting: Parting) -> Cause:
    """What makes the runs of a comparison part at that tick."""
    return all_at_once(cause_steps(comparison, parting))


def cause_steps(comparison: Comparison, parting: Parting) -> Steps[Cause]:
    """The same in pieces, for those who have other things to do meanwhile. What it holds it lets go when closed."""
    one, two = comparison.sides
    if one.recording is not two.recording:
        other_keys = _other_keys(comparison, parting)
        if other_keys is not None:
            return other_keys
    found = yield from _by_rules(comparison, parting)
    if found is None:
        found = yield from _by_changes(one, two, parting)
    if found is None and two.leaves_out is not None and one.recording is two.recording:
        found = yield from _by_left_out(one, two, parting)
    if found is not None:
        return found
    if one.world is not two.world:
        return Cause(WORLD, tuple(differing_parts(two.world, one.recording.identity)))
    if not parting.was_same and comparison.first is not None and parting.index > comparison.first.index:
        return Cause(EARLIER)
    return Cause(UNKNOWN)


def rules_of(answer: Callable[[RuleSet], object], first: RuleSet, second: RuleSet) -> Cause | None:
    """The rules that, flipped in the first set, give the second's answer to a question; None when both answer alike."""
    rules = differing_rules(first, second)
    wanted = answer(second.copy())

    def holds(chosen: frozenset[int]) -> bool:
        trial = first.copy()
        for number in chosen:
            trial.set_form(rules[number], second.form(rules[number]))
        return bool(answer(trial) == wanted)

    found = smallest_set(len(rules), holds, MOST_TRIALS)
    return None if found is None else _cause(RULES, rules, found, from_start=False)


def differing_rules(first: RuleSet, second: RuleSet) -> tuple[str, ...]:
    """The rules whose forms differ, without those on which both sets agree: they decide nothing."""
    return tuple(rule for rule in RULE_NAMES if rule not in AGREED_RULES and first.form(rule) != second.form(rule))


def cause_of_beginning(comparison: Comparison) -> Cause:
    """What makes the states differ before the first tick: changes, or the worlds that the sides are in."""
    return all_at_once(beginning_steps(comparison))


def beginning_steps(comparison: Comparison) -> Steps[Cause]:
    """The same in pieces."""
    one, two = comparison.sides
    wanted = _state_at_start(two)
    changes = _other_changes(one, two)

    def holds(chosen: frozenset[int]) -> Steps[bool]:
        yield
        return _state_at_start(_toggled(one, [changes[number] for number in sorted(chosen)])) == wanted

    found = yield from smallest_set_steps(len(changes), holds, MOST_TRIALS)
    if found is None:
        return Cause(WORLD if one.world is not two.world else UNKNOWN)
    return _change_cause(changes, found)


def _state_at_start(side: Side) -> bytes:
    follower = Follower(side)
    try:
        follower.start()
        return comparable_state(follower.sim)
    finally:
        follower.close()


def _other_changes(one: Side, two: Side) -> list[Change]:
    """The changes that only one of the sides has."""
    return [each for each in two.changes if each not in one.changes] + [
        each for each in one.changes if each not in two.changes
    ]


def _toggled(side: Side, changes: Sequence[Change]) -> Side:
    """A side without those of the changes that it has, and with the others."""
    kept = [each for each in side.changes if each not in changes]
    return side.with_changes([*kept, *(each for each in changes if each not in side.changes)])


def _change_cause(changes: Sequence[Change], found: SmallestSet) -> Cause:
    is_rule = all(changes[number].kind == RULE for number in found.numbers)
    return _cause(RULES if is_rule else CHANGES, [change.title for change in changes], found, from_start=True)


# --- keys and edits of another recording


def _other_keys(comparison: Comparison, parting: Parting) -> Cause | None:
    """The first tick up to the parting one with other keys or edits, if there is one."""
    one, two = (side.recording for side in comparison.sides)
    for index in range(parting.index + 1):
        if one.controls[index] != two.controls[index]:
            return Cause(KEYS, (str(index),))
        if one.edits.get(one.first_tick + index, []) != two.edits.get(two.first_tick + index, []):
            return Cause(EDITS, (str(index),))
    return None


# --- rules, from the tick itself


class _Target:
    """What a trial has to agree with: the second side's tick, as far as it can be seen if the sides part in that, and
    otherwise all of it."""

    def __init__(self, two: Follower, parting: Parting) -> None:
        self.answers = _Answers(two.step(), two)
        self.is_seen = parting.tick.is_seen
        self.state = comparable_state(two.sim) if parting.was_same and not self.is_seen else b""

    def agrees(self, answers: _Answers) -> bool:
        what = answers.differing(self.answers)
        if is_seen(what) if self.is_seen else what:
            return False
        return not self.state or comparable_state(answers.follower.sim) == self.state


def _by_rules(comparison: Comparison, parting: Parting) -> Steps[Cause | None]:
    one, two = comparison.followers_at(parting)
    try:
        yield
        rules = differing_rules(one.sim.rules, two.sim.rules)
        if not rules:
            return None
        forms = {rule: two.sim.rules.form(rule) for rule in rules}
        target = _Target(two, parting)
        trials = _Trials(one, parting.index, target)

        def holds(chosen: frozenset[int]) -> Steps[bool]:
            yield
            return trials.agrees({rules[number]: forms[rules[number]] for number in chosen})

        found = yield from smallest_set_steps(len(rules), holds, MOST_TRIALS)
    finally:
        one.close()
        two.close()
    return None if found is None else _cause(RULES, rules, found, from_start=False)


class _Trials:
    """Runs one tick of the first side again and again, by other rules.

    Finding all cells anew takes as long as several ticks, so the state is kept for every choice of the rules about it.
    """

    def __init__(self, one: Follower, index: int, target: _Target) -> None:
        self._one = one
        self._index = index
        self._target = target
        self._before = one.sim.snapshot()
        self._found: dict[frozenset[str], bytes] = {}

    def agrees(self, forms: Forms) -> bool:
        one = self._one
        of_cells = {rule: form for rule, form in forms.items() if rule in CELL_RULES}
        key = frozenset(of_cells)
        if key not in self._found:
            one.go_to(self._index, self._before)
            one.force(of_cells)
            self._found[key] = one.sim.snapshot()
        one.go_to(self._index, self._found[key])
        one.force(forms)
        try:
            return self._target.agrees(_Answers(one.step(), one))
        except (SimError, *ENGINE_ERRORS):
            return False


# --- changes, from the beginning


def _by_changes(one: Side, two: Side, parting: Parting) -> Steps[Cause | None]:
    """The smallest set of changes that makes one side agree with the other, tried from the beginning of the run."""
    changes = _other_changes(one, two)
    if one.recording is not two.recording or not changes:
        return None
    trials = max(MOST_TICKS // (parting.index + 1), 1)
    if len(changes) > trials:
        return None
    are_taken_away = any(change.kind == EDIT for change in changes)
    base, other = (two, one) if are_taken_away else (one, two)

    def toggled(chosen: frozenset[int]) -> Side:
        return _toggled(base, [changes[number] for number in sorted(chosen)])

    found = yield from _fewest(other, toggled, len(changes), trials, parting)
    return None if found is None else _change_cause(changes, found)


def _edit_title(world: World, edit: Edit) -> str:
    """Such as "open door: Front Door"."""
    word = name_of(edit).replace("_", " ")
    subject = getattr(edit, "entity_id", 0) or getattr(edit, "door_id", 0)
    spec = world.entity_spec(subject) if subject else None
    return f"{word}: {spec.name}" if spec is not None and spec.name else word


def _by_left_out(one: Side, two: Side, parting: Parting) -> Steps[Cause | None]:
    """The smallest set of the edits that the second side does without, each taken away from the first alone."""
    titles, left_out = [], []
    if two.arrival is not None and one.arrival is None:
        titles.append("what was edited before the first tick")
        left_out.append((NEVER, 0))
    first = one.recording.first_tick
    for tick in range(first, first + parting.index + 1):
        for number, edit in enumerate(one.recording.edits.get(tick, ())):
            if two.leaves_out is not None and two.leaves_out(tick, number, edit):
                titles.append(f"{_edit_title(one.world, edit)}, before tick {tick:,}")
                left_out.append((tick, number))
    trials = max(MOST_TICKS // (parting.index + 1), 1)
    if len(titles) + 2 > trials:
        return None

    def without(chosen: frozenset[int]) -> Side:
        gone = {left_out[number] for number in chosen}
        arrival = two.arrival if (NEVER, 0) in gone else one.arrival
        return replace(one, arrival=arrival, leaves_out=lambda tick, number, _: (tick, number) in gone)

    found = yield from _fewest(two, without, len(titles), trials, parting)
    return None if found is None else _cause(CHANGES, titles, found, from_start=True)


def _fewest(
    wanted_side: Side, changed: Callable[[frozenset[int]], Side], count: int, trials: int, parting: Parting
) -> Steps[SmallestSet | None]:
    """The smallest set of changes with which a side answers the tick of the parting as the wanted side does."""
    wanted = yield from _answers_at(wanted_side, parting.index)
    if wanted is None:
        return None

    def holds(chosen: frozenset[int]) -> Steps[bool]:
        found = yield from _answers_at(changed(chosen), parting.index)
        if found is None:
            return False
        what = found.differing(wanted)
        found.follower.close()
        return not is_seen(what) if parting.tick.is_seen else not what

    try:
        return (yield from smallest_set_steps(count, holds, trials))
    finally:
        wanted.follower.close()


@dataclass(frozen=True)
class _Answers:
    """What became of a tick, and the simulation after it."""

    report: TickReport
    follower: Follower

    def differing(self, other: _Answers) -> tuple[str, ...]:
        what = differing(self.report, other.report)
        if OTHERS not in what and others_differ(self.follower.sim, other.follower.sim, other.report.moved):
            what = (*what, OTHERS)
        return what if self.follower.refused == other.follower.refused else (*what, REFUSED)


def _answers_at(side: Side, index: int) -> Steps[_Answers | None]:
    """A tick of a side that is run from its beginning; the caller closes the follower."""
    follower = Follower(side)
    try:
        follower.start()
        while follower.index < index:
            yield
            follower.run_to(min(follower.index + AT_ONCE, index))
        return _Answers(follower.step(), follower)
    except (SimError, GeneratorExit) as error:
        follower.close()
        if isinstance(error, GeneratorExit):
            raise
        return None


def _cause(kind: str, names: Sequence[str], found: SmallestSet, from_start: bool) -> Cause:
    return Cause(
        kind,
        tuple(names[number] for number in found.numbers),
        tuple(names[number] for number in found.alone),
        found.is_smallest,
        from_start,
        found.trials,
    )
