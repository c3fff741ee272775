"""One open world and what is selected in it: the state that every view of the window shares.

Opening runs on a worker thread; the world that is open stays until the new one is ready, and stays for good when
the new one fails. What was opened is held back while `may_replace` says that what is open can not go yet.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from editor.project.project import ProjectError
from editor.project.project_replay import OpenedProject
from editor.session import background
from editor.session.loading import Arrival, BlockQuestion, CaptureArrival, Outcome, Request, arrive, draw_ahead, enter
from editor.session.open_error import Failure, failure_of
from editor.session.recording_check import Rerun
from engine.build.errors import BuildError
from engine.dat.errors import DatError
from engine.files.cancelling import cancellable
from engine.geometry.errors import GeometryError
from engine.physics.errors import PhysicsError
from engine.render.scene import Scene
from engine.sim.errors import SimError
from engine.sim.tick.simulation import Simulation
from engine.world.block_index import BlockIndex
from engine.world.cells.ids import is_env_cell, low_of
from engine.world.faults import WorldError
from engine.world.loader.base import collector_paused
from engine.world.world import World

ENGINE_ERRORS: Final = (WorldError, DatError, BuildError, GeometryError, PhysicsError, SimError, ProjectError)
OUR_FAULT: Final = "the program made a mistake, which the details tell."


class Kind(Enum):
    """What can be selected."""

    LANDBLOCK = "landblock"
    CELL = "cell"
    BUILDING = "building"
    STATIC = "static object"
    ENTITY = "entity"


@dataclass(frozen=True)
class Selection:
    """One thing of the world: its kind, its landblock, and its id (or its place in the landblock's list)."""

    kind: Kind
    landblock: int
    key: int


class _Work(background.Job):
    """Opens something away from the window's thread and hands the outcome back by a signal."""

    class Signals(QObject):
        done = Signal(int, object)
        failed = Signal(int, object)

    def __init__(self, ticket: int, request: Request, steps: Callable[[background.Job], Outcome]) -> None:
        super().__init__()
        self.signals = _Work.Signals()
        self.request = request
        self._ticket = ticket
        self._steps = steps

    def work(self) -> None:
        answer: Outcome | Failure | None = None
        try:
            # What is made stays; looking through it meanwhile keeps the window waiting.
            with collector_paused(), cancellable(self.check):
                answer = self._steps(self)
        except ENGINE_ERRORS as error:
            answer = failure_of(self.request.source, error)
        except OSError as error:
            answer = failure_of(self.request.source, WorldError(f"can not be read: {error.strerror or error}"))
        finally:
            if answer is None and not self.is_cancelled:  # a mistake of ours; it goes on its way, but is not waited for
                answer = Failure(f"{self.request.name} can not be opened: {OUR_FAULT}", traceback.format_exc())
            if answer is not None:
                signal = self.signals.failed if isinstance(answer, Failure) else self.signals.done
                signal.emit(self._ticket, answer)


class Session(QObject):
    """The open world, the landblock in view and the selection."""

    opening = Signal(str)
    """Something is being opened: its source. `job` is at work on it."""
    opened = Signal()
    open_failed = Signal(str, str)
    """What could not be opened, and why in a sentence; `failure` has more."""
    open_cancelled = Signal()
    asked = Signal(object)
    """A question that has to be answered first: one of `editor.session.loading`. `open` answers it, or `enter`."""
    held_back = Signal()
    """What was opened is ready and waits: `take_held` lets it in; `cancel` sends it away, and so does `open`."""
    capture_opened = Signal(object)
    """A CaptureArrival; the world that is open stays. Whoever takes it closes it."""
    landblock_changed = Signal()
    selection_changed = Signal()
    hover_changed = Signal()
    faults_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.world: World | None = None
        self.simulation: Simulation | None = None
        """The open world in time, with its player."""
        self._scene_ahead: Scene | None = None
        self.source = ""
        """What the open world can be opened by again; `scene` and `place` go with it."""
        self.scene: str | None = None
        self.place = 0
        self.request: Request | None = None
        """What was asked for when it was opened: a recording, say."""
        self.run: Rerun | None = None
        """The recording that was opened, which is the world's past."""
        self.project: OpenedProject | None = None
        """The project that was opened, if it was one."""
        self.index = BlockIndex()
        """Which landblocks the open world has."""
        self.visited: list[int] = []
        """The landblocks that were looked at, the latest last."""
        self.failure = Failure("")
        self.landblock_id: int | None = None
        self.selection: Selection | None = None
        self.hover: Selection | None = None
        self.named: Callable[[], frozenset[str]] = frozenset
        """The whole names of what the user has opened at some time."""
        self.autosaves: Path | None = None
        """The folder of our own autosaves."""
        self.may_replace: Callable[[], bool] = lambda: True
        """Whether what is open may go, asked when the next thing is there: edits may have been made meanwhile."""
        self.held: Arrival | CaptureArrival | None = None
        """What would take the place of what is open."""
        self._ticket = 0
        self._running: _Work | None = None

    @property
    def is_opening(self) -> bool:
        return self._running is not None

    @property
    def sources(self) -> list[str | Path]:
        """All that what is open was read from, but for a project's own file."""
        if self.world is None:
            return []
        named = [] if self.request is None else [self.request.source, self.request.world]
        if self.project is not None:
            named = [self.project.source, self.project.within]
        return [*([] if self.world.path is None else [self.world.path]), *filter(None, named)]

    @property
    def job(self) -> background.Job | None:
        """What opens the next world, while it does."""
        return self._running

    def open(self, source: str, *, scene: str | None = None, place: int = 0, world: str = "", ask: bool = True) -> None:
        """Open whatever a source is, in the background; a later call overtakes an earlier one."""
        self.open_request(Request(source, scene, place, world, ask))

    def open_request(self, request: Request) -> None:
        """Open what is asked for. What does not say where its world is, is opened in the one that is open."""
        request = replace(request, autosaves=self.autosaves, named=request.named | self.named())
        if self.world is not None:
            request = replace(request, here=(self.source, self.scene))

        def steps(job: background.Job) -> Outcome:
            return arrive(request, job)

        self._start(request, steps)

    def enter(self, question: BlockQuestion, place: int) -> None:
        """Go on with a world of many landblocks in one of them, or in a cell."""
        request = replace(question.request, place=place)

        def steps(job: background.Job) -> Outcome:
            entered = False
            try:
                arrival = enter(request, question.source, question.world, question.index, place, job)
                entered = True
            finally:
                if not entered:
                    question.close()
            draw_ahead(arrival, job)
            return arrival

        self._start(request, steps)

    def _start(self, request: Request, steps: Callable[[background.Job], Outcome]) -> None:
        overtaken, self._running = self._running, None
        if overtaken is not None:
            overtaken.cancel()
        self._send_away()
        self._ticket += 1
        job = _Work(self._ticket, request, steps)
        job.signals.done.connect(self._on_done)
        job.signals.failed.connect(self._on_failed)
        job.reports.cancelled.connect(self.cancel)
        self._running = job
        self.opening.emit(request.source)
        background.start(job)

    @Slot()
    def cancel(self) -> None:
        """What is open stays; what comes in now is sent away, and what waits to."""
        job, self._running = self._running, None
        self._ticket += 1
        if job is not None:
            job.cancel()
        if self._send_away() or job is not None:
            self.open_cancelled.emit()

    def _send_away(self) -> bool:
        held, self.held = self.held, None
        if held is not None:
            held.close()
        return held is not None

    @Slot(int, object)
    def _on_done(self, ticket: int, outcome: Outcome) -> None:
        if ticket != self._ticket:
            outcome.close()
            return
        self._running = None
        if isinstance(outcome, Arrival | CaptureArrival):
            self.held = outcome
            if (isinstance(outcome, CaptureArrival) and outcome.opened is None) or self.may_replace():
                self.take_held()
            else:
                self.held_back.emit()
        else:
            self.asked.emit(outcome)

    def take_held(self) -> None:
        """Let in what waits: what is open goes."""
        held, self.held = self.held, None
        if isinstance(held, Arrival):
            self._take(held)
        elif held is not None:
            if held.opened is not None:
                self._take(held.opened)
            self.capture_opened.emit(held)

    def take_scene(self) -> Scene | None:
        """While a world is told to be open: what there is to draw of it, if that was made already, for one to keep."""
        taken, self._scene_ahead = self._scene_ahead, None
        return taken

    def _take(self, arrival: Arrival) -> None:
        old = self.simulation
        self.simulation = arrival.sim
        self.world = world = arrival.sim.world
        self.request, self.source, self.scene = arrival.request, arrival.source, arrival.scene
        self.place, self.run, self.index = arrival.place, arrival.run, arrival.index
        self.project = arrival.project
        self._scene_ahead = arrival.scene_ahead
        self.hover = None
        self.landblock_id = arrival.landblock
        self.visited = [] if arrival.landblock is None else [arrival.landblock]
        self.selection = None
        if arrival.landblock is not None:
            self.selection = Selection(Kind.LANDBLOCK, arrival.landblock, arrival.landblock)
            if is_env_cell(low_of(arrival.place)) and world.graph.get_visible(arrival.place) is not None:
                self.selection = Selection(Kind.CELL, arrival.landblock, arrival.place)
        self.opened.emit()
        left = self.take_scene()
        if left is not None:  # nobody draws here
            left.close()
        self.landblock_changed.emit()
        self.selection_changed.emit()
        self.faults_changed.emit()
        if old is not None:  # everybody has turned to the new one
            old.close()
            old.world.loaded.close()

    @Slot(int, object)
    def _on_failed(self, ticket: int, failure: Failure) -> None:
        if ticket != self._ticket:
            return
        source = "" if self._running is None else self._running.request.source
        self._running = None
        self.failure = failure
        self.open_failed.emit(source, failure.sentence)

    def show_landblock(self, landblock_id: int) -> None:
        if self.world is None or landblock_id == self.landblock_id:
            return
        self.world.landblock(landblock_id)
        self.landblock_id = landblock_id
        self.visited = [*(block_id for block_id in self.visited if block_id != landblock_id), landblock_id]
        self.landblock_changed.emit()
        self.faults_changed.emit()

    def select(self, selection: Selection | None) -> None:
        if selection == self.selection:
            return
        if selection is not None:
            self.show_landblock(selection.landblock)
        self.selection = selection
        self.selection_changed.emit()

    def set_hover(self, selection: Selection | None) -> None:
        if selection != self.hover:
            self.hover = selection
            self.hover_changed.emit()
