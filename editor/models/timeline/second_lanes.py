"""The second of two runs in the Timeline: beside the first one in its lanes, and how far apart they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from editor.models.timeline.lanes import Lane, LaneKind

if TYPE_CHECKING:
    from editor.models.compare.watch import CompareWatch

APART: Final = "apart"
LEAST_APART: Final = 0.01
"""Metres: the least height of the axis of the distance."""


def with_second(lanes: Sequence[Lane], watch: CompareWatch) -> list[Lane]:
    """The lanes with the second run in them, and one of the distance after the cells; as they are without one."""
    if not watch.is_on:
        return list(lanes)
    columns = {"height": watch.height, "speed": watch.speed, "heading": watch.heading}
    found = []
    for lane in lanes:
        if lane.kind is LaneKind.CELLS:
            found += [replace(lane, second_cells=watch.cells), apart_lane(watch)]
        else:
            found.append(replace(lane, second=columns.get(lane.id)))
    return found


def apart_lane(watch: CompareWatch) -> Lane:
    curve = LaneKind.CURVE
    return Lane(
        APART, APART, curve, "m", "second", watch.distance, LEAST_APART, from_zero=True, decimals=3, filled=True
    )


def parting_tick(watch: CompareWatch | None, first: int) -> int | None:
    """The first tick in which anything differs, as the Timeline counts them: the recording's first is `first`."""
    if watch is None or not watch.is_on:
        return None
    parting = watch.seen or watch.first
    return None if parting is None else first + parting.index
