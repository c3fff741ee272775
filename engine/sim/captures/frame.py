"""The frame of a capture: that of the landblock it was begun in, or that its client has moved on to (physics.md 12.1).

The engine's coordinates are those of the landblock that a cell id names; a capture's stay the same across borders.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.box import Box
from engine.geometry.constants import BLOCK_LENGTH, CELL_LENGTH
from engine.geometry.plane import Plane
from engine.geometry.vec import Vec3, add, dot, r24v, sub
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import WHOLE_BLOCK, block_x, block_y, is_land_cell, land_cell_column, land_cell_row
from engine.world.cells.landdefs import block_offset
from engine.world.graph.graph import CellGraph


class CaptureFrame:
    """Takes positions and planes from the landblock of a cell into the capture's frame and back."""

    def __init__(self, anchor: int) -> None:
        """`anchor`: any id in the landblock whose corner is the frame's origin."""
        self.anchor = anchor

    def out_of(self, cell_id: int, p: Vec3) -> Vec3:
        """Convert a point of that cell's landblock to the capture's frame."""
        return add(p, block_offset(self.anchor, cell_id))

    def into(self, cell_id: int, p: Vec3) -> Vec3:
        """A point of the capture in that cell's landblock."""
        return r24v(sub(p, block_offset(self.anchor, cell_id)))

    def plane_out_of(self, cell_id: int, plane: Plane) -> Plane:
        shift = block_offset(self.anchor, cell_id)
        return Plane(plane.normal, plane.d - dot(plane.normal, shift))

    def plane_into(self, cell_id: int, plane: Plane) -> Plane:
        shift = block_offset(self.anchor, cell_id)
        return Plane(plane.normal, plane.d + dot(plane.normal, shift))


BLOCKS: Final = 256
"""Landblocks of the map in each direction."""
BEYOND: Final = 24.0
"""Metres outside of its cell's box at which a position still counts as in it: a cell is left late, not at its edge."""


class FrameFinder:
    """Finds the frame of each record of a capture. A client may re-centre its world, and with it the frame: positions
    jump by whole landblocks then, and only fit their cells in another frame."""

    def __init__(self, graph: CellGraph, anchor: int = 0) -> None:
        """`anchor` names the landblock of the first frame; 0: that of the first record, if its position fits that."""
        self._graph = graph
        self.frame: CaptureFrame | None = CaptureFrame(anchor) if anchor else None

    def find(self, cell_id: int, p: Vec3) -> CaptureFrame:
        """The frame of a record with a position in a cell: the last one while it fits."""
        frame = self.frame or CaptureFrame(cell_id)
        box = self._box(cell_id)
        if box is not None and _is_off(box, frame.into(cell_id, p)):
            moved = _moved(box, cell_id, p)
            frame = frame if moved is None else moved
        self.frame = frame
        return frame

    def _box(self, cell_id: int) -> Box | None:
        """The box of a cell in its landblock; None for one that the world does not have."""
        if is_land_cell(cell_id):
            west, south = land_cell_column(cell_id) * CELL_LENGTH, land_cell_row(cell_id) * CELL_LENGTH
            return Box((west, south, 0.0), (west + CELL_LENGTH, south + CELL_LENGTH, 0.0))
        cell = self._graph.get_visible(cell_id)
        if not isinstance(cell, EnvCell) or not cell.structure.vertices:
            return None
        return Box.of_points([cell.frame.local_to_global(corner) for corner in cell.structure.vertices])


def _is_off(box: Box, p: Vec3) -> bool:
    """Whether a point is too far from a box, seen from above."""
    return any(not box.minimum[i] - BEYOND <= p[i] <= box.maximum[i] + BEYOND for i in (0, 1))


def _moved(box: Box, cell_id: int, p: Vec3) -> CaptureFrame | None:
    """The frame by which a point is in the box of its cell; None when it is in it by none."""
    center = box.center()
    x, y = (
        whole - round((p[i] - center[i]) / BLOCK_LENGTH) for i, whole in enumerate((block_x(cell_id), block_y(cell_id)))
    )
    if not (0 <= x < BLOCKS and 0 <= y < BLOCKS):
        return None
    frame = CaptureFrame(x << 24 | y << 16 | WHOLE_BLOCK)
    return None if _is_off(box, frame.into(cell_id, p)) else frame
