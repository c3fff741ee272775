"""Waves, lengths and curves over whole fields, the same to the last bit on every system.

numpy's own sines, powers and lengths vary with the processor and the C library. Additions, products, quotients and
square roots of arrays do not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_LAST: Final = 13
"""The highest power of the sine's series: within 10^-9 over a quarter turn."""


def waves(angles: NDArray[Any]) -> NDArray[np.float32]:
    """The sines of angles in radians, near enough for pictures."""
    turns = angles.astype(np.float64) / (2.0 * math.pi)
    turns -= np.floor(turns + 0.5)
    turns = np.where(turns > 0.25, 0.5 - turns, np.where(turns < -0.25, -0.5 - turns, turns))
    x = turns * (2.0 * math.pi)
    square = x * x
    term, total = x, x
    for power in range(3, _LAST + 1, 2):
        term = -term * square / float(power * (power - 1))
        total = total + term
    return np.asarray(total, np.float32)


def lengths(across: NDArray[Any], down: NDArray[Any]) -> NDArray[np.float32]:
    """How far points are from the origin."""
    x, y = across.astype(np.float64), down.astype(np.float64)
    return np.sqrt(x * x + y * y).astype(np.float32)


def along(field: NDArray[Any], stops: Sequence[float], values: Sequence[float]) -> NDArray[np.float64]:
    """The values at ascending stops, and straight lines between them; the outermost ones beyond."""
    x = np.asarray(field, np.float64)
    at, value = np.array(stops, np.float64), np.array(values, np.float64)
    left = np.clip(np.searchsorted(at, x, side="right") - 1, 0, len(at) - 2)
    part = np.clip((x - at[left]) / (at[left + 1] - at[left]), 0.0, 1.0)
    return np.asarray(value[left] + (value[left + 1] - value[left]) * part, np.float64)
