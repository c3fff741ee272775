"""The light of a day in worlds without a Region, such as dumps and scenes: the client has none for them.

By day it is that of a world without keyframes (rendering.md 20.1). Towards the evening sun and sky redden and grow
dim together, so that the one colour of the sky always goes with the light of the ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.geometry.vec import Vec3
from engine.render.draws import Daylight
from engine.render.sky import HAZE, NO_AMBIENT, NO_SUN


@dataclass(frozen=True)
class _Hour:
    """`begin` is a part of the day; the numbers are those of `Daylight`."""

    begin: float
    sun: Vec3
    sun_colour: Vec3
    ambient: float
    ambient_colour: Vec3
    sky: Vec3

    @property
    def numbers(self) -> tuple[float, ...]:
        return (*self.sun, *self.sun_colour, self.ambient, *self.ambient_colour, *self.sky)


WHITE: Final = (1.0, 1.0, 1.0)
MOONLIGHT: Final = (0.5, 0.56, 0.75)
NIGHT_AMBIENT: Final = (0.4, 0.46, 0.66)
NIGHT_SKY: Final = (0.06, 0.08, 0.13)


def _night(begin: float) -> _Hour:
    return _Hour(begin, (0.0, 0.0, 0.15), MOONLIGHT, 0.24, NIGHT_AMBIENT, NIGHT_SKY)


def _day(begin: float) -> _Hour:
    return _Hour(begin, NO_SUN, WHITE, NO_AMBIENT, WHITE, HAZE)


HOURS: Final = (
    _night(0.0),
    _night(0.18),
    _Hour(0.25, (0.7, 0.0, 0.25), (1.0, 0.74, 0.54), 0.34, (0.86, 0.8, 0.78), (0.74, 0.58, 0.48)),
    _day(0.32),
    _day(0.67),
    _Hour(0.75, (-0.7, 0.0, 0.25), (1.0, 0.68, 0.46), 0.34, (0.88, 0.78, 0.76), (0.76, 0.52, 0.40)),
    _Hour(0.79, (-0.35, 0.0, 0.06), (0.9, 0.5, 0.4), 0.3, (0.62, 0.56, 0.66), (0.36, 0.26, 0.28)),
    _night(0.84),
    _night(1.0),
)
_BEGINS: Final = [hour.begin for hour in HOURS]
_NUMBERS: Final = np.array([hour.numbers for hour in HOURS]).T


def plain_daylight(time: float) -> Daylight:
    """Sun, ambient light and the colour of the sky at a time of day in [0, 1); there is no fog."""
    found = [float(np.interp(time, _BEGINS, row)) for row in _NUMBERS]

    def vector(first: int) -> Vec3:
        return (found[first], found[first + 1], found[first + 2])

    return Daylight(time, vector(0), vector(3), found[6], vector(7), None, vector(10))
