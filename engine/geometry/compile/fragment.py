"""Convex pieces of polygons, cut by planes: what the BSP compilers work on (physics.md 2.3, 3.1).

A piece starts as the polygon laid flat into its own plane. That is exactly the shape the sphere test of 2.3 knows: it
measures in the plane, so a corner that stands off it (the data's roundings) counts where it falls onto the plane.
"""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.errors import GeometryError
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, is_finite

FLUSH: Final = 1e-4
"""Half of the client's EPSILON, in metres: a point no further off a plane lies in it, and no plane is worth choosing to
split something thinner. Single precision leaves corners 6e-5 m off the plane of their polygon in real models."""

EXACT: Final = 1e-9
"""The rounding errors of cutting, in metres: a polygon that reaches less far across a plane does not cross it."""

SPLITTER: Final = 0
"""Still inside its region: its plane is going to split the region."""

LISTED: Final = 1
"""On the border of its region, or too thin to matter to the splitting. The leaf must list its polygon."""

BACKING: Final = 2
"""On the border of its region, and the leaf across lists its polygon: this one does so if it is solid."""


class Cloud:
    """Some points, and a sphere round them that settles most questions about planes."""

    points: list[Vec3]
    center: Vec3
    radius: float

    def __init__(self, points: list[Vec3]) -> None:
        self.points = points
        self.center = center_of(points)
        self.radius = _radius(points, self.center)

    def extent(self, normal: Vec3, d: float) -> tuple[float, float]:
        """The least and greatest distance from the plane; only bounds of them when the points are clear of it."""
        x, y, z = self.center
        t = normal[0] * x + normal[1] * y + normal[2] * z + d
        clear = self.radius + 3.0 * FLUSH
        if t > clear or t < -clear:
            return (t - self.radius, t + self.radius)
        return extent(self.points, normal, d)


class Fragment(Cloud):
    """The piece of a polygon that lies in one region, and its role for the compiler there."""

    polygon: Polygon
    order: int
    role: int

    def __init__(self, polygon: Polygon, order: int, points: list[Vec3], role: int) -> None:
        super().__init__(points)
        self.polygon = polygon
        self.order = order
        self.role = role

    def piece(self, points: list[Vec3], role: int) -> Fragment:
        return Fragment(self.polygon, self.order, points, role)


def whole_fragments(polygons: list[Polygon]) -> list[Fragment]:
    """Each polygon in one piece. One without area can split nothing, and is listed wherever its corners are."""
    require_finite(polygons)
    fragments: list[Fragment] = []
    for order, polygon in enumerate(polygons):
        if polygon.degenerate or len(polygon.vertices) < 3:
            fragments.append(Fragment(polygon, order, polygon.vertices, LISTED))
            continue
        fragment = Fragment(polygon, order, flattened(polygon), SPLITTER)
        if fragment.radius <= FLUSH:
            fragment.role = LISTED
        fragments.append(fragment)
    return fragments


def require_finite(polygons: list[Polygon]) -> None:
    """No comparison tells where a corner is that is an infinity or not a number: a GeometryError names the polygon."""
    for polygon in polygons:
        for vertex in polygon.vertices:
            if not is_finite(vertex):
                raise GeometryError(f"polygon {polygon.id} has a corner that is not a point: {vertex}")


def flattened(polygon: Polygon) -> list[Vec3]:
    """The corners, moved along the normal into the plane."""
    nx, ny, nz = polygon.normal
    points: list[Vec3] = []
    for x, y, z in polygon.vertices:
        t = nx * x + ny * y + nz * z + polygon.d
        points.append((x - nx * t, y - ny * t, z - nz * t))
    return points


def extent(points: list[Vec3], normal: Vec3, d: float) -> tuple[float, float]:
    """The least and the greatest signed distance of the points from a plane."""
    nx, ny, nz = normal
    low = math.inf
    high = -math.inf
    for x, y, z in points:
        t = nx * x + ny * y + nz * z + d
        low = min(low, t)
        high = max(high, t)
    return (low, high)


def split_points(points: list[Vec3], normal: Vec3, d: float) -> tuple[list[Vec3], list[Vec3]]:
    """The parts of a convex outline in front of and behind a plane; corners in the plane belong to both."""
    front: list[Vec3] = []
    back: list[Vec3] = []
    nx, ny, nz = normal
    lx, ly, lz = points[-1]
    s = nx * lx + ny * ly + nz * lz + d
    for x, y, z in points:
        t = nx * x + ny * y + nz * z + d
        if s * t < 0.0:
            k = s / (s - t)
            corner = (lx + (x - lx) * k, ly + (y - ly) * k, lz + (z - lz) * k)
            front.append(corner)
            back.append(corner)
        if t >= 0.0:
            front.append((x, y, z))
        if t <= 0.0:
            back.append((x, y, z))
        lx = x
        ly = y
        lz = z
        s = t
    return (front, back)


def center_of(points: list[Vec3]) -> Vec3:
    """The mean of the points."""
    if not points:
        return (0.0, 0.0, 0.0)
    sx = 0.0
    sy = 0.0
    sz = 0.0
    for x, y, z in points:
        sx += x
        sy += y
        sz += z
    n = float(len(points))
    return (sx / n, sy / n, sz / n)


def _radius(points: list[Vec3], center: Vec3) -> float:
    cx, cy, cz = center
    most = 0.0
    for x, y, z in points:
        dx = x - cx
        dy = y - cy
        dz = z - cz
        most = max(most, dx * dx + dy * dy + dz * dz)
    return math.sqrt(most)


def area_of(points: list[Vec3]) -> float:
    """The area of a flat convex outline."""
    sx = 0.0
    sy = 0.0
    sz = 0.0
    if len(points) >= 3:
        ox, oy, oz = points[0]
        for i in range(1, len(points) - 1):
            px, py, pz = points[i]
            qx, qy, qz = points[i + 1]
            px -= ox
            py -= oy
            pz -= oz
            qx -= ox
            qy -= oy
            qz -= oz
            sx += py * qz - pz * qy
            sy += pz * qx - px * qz
            sz += px * qy - py * qx
    return 0.5 * math.sqrt(sx * sx + sy * sy + sz * sz)


def perimeter_of(points: list[Vec3]) -> float:
    total = 0.0
    if points:
        lx, ly, lz = points[-1]
        for x, y, z in points:
            dx = x - lx
            dy = y - ly
            dz = z - lz
            total += math.sqrt(dx * dx + dy * dy + dz * dz)
            lx = x
            ly = y
            lz = z
    return total


def is_flush(points: list[Vec3], plane: Plane) -> bool:
    """All points lie in the plane."""
    low, high = extent(points, plane.normal, plane.d)
    return low >= -FLUSH and high <= FLUSH
