"""The survey of the landblock in view: its worker process, what that has found, and what edits have made stale.

What is only needed once something is searched is imported then: every start of the window would pay for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from itertools import count
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from editor.document.document import Document
from editor.document.undo_stack import Pile, Step
from editor.models.survey.settings import SurveySettings
from editor.models.survey.shown import ReachShown
from editor.project.project import KeptSurvey, ProjectError, shared_steps
from editor.session import background
from engine.findings.errors import FindingError
from engine.findings.finding import Found
from engine.geometry.vec import Vec3
from engine.sim.tick.simulation import Simulation

if TYPE_CHECKING:
    from editor.models.survey.learning import LearnChecks
    from editor.models.survey.process import WorkerProcess
    from editor.models.survey.results import Part, SurveyResult
    from editor.models.survey.task import Entry
    from editor.models.survey.wire import Message

SETTLE_MS: Final = 200
"""Milliseconds without an edit before it is told what is stale: to the user, a drag is one edit."""
GONE: Final = "The process that knew the walks there is gone: Start searches everything again."


class Stage(Enum):
    """How a survey stands."""

    NOTHING = "nothing"
    STARTING = "starting"
    RUNNING = "running"
    STOPPED = "stopped"
    DONE = "done"
    DEAD = "dead"
    """Its process ended, or could not do it."""


@dataclass(frozen=True)
class Way:
    """A recording to a place, and the seed that it begins at, as `Teleport` takes it."""

    recording: bytes
    cell_id: int
    origin: Vec3
    heading: float


Taken = Callable[[Way | None, str], None]
"""Called with a way, or with the reason why there is none."""


class SurveyWatch(QObject):
    """One survey at a time. Another world, or `close`, ends it."""

    changed = Signal()
    """The stage, the figures or what is stale."""
    reached = Signal()
    """More was reached, or all of it was forgotten."""
    found_changed = Signal()
    """Other findings are known, or some are stale now."""
    checks_known = Signal()
    """The checks of a survey have their titles now."""
    said = Signal(str)
    failed = Signal(str)
    edited = Signal()
    """There is something else for the project to keep."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.settings = SurveySettings()
        self.stage = Stage.NOTHING
        self.text = ""
        """What the worker is at, or why it is not."""
        self.result: SurveyResult | None = None
        self.shown = ReachShown(self)
        self._worker: WorkerProcess | None = None
        self._tickets = count(1)
        self._taken: dict[int, Taken] = {}
        self._done: Pile | None = None
        self._learning: LearnChecks | None = None
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._look_for_stale)
        document.started.connect(self._on_started)
        document.changed.connect(self._on_document)

    # --- asking

    @property
    def is_running(self) -> bool:
        return self.stage in (Stage.STARTING, Stage.RUNNING)

    @property
    def has_worker(self) -> bool:
        """The process that searched last is still there, with all that it knows."""
        return self._worker is not None and self._worker.is_running

    @property
    def worker(self) -> WorkerProcess | None:
        return self._worker

    @property
    def why_not_start(self) -> str:
        """Why nothing can be searched now; "" when it can."""
        if self.document.simulation is None:
            return "Open a world first."
        if self.document.session.landblock_id is None:
            return "Choose a landblock first."
        return self.settings.problem or self.document.why_not_edit

    @property
    def why_not_go_on(self) -> str:
        """Why there is nothing to go on with; "" when there is."""
        result = self.result
        if result is None:
            return "Nothing was searched yet."
        if self.is_running:
            return "It is running."
        if result.is_checked and not result.stale:
            return "All of it was searched, and no edit has touched it since."
        return self.document.why_not_edit or self.settings.problem if result.stale or not self.has_worker else ""

    @property
    def found(self) -> list[Found]:
        return [] if self.result is None else self.result.found

    @property
    def knows_checks(self) -> bool:
        return self._learning is not None and self._learning.is_done

    def learn_checks(self) -> None:
        """Load the checks, which takes longer than a frame, on another thread; `checks_known` tells when."""
        if self._learning is None:
            from editor.models.survey.learning import LearnChecks

            self._learning = LearnChecks()
            self._learning.signals.done.connect(self.checks_known)
            self._learning.signals.done.connect(self.found_changed)
            background.start(self._learning, apart=True)

    # --- leading it

    def set_settings(self, settings: SurveySettings) -> None:
        """Choose how to search from the next start on."""
        if settings != self.settings:
            self.settings = settings
            self.changed.emit()

    @Slot()
    def start(self) -> None:
        """Search the landblock in view from the beginning."""
        block_id = self.document.session.landblock_id
        if self.why_not_start or block_id is None:
            self.failed.emit(f"Start: {self.why_not_start}")
        else:
            self._start(block_id)

    def _start(self, block_id: int) -> None:
        from editor.models.survey.results import SurveyResult

        self._end_worker()
        self.learn_checks()
        self.result = SurveyResult(block_id, self.settings, tuple(self.document.done_steps()))
        self._begin()
        self.reached.emit()
        self.found_changed.emit()

    @Slot()
    def stop(self) -> None:
        """Stop after the state that is searched; the worker keeps what it knows for Go On."""
        if not self.is_running:
            return
        if self._worker is not None and self.stage is Stage.RUNNING:
            self._worker.stop()
        else:
            self._end_worker()
        self._set_stage(Stage.STOPPED, "Stopped")

    @Slot()
    def go_on(self) -> None:
        """Go on where it was stopped; what edits have touched is searched again, and nothing else."""
        result = self.result
        if result is None or self.why_not_go_on:
            self.failed.emit(f"Go On: {self.why_not_go_on}")
            return
        if result.stale and result.is_checked:
            self._end_worker()
            entries = tuple(result.entries())
            result.begin_again(self.document.done_steps())
            self._begin(entries)
            self.reached.emit()
            self.found_changed.emit()
        elif self.has_worker and not result.stale and self._worker is not None:
            self._worker.go_on()
            self._set_stage(Stage.RUNNING, "Searching …")
        else:
            self._start(result.block_id)  # another one may be in view

    def _begin(self, entries: tuple[Entry, ...] = ()) -> None:
        result = self.result
        if result is None:
            return
        from editor.models.survey.process import WorkerProcess
        from editor.models.survey.task import task_for

        self._worker = worker = WorkerProcess(self)
        worker.said.connect(self._on_said)
        worker.died.connect(self._on_died)
        worker.start()
        task = task_for(self.document, result.block_id, result.settings)
        known = tuple(sorted(result.last.known))
        worker.begin(replace(task, known=known, entries=entries))
        self._set_stage(Stage.STARTING, "Starting a process of its own …")

    def recording_to(self, cell_id: int, point: Vec3 | None, taken: Taken) -> None:
        """Ask for the recording of the walk to what was reached nearest to a place of a cell, or first in it."""
        result = self.result
        part = None if result is None else result.part_of(cell_id)
        state = -1 if part is None else _state_for(part, cell_id, point)
        if result is None or part is None or state < 0:
            taken(None, "Nobody came near that place.")
            return
        if self._worker is None or not self.has_worker or part is not result.last:
            taken(None, GONE)
            return
        ticket = next(self._tickets)
        self._taken[ticket] = taken
        self._worker.ask_for_walk(ticket, state)

    @Slot()
    def close(self) -> None:
        """End the worker, because the window goes."""
        self._end_worker()

    def kept(self) -> KeptSurvey | None:
        """The results for the project to save; None without any."""
        result, sim = self.result, self.document.simulation
        if result is None or sim is None or not any(part.packed for part in result.parts):
            return None
        done = self.document.done_steps()
        shared = shared_steps(result.steps, done)
        stale = self._stale(result, sim, done[:shared])
        from editor.models.survey.keeping import kept_survey

        return kept_survey(result, shared, stale)

    def _take_kept(self) -> None:
        """Show what the project that was opened has kept."""
        opened = self.document.session.project
        kept = None if opened is None else opened.project.survey
        if kept is None:
            return
        from editor.models.survey.keeping import result_of

        self.learn_checks()
        try:
            self.result = result_of(kept, tuple(self.document.done_steps()))
        except ProjectError as error:
            self.failed.emit(f"The survey that the project kept is left out: it {error.reason}")
            return
        self.settings = self.result.settings
        self.stage, self.text = (Stage.DONE, "Done") if self.result.is_checked else (Stage.STOPPED, "Stopped")
        self._settle.start()

    def _end_worker(self) -> None:
        worker, self._worker = self._worker, None
        waiting, self._taken = self._taken, {}
        for taken in waiting.values():
            taken(None, "The search was given up.")
        if worker is not None:
            worker.close()
            worker.deleteLater()

    def _set_stage(self, stage: Stage, text: str) -> None:
        self.stage, self.text = stage, text
        self.changed.emit()

    # --- what the worker says

    @Slot(object)
    def _on_said(self, message: Message) -> None:
        result = self.result
        if result is None or self.sender() is not self._worker:
            return
        form = message.form
        if message.kind == "states":
            result.last.columns.add(message.data)
            result.version += 1
            self.reached.emit()
        elif message.kind == "packed":
            result.last.packed = message.data
            self.edited.emit()
        elif message.kind == "progress":
            self._on_progress(result, form)
        elif message.kind == "stage":
            if self.is_running:
                self._set_stage(Stage.RUNNING, str(form["text"]))
        elif message.kind == "found":
            self._on_found(result, form["found"])
        elif message.kind == "unreached":
            result.add_unreached(form["cell"], form["corners"])
        elif message.kind in ("walk", "no walk"):
            taken = self._taken.pop(form["ticket"], None)
            if taken is not None:
                taken(_way_of(message), str(form.get("reason", "")))
        elif message.kind == "failed":
            self._end_worker()  # it has nothing to go on with
            self._set_stage(Stage.DEAD, f"It cannot be searched: {form['reason']}")
            self.failed.emit(self.text)
        elif message.kind == "done":
            self._on_finished(result)

    def _on_progress(self, result: SurveyResult, form: dict[str, float]) -> None:
        result.seconds, result.sweeps = form["seconds"], int(form["sweeps"])
        result.queued, result.is_full = int(form["queued"]), bool(form["full"])
        self.changed.emit()

    def _on_found(self, result: SurveyResult, form: object) -> None:
        try:
            found = Found.from_json(form)
        except FindingError as error:
            self.failed.emit(f"A finding cannot be read: {error}")
            return
        if result.add_found(found):
            self.found_changed.emit()

    def _on_finished(self, result: SurveyResult) -> None:
        result.is_checked = True
        result.version += 1
        number = len(result.found)
        what = "nothing was found" if not number else "1 finding" if number == 1 else f"{number:,} findings"
        self._set_stage(Stage.DONE, "Done")
        self.reached.emit()
        self.said.emit(f"Survey: everything that can be reached was searched, {what}")

    @Slot(str)
    def _on_died(self, how: str) -> None:
        if self.sender() is not self._worker:
            return
        self._end_worker()
        self._set_stage(Stage.DEAD, f"The process that searched is gone: {how}. Start begins again.")
        self.failed.emit(self.text)

    # --- the document

    @Slot()
    def _on_started(self) -> None:
        """Another world: its project brings what was kept, any other world nothing."""
        self._end_worker()
        self._settle.stop()
        self.result, self._done = None, self.document.stack.done
        self.stage, self.text = Stage.NOTHING, ""
        self._take_kept()
        self.changed.emit()
        self.reached.emit()
        self.found_changed.emit()

    @Slot()
    def _on_document(self) -> None:
        """Cheap, for it is asked after every tick: have steps been done or undone?"""
        done = self.document.stack.done
        if done is not self._done:
            self._done = done
            if self.result is not None:
                self._settle.start()

    @staticmethod
    def _stale(result: SurveyResult, sim: Simulation, done: list[Step]) -> frozenset[int]:
        """The cells that are touched by what was done and undone since it was searched, with these steps done now."""
        from editor.models.survey.staleness import edits_since, touched_cells

        edits = edits_since(result.steps, done, sim.player.id)
        return result.stale_before | touched_cells(sim, result.block_id, edits)

    @Slot()
    def _look_for_stale(self) -> None:
        """Find out what edits have touched."""
        result, sim = self.result, self.document.simulation
        if result is None or sim is None:
            return
        stale = self._stale(result, sim, self.document.done_steps())
        if stale != result.stale:
            result.stale = stale
            result.version += 1
            self.changed.emit()
            self.reached.emit()
            self.found_changed.emit()


def _state_for(part: Part, cell_id: int, point: Vec3 | None) -> int:
    """The state nearest to a point of a cell, or the first one in it; −1 for none."""
    if point is not None:
        return part.columns.nearest(cell_id, point)
    reach = part.columns.by_cell.get(cell_id)
    return -1 if reach is None else reach.state


def _way_of(message: Message) -> Way | None:
    seed = message.form.get("seed")
    if seed is None:
        return None
    x, y, z = seed["origin"]
    return Way(message.data, seed["cell"], (x, y, z), seed["heading"])
