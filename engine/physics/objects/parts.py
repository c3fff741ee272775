"""The parts of a body as its cell occupancy and its collision see them (physics.md 4.1, 6.7)."""

from __future__ import annotations

from engine.geometry.box import Box
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.world.cells.objects import GfxObj
from engine.world.cells.position import into_block


class BodyPart:
    """One mesh of a body where it stands: its model, and its frame in the landblock of `cell_id`.

    `sphere` and `box` are the model's own, in its own space and unscaled whatever the body's scale is: a large one is
    not looked for in every cell that it reaches into (physics.md #44).
    """

    gfxobj: GfxObj | None
    cell_id: int
    frame: Frame
    sphere: Sphere | None
    box: Box

    def __init__(self, gfxobj: GfxObj | None, cell_id: int, frame: Frame, sphere: Sphere | None, box: Box) -> None:
        self.gfxobj = gfxobj
        self.cell_id = cell_id
        self.frame = frame
        self.sphere = sphere
        self.box = box

    def point_in(self, cell_id: int, frame: Frame, p: Vec3) -> Vec3:
        """A point of the part's own space in the space of `frame`, which stands in the landblock of `cell_id`."""
        return frame.global_to_local(into_block(cell_id, self.cell_id, self.frame.local_to_global(p)))

    def box_in(self, cell_id: int, frame: Frame) -> Box:
        """The box around the eight corners of this one in that space (1.6: never of the minimum and maximum alone)."""
        return Box.of_points([self.point_in(cell_id, frame, corner) for corner in self.box.corners()])

    def box_in_block(self, cell_id: int) -> Box:
        """The same in the landblock frame of `cell_id`."""
        return Box.of_points(
            [into_block(cell_id, self.cell_id, self.frame.local_to_global(c)) for c in self.box.corners()]
        )
