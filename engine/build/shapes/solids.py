"""Solid bodies as lists of outward faces, and the union of convex ones.

A convex body is a prism cut by planes; rooms, doorways, walls of a shell, roofs and furniture are all made of these.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.build.shapes.faces import (
    ON_PLANE,
    Face,
    PlaneEquation,
    dist,
    is_wide,
    plane_of,
    split,
)
from engine.build.shapes.floor_plan import Point2, ngon, rect
from engine.geometry.elementary import cos, distance_between, sin
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import Vec3, cross, dot, normalized, sub


@dataclass(frozen=True)
class Slope:
    """A plane that rises from the point `low` to the point `high` and is level across: one side of a roof, a ramp."""

    low: Vec3
    high: Vec3

    def plane(self) -> PlaneEquation:
        """With the normal upwards, or outwards where the slope is upright."""
        along = sub(self.high, self.low)
        level = normalized((along[1], -along[0], 0.0))
        normal = normalized(cross(level, along))
        return normal, -dot(normal, self.low)

    def raised(self, by: float) -> Slope:
        """The same slope `by` metres higher: the roof over an attic's ceiling."""
        return Slope((*self.low[:2], self.low[2] + by), (*self.high[:2], self.high[2] + by))

    def height_at(self, x: float, y: float) -> float:
        """z of the slope over a point of the plan."""
        normal, d = self.plane()
        return -(normal[0] * x + normal[1] * y + d) / normal[2]


def prism(
    plan: Sequence[Point2],
    bottom: float,
    top: float,
    material: str,
    *,
    sides: Sequence[str] | None = None,
    cap: str | None = None,
    base: str | None = None,
) -> list[Face]:
    """A body over a convex counter-clockwise plan; `sides` are materials edge by edge, `cap` and `base` of the ends."""
    low = [(x, y, bottom) for x, y in plan]
    high = [(x, y, top) for x, y in plan]
    faces = []
    for i in range(len(plan)):
        j = (i + 1) % len(plan)
        faces.append(Face((low[i], low[j], high[j], high[i]), material if sides is None else sides[i]))
    faces.append(Face(tuple(high), cap or material))
    faces.append(Face(tuple(reversed(low)), base or material))
    return faces


def box(x: float, y: float, z: float, width: float, depth: float, height: float, material: str) -> list[Face]:
    """An upright box by its lowest corner and its size."""
    return prism(rect(x, y, width, depth), z, z + height, material)


def cylinder(
    x: float,
    y: float,
    z: float,
    radius: float,
    height: float,
    material: str,
    *,
    sides: int = 8,
    top_radius: float | None = None,
) -> list[Face]:
    """An upright round body, shaded smooth; another `top_radius` makes it taper, 0 makes it a cone."""
    upper = radius if top_radius is None else top_radius
    low = [(px, py, z) for px, py in ngon(x, y, radius, sides)]
    high = [(px, py, z + height) for px, py in ngon(x, y, max(upper, 0.0), sides)]
    rise = (radius - upper) / height
    faces = []
    for i in range(sides):
        j = (i + 1) % sides
        n_i = normalized((low[i][0] - x, low[i][1] - y, rise * radius))
        n_j = normalized((low[j][0] - x, low[j][1] - y, rise * radius))
        if upper > 0.0:
            faces.append(Face((low[i], low[j], high[j], high[i]), material, normals=(n_i, n_j, n_j, n_i)))
        else:
            tip = normalized((n_i[0] + n_j[0], n_i[1] + n_j[1], n_i[2] + n_j[2]))
            faces.append(Face((low[i], low[j], (x, y, z + height)), material, normals=(n_i, n_j, tip)))
    if upper > 0.0:
        faces.append(Face(tuple(high), material))
    faces.append(Face(tuple(reversed(low)), material))
    return faces


def ball(x: float, y: float, z: float, radius: float, material: str, *, sides: int = 8, rings: int = 4) -> list[Face]:
    """A round body, shaded smooth."""
    circles = []
    for ring in range(rings + 1):
        angle = math.pi * (ring / rings - 0.5)
        reach, height = cos(angle), sin(angle)
        circles.append([(px, py, height) for px, py in ngon(0.0, 0.0, reach, sides)])
    faces = []
    for ring in range(rings):
        for i in range(sides):
            j = (i + 1) % sides
            corners = [circles[ring][i], circles[ring][j], circles[ring + 1][j], circles[ring + 1][i]]
            if ring == 0:
                corners = [(0.0, 0.0, -1.0), *corners[2:]]
            elif ring == rings - 1:
                corners = [*corners[:2], (0.0, 0.0, 1.0)]
            points = tuple((x + radius * cx, y + radius * cy, z + radius * cz) for cx, cy, cz in corners)
            faces.append(Face(points, material, normals=tuple(normalized(c) for c in corners)))
    return faces


def moved(faces: Iterable[Face], x: float, y: float, z: float = 0.0, heading: float = 0.0) -> list[Face]:
    """The faces turned to a compass heading about the origin, then moved."""
    frame = Frame((x, y, z), from_heading(heading))
    return [face.placed(frame) for face in faces]


def inside_out(faces: Iterable[Face]) -> list[Face]:
    """The faces looking inwards: a body becomes a room."""
    return [face.reversed() for face in faces]


def passable(faces: Iterable[Face]) -> list[Face]:
    """The faces drawn only: bodies go through."""
    return [replace(face, solid=False) for face in faces]


def cut_body(faces: Sequence[Face], plane: PlaneEquation, material: str) -> list[Face]:
    """The part of a convex body behind a plane, closed by a face of the given material."""
    kept: list[Face] = []
    rim: list[Vec3] = []
    for face in faces:
        behind = split(face.points, plane)[1]
        if not behind or not is_wide(behind):
            continue
        kept.append(face if tuple(behind) == face.points else face.with_points(behind))
        rim += [p for p in behind if abs(dist(plane, p)) <= 2.0 * ON_PLANE]
    lid = _hull_in_plane(rim, plane)
    if lid and not any(_same_plane(face.plane, plane) for face in kept):
        kept.append(Face(tuple(lid), material))
    return kept


def _same_plane(a: PlaneEquation, b: PlaneEquation) -> bool:
    return dot(a[0], b[0]) > 1.0 - 1e-9 and abs(a[1] - b[1]) <= 10.0 * ON_PLANE


def _hull_in_plane(points: Sequence[Vec3], plane: PlaneEquation) -> list[Vec3]:
    """The convex outline of points of a plane, counter-clockwise about its normal."""
    unique: list[Vec3] = []
    for p in points:
        if all(distance_between(p, q) > 2.0 * ON_PLANE for q in unique):
            unique.append(p)
    if len(unique) < 3:
        return []
    normal = plane[0]
    axis = (1.0, 0.0, 0.0) if abs(normal[0]) < 0.9 else (0.0, 1.0, 0.0)
    u = normalized(cross(axis, normal))
    v = cross(normal, u)
    flat = sorted((dot(p, u), dot(p, v), p) for p in unique)

    def chain(items: Sequence[tuple[float, float, Vec3]]) -> list[tuple[float, float, Vec3]]:
        out: list[tuple[float, float, Vec3]] = []
        for item in items:
            while len(out) >= 2 and _left(out[-2], out[-1], item) <= ON_PLANE * 1e-3:
                out.pop()
            out.append(item)
        return out[:-1]

    outline = [p for _, _, p in chain(flat) + chain(flat[::-1])]
    return outline if len(outline) >= 3 and is_wide(outline) else []


def _left(a: tuple[float, float, Vec3], b: tuple[float, float, Vec3], c: tuple[float, float, Vec3]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def is_convex_body(faces: Sequence[Face]) -> bool:
    """Whether no corner lies in front of any face."""
    corners = [p for face in faces for p in face.points]
    return all(dist(face.plane, p) <= 5.0 * ON_PLANE for face in faces for p in corners)


def union(bodies: Sequence[Sequence[Face]]) -> list[Face]:
    """The outer skin of several convex bodies: parts inside another body are cut away.

    Where faces of two bodies lie in one plane, equal ones stay once (the earlier body's), opposite ones vanish.
    """
    planes = [[face.plane for face in body] for body in bodies]
    skin: list[Face] = []
    for i, body in enumerate(bodies):
        for face in body:
            pieces = [list(face.points)]
            for j in range(len(bodies)):
                if j != i:
                    pieces = [rest for piece in pieces for rest in _outside(piece, planes[j], keep_shared=i < j)]
            if len(pieces) == 1 and len(pieces[0]) == len(face.points):
                skin.append(face if tuple(pieces[0]) == face.points else face.with_points(pieces[0]))
            else:
                skin += [face.with_points(piece) for piece in pieces]
    return skin


def _outside(points: list[Vec3], body: Sequence[PlaneEquation], *, keep_shared: bool) -> list[list[Vec3]]:
    """The parts of a polygon that are not within a convex body."""
    cutting: list[PlaneEquation] = []
    for plane in body:
        (nx, ny, nz), d = plane
        distances = [nx * x + ny * y + nz * z + d for x, y, z in points]
        low, high = min(distances), max(distances)
        if high > 2.0 * ON_PLANE or low < -2.0 * ON_PLANE:
            if low >= -ON_PLANE:
                return [points]
            cutting.append(plane)
        elif keep_shared and dot(plane_of(points)[0], plane[0]) > 0.0:
            return [points]
    rest = points
    outside: list[list[Vec3]] = []
    for plane in cutting:
        front, rest = split(rest, plane)
        if front and is_wide(front):
            outside.append(front)
        if not rest or not is_wide(rest):
            return [points]
    return outside


def within(faces: Sequence[Face], p: Vec3) -> bool:
    """Whether a point lies in a convex body."""
    return all(dist(face.plane, p) <= ON_PLANE for face in faces)
