"""The one frame of a capture: that of the landblock it was begun in (physics.md 12.1).

The engine's coordinates are those of the landblock that a cell id names; a capture's stay the same across borders.
"""

from __future__ import annotations

from engine.geometry.plane import Plane
from engine.geometry.vec import Vec3, add, dot, r24v, sub
from engine.world.cells.landdefs import block_offset


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
