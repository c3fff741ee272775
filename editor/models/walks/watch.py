"""Runs the kept walks again after edits, in short slices between the events of the window.

The ticks run in simulations of their own, in the window's thread: loaded landblocks are shared, and nothing of them is
thread-safe. Files are read on another. A walk whose terms are those of its last run is not run again.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from editor.document.undo_stack import Pile
from editor.models.walks.jobs import PackTruth, ReadMoves
from editor.models.walks.kept import KeptWalks, WalkEntry
from editor.models.walks.terms import StepsSince, steps_since
from editor.project.project import KeptWalk
from editor.session import background
from engine.dat.errors import DatError
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS
from engine.sim.tick.simulation import Simulation
from engine.sim.walks.files import KeptMoves, Run
from engine.sim.walks.outcome import Outcome, Verdict
from engine.sim.walks.run import WalkRun
from engine.sim.walks.same_world import SameWorld
from engine.world.world import World

SLICE_S: Final = 0.006
PAUSE_MS: Final = 6
"""Of 12 ms, running walks takes six."""
FLOWING_MS: Final = 100
"""While time runs, slices come less often."""
SETTLE_MS: Final = 300
"""Milliseconds without an edit before walks run again: to the user, a drag is one edit."""
PACE_S: Final = 0.1
"""Seconds between two tellings while there is more to run."""

Steps = Generator[None, None, None]


class WalkWatch(QObject):
    """Keeps the outcomes of all kept walks up to date."""

    changed = Signal()
    """A walk came out otherwise than before, or there is more or less to run."""
    accepted = Signal(str)
    """A sentence about a walk whose new truth was kept."""
    refused = Signal(str)
    """A sentence about one whose new truth could not be kept."""

    def __init__(self, kept: KeptWalks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.kept = kept
        self.document = kept.document
        self.longest_slice = 0.0
        """Seconds; what the window had to wait at most."""
        self.ticks_run = 0
        self._since: dict[int, StepsSince] = {}
        """By the number of an entry: what it was run with last."""
        self._known: dict[int, tuple[KeptWalk, Pile | None, StepsSince]] = {}
        self._trusted: set[int] = set()
        """Entries known to be of this very world."""
        self._accepting: set[int] = set()
        self._entry: WalkEntry | None = None
        self._steps: Steps | None = None
        self._reading: ReadMoves | None = None
        self._packing: list[PackTruth] = []
        self._done: Pile | None = None
        self._same: SameWorld | None = None
        self._sim: Simulation | None = None
        """What all walks are run in, one after the other."""
        self._told_at = 0.0
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._on_settled)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._take_slice)
        kept.forgotten.connect(self._on_forgotten)
        kept.changed.connect(self._on_kept)
        self.document.changed.connect(self._on_document)

    # --- asking

    @property
    def is_working(self) -> bool:
        """Walks are run, or wait for the user to pause."""
        return self._settle.isActive() or self._timer.isActive() or self._reading is not None or bool(self._packing)

    @property
    def waiting(self) -> int:
        """The number of walks that are still to be run."""
        return sum(self._is_stale(entry) for entry in self.kept.entries) if self.is_working else 0

    @property
    def text(self) -> str:
        """Such as "3 walks go as before, 1 otherwise"; "" without any."""
        entries = self.kept.entries
        if not entries:
            return ""
        known = [entry for entry in entries if entry.outcome is not None]
        otherwise = len(self.kept.otherwise)
        before = len(known) - otherwise
        parts = []
        if before:
            parts.append(f"{before:,} {'walk goes' if before == 1 else 'walks go'} as before")
        if otherwise:
            noun = "" if before else " walk" if otherwise == 1 else " walks"
            verb = "" if before else " goes" if otherwise == 1 else " go"
            parts.append(f"{otherwise:,}{noun}{verb} otherwise")
        left = self.waiting
        if left:
            parts.append(f"{left:,} to run …")
        return ", ".join(parts)

    def since(self, entry: WalkEntry) -> StepsSince:
        """The edits that were made and undone since a walk was kept. Asked often, and worked out once for each state of
        the undo stack."""
        done = self.document.stack.done
        known = self._known.get(entry.number)
        if known is None or known[0] is not entry.walk or known[1] is not done:
            found = steps_since(entry.walk.steps, self.document.done_steps(), self._player_id)
            known = self._known[entry.number] = (entry.walk, done, found)
        return known[2]

    @property
    def _player_id(self) -> int:
        return self.document.sim.player.id

    def _is_stale(self, entry: WalkEntry) -> bool:
        if entry.number in self._accepting or entry.outcome is None:
            return True
        return self._since.get(entry.number) != self.since(entry)

    # --- what happens

    @Slot()
    def run_now(self) -> None:
        """Run all walks again, whatever is known of them."""
        self._since = {}
        self._trusted = set()
        self._leave_off()
        self._on_settled()

    def accept(self, entry: WalkEntry) -> None:
        """Run a walk once more and keep what it does now as its truth."""
        self._accepting.add(entry.number)
        self._leave_off()
        self._on_settled()

    def trust(self, entry: WalkEntry) -> None:
        """The walk was recorded in the world that is open."""
        self._trusted.add(entry.number)

    @Slot()
    def _on_forgotten(self) -> None:
        """Another world: nothing of what was run holds."""
        self._leave_off()
        self._since, self._known, self._trusted, self._accepting = {}, {}, set(), set()
        self._drop_simulation()
        self._same = None
        self._settle.stop()
        self._timer.stop()

    def _drop_simulation(self) -> None:
        """Another world, or a state that could not be restored and has left half of one."""
        if self._sim is not None:
            self._sim.close()
            self._sim = None

    @Slot()
    def _on_kept(self) -> None:
        if self._entry is not None and self._entry not in self.kept.entries:
            self._leave_off()
        self._settle.start()
        self.changed.emit()

    @Slot()
    def _on_document(self) -> None:
        """Cheap, for it is asked after every tick: have steps been done or undone?"""
        done = self.document.stack.done
        if done is not self._done:
            self._done = done
            if self.kept.entries:
                self._settle.start()
                self.changed.emit()

    @Slot()
    def _on_settled(self) -> None:
        if self._entry is not None and self._since.get(self._entry.number) != self.since(self._entry):
            self._leave_off()
        self._wake()
        self.changed.emit()

    def _wake(self) -> None:
        is_busy = self._timer.isActive() or self._reading is not None or self._settle.isActive()
        if self.document.simulation is None or is_busy:
            return
        if self._steps is not None or any(map(self._is_stale, self.kept.entries)):
            self._timer.start(FLOWING_MS if self.document.flowing else PAUSE_MS)

    def _leave_off(self) -> None:
        """Give up the walk that is run; it is run again later."""
        if self._steps is not None:
            self._steps.close()
        if self._reading is not None:
            self._reading.cancel()
        if self._entry is not None:
            self._since.pop(self._entry.number, None)
        self._entry = self._steps = self._reading = None

    # --- working

    @Slot()
    def _take_slice(self) -> None:
        began = time.perf_counter()
        while time.perf_counter() - began < SLICE_S and self._go_on():
            pass
        now = time.perf_counter()
        self.longest_slice = max(self.longest_slice, now - began)
        self._wake()
        if not self.is_working or now - self._told_at >= PACE_S:
            self._told_at = now
            self.changed.emit()

    def _go_on(self) -> bool:
        """Make one small step; False when there is nothing to do now."""
        if self._steps is not None:
            if next(self._steps, self) is self:
                self._steps = self._entry = None
            return True
        if self._reading is not None or self._settle.isActive() or self.document.simulation is None:
            return False
        entry = next((each for each in self.kept.entries if self._is_stale(each)), None)
        if entry is None:
            return False
        self._entry = entry
        self._since[entry.number] = self.since(entry)
        self._reading = ReadMoves(entry)
        self._reading.signals.done.connect(self._on_read)
        background.start(self._reading, apart=True)
        return False

    @Slot(int, object)
    def _on_read(self, number: int, found: KeptMoves | str) -> None:
        job, entry = self._reading, self._entry
        if job is None or entry is None or self.sender() is not job.signals or entry.number != number:
            return  # an earlier one, that is not wanted any more
        self._reading = None
        if isinstance(found, str):
            self._accepting.discard(number)
            entry.outcome = Outcome(Verdict.UNREADABLE, reason=found)
            self._entry = None
        else:
            self._steps = self._run(entry, found)
        self._wake()
        if not self.is_working:
            self.changed.emit()

    def _run(self, entry: WalkEntry, moves: KeptMoves) -> Steps:
        """Run a walk, a small piece of work at a time."""
        keep = entry.number in self._accepting
        try:
            run = yield from self._run_again(entry, moves, keep)
        except (SimError, DatError, *ENGINE_ERRORS) as error:
            entry.outcome = Outcome(Verdict.CANNOT_BEGIN, reason=str(error))
            self._accepting.discard(entry.number)
            self._drop_simulation()
            return
        entry.outcome = run.outcome
        if run.outcome is not None and run.outcome.verdict is Verdict.CANNOT_BEGIN:
            self._drop_simulation()
        self.ticks_run += 0 if run.outcome is None else run.outcome.ran
        if keep:
            self._accepting.discard(entry.number)
            self._pack(entry, run, moves)

    def _run_again(self, entry: WalkEntry, moves: KeptMoves, keep: bool) -> Generator[None, None, Run]:
        world = self.document.sim.world.loaded
        yield from self._look_at(entry, moves, world)
        terms = self._since[entry.number].terms(moves.recording, arrives=bool(entry.differing))
        if self._sim is None:
            self._sim = Simulation(world, player_id=self._player_id)
            yield
        run = moves.run(world, terms, keep=keep, sim=self._sim)
        yield from run.steps()
        return run

    def _look_at(self, entry: WalkEntry, moves: KeptMoves, world: World) -> Steps:
        """Find out whether the walk was recorded in this very world."""
        recording = moves.recording
        if recording is None or entry.number in self._trusted:
            entry.differing = ()
            return
        if self._same is None:
            self._same = SameWorld(world)
        entry.differing = tuple((yield from self._same.steps(recording)))
        self._trusted |= set() if entry.differing else {entry.number}

    # --- the new truth

    def _pack(self, entry: WalkEntry, run: Run, moves: KeptMoves) -> None:
        recorded, before = (run.recorded if isinstance(run, WalkRun) else None), moves.recording
        if recorded is not None and before is not None:
            same = self._same
            recorded.identity = dict(before.identity) if same is None or not entry.differing else same.identity(before)
        job = PackTruth(entry, run, moves.is_packed, list(self.document.session.sources))
        job.signals.done.connect(self._on_packed)
        self._packing.append(job)
        background.start(job, apart=True)

    @Slot(int, bytes, str)
    def _on_packed(self, number: int, data: bytes, problem: str) -> None:
        sender = self.sender()
        self._packing = [job for job in self._packing if job.signals is not sender]
        entry = self.kept.find(number)
        if entry is None:
            return
        if not problem and entry.path is None:
            problem = self.kept.accept(entry, data, self.document.done_steps())
        self._since.pop(number, None)
        if problem:
            self.refused.emit(f"What walk ‘{entry.name}’ does now was not kept: {problem}")
        else:
            self.accepted.emit(f"Walk ‘{entry.name}’ is to go from now on as it goes now")
        self._wake()
        self.changed.emit()
