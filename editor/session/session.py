"""The open world and the selection: the state that all views of the window share.

Opening runs on a worker thread. The open world stays until the new one is ready, and remains open if the new one fails.
A world that is ready is held back while `may_replace` does not allow the open one to be replaced.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from editor.places.place_text import WrittenPlace
from editor.project.project import ProjectError
from editor.project.project_replay import OpenedProject
from editor.session import background
from editor.session.loading import Arrival, BlockQuestion, CaptureArrival, Outcome, Request, arrive, draw_ahead, enter
from editor.session.open_error import Failure, failure_of
from editor.session.recording_check import Rerun
from editor.session.server_choice import ServerChoice
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
OUR_FAULT: Final = "there is an error in this program; see the details."


class Kind(Enum):
    """The kinds of things that can be selected."""

    LANDBLOCK = "landblock"
    CELL = "cell"
    BUILDING = "building"
    STATIC = "static object"
    ENTITY = "entity"


@dataclass(frozen=True)
class Selection:
    """One thing in the world: its kind, its landblock, and its id (or its index in the landblock's list)."""

    kind: Kind
    landblock: int
    key: int


class _Work(background.Job):
    """Opens a source on a worker thread and emits the outcome."""

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
            # The new objects stay; collecting meanwhile would only make the window wait.
            with collector_paused(), cancellable(self.check):
                answer = self._steps(self)
        except ENGINE_ERRORS as error:
            answer = failure_of(self.request.source, error)
        except OSError as error:
            answer = failure_of(self.request.source, WorldError(f"cannot be read: {error.strerror or error}"))
        finally:
            if answer is None and not self.is_cancelled:  # a bug: the exception propagates; the window must not wait
                answer = Failure(f"{self.request.name} cannot be opened: {OUR_FAULT}", traceback.format_exc())
            if answer is not None:
                signal = self.signals.failed if isinstance(answer, Failure) else self.signals.done
                signal.emit(self._ticket, answer)


class Session(QObject):
    """The open world, the landblock in view and the selection."""

    opening = Signal(str)
    """The source that is being opened; `job` does the work."""
    opened = Signal()
    open_failed = Signal(str, str)
    """The source that could not be opened, and the reason as a sentence; `failure` has the details."""
    open_cancelled = Signal()
    asked = Signal(object)
    """A question from `editor.session.loading` that the user has to answer; `open` or `enter` takes the answer."""
    held_back = Signal()
    """A world is ready and held back: `take_held` accepts it; `cancel` and `open` discard it."""
    capture_opened = Signal(object)
    """A CaptureArrival; the open world stays. The receiver closes the arrival."""
    landblock_changed = Signal()
    selection_changed = Signal()
    hover_changed = Signal()
    faults_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.world: World | None = None
        self.simulation: Simulation | None = None
        """The simulation of the open world, with its player."""
        self._scene_ahead: Scene | None = None
        self.source = ""
        """The source that opens this world again, together with `scene` and `place`."""
        self.scene: str | None = None
        self.place = 0
        self._server: ServerChoice | None = None
        self.request: Request | None = None
        """The request that opened it, for a recording for example."""
        self.run: Rerun | None = None
        """The opened recording, which is the world's past."""
        self.project: OpenedProject | None = None
        """The opened project, if any."""
        self.index = BlockIndex()
        """The landblocks of the open world."""
        self.visited: list[int] = []
        """The landblocks that were shown, the latest last."""
        self.failure = Failure("")
        self.failed_request: Request | None = None
        """The request that could not be opened, when the last one could not."""
        self.landblock_id: int | None = None
        self.selection: Selection | None = None
        self.hover: Selection | None = None
        self.named: Callable[[], frozenset[str]] = frozenset
        """The full paths that the user has opened before."""
        self.servers: Callable[[], Mapping[str, ServerChoice]] = dict
        """The server data that the user has chosen for worlds, by their full paths."""
        self.autosaves: Path | None = None
        """The folder of the program's own autosaves."""
        self.may_replace: Callable[[], bool] = lambda: True
        """Whether the open world may be replaced; called when the next one is ready, because edits may have been made
        meanwhile."""
        self.held: Arrival | CaptureArrival | None = None
        """The arrival that waits to replace the open world."""
        self._ticket = 0
        self._running: _Work | None = None

    @property
    def is_opening(self) -> bool:
        return self._running is not None

    @property
    def sources(self) -> list[str | Path]:
        """All paths that the open world was read from, except for a project's own file."""
        if self.world is None:
            return []
        named = [] if self.request is None else [self.request.source, self.request.world]
        if self.project is not None:
            named = [self.project.source, self.project.within]
        server = [] if self.server is None else self.server.paths
        return [*([] if self.world.path is None else [self.world.path]), *filter(None, named), *server]

    @property
    def server(self) -> ServerChoice | None:
        """The server data that the open world was opened with."""
        return self._server if self._server is not None and self._server.paths else None

    @property
    def job(self) -> background.Job | None:
        """The job that opens the next world, while it runs."""
        return self._running

    def open(self, source: str, *, scene: str | None = None, place: int = 0, world: str = "", ask: bool = True) -> None:
        """Open any source in the background; a later call supersedes an earlier one."""
        self.open_request(Request(source, scene, place, world, ask))

    def open_request(self, request: Request) -> None:
        """Open a request. A file that does not name its world is opened in the current one."""
        servers = {**self.servers(), **request.servers}
        request = replace(request, autosaves=self.autosaves, named=request.named | self.named(), servers=servers)
        if self.world is not None:
            request = replace(request, here=(self.source, self.scene))

        def steps(job: background.Job) -> Outcome:
            return arrive(request, job)

        self._start(request, steps)

    def enter(
        self,
        question: BlockQuestion,
        place: int,
        at: WrittenPlace | None = None,
        server: ServerChoice | None = None,
    ) -> None:
        """Continue with a world of many landblocks in one of them or in a cell; `at`: with the player there; `server`:
        with this server data."""
        request = replace(question.request, place=place, at=at)
        if server is not None:
            request = request.with_server(server)

        def steps(job: background.Job) -> Outcome:
            entered = False
            try:
                if server is not None:
                    question.furnish(server, job)
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
        """Keep the open world; discard the one being opened and the one held back."""
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
        """Replace the open world with the one held back."""
        held, self.held = self.held, None
        if isinstance(held, Arrival):
            self._take(held)
        elif held is not None:
            if held.opened is not None:
                self._take(held.opened)
            self.capture_opened.emit(held)

    def take_scene(self) -> Scene | None:
        """The scene that was built while loading, if any; available to one caller while `opened` is emitted."""
        taken, self._scene_ahead = self._scene_ahead, None
        return taken

    def _take(self, arrival: Arrival) -> None:
        old = self.simulation
        self.simulation = arrival.sim
        self.world = world = arrival.sim.world
        self.request, self.source, self.scene = arrival.request, arrival.source, arrival.scene
        self.place, self.run, self.index = arrival.place, arrival.run, arrival.index
        self.project, self._server = arrival.project, arrival.server
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
        if left is not None:  # no view took it
            left.close()
        self.landblock_changed.emit()
        self.selection_changed.emit()
        self.faults_changed.emit()
        if old is not None:  # every listener uses the new one now
            old.close()
            old.world.loaded.close()

    @Slot(int, object)
    def _on_failed(self, ticket: int, failure: Failure) -> None:
        if ticket != self._ticket:
            return
        self.failed_request = None if self._running is None else self._running.request
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
