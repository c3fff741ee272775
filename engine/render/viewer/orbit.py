"""A camera that goes around a point, as in level editors; it latches its own cell (rendering.md 21.5)."""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.vec import Vec3, add
from engine.render.viewer.inputs import ViewerInput
from engine.render.viewer.rig import STEEPEST, Rig, direction, sane_step, turned
from engine.render.viewer.smooth import Spring, VecSpring, clamp
from engine.visibility.free_cell import FreeCell
from engine.visibility.world_view import WorldView
from engine.world.cells.ids import landblock_id
from engine.world.cells.landdefs import block_offset
from engine.world.graph.graph import NO_CELL

NEAREST: Final = 0.2
FARTHEST: Final = 2000.0
"""In metres from the target."""

_NEARER: Final = 0.85
"""A step of the wheel."""

_SETTLE: Final = 0.25
"""Seconds in which the camera arrives where it was sent."""

_WALK: Final = 1.0
"""Distances per second that the keys move the point."""

_HURRY: Final = 4.0


class Orbit(Rig):
    """`target`, in the coordinates of the landblock `target_block`, and `distance` are where the camera is going to be
    in a moment."""

    def __init__(self, world_view: WorldView) -> None:
        super().__init__()
        self.latch = FreeCell(world_view)
        self.target_block = NO_CELL
        self._target = VecSpring((0.0, 0.0, 0.0), _SETTLE)
        self._distance = Spring(10.0, _SETTLE)
        self._heading = Spring(0.0, _SETTLE)
        self._pitch = Spring(0.0, _SETTLE)

    @property
    def target(self) -> Vec3:
        return self._target.goal

    @property
    def distance(self) -> float:
        return self._distance.goal

    def place(
        self, cell_id: int, target: Vec3, distance: float = 10.0, heading: float = 0.0, pitch: float = -30.0
    ) -> None:
        """Look at a point at once; the cell is the one that the point is in, as far as one knows."""
        self.target_block = landblock_id(cell_id)
        self._target.snap(target)
        self._distance.snap(clamp(distance, NEAREST, FARTHEST))
        self._heading.snap(heading)
        self._pitch.snap(clamp(pitch, -STEEPEST, STEEPEST))
        self.latch.place(cell_id, target)
        self._look()

    def focus(self, cell_id: int, target: Vec3, radius: float) -> None:
        """Turn to something of that size in a moment, from the side it is seen from now."""
        if self.target_block == NO_CELL:
            self.place(cell_id, target)
        self._target.shift(block_offset(cell_id, self.target_block))
        self.target_block = landblock_id(cell_id)
        self._target.goal = target
        self._distance.goal = clamp(radius / math.sin(self.fov_y / 2.0), NEAREST, FARTHEST)

    def update(self, dt: float, inputs: ViewerInput) -> None:
        if self.target_block == NO_CELL:
            return
        dt = sane_step(dt)
        self._distance.goal = clamp(self._distance.goal * _NEARER**inputs.dolly, NEAREST, FARTHEST)
        self._heading.goal += inputs.orbit[0] + inputs.look[0]
        self._pitch.goal = clamp(self._pitch.goal + inputs.orbit[1] + inputs.look[1], -STEEPEST, STEEPEST)
        self._target.goal = add(self._target.goal, self._moved(dt, inputs))
        self._target.step(dt)
        for spring in (self._distance, self._heading, self._pitch):
            spring.step(dt)
        self._look()

    def _moved(self, dt: float, inputs: ViewerInput) -> Vec3:
        """Keys move the point over the ground; panning moves it in the plane of the picture, as far as it looks."""
        heading, pitch, distance = self._heading.value, self._pitch.value, self._distance.value
        right, forward, up = inputs.move
        step = distance * _WALK * dt * (_HURRY if inputs.fast else 1.0)
        x, y, z = turned((right * step, forward * step, up * step), heading)
        height = 2.0 * distance * math.tan(self.fov_y / 2.0)
        across, down = inputs.pan[0] * height, inputs.pan[1] * height
        rx, ry, _ = turned((1.0, 0.0, 0.0), heading)
        ux, uy, uz = direction(heading, pitch + 90.0)
        return (x + ux * down - rx * across, y + uy * down - ry * across, z + uz * down)

    def _look(self) -> None:
        self.heading = self._heading.value % 360.0
        self.pitch = self._pitch.value
        fx, fy, fz = direction(self.heading, self.pitch)
        away = self._distance.value
        tx, ty, tz = self._target.value
        eye = add((tx - fx * away, ty - fy * away, tz - fz * away), block_offset(self.latch.cell_id, self.target_block))
        self.latch.update_free_cell(eye)
        self.outside_all = self.latch.outside_all
        self._stand(self.latch.cell_id, self.latch.eye)
