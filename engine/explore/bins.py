"""The grid on which a search remembers where it was, as whole numbers, and what of the world belongs to it."""

from __future__ import annotations

import math
from typing import Final

from mypy_extensions import i64

from engine.geometry.constants import FLOOR_Z
from engine.geometry.vec import Vec3
from engine.world.cells.cell import LandCell
from engine.world.cells.ids import FIRST_ENV_CELL, landblock_id
from engine.world.cells.position import into_block
from engine.world.graph.graph import CellGraph

HALF: Final = 1 << 14
HALF_Z: Final = 1 << 12
MASK: Final = 0x7FFF
MASK_Z: Final = 0x1FFF
LANDBLOCK: Final = 192.0

INSIDE: Final = 0
OUTSIDE: Final = 1
AT_BORDER: Final = 2
"""A cell is searched, is not, or up to `border` metres off the landblocks."""

BARE: Final = 1.0
"""Metres of the bins on bare land: two planes that can be walked on, with nothing on them to find between the bins."""


class Bins:
    """Bins of `grid` metres and `storey` metres of height in each cell; `blocks` are the landblocks that are searched,
    with `border` metres around them when there is any outdoors."""

    blocks: list[int]
    outdoors: bool
    _grid: float
    _storey: float
    _border: float
    _known: set[int]
    """Cells in which nothing is searched."""
    _graph: CellGraph
    _grids: list[float]
    _last_grid: float
    _sides: list[int]
    _last_side: int
    _numbers: dict[int, int]
    _last_id: int
    _last_number: int

    def __init__(
        self,
        graph: CellGraph,
        grid: float,
        storey: float,
        border: float,
        blocks: list[int],
        outdoors: bool,
        known: list[int],
    ) -> None:
        self.blocks = blocks
        self.outdoors = outdoors
        self._graph = graph
        self._grid = grid
        self._grids: list[float] = []
        self._last_grid = grid
        self._sides: list[int] = []
        self._last_side = INSIDE
        self._storey = storey
        self._border = border
        self._known = set(known)
        self._numbers = {}
        self._last_id = 0
        self._last_number = -1

    def number_of(self, cell_id: int) -> int:
        """Cells are numbered as they come."""
        if cell_id == self._last_id:
            return self._last_number
        number = self._numbers.get(cell_id, -1)
        if number < 0:
            number = len(self._numbers)
            self._numbers[cell_id] = number
            self._sides.append(self._side_of(cell_id))
            self._grids.append(max(self._grid, BARE) if self._is_bare(cell_id) else self._grid)
        self._last_id = cell_id
        self._last_number = number
        self._last_grid = self._grids[number]
        self._last_side = self._sides[number]
        return number

    def _is_bare(self, cell_id: int) -> bool:
        """Land that nothing stands on, and that can be walked on everywhere."""
        cell = self._graph.peek(cell_id)
        if not isinstance(cell, LandCell) or cell.shadow_objects or cell.building is not None:
            return False
        return all(polygon.normal[2] >= FLOOR_Z for polygon in cell.polygons)

    def _side_of(self, cell_id: int) -> int:
        if cell_id in self._known:
            return OUTSIDE
        if landblock_id(cell_id) in self.blocks:
            return INSIDE if self.outdoors or cell_id & 0xFFFF >= FIRST_ENV_CELL else OUTSIDE
        return AT_BORDER if self.outdoors else OUTSIDE

    def bin(self, cell_id: int, origin: Vec3) -> int:
        x, y, z = origin
        number: i64 = self.number_of(cell_id)
        grid = self._last_grid
        ix: i64 = math.floor(x / grid)
        iy: i64 = math.floor(y / grid)
        iz: i64 = math.floor(z / self._storey)
        return ((number << 15 | (ix + HALF) & MASK) << 15 | (iy + HALF) & MASK) << 13 | (iz + HALF_Z) & MASK_Z

    def square(self, cell_id: int, origin: Vec3, size: float) -> int:
        """Squares of a grid of another size, without the height."""
        x, y, _ = origin
        square = self.number_of(cell_id) << 15 | (math.floor(x / size) + HALF) & MASK
        return square << 15 | (math.floor(y / size) + HALF) & MASK

    def is_beyond(self, cell_id: int, origin: Vec3) -> bool:
        """Whether a place is outside of what is searched."""
        self.number_of(cell_id)
        if self._last_side != AT_BORDER:
            return self._last_side == OUTSIDE
        low, high = -self._border, LANDBLOCK + self._border
        for block_id in self.blocks:
            x, y, _ = into_block(block_id, cell_id, origin)
            if low <= x <= high and low <= y <= high:
                return False
        return True
