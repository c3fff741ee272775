"""The free camera: flies anywhere, through walls as well, and latches its own cell (rendering.md 21.5)."""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.vec import Vec3
from engine.render.viewer.inputs import ViewerInput
from engine.render.viewer.rig import STEEPEST, Rig, direction, sane_step, turned
from engine.render.viewer.smooth import clamp
from engine.visibility.free_cell import FreeCell
from engine.visibility.world_view import WorldView
from engine.world.graph.graph import NO_CELL

USUAL_SPEED: Final = 6.0
SLOWEST: Final = 0.5
FASTEST: Final = 200.0
"""Metres per second."""

_FASTER: Final = 1.25
"""A step of the wheel."""

_HURRY: Final = 4.0
"""The key for fast."""

_PICK_UP: Final = 0.08
"""Seconds in which two thirds of a new speed are reached."""

_PAN: Final = 5.0
"""Metres that the whole height of the picture pans."""


class FreeFly(Rig):
    """`latch` holds the eye and its cell; `speed` is how fast it flies."""

    def __init__(self, world_view: WorldView) -> None:
        super().__init__()
        self.latch = FreeCell(world_view)
        self.speed = USUAL_SPEED
        self._velocity: Vec3 = (0.0, 0.0, 0.0)

    def place(self, cell_id: int, eye: Vec3, heading: float = 0.0, pitch: float = 0.0) -> None:
        """Be there at once, at rest. The cell is where to search first."""
        self.latch.place(cell_id, eye)
        self.heading = heading % 360.0
        self.pitch = clamp(pitch, -STEEPEST, STEEPEST)
        self._velocity = (0.0, 0.0, 0.0)
        self._follow()

    def update(self, dt: float, inputs: ViewerInput) -> None:
        dt = sane_step(dt)
        self.heading = (self.heading + inputs.look[0]) % 360.0
        self.pitch = clamp(self.pitch + inputs.look[1], -STEEPEST, STEEPEST)
        self.speed = clamp(self.speed * _FASTER**inputs.dolly, SLOWEST, FASTEST)
        wish = self._wish(inputs)
        gain = 1.0 - math.exp(-dt / _PICK_UP)
        vx, vy, vz = (v + (w - v) * gain for v, w in zip(self._velocity, wish, strict=True))
        if math.hypot(vx, vy, vz) < 1e-4:
            vx = vy = vz = 0.0
        self._velocity = (vx, vy, vz)
        px, py, pz = self._pan(inputs)
        x, y, z = self.latch.eye
        if self.latch.cell_id != NO_CELL:
            self.latch.update_free_cell((x + vx * dt + px, y + vy * dt + py, z + vz * dt + pz))
        self._follow()

    def _wish(self, inputs: ViewerInput) -> Vec3:
        """The velocity that the keys ask for: forward is where it looks, up is up."""
        right, forward, up = inputs.move
        size = math.hypot(right, forward, up)
        if size == 0.0:
            return (0.0, 0.0, 0.0)
        speed = self.speed * (_HURRY if inputs.fast else 1.0) / max(1.0, size)
        fx, fy, fz = direction(self.heading, self.pitch)
        rx, ry, _ = turned((1.0, 0.0, 0.0), self.heading)
        return (
            (fx * forward + rx * right) * speed,
            (fy * forward + ry * right) * speed,
            (fz * forward + up) * speed,
        )

    def _pan(self, inputs: ViewerInput) -> Vec3:
        """The picture goes with the hand, so the eye goes against it."""
        across, down = inputs.pan
        if across == 0.0 and down == 0.0:
            return (0.0, 0.0, 0.0)
        rx, ry, _ = turned((1.0, 0.0, 0.0), self.heading)
        ux, uy, uz = direction(self.heading, self.pitch + 90.0)
        return (
            (ux * down - rx * across) * _PAN,
            (uy * down - ry * across) * _PAN,
            uz * down * _PAN,
        )

    def _follow(self) -> None:
        if self.latch.cell_id != NO_CELL:
            self._stand(self.latch.cell_id, self.latch.eye)
        self.outside_all = self.latch.outside_all
