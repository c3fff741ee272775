"""Computes who may pass one door in short slices between the events of the window.

The trials run in a simulation of their own, in the window's thread: loaded landblocks are shared, and nothing of them
is thread-safe. Whatever the answers depend on begins them again: another door, an edit, another tick of the past. How
the door stands now is asked again alone.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Hashable
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from editor.document.document import Document
from engine.entities.door import NEVER, Door
from engine.physics.errors import PhysicsError
from engine.physics.rules import RULE_NAMES
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor, SetDoorTimer, SetResetInterval, UseDoor
from engine.sim.edits.player import FacePlayer, Teleport
from engine.sim.edits.world import OpenLandblock, SetTimeOfDay
from engine.sim.errors import SimError
from engine.sim.passage.answer import Answer
from engine.sim.passage.gaps import Gap, Way, gap_steps
from engine.sim.passage.trial import DoorState, Question, Trials, all_questions
from engine.sim.tick.simulation import Simulation

SLICE_S: Final = 0.006
PAUSE_MS: Final = 10
"""Of 16 ms, a frame, the trials take six."""

SETTLE_MS: Final = 120
"""After a change, so that a drag begins the trials once."""

HARMLESS: Final = (
    *(UseDoor, OpenDoor, CloseDoor, LockDoor, SetDoorTimer, SetResetInterval),
    *(Teleport, FacePlayer, OpenLandblock, SetTimeOfDay),
)
"""Edits that change no answer but those for how the door stands now."""


class PassageWatch(QObject):
    """The answers about one door, as far as they are known."""

    changed = Signal()
    """There are more answers, or none any more."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.answers: dict[Question, Answer] = {}
        self.gaps: dict[Way, Gap] = {}
        self.longest_slice = 0.0
        """Seconds; what the window had to wait at most."""
        self._door_id = 0
        self._edits = 0
        self._base: Hashable = None
        self._now: Hashable = None
        self._trials: Trials | None = None
        self._work: Generator[None, None, None] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._take_slice)
        document.edited.connect(self._on_edited)
        document.travelled.connect(self._on_travelled)
        document.started.connect(self._on_started)

    # --- asking

    @property
    def is_working(self) -> bool:
        return self._timer.isActive()

    @property
    def share_done(self) -> float:
        """From 0 to 1."""
        known, wanted = len(self.answers) + len(self.gaps), len(list(all_questions())) + len(Way)
        return known / wanted

    def ask(self, door: Door | None) -> None:
        """Be about this door as it is; cheap when nothing has changed."""
        sim = self.document.seen
        if door is None or sim is None:
            self.stop()
            return
        base = (id(sim), door.id, self._edits, sim.surroundings.changes, _rules(sim))
        now = (door.is_open, door.locked, door.busy_until != NEVER, sim.population.state_of(door.id))
        if base == self._base and now == self._now:
            return
        if base != self._base:
            self.answers, self.gaps = {}, {}
        else:
            self.answers = {question: found for question, found in self.answers.items() if not _is_now(question)}
        self._base, self._now, self._door_id = base, now, door.id
        self._work = None
        self._timer.start(SETTLE_MS)
        self.changed.emit()

    @Slot()
    def stop(self) -> None:
        """Forget the door and everything known about it."""
        self._timer.stop()
        self._work = None
        known = bool(self.answers or self.gaps or self._door_id)
        self._base = self._now = None
        self._door_id = 0
        self.answers, self.gaps = {}, {}
        if known:
            self.changed.emit()

    @Slot(object)
    def _on_edited(self, edit: object) -> None:
        if not isinstance(edit, HARMLESS):
            self._edits += 1

    @Slot()
    def _on_travelled(self) -> None:
        self._edits += 1

    # --- working

    @Slot()
    def _on_started(self) -> None:
        self.stop()
        if self._trials is not None:
            self._trials.close()
            self._trials = None

    @Slot()
    def _take_slice(self) -> None:
        began = time.perf_counter()
        known = len(self.answers) + len(self.gaps)
        done = False
        try:
            while not done and time.perf_counter() - began < SLICE_S:
                done = not self._go_on()
        except (PhysicsError, SimError) as error:
            self.document.refused.emit(f"Who may pass this door cannot be tested: {error}")
            done = True
        self.longest_slice = max(self.longest_slice, time.perf_counter() - began)
        if done:
            self._work = None
        else:
            self._timer.start(PAUSE_MS)
        if done or len(self.answers) + len(self.gaps) != known:
            self.changed.emit()

    def _go_on(self) -> bool:
        """Make one small step; False when everything is known."""
        sim = self.document.seen
        if sim is None:
            return False
        if self._work is None:
            if self._trials is None:
                self._trials = Trials(sim, self._door_id)
            else:
                self._trials.ask_about(sim, self._door_id)
            self._work = self._steps(self._trials)
            return True
        try:
            next(self._work)
        except StopIteration:
            return False
        return True

    def _steps(self, trials: Trials) -> Generator[None, None, None]:
        for question in all_questions():
            if question not in self.answers:
                self.answers[question] = yield from trials.steps(question)
        for way in Way:
            if way not in self.gaps:
                self.gaps[way] = yield from gap_steps(trials, way)


def _is_now(question: Question) -> bool:
    return question.state is DoorState.NOW


def _rules(sim: Simulation) -> tuple[str, ...]:
    return tuple(sim.rules.form(name) for name in RULE_NAMES)
