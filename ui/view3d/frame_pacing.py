"""When the next picture is drawn: where drawing is slow it leaves time for the rest."""

from __future__ import annotations

from typing import Final

SHARE: Final = 0.7
"""Of the time that drawing may take."""
FLOWING_SHARE: Final = 0.35
BUDGET: Final = 0.55
"""Of one processor that all of the program may take while time flows, when ticks, docks and pictures come all the time:
what ticks and docks leave of it is for pictures."""
SLOWEST: Final = 0.16
"""Seconds between two pictures, however much the rest takes: somebody steers by them."""
LONGEST: Final = 0.1
"""Seconds: a picture that takes longer, the first one of a world, is no measure for the next."""
ADAPTING: Final = 0.2
"""How much a picture counts for what pictures take."""


class Pace:
    """All times are in seconds: `now` on any clock, `used` what the program has used of the processors."""

    def __init__(self) -> None:
        self.flowing = False
        self._cost = 0.0
        self._begun_at = 0.0
        self._paid_at = 0.0
        """How much was used when the last picture was begun, less what was used too much until then."""

    def begin(self, now: float, used: float) -> None:
        """A picture is drawn."""
        debt = used - self._paid_at - BUDGET * (now - self._begun_at)
        self._paid_at = used - min(max(debt, 0.0), LONGEST)
        self._begun_at = now

    def end(self, now: float) -> None:
        """It is there."""
        took = min(now - self._begun_at, LONGEST)
        self._cost += (took - self._cost) * ADAPTING

    def rest(self, now: float, used: float) -> float:
        """How long to wait before the next one."""
        at = self._begun_at + self._cost / (FLOWING_SHARE if self.flowing else SHARE)
        if self.flowing:
            at = max(at, self._begun_at + min((used - self._paid_at) / BUDGET, SLOWEST))
        return max(at - now, 0.0)
