"""Places the labels of the time axis: round in ticks and in seconds, and far enough apart to read."""

from __future__ import annotations

import math
from typing import Final

from editor.models.timeline.tick_log import TICKS_PER_SECOND

STEPS: Final = (1, 2, 5, 10, 15, 30, 60, 150, 300, 600, 900, 1800, 3600, 9000, 18000, 36000, 54000, 108000)
"""Ticks between two labels; 30 are a second."""
APART: Final = 112.0
"""Pixels between two labels."""


def time_ticks(low: float, high: float, width: float) -> list[tuple[float, str]]:
    """The labels of the ticks from `low` to `high` on so many pixels."""
    if high <= low or width <= 0.0:
        return []
    least = (high - low) / width * APART
    step = next((step for step in STEPS if step >= least), math.ceil(least / STEPS[-1]) * STEPS[-1])
    first = math.ceil(low / step) * step
    return [(float(tick), label(tick, step)) for tick in range(first, math.floor(high) + 1, step)]


def label(tick: int, step: int = 1) -> str:
    """A tick and its time, as precisely as the labels need it."""
    return f"{tick:,} · {clock(tick, step)}"


def clock(tick: int, step: int = 1) -> str:
    """The time at the beginning of a tick: seconds, from one minute on minutes and seconds."""
    seconds = tick / TICKS_PER_SECOND
    digits = 0 if step % 30 == 0 else 1 if step % 3 == 0 else 2
    if seconds < 60.0:
        return f"{seconds:.{digits}f} s"
    minutes, rest = divmod(seconds, 60.0)
    whole = f"{rest:0{3 + digits if digits else 2}.{digits}f}"
    return f"{int(minutes)}:{whole}"
