"""The common part of all cameras (rendering.md 21)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Final

from engine.geometry.elementary import atan2, cos, hypot, sin
from engine.geometry.vec import Vec3
from engine.render.viewer.inputs import ViewerInput
from engine.render.viewer.smooth import LONGEST_STEP, clamp
from engine.visibility.camera import Camera, field_of_view, focal_of_screen, looking
from engine.visibility.root import VIEWER
from engine.world.cells.ids import landblock_id
from engine.world.graph.graph import NO_CELL

STEEPEST: Final = 89.0
"""Degrees up and down that a camera can look; straight down it would have no heading."""

USUAL_SCREEN: Final = (1280.0, 800.0)
"""Pixels, before anybody has asked for a picture."""


class Rig(ABC):
    """A camera that can be moved.

    `cell_id` is the viewer cell, latched by the rig itself; NO_CELL while it has none. `block_id` is the landblock that
    `eye` is given in. `fov_y` is the vertical field of view of the last picture's screen. `root_mode` is the default
    root of the flood. With `outside_all` the eye is outside of all cells (21.5). `player_alpha` is the opacity of the
    player's parts.
    """

    root_mode: str = VIEWER

    def __init__(self) -> None:
        self.fov_y = field_of_view(*USUAL_SCREEN)
        self.cell_id = NO_CELL
        self.block_id = NO_CELL
        self.eye: Vec3 = (0.0, 0.0, 0.0)
        self.heading = 0.0
        self.pitch = 0.0
        self.outside_all = False
        self.player_alpha = 1.0

    @abstractmethod
    def update(self, dt: float, inputs: ViewerInput) -> None:
        """Advance by `dt` seconds with the input of that time."""

    def camera(self, width: float, height: float) -> Camera:
        """The eye with a screen of that many pixels."""
        focal = focal_of_screen(width, height)
        return looking(self.block_id, self.eye, self.heading, self.pitch, width, height, focal)

    def fit(self, width: float, height: float) -> None:
        """The picture is that large from now on, and so is what of the world is seen from its top to its bottom."""
        self.fov_y = field_of_view(width, height)

    def _stand(self, cell_id: int, eye: Vec3) -> None:
        """Be in a cell, the eye in its landblock's coordinates."""
        self.cell_id = cell_id
        self.block_id = landblock_id(cell_id)
        self.eye = eye


def sane_step(dt: float) -> float:
    """A step that nothing flies off in: not negative, not endless."""
    return clamp(dt, 0.0, LONGEST_STEP)


def direction(heading: float, pitch: float) -> Vec3:
    """The unit vector of a look."""
    h, p = math.radians(heading), math.radians(pitch)
    return (sin(h) * cos(p), cos(h) * cos(p), sin(p))


def heading_and_pitch(way: Vec3) -> tuple[float, float]:
    """The look along a vector."""
    x, y, z = way
    return math.degrees(atan2(x, y)) % 360.0, math.degrees(atan2(z, hypot(x, y)))


def turned(v: Vec3, heading: float) -> Vec3:
    """A vector of an upright frame with that heading, in the landblock's axes: y is forward, x to the right."""
    h = math.radians(heading)
    sin_h, cos_h = sin(h), cos(h)
    x, y, z = v
    return (x * cos_h + y * sin_h, y * cos_h - x * sin_h, z)
