"""Whether any key leads away from a place, by pressing them there; and what a body does that is left alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from engine.explore.findings.trial import Keys, Stand, Start, Trial
from engine.geometry.vec import distance
from engine.sim.tick.controls import Controls
from engine.world.cells.position import into_block

DIRECTIONS: Final = 32
WALKED: Final = 45
"""Ticks for which a direction is held."""

CHARGED: Final = (30, 9, 18)
"""Ticks for which the jump is charged; 30 are a whole one."""

FLIGHT: Final = 60

A_STEP: Final = 0.35
"""Metres within which a body has not come away."""

FLIP: Final = 0.02
"""Metres between the two places of a body that shakes, and 1 mm within which it comes back to each."""
BACK: Final = 0.001

FLIPS: Final = 12
"""Times that it has to come back."""

MOST_PRESSED: Final = 12
"""Places of a trap from which every key is tried."""

Left = Callable[[Stand], bool]


def ways_to_walk() -> Iterator[Keys]:
    """Every direction at a run, half of them at a walk and sideways."""
    for number in range(DIRECTIONS):
        look = _turn(number)
        yield (Controls(forward=1.0, run=True, look=look), *[Controls(forward=1.0, run=True)] * WALKED)
    for number in range(0, DIRECTIONS, 2):
        look = _turn(number)
        yield (Controls(forward=1.0, look=look), *[Controls(forward=1.0)] * WALKED)
    for number in range(0, DIRECTIONS, 8):
        look = _turn(number)
        yield (Controls(side_step=1.0, look=look), *[Controls(side_step=1.0)] * WALKED)


def ways_to_jump() -> Iterator[Keys]:
    """Jumps on the spot, with a direction held when they begin, and with a run-up."""
    for ticks in CHARGED:
        yield (*[Controls(jump=True)] * ticks, *[Controls()] * FLIGHT)
        for number in range(0, DIRECTIONS, 2):
            look = _turn(number)
            flight = [Controls(forward=1.0, run=True)] * FLIGHT
            yield (*[Controls(jump=True)] * ticks, Controls(forward=1.0, run=True, look=look), *flight)
            run_up = [Controls(forward=1.0, run=True, jump=True)] * ticks
            yield (Controls(forward=1.0, run=True, jump=True, look=look), *run_up, *flight)


def _turn(number: int) -> float:
    turn = number * 360.0 / DIRECTIONS
    return turn if turn <= 180.0 else turn - 360.0


def leads_away(trial: Trial, starts: Sequence[Start], before: Keys, ways: Iterator[Keys], has_left: Left) -> bool:
    """Whether any of the ways ends where a body has left, from any of the places, after some keys."""
    for way in ways:
        for start in starts:
            last = trial.end_of(start, (*before, *way))
            if last is None or last.is_lost or (last.on_walkable and has_left(last)):
                return True
    return False


def is_away_from(stand: Stand, other: Stand, by: float = A_STEP) -> bool:
    return distance(into_block(other.home, stand.home, stand.origin), other.origin) > by


def flips(stands: Sequence[Stand]) -> float:
    """Metres between the two places that a body has been changing between since `FLIPS` ticks; 0.0 when it does not."""
    if len(stands) < FLIPS + 2:
        return 0.0
    last = stands[-(FLIPS + 2) :]
    if any(stand.is_lost for stand in last):
        return 0.0
    points = [into_block(last[0].home, stand.home, stand.origin) for stand in last]
    least = math.inf
    for number in range(FLIPS):
        if distance(points[number], points[number + 2]) > BACK:
            return 0.0
        least = min(least, distance(points[number], points[number + 1]))
    return least if least >= FLIP else 0.0
