"""Which boxes are near each other, without comparing all with all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from engine.geometry.elementary import plain_sum
from engine.geometry.vec import Vec3

MOST_SQUARES: Final = 1_000
"""A box over more cubes of the lookup is compared with all others."""

Bounds = tuple[Vec3, Vec3]


def near_pairs(boxes: Sequence[Bounds]) -> Iterator[tuple[int, int]]:
    """The pairs of boxes that may overlap, each once, the smaller number first: those that share a cube of a grid whose
    sides are as long as an average box."""
    if not boxes:
        return
    extents = [high[axis] - low[axis] for low, high in boxes for axis in range(3)]
    side = max(plain_sum(extents) / len(extents), 1.0)
    cubes: dict[tuple[int, ...], list[int]] = {}
    wide: list[int] = []
    for number, (low, high) in enumerate(boxes):
        spans = [range(math.floor(low[axis] / side), math.floor(high[axis] / side) + 1) for axis in range(3)]
        if len(spans[0]) * len(spans[1]) * len(spans[2]) > MOST_SQUARES:
            wide.append(number)
        else:
            for cube in product(*spans):
                cubes.setdefault(cube, []).append(number)
    told: set[tuple[int, int]] = set()
    for there in cubes.values():
        for index, second in enumerate(there):
            for first in there[:index]:
                if (first, second) not in told:
                    told.add((first, second))
                    yield first, second
    for one in wide:
        for other in range(len(boxes)):
            pair = (min(one, other), max(one, other))
            if one != other and pair not in told:
                told.add(pair)
                yield pair
