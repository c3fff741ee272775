"""Smooth motion for cameras: springs that never overshoot, and the client's own stiffness (rendering.md 21.2).

Time is an argument everywhere; the same steps give the same motion.
"""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.vec import Vec3

LONGEST_STEP: Final = 0.25
"""In seconds; after a longer pause a camera advances by this much only."""


def stiffness_part(stiffness: float, dt: float) -> float:
    """The part of the way to the sought frame that the client's camera goes in one update."""
    return min(1.0, max(0.0, stiffness * dt * 10.0))


def turn_between(here: float, there: float) -> float:
    """The shorter way in degrees from one heading to another, −180 to 180."""
    return (there - here + 180.0) % 360.0 - 180.0


def clamp(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


class Spring:
    """A number that follows its goal: critically damped, exact for any length of step."""

    def __init__(self, value: float, seconds: float) -> None:
        """`seconds` is about how long it takes to arrive."""
        self.value = value
        self.goal = value
        self.speed = 0.0
        self._rate = 6.0 / seconds  # (1 + 6)·exp(−6): less than two hundredths of the way are left

    def snap(self, value: float) -> None:
        self.value = self.goal = value
        self.speed = 0.0

    def step(self, dt: float) -> float:
        away = self.value - self.goal
        bend = self.speed + self._rate * away
        left = math.exp(-self._rate * dt)
        self.value = self.goal + (away + bend * dt) * left
        self.speed = (self.speed - self._rate * bend * dt) * left
        return self.value


class VecSpring:
    """A point that follows another."""

    def __init__(self, value: Vec3, seconds: float) -> None:
        self._axes = [Spring(part, seconds) for part in value]

    @property
    def value(self) -> Vec3:
        x, y, z = self._axes
        return (x.value, y.value, z.value)

    @property
    def goal(self) -> Vec3:
        x, y, z = self._axes
        return (x.goal, y.goal, z.goal)

    @goal.setter
    def goal(self, goal: Vec3) -> None:
        for axis, part in zip(self._axes, goal, strict=True):
            axis.goal = part

    def snap(self, value: Vec3) -> None:
        for axis, part in zip(self._axes, value, strict=True):
            axis.snap(part)

    def shift(self, by: Vec3) -> None:
        """The same motion in other coordinates."""
        for axis, part in zip(self._axes, by, strict=True):
            axis.value += part
            axis.goal += part

    def step(self, dt: float) -> Vec3:
        for axis in self._axes:
            axis.step(dt)
        return self.value
