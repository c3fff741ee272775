"""Finds the ticks of a recording for which a condition holds.

Ticks that their samples decide are not run. The others run again in a simulation that is led there from the nearest
keyframe; ticks in a row continue each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.sim.conditions.meaning import holds
from engine.sim.conditions.moment import Moment, standing_in
from engine.sim.conditions.watch import ConditionWatch
from engine.sim.conditions.words import Condition
from engine.sim.playback import Playback
from engine.sim.recording import Recording
from engine.sim.tick.simulation import Simulation
from engine.world.graph.graph import NO_CELL

AT_ONCE: Final = 64
"""Ticks that samples decide between two steps of a search: a quarter of a millisecond."""


class ConditionSearch:
    """Searches a recording tick by tick in a simulation of its own, which has to be one of the recording's world.

    `tick` is the next one to decide. The recording may grow meanwhile; when it is cut, `cut` follows.
    """

    def __init__(self, sim: Simulation, recording: Recording, condition: Condition) -> None:
        self.sim = sim
        self.recording = recording
        self.condition = condition
        self.tick = recording.first_tick
        self.found: list[int] = []
        """The ticks for which it holds, ascending."""
        self._playback = Playback(sim, recording)
        self._watch: ConditionWatch | None = None
        self._answer: tuple[int, bool] = (-1, False)
        self._led = False
        """The simulation was led along the recording by this search, and nothing else has moved it since."""

    def close(self) -> None:
        """Let go of the simulation, which stays open."""
        if self._watch is not None:
            self._watch.close()
            self._watch = None
        self._led = False

    @property
    def is_done(self) -> bool:
        return self.tick >= self.recording.end

    def cut(self) -> None:
        """The recording has lost its last ticks."""
        end = self.recording.end
        self.tick = min(self.tick, end)
        while self.found and self.found[-1] >= end:
            self.found.pop()
        self.close()

    def run(self) -> list[int]:
        """The whole recording at once."""
        for _ in self.steps():
            pass
        return self.found

    def steps(self) -> Iterator[None]:
        """Decide all ticks, with a pause after each piece of work; raises a SimError when one cannot be replayed.

        After any other call the steps are asked for anew.
        """
        read = 0
        while not self.is_done:
            answer = self._read(self.tick)
            if answer is None:
                yield from self._lead()
                self._decide(self._rerun(self.tick))
                yield
                continue
            self._decide(answer)
            read += 1
            if read == AT_ONCE:
                read = 0
                yield

    def _decide(self, answer: bool) -> None:
        if answer:
            self.found.append(self.tick)
        self.tick += 1

    def _read(self, tick: int) -> bool | None:
        """What the samples say. They say nothing certain of a tick before which something was edited, or around
        which he is in no cell."""
        recording, number = self.recording, tick - self.recording.first_tick
        if number == 0 or tick in recording.edits:
            return None
        before, after = standing_in(recording.samples[number - 1]), standing_in(recording.samples[number])
        if NO_CELL in (before.cell, after.cell):
            return None
        return holds(self.condition, Moment(before, after, sim=self.sim))

    def _lead(self) -> Iterator[None]:
        """Bring the simulation before the next tick, with the watch listening."""
        keyframes, at = self.recording.keyframes, self._playback.tick
        number = keyframes.at_or_before(self.tick)
        nearest = self.tick if number < 0 else keyframes.ticks[number]
        if not self._led or not nearest <= at <= self.tick:
            self._playback.seek(nearest)
            self._led = True
            if self._watch is None:
                self._watch = ConditionWatch(self.sim, [self.condition], self._hear)
            self._watch.stand()
            yield
        while self._playback.tick < self.tick:
            self._playback.step()
            yield

    def _rerun(self, tick: int) -> bool:
        self._playback.step()
        heard, answer = self._answer
        assert heard == tick
        return answer

    def _hear(self, tick: int, found: list[str]) -> None:
        self._answer = (tick, found[0] != "")
