"""One body walks to a door, tick by tick, and uses it where its kind does (physics.md 9.2)."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeVar

from engine.entities.door import NEVER, Door
from engine.entities.events import BUSY, OPENING, REFUSED
from engine.physics.body import Body
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor
from engine.sim.passage.answer import AROUND, FOR_EVER, NO_PLACE, Answer, answer_of
from engine.sim.passage.doorway import CLEARANCES, Doorway
from engine.sim.passage.travellers import Who, put_before, remove_others
from engine.sim.passage.witness import Witness
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation

MOST_TICKS: Final = 150
"""Five seconds; a walk of 3 m takes one."""

STUCK_TICKS: Final = 4
"""Ticks with less than `STUCK_WAY` metres of progress after which a body counts as stopped."""

STUCK_WAY: Final = 0.01
LONG_AGO: Final = 1 << 30
"""A tick that no trial reaches: the door stays as it is meanwhile."""

Result = TypeVar("Result")


class DoorState(Enum):
    """How the door stands in a trial; the values are how the table calls it."""

    NOW = "as it is now"
    CLOSED = "closed"
    OPEN = "open"
    LOCKED = "locked"


class Side(Enum):
    """Where the body comes from: the lock goes by it."""

    FRONT = "from the front"
    BEHIND = "from behind"


@dataclass(frozen=True)
class Question:
    """One field of the table."""

    state: DoorState
    who: Who
    side: Side


def all_questions() -> Iterator[Question]:
    """Every field, state by state."""
    for state in DoorState:
        for who in Who:
            for side in Side:
                yield Question(state, who, side)


class Trials:
    """A simulation of its own in which one door is tried. It begins as `sim` is now and never changes it.

    trials = Trials(sim, door.id)
    answer = run_through(trials.steps(Question(DoorState.LOCKED, Who.PLAYER, Side.FRONT)))
    trials.close()
    """

    def __init__(self, sim: Simulation, door_id: int) -> None:
        self.sim = Simulation(sim.world, sim.rules, sim.player.id, sim.player.name)
        self.sim.surroundings.are_fixed = True
        self._watched: tuple[int, Witness] | None = None
        """Whom the last trial followed: bodies keep their observers through restored states."""
        self.ask_about(sim, door_id)

    def ask_about(self, sim: Simulation, door_id: int) -> None:
        """Begin as `sim` is now, which is of the same world: its landblocks are here already, and that saves the most
        time."""
        self._snapshot = sim.snapshot()
        self.door_id = door_id

    def close(self) -> None:
        self.sim.close()

    def begin_again(self, state: DoorState) -> tuple[Door, Doorway]:
        """Bring the world back to its start, take everybody out who moves, and put the door into a state that lasts."""
        sim = self.sim
        if self._watched is not None:
            sim.unwatch(*self._watched)
            self._watched = None
        sim.restore(self._snapshot)
        door = sim.population.door(self.door_id)
        remove_others(sim, door)
        if state is not DoorState.NOW:
            self._set(door, state)
        door.reset_at = NEVER
        if door.busy_until != NEVER:
            door.busy_until = LONG_AGO
        return door, Doorway(sim, door)

    def _set(self, door: Door, state: DoorState) -> None:
        """By the edits and the timers of doors themselves, from whatever it was in the middle of."""
        sim, now = self.sim, self.sim.tick_number
        door.rest(now)
        is_open = state is DoorState.OPEN
        for edit in (CloseDoor, OpenDoor) if is_open else (OpenDoor, CloseDoor):
            sim.apply_edit(edit(door.id))
        end = max(door.busy_until, now)
        door.step(end, [])
        door.rest(end)
        sim.apply_edit(LockDoor(door.id, state is DoorState.LOCKED))

    # --- a trial

    def steps(self, question: Question) -> Generator[None, None, Answer]:
        """Run one trial, with a pause after each tick."""
        door, doorway = self.begin_again(question.state)
        yield
        sim, who, behind = self.sim, question.who, question.side is Side.BEHIND
        was_locked = door.locked
        body = _put_before(sim, who, doorway, from_behind=behind)
        if body is None:
            return NO_PLACE
        seen = Witness(door.id)
        sim.watch(body.id, seen)
        self._watched = (body.id, seen)
        used = ""
        progress = _Progress(doorway, body, from_behind=behind)
        for _ in range(MOST_TICKS):
            use = 0
            if progress.is_stuck:
                if used or not who.is_player or not seen.door_blocks or door.is_open:
                    break
                use = door.id
                progress.wait()
            report = sim.tick(Controls(forward=1.0, use=use) if who.is_player else Controls())
            used = used or _use_of(report, door.id, body.id)
            yield
            if progress.step():
                break
        else:
            return FOR_EVER
        if progress.is_around:
            return AROUND
        return answer_of(
            sim, door, who, seen, through=progress.is_through, used=used, was_locked=was_locked, behind=behind
        )


def _put_before(sim: Simulation, who: Who, doorway: Doorway, *, from_behind: bool) -> Body | None:
    heading, reach = doorway.heading(from_behind=from_behind), sim.player.radius
    for clearance in CLEARANCES:
        start = doorway.start(doorway.middle, reach, from_behind=from_behind, clearance=clearance)
        body = put_before(sim, who, doorway.cell_id, start, heading, doorway.flight_height)
        if body is not None:
            return body
    return None


class _Progress:
    """How far a body has come through a doorway."""

    def __init__(self, doorway: Doorway, body: Body, *, from_behind: bool) -> None:
        self._doorway = doorway
        self._body = body
        self._from_behind = from_behind
        self._y = doorway.local(body)[1]
        self._idle = 0
        self.is_through = False
        self.is_around = False

    @property
    def is_stuck(self) -> bool:
        return self._idle >= STUCK_TICKS

    def wait(self) -> None:
        """It has done something about it: give it as many ticks again."""
        self._idle = 0

    def step(self) -> bool:
        """Measure again after a tick; True when the body is on the other side."""
        if self._body.cell is None:
            self._idle = STUCK_TICKS
            return False
        x, y, _ = self._doorway.local(self._body)
        way = y - self._y if self._from_behind else self._y - y
        self._y = y
        self._idle = self._idle + 1 if way < STUCK_WAY else 0
        if not self._doorway.is_through(y, from_behind=self._from_behind):
            return False
        self.is_through = self._doorway.low[0] <= x <= self._doorway.high[0]
        self.is_around = not self.is_through
        return True


def _use_of(report: TickReport, door_id: int, user_id: int) -> str:
    """How the door answered to being used in this tick, empty when that body did not use it."""
    for event in report.events:
        if event.entity_id == door_id and event.by == user_id and event.what in (OPENING, BUSY, REFUSED):
            return event.what
    return ""


def run_through(steps: Generator[None, None, Result]) -> Result:
    """The result of steps at once, without the pauses."""
    try:
        while True:
            next(steps)
    except StopIteration as end:
        result: Result = end.value
        return result
