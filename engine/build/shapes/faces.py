"""Flat convex faces: planes, clipping, and openings cut out of walls.

A face's corners run counter-clockwise seen from its front (dat-format.md 3.2.4). Faces of rooms look into the
room, faces of solid things look outwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.geometry.elementary import distance_between, plain_sum
from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3, add, cross, dot, length, lerp, neg, normalized, r24v, scale, sub

PlaneEquation = tuple[Vec3, float]
"""Normal and d: a point p is in front when n·p + d > 0."""

ON_PLANE = 1e-5
"""Points nearer to a plane than this lie on it: far above single-precision noise, far below what physics feels."""

SMALLEST_WIDTH = 1e-4
"""Fragments of a cut narrower than this are rounding, not wall."""


@dataclass(frozen=True)
class Face:
    """A convex polygon with its material.

    `solid` faces stop bodies, `drawn` ones are seen; most are both. `fit` stretches the texture once over the face (a
    sign, a door leaf) where other faces repeat it by the metre. `normals` gives curved things their smooth shading.
    """

    points: tuple[Vec3, ...]
    material: str = ""
    solid: bool = True
    drawn: bool = True
    fit: bool = False
    normals: tuple[Vec3, ...] | None = None

    @property
    def plane(self) -> PlaneEquation:
        return plane_of(self.points)

    def reversed(self) -> Face:
        """The same face looking the other way."""
        normals = None if self.normals is None else tuple(neg(n) for n in reversed(self.normals))
        return replace(self, points=tuple(reversed(self.points)), normals=normals)

    def with_points(self, points: Sequence[Vec3]) -> Face:
        """A fragment of this face; smooth normals belong to whole faces and are dropped."""
        return replace(self, points=tuple(points), normals=None)

    def placed(self, frame: Frame) -> Face:
        """The face in the space that the frame is given in."""
        normals = None if self.normals is None else tuple(frame.local_to_global_vec(n) for n in self.normals)
        return replace(self, points=tuple(frame.local_to_global(p) for p in self.points), normals=normals)


def plane_of(points: Sequence[Vec3]) -> PlaneEquation:
    """The plane by the rule of the readers: sum of the fan's cross products, d from the mean over the corners."""
    total = (0.0, 0.0, 0.0)
    for i in range(1, len(points) - 1):
        total = add(total, cross(sub(points[i], points[0]), sub(points[i + 1], points[0])))
    normal = normalized(total)
    return normal, -plain_sum(dot(normal, p) for p in points) / len(points)


def area_of(points: Sequence[Vec3]) -> float:
    """The area of a flat polygon."""
    total = (0.0, 0.0, 0.0)
    for i in range(1, len(points) - 1):
        total = add(total, cross(sub(points[i], points[0]), sub(points[i + 1], points[0])))
    return length(total) * 0.5


def centre_of(points: Sequence[Vec3]) -> Vec3:
    """The mean of the corners."""
    total = (0.0, 0.0, 0.0)
    for p in points:
        total = add(total, p)
    return scale(total, 1.0 / len(points))


def bounds_of(points: Sequence[Vec3]) -> tuple[Vec3, Vec3]:
    """The lowest and the highest coordinates of points."""
    low = (min(p[0] for p in points), min(p[1] for p in points), min(p[2] for p in points))
    high = (max(p[0] for p in points), max(p[1] for p in points), max(p[2] for p in points))
    return low, high


def dist(plane: PlaneEquation, p: Vec3) -> float:
    """Signed distance of a point from a plane."""
    return dot(plane[0], p) + plane[1]


def edge_planes(points: Sequence[Vec3]) -> list[PlaneEquation]:
    """One plane through each edge, upright on the polygon, its front towards the inside."""
    normal = plane_of(points)[0]
    planes = []
    for i, a in enumerate(points):
        inward = normalized(cross(normal, sub(points[(i + 1) % len(points)], a)))
        planes.append((inward, -dot(inward, a)))
    return planes


def split(points: Sequence[Vec3], plane: PlaneEquation) -> tuple[list[Vec3], list[Vec3]]:
    """The parts of a convex polygon in front of a plane and behind it; either may be empty.

    A corner within ON_PLANE belongs to both, so that a cut through a corner makes no sliver.
    """
    sides = [dist(plane, p) for p in points]
    if all(side <= ON_PLANE for side in sides):
        return [], list(points)
    if all(side >= -ON_PLANE for side in sides):
        return list(points), []
    front: list[Vec3] = []
    behind: list[Vec3] = []
    for i, p in enumerate(points):
        j = (i + 1) % len(points)
        here, there = sides[i], sides[j]
        if here >= -ON_PLANE:
            front.append(p)
        if here <= ON_PLANE:
            behind.append(p)
        if (here > ON_PLANE and there < -ON_PLANE) or (here < -ON_PLANE and there > ON_PLANE):
            crossing = lerp(p, points[j], here / (here - there))
            front.append(crossing)
            behind.append(crossing)
    return (front if len(front) >= 3 else []), (behind if len(behind) >= 3 else [])


def clip(points: Sequence[Vec3], planes: Iterable[PlaneEquation]) -> list[Vec3]:
    """The part of a convex polygon in front of all planes, or nothing."""
    rest = list(points)
    for plane in planes:
        rest = split(rest, plane)[0]
        if not rest:
            return []
    return rest if is_wide(rest) else []


def is_wide(points: Sequence[Vec3]) -> bool:
    """Whether a polygon is more than a sliver left over by rounding."""
    longest = max(distance_between(a, b) for a in points for b in points)
    return longest > SMALLEST_WIDTH and area_of(points) > 0.5 * SMALLEST_WIDTH * longest


def cut_hole(points: Sequence[Vec3], hole: Sequence[Vec3]) -> list[list[Vec3]]:
    """The convex polygon without the hole, in convex fragments; both lie in one plane.

    Upright edges of the hole cut first: a doorway leaves two full-height pieces and a lintel, as a carpenter would.
    Corners of fragments that fall on a corner of the hole become exactly that corner.
    """
    if not clip(points, edge_planes(hole)):
        return [list(points)]
    fragments: list[list[Vec3]] = []
    rest = list(points)
    for plane in sorted(edge_planes(hole), key=lambda plane: abs(plane[0][2])):
        rest, outside = split(rest, plane)
        if outside and is_wide(outside):
            fragments.append([_snapped(p, hole) for p in outside])
        if not rest:
            break
    return fragments


def _snapped(p: Vec3, corners: Sequence[Vec3]) -> Vec3:
    for corner in corners:
        if distance_between(p, corner) < ON_PLANE:
            return corner
    return p


def contains(points: Sequence[Vec3], inner: Sequence[Vec3], tolerance: float = ON_PLANE) -> bool:
    """Whether every corner of `inner` lies within the polygon (and in its plane)."""
    plane = plane_of(points)
    if any(abs(dist(plane, p)) > 10.0 * tolerance for p in inner):
        return False
    return all(dist(edge, p) >= -tolerance for edge in edge_planes(points) for p in inner)


def overlap(a: Sequence[Vec3], b: Sequence[Vec3]) -> list[Vec3]:
    """The common part of two convex polygons of one plane, with the winding of `a`; empty when they hardly touch."""
    if dot(plane_of(a)[0], plane_of(b)[0]) < 0.0:
        b = list(reversed(b))
    return clip(a, edge_planes(b))


def rounded(points: Iterable[Vec3]) -> tuple[Vec3, ...]:
    """The corners as the records will hold them, in single precision; minus zero becomes zero."""
    return tuple((x + 0.0, y + 0.0, z + 0.0) for x, y, z in (r24v(p) for p in points))
