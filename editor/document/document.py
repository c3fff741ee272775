"""The open document: the session's world and its running simulation, and every change to it as an undoable edit.

What undo means. An edit is made at a tick. While no time has passed and nothing else was changed, undo puts the very
same state back, bit by bit, and drops what the edit would have reported. After ticks have run, undo makes the inverse
edit at the present tick: a door that was opened is closed, a crate that was moved stands where it stood, a rule is
flipped back. What time has touched since then, positions of walkers, velocities, countdowns, is not rewound; stepping
back does that. Redo makes the edit again, at the tick at which it is asked for.

All of these go through `Simulation.apply_edit`, so the recording and whoever else listens hears undo and redo too.

The past (`history`) is read-only until `continue_here`, which forgets what came after. The undo stack is then as it
stood before that tick (`steps.Journal`): steps that were made later are gone, those that were undone later stand again,
and undo takes back what is left by its inverse edits, as it would have then.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack
from shiboken6 import Shiboken

from editor.document.history import History
from editor.document.undo_journal import Journal, Step, bottom_up, top_down
from editor.document.world_diff import EditableState, join, standing_of
from editor.process.plain_text import plain
from editor.project.project import ids_of
from editor.session.session import Session
from engine.physics.errors import PhysicsError
from engine.sim.edits.edit import Edit
from engine.sim.edits.world import OpenLandblock, RestoreSnapshot
from engine.sim.errors import SimError
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import STANDING_STILL, Simulation
from engine.world.faults import WorldError
from engine.world.world import World

REFUSALS: Final = (PhysicsError, WorldError)

MERGEABLE: Final = 1
"""What Qt asks for; whether two edits really are one drag is decided by their keys."""

UNDO_LIMIT: Final = 500

READ_ONLY: Final = "This is the past. Continue Here makes it the present."
NOTHING_OPEN: Final = "Open a world first."


class _Exact:
    """The state just before an edit, good for as long as nothing else has happened."""

    def __init__(self, sim: Simulation) -> None:
        self.tick = sim.tick_number
        self.snapshot = sim.snapshot()
        self.waiting = sim.waiting
        self.hash_before = sim.state_hash()
        self.hash_after = b""

    def holds(self, sim: Simulation) -> bool:
        """The state is the one that the edit left."""
        return sim.tick_number == self.tick and sim.waiting >= self.waiting and sim.state_hash() == self.hash_after


class _Command(QUndoCommand):
    """One step on Qt's stack; `exact` is the state before it, while that may still be wanted bit by bit."""

    def __init__(self, document: Document, step: Step) -> None:
        super().__init__(plain(step.name))
        self._document = weakref.ref(document)  # the stack keeps its steps where Python sees no circle
        self.step = step
        self.exact: _Exact | None = None
        self.leaves = False
        """Undone it is forgotten."""

    @property
    def document(self) -> Document:
        found = self._document()
        assert found is not None, "a step has outlived its document"
        return found

    def make(self) -> bool:
        """Make the edits; False when they change nothing. Raises, with nothing changed, when they are refused."""
        sim = self.document.sim
        for entity_id in ids_of(self.step.edits):
            sim.bring(entity_id)
        exact = _Exact(sim)
        inverse: list[Edit] = []
        try:
            for edit in self.step.edits:
                inverse = [*edit.inverse(sim), *inverse]
                sim.apply_edit(edit)
        except REFUSALS:
            if sim.state_hash() != exact.hash_before:
                sim.apply_edit(RestoreSnapshot(exact.snapshot, exact.waiting))
            raise
        exact.hash_after = sim.state_hash()
        self.step = replace(self.step, inverse=tuple(inverse))
        self.exact = exact
        return exact.hash_after != exact.hash_before

    def redo(self) -> None:
        if self.document.is_stacking:  # it was made before it was pushed, to learn first whether it can be
            return
        journal, tick = self.document.journal, self.document.sim.tick_number
        if self._try(self.make):
            journal.made_again(tick, self.step)
        else:
            journal.lost_undone(tick)

    def undo(self) -> None:
        if self.document.is_stacking:
            return
        journal, tick = self.document.journal, self.document.sim.tick_number
        if self._try(self._take_back):
            journal.took_back(tick)
            if self.leaves:
                self.setObsolete(True)
                journal.lost_undone(tick)
        else:
            journal.lost_done(tick)

    def _take_back(self) -> None:
        sim = self.document.sim
        exact = self.exact
        if exact is not None and exact.holds(sim):
            sim.apply_edit(RestoreSnapshot(exact.snapshot, exact.waiting))
            return
        before = _Exact(sim)
        try:
            for edit in self.step.inverse:
                sim.apply_edit(edit)
        except REFUSALS:
            if sim.state_hash() != before.hash_before:
                sim.apply_edit(RestoreSnapshot(before.snapshot, before.waiting))
            raise

    def _try(self, change: Callable[[], object]) -> bool:
        """A change that is refused has changed nothing; the step is of no use any more and leaves the stack."""
        try:
            change()
        except REFUSALS as error:
            self.setObsolete(True)
            self.document.refused.emit(f"{self.text()}: {error}")
            return False
        return True

    def forget_exact(self) -> None:
        """Time has passed: the state before the edit will never be wanted bit by bit again."""
        self.exact = None

    def id(self) -> int:
        return MERGEABLE if self.step.drag and not self.document.is_restacking else -1

    def mergeWith(self, other: QUndoCommand) -> bool:  # noqa: N802  # Qt's name
        """Consecutive parts of one drag are one step: back to where it began, forward to where it ended, of which it
        has its name."""
        if not isinstance(other, _Command) or other.step.drag != self.step.drag:
            return False
        self.step = replace(self.step, name=other.step.name, edits=other.step.edits)
        self.setText(plain(self.step.name))
        self.document.journal.merged(self.document.sim.tick_number, self.step)
        if self.exact is not None and other.exact is not None:
            self.exact.hash_after = other.exact.hash_after
        else:
            self.exact = None
        return True


def _let_go(stack: QUndoStack) -> None:
    """Of the steps, before Python's collector frees them and Qt frees them again; without a word to those who are
    being destroyed as well."""
    if Shiboken.isValid(stack):
        stack.blockSignals(True)
        stack.clear()


class Document(QObject):
    """Session, simulation and undo stack. Docks listen to `changed` and read what they show again."""

    started = Signal()
    """There is another simulation, or none any more."""
    ticked = Signal(object)
    """A tick has run; its report."""
    edited = Signal(object)
    """An edit was made, undone or redone; the edit as the simulation told it."""
    travelled = Signal()
    """Another tick of the past is shown, or the present again: anything may be different."""
    changed = Signal()
    """Something may be different now; once after each tick, edit, undo and redo."""
    said = Signal(str)
    """A sentence about what was just done."""
    refused = Signal(str)
    """A sentence about what could not be done."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(UNDO_LIMIT)
        self.destroyed.connect(partial(_let_go, self.stack))
        weakref.finalize(self, _let_go, self.stack).atexit = False
        self.history: History | None = None
        self.journal = Journal()
        self.is_stacking = False
        """What is pushed or moved over on Qt's stack has been made or undone already."""
        self.is_restacking = False
        self.start: EditableState | None = None
        """How the open world began, before any edit."""
        self._present: EditableState | None = None  # while the past is shown
        self._sim: Simulation | None = None
        self.flowing = False
        """The clock lets time pass: `changed` comes with every tick, faster than numbers can be read."""
        self._travelling = False
        self._replaying = False
        self._fresh: list[_Command] = []  # whose exact states may still be wanted
        session.opened.connect(self._on_opened)
        session.landblock_changed.connect(self._on_landblock)

    # --- asking

    @property
    def world(self) -> World | None:
        return self.session.world

    @property
    def simulation(self) -> Simulation | None:
        return self._sim

    @property
    def sim(self) -> Simulation:
        """The simulation, where there has to be one."""
        if self._sim is None:
            raise PhysicsError(NOTHING_OPEN)
        return self._sim

    @property
    def player_is_somewhere(self) -> bool:
        return self._sim is not None and self._sim.player.steered.cell is not None

    # --- what happens

    @Slot()
    def _on_opened(self) -> None:
        old = self._sim
        if old is not None:
            old.unlisten(self._on_edit)
            old.unlisten_to_ticks(self._on_tick)
            old.surroundings.listeners.clear()
        self.stack.clear()
        self.journal = Journal()
        self._fresh = []
        self._present = None
        self._sim = self.session.simulation
        self.start = None if self._sim is None else standing_of(self._sim)
        run = self.session.run
        recording = None if run is None else run.recording
        self.history = None if self._sim is None else History(self._sim, self.session.source, recording)
        if self._sim is not None:
            self._sim.listen(self._on_edit)
            self._sim.listen_to_ticks(self._on_tick)
            self._sim.surroundings.listeners.append(self._on_join)
        if self.session.project is not None:
            self.take_steps(self.session.project.start, self.session.project.steps)
        self.started.emit()
        self.changed.emit()

    def _on_join(self, block_id: int) -> None:
        if self.start is not None:
            join(self.start, self.sim, block_id)

    @Slot()
    def _on_landblock(self) -> None:
        """What is looked at lives, however far away the player is; in the past only who lived then."""
        sim, block_id = self._sim, self.session.landblock_id
        if sim is None or block_id is None or sim is not self.session.simulation or self.in_past:
            return
        if block_id in self.session.index and not sim.surroundings.has(block_id):
            sim.apply_edit(OpenLandblock(block_id))
            self.changed.emit()

    def _on_edit(self, tick: int, edit: Edit) -> None:
        if not self._travelling:
            self.edited.emit(edit)

    def _on_tick(self, controls: Controls, report: TickReport) -> None:
        if self._travelling:
            return
        if not self._replaying:
            for command in self._fresh:
                command.forget_exact()
            self._fresh = []
        self.ticked.emit(report)

    def tick(self, controls: Controls = STANDING_STILL) -> TickReport:
        """Let 1/30 s pass; in the past, as it passed then."""
        report = self._tick(controls)
        self.changed.emit()
        return report

    def _tick(self, controls: Controls) -> TickReport:
        """What is only shown again does not let the present grow older."""
        history = self._past
        self._replaying = history.in_past
        try:
            return history.tick(controls)
        finally:
            self._replaying = False

    def tick_many(self, count: int, controls: Controls = STANDING_STILL, *, tell: bool = True) -> None:
        """Several ticks, and one `changed` for all of them, or none when more are to come."""
        for _ in range(count):
            self._tick(controls)
        if tell:
            self.changed.emit()

    # --- what there is to keep

    def made_steps(self) -> list[Step]:
        """All steps that stand, in their order, those too that the stack has no room for any more."""
        return bottom_up(self.journal.done)

    def take_steps(self, start: EditableState, steps: Sequence[Step]) -> None:
        """The world that is open began as `start`, and these steps were made in it before anything was recorded."""
        self.start = start
        self.is_stacking = self.is_restacking = True
        for step in steps:
            self.stack.push(_Command(self, step))
            self.journal.made(self.sim.tick_number - 1, step)
        self.is_stacking = self.is_restacking = False
        self.stack.setClean()

    def standing(self) -> EditableState:
        """Where everything stands in the present, whatever is shown."""
        return self._present if self._present is not None and self.in_past else standing_of(self.sim)

    # --- the past

    @property
    def _past(self) -> History:
        if self.history is None:
            raise PhysicsError(NOTHING_OPEN)
        return self.history

    @property
    def in_past(self) -> bool:
        """What is shown has been, and is not to be edited."""
        return self.history is not None and self.history.in_past

    def go_to(self, tick: int) -> bool:
        """Show the world as it was before a tick, the nearest there is; False when it can not be brought back."""
        if self.history is None or tick == self.history.now:
            return False
        if not self.history.in_past:
            self._present = standing_of(self.sim)
        if not self._travel(tick):
            return False
        self.travelled.emit()
        if self.sim.last_report is not None:
            self.ticked.emit(self.sim.last_report)
        self.changed.emit()
        return True

    def again(self) -> None:
        """Run the last tick again, for somebody who was not looking."""
        history = self.history
        if history is not None and history.now > history.first and self._travel(history.now):
            self.changed.emit()

    def _travel(self, tick: int) -> bool:
        if self.history is None:
            return False
        self._travelling = True
        try:
            self.history.go_to(tick)
        except SimError as error:
            self.refused.emit(f"Tick {tick:,} can not be shown again: {error}")
            return False
        finally:
            self._travelling = False
        return True

    @Slot()
    def continue_here(self) -> None:
        """Let the shown tick of the past be the present."""
        if self.history is None or not self.history.in_past:
            return
        try:
            lost = self.history.continue_here()
        except SimError as error:
            self.refused.emit(f"Time can not go on from here: {error}")
            return
        self._restack()
        self.said.emit(f"Continued from tick {self.sim.tick_number:,}; {lost:,} later ticks are forgotten")
        self.travelled.emit()
        self.changed.emit()

    def _restack(self) -> None:
        """Let Qt's stack be as it was before the tick that is the present now; it is not what was saved."""
        self.journal.cut(self.sim.tick_number)
        undone = top_down(self.journal.undone)[:UNDO_LIMIT]
        done = bottom_up(self.journal.done)[-(UNDO_LIMIT - len(undone)) :] if len(undone) < UNDO_LIMIT else []
        was_changed = not self.stack.isClean()
        self._fresh = []
        self.is_stacking = self.is_restacking = True
        self.stack.clear()
        for step in (*done, *undone):
            self.stack.push(_Command(self, step))
        self.stack.setIndex(len(done))
        self.is_stacking = self.is_restacking = False
        if was_changed or done:
            self.stack.resetClean()

    # --- edits

    @property
    def why_not_edit(self) -> str:
        """Why nothing can be edited now; empty when it can."""
        if self._sim is None:
            return NOTHING_OPEN
        return READ_ONLY if self.in_past else ""

    def edit(self, name: str, *edits: Edit, drag: str = "") -> bool:
        """Make edits as one step with a name a person would use; False when that is refused or changes nothing.

        Steps one after the other with the same `drag` become one, with the name of the last.
        """
        if self.why_not_edit:
            self.refused.emit(f"{name}: {self.why_not_edit}")
            return False
        command = _Command(self, Step(name, tuple(edits), (), drag))
        try:
            changed = command.make()
        except REFUSALS as error:
            self.refused.emit(f"{name}: {error}")
            return False
        if not changed:
            self.said.emit(f"{name}: that changes nothing")
            self.changed.emit()
            return False
        self._push(command)
        self.said.emit(name)
        self.changed.emit()
        return True

    def _push(self, command: _Command) -> None:
        """A step that was made; it may become a part of the one before it."""
        top = self.journal.done
        self.is_stacking = True
        self.stack.push(command)
        self.is_stacking = False
        if self.journal.done is top:
            self.journal.made(self.sim.tick_number, command.step)
            self._fresh.append(command)

    def take_back(self, drag: str) -> bool:
        """Undo the step of a drag and forget it, as if it had never been begun; False when it is not the last one."""
        last = self.stack.command(self.stack.index() - 1) if self.stack.index() else None
        if self.in_past or not isinstance(last, _Command) or not drag or last.step.drag != drag:
            return False
        if last in self._fresh:
            self._fresh.remove(last)
        last.leaves = True
        self.stack.undo()
        self.changed.emit()
        return True

    @Slot()
    def undo(self) -> None:
        """Take the last step back."""
        if self.in_past:
            self.refused.emit(f"Undo: {READ_ONLY}")
        elif self.stack.canUndo():
            text, count = self.stack.undoText(), self.stack.count()
            self.stack.undo()
            if self.stack.count() == count:
                self.said.emit(f"Undid: {text}")
            self.changed.emit()

    @Slot()
    def redo(self) -> None:
        """Make the step that was taken back last again."""
        if self.in_past:
            self.refused.emit(f"Redo: {READ_ONLY}")
        elif self.stack.canRedo():
            text, count = self.stack.redoText(), self.stack.count()
            self.stack.redo()
            last = self.stack.command(self.stack.index() - 1)
            if isinstance(last, _Command):
                self._fresh.append(last)
            if self.stack.count() == count:
                self.said.emit(f"Made again: {text}")
            self.changed.emit()
