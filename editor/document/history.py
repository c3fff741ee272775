"""The past of the session: everything is recorded, so any tick can be shown again, and time can resume from there.

The past is read-only. Ticks there are the recorded ones; at the recording's end the present begins again, with the
edits that were made in it and that no tick has seen yet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.sim.edits.edit import Edit
from engine.sim.playback import Playback
from engine.sim.recording import Recorder, Recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation


@dataclass(frozen=True)
class Mark:
    """An end of the recording: the number of the tick that would come next, and the edits that no tick has seen."""

    end: int
    edits: tuple[Edit, ...]


class History:
    """One simulation and its recording, new or continued from an older recording's end."""

    def __init__(self, sim: Simulation, source: str, recording: Recording | None = None) -> None:
        self.sim = sim
        self._recorder = Recorder(sim, source, recording=recording)
        self._playback = Playback(sim, self.recording)
        if recording is not None:
            self._playback.make_edits()  # the edits that no tick has seen
        self.branches = 0
        """How often time has resumed from the past."""

    @property
    def recording(self) -> Recording:
        return self._recorder.recording

    def kept(self) -> tuple[Recording, set[int]]:
        """A copy of the recording so far, for a file, and the landblocks that the run came near to."""
        return self._recorder.so_far(), self._recorder.landblocks

    @property
    def now(self) -> int:
        """The number of the next tick."""
        return self.sim.tick_number

    @property
    def first(self) -> int:
        """The earliest tick that can be shown."""
        return self.recording.first_tick

    @property
    def end(self) -> int:
        """The tick of the present."""
        return self.recording.end

    @property
    def in_past(self) -> bool:
        return not self._recorder.is_at_end

    def tick(self, controls: Controls) -> TickReport:
        """Run the next tick; in the past the recorded one, whatever keys are held."""
        if not self.in_past:
            return self.sim.tick(controls)
        report = self._playback.step()
        self._settle()
        return report

    def go_to(self, tick: int, arriving: Callable[[], None]) -> None:
        """Go to before a tick, with the report of the tick before it if there is one; `arriving` is called before that
        one runs."""
        tick = min(max(tick, self.first), self.end)
        try:
            self._playback.seek(max(tick - 1, self.first))
        finally:
            arriving()
        if tick > self.first:
            self._playback.step()
            self._settle()

    def _settle(self) -> None:
        """At the recording's end, apply the edits that no tick has seen: they belong to the present."""
        if self.now == self.end:
            self._playback.make_edits()

    def mark(self) -> Mark:
        """The end of what is recorded now, for `cut_back`."""
        return Mark(self.end, tuple(self.recording.edits.get(self.end, ())))

    def cut_back(self, mark: Mark) -> None:
        """Discard what was recorded after a mark, edits and ticks. The simulation has to be brought there as well."""
        self.recording.cut(mark.end)
        if mark.edits:
            self.recording.edits[mark.end] = list(mark.edits)
        self.branches += 1

    def continue_here(self) -> int:
        """Discard everything after the tick that is shown; returns how many ticks that were."""
        lost = self.end - self.now
        self._playback.branch(self.now)
        self.branches += 1
        return lost
