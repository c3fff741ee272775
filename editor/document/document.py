"""The open document: the session's world, its running simulation, and the undo stack that every change goes onto.

Undo. An edit is made at a tick. While no time has passed and nothing else has changed, undo restores the exact state,
bit by bit, and drops the events that the edit would have reported. Once ticks have run, undo applies the inverse edits
at the present tick: it closes a door that was opened, puts a crate back where it stood, switches a rule back. It does
not rewind what time has moved since (walkers, velocities, countdowns); stepping back does. Redo applies the edit again
at the tick at which the user asks for it.

All of these go through `Simulation.apply_edit`, so the recording and every other listener hears of undo and redo too.

The past (`history`) is read-only until `continue_here`, which discards everything later. The undo stack then returns to
how it stood before that tick (`UndoStack.return_to`): later steps are gone, steps that were undone later stand again,
and undo applies the inverse edits of what is left, as it would have then.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from editor.document.beside import SECOND_SHOWN, Beside
from editor.document.group import Group, Savepoint, savepoint_of
from editor.document.history import History
from editor.document.step_application import REFUSALS, ExactState, apply_step, undo_step
from editor.document.undo_stack import Step, UndoStack, bottom_up
from editor.document.world_diff import EditableState, editable_state, join
from editor.session.session import Session
from engine.physics.errors import PhysicsError
from engine.sim.edits.edit import Edit
from engine.sim.edits.world import OpenLandblock, SetTimeOfDay
from engine.sim.errors import SimError
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import STANDING_STILL, Simulation
from engine.world.names import NameKey, Names
from engine.world.world import World

READ_ONLY: Final = "The past is read-only. Continue Here resumes from this tick."
NOTHING_OPEN: Final = "Open a world first."


class Document(QObject):
    """Session, simulation and undo stack. Docks listen to `changed` and read their rows again."""

    started = Signal()
    """Another simulation was opened, or the last one was closed."""
    ticked = Signal(object)
    """A tick has run; carries its report."""
    edited = Signal(object)
    """An edit was made, undone or redone; carries the edit as the simulation reported it."""
    leaving = Signal()
    """The document is about to go to another tick; the ticks that lead there are not shown."""
    arriving = Signal()
    """The next tick is the one that will be shown."""
    travelled = Signal()
    """The document shows another tick of the past, or the present again: anything may be different."""
    changed = Signal()
    """Something may be different; emitted once after each tick, edit, undo and redo."""
    named = Signal()
    """Cells, portals or models have other names; `changed` follows."""
    said = Signal(str)
    """A sentence about what was just done."""
    player_placed = Signal()
    """The player was put somewhere by name: what shows the world shows him there."""
    refused = Signal(str)
    """A sentence about what could not be done."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.stack = UndoStack(self)
        self.history: History | None = None
        self.beside: Beside | None = None
        """The run that this one is compared with."""
        self.tick_cost = 0.0
        """Milliseconds that the last tick took."""
        self._tick_began = 0.0
        self.start: EditableState | None = None
        """The state of the open world before any edit."""
        self._present: EditableState | None = None  # while the past is shown
        self._sim: Simulation | None = None
        self.flowing = False
        """The clock is running: `changed` comes with every tick, faster than numbers can be read."""
        self._travelling = False
        self._replaying = False
        self._exact: dict[int, ExactState] = {}  # by index on the stack, for steps that no tick has seen yet
        self._group: Group | None = None
        self._group_changed = False
        session.opened.connect(self._on_opened)
        session.landblock_changed.connect(self._on_landblock)

    # --- asking

    @property
    def world(self) -> World | None:
        return self.session.world

    @property
    def names(self) -> Names:
        """The names of the open world; none without one."""
        return Names() if self.world is None else self.world.names

    @property
    def simulation(self) -> Simulation | None:
        return self._sim

    @property
    def sim(self) -> Simulation:
        """The simulation; raises a PhysicsError when nothing is open."""
        if self._sim is None:
            raise PhysicsError(NOTHING_OPEN)
        return self._sim

    @property
    def shows_second(self) -> bool:
        """Docks show the second of two runs, which can only be read."""
        return self.beside is not None and self.beside.shows_second

    @property
    def seen(self) -> Simulation | None:
        """The simulation that docks show: this one, or the second run's at the same tick."""
        return self._second if self.shows_second else self._sim

    @property
    def unseen(self) -> Simulation | None:
        """Of two runs that are compared the other one; None without a second one, or where that has no such tick."""
        if self.beside is None or not self.beside.is_on:
            return None
        return self._sim if self.shows_second else self._second

    @property
    def _second(self) -> Simulation | None:
        return None if self.beside is None or self.history is None else self.beside.second_at(self.history.now)

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
        self.start = None if self._sim is None else editable_state(self._sim)
        run = self.session.run
        recording = None if run is None else run.recording
        self.history = None if self._sim is None else History(self._sim, self.session.source, recording)
        if self._sim is not None:
            self._sim.name_causes()
            self._sim.listen(self._on_edit)
            self._sim.listen_to_ticks(self._on_tick)
            self._sim.surroundings.listeners.append(self._on_join)
        project = self.session.project
        if project is not None:
            self.adopt_steps(project.start, project.steps)
            if self.world is not None:
                self.world.names.apply(self.world.names.changes(project.project.names))
        self.started.emit()
        self._tell()

    def _on_join(self, block_id: int) -> None:
        if self.start is not None:
            join(self.start, self.sim, block_id)

    @Slot()
    def _on_landblock(self) -> None:
        """Open the landblock in view, so that its entities live however far away the player is; not in the past."""
        sim, block_id = self._sim, self.session.landblock_id
        if sim is None or block_id is None or sim is not self.session.simulation or self.in_past:
            return
        if block_id in self.session.index and not sim.surroundings.has(block_id):
            sim.apply_edit(OpenLandblock(block_id))
            self._tell()

    def _on_edit(self, tick: int, edit: Edit) -> None:
        if not self._travelling:
            self.edited.emit(edit)

    def _on_tick(self, controls: Controls, report: TickReport) -> None:
        if self._travelling:
            return
        self.tick_cost = (time.perf_counter() - self._tick_began) * 1000.0
        if not self._replaying:
            self._exact = {}
        self.ticked.emit(report)

    def tick(self, controls: Controls = STANDING_STILL) -> TickReport:
        """Run one tick; in the past, the recorded one."""
        report = self._tick(controls)
        self._tell()
        return report

    def _tick(self, controls: Controls) -> TickReport:
        """Run one tick; a replayed one leaves the exact states for undo intact."""
        history = self._past
        self._replaying = history.in_past
        self._tick_began = time.perf_counter()
        try:
            return history.tick(controls)
        finally:
            self._replaying = False

    def tick_many(self, count: int, controls: Controls = STANDING_STILL, *, tell: bool = True) -> None:
        """Run several ticks and emit `changed` once for all of them, or not at all when more are to come."""
        for _ in range(count):
            self._tick(controls)
        if tell:
            self._tell()

    # --- what there is to keep

    def done_steps(self) -> list[Step]:
        """The steps that are done, in their order."""
        return bottom_up(self.stack.done)

    def adopt_steps(self, start: EditableState, steps: Sequence[Step]) -> None:
        """Adopt the steps of a project that was opened: the world began as `start`, and nothing was recorded before
        them."""
        self.start = start
        for step in steps:
            self.stack.push(self.sim.tick_number - 1, step)
        self.stack.set_clean()

    def present_state(self) -> EditableState:
        """The state of the present, whichever tick is shown."""
        return self._present if self._present is not None and self.in_past else editable_state(self.sim)

    # --- the past

    @property
    def _past(self) -> History:
        if self.history is None:
            raise PhysicsError(NOTHING_OPEN)
        return self.history

    @property
    def in_past(self) -> bool:
        """The document shows a past tick, which cannot be edited."""
        return self.history is not None and self.history.in_past

    @property
    def is_travelling(self) -> bool:
        """The ticks that run lead to the one that will be shown."""
        return self._travelling

    def go_to(self, tick: int) -> bool:
        """Show the world as it was before a tick, or before the nearest one recorded; False when that fails."""
        if self.history is None or tick == self.history.now:
            return False
        if not self.history.in_past:
            self._present = editable_state(self.sim)
        if not self._travel(tick):
            return False
        self.travelled.emit()
        if self.sim.last_report is not None:
            self.ticked.emit(self.sim.last_report)
        self._tell()
        return True

    def replay_last_tick(self) -> None:
        """Run the last tick again, for observers that were not attached."""
        history = self.history
        if history is not None and history.now > history.first and self._travel(history.now):
            self._tell()

    def _travel(self, tick: int) -> bool:
        if self.history is None:
            return False
        self._travelling = True
        self.leaving.emit()
        try:
            self.history.go_to(tick, self.arriving.emit)
        except SimError as error:
            self.refused.emit(f"Tick {tick:,} cannot be replayed: {error}")
            return False
        finally:
            self._travelling = False
        return True

    @Slot()
    def continue_here(self) -> None:
        """Resume from the past tick that is shown."""
        if self.history is None or not self.history.in_past:
            return
        try:
            lost = self.history.continue_here()
        except SimError as error:
            self.refused.emit(f"Cannot continue from here: {error}")
            return
        self._exact = {}
        self.stack.return_to(self.sim.tick_number)
        self._say(f"Continued after tick {self.sim.tick_number - 1:,}; {lost:,} later ticks discarded")
        self.travelled.emit()
        self._tell()

    # --- edits

    @property
    def why_not_edit(self) -> str:
        """The reason why nothing can be edited now; empty when it can."""
        if self._sim is None:
            return NOTHING_OPEN
        return SECOND_SHOWN if self.shows_second else READ_ONLY if self.in_past else ""

    def edit(self, name: str, *edits: Edit, drag: str = "") -> bool:
        """Apply edits as one undo step with a name; False when they are refused or change nothing.

        Consecutive steps with the same `drag` merge into one, with the name of the last.
        """
        if self.why_not_edit:
            self.refused.emit(f"{name}: {self.why_not_edit}")
            return False
        try:
            is_made = self.apply(name, *edits, drag=drag)
        except REFUSALS as error:
            self.refused.emit(f"{name}: {error}")
            return False
        self._say(name if is_made else f"{name}: nothing to change")
        self._tell()
        return is_made

    def apply(self, name: str, *edits: Edit, drag: str = "") -> bool:
        """Apply edits as one undo step and emit nothing; False when they change nothing. Raises one of REFUSALS."""
        self._group_changed = True
        step, exact = apply_step(self.sim, Step(name, edits, (), drag))
        if not exact.is_unchanged:
            self._push(step, exact)
        return not exact.is_unchanged

    def set_light(self, name: str, edit: SetTimeOfDay) -> bool:
        """Change the hour, by which one sees but nothing stands otherwise: it is recorded and kept in projects, but is
        neither a step to undo nor an edit to save. False when that is refused."""
        if self.why_not_edit:
            self.refused.emit(f"{name}: {self.why_not_edit}")
            return False
        try:
            self.sim.apply_edit(edit)
        except REFUSALS as error:
            self.refused.emit(f"{name}: {error}")
            return False
        self._say(name)
        self._tell()
        return True

    def rename(self, title: str, wanted: Mapping[NameKey, str]) -> bool:
        """Give names to cells, portals and models as one undo step; False when nothing changes. Names touch neither the
        simulation nor its recording."""
        if self.why_not_edit or self.world is None:
            self.refused.emit(f"{title}: {self.why_not_edit or NOTHING_OPEN}")
            return False
        changes = self.world.names.changes(wanted)
        if not changes:
            self._say(f"{title}: nothing to change")
            return False
        self.world.names.apply(changes)
        self._push(Step(title, (), names=changes))
        self._tell_named(title)
        return True

    def _tell_named(self, title: str) -> None:
        self._say(title)
        self.named.emit()
        self._tell()

    def _push(self, step: Step, exact: ExactState | None = None) -> None:
        """Push a step that was applied, or merge it into the drag or the group that it continues."""
        stack, tick, group = self.stack, self.sim.tick_number, self._group
        if group is not None:
            step = group.member(step, stack.last)
        if not stack.merges(step):
            stack.push(tick, step)
            if exact is not None:
                self._exact[stack.index()] = exact
            return
        stack.merge(tick, step, adds=group is not None)
        begun = self._exact.get(stack.index())
        if begun is not None and exact is not None:
            begun.hash_after = exact.hash_after

    # --- scripts

    @property
    def is_grouping(self) -> bool:
        """A script is at work: its edits become one undo step."""
        return self._group is not None

    def begin_group(self, title: str, *, is_named_after_first: bool = False) -> Savepoint:
        """Make one undo step of all edits until `end_group`, with this title, or with that of the only edit; `changed`
        waits until then."""
        self._group = Group(title, is_named_after_first)
        self._group_changed = False
        return savepoint_of(self)

    def end_group(self) -> None:
        """End the group, and tell of it if it has changed anything."""
        group, self._group = self._group, None
        last = self.stack.last
        if group is not None and last is not None and last.drag == group.drag:
            self.said.emit(last.name)
        if self._group_changed:
            self.changed.emit()

    def _tell(self) -> None:
        """Emit `changed`, or let the group that is made do so at its end."""
        self._group_changed = True
        if self._group is None:
            self.changed.emit()

    def _say(self, text: str) -> None:
        if self._group is None:
            self.said.emit(text)

    def cancel_drag(self, drag: str) -> bool:
        """Undo the step of a drag and drop it, as if the drag had never begun; False when it is not the last step."""
        last = self.stack.last
        if self.in_past or last is None or not drag or last.drag != drag:
            return False
        if self._undo_last():
            self.stack.drop_next(self.sim.tick_number)
        self._tell()
        return True

    @Slot()
    def undo(self) -> None:
        """Undo the last step."""
        if self.in_past:
            self.refused.emit(f"Undo: {READ_ONLY}")
        elif self.stack.can_undo():
            text = self.stack.undo_text()
            if self._undo_last():
                self._say(f"Undid: {text}")
            self._tell()

    def _undo_last(self) -> bool:
        """Undo the last step; one that is refused has changed nothing, and is dropped."""
        stack, step = self.stack, self.stack.last
        assert step is not None
        tick, exact = self.sim.tick_number, self._exact.pop(stack.index(), None)
        try:
            if step.edits:
                undo_step(self.sim, step, exact)
        except REFUSALS as error:
            self.refused.emit(f"{stack.undo_text()}: {error}")
            stack.drop_last(tick)
            return False
        stack.step_back(tick)
        if step.names and self.world is not None:
            self.world.names.revert(step.names[::-1])
            self.named.emit()
        return True

    @Slot()
    def redo(self) -> None:
        """Redo the step that was undone last."""
        if self.in_past:
            self.refused.emit(f"Redo: {READ_ONLY}")
        elif self.stack.can_redo():
            text = self.stack.redo_text()
            if self._redo_next():
                self._say(f"Redid: {text}")
            self._tell()

    def _redo_next(self) -> bool:
        """Redo the next step; one that is refused has changed nothing, and is dropped."""
        stack, step = self.stack, self.stack.next
        assert step is not None
        tick = self.sim.tick_number
        redone = step
        if step.edits:
            try:
                redone, exact = apply_step(self.sim, step)
            except REFUSALS as error:
                self.refused.emit(f"{stack.redo_text()}: {error}")
                stack.drop_next(tick)
                return False
            self._exact[stack.index() + 1] = exact
        stack.step_forward(tick, redone)
        if step.names and self.world is not None:
            self.world.names.apply(step.names)
            self.named.emit()
        return True
