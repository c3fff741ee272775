"""The floors that a search has reached, coloured by how or by how soon, and walkable ones that nobody came to.

Each state is a square of the search's grid. Squares of one colour in a row are one strip: a landblock has hundreds of
thousands of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.vec import Vec3
from engine.render.overlays.geometry import Colour, Triangles
from engine.render.overlays.palette import (
    ACCEPTED,
    ADJUSTED,
    BUILDING_PORTAL,
    FAULT,
    NEITHER,
    VISIBLE,
    faint,
)

GRID: Final = 0.25
"""Metres of a square."""
STOREY: Final = 0.5
"""Metres of height between squares that are over each other."""
RISE: Final = 0.03
"""Metres above the floor."""
FILL: Final = 0.5
HIDDEN: Final = 0.12
"""Of the strength, behind walls."""

BY_HOW: Final[tuple[Colour, ...]] = (ACCEPTED, ACCEPTED, BUILDING_PORTAL, ADJUSTED)
"""By the number of the way: seed, walk, fall, jump."""
SOON: Final = (2.0, 5.0, 10.0, 20.0, 40.0)
"""Seconds from one colour to the next."""
BY_SOON: Final[tuple[Colour, ...]] = (
    VISIBLE,
    (150, 206, 84, 255),
    (240, 200, 76, 255),
    ADJUSTED,
    (236, 126, 196, 255),
    (170, 110, 220, 255),
)
UNREACHED: Final = FAULT
STALE: Final = NEITHER
TICKS_PER_SECOND: Final = 30.0

Floats = NDArray[np.float64]


class ReachColours(Enum):
    """What the colours tell; the values are words for it."""

    HOW = "how"
    SOON = "how soon"


def classes_of(how: NDArray[np.integer], ticks: NDArray[np.integer], colours: ReachColours) -> NDArray[np.intp]:
    """The number of each state's colour in `BY_HOW` or `BY_SOON`."""
    if colours is ReachColours.HOW:
        return np.minimum(how.astype(np.intp), len(BY_HOW) - 1)
    return np.searchsorted(np.array(SOON), ticks / TICKS_PER_SECOND, side="right")


def reach_floors(
    block_id: int, places: Floats, classes: NDArray[np.intp], colours: Sequence[Colour], grid: float = GRID
) -> Triangles:
    """Strips under places of soles (n, 3), which are in the landblock's coordinates; of states in the same square the
    first class counts."""
    if not len(places):
        return Triangles(block_id, np.zeros((0, 3, 3)), np.zeros((0, 4), np.uint8), HIDDEN)
    column = np.floor(places[:, 0] / grid).astype(np.int64)
    row = np.floor(places[:, 1] / grid).astype(np.int64)
    storey = np.floor(places[:, 2] / STOREY).astype(np.int64)
    order = np.lexsort((classes, column, storey, row))
    column, row, storey, classes = column[order], row[order], storey[order], classes[order]
    heights = places[:, 2][order]
    same_row = (row[1:] == row[:-1]) & (storey[1:] == storey[:-1])
    first = np.concatenate(([True], ~(same_row & (column[1:] == column[:-1]))))
    column, row, storey, classes, heights = column[first], row[first], storey[first], classes[first], heights[first]
    joined = (row[1:] == row[:-1]) & (storey[1:] == storey[:-1]) & (column[1:] == column[:-1] + 1)
    starts = np.concatenate(([True], ~(joined & (classes[1:] == classes[:-1]))))
    begin = np.flatnonzero(starts)
    end = np.concatenate((begin[1:], [len(starts)])) - 1
    west, east = column[begin] * grid, (column[end] + 1) * grid
    south, north = row[begin] * grid, (row[begin] + 1) * grid
    low, high = heights[begin] + RISE, heights[end] + RISE
    a, b, c, d = (
        np.stack(corner, axis=1)
        for corner in ((west, south, low), (east, south, high), (east, north, high), (west, north, low))
    )
    points = np.stack([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)], axis=1).reshape(-1, 3, 3)
    table = np.array([faint(colour, FILL) for colour in colours], np.uint8)
    return Triangles(block_id, points, np.repeat(table[classes[begin]], 2, axis=0), HIDDEN)


def unreached_floors(block_id: int, floors: Sequence[Sequence[Vec3]]) -> Triangles:
    """Convex floors that nobody came to."""
    points = [(corners[0], corners[i], corners[i + 1]) for corners in floors for i in range(1, len(corners) - 1)]
    raised = np.array(points, np.float64).reshape(-1, 3, 3) + np.array((0.0, 0.0, RISE))
    return Triangles(block_id, raised, np.tile(np.array(faint(UNREACHED, FILL), np.uint8), (len(raised), 1)), HIDDEN)


def stale_colours(count: int) -> tuple[Colour, ...]:
    """As many of the colour of what an edit has made uncertain."""
    return (STALE,) * count


def joined(parts: Sequence[Triangles]) -> list[Triangles]:
    """As few batches as landblocks."""
    by_block: dict[int, list[Triangles]] = {}
    for part in parts:
        if len(part):
            by_block.setdefault(part.block_id, []).append(part)
    return [
        Triangles(
            block_id,
            np.concatenate([part.points for part in some]),
            np.concatenate([part.colours for part in some]),
            HIDDEN,
        )
        for block_id, some in by_block.items()
    ]
