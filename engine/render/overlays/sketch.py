"""A pencil for overlays: shapes in, batches of lines and triangles out (`OverlayGeometry`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.box import Box
from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3, add, cross, dot, normalized, scale, sub
from engine.render.overlays.geometry import BEHIND, Colour, Label, Lines, OverlayGeometry, Triangles

ROUND: Final = 24
"""The number of segments of a circle."""

MOST_DASHES: Final = 25
"""Strokes and gaps of one line, however long it is."""

HEAD: Final = 0.25
"""The length of an arrow's head beside the arrow's."""

Batch = tuple[NDArray[np.float64], NDArray[np.uint8]]
"""Points, and a colour for each line or triangle."""

_BOX_EDGES: Final = ((0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7))


class Sketch:
    """Draws in the coordinates of one landblock. Batches are kept apart by width and by how they show when hidden."""

    def __init__(self, block_id: int) -> None:
        self.block_id = block_id
        self._lines: dict[tuple[float, float], tuple[list[tuple[Vec3, Vec3]], list[Colour]]] = {}
        self._triangles: dict[float, tuple[list[tuple[Vec3, Vec3, Vec3]], list[Colour]]] = {}
        self._labels: list[Label] = []
        self._segments: dict[tuple[float, float], list[Batch]] = {}
        self._faces: dict[float, list[Batch]] = {}

    def geometry(self) -> OverlayGeometry:
        """Everything drawn so far, in as few batches as its looks allow."""
        for look, (ends, paints) in self._lines.items():
            self._segments.setdefault(look, []).append((np.array(ends, np.float64), np.array(paints, np.uint8)))
        for hidden, (corners, paints) in self._triangles.items():
            self._faces.setdefault(hidden, []).append((np.array(corners, np.float64), np.array(paints, np.uint8)))
        self._lines, self._triangles = {}, {}
        lines = [
            Lines(self.block_id, *_joined(batches), width, hidden)
            for (width, hidden), batches in self._segments.items()
        ]
        triangles = [Triangles(self.block_id, *_joined(batches), hidden) for hidden, batches in self._faces.items()]
        return OverlayGeometry(lines, triangles, [], list(self._labels))

    def segments(self, points: NDArray[np.float64], colour: Colour, width: float = 1.0, hidden: float = BEHIND) -> None:
        """Many lines of one look at once, (n, 2, 3)."""
        if len(points):
            self._segments.setdefault((width, hidden), []).append((points, _repeated(colour, len(points))))

    def triangles(self, points: NDArray[np.float64], colour: Colour, hidden: float = 0.0) -> None:
        """Many triangles at once, (n, 3, 3)."""
        if len(points):
            self._faces.setdefault(hidden, []).append((points, _repeated(colour, len(points))))

    def line(self, a: Vec3, b: Vec3, colour: Colour, width: float = 1.0, hidden: float = BEHIND) -> None:
        points, colours = self._lines.setdefault((width, hidden), ([], []))
        points.append((a, b))
        colours.append(colour)

    def loop(self, corners: Sequence[Vec3], colour: Colour, width: float = 1.0, hidden: float = BEHIND) -> None:
        """A closed outline."""
        for a, b in zip(corners, [*corners[1:], *corners[:1]], strict=True):
            self.line(a, b, colour, width, hidden)

    def dashes(self, a: Vec3, b: Vec3, colour: Colour, step: float, width: float = 1.0, hidden: float = BEHIND) -> None:
        """A line with as much gap as stroke, of `step` metres each; it begins and ends with a stroke."""
        way = sub(b, a)
        size = math.sqrt(dot(way, way))
        count = min(max(1, 2 * int(size / (2.0 * step)) + 1), MOST_DASHES)
        for part in range(0, count, 2):
            start, end = part / count, (part + 1) / count
            self.line(add(a, scale(way, start)), add(a, scale(way, end)), colour, width, hidden)

    def dashed_loop(
        self, corners: Sequence[Vec3], colour: Colour, step: float, width: float = 1.0, hidden: float = BEHIND
    ) -> None:
        for a, b in zip(corners, [*corners[1:], *corners[:1]], strict=True):
            self.dashes(a, b, colour, step, width, hidden)

    def fill(self, corners: Sequence[Vec3], colour: Colour, hidden: float = 0.0) -> None:
        """A convex polygon."""
        points, colours = self._triangles.setdefault(hidden, ([], []))
        for i in range(1, len(corners) - 1):
            points.append((corners[0], corners[i], corners[i + 1]))
            colours.append(colour)

    def arrow(self, start: Vec3, way: Vec3, colour: Colour, width: float = 1.0, hidden: float = BEHIND) -> None:
        """From `start` along `way`, with a head of two strokes."""
        end = add(start, way)
        self.line(start, end, colour, width, hidden)
        side = scale(across(way), HEAD * 0.5 * math.sqrt(dot(way, way)))
        back = add(end, scale(way, -HEAD))
        self.line(end, add(back, side), colour, width, hidden)
        self.line(end, sub(back, side), colour, width, hidden)

    def circle(
        self, center: Vec3, normal: Vec3, radius: float, colour: Colour, width: float = 1.0, hidden: float = BEHIND
    ) -> None:
        self.loop(ring(center, normal, radius), colour, width, hidden)

    def sphere(self, center: Vec3, radius: float, colour: Colour, width: float = 1.0, hidden: float = BEHIND) -> None:
        """Three great circles."""
        for normal in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
            self.circle(center, normal, radius, colour, width, hidden)

    def cylinder(
        self, low: Vec3, radius: float, height: float, colour: Colour, width: float = 1.0, hidden: float = BEHIND
    ) -> None:
        """An upright one, standing on `low`."""
        top = (low[0], low[1], low[2] + height)
        up = (0.0, 0.0, 1.0)
        feet, head = ring(low, up, radius), ring(top, up, radius)
        self.loop(feet, colour, width, hidden)
        self.loop(head, colour, width, hidden)
        for i in range(0, ROUND, ROUND // 4):
            self.line(feet[i], head[i], colour, width, hidden)

    def box(self, box: Box, frame: Frame, colour: Colour, width: float = 1.0, hidden: float = BEHIND) -> None:
        """The edges of a box that stands in a frame."""
        corners = [frame.local_to_global(corner) for corner in box.corners()]
        for a, b in _BOX_EDGES:
            self.line(corners[a], corners[b], colour, width, hidden)

    def label(self, text: str, at: Vec3, colour: Colour) -> None:
        self._labels.append(Label(text, colour, self.block_id, at))


def _joined(batches: Sequence[Batch]) -> Batch:
    if len(batches) == 1:
        return batches[0]
    return np.concatenate([points for points, _ in batches]), np.concatenate([paints for _, paints in batches])


def _repeated(colour: Colour, count: int) -> NDArray[np.uint8]:
    return np.tile(np.array(colour, np.uint8), (count, 1))


def across(v: Vec3) -> Vec3:
    """A unit vector at right angles to a direction, level where there is such a one."""
    side = cross(v, (0.0, 0.0, 1.0))
    if dot(side, side) < 1e-12 * dot(v, v):
        return (1.0, 0.0, 0.0)
    return normalized(side)


def ring(center: Vec3, normal: Vec3, radius: float) -> list[Vec3]:
    """The number of points on a circle."""
    a = across(normal)
    b = normalized(cross(normal, a))
    found = []
    for i in range(ROUND):
        angle = 2.0 * math.pi * i / ROUND
        found.append(add(center, add(scale(a, radius * math.cos(angle)), scale(b, radius * math.sin(angle)))))
    return found


def middle(corners: Sequence[Vec3]) -> Vec3:
    """The mean of some points."""
    n = float(len(corners))
    return (sum(p[0] for p in corners) / n, sum(p[1] for p in corners) / n, sum(p[2] for p in corners) / n)
