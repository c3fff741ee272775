"""Planes: the points p with dot(N, p) + d = 0 (physics.md 1.6)."""

from __future__ import annotations

from typing import Final

from engine.geometry.box import Box
from engine.geometry.constants import EPSILON
from engine.geometry.frame import Frame
from engine.geometry.vec import ZERO, Vec3

FRONT: Final = 0
BEHIND: Final = 1
CLOSE: Final = 2

POSITIVE: Final = 0
NEGATIVE: Final = 1
CROSSING: Final = 3  # 2 is the client's IN_PLANE, our CLOSE


class Plane:
    """An immutable plane with its front on the side the normal points to."""

    normal: Vec3
    d: float

    def __init__(self, normal: Vec3, d: float) -> None:
        self.normal = normal
        self.d = d

    def __repr__(self) -> str:
        return f"Plane({self.normal!r}, {self.d!r})"

    def dist(self, p: Vec3) -> float:
        """Signed distance, positive in front."""
        nx, ny, nz = self.normal
        return nx * p[0] + ny * p[1] + nz * p[2] + self.d

    def side(self, p: Vec3, bias: float = 0.0) -> int:
        """FRONT, BEHIND, or CLOSE within EPSILON of the plane."""
        t = self.dist(p) + bias
        if t > EPSILON:
            return FRONT
        if t < -EPSILON:
            return BEHIND
        return CLOSE

    def flipped(self) -> Plane:
        x, y, z = self.normal
        return Plane((-x, -y, -z), -self.d)

    def snap_to_plane(self, offset: Vec3) -> Vec3:
        """The offset made parallel to the plane by changing its z alone; an upright plane leaves it as it is."""
        nx, ny, nz = self.normal
        if abs(nz) <= EPSILON:
            return offset
        return (offset[0], offset[1], -(offset[0] * nx + offset[1] * ny) / nz)

    def set_height(self, p: Vec3) -> Vec3:
        """The point moved up or down onto the plane; an upright plane leaves it as it is."""
        nx, ny, nz = self.normal
        if abs(nz) > EPSILON:
            return (p[0], p[1], -(p[0] * nx + p[1] * ny + self.d) / nz)
        return p

    def intersect_box(self, box: Box) -> int:
        """POSITIVE or NEGATIVE when the box lies on one side, else CROSSING."""
        t = self.dist(box.minimum)
        if abs(t) <= EPSILON:
            return CROSSING
        result = POSITIVE if t > 0.0 else NEGATIVE
        for corner in box.corners():
            if self.side(corner, EPSILON) != result:
                return CROSSING
        return result


def transform_plane(
    plane: Plane, frame: Frame, scale: float = 1.0, point: Vec3 | None = None, block_shift: Vec3 = ZERO
) -> Plane:
    """A plane of a part's local space, in the landblock frame.

    `point` is a point of the plane, best a vertex of its polygon; without it the foot of the origin serves. It is the
    point that is scaled, never d: that is only right when the part's origin is at zero.
    """
    nx, ny, nz = plane.normal
    if point is None:
        px, py, pz = -plane.d * nx, -plane.d * ny, -plane.d * nz
    else:
        px, py, pz = point
    qx, qy, qz = frame.local_to_global((px * scale, py * scale, pz * scale))
    mx, my, mz = frame.local_to_global_vec(plane.normal)
    sx, sy, sz = block_shift
    return Plane((mx, my, mz), -(mx * (qx + sx) + my * (qy + sy) + mz * (qz + sz)))
