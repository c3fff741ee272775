"""The ground outdoors: heights, terrain types, roads and scenery marks at the vertices of the world's grid.

Neighbouring landblocks share their edge vertices (dat-format.md 2.1), so the vertices are kept once for the whole
world, by global number, and agree by construction. Every landblock that is described gets its eight neighbours.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from engine.build.errors import BuildError
from engine.build.shapes.floor_plan import Point2
from engine.world.cells.terrain import Terrain

SPACING: Final = 24.0
BLOCK: Final = 192.0
SQUARES: Final = 8

BARREN_ROCK, GRASSLAND, ICE, LUSH_GRASS, MARSH, RICH_DIRT, OBSIDIAN, PACKED_DIRT = range(8)
PATCHY_DIRT, PATCHY_GRASS, YELLOW_SAND, GREY_SAND, ROCKY_SAND, SEDIMENTARY_ROCK, SEMI_BARREN_ROCK, SNOW = range(8, 16)
RUNNING_WATER, STANDING_WATER, SHALLOW_SEA, STILL_SEA, DEEP_SEA, FOREST_FLOOR = range(16, 22)
"""Terrain types (dat-format.md A.6); 16 to 20 are water."""

HeightAt = Callable[[float, float], float]


@dataclass
class GroundVertex:
    """The terrain word and the height byte of one vertex."""

    height: int = 0
    kind: int = GRASSLAND
    road: int = 0
    scenery: int = 0

    @property
    def word(self) -> int:
        """The terrain word (dat-format.md 2.2)."""
        return self.road | self.kind << 2 | self.scenery << 11


_NOTHING = GroundVertex(kind=0)


class GroundVertices:
    """All vertices of the world that a landblock or a neighbour of one has."""

    height_table: list[float]
    vertices: dict[tuple[int, int], GroundVertex]

    def __init__(self, height_step: float) -> None:
        self.height_table = [height_step * i for i in range(256)]
        self.vertices = {}

    def vertex(self, gx: int, gy: int) -> GroundVertex:
        """The vertex with a global number, made flat and green when nothing has been said about it."""
        return self.vertices.setdefault((gx, gy), GroundVertex())

    def lists(self, block_x: int, block_y: int) -> tuple[list[int], list[int]]:
        """Height indices and terrain words of a landblock in the order of its record; a dungeon's are all zero."""
        x0, y0 = block_x * SQUARES, block_y * SQUARES
        own = [self.vertices.get((x0 + i, y0 + j), _NOTHING) for i in range(SQUARES + 1) for j in range(SQUARES + 1)]
        return [v.height for v in own], [v.word for v in own]

    def nearest_height(self, z: float) -> int:
        """The index in the height table that is nearest to a height."""
        table = self.height_table
        above = min(max(bisect_left(table, z), 1), len(table) - 1)
        return above if table[above] - z < z - table[above - 1] else above - 1


class BlockGround:
    """The ground of one outdoor landblock and its neighbours, in metres from the landblock's south-west corner.

    Calls reach 192 m beyond each side. Heights move to the nearest one that the height table has.
    """

    def __init__(self, ground: GroundVertices, block_x: int, block_y: int, where: str) -> None:
        self._ground = ground
        self._x0 = block_x * SQUARES
        self._y0 = block_y * SQUARES
        self._block = block_x << 24 | block_y << 16
        self._where = where

    def shape(self, height: HeightAt) -> None:
        """Set every height from a function of x and y."""
        for vertex, x, y in self._all():
            vertex.height = self._ground.nearest_height(height(x, y))

    def level(self, x: float, y: float, width: float, depth: float, z: float) -> None:
        """Make the ground level at height z under a rectangle: every square that it touches."""
        self.shape_within(x, y, width, depth, lambda _x, _y: z)

    def shape_within(self, x: float, y: float, width: float, depth: float, height: HeightAt) -> None:
        """Set the heights of all corners of the squares that a rectangle touches."""
        for vertex, vx, vy in self._all():
            if x - SPACING < vx < x + width + SPACING and y - SPACING < vy < y + depth + SPACING:
                vertex.height = self._ground.nearest_height(height(vx, vy))

    def paint(self, kind: int | Callable[[float, float], int | None]) -> None:
        """Set the terrain type everywhere, or by a function that answers None where it shall stay."""
        for vertex, x, y in self._all():
            chosen = kind if isinstance(kind, int) else kind(x, y)
            if chosen is not None:
                vertex.kind = chosen

    def paint_within(self, x: float, y: float, width: float, depth: float, kind: int) -> None:
        """Set the terrain type of the vertices in a rectangle, its border included."""
        self.paint(lambda vx, vy: kind if x <= vx <= x + width and y <= vy <= y + depth else None)

    def road(self, points: Sequence[Point2]) -> None:
        """Make a road along a line of points, each moved to its nearest vertex, straight or at 45 degrees between."""
        for (ax, ay), (bx, by) in pairwise(points):
            steps = max(1, round(max(abs(bx - ax), abs(by - ay)) / SPACING))
            for i in range(steps + 1):
                t = i / steps
                self._near(ax + (bx - ax) * t, ay + (by - ay) * t).road = 1

    def plant(self, mark: int | Callable[[float, float], int | None]) -> None:
        """Set the scenery index (0 to 31) everywhere, or by a function that answers None where it shall stay."""
        for vertex, x, y in self._all():
            chosen = mark if isinstance(mark, int) else mark(x, y)
            if chosen is not None:
                if not 0 <= chosen < 32:
                    raise BuildError(self._where, f"scenery index {chosen} is not in 0..31")
                vertex.scenery = chosen

    def vertex_at(self, x: float, y: float) -> GroundVertex:
        """The vertex nearest to a point, to change what it says."""
        return self._near(x, y)

    def height_at(self, x: float, y: float) -> float:
        """Height of the ground, on the triangles that the client makes of it; the point may lie in a neighbour."""
        shift_x, shift_y = int(x // BLOCK), int(y // BLOCK)
        if not (-1 <= shift_x <= 1 and -1 <= shift_y <= 1):
            raise self._too_far(x, y)
        block = self._block + (shift_x << 24) + (shift_y << 16)
        heights, words = self._ground.lists(block >> 24, block >> 16 & 0xFF)
        terrain = Terrain(block | 0xFFFF, heights, words, self._ground.height_table)
        height = terrain.height_at(x - shift_x * BLOCK, y - shift_y * BLOCK)
        if height is None:
            raise BuildError(self._where, f"there is no ground at ({x:g}, {y:g})")
        return height

    def _all(self) -> list[tuple[GroundVertex, float, float]]:
        reach = range(-SQUARES, 2 * SQUARES + 1)
        return [
            (self._ground.vertex(self._x0 + i, self._y0 + j), i * SPACING, j * SPACING) for i in reach for j in reach
        ]

    def _near(self, x: float, y: float) -> GroundVertex:
        i, j = round(x / SPACING), round(y / SPACING)
        if not (-SQUARES <= i <= 2 * SQUARES and -SQUARES <= j <= 2 * SQUARES):
            raise self._too_far(x, y)
        return self._ground.vertex(self._x0 + i, self._y0 + j)

    def _too_far(self, x: float, y: float) -> BuildError:
        return BuildError(self._where, f"({x:g}, {y:g}) lies beyond the neighbours of the landblock")
