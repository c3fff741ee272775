"""Conditions asked of the moves of a client, one record of a capture at a time.

Where the player was, where he is and how he stands is what the client recorded. What was in his way, and whether the
rule sets disagree, no record says: that is what our replay of it finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.geometry.vec import distance, sub
from engine.physics.flags import TS_CONTACT, TS_ON_WALKABLE
from engine.sim.captures.form import CaptureBody, CaptureRecord
from engine.sim.captures.live.follower import SETS, Followed, Follower
from engine.sim.captures.replay import POSITION, Replay
from engine.sim.conditions.meaning import because, holds
from engine.sim.conditions.moment import Moment, Standing
from engine.sim.conditions.words import Condition, Leaf, Need, Not, need_of
from engine.sim.errors import SimError
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.world.graph.graph import NO_CELL

DOORS: Final = "a capture says nothing of doors"
NOT_ASKED: Final = {
    "jumps": "a capture says nothing of keys",
    "door_opens": DOORS,
    "door_closes": DOORS,
    "door_changes": DOORS,
    "any_door_opens": DOORS,
    "any_door_closes": DOORS,
    "any_door_changes": DOORS,
    "door_is_open": DOORS,
    "door_is_closed": DOORS,
    "door_is_locked": DOORS,
    "door_is_moving": DOORS,
    "thing_moves": "a capture says nothing of others",
    "fault": "a capture says nothing of faults",
}
"""Primitives that no record of a capture answers, and why."""


def why_not_of_calls(condition: Condition) -> str:
    """Why a condition cannot be asked of a capture; "" when it can."""
    if isinstance(condition, Leaf):
        why = NOT_ASKED.get(condition.primitive.id, "")
        return f"“{condition.primitive.form}”: {why}" if why else ""
    if isinstance(condition, Not):
        return why_not_of_calls(condition.part)
    return next(filter(None, map(why_not_of_calls, condition.parts)), "")


class CallConditions:
    """Conditions that a follower stops at; the causes are those of the replay under one rule set."""

    def __init__(self, conditions: Sequence[Condition], rules: str) -> None:
        for why in filter(None, map(why_not_of_calls, conditions)):
            raise SimError(why)
        self.rules = rules
        self._conditions = list(conditions)
        self._last: CaptureRecord | None = None
        """The record of the player before."""
        self.needs_causes = max(map(need_of, conditions), default=Need.SAMPLES) >= Need.TICK

    def __bool__(self) -> bool:
        return bool(self._conditions)

    def held(self, followed: Followed, follower: Follower) -> str:
        """What of the conditions holds for a record; "" when nothing does, or it is of another body.

        Of a record that the world has no place for, only what the client recorded is known.
        """
        if not followed.is_players or not self._conditions:
            return ""
        at = SETS.index(self.rules)
        last, self._last = self._last, followed.record
        moment = _moment(followed, last, followed.replays[at] if followed.replays else None, follower.sims[at])
        return "; ".join(because(each, moment) for each in self._conditions if holds(each, moment))


def _moment(followed: Followed, last: CaptureRecord | None, replay: Replay | None, sim: Simulation) -> Moment:
    record, frame = followed.record, followed.frame
    given, result = record.input, record.result
    after_cell = result.cell_id or given.cell_id  # in no cell, he has no landblock of his own
    before = Standing(
        given.cell_id,
        given.cell_id,
        frame.into(given.cell_id, given.current),
        _footing_before(record, last),
    )
    after = Standing(
        result.cell_id or NO_CELL,
        after_cell,
        frame.into(after_cell, result.position),
        _footing(record.after, result.is_on_ground),
    )
    moment = Moment(before, after, sim=sim)
    if replay is not None:
        moment.report = _report(followed, replay)
        moment.disagree = lambda: len(set(map(_ending, followed.replays))) > 1
    return moment


def _footing_before(record: CaptureRecord, last: CaptureRecord | None) -> int:
    """Who takes off has left the ground when his move is resolved: how he stood is how the record before left him, if
    that ended where this one begins."""
    given = record.input
    if last is None or last.result.cell_id != given.cell_id:
        return _footing(record.before, given.is_on_ground)
    if not distance(last.result.position, given.current) < POSITION:
        return _footing(record.before, given.is_on_ground)
    return _footing(last.after, last.result.is_on_ground)


def _footing(body: CaptureBody | None, is_on_ground: bool) -> int:
    """A record without the body has only whether it is on ground."""
    if body is not None:
        return body.transient_state
    return TS_CONTACT | TS_ON_WALKABLE if is_on_ground else 0


def _report(followed: Followed, replay: Replay) -> TickReport:
    given, result = followed.record.input, replay.result
    report = TickReport(followed.record.tick)
    report.swept, report.ok = True, result.ok
    report.wanted, report.made = sub(given.target, given.current), sub(replay.position, given.current)
    report.collided_objects = result.transition.ci.collide_objects
    report.contacts = followed.contacts
    return report


def _ending(replay: Replay) -> tuple[object, ...]:
    result = replay.result
    return (result.ok, result.cell_id, result.position, result.in_contact, result.on_walkable)
