"""Turns a part of a column into the points of a curve: as few as the pixels need, without losing a peak."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from editor.models.timeline.columns import BLOCK, Envelope, Numbers, Whole

NEAR: Final = 2.0
"""A part of a curve shares the axis of another if it is at most this many times its height away."""


def polyline(column: Envelope, first: int, last: int, width: int) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
    """The points of the numbers from `first` up to `last` on so many pixels: their numbers, their values, and whether
    each is joined to the next. Where there are more numbers than pixels, each pixel has its least and greatest."""
    first, last = max(first, 0), min(last, len(column))
    if last <= first or width < 1:
        return np.empty(0), np.empty(0), np.empty(0, np.bool_)
    count = last - first
    if count <= 2 * width:
        values = column.values[first:last].copy()
        joined = np.ones(count, np.bool_)
        breaks = _between(column.breaks, first + 1, last)
        joined[breaks - first - 1] = False
        return _without_gaps(np.arange(first, last, dtype=np.float64), values, joined)
    step = -(-count // width)
    starts, lows, highs = _buckets(column, first, last, step)
    joined = np.ones(2 * len(starts), np.bool_)
    broken = np.flatnonzero(np.isin(starts, _between(column.breaks, first + 1, last)))
    joined[2 * broken - 1] = False
    x = np.repeat(starts.astype(np.float64), 2)
    y = np.column_stack((lows, highs)).ravel()
    return _without_gaps(x, y, joined)


def _between(numbers: Whole, first: int, last: int) -> Whole:
    return numbers[np.searchsorted(numbers, first) : np.searchsorted(numbers, last)]


def _buckets(column: Envelope, first: int, last: int, step: int) -> tuple[Whole, Numbers, Numbers]:
    """Bucket the values at multiples of the step, so that a curve does not shimmer while it moves."""
    if step < BLOCK:
        units: Whole = np.arange(first, last)
        lows = highs = column.values[first:last]
    else:
        units, lows, highs = column.blocks
        a = max(int(np.searchsorted(units, first, side="right")) - 1, 0)
        b = int(np.searchsorted(units, last))
        units, lows, highs = units[a:b], lows[a:b], highs[a:b]
    edges = np.arange(first - first % step, last, step)
    edges = np.concatenate((edges, _between(column.breaks, first, last)))
    at = np.unique(np.searchsorted(units, edges))
    at = at[at < len(units)]
    return units[at], np.fmin.reduceat(lows, at), np.fmax.reduceat(highs, at)


def _without_gaps(x: Numbers, y: Numbers, joined: NDArray[np.bool_]) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
    """Disconnect unknown points from their neighbours."""
    unknown = np.isnan(y)
    if unknown.any():
        y[unknown] = 0.0
        joined[unknown] = False
        joined[:-1][unknown[1:]] = False
    return x, y, joined


def axis_range(column: Envelope, first: int, last: int, least: float) -> tuple[float, float]:
    """The ends of an axis for the numbers from `first` up to `last`, at least `least` apart.

    A jump to another place does not stretch it: the axis is that of the longest unbroken part and of those near to
    it; what is far away lies off the scale.
    """
    first, last = max(first, 0), min(last, len(column))
    if last <= first:
        return 0.0, least
    starts, lows, highs = _parts(column, first, last)
    known = ~np.isnan(lows)
    if not known.any():
        return 0.0, least
    lengths = np.diff(np.append(starts, last))[known]
    lows, highs = lows[known], highs[known]
    longest = int(np.argmax(lengths))
    low, high = float(lows[longest]), float(highs[longest])
    while True:
        reach = NEAR * max(high - low, least)
        near = (lows <= high + reach) & (highs >= low - reach)
        grown = min(low, float(lows[near].min())), max(high, float(highs[near].max()))
        if grown == (low, high):
            break
        low, high = grown
    lacking = max(least - (high - low), 0.0) / 2.0
    return low - lacking, high + lacking


def _parts(column: Envelope, first: int, last: int) -> tuple[Whole, Numbers, Numbers]:
    """The unbroken parts: the start, minimum and maximum of each."""
    starts, lows, highs = column.blocks
    a = max(int(np.searchsorted(starts, first, side="right")) - 1, 0)
    b = int(np.searchsorted(starts, last))
    if b - a <= 4:  # few blocks: the values themselves are exact at both ends
        edges = np.concatenate(([first], _between(column.breaks, first + 1, last)))
        values = column.values[first:last]
        return edges, np.fmin.reduceat(values, edges - first), np.fmax.reduceat(values, edges - first)
    breaks = _between(column.breaks, first + 1, last)
    at = np.concatenate(([0], np.searchsorted(starts[a:b], breaks)))
    return (
        np.concatenate(([first], breaks)),
        np.fmin.reduceat(lows[a:b], at),
        np.fmax.reduceat(highs[a:b], at),
    )
