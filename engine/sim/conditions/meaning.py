"""Whether a condition holds for a tick: the one evaluator for live, searched and printed ticks.

Answers are True, False, or None where the tick is not known well enough (Kleene's logic), so that a search runs again
only those ticks whose samples leave the answer open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from engine.geometry.constants import EPSILON
from engine.geometry.vec import length
from engine.sim.conditions.moment import DoorStanding, Moment
from engine.sim.conditions.words import (
    AND,
    And,
    Condition,
    Leaf,
    Named,
    Need,
    Not,
    Numbered,
    Or,
    Surface,
    Value,
    condition_text,
)
from engine.sim.tick.contacts import BUILDING, TERRAIN, THING, WALLS, Contact, SweepContacts
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import is_env_cell, is_land_cell
from engine.world.graph.graph import NO_CELL

TICKS_PER_SECOND: Final = 30.0
LEAST_PUSH: Final = 0.01
"""Metres out of the ground; less is how far a body sinks between two ticks of walking over a bend."""

KIND_OF_SURFACE: Final = {Surface.WALLS: WALLS, Surface.LAND: TERRAIN, Surface.BUILDINGS: BUILDING}


def holds(condition: Condition, moment: Moment) -> bool | None:
    """Whether the condition holds; None when that is open."""
    if isinstance(condition, Leaf):
        return _leaf_holds(condition, moment)
    if isinstance(condition, Not):
        found = holds(condition.part, moment)
        return None if found is None else not found
    decisive = not isinstance(condition, And)
    is_open = False
    for part in condition.parts:
        found = holds(part, moment)
        if found is decisive:
            return decisive
        is_open = is_open or found is None
    return None if is_open else not decisive


def because(condition: Condition, moment: Moment) -> str:
    """What of a condition that holds makes it hold: of what "or" joins, the first that does."""
    if isinstance(condition, Or):
        return because(next(part for part in condition.parts if holds(part, moment)), moment)
    if isinstance(condition, And):
        return f" {AND} ".join(because(part, moment) for part in condition.parts)
    return condition_text(condition)


def _leaf_holds(leaf: Leaf, moment: Moment) -> bool | None:
    need = leaf.primitive.need
    if need is Need.RULES:
        return None if moment.disagree is None else moment.disagree()
    if need is Need.TICK and moment.report is None:
        return None
    return _MEANINGS[leaf.primitive.id](moment, *leaf.values)


# --- what was in the way


def _hindrance(report: TickReport) -> tuple[bool, list[Contact]] | None:
    """Whether the player was stopped (else he slid), and by what; None when nothing hindered him.

    These are the stops and slides that the Timeline lists: the slope of the ground, a step up and a landing bend a move
    without hindering it.
    """
    contacts, wanted, made = report.contacts, report.wanted, report.made
    if contacts is None or not report.swept:
        return None
    if length((wanted[0] - made[0], wanted[1] - made[1], wanted[2] - made[2])) <= EPSILON:
        return None
    causes = contacts.stopped_by or contacts.slid_along[::-1]
    if not causes and contacts.held:
        causes = contacts.held_by
    elif not causes and contacts.steep is not None:
        causes = [contacts.steep]
    if not causes and not contacts.held:
        return None
    return bool(contacts.stopped_by) or length(made) <= EPSILON, causes


def _hindered(moment: Moment, stopped: bool, value: Value | None = None) -> bool:
    report, sim = _run(moment)
    found = _hindrance(report)
    if found is None or found[0] is not stopped:
        return False
    return value is None or any(_is_contact(sim, contact, value) for contact in found[1])


def _pushed(moment: Moment, value: Value | None = None) -> bool:
    report, sim = _run(moment)
    contacts = report.contacts or SweepContacts()
    lifted = contacts.pushed > LEAST_PUSH
    if value is None:
        return lifted or bool(contacts.run_into_by)
    by = contacts.pushed_by if lifted else None
    if by is not None and _is_contact(sim, by, value):
        return True
    return any(_is_object(sim, entity_id, value) for entity_id in contacts.run_into_by)


def _is_contact(sim: Simulation, contact: Contact, value: Value) -> bool:
    if isinstance(value, Surface):
        return contact.what == KIND_OF_SURFACE[value]
    if contact.what == THING:
        return _is_object(sim, contact.object_id, value)
    return _is_cell(sim, contact.cell_id, value)


def _is_object(sim: Simulation, object_id: int, value: Value) -> bool:
    if isinstance(value, Named):
        entity = sim.population.find(object_id)
        return entity is not None and _same(entity.name, value.name)
    return isinstance(value, Numbered) and value.id == object_id


def _is_cell(sim: Simulation | None, cell_id: int, value: Value) -> bool:
    if isinstance(value, Named):
        name = "" if sim is None else sim.world.names.of_cell(cell_id)
        return name != "" and _same(name, value.name)
    return isinstance(value, Numbered) and value.id == cell_id


def plain_name(name: str) -> str:
    """As names are compared: capitals and blanks do not matter."""
    return " ".join(name.split()).casefold()


def _same(name: str, wanted: str) -> bool:
    return plain_name(name) == plain_name(wanted)


def _run(moment: Moment) -> tuple[TickReport, Simulation]:
    assert moment.report is not None
    assert moment.sim is not None
    return moment.report, moment.sim


# --- doors and others


def _is_door(door: DoorStanding, value: Value | None) -> bool:
    if value is None:
        return True
    return _same(door.name, value.name) if isinstance(value, Named) else value == Numbered(door.id)


def _after(moment: Moment, value: Value | None, fits: Callable[[DoorStanding], bool]) -> bool:
    return any(fits(door) for door in moment.doors_after if _is_door(door, value))


def _between(moment: Moment, value: Value | None, fits: Callable[[DoorStanding, DoorStanding], bool]) -> bool:
    """For a door that was there before the tick as well."""
    before = {door.id: door for door in moment.doors_before}
    return any(
        fits(before[door.id], door) for door in moment.doors_after if door.id in before and _is_door(door, value)
    )


def _opens(moment: Moment, value: Value | None = None) -> bool:
    return _between(moment, value, lambda before, after: after.is_open and not before.is_open)


def _closes(moment: Moment, value: Value | None = None) -> bool:
    return _between(moment, value, lambda before, after: before.is_open and not after.is_open)


def _changes(moment: Moment, value: Value | None = None) -> bool:
    return _between(moment, value, lambda before, after: before != after)


def _any_object(moment: Moment, ids: Iterable[int], value: Value) -> bool:
    return moment.sim is not None and any(_is_object(moment.sim, object_id, value) for object_id in ids)


# --- cells


def _cell_changes(moment: Moment) -> bool:
    return moment.before.cell != moment.after.cell


def _without_portal(moment: Moment) -> bool:
    contacts = _run(moment)[0].contacts
    return _cell_changes(moment) and (contacts is None or contacts.portal < 0)


def _in(moment: Moment, value: Value) -> bool:
    return moment.after.cell != NO_CELL and _is_cell(moment.sim, moment.after.cell, value)


def _was_in(moment: Moment, value: Value) -> bool:
    return moment.before.cell != NO_CELL and _is_cell(moment.sim, moment.before.cell, value)


def _number(value: Value) -> float:
    assert isinstance(value, float)
    return value


def _speed(moment: Moment) -> float:
    return length(moment.made) * TICKS_PER_SECOND


_MEANINGS: Final[dict[str, Callable[..., bool]]] = {
    "cell_changes": _cell_changes,
    "cell_changes_without_portal": _without_portal,
    "in_cell": _in,
    "enters_cell": lambda moment, value: _in(moment, value) and not _was_in(moment, value),
    "leaves_cell": lambda moment, value: _was_in(moment, value) and not _in(moment, value),
    "in_any_cell": lambda moment: moment.after.cell != NO_CELL,
    "indoors": lambda moment: is_env_cell(moment.after.cell),
    "outdoors": lambda moment: is_land_cell(moment.after.cell),
    "moved_more": lambda moment, value: length(moment.made) > _number(value),
    "moved_less": lambda moment, value: length(moment.made) < _number(value),
    "z_falls": lambda moment, value: -moment.made[2] > _number(value),
    "z_rises": lambda moment, value: moment.made[2] > _number(value),
    "z_over": lambda moment, value: moment.after.origin[2] > _number(value),
    "z_under": lambda moment, value: moment.after.origin[2] < _number(value),
    "speed_over": lambda moment, value: _speed(moment) > _number(value),
    "speed_under": lambda moment, value: _speed(moment) < _number(value),
    "in_contact": lambda moment: moment.after.in_contact,
    "contact_lost": lambda moment: moment.before.in_contact and not moment.after.in_contact,
    "contact_gained": lambda moment: moment.after.in_contact and not moment.before.in_contact,
    "on_ground": lambda moment: moment.after.on_ground,
    "lands": lambda moment: moment.after.on_ground and not moment.before.on_ground,
    "leaves_ground": lambda moment: moment.before.on_ground and not moment.after.on_ground,
    "in_water": lambda moment: moment.after.in_water,
    "jumps": lambda moment: _run(moment)[0].jumped,
    "blocked": lambda moment: _hindered(moment, True),
    "blocked_by": lambda moment, value: _hindered(moment, True, value),
    "slides": lambda moment: _hindered(moment, False),
    "slides_along": lambda moment, value: _hindered(moment, False, value),
    "touches": lambda moment, value: _any_object(moment, _run(moment)[0].collided_objects, value),
    "pushed": _pushed,
    "pushed_by": _pushed,
    "refused": lambda moment: not _run(moment)[0].ok,
    "door_opens": _opens,
    "door_closes": _closes,
    "door_changes": _changes,
    "any_door_opens": _opens,
    "any_door_closes": _closes,
    "any_door_changes": _changes,
    "door_is_open": lambda moment, value: _after(moment, value, lambda door: door.is_open),
    "door_is_closed": lambda moment, value: _after(moment, value, lambda door: not door.is_open),
    "door_is_locked": lambda moment, value: _after(moment, value, lambda door: door.locked),
    "door_is_moving": lambda moment, value: _after(moment, value, lambda door: door.is_moving),
    "thing_moves": lambda moment, value: _any_object(moment, _run(moment)[0].moved, value),
    "fault": lambda moment: bool(_run(moment)[0].faults),
}
