"""One tick of a recording run once more, to see what in it changed a value: the edits one by one, the sweeps of the
body with their causes, and the same tick again with another key or with a rule flipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.geometry.constants import GRAVITY, MIN_QUANTUM
from engine.geometry.vec import ZERO, Vec3, distance
from engine.physics.flags import ETHEREAL
from engine.physics.rules import ACE, AGREED_RULES, CELL_RULES, RETAIL, RULE_NAMES
from engine.sim.edits.edit import Edit
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS, restore
from engine.sim.recording import INTEGERS, REALS
from engine.sim.tick.contact_watch import ContactWatch
from engine.sim.tick.contacts import SweepContacts
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.trace.recorder import TraceRecorder
from engine.sim.trace.tree import TraceNode
from engine.sim.why.answer import SIMULATION
from engine.sim.why.history import Change, History
from engine.sim.why.rows import Row, steps_of
from engine.sim.why.values import KEY_NAMES, Values
from engine.sim.why.wording import edit_text
from engine.world.cells.position import into_block

TRIED_RULES: Final = tuple(rule for rule in RULE_NAMES if rule not in AGREED_RULES and rule not in CELL_RULES)
"""Rules that a tick can be tried without in no more time than it takes: those of the cells find all of them anew."""

_NOTHING: Final = Controls()

REALS_OF_PLACE: Final = 3
"""The first numbers of a sample are the origin."""

DOORS_WITHIN: Final = 5.0
"""Metres of a body: a door is no larger."""
MOST_DOORS: Final = 4

_SAME_VELOCITY: Final = 1e-4
"""Metres a second; bodies keep their velocity in single precision."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The body at the beginning or at the end of the tick. `cell` is 0 for none; without a body `place` is None."""

    cell: int = 0
    place: tuple[int, Vec3] | None = None
    in_contact: bool = False
    velocity: Vec3 = ZERO


class Moment:
    """A tick in which a value changed.

    `edits_made`: the value after each of the tick's edits. The simulation stands after the tick; trials leave it at
    the end of the trial, so they come last.
    """

    def __init__(self, history: History, change: Change, entity_id: int, read: Values) -> None:
        self.history = history
        self.sim = history.sim
        self.change = change
        self.tick = change.tick
        self.entity_id = entity_id
        self.read = read
        recording = history.recording
        self.is_at_end = change.tick == recording.end
        self.controls = _NOTHING if self.is_at_end else history.controls_at(change.tick)
        self.controls_before = history.controls_at(change.tick - 1) if change.tick > recording.first_tick else _NOTHING
        self.edits: list[Edit] = recording.edits.get(change.tick, [])
        self.edits_made: list[object] = []
        self.report: TickReport | None = None
        self.contacts = SweepContacts()
        self.sweeps: list[TraceNode] = []
        """Those of the edits come first, as when the tick is shown."""
        self.steps: list[Row] = []
        """The sub-steps of the tick itself, the latest first."""
        self.was_there = True
        """The entity was there when the tick began."""
        self.entered = Standing()
        """Before the tick's edits; `before` is after them."""
        self.before = Standing()
        self.after = Standing()
        self._begin = b""
        self._keys: tuple[str, ...] | None = None
        self.open_doors: list[int] = []
        """Those near the body after the tick, the nearest first."""

    # --- the tick itself

    def run(self) -> Iterator[None]:
        """Run it, in steps."""
        sim, history = self.sim, self.history
        watch, recorder = ContactWatch(), TraceRecorder()
        body = self._swept()
        try:
            if body:
                sim.watchers.add(body, watch)
                yield from self._warm_up()
            history.stand_before(self.tick)
            yield
            self.entered = self._standing()
            if body:
                sim.watchers.add(body, recorder)  # whom an edit is about to bring may not be there yet
            self._make_edits()
            if self.is_at_end:
                return
            self._begin = sim.snapshot()
            self.was_there = sim.population.find(self.entity_id) is not None
            self.before = self._standing()
            if body:
                watch.take()
            first = len(recorder.sweeps)
            self.report = sim.tick(self.controls)
            self.after = self._standing()
            self.open_doors = self._find_open_doors()
            self.contacts = watch.take()
            self.sweeps = recorder.sweeps
            self.steps = list(steps_of(self.sweeps, first))
        except ENGINE_ERRORS as error:
            raise SimError(f"tick {self.tick} cannot be run again: {error}") from error
        finally:
            if body:
                sim.watchers.remove(body, watch)
                sim.watchers.remove(body, recorder)

    def _swept(self) -> int:
        """The entity whose sweeps matter: 0 when it has no body."""
        entity = None if self.entity_id == SIMULATION else self.sim.population.find(self.entity_id)
        return 0 if entity is None or entity.body is None else entity.id

    def _warm_up(self) -> Iterator[None]:
        """Let the watch see on what the body came to stand and what it ran into, if that is before the snapshot that
        the tick is reached from."""
        recording = self.history.recording
        if self.entity_id != recording.player_id:
            return
        keyframes = recording.keyframes
        reached_from = keyframes.ticks[keyframes.at_or_before(self.tick)]
        for last in sorted({self._last_sample_change(REALS_OF_PLACE, 1), self._last_sample_change(REALS, INTEGERS)}):
            if recording.first_tick < last < reached_from:
                self.history.stand_after(min(last + 1, reached_from - 1))  # what stopped it, it met in the tick after
                yield

    def _last_sample_change(self, reals: int, integers: int) -> int:
        """The last tick before this one in which the first so many numbers of the player's samples changed."""
        samples, first = self.history.recording.samples, self.history.recording.first_tick
        count = self.tick - first
        if count < 1:
            return first
        numbers = np.frombuffer(samples.reals).reshape(-1, REALS)[:count, :reals]
        ids = np.frombuffer(samples.integers, np.uint32).reshape(-1, INTEGERS)[:count, :integers]
        changed = (numbers[1:] != numbers[:-1]).any(axis=1) | (ids[1:] != ids[:-1]).any(axis=1)
        where = np.flatnonzero(changed)
        return first + int(where[-1]) + 1 if len(where) else first

    def _make_edits(self) -> None:
        for edit in self.edits:
            try:
                self.sim.apply_edit(edit)
            except ENGINE_ERRORS as error:
                raise SimError(f"the edits for tick {self.tick} cannot be made again: {error}") from error
            self.edits_made.append(self.read(self.sim))

    def _standing(self) -> Standing:
        body = self.sim.population.bodies.get(self.entity_id)
        if body is None:
            return Standing()
        cell_id = 0 if body.cell is None else body.cell.id
        return Standing(cell_id, (body.place.cell_id, body.place.origin), body.contact_bits()[0], body.velocity)

    @property
    def lost_contact(self) -> bool:
        return self.before.in_contact and not self.after.in_contact

    @property
    def edit_into_the_air(self) -> str:
        """What the edits of the tick did, if they took the body off the ground."""
        if not self.edits or not self.entered.in_contact or self.before.in_contact:
            return ""
        return edit_text(self.sim, self.edits[-1])

    @property
    def only_fell(self) -> bool:
        """Whether gravity alone changed the velocity."""
        x, y, z = self.before.velocity
        return distance(self.after.velocity, (x, y, z + GRAVITY * MIN_QUANTUM)) < _SAME_VELOCITY

    @property
    def sunk(self) -> float:
        """Metres by which the body is lower."""
        return (
            0.0
            if self.before.place is None or self.after.place is None
            else (self.before.place[1][2] - self.after.place[1][2])
        )

    @property
    def moved(self) -> bool:
        return self.before.place != self.after.place

    @property
    def is_of_player(self) -> bool:
        return self.entity_id == self.sim.player.id

    @property
    def deciding_edit(self) -> int | None:
        """The number of the last edit that changed the value, if the edits left it as the tick did."""
        if not self.edits_made or self.edits_made[-1] != self.change.after:
            return None
        before = [self.change.before, *self.edits_made]
        return next((n for n in range(len(self.edits) - 1, -1, -1) if before[n] != before[n + 1]), None)

    # --- trials

    def keys_that_matter(self) -> tuple[str, ...]:
        """The keys without which the tick leaves another value: held ones let go, others as they were before it.

        Those that went down or up come first.
        """
        if self._keys is None:
            self._keys = self._try_keys()
        return self._keys

    def _try_keys(self) -> tuple[str, ...]:
        now, before = self.controls.as_tuple(), self.controls_before.as_tuple()
        found = []
        for index, name in sorted(enumerate(KEY_NAMES), key=lambda each: now[each[0]] == before[each[0]]):
            for other in (before[index], _NOTHING.as_tuple()[index]):
                if other != now[index] and self._ends_otherwise(_with_key(self.controls, name, other)):
                    found.append(name)
                    break
        return tuple(found)

    def rules_that_matter(self) -> Iterator[str]:
        """The rules that give another value when they are flipped alone in this tick; "" for each that does not."""
        for rule in TRIED_RULES:
            restore(self.sim, self._begin)
            self.sim.rules.set_form(rule, ACE if self.sim.rules.form(rule) == RETAIL else RETAIL)
            yield rule if self._ends_otherwise(self.controls, is_there=True) else ""

    def open_doors_that_matter(self) -> tuple[int, ...]:
        """The open doors near the body that would leave another value if they were solid."""
        found = []
        for door_id in self.open_doors:
            restore(self.sim, self._begin)
            self.sim.population.registry.entity(door_id).obj.state &= ~ETHEREAL
            if self._ends_otherwise(self.controls, is_there=True):
                found.append(door_id)
        return tuple(found)

    def _find_open_doors(self) -> list[int]:
        place = self.before.place
        if place is None:
            return []
        near = []
        for door in self.sim.population.doors:
            away = distance(place[1], into_block(place[0], door.cell_id, door.frame.origin))
            if door.is_open and away < DOORS_WITHIN and door.id in self.sim.population.registry.entities:
                near.append((away, door.id))
        return [door_id for _, door_id in sorted(near)[:MOST_DOORS]]

    def _ends_otherwise(self, controls: Controls, is_there: bool = False) -> bool:
        if self.is_at_end:
            return False
        if not is_there:
            restore(self.sim, self._begin)
        try:
            self.sim.tick(controls)
            return self.read(self.sim) != self.change.after
        except ENGINE_ERRORS:
            return True


def _with_key(controls: Controls, name: str, value: float) -> Controls:
    values = list(controls.as_tuple())
    values[KEY_NAMES.index(name)] = value
    return Controls(*values)  # type: ignore[arg-type]  # each as the field of its name has it
