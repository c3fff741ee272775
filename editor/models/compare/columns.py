"""The second run's ticks as columns for the Timeline, and the distance between both bodies."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from editor.models.timeline.columns import Column, Envelope, Stretches
from editor.models.timeline.tick_log import JUMP, TICKS_PER_SECOND
from engine.geometry.constants import BLOCK_LENGTH
from engine.sim.compare.kept import KeptComparison
from engine.sim.recording import INTEGERS, REALS

AT_ONCE: Final = 20_000


class SecondColumns:
    """One value for each tick compared; numbers count from the first."""

    def __init__(self) -> None:
        self.distance = Envelope()
        self.height = Envelope()
        self.speed = Envelope()
        self.heading = Envelope()
        self.cells = Stretches()
        self._differs = Column(np.bool_)

    def __len__(self) -> int:
        return len(self.distance)

    @property
    def differs(self) -> NDArray[np.bool_]:
        return self._differs.values

    def cut(self, count: int) -> None:
        for column in (self.distance, self.height, self.speed, self.heading, self.cells, self._differs):
            column.cut(count)

    def read(self, kept: KeptComparison) -> None:
        """Read what is new."""
        while (first := len(self)) < len(kept):
            self._read(kept, first, min(len(kept), first + AT_ONCE))

    def _read(self, kept: KeptComparison, first: int, last: int) -> None:
        samples, begin = kept.samples[1], max(first - 1, 0)
        reals = np.array(samples.reals[begin * REALS : last * REALS]).reshape(-1, REALS)
        cells = np.array(samples.integers[begin * INTEGERS : last * INTEGERS : INTEGERS], np.int64)
        blocks = np.column_stack((cells >> 24, cells >> 16 & 0xFF, np.zeros(len(cells)))) * BLOCK_LENGTH
        places = reals[:, :3] + np.where((cells == 0)[:, None], np.nan, blocks)
        moved = np.linalg.norm(np.diff(places, axis=0), axis=1)
        if first == begin:
            moved = np.concatenate(([0.0], moved))
        fresh = first - begin
        speed = moved * TICKS_PER_SECOND
        jumped = ~(moved <= JUMP)
        speed[jumped] = np.nan
        breaks = np.flatnonzero(jumped) + first
        heading = reals[:, 6] % 360.0
        turned = np.abs(np.diff(heading))
        wrapped = np.flatnonzero(turned > 180.0) + begin + 1
        self.distance.extend(np.array(kept.distances[first:last]))
        self.height.extend(reals[fresh:, 2], breaks)
        self.speed.extend(speed)
        self.heading.extend(heading[fresh:], np.union1d(breaks, wrapped[wrapped >= first]))
        self.cells.extend(cells[fresh:])
        self._differs.extend(np.array([bool(what) for what in kept.whats[first:last]], np.bool_))
