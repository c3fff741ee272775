"""Clipping on the screen: the part of an opening that lies within a view polygon (rendering.md 6.1, 6.2, 9).

Points are clipped before they are divided by their depth, so points behind or beside the eye need no case of their own.
The near plane of portals lies a fifth of a millimetre before the eye and is not the picture's: a doorway that the eye
stands in is an opening.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.constants import EPSILON
from engine.visibility.camera import Camera
from engine.visibility.view import ScreenPoint, ViewPoly, ViewVertex

RETAIL_DEPTH: Final = EPSILON
"""The least depth of a clipped point, in metres."""

ROBUST_DEPTH: Final = 1e-6
"""The same in robust mode: no strip of the opening is lost however near to its plane the eye is."""

NEAREST: Final = -1.0
"""Clip-space z, beside a w of 1, of an opening that the eye stands in."""


def poly_clip_finish(points: list[ScreenPoint], view: ViewPoly, least_depth: float) -> list[ScreenPoint]:
    """The part of a projected opening in front of the eye and within a view, or nothing. The points themselves are
    never changed; where nothing is cut off the list is the one given."""
    for p in points:
        if not p.w >= least_depth:
            points = _cut_depth(points, least_depth)
            break
    if len(points) < 3:
        return []
    for edge in view.vertices:
        points = _cut_edge(points, edge)
        if len(points) < 3:
            return []
    return points


def robust_piece(nx: float, ny: float, nz: float, side: int, view: ViewPoly, camera: Camera) -> list[ScreenPoint]:
    """The view through an opening in whose plane the eye stands: the view polygon, clipped by the horizon of that
    plane.

    (nx, ny, nz) is the normal of the opening, `side` the side that the viewer looks from.
    """
    ax, ay, az = (nx, ny, nz) if side != 0 else (-nx, -ny, -nz)
    fx, fy, fz = camera.forward
    rx, ry, rz = camera.right
    ux, uy, uz = camera.up
    ahead = ax * fx + ay * fy + az * fz
    across = (ax * rx + ay * ry + az * rz) / camera.focal
    down = -(ax * ux + ay * uy + az * uz) / camera.focal
    ahead -= across * (camera.width / 2.0) + down * (camera.height / 2.0)
    kept: list[ScreenPoint] = []
    vertices = view.vertices
    p = vertices[0]
    sp = ahead + across * p.x + down * p.y
    for i in range(1, len(vertices) + 1):
        q = vertices[i] if i < len(vertices) else vertices[0]
        sq = ahead + across * q.x + down * q.y
        if sp >= 0.0:
            kept.append(ScreenPoint(p.x, p.y, NEAREST, 1.0))
        if (sp >= 0.0) != (sq >= 0.0):
            t = sp / (sp - sq)
            kept.append(ScreenPoint(p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t, NEAREST, 1.0))
        p = q
        sp = sq
    return kept if len(kept) >= 3 else []


def _between(p: ScreenPoint, q: ScreenPoint, sp: float, sq: float) -> ScreenPoint:
    """The point where the segment from p to q crosses the line."""
    t = sp / (sp - sq)
    return ScreenPoint(p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t, p.z + (q.z - p.z) * t, p.w + (q.w - p.w) * t)


def _cut_depth(points: list[ScreenPoint], least: float) -> list[ScreenPoint]:
    kept: list[ScreenPoint] = []
    p = points[0]
    sp = p.w - least
    for i in range(1, len(points) + 1):
        q = points[i] if i < len(points) else points[0]
        sq = q.w - least
        if sp >= 0.0:
            kept.append(p)
        if (sp >= 0.0) != (sq >= 0.0):
            kept.append(_between(p, q, sp, sq))
        p = q
        sp = sq
    return kept


def _cut_edge(points: list[ScreenPoint], edge: ViewVertex) -> list[ScreenPoint]:
    """The part of the points on the inner side of one edge of a view."""
    x = edge.x
    y = edge.y
    ex = edge.edge_x
    ey = edge.edge_y
    inside = 0
    for p in points:
        if (p.x - x * p.w) * ey - (p.y - y * p.w) * ex >= 0.0:
            inside += 1
    if inside == len(points):
        return points
    kept: list[ScreenPoint] = []
    if inside == 0:
        return kept
    p = points[0]
    sp = (p.x - x * p.w) * ey - (p.y - y * p.w) * ex
    for i in range(1, len(points) + 1):
        q = points[i] if i < len(points) else points[0]
        sq = (q.x - x * q.w) * ey - (q.y - y * q.w) * ex
        if sp >= 0.0:
            kept.append(p)
        if (sp >= 0.0) != (sq >= 0.0):
            kept.append(_between(p, q, sp, sq))
        p = q
        sp = sq
    return kept
