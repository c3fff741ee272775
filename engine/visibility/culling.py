"""Tests spheres and boxes against views: `viewconeCheck` and the landscape's box test (rendering.md 15.1, 15.2,
12.2).

A `ViewCone` is one view polygon with the planes that bound it; build one per view and frame, and reuse it. Both tests
are conservative near the corners of the pyramid: they may answer PARTIAL for a shape just outside.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.plane import Plane
from engine.geometry.vec import Vec3
from engine.visibility.camera import ZNEAR, Camera
from engine.visibility.view import ViewPoly

OUTSIDE: Final = 0
PARTIAL: Final = 1
INSIDE: Final = 2


class ViewCone:
    """The front plane and the edge planes of a view, in the coordinates of the camera's landblock."""

    planes: list[Plane]

    def __init__(self, camera: Camera, view: ViewPoly) -> None:
        fx, fy, fz = camera.forward
        ex, ey, ez = camera.eye
        planes: list[Plane] = [Plane(camera.forward, -(fx * ex + fy * ey + fz * ez) - ZNEAR)]
        planes.extend(view.planes(camera))
        self.planes = planes

    def sphere(self, center: Vec3, radius: float) -> int:
        """OUTSIDE, PARTIAL or INSIDE."""
        x, y, z = center
        answer = INSIDE
        for plane in self.planes:
            nx, ny, nz = plane.normal
            d = nx * x + ny * y + nz * z + plane.d
            if d < -radius:
                return OUTSIDE
            if d <= radius:
                answer = PARTIAL
        return answer

    def box(self, minimum: Vec3, maximum: Vec3) -> int:
        """The same for an axis-aligned box, by its farthest and nearest corner along each normal."""
        lx, ly, lz = minimum
        hx, hy, hz = maximum
        answer = INSIDE
        for plane in self.planes:
            nx, ny, nz = plane.normal
            far = plane.d
            near = plane.d
            if nx >= 0.0:
                far += nx * hx
                near += nx * lx
            else:
                far += nx * lx
                near += nx * hx
            if ny >= 0.0:
                far += ny * hy
                near += ny * ly
            else:
                far += ny * ly
                near += ny * hy
            if nz >= 0.0:
                far += nz * hz
                near += nz * lz
            else:
                far += nz * lz
                near += nz * hz
            if far < 0.0:
                return OUTSIDE
            if near < 0.0:
                answer = PARTIAL
        return answer


def view_cones(camera: Camera, views: list[ViewPoly]) -> list[ViewCone]:
    """One for each active view."""
    return [ViewCone(camera, view) for view in views]


def sphere_in_views(cones: list[ViewCone], center: Vec3, radius: float) -> bool:
    """At least one of the active views sees something of the sphere."""
    return any(cone.sphere(center, radius) != OUTSIDE for cone in cones)


def box_in_views(cones: list[ViewCone], minimum: Vec3, maximum: Vec3) -> int:
    """The most that any of the active views says of the box."""
    answer = OUTSIDE
    for cone in cones:
        said = cone.box(minimum, maximum)
        if said > answer:
            answer = said
            if answer == INSIDE:
                break
    return answer
