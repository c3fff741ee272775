"""A capture's calls beside each other: as recorded, by one rule set and by another, with the rules that do it.

Each call stands by itself, so a difference is explained from that call alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.files.cancelling import check_cancelled
from engine.physics.rules import AGREED_RULES, RULE_NAMES, RuleSet
from engine.sim.captures.form import CaptureRecord
from engine.sim.captures.frame import CaptureFrame
from engine.sim.captures.replay import Difference, Replay, replay_record
from engine.sim.compare.causes import MOST_TRIALS, RULES, UNKNOWN, Cause, differing_rules
from engine.sim.compare.sides import set_forms
from engine.sim.compare.smallest import smallest_set
from engine.sim.tick.simulation import Simulation
from engine.world.world import World


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
        self._frame = CaptureFrame(records[0].input.cell_id)
        self._rules, self._other = rules, other
        self._one, self._two = Simulation(world.loaded, rules), Simulation(world.loaded, other or rules)
        for sim in (self._one, self._two):
            for record in records:
                sim.surroundings.join(record.input.cell_id)

    def __iter__(self) -> Iterator[CallDifference]:
        for index, record in enumerate(self.records):
            check_cancelled()
            yield CallDifference(index, record, self._differences(record, self._two))

    def close(self) -> None:
        self._one.close()
        self._two.close()

    def _replay(self, record: CaptureRecord, sim: Simulation) -> Replay:
        return replay_record(sim.graph, sim.rules, record, self._frame)

    def _differences(self, record: CaptureRecord, second: Simulation) -> tuple[Difference, ...]:
        theirs = self._replay(record, second)
        if self._other is None:
            return tuple(theirs.differences)
        return _between(theirs, self._replay(record, self._one))

    def cause_of(self, call: CallDifference) -> Cause:
        """The rules that, flipped in the first rule set, make this call answer as the second does, or as recorded."""
        if self._other is None:
            rules = tuple(rule for rule in RULE_NAMES if rule not in AGREED_RULES)
            wanted: Replay | None = None
        else:
            rules = differing_rules(self._rules, self._other)
            wanted = self._replay(call.record, self._two)
        trial = Simulation(self._one.world.loaded, self._rules)
        for record in self.records:
            trial.surroundings.join(record.input.cell_id)

        def holds(chosen: frozenset[int]) -> bool:
            flipped = {rules[number] for number in chosen}
            set_forms(trial, {rule: _form(self._rules, rule, rule in flipped) for rule in rules})
            found = self._replay(call.record, trial)
            return found.agrees if wanted is None else not _between(found, wanted)

        try:
            found = smallest_set(len(rules), holds, MOST_TRIALS)
        finally:
            trial.close()
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
