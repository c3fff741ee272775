"""The open document: the session's world and its running simulation, and every change to it as an undoable edit.

What undo means. An edit is made at a tick. While no time has passed and nothing else was changed, undo puts the very
same state back, bit by bit, and drops what the edit would have reported. After ticks have run, undo makes the inverse
edit at the present tick: a door that was opened is closed, a crate that was moved stands where it stood, a rule is
flipped back. What time has touched since then, positions of walkers, velocities, countdowns, is not rewound; stepping
back does that. Redo makes the edit again, at the tick at which it is asked for.

All of these go through `Simulation.apply_edit`, so the recording and whoever else listens hears undo and redo too.

The past (`history`) is read-only until `continue_here`, which forgets what came after. The undo stack is then as it
stood before that tick (`UndoStack.return_to`): steps that were made later are gone, those that were undone later stand
again, and undo applies the inverse edits of what is left, as it would have then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from editor.document.history import History
from editor.document.step_application import REFUSALS, ExactState, apply_step, undo_step
from editor.document.undo_stack import Step, UndoStack, bottom_up
from editor.document.world_diff import EditableState, join, standing_of
from editor.session.session import Session
from engine.physics.errors import PhysicsError
from engine.sim.edits.edit import Edit
from engine.sim.edits.world import OpenLandblock
from engine.sim.errors import SimError
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import STANDING_STILL, Simulation
from engine.world.world import World

READ_ONLY: Final = "This is the past. Continue Here makes it the present."
NOTHING_OPEN: Final = "Open a world first."


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
        self.stack = UndoStack(self)
        self.history: History | None = None
        self.start: EditableState | None = None
        """How the open world began, before any edit."""
        self._present: EditableState | None = None  # while the past is shown
        self._sim: Simulation | None = None
        self.flowing = False
        """The clock lets time pass: `changed` comes with every tick, faster than numbers can be read."""
        self._travelling = False
        self._replaying = False
        self._exact: dict[int, ExactState] = {}  # by place on the stack, of the steps that no tick has seen
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
        self._exact = {}
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
            self._exact = {}
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
        """All steps that stand, in their order."""
        return bottom_up(self.stack.done)

    def take_steps(self, start: EditableState, steps: Sequence[Step]) -> None:
        """The world that is open began as `start`, and these steps were made in it before anything was recorded."""
        self.start = start
        for step in steps:
            self.stack.push(self.sim.tick_number - 1, step)
        self.stack.set_clean()

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
        self._exact = {}
        self.stack.return_to(self.sim.tick_number)
        self.said.emit(f"Continued from tick {self.sim.tick_number:,}; {lost:,} later ticks are forgotten")
        self.travelled.emit()
        self.changed.emit()

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
        try:
            step, exact = apply_step(self.sim, Step(name, edits, (), drag))
        except REFUSALS as error:
            self.refused.emit(f"{name}: {error}")
            return False
        if exact.is_unchanged:
            self.said.emit(f"{name}: that changes nothing")
            self.changed.emit()
            return False
        self._push(step, exact)
        self.said.emit(name)
        self.changed.emit()
        return True

    def _push(self, step: Step, exact: ExactState) -> None:
        """A step was applied; it may continue the drag of the one before it."""
        stack, tick = self.stack, self.sim.tick_number
        if not stack.merges(step):
            stack.push(tick, step)
            self._exact[stack.index()] = exact
            return
        stack.merge(tick, step)
        begun = self._exact.get(stack.index())
        if begun is not None:
            begun.hash_after = exact.hash_after

    def cancel_drag(self, drag: str) -> bool:
        """Undo the step of a drag and forget it, as if it had never been begun; False when it is not the last one."""
        last = self.stack.last
        if self.in_past or last is None or not drag or last.drag != drag:
            return False
        if self._undo_last():
            self.stack.drop_next(self.sim.tick_number)
        self.changed.emit()
        return True

    @Slot()
    def undo(self) -> None:
        """Undo the last step."""
        if self.in_past:
            self.refused.emit(f"Undo: {READ_ONLY}")
        elif self.stack.can_undo():
            text = self.stack.undo_text()
            if self._undo_last():
                self.said.emit(f"Undid: {text}")
            self.changed.emit()

    def _undo_last(self) -> bool:
        """A step that cannot be undone any more has changed nothing, and leaves the stack."""
        stack, step = self.stack, self.stack.last
        assert step is not None
        tick, exact = self.sim.tick_number, self._exact.pop(stack.index(), None)
        try:
            undo_step(self.sim, step, exact)
        except REFUSALS as error:
            self.refused.emit(f"{stack.undo_text()}: {error}")
            stack.drop_last(tick)
            return False
        stack.step_back(tick)
        return True

    @Slot()
    def redo(self) -> None:
        """Apply the step again that was undone last."""
        if self.in_past:
            self.refused.emit(f"Redo: {READ_ONLY}")
        elif self.stack.can_redo():
            text = self.stack.redo_text()
            if self._redo_next():
                self.said.emit(f"Redid: {text}")
            self.changed.emit()

    def _redo_next(self) -> bool:
        """A step that cannot be redone any more has changed nothing, and leaves the stack."""
        stack, step = self.stack, self.stack.next
        assert step is not None
        tick = self.sim.tick_number
        try:
            redone, exact = apply_step(self.sim, step)
        except REFUSALS as error:
            self.refused.emit(f"{stack.redo_text()}: {error}")
            stack.drop_next(tick)
            return False
        stack.step_forward(tick, redone)
        self._exact[stack.index()] = exact
        return True
