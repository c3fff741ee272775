"""What changed a value of a door: who used it, its timers, and whoever stands in it."""

from __future__ import annotations

from typing import Final

from engine.entities.door import TICKS_PER_SECOND, Door
from engine.entities.events import CLOSED, CLOSING, HELD, LOCKED, OPENED, OPENING, UNLOCKED, EntityEvent
from engine.sim.trace.tree import number_text
from engine.sim.why.answer import Asked, CauseKind
from engine.sim.why.cause import Cause, earlier, same
from engine.sim.why.moment import Moment
from engine.sim.why.wording import event_text, subject

_STARTS: Final = (OPENING, CLOSING)
_ENDS: Final = (OPENED, CLOSED, HELD)
_EVENTS: Final = {
    "is_open": _STARTS,
    "passable": (OPENING, CLOSED, HELD),
    "state": (OPENING, CLOSED, HELD),
    "locked": (LOCKED, UNLOCKED),
    "busy_until": (*_STARTS, *_ENDS),
    "held": (HELD, CLOSED, OPENING),
    "retry_at": (HELD, CLOSED),
}
"""The events that go with a value; with others, all do."""


def cause_of_door(moment: Moment, path: str) -> Cause:
    """What in a tick changed a value of a door."""
    door = moment.sim.population.find(moment.entity_id)
    name = subject(moment.sim, moment.entity_id)
    wanted = _EVENTS.get(path)
    events = [] if moment.report is None else moment.report.events
    own = [event for event in events if event.entity_id == moment.entity_id]
    event = next((each for each in reversed(own) if wanted is None or each.what in wanted), None)
    if event is not None and event.by:
        return _by_somebody(moment, event, name)
    if event is not None and event.what in _ENDS:
        return _by_motion(moment, event, name, path)
    if event is not None and isinstance(door, Door):
        seconds = number_text((moment.tick - door.use_stamp) / TICKS_PER_SECOND)
        text = f"{name} {event_text(event.what)}: it went back to its default"
        if door.use_stamp >= 0:
            text += f" {seconds} s after it was used"
        return Cause(CauseKind.TIMER, text, (*earlier(moment, "reset_at"), *same(moment, "use_stamp")))
    if "use" in moment.keys_that_matter():
        return Cause(CauseKind.KEY, f"the player used {subject(moment.sim, moment.controls.use)}", key="use")
    return Cause(CauseKind.TIMER, f"the time of {name} had come", same(moment, "is_open"))


def _by_motion(moment: Moment, event: EntityEvent, name: str, path: str) -> Cause:
    """Its motion has ended, or it has tried again to close."""
    leads = same(moment, "is_open") if path != "is_open" else same(moment, "use_stamp")
    if event.what == HELD:
        return Cause(CauseKind.TIMER, f"{name} {event_text(HELD)}", leads)
    was_held = isinstance(moment.change.before, bool) and path == "held"
    text = f"{name} {event_text(event.what)}"
    return Cause(
        CauseKind.TIMER, f"{text}: {'nobody was inside any more' if was_held else 'its motion had ended'}", leads
    )


def _by_somebody(moment: Moment, event: EntityEvent, name: str) -> Cause:
    sim = moment.sim
    text = f"{name} {event_text(event.what)}"
    if event.by == sim.player.id or "use" in moment.keys_that_matter():
        used = moment.controls.use
        by = f"the player used {'it' if used == moment.entity_id else subject(sim, used)}"
        return Cause(CauseKind.KEY, f"{text}: {by}", key="use", entity=event.by)
    who = sim.population.find(event.by)
    if isinstance(who, Door):
        leads = (Asked(event.by, "is_open", moment.tick),)
        return Cause(CauseKind.OBJECT, f"{text}: {who.name} is linked to it", leads, entity=event.by)
    touched = [] if moment.report is None else moment.report.collided_objects
    if event.by in touched:
        leads = (Asked(sim.player.id, "origin", moment.tick),)
        return Cause(CauseKind.OBJECT, f"{text}: the player touched {subject(sim, event.by)}", leads, entity=event.by)
    leads = (Asked(event.by, "origin", moment.tick),)
    return Cause(CauseKind.OBJECT, f"{text}: {subject(sim, event.by)} used it", leads, entity=event.by)
