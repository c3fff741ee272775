"""Lays out the nodes of a cell graph: rooms stay where they are as far as the picture remains readable.

Distances between rooms are scaled to the size of a node, empty land between houses is folded, overlapping nodes are
pushed apart, and storeys are stacked. The order is fixed, and nothing is random.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

NODE_WIDTH: Final = 112.0
NODE_HEIGHT: Final = 30.0
GAP_X, GAP_Y = 22.0, 24.0
PITCH_X: Final = NODE_WIDTH + GAP_X
PITCH_Y: Final = NODE_HEIGHT + GAP_Y
WIDEST_VOID: Final = 1.4
"""Pitches that an empty strip between rooms keeps."""

ROUNDS: Final = 60
BAND_MARGIN: Final = 34.0
"""The distance between the outermost nodes of a storey and the next storey."""

Point = tuple[float, float]


@dataclass(frozen=True)
class NodeSpot:
    """The wanted place of a node: metres east and north, and its storey."""

    east: float
    north: float
    storey: int


def lay_out(spots: Sequence[NodeSpot], storeys: int) -> list[Point]:
    """The middle of each node, x to the right and y downwards; no two nodes overlap."""
    if not spots:
        return []
    metres = usual_distance(spots)
    xs = _folded([spot.east * PITCH_X / metres for spot in spots], PITCH_X * WIDEST_VOID)
    ys = _folded([-spot.north * PITCH_Y / metres for spot in spots], PITCH_Y * WIDEST_VOID)
    places = list(zip(xs, ys, strict=True))
    base = 0.0
    for storey in reversed(range(max(storeys, 1))):
        mine = [index for index, spot in enumerate(spots) if spot.storey == storey]
        apart = _separated([places[index] for index in mine])
        top = min((y for _, y in apart), default=0.0)
        for index, (x, y) in zip(mine, apart, strict=True):
            places[index] = (x, y - top + base)
        if apart:
            base += max(y for _, y in apart) - top + NODE_HEIGHT + BAND_MARGIN * 2.0
    return places


def bands_of(nodes: Sequence[tuple[int, float]], storeys: int) -> list[Point]:
    """Top and bottom of each storey, from the storeys and heights of the nodes in it."""
    bands = []
    reach = NODE_HEIGHT / 2.0 + BAND_MARGIN - 4.0
    for storey in range(storeys):
        ys = [y for number, y in nodes if number == storey] or [0.0]
        bands.append((min(ys) - reach, max(ys) + reach))
    return bands


def usual_distance(spots: Sequence[NodeSpot]) -> float:
    """The typical distance in metres from a room to the nearest one of its storey."""
    storeys: dict[int, list[NodeSpot]] = {}
    for spot in sorted(spots, key=lambda spot: spot.east):
        storeys.setdefault(spot.storey, []).append(spot)
    away = (_nearest(index, row) for row in storeys.values() for index in range(len(row)))
    nearest = [distance for distance in away if distance < math.inf]
    return median(nearest) if nearest else 4.0


def _nearest(index: int, row: Sequence[NodeSpot]) -> float:
    """The distance in metres to the nearest spot at another place. Spots are sorted from west to east, so the search
    stops at the first one that is too far."""
    spot, near = row[index], math.inf
    for others in (range(index + 1, len(row)), range(index - 1, -1, -1)):
        for place in others:
            other = row[place]
            if abs(other.east - spot.east) >= near:
                break
            distance = math.hypot(spot.east - other.east, spot.north - other.north)
            if distance > 0.1:
                near = min(near, distance)
    return near


def _folded(values: list[float], widest: float) -> list[float]:
    """The values in the same order, with every gap limited to `widest`."""
    order = sorted(range(len(values)), key=lambda index: (values[index], index))
    folded = [0.0] * len(values)
    for before, index in pairwise(order):
        folded[index] = folded[before] + min(values[index] - values[before], widest)
    return folded


def _separated(places: list[Point]) -> list[Point]:
    """Push overlapping nodes apart, each pair along the shorter direction; remaining overlaps go to the right."""
    xs, ys = [x for x, _ in places], [y for _, y in places]
    for _ in range(ROUNDS):
        if not _push_apart(xs, ys):
            break
    return _swept(xs, ys)


def _push_apart(xs: list[float], ys: list[float]) -> bool:
    moved = False
    order = sorted(range(len(xs)), key=lambda index: (xs[index], ys[index], index))
    for place, i in enumerate(order):
        for j in order[place + 1 :]:
            dx, dy = xs[j] - xs[i], ys[j] - ys[i]
            if dx >= PITCH_X * 1.5:  # the following ones are farther; a push within this round hardly changes that
                break
            wide, high = PITCH_X - abs(dx), PITCH_Y - abs(dy)
            if wide <= 1e-6 or high <= 1e-6:
                continue
            moved = True
            if wide / PITCH_X < high / PITCH_Y:
                step = (wide / 2.0 + 0.01) * (-1.0 if dx < 0.0 else 1.0)
                xs[i], xs[j] = xs[i] - step, xs[j] + step
            else:
                step = (high / 2.0 + 0.01) * (-1.0 if dy < 0.0 or (dy == 0.0 and i > j) else 1.0)
                ys[i], ys[j] = ys[i] - step, ys[j] + step
    return moved


def _swept(xs: list[float], ys: list[float]) -> list[Point]:
    """Place nodes from left to right, each as near to its wanted place as the previous ones allow."""
    done: list[int] = []
    for i in sorted(range(len(xs)), key=lambda index: (xs[index], ys[index], index)):
        met = True
        while met:
            met = False
            for j in done:
                if abs(ys[i] - ys[j]) < NODE_HEIGHT + 2.0 and abs(xs[i] - xs[j]) < NODE_WIDTH + 2.0:
                    xs[i], met = xs[j] + NODE_WIDTH + 2.0, True
        done.append(i)
    return list(zip(xs, ys, strict=True))
