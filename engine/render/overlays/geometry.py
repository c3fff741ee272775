"""The elements of inspector overlays: lines, triangles, polygons on the screen and labels (rendering.md 23).

Pure data, in doubles and in the coordinates of a landblock; the renderer makes it relative to the eye. Parts behind the
picture's surfaces are drawn fainter, by a batch's `hidden`: 0 not at all, 1 as if nothing were in front.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.vec import Vec3

Colour = tuple[int, int, int, int]
"""Red, green, blue and opacity, 0 to 255 each."""

BEHIND: Final = 0.25
"""The strength of a line where something stands in front of it."""

THINNEST: Final = 1.5
"""Pixels of the window: no line over a picture is thinner."""
CASING: Final = 1.0
"""Pixels of the window of a dark or bright edge along both sides of a line, which sets it off from any picture."""


@dataclass(frozen=True)
class Lines:
    """Segments of one width in pixels, with an edge of `casing` pixels along both sides."""

    block_id: int
    points: NDArray[np.float64]
    """(n, 2, 3)"""
    colours: NDArray[np.uint8]
    """(n, 4)"""
    width: float = 1.0
    hidden: float = BEHIND
    casing: float = 0.0

    def __len__(self) -> int:
        return len(self.points)


@dataclass(frozen=True)
class Triangles:
    """Filled triangles, seen from both sides."""

    block_id: int
    points: NDArray[np.float64]
    """(n, 3, 3)"""
    colours: NDArray[np.uint8]
    """(n, 4)"""
    hidden: float = 0.0

    def __len__(self) -> int:
        return len(self.points)


@dataclass(frozen=True)
class ScreenPolygon:
    """A convex polygon on the screen, in pixels with y down."""

    points: tuple[tuple[float, float], ...]
    line: Colour
    fill: Colour
    width: float = 1.0
    hatched: bool = False
    """Filled with strokes instead of evenly."""
    vertices: bool = False
    """Its corners are marked."""
    casing: float = 0.0
    """Pixels of the edge along both sides of its line."""


@dataclass(frozen=True)
class ScreenMesh:
    """Filled triangles on the screen, in pixels with y down, drawn in their order over everything else."""

    points: NDArray[np.float64]
    """(n, 3, 2)"""
    colours: NDArray[np.uint8]
    """(n, 3, 4), one for each corner"""

    def __len__(self) -> int:
        return len(self.points)


@dataclass(frozen=True)
class Label:
    """A word at a point of the world, or of the screen (`pixel`)."""

    text: str
    colour: Colour
    block_id: int = 0
    point: Vec3 | None = None
    pixel: tuple[float, float] | None = None


@dataclass
class OverlayGeometry:
    """Everything there is to draw over a picture, in order."""

    lines: list[Lines] = field(default_factory=list)
    triangles: list[Triangles] = field(default_factory=list)
    screen_polygons: list[ScreenPolygon] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    screen_meshes: list[ScreenMesh] = field(default_factory=list)

    def add(self, other: OverlayGeometry) -> None:
        """Draw another one's after this one's."""
        self.lines += other.lines
        self.triangles += other.triangles
        self.screen_polygons += other.screen_polygons
        self.labels += other.labels
        self.screen_meshes += other.screen_meshes

    def fit_to_pixels(self, ratio: float) -> None:
        """Make all lines wide enough to be seen and set them off from the picture; `ratio` of its pixels make one pixel
        of the window."""
        edge = CASING * ratio
        self.lines = [replace(it, width=max(it.width, THINNEST) * ratio, casing=edge) for it in self.lines]
        self.screen_polygons = [
            replace(it, width=max(it.width, THINNEST) * ratio, casing=edge) for it in self.screen_polygons
        ]

    def scale(self, ratio: float) -> None:
        """Make all lines wider, or thinner."""
        self.lines = [replace(it, width=it.width * ratio) for it in self.lines]

    @property
    def is_empty(self) -> bool:
        drawn = self.lines or self.triangles or self.screen_polygons or self.screen_meshes
        return not (drawn or self.labels)
