"""A capture's calls beside each other: as recorded, by one rule set and by another, with the rules that do it.

Each call stands by itself, so a difference is explained from that call alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.files.cancelling import check_cancelled
from engine.physics.rules import AGREED_RULES, RULE_NAMES, RuleSet
from engine.sim.captures.form import CaptureRecord
from engine.sim.captures.frame import FrameFinder
from engine.sim.captures.replay import Difference, Replay, replay_record
from engine.sim.compare.causes import MOST_TRIALS, RULES, UNKNOWN, Cause, differing_rules
from engine.sim.compare.sides import set_forms
from engine.sim.compare.smallest import Steps, all_at_once, smallest_set_steps
from engine.sim.tick.simulation import Simulation
from engine.world.world import World

TWO_FORMS: Final = tuple(rule for rule in RULE_NAMES if rule not in AGREED_RULES)


@dataclass(frozen=True)
class CallDifference:
    """A call of a capture on both sides. In `differences` the second side's values are the recorded ones, the first's
    ours."""

    index: int
    record: CaptureRecord
    differences: tuple[Difference, ...]

    @property
    def is_same(self) -> bool:
        return not self.differences


class CaptureComparison:
    """The calls of a capture by one rule set, beside their recorded answers or beside another rule set's."""

    def __init__(
        self, world: World, records: Sequence[CaptureRecord], rules: RuleSet, other: RuleSet | None = None
    ) -> None:
        self.records = records
        self._rules, self._other = rules, other
        self._one, self._two = Simulation(world.loaded, rules), Simulation(world.loaded, other or rules)
        for sim in (self._one, self._two):
            for record in records:
                sim.surroundings.join(record.input.cell_id)
        finder = FrameFinder(self._one.graph)
        self._frames = [finder.find(record.input.cell_id, record.input.current) for record in records]

    def __iter__(self) -> Iterator[CallDifference]:
        for index, record in enumerate(self.records):
            check_cancelled()
            yield CallDifference(index, record, self._differences(index, self._two))

    def close(self) -> None:
        self._one.close()
        self._two.close()

    def _replay(self, index: int, sim: Simulation) -> Replay:
        return replay_record(sim.graph, sim.rules, self.records[index], self._frames[index])

    def _differences(self, index: int, second: Simulation) -> tuple[Difference, ...]:
        theirs = self._replay(index, second)
        if self._other is None:
            return tuple(theirs.differences)
        return _between(theirs, self._replay(index, self._one))

    def cause_of(self, call: CallDifference) -> Cause:
        """The rules that, flipped in the first rule set, make this call answer as the second does, or as recorded."""
        return all_at_once(self.cause_steps(call))

    def cause_steps(self, call: CallDifference) -> Steps[Cause]:
        """The same in pieces."""
        if self._other is None:
            rules = TWO_FORMS
            wanted: Replay | None = None
        else:
            rules = differing_rules(self._rules, self._other)
            wanted = self._replay(call.index, self._two)
        trial = Simulation(self._one.world.loaded, self._rules)
        try:
            for record in self.records:
                trial.surroundings.join(record.input.cell_id)

            def agrees() -> bool:
                found = self._replay(call.index, trial)
                return found.agrees if wanted is None else not _between(found, wanted)

            return (yield from flipped_rules(trial, self._rules, rules, agrees))
        finally:
            trial.close()


def flipped_rules(trial: Simulation, base: RuleSet, rules: Sequence[str], agrees: Callable[[], bool]) -> Steps[Cause]:
    """The rules that, flipped in `base`, make a call agree when it is replayed in this simulation; in pieces."""

    def holds(chosen: frozenset[int]) -> Steps[bool]:
        yield
        flipped = {rules[number] for number in chosen}
        set_forms(trial, {rule: _form(base, rule, rule in flipped) for rule in rules})
        return agrees()

    found = yield from smallest_set_steps(len(rules), holds, MOST_TRIALS)
    if found is None:
        return Cause(UNKNOWN)
    names, alone = (tuple(rules[number] for number in each) for each in (found.numbers, found.alone))
    return Cause(RULES, names, alone, found.is_smallest, trials=found.trials)


def _form(rules: RuleSet, rule: str, is_flipped: bool) -> str:
    form = rules.form(rule)
    return form if not is_flipped else "ace" if form == "retail" else "retail"


def _between(one: Replay, two: Replay) -> tuple[Difference, ...]:
    """What differs between two replays of a call, exactly."""
    mine, theirs = one.result, two.result
    values = (
        ("ok", mine.ok, theirs.ok),
        ("position", one.position, two.position),
        ("cellId", f"0x{mine.cell_id:08X}", f"0x{theirs.cell_id:08X}"),
        ("isOnGround", mine.is_on_ground, theirs.is_on_ground),
        ("collisionNormalValid", mine.collision_normal_valid, theirs.collision_normal_valid),
        ("collisionNormal", mine.collision_normal, theirs.collision_normal),
        ("lastCollidedObjectId", mine.last_collided_object_id, theirs.last_collided_object_id),
        ("collidedWithEnvironment", mine.collided_with_environment, theirs.collided_with_environment),
    )
    return tuple(Difference(name, str(before), str(after)) for name, before, after in values if before != after)
