"""The answer of a trial, and the bit or rule that decided it, by what its sweeps told (physics.md 4.1, 8.7, 9.2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.entities.door import Door
from engine.entities.events import BUSY, REFUSED
from engine.physics.flags import ETHEREAL, HAS_PHYSICS_BSP, STATIC
from engine.physics.sweep.trace import IGNORED, MISSILE_RULE, SURROUNDINGS_NAMES, WALLS
from engine.sim.passage.travellers import Who
from engine.sim.passage.witness import Witness
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text


class Outcome(Enum):
    """What becomes of a body that goes to the door; the values are the words for it."""

    PASSES = "passes"
    OPENS = "opens it first"
    STOPPED = "is stopped"
    NO_PLACE = "no room to try"


@dataclass(frozen=True)
class Answer:
    """One field of the table."""

    outcome: Outcome
    decided_by: str
    """The bit or the rule, in a few words."""
    reason: str
    """A full sentence that names it."""


NO_PLACE: Final = Answer(Outcome.NO_PLACE, "cannot stand", "There is no room for such a body on this side of the door.")
FOR_EVER: Final = Answer(Outcome.STOPPED, "no end", "It neither passes nor stops within the time limit.")

AROUND: Final = Answer(Outcome.STOPPED, "way around", "It slides along the leaf and gets around it, not through it.")


def answer_of(
    sim: Simulation, door: Door, who: Who, seen: Witness, *, through: bool, used: str, was_locked: bool, behind: bool
) -> Answer:
    """Say what decided. `used` is the event by which the door answered to being used, empty when it was not."""
    if used == REFUSED:
        return Answer(
            Outcome.STOPPED,
            "lock",
            f"The lock refuses {_object(who)}: a locked door opens only from behind.",
        )
    if used == BUSY and not through:
        return Answer(Outcome.STOPPED, "moving", "The door is moving, and a moving door cannot be used.")
    if through and used:
        return _opened(who, was_locked=was_locked, behind=behind)
    return _let_through(sim, door, who, seen) if through else _stopped(sim, door, who, seen)


def _opened(who: Who, *, was_locked: bool, behind: bool) -> Answer:
    subject = _subject(who)
    if was_locked and behind:
        return Answer(
            Outcome.OPENS,
            "from behind",
            f"{subject} opens it although it is locked: from behind the lock is not asked. ETHEREAL is then set.",
        )
    return Answer(Outcome.OPENS, "unlocked", f"{subject} opens it, and its ETHEREAL bit is set at once.")


def _let_through(sim: Simulation, door: Door, who: Who, seen: Witness) -> Answer:
    state = sim.population.state_of(door.id)
    if IGNORED in seen.skipped:
        return _passes("IGNORE_COLLISIONS", "ETHEREAL and IGNORE_COLLISIONS are both set: sweeps leave the door out.")
    if MISSILE_RULE in seen.skipped:
        return _passes(
            "missile_ignore", "Missiles leave out what is ETHEREAL (rule missile_ignore), and the door's bit is set."
        )
    if state & ETHEREAL:
        return _passes("ETHEREAL", "The door's ETHEREAL bit is set: it is touched, but does not block.")
    if who is Who.ETHEREAL and (seen.touched or seen.skipped):
        return _passes("own ETHEREAL", "The body's own ETHEREAL bit is set, and the door is not STATIC.")
    if not seen.asked:
        return _passes("no shadow entry", "No cell on the way has a shadow entry of the door.")
    if not state & HAS_PHYSICS_BSP:
        return _passes(
            "no HAS_PHYSICS_BSP", "HAS_PHYSICS_BSP is not set: the trees of the door's parts are not tested."
        )
    if seen.rows_tested == 0:
        return _passes("no physics tree", "HAS_PHYSICS_BSP is set, and no part of the door has a physics tree.")
    return _passes("shape", "The door is solid, but no polygon of its parts is in the way.")


def _stopped(sim: Simulation, door: Door, who: Who, seen: Witness) -> Answer:
    state = sim.population.state_of(door.id)
    if seen.door_blocks:
        where = "" if seen.polygon < 0 else f" Part {seen.part}, polygon {seen.polygon} blocks."
        if state & STATIC and (state & ETHEREAL or who is Who.ETHEREAL):
            return _stops("STATIC", f"The door's STATIC bit is asked before any ETHEREAL bit.{where}")
        if door.is_open:
            return _stops("no ETHEREAL", f"The door is open, but its ETHEREAL bit is not set.{where}")
        uses = " It does not open doors." if who is Who.CREATURE else ""
        return _stops("no ETHEREAL", f"The door's ETHEREAL bit is not set.{uses}{where}")
    if seen.barrier_cell:
        cell = cell_text(seen.barrier_cell)
        return _stops("house barrier", f"The house's barrier, not the door, keeps him out of {cell}.")
    if seen.blocker:
        thing = sim.population.find(seen.blocker)
        name = thing.name if thing is not None else cell_text(seen.blocker)
        return _stops("something else", f"{name}, not the door, stops it.")
    if seen.cell_id:
        part = SURROUNDINGS_NAMES[seen.surroundings]
        verb = "stop" if seen.surroundings == WALLS else "stops"
        return _stops(part, f"The {part} of {cell_text(seen.cell_id)}, not the door, {verb} it.")
    return _stops("no way", "The path ends short of the door.")


def _passes(decided_by: str, reason: str) -> Answer:
    return Answer(Outcome.PASSES, decided_by, reason)


def _stops(decided_by: str, reason: str) -> Answer:
    return Answer(Outcome.STOPPED, decided_by, reason)


def _subject(who: Who) -> str:
    return "The player" if who.is_player else "The creature"


def _object(who: Who) -> str:
    return "the player" if who.is_player else "the creature"
