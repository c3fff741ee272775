"""View polygons: the convex parts of the screen through which something may be seen (rendering.md 5).

A view polygon is kept in pixels, y down, counter-clockwise as seen on the screen; its edges also stand for planes
through the eye. A cell's region is the union of its view polygons, which are never merged.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from engine.geometry.constants import EPSILON
from engine.geometry.plane import Plane
from engine.geometry.vec import Vec3

if TYPE_CHECKING:
    from engine.visibility.camera import Camera

DEDUPE: Final = 1.0
"""Pixels; two vertices no farther apart than this on both axes are one."""

SAME: Final = 0.001
"""Pixels; what rounding makes of one place seen twice is nearer than this on both axes."""

BESIDE: Final = 0.0625
"""In pixels; polygon fillers round their corners by less than this."""

MAX_VERTICES: Final = 31
"""The client keeps no more vertices of a view polygon than this."""


class ScreenPoint:
    """A point of the screen before the division by its depth `w`: the pixel is (x/w, y/w), `z` is clip-space z."""

    x: float
    y: float
    z: float
    w: float

    def __init__(self, x: float, y: float, z: float, w: float) -> None:
        self.x = x
        self.y = y
        self.z = z
        self.w = w

    def __repr__(self) -> str:
        return f"ScreenPoint({self.x!r}, {self.y!r}, {self.z!r}, {self.w!r})"


class ViewVertex:
    """A corner of a view polygon in pixels, with the way to the next one."""

    x: float
    y: float
    edge_x: float
    edge_y: float

    def __init__(self, x: float, y: float) -> None:
        self.x = x
        self.y = y
        self.edge_x = 0.0
        self.edge_y = 0.0


class ViewPoly:
    """One convex, immutable view polygon.

    `xs` and `ys` are its corners, `vertices` the same for the clipper.
    """

    xs: list[float]
    ys: list[float]
    vertices: list[ViewVertex]
    xmin: float
    xmax: float
    ymin: float
    ymax: float
    _planes: list[Plane]
    _planes_of: Camera | None

    def __init__(self, vertices: list[ViewVertex]) -> None:
        """Take at least three corners, and link each one to the next."""
        self.vertices = vertices
        xs: list[float] = []
        ys: list[float] = []
        before = vertices[-1]
        xmin = xmax = before.x
        ymin = ymax = before.y
        for vertex in vertices:
            x = vertex.x
            y = vertex.y
            before.edge_x = x - before.x
            before.edge_y = y - before.y
            before = vertex
            xs.append(x)
            ys.append(y)
            if x < xmin:
                xmin = x
            if x > xmax:
                xmax = x
            if y < ymin:
                ymin = y
            if y > ymax:
                ymax = y
        self.xs = xs
        self.ys = ys
        self.xmin = xmin
        self.xmax = xmax
        self.ymin = ymin
        self.ymax = ymax
        self._planes = []
        self._planes_of = None

    def __repr__(self) -> str:
        return f"ViewPoly([{', '.join([f'({v.x:.3f}, {v.y:.3f})' for v in self.vertices])}])"

    def contains(self, x: float, y: float) -> bool:
        """A point of the screen is inside, or on the border: the clipper's own edge test."""
        return all((x - v.x) * v.edge_y - (y - v.y) * v.edge_x >= 0.0 for v in self.vertices)

    def contains_view(self, other: ViewPoly, slack: float) -> bool:
        """Every corner of the other is inside, or at most `slack` pixels outside of every edge (10)."""
        if (
            other.xmin < self.xmin - slack
            or other.xmax > self.xmax + slack
            or other.ymin < self.ymin - slack
            or other.ymax > self.ymax + slack
        ):
            return False
        for v in self.vertices:
            ex = v.edge_x
            ey = v.edge_y
            limit = -slack * math.sqrt(ex * ex + ey * ey)
            for p in other.vertices:
                if (p.x - v.x) * ey - (p.y - v.y) * ex < limit:
                    return False
        return True

    def area(self) -> float:
        """Square pixels."""
        twice = 0.0
        for v in self.vertices:
            twice += v.edge_x * v.y - v.edge_y * v.x
        return twice / 2.0

    def planes(self, camera: Camera) -> list[Plane]:
        """The planes of its edges through the eye, in the coordinates of the camera's landblock; inside is in front."""
        if self._planes_of is not camera:
            self._planes = edge_planes(self, camera)
            self._planes_of = camera
        return self._planes


def edge_planes(view: ViewPoly, camera: Camera) -> list[Plane]:
    """One plane for each edge (5.2)."""
    ex, ey, ez = camera.eye
    rays = [camera.ray(v.x, v.y) for v in view.vertices]
    planes: list[Plane] = []
    for i in range(len(rays)):
        nx, ny, nz = _edge_normal(rays[i + 1] if i + 1 < len(rays) else rays[0], rays[i])
        planes.append(Plane((nx, ny, nz), -(nx * ex + ny * ey + nz * ez)))
    return planes


def _edge_normal(following: Vec3, here: Vec3) -> Vec3:
    """The unit vector along following × here; as it is when it is next to nothing."""
    ax, ay, az = following
    bx, by, bz = here
    nx = ay * bz - az * by
    ny = az * bx - ax * bz
    nz = ax * by - ay * bx
    if abs(nx) < EPSILON and abs(ny) < EPSILON and abs(nz) < EPSILON:
        return (nx, ny, nz)
    size = math.sqrt(nx * nx + ny * ny + nz * nz)
    return (nx / size, ny / size, nz / size)


def full_screen(camera: Camera) -> ViewPoly:
    """The whole viewport: bottom left, bottom right, top right, top left."""
    w = camera.width
    h = camera.height
    return ViewPoly([ViewVertex(0.0, h), ViewVertex(w, h), ViewVertex(w, 0.0), ViewVertex(0.0, 0.0)])


# --- copy_view (5.1)


def _apart(a: ViewVertex, b: ViewVertex) -> bool:
    return abs(a.x - b.x) > DEDUPE or abs(a.y - b.y) > DEDUPE


def _bent(a: ViewVertex, b: ViewVertex, c: ViewVertex) -> bool:
    """The corner between a and c leaves the line between them by about a pixel."""
    turn = (a.x - b.x) * (b.y - c.y) - (a.y - b.y) * (b.x - c.x)
    across = abs(a.x - c.x)
    down = abs(a.y - c.y)
    return abs(turn) >= (across if across > down else down)


def view_of(points: list[ScreenPoint]) -> ViewPoly | None:
    """The view polygon that `copy_view` makes of a clipped opening, or None for a sliver.

    Corners within a pixel of the last one kept and corners on the way between their neighbours are left out.
    """
    if len(points) < 3:
        return None
    ring: list[ViewVertex] = []
    for p in points:
        if not p.w > 0.0:
            return None  # behind the eye, or no number: not a clipped opening
        ring.append(ViewVertex(p.x / p.w, p.y / p.w))
    kept = _simplified(ring)
    if len(kept) < 3:
        return None
    if len(kept) > MAX_VERTICES:
        kept = kept[:MAX_VERTICES]
    for vertex in kept:
        vertex.x = abs(vertex.x)  # the client's way of getting rid of tiny negative values
        vertex.y = abs(vertex.y)
    return ViewPoly(kept)


def whole_view_of(points: list[ScreenPoint]) -> ViewPoly | None:
    """A clipped opening as a view with all its corners, or None when the middle of no pixel can be in it. Only of
    corners that are next to the same one is kept: rounding alone would say where the edge between them leads."""
    if len(points) < 3:
        return None
    ring: list[ViewVertex] = []
    for p in points:
        if not p.w > 0.0:
            return None
        vertex = ViewVertex(p.x / p.w, p.y / p.w)
        if len(ring) == 0 or not _same(vertex, ring[-1]):
            ring.append(vertex)
    while len(ring) > 1 and _same(ring[0], ring[-1]):
        ring.pop()
    if len(ring) < 3:
        return None
    view = ViewPoly(ring)
    return view if _has_middle(view.xmin, view.xmax) and _has_middle(view.ymin, view.ymax) else None


def _same(a: ViewVertex, b: ViewVertex) -> bool:
    return abs(a.x - b.x) < SAME and abs(a.y - b.y) < SAME


def _has_middle(least: float, most: float) -> bool:
    """Whether a row or column of pixel centres lies between two coordinates, or next to them."""
    return math.floor(most + BESIDE - 0.5) >= math.ceil(least - BESIDE - 0.5)


def _simplified(ring: list[ViewVertex]) -> list[ViewVertex]:
    kept: list[ViewVertex] = [ring[0]]
    first = ring[0]
    second: ViewVertex | None = None
    for vertex in ring[1:]:
        last = kept[-1]
        if not _apart(vertex, last):
            continue
        if last is first:
            second = vertex
        elif not _bent(kept[-2], last, vertex):
            kept.pop()
            if second is last:
                second = vertex
        kept.append(vertex)
    last = kept[-1]
    # An opening all within a pixel of its first corner has nothing but that corner, and loses it here.
    if not _apart(first, last) or not _bent(kept[-2], last, first):
        kept.pop()
    if second is not None and len(kept) > 0 and not _bent(kept[-1], first, second):
        kept.pop(0)
    return kept
