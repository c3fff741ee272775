"""The past of the session: everything is recorded, so any tick can be shown again, and time can go on from there.

The past is read-only. Ticks taken there are those that were recorded; at the recording's end the present begins again,
with the edits that were made in it and have seen no tick yet.
"""

from __future__ import annotations

from engine.sim.playback import Playback
from engine.sim.recording import Recorder, Recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation


class History:
    """One simulation and its recording from now on, or one that goes on from an older recording's end."""

    def __init__(self, sim: Simulation, source: str, recording: Recording | None = None) -> None:
        self.sim = sim
        self._recorder = Recorder(sim, source, recording=recording)
        self._playback = Playback(sim, self.recording)
        if recording is not None:
            self._playback.make_edits()  # those that no tick has seen
        self.branches = 0
        """How often time has gone on from the past."""

    @property
    def recording(self) -> Recording:
        return self._recorder.recording

    def kept(self) -> tuple[Recording, set[int]]:
        """A copy of the recording so far, to be put into a file, and the landblocks that it came near to."""
        return self._recorder.so_far(), self._recorder.landblocks

    @property
    def now(self) -> int:
        """The number of the tick that comes next."""
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
        """The next tick: in the past the recorded one, whatever keys are held."""
        if not self.in_past:
            return self.sim.tick(controls)
        report = self._playback.step()
        self._settle()
        return report

    def go_to(self, tick: int) -> None:
        """Be where the session was before a tick, with the report of the one before it where there was one."""
        tick = min(max(tick, self.first), self.end)
        if tick > self.first:
            self._playback.seek(tick - 1)
            self._playback.step()
            self._settle()
        else:
            self._playback.seek(tick)

    def _settle(self) -> None:
        """Where the recording ends, the edits that no tick has seen are a part of the present."""
        if self.now == self.end:
            self._playback.make_edits()

    def continue_here(self) -> int:
        """Forget what came after the tick that is shown; how many ticks that were."""
        lost = self.end - self.now
        self._playback.branch(self.now)
        self.branches += 1
        return lost
