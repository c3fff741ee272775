"""Selects and orders the landblocks and landcells to draw (rendering.md 12.2, 12.3).

The order is far to near by rings. It is no optimisation: a punched opening ignores depth, so anything nearer must be
drawn later.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.constants import CELL_LENGTH
from engine.visibility.camera import Camera
from engine.visibility.culling import INSIDE, OUTSIDE, ViewCone, box_in_views
from engine.visibility.events import LandCellVisit
from engine.visibility.world_view import BlockView, WorldView
from engine.world.cells.ids import block_x, block_y, is_land_cell, land_cell_column, land_cell_low, land_cell_row
from engine.world.cells.landdefs import block_offset
from engine.world.cells.terrain import SQUARES

FARTHEST_RING: Final = 21
"""Rings of landblocks beyond which the far plane leaves nothing: 4000 m of 192 m, and the viewer's own."""


INNER: Final = 1
"""Rings of landblocks round the load point in which there is more than ground (rendering.md M2)."""


class GridStep:
    """A step on the grid."""

    dx: int
    dy: int

    def __init__(self, dx: int, dy: int) -> None:
        self.dx = dx
        self.dy = dy


def ring(radius: int) -> list[GridStep]:
    """The squares at a Chebyshev distance, eight symmetric ones at a time; radius 0 is the square itself."""
    if radius == 0:
        return [GridStep(0, 0)]
    steps: list[GridStep] = []
    for k in range(radius):
        for along in (-k, k + 1):
            steps.append(GridStep(radius, along))
            steps.append(GridStep(-along, radius))
            steps.append(GridStep(-radius, -along))
            steps.append(GridStep(along, -radius))
    return steps


class DrawnBlock:
    """A landblock in view: the camera's offset to it, and what the views say of its ground as a whole."""

    block: BlockView
    dx: float
    dy: float
    ground: int

    def __init__(self, block: BlockView, dx: float, dy: float, ground: int) -> None:
        self.block = block
        self.dx = dx
        self.dy = dy
        self.ground = ground


class LandOrder:
    """`update_viewpoint` and `draw_check_blocks`: the landscape's orders around the viewer's landcell.

    The orders of one viewpoint are kept for the next frame.
    """

    world_view: WorldView
    _cell_orders: dict[int, list[int]]
    _visits: dict[int, list[LandCellVisit]]
    _blocks: list[BlockView]
    _blocks_of: int
    _blocks_version: int

    def __init__(self, world_view: WorldView) -> None:
        self.world_view = world_view
        self._cell_orders = {}
        self._visits = {}
        self._blocks = []
        self._blocks_of = -1
        self._blocks_version = -1

    def blocks_far_to_near(self, viewpoint: int) -> list[BlockView]:
        """The loaded landblocks by rings around the one of a cell id."""
        key = viewpoint >> 16
        if key != self._blocks_of or self._blocks_version != self.world_view.version:
            self._blocks = self._sort_blocks(viewpoint)
            self._blocks_of = key
            self._blocks_version = self.world_view.version
        return self._blocks

    def _sort_blocks(self, viewpoint: int) -> list[BlockView]:
        cx = block_x(viewpoint)
        cy = block_y(viewpoint)
        loaded: dict[int, BlockView] = {}
        outermost = 0
        for block in self.world_view.blocks():
            radius = max(abs(block.x - cx), abs(block.y - cy))
            if radius <= FARTHEST_RING:
                loaded[(block.x << 8) | block.y] = block
                outermost = max(outermost, radius)
        found: list[BlockView] = []
        for radius in range(outermost, -1, -1):
            for step in ring(radius):
                x = cx + step.dx
                y = cy + step.dy
                if 0 <= x <= 0xFF and 0 <= y <= 0xFF:
                    block_there = loaded.get((x << 8) | y)
                    if block_there is not None:
                        found.append(block_there)
        return found

    def cells_far_to_near(self, block: BlockView, viewpoint: int, across: int = 1) -> list[LandCellVisit]:
        """The 64 landcells of a landblock by rings around the one that is nearest to the viewer's landcell; or the
        squares of so many landcells each way."""
        squares = SQUARES // across
        east = SQUARES * (block_x(viewpoint) - block.x) + land_cell_column(viewpoint)
        north = SQUARES * (block_y(viewpoint) - block.y) + land_cell_row(viewpoint)
        cx = _clamped(east // across, squares)
        cy = _clamped(north // across, squares)
        near = (across << 8) | land_cell_low(cx, cy)
        key = (block.block_id & 0xFFFF0000) | near
        visits = self._visits.get(key)
        if visits is None:
            visits = [LandCellVisit(block.block_id, low, across) for low in self._cell_order(near, cx, cy, across)]
            self._visits[key] = visits
        return visits

    def _cell_order(self, near: int, cx: int, cy: int, across: int) -> list[int]:
        order = self._cell_orders.get(near)
        if order is None:
            order = []
            squares = SQUARES // across
            for radius in range(squares - 1, -1, -1):
                for step in ring(radius):
                    x = cx + step.dx
                    y = cy + step.dy
                    if 0 <= x < squares and 0 <= y < squares:
                        order.append(land_cell_low(x * across, y * across))
            self._cell_orders[near] = order
        return order

    def draw_check_blocks(self, camera: Camera, cones: list[ViewCone], viewpoint: int) -> list[DrawnBlock]:
        """The landblocks of which at least one view sees something, far to near."""
        drawn: list[DrawnBlock] = []
        for block in self.blocks_far_to_near(viewpoint):
            offset = block_offset(camera.block_id, block.block_id)
            dx = offset[0]
            dy = offset[1]
            far_x = dx + CELL_LENGTH * float(SQUARES)
            far_y = dy + CELL_LENGTH * float(SQUARES)
            seen = box_in_views(cones, (dx, dy, block.low), (far_x, far_y, block.high))
            if seen != OUTSIDE:
                drawn.append(DrawnBlock(block, dx, dy, seen if block.has_terrain else OUTSIDE))
        return drawn


def cell_in_view(drawn: DrawnBlock, low: int, cones: list[ViewCone], across: int = 1) -> bool:
    """Whether the ground of a landcell, or of a larger square, is drawn, by its square and the landblock's bottom and
    top."""
    if drawn.ground == OUTSIDE:
        return False
    if drawn.ground == INSIDE:
        return True
    x = drawn.dx + CELL_LENGTH * float(land_cell_column(low))
    y = drawn.dy + CELL_LENGTH * float(land_cell_row(low))
    block = drawn.block
    side = CELL_LENGTH * float(across)
    return box_in_views(cones, (x, y, block.low), (x + side, y + side, block.high)) != OUTSIDE


def rings_from(block_id: int, load_point: int) -> int:
    """Landblocks from that of one cell id to that of another, by the longer way along one axis."""
    return max(abs(block_x(block_id) - block_x(load_point)), abs(block_y(block_id) - block_y(load_point)))


def square_width(rings: int) -> int:
    """The width in landcells of one square of the ground, by the distance in landblocks from the load point: 8 x 8
    squares up to one landblock away, 4 x 4 at two, 2 x 2 at three and four, one beyond (rendering.md M2)."""
    return 1 if rings <= INNER else 2 if rings == 2 else 4 if rings <= 4 else SQUARES


def viewpoint_of(cell_id: int) -> int:
    """The landcell around which the landscape is ordered; for an id that is no landcell, the middle of its
    landblock."""
    return cell_id if is_land_cell(cell_id) else (cell_id & 0xFFFF0000) | land_cell_low(4, 4)


def _clamped(square: int, squares: int) -> int:
    return 0 if square < 0 else squares - 1 if square >= squares else square
