"""Cells in the making: a convex hull of walls that look inwards, the openings in them, and what stands inside.

Everything is in the cell's own space; its frame places it in its interior. Spec: dat-format.md 2.4, 2.5, 3.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.build.errors import BuildError
from engine.build.models import Mesh, Model
from engine.build.shapes.faces import (
    ON_PLANE,
    Face,
    PlaneEquation,
    bounds_of,
    centre_of,
    contains,
    cut_hole,
    dist,
    overlap,
    plane_of,
    rounded,
)
from engine.geometry.elementary import plain_sum
from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3, cross, dot, length2, normalized, sub

HULL_TOLERANCE = 1e-3
"""How far cells may reach into each other before they count as overlapping."""


OPPOSITE = -1.0 + 1e-6
"""The dot product of two normals below which they are opposite."""

Bounds = tuple[Vec3, Vec3]
"""The lowest and the highest coordinates."""


@dataclass
class Gap:
    """One side of an opening: a portal of `cell` in its wall number `wall`. `mate` is the other side, None outdoors."""

    cell: CellShape
    wall: int
    points: tuple[Vec3, ...]
    solid: bool
    mate: Gap | None = None
    is_exit: bool = False


@dataclass
class StandingThing:
    """A static object: its model and its frame in the space of the interior or, outdoors, of the landblock."""

    model: Mesh | Model
    frame: Frame


@dataclass(eq=False)
class CellShape:
    """One EnvCell to be. `walls` are the hull's faces before any opening is cut; `inner` faces stand within it."""

    name: str
    frame: Frame
    walls: list[Face]
    inner: list[Face] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    things: list[StandingThing] = field(default_factory=list)
    bounds: Bounds = field(init=False)
    _placed: list[list[Vec3]] = field(init=False, repr=False)
    _planes: list[PlaneEquation] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.walls = [replace(wall, points=rounded(wall.points)) for wall in self.walls]
        self._placed = [[self.frame.local_to_global(p) for p in wall.points] for wall in self.walls]
        self._planes = [plane_of(points) for points in self._placed]
        self.bounds = bounds_of([p for points in self._placed for p in points])

    def to_local(self, points: Sequence[Vec3]) -> tuple[Vec3, ...]:
        """Points of the interior in this cell's space, in single precision."""
        return rounded(self.frame.global_to_local(p) for p in points)

    def wall_in_interior(self, wall: int) -> list[Vec3]:
        """The corners of a wall in the space of the interior."""
        return self._placed[wall]

    def plane_in_interior(self, wall: int) -> PlaneEquation:
        """The plane of a wall in the space of the interior, its front inside."""
        return self._planes[wall]

    def contains(self, p: Vec3) -> bool:
        """Whether a point of the interior is inside this cell."""
        return all(dist(plane, p) >= -ON_PLANE for plane in self._planes)

    def add_gap(self, wall: int, points: Sequence[Vec3], where: str, *, solid: bool, is_exit: bool = False) -> Gap:
        """Open a wall; `points` are cell-local and face into the cell like the wall."""
        if not contains(self.walls[wall].points, points, 1e-4):
            raise BuildError(where, f"the opening reaches beyond the wall of {self.name!r}")
        for other in self.gaps:
            if other.wall == wall and overlap(points, other.points):
                raise BuildError(where, f"the opening overlaps another one in the same wall of {self.name!r}")
        gap = Gap(self, wall, rounded(points), solid, is_exit=is_exit)
        self.gaps.append(gap)
        return gap

    def wall_fragments(self) -> list[Face]:
        """The walls with their openings cut out, in wall order."""
        fragments: list[Face] = []
        for index, wall in enumerate(self.walls):
            pieces = [list(wall.points)]
            for gap in self.gaps:
                if gap.wall == index:
                    pieces = [rest for piece in pieces for rest in cut_hole(piece, gap.points)]
            if len(pieces) == 1 and tuple(pieces[0]) == wall.points:
                fragments.append(wall)
            else:
                fragments += [wall.with_points(rounded(piece)) for piece in pieces]
        return fragments

    def centre(self) -> Vec3:
        """A point well inside, in the space of the interior."""
        corners = [p for wall in self.walls for p in wall.points]
        return self.frame.local_to_global(centre_of(corners))


@dataclass
class WallPair:
    """Two walls that look away from each other with `thickness` metres between them; walls in interior space."""

    first: CellShape
    first_wall: int
    second: CellShape
    second_wall: int
    thickness: float


def wall_pairs(first: Sequence[CellShape], second: Sequence[CellShape], thickest: float) -> list[WallPair]:
    """All pairs of walls of two rooms that stand back to back, near enough for an opening, and overlap."""
    found = []
    for a in first:
        for b in second:
            if a is b:
                continue
            for i in range(len(a.walls)):
                for j in range(len(b.walls)):
                    if dot(a.plane_in_interior(i)[0], b.plane_in_interior(j)[0]) > OPPOSITE:
                        continue
                    thickness = back_to_back(a.wall_in_interior(i), b.wall_in_interior(j))
                    if thickness is not None and thickness <= thickest:
                        found.append(WallPair(a, i, b, j, thickness))
    return found


def back_to_back(a: Sequence[Vec3], b: Sequence[Vec3]) -> float | None:
    """The thickness of the wall between two faces that look away from each other, if they overlap at all."""
    normal, d = plane_of(a)
    if dot(normal, plane_of(b)[0]) > OPPOSITE:
        return None
    distances = [-(dot(normal, p) + d) for p in b]
    thickness = plain_sum(distances) / len(distances)
    if thickness < -1e-3 or max(distances) - min(distances) > 1e-3:
        return None
    facing = [
        (p[0] + normal[0] * t, p[1] + normal[1] * t, p[2] + normal[2] * t) for p, t in zip(b, distances, strict=True)
    ]
    return max(thickness, 0.0) if overlap(a, facing) else None


def cells_overlap(a: CellShape, b: CellShape) -> bool:
    """Whether two convex cells share space, beyond what rounding explains."""
    (low_a, high_a), (low_b, high_b) = a.bounds, b.bounds
    for axis in range(3):
        if high_a[axis] <= low_b[axis] + HULL_TOLERANCE or high_b[axis] <= low_a[axis] + HULL_TOLERANCE:
            return False
    points_a = [p for i in range(len(a.walls)) for p in a.wall_in_interior(i)]
    points_b = [p for i in range(len(b.walls)) for p in b.wall_in_interior(i)]
    for shape, points in ((a, points_b), (b, points_a)):
        for i in range(len(shape.walls)):
            plane = shape.plane_in_interior(i)
            if all(dist(plane, p) <= HULL_TOLERANCE for p in points):
                return False
    return not any(
        _separates(normalized(axis), points_a, points_b)
        for edge_a in _edges(a)
        for edge_b in _edges(b)
        for axis in (cross(edge_a, edge_b),)
        if length2(axis) > 1e-6
    )


def _edges(shape: CellShape) -> list[Vec3]:
    """The directions of the hull's edges, each once."""
    directions: list[Vec3] = []
    for i in range(len(shape.walls)):
        points = shape.wall_in_interior(i)
        for k, p in enumerate(points):
            direction = normalized(sub(points[(k + 1) % len(points)], p))
            if all(abs(dot(direction, known)) < 1.0 - 1e-6 for known in directions):
                directions.append(direction)
    return directions


def _separates(axis: Vec3, a: Sequence[Vec3], b: Sequence[Vec3]) -> bool:
    reach_a = [dot(axis, p) for p in a]
    reach_b = [dot(axis, p) for p in b]
    return max(reach_a) <= min(reach_b) + HULL_TOLERANCE or max(reach_b) <= min(reach_a) + HULL_TOLERANCE
