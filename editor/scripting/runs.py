"""A simulation in an open world: ticks, conditions, traces, snapshots, and its recording."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING

from editor.document.step import Step
from editor.reports.sweep_headline import outcome_text
from editor.scripting.answers import tick_answer, trace_answer
from editor.scripting.beside import beside
from editor.scripting.edited import EditedStage
from editor.scripting.errors import RefusedError, reported
from editor.scripting.keys import Keys, controls_of
from editor.scripting.places import spots_of
from editor.scripting.values import Tick, Trace
from editor.session.server_choice import place_of
from engine.sim.conditions.known_names import check_names
from engine.sim.conditions.reading import condition_of
from engine.sim.conditions.watch import ConditionWatch
from engine.sim.recording import Recorder
from engine.sim.recording import Recording as EngineRecording
from engine.sim.script import parse_script
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import QUANTUM, Simulation
from engine.sim.trace.recorder import TraceRecorder

if TYPE_CHECKING:
    from editor.scripting.recordings import Recording
    from editor.scripting.worlds import World


@dataclass(frozen=True)
class Snapshot:
    """A moment of a run, to come back to: `Run.restore`."""

    tick: int
    state: bytes = field(repr=False)
    steps: tuple[Step, ...] = field(repr=False)
    recording: EngineRecording | None = field(repr=False, compare=False)
    run: Run = field(repr=False, compare=False)


class Run(EditedStage):
    """A simulation. It begins with the edits of its world; its own edits and ticks change nothing else."""

    def __init__(self, world: World, sim: Simulation, steps: Sequence[Step], *, record: bool) -> None:
        super().__init__(sim, steps)
        self._world = world
        self._recorder = Recorder(sim, world.absolute_source) if record else None
        self._last: Tick | None = None

    def __repr__(self) -> str:
        return "Run(closed)" if self._sim is None else f"Run({self._world.source!r}, tick {self.tick_number})"

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the run; the world stays open."""
        if self._sim is not None:
            self._sim.close()
            self._sim = None
            self._world._forget(self)

    @property
    def world(self) -> World:
        return self._world

    @property
    def source(self) -> str:
        return self._world.source

    # --- time

    @property
    def tick_number(self) -> int:
        """The ticks run so far; the number of the next one."""
        return self.engine.tick_number

    @property
    def seconds(self) -> float:
        """Simulated time so far."""
        return self.engine.seconds

    @property
    def last(self) -> Tick | None:
        """The last tick that ran."""
        return self._last

    def tick(self, keys: Keys = "", count: int = 1, *, look: float = 0.0, use: int | str | None = None) -> Tick:
        """Run ticks of 1/30 s with keys held: letters of the 3D view (`"W"`, `"WD"`) or words (`"forward run"`).

        `look` are degrees that the mouse turns him in the first one, clockwise; `use` is the door that he uses in it.
        Returns the last one.
        """
        if count < 1:
            raise RefusedError(f"{count} is not a number of ticks to run")
        with reported():
            first = controls_of(keys, look=look, use=0 if use is None else int(self.id_of(use)))
            held = first if count == 1 else controls_of(keys)
            told = self._told(self.engine.tick(first))
            for _ in range(count - 1):
                told = self._told(self.engine.tick(held))
            return told

    def walk(self, script: str) -> list[Tick]:
        """Follow a walk's script, such as `use "Front Door"` and `forward 2s`, a line each; see `walk --help`."""
        with reported():
            orders = parse_script(script, "script", spots_of(self.source))
            return [self._told(report) for report in orders.run(self.engine)]

    def until(self, condition: str, keys: Keys = "", *, walk: str | None = None, seconds: float = 60.0) -> Tick | None:
        """Run until a condition of Stop When holds, with keys held or along a script; None when it never does.

        The tick says in `because` what made it hold.
        """
        found: list[str] = []

        def hear(tick: int, because: list[str]) -> None:
            found[:] = because

        with reported():
            wanted = condition_of(condition, repr(condition))
            check_names(wanted, self.engine, repr(condition))
            controls = controls_of(keys)
            if walk is None:
                ticks: Iterator[TickReport] = (self.engine.tick(controls) for _ in range(round(seconds / QUANTUM)))
            else:
                ticks = parse_script(walk, "script", spots_of(self.source)).run(self.engine)
            watch = ConditionWatch(self.engine, [wanted], hear)
            try:
                for report in ticks:
                    self._told(report, found[0] if found else "")
                    if found and found[0]:
                        return self._last
            finally:
                watch.close()
        return None

    def _told(self, report: TickReport, because: str = "") -> Tick:
        self._last = tick_answer(self.engine, report, because)
        return self._last

    def on_tick(self, listener: Callable[[Tick], None]) -> Callable[[], None]:
        """Call `listener` after every tick from now on; returns what ends that."""
        sim = self.engine

        def hear(controls: object, report: TickReport) -> None:
            listener(tick_answer(sim, report))

        sim.listen_to_ticks(hear)
        return lambda: sim.unlisten_to_ticks(hear)

    # --- looking closer

    def trace(self, tick: int | None = None) -> Trace:
        """The player's sweeps of a tick of this run, the last one unless given: run again beside it."""
        return self.recording.trace(self.tick_number - 1 if tick is None else tick)

    def trace_next(self, keys: Keys = "", *, use: int | str | None = None) -> Trace:
        """The player's sweeps of the next tick, if these keys were held; the tick does not run."""
        with reported(), beside(self) as sim:
            recorder = TraceRecorder()
            sim.watch(sim.player.id, recorder)
            sim.name_causes()
            report = sim.tick(controls_of(keys, use=0 if use is None else int(self.id_of(use))))
            return trace_answer(report.tick, outcome_text(sim, recorder.sweeps, report.contacts), recorder.sweeps)

    def find(self, condition: str) -> list[int]:
        """The ticks so far for which a condition holds."""
        return self.recording.find(condition)

    # --- keeping

    def snapshot(self) -> Snapshot:
        """This moment, with what led to it."""
        recording = None if self._recorder is None else self._recorder.recording.copy()
        return Snapshot(self.tick_number, self.engine.snapshot(), tuple(self._steps), recording, self)

    def restore(self, snapshot: Snapshot) -> None:
        """Be as the run was at a snapshot of it; the recording goes on from there."""
        if snapshot.run is not self:
            raise RefusedError("the snapshot is another run's")
        with reported():
            self.engine.restore(snapshot.state)
        self._steps = list(snapshot.steps)
        self._last = None
        if self._recorder is not None and snapshot.recording is not None:
            self._recorder.recording = snapshot.recording.copy()

    @property
    def recording(self) -> Recording:
        """What was recorded so far; it does not grow with the run."""
        self.engine  # noqa: B018 - refuses a run that is closed
        from editor.scripting.recordings import Recording

        if self._recorder is None:
            raise RefusedError("the run was started with record=False, so there is no recording")
        recording = self._recorder.so_far()
        recording.server = place_of(self._world.server)
        return Recording(recording, "", self._world, self._recorder.landblocks)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the recording to a .cdrec file."""
        self.recording.save(path)
