"""Pacing of frames: slow drawing leaves time for everything else."""

from __future__ import annotations

from typing import Final

SHARE: Final = 0.7
"""Share of the time that drawing may take."""
FLOWING_SHARE: Final = 0.35
BUDGET: Final = 0.55
"""Share of one processor for the whole program while time runs; frames get what ticks and docks leave."""
SLOWEST: Final = 0.16
"""Longest wait between two frames, in seconds, whatever else is busy: the user steers by them."""
LONGEST: Final = 0.1
"""Seconds. A slower frame, such as a world's first, does not predict the next."""
ADAPTING: Final = 0.2
"""Weight of the newest frame in the average cost."""


class Pace:
    """Decides when to draw. All times are in seconds: `now` on any clock, `used` the program's processor time."""

    def __init__(self) -> None:
        self.flowing = False
        self._cost = 0.0
        self._begun_at = 0.0
        self._paid_at = 0.0
        """Processor time at the start of the last frame, less the overrun carried into it."""

    @property
    def cost(self) -> float:
        """The average time of a frame."""
        return self._cost

    def begin(self, now: float, used: float) -> None:
        """Start a frame."""
        debt = used - self._paid_at - BUDGET * (now - self._begun_at)
        self._paid_at = used - min(max(debt, 0.0), LONGEST)
        self._begun_at = now

    def end(self, now: float) -> None:
        """Finish the frame."""
        took = min(now - self._begun_at, LONGEST)
        self._cost += (took - self._cost) * ADAPTING

    def rest(self, now: float, used: float) -> float:
        """Seconds to wait before the next frame."""
        at = self._begun_at + self._cost / (FLOWING_SHARE if self.flowing else SHARE)
        if self.flowing:
            at = max(at, self._begun_at + min((used - self._paid_at) / BUDGET, SLOWEST))
        return max(at - now, 0.0)
