"""A spiral stair that fills an eight-sided shaft around a sixteen-sided pillar, as faces to build into a room."""

from __future__ import annotations

import math
from typing import Final

from engine.build.shapes.faces import Face
from engine.geometry.elementary import cos, sin
from engine.geometry.vec import Vec3

SECTORS: Final = 16
"""Steps in a full turn, two for each side of the shaft."""

RISE: Final = 0.2
THICKNESS: Final = 0.3
PILLAR: Final = 1.0
START: Final = 202.5
"""The start of the first step, in degrees from east: just past the shaft's western side, whose floor is the foot."""


def spiral_flight(steps: int, apothem: float, height: float, material: str, tread: str) -> list[Face]:
    """Steps of 0.2 m, counter-clockwise from the shaft's western side, with a landing over that side at the end.

    `apothem` is the shaft's half width, `height` the pillar's. Faces against the shaft's walls are left out, as are
    those between steps: what remains is the skin of one body.
    """
    sectors = steps + 2
    tops = [RISE * min(k + 1, steps) for k in range(sectors)]
    bottoms = [max(0.0, top - THICKNESS) for top in tops]
    faces: list[Face] = []
    for k in range(sectors):
        inner_a, outer_a = _corners(k, apothem)
        inner_b, outer_b = _corners(k + 1, apothem)
        plan = (inner_a, outer_a, outer_b, inner_b)
        faces.append(Face(tuple((x, y, tops[k]) for x, y in plan), tread))
        if bottoms[k] > 0.0:
            faces.append(Face(tuple((x, y, bottoms[k]) for x, y in reversed(plan)), material))
        before = tops[k - 1] if k else 0.0
        if tops[k] > before:
            faces.append(_upright(inner_a, outer_a, before, tops[k], material))
        end = bottoms[k + 1] if k + 1 < sectors else tops[k]
        if end > bottoms[k]:
            faces.append(_upright(outer_b, inner_b, bottoms[k], end, material))
    return faces + _pillar(tops, bottoms, apothem, height, material)


def _pillar(tops: list[float], bottoms: list[float], apothem: float, height: float, material: str) -> list[Face]:
    """The pillar's sides between the steps that touch them."""
    faces = []
    for sector in range(SECTORS):
        inner_a, _ = _corners(sector, apothem)
        inner_b, _ = _corners(sector + 1, apothem)
        low = 0.0
        for k in range(sector, len(tops), SECTORS):
            if bottoms[k] > low:
                faces.append(_upright(inner_a, inner_b, low, bottoms[k], material))
            low = tops[k]
        faces.append(_upright(inner_a, inner_b, low, height, material))
    return faces


def _corners(k: int, apothem: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """The points where the edge between two steps meets the pillar and the shaft's wall."""
    turn = k % SECTORS
    angle = math.radians(START + 360.0 / SECTORS * turn)
    reach = apothem if turn % 2 else apothem / cos(math.pi / 8.0)
    c, s = cos(angle), sin(angle)
    return (PILLAR * c, PILLAR * s), (reach * c, reach * s)


def _upright(a: tuple[float, float], b: tuple[float, float], low: float, high: float, material: str) -> Face:
    """A wall from a to b, looking to the right of that way."""
    points: tuple[Vec3, ...] = ((a[0], a[1], low), (b[0], b[1], low), (b[0], b[1], high), (a[0], a[1], high))
    return Face(points, material)
