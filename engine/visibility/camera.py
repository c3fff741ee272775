"""The eye: its position and direction, and the projection of points onto the screen (rendering.md 2.2).

An eye stands in the coordinates of a landblock. Geometry of another landblock is transformed into them in double
precision, so nothing is lost however far both are from the world's origin.
"""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.elementary import cos, sin, tan
from engine.geometry.vec import Vec3
from engine.visibility.view import ScreenPoint
from engine.world.cells.landdefs import block_offset

ZNEAR: Final = 0.1
ZFAR: Final = 4000.0
SKY_FAR: Final = 16000.0
"""Far plane of the sky's pass: four times the others'."""

FIELD_OF_VIEW: Final = 1.5707963267948966
"""Radians; the client's setting, the preference's 90 degrees (rendering.md C1)."""

ASPECT_SHIFT: Final = 0.1
"""The client subtracts this from the screen's width, measured in heights, before it divides its setting by it."""

WIDEST_FIELD: Final = 2.0943951023931953
"""Radians, 120 degrees: of windows that are taller than wide. Without a limit 3:5 would be half of all there is."""

DEPTH_SCALE: Final = 1.0000500012500313  # (ZFAR + ZNEAR) / (ZFAR − ZNEAR)
DEPTH_SHIFT: Final = -0.2000050001250031  # −2·ZFAR·ZNEAR / (ZFAR − ZNEAR)


def focal_of_fov(height: float, fov_y: float) -> float:
    """The focal length in pixels of a vertical field of view in radians."""
    return (height / 2.0) / tan(fov_y / 2.0)


def field_of_view(width: float, height: float) -> float:
    """The vertical field of view in radians, as the client computes it for each frame: 73 degrees at 4:3, 60 at 16:10
    (rendering.md C1)."""
    least = FIELD_OF_VIEW / WIDEST_FIELD
    across = least if height <= 0.0 else width / height - ASPECT_SHIFT
    return FIELD_OF_VIEW / (across if across > least else least)


def focal_of_screen(width: float, height: float) -> float:
    """The client's focal length in pixels on a screen of that size."""
    return focal_of_fov(height, field_of_view(width, height))


class Camera:
    """An immutable eye with a screen before it; an eye that moves is a new camera.

    `right`, `forward` and `up` are orthonormal and right-handed in this order; the camera may be rolled. `block_id` is
    any id in the landblock whose coordinates `eye` is given in.
    """

    block_id: int
    eye: Vec3
    forward: Vec3
    right: Vec3
    up: Vec3
    width: float
    height: float
    focal: float

    def __init__(
        self,
        block_id: int,
        eye: Vec3,
        forward: Vec3,
        right: Vec3,
        up: Vec3,
        width: float,
        height: float,
        focal: float,
    ) -> None:
        self.block_id = block_id
        self.eye = eye
        self.forward = forward
        self.right = right
        self.up = up
        self.width = width
        self.height = height
        self.focal = focal

    def __repr__(self) -> str:
        return f"Camera(0x{self.block_id:08X}, {self.eye!r}, forward={self.forward!r})"

    def eye_in(self, block_id: int) -> Vec3:
        """The eye in the coordinates of another landblock."""
        dx, dy, dz = block_offset(block_id, self.block_id)
        x, y, z = self.eye
        return (x + dx, y + dy, z + dz)

    def ray(self, px: float, py: float) -> Vec3:
        """The direction in which the eye sees a point of the screen, with length 1 along `forward`."""
        across = (px - self.width / 2.0) / self.focal
        down = (py - self.height / 2.0) / self.focal
        fx, fy, fz = self.forward
        rx, ry, rz = self.right
        ux, uy, uz = self.up
        return (fx + rx * across - ux * down, fy + ry * across - uy * down, fz + rz * across - uz * down)

    def project(self, p: Vec3) -> ScreenPoint:
        """A point of the camera's landblock on the screen, not divided by its depth yet."""
        ex, ey, ez = self.eye
        return self.project_offset(p[0] - ex, p[1] - ey, p[2] - ez)

    def project_offset(self, dx: float, dy: float, dz: float) -> ScreenPoint:
        """A point given by its offset from the eye."""
        fx, fy, fz = self.forward
        rx, ry, rz = self.right
        ux, uy, uz = self.up
        w = fx * dx + fy * dy + fz * dz
        return ScreenPoint(
            self.width / 2.0 * w + self.focal * (rx * dx + ry * dy + rz * dz),
            self.height / 2.0 * w - self.focal * (ux * dx + uy * dy + uz * dz),
            DEPTH_SCALE * w + DEPTH_SHIFT,
            w,
        )


def looking(
    block_id: int, eye: Vec3, heading: float, pitch: float, width: float, height: float, focal: float
) -> Camera:
    """The camera of a compass heading (0 north, 90 east) and a pitch (up positive), both in degrees."""
    h = math.radians(heading)
    p = math.radians(pitch)
    sin_h, cos_h, sin_p, cos_p = sin(h), cos(h), sin(p), cos(p)
    return Camera(
        block_id,
        eye,
        (sin_h * cos_p, cos_h * cos_p, sin_p),
        (cos_h, -sin_h, 0.0),
        (-sin_h * sin_p, -cos_h * sin_p, cos_p),
        width,
        height,
        focal,
    )
