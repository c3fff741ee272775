"""A pen for shapes on the screen, with soft edges: strokes, polygons and dots in pixels, one `ScreenMesh` out.

The picture is drawn without antialiasing where there is no graphics card. What is to be grabbed with the mouse gets
its smooth border here, as a rim one pixel wide that fades out.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.render.overlays.geometry import Colour, ScreenMesh

Points = NDArray[np.float64]
"""(n, 2), in pixels."""

RIM: Final = 1.0
"""Pixels over which an edge fades."""

SHARPEST: Final = 0.35
"""The least part of a stroke's width that is left at a bend: a sharp corner would reach out without end."""

_PROFILE: Final = ((0, 1), (1, 2), (2, 3))
"""Bands of a stroke, from the outer rim on one side to that on the other."""


class Ink:
    """Collects triangles in the order in which they are drawn."""

    def __init__(self) -> None:
        self._points: list[Points] = []
        self._colours: list[NDArray[np.uint8]] = []

    def mesh(self) -> ScreenMesh:
        if not self._points:
            return ScreenMesh(np.zeros((0, 3, 2)), np.zeros((0, 3, 4), np.uint8))
        return ScreenMesh(np.concatenate(self._points), np.concatenate(self._colours))

    def stroke(
        self, points: Points, colour: Colour, width: float, closed: bool = False, fade: Points | None = None
    ) -> None:
        """A line through some points; `fade` is how much of its opacity is left at each of them."""
        if len(points) < 2:
            return
        side = _sides(points, closed)
        inner, outer = max(width - RIM, 0.0) / 2.0, (width + RIM) / 2.0
        reach = np.array([outer, inner, -inner, -outer])
        across = points[:, None, :] + side[:, None, :] * reach[None, :, None]
        strength = np.ones(len(points)) if fade is None else fade
        alpha = np.array([0.0, colour[3], colour[3], 0.0])[None, :] * strength[:, None]
        if closed:
            across = np.concatenate([across, across[:1]])
            alpha = np.concatenate([alpha, alpha[:1]])
        for low, high in _PROFILE:
            self._band(across[:, low], across[:, high], alpha[:, low], alpha[:, high], colour)

    def polygon(self, corners: Points, colour: Colour) -> None:
        """A convex polygon."""
        count = len(corners)
        if count < 3:
            return
        fan = np.array([(0, i, i + 1) for i in range(1, count - 1)])
        self._add(corners[fan], np.full((len(fan), 3), float(colour[3])), colour)
        outward = _sides(corners, True)
        if _area(corners) > 0.0:
            outward = -outward
        rim = corners + outward * RIM
        ring, outer = np.concatenate([corners, corners[:1]]), np.concatenate([rim, rim[:1]])
        full = np.full(len(ring), float(colour[3]))
        self._band(ring, outer, full, np.zeros(len(ring)), colour)

    def triangle(self, a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], colour: Colour) -> None:
        """One with sharp edges, to be fitted to others."""
        self._add(np.array([(a, b, c)]), np.full((1, 3), float(colour[3])), colour)

    def _band(self, a: Points, b: Points, alpha_a: Points, alpha_b: Points, colour: Colour) -> None:
        """The strip between two lines of equally many points."""
        points = np.concatenate([np.stack([a[:-1], b[:-1], b[1:]], axis=1), np.stack([a[:-1], b[1:], a[1:]], axis=1)])
        alphas = np.concatenate(
            [
                np.stack([alpha_a[:-1], alpha_b[:-1], alpha_b[1:]], axis=1),
                np.stack([alpha_a[:-1], alpha_b[1:], alpha_a[1:]], axis=1),
            ]
        )
        self._add(points, alphas, colour)

    def _add(self, points: Points, alphas: Points, colour: Colour) -> None:
        colours = np.empty((*points.shape[:2], 4), np.uint8)
        colours[:, :, :3] = colour[:3]
        colours[:, :, 3] = alphas
        self._points.append(points)
        self._colours.append(colours)


def _sides(points: Points, closed: bool) -> Points:
    """At every point the way to the left of the line that is as long as keeps a stroke's width at bends."""
    following = np.concatenate([points[1:], points[:1]]) - points
    size = np.hypot(following[:, 0], following[:, 1])
    size[size == 0.0] = 1.0
    normal = np.stack([-following[:, 1], following[:, 0]], axis=1) / size[:, None]
    if closed:
        before = np.concatenate([normal[-1:], normal[:-1]])
    else:
        normal[-1] = normal[-2]
        before = np.concatenate([normal[:1], normal[:-1]])
    middle = (normal + before) / 2.0
    length2 = np.maximum(middle[:, 0] ** 2 + middle[:, 1] ** 2, SHARPEST)
    sides: Points = middle / length2[:, None]
    return sides


def _area(corners: Points) -> float:
    """Twice what a polygon encloses; positive where its sides run to the left of the way round."""
    x, y = corners[:, 0], corners[:, 1]
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))
