"""A pen for shapes on the screen, with soft edges: strokes, polygons and dots in pixels, one `ScreenMesh` out.

The picture is drawn without antialiasing where there is no graphics card. Mouse handles get a smooth border here, as a
rim one pixel wide that fades out.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.render.overlays.geometry import Colour, ScreenMesh

Points = NDArray[np.float64]
"""(n, 2), in pixels."""

Corners = NDArray[np.intp]
"""(m, 3), the points of triangles by number."""

RIM: Final = 1.0
"""Pixels over which an edge fades."""

SHARPEST: Final = 0.35
"""The least part of a stroke's width that is left at a bend: a sharp corner would reach out without end."""

_ACROSS: Final = 4
"""Points across a stroke: its two edges, and the rims of both."""


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
        self,
        points: Points,
        *layers: tuple[Colour, float],
        closed: bool = False,
        fade: Points | None = None,
    ) -> None:
        """A line through some points, in one or several colours and widths, one upon the other; `fade` is how much of
        its opacity is left at each of them."""
        if len(points) < 2:
            return
        side = _sides(points, closed)
        corners = _strip(len(points), closed)
        for colour, width in layers:
            inner, outer = max(width - RIM, 0.0) / 2.0, (width + RIM) / 2.0
            reach = np.array([outer, inner, -inner, -outer])
            across = (points[:, None, :] + side[:, None, :] * reach[None, :, None]).reshape(-1, 2)
            alpha = np.array([0.0, colour[3], colour[3], 0.0])
            faded = np.concatenate([alpha] * len(points)) if fade is None else np.outer(fade, alpha).reshape(-1)
            self._add(across[corners], faded[corners], colour)

    def polygon(self, corners: Points, colour: Colour) -> None:
        """A convex polygon."""
        count = len(corners)
        if count < 3:
            return
        outward = _sides(corners, True) * (-RIM if _area(corners) > 0.0 else RIM)
        alpha = np.zeros(2 * count)
        alpha[:count] = colour[3]
        fan = _rimmed_fan(count)
        self._add(np.concatenate([corners, corners + outward])[fan], alpha[fan], colour)

    def triangle(self, a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], colour: Colour) -> None:
        """One with sharp edges, to be fitted to others."""
        self._add(np.array([(a, b, c)]), np.full((1, 3), float(colour[3])), colour)

    def _add(self, points: Points, alphas: Points, colour: Colour) -> None:
        colours = np.empty((*points.shape[:2], 4), np.uint8)
        colours[:] = colour
        colours[:, :, 3] = alphas
        self._points.append(points)
        self._colours.append(colours)


@cache
def _strip(count: int, closed: bool) -> Corners:
    """Two triangles for each band of a stroke between two of its points."""
    found = []
    for i in range(count if closed else count - 1):
        a, b = i * _ACROSS, (i + 1) % count * _ACROSS
        for band in range(_ACROSS - 1):
            found.append((a + band, a + band + 1, b + band + 1))
            found.append((a + band, b + band + 1, b + band))
    return np.array(found)


@cache
def _rimmed_fan(count: int) -> Corners:
    """A convex polygon of `count` corners, with as many of its rim behind them."""
    found = [(0, i, i + 1) for i in range(1, count - 1)]
    for i in range(count):
        j = (i + 1) % count
        found += [(i, count + i, count + j), (i, count + j, j)]
    return np.array(found)


@cache
def _neighbours(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The numbers of the points before and after each, all the way round."""
    return (np.arange(count) - 1) % count, (np.arange(count) + 1) % count


def _sides(points: Points, closed: bool) -> Points:
    """At every point the way to the left of the line that is as long as keeps a stroke's width at bends."""
    before, after = _neighbours(len(points))
    normal = np.empty_like(points)
    way = points[after] - points
    size = np.sqrt(way[:, 0] ** 2 + way[:, 1] ** 2)
    size[size == 0.0] = 1.0
    normal[:, 0] = -way[:, 1] / size
    normal[:, 1] = way[:, 0] / size
    if len(points) == 2 and not closed:
        normal[1] = normal[0]
        return normal
    earlier = normal[before]
    if not closed:
        normal[-1] = earlier[-1]
        earlier[0] = normal[0]
    middle = (normal + earlier) / 2.0
    length2 = np.maximum(middle[:, 0] ** 2 + middle[:, 1] ** 2, SHARPEST)
    sides: Points = middle / length2[:, None]
    return sides


def _area(corners: Points) -> float:
    """Twice what a polygon encloses; positive where its sides run to the left of the way round."""
    _, after = _neighbours(len(corners))
    x, y = corners[:, 0], corners[:, 1]
    return float(x @ y[after] - y @ x[after])
