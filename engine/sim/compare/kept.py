"""A comparison of which every tick is kept, so that any of them can be asked for and the second side shown at it.

    kept = KeptComparison(first, second)
    while kept.step() is not None: ...
    kept.difference(index)                   # a TickDifference
    kept.second_before(index)                # the second side's simulation, led there from the nearest keyframe

Keyframes are packed as in recordings. A recording may grow meanwhile; when it is cut, `cut` follows.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Final

from engine.sim.compare.answers import TickDifference
from engine.sim.compare.comparison import Comparison
from engine.sim.compare.sides import Follower, Side
from engine.sim.keyframes import Keyframes
from engine.sim.recording import Samples
from engine.sim.tick.simulation import Simulation

SPACING: Final = 16
"""Ticks from keyframe to keyframe, as in recordings."""

NOWHERE: Final = (-1, 0)
"""The index before which the simulation that is shown stands, and how many edits it has made there."""


class KeptComparison:
    """Two sides in step, with the ticks of both. Indices count from the first tick."""

    def __init__(self, first: Side, second: Side) -> None:
        self.comparison = Comparison(first, second)
        self.samples = (Samples(), Samples())
        self.distances = array("d")
        self.whats: list[tuple[str, ...]] = []
        self._known: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._keyframes = (Keyframes(), Keyframes())
        self._shown: Follower | None = None
        self._standing = NOWHERE

    def __len__(self) -> int:
        """The ticks compared."""
        return len(self.distances)

    @property
    def whole(self) -> int:
        """The ticks that both sides have."""
        return min(len(side.recording) for side in self.comparison.sides)

    @property
    def lag(self) -> int:
        """The ticks that are left to compare; none once the second side could not go on."""
        return 0 if self.comparison.ended else self.whole - len(self)

    def close(self) -> None:
        self.comparison.close()
        if self._shown is not None:
            self._shown.close()

    # --- asking

    def difference(self, index: int) -> TickDifference:
        one, two = self.samples
        return TickDifference(index, one[index], two[index], self.distances[index], self.whats[index])

    def differences(self, first: int, last: int) -> Iterator[TickDifference]:
        return (self.difference(index) for index in range(first, last))

    def second_before(self, index: int) -> Simulation | None:
        """The second side before a tick, or None beyond what was compared: to be read, and not to be changed.

        At the end of the recording the edits that no tick has seen are made, as for the first side.
        """
        if not 0 <= index <= len(self):
            return None
        self.comparison.start()
        running = self.comparison.two
        pending = self._pending(index)
        if index == running.index and not pending:
            return running.sim
        if self._standing == (index, pending) and self._shown is not None:
            return self._shown.sim
        self._keep_keyframe()
        if self._shown is None:
            self._shown = Follower(running.side)
        self._lead(self._shown, index)
        if pending:
            self._shown.make_edits()
        self._standing = (index, pending)
        return self._shown.sim

    def _lead(self, shown: Follower, index: int) -> None:
        """From where it stands if that is nearer than the last keyframe; the tick before runs, for its report."""
        keyframes = self._keyframes[1]
        number = keyframes.at_or_before(max(index - 1, 0))
        (at, edits), self._standing = self._standing, NOWHERE
        if edits or not keyframes.ticks[number] <= at <= index:
            shown.go_to(keyframes.ticks[number], keyframes.snapshot(number))
        shown.run_to(index)

    def _pending(self, index: int) -> int:
        recording = self.comparison.two.side.recording
        return len(recording.edits.get(recording.end, ())) if index == len(recording) else 0

    # --- running

    def step(self) -> TickDifference | None:
        """Run the next tick on both sides; None when there is none."""
        comparison = self.comparison
        comparison.start()
        if comparison.is_at_end:
            return None
        self._keep_keyframe()
        tick = comparison.step()
        if tick is None:
            return None
        self.samples[0].add(tick.first)
        self.samples[1].add(tick.second)
        self.distances.append(tick.distance)
        self.whats.append(self._known.setdefault(tick.what, tick.what))
        return tick

    def _keep_keyframe(self) -> None:
        index = len(self)
        if index % SPACING or self._keyframes[0].at_or_before(index) * SPACING == index:
            return
        for keyframes, follower in zip(self._keyframes, (self.comparison.one, self.comparison.two), strict=True):
            keyframes.add(index, follower.sim.snapshot())

    def cut(self, count: int) -> None:
        """The recording has lost the ticks from that index on."""
        if count > len(self) or (count == len(self) and not self.comparison.ended):
            return
        comparison = self.comparison
        one, two = (keyframes.snapshot(keyframes.at_or_before(count)) for keyframes in self._keyframes)
        nearest = self._keyframes[0].ticks[self._keyframes[0].at_or_before(count)]
        comparison.return_to(one, two, self.differences(0, nearest))
        for keyframes, samples in zip(self._keyframes, self.samples, strict=True):
            keyframes.cut(nearest)
            samples.cut(nearest)
        del self.distances[nearest:], self.whats[nearest:]
        self._standing = NOWHERE
