"""The scenes of rendering.md 24.4 with walls: each room is a box with its portals cut out, and each wall has its own
colour. A ray for each pixel traces the same picture (24.3, image test)."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, add, dot, scale, sub
from engine.render.draws import ShellDraw
from engine.render.scene import Scene
from engine.visibility.camera import Camera
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import landblock_id
from engine.world.cells.portals import NO_PORTAL, CellPortal
from engine.world.world import World
from tests.render.gl.helpers.meshes import mesh_of, painted

Floats = NDArray[np.float64]
Labels = NDArray[np.int32]
Mask = NDArray[np.bool_]
Rays = dict[tuple[int, int], tuple[NDArray[np.int64], Floats]]
"""The rays by number, and how far along each begins, keyed by cell and the portal by which they entered it."""

WALLS = 6
OUTDOORS = 10_000
"""The label of everything seen through an exit."""
NOTHING = -1
MOST_ROOMS = 32
"""Cells one behind the other."""

EPS = 0.0002
GOLDEN_TURN = 0.6180339887498949

Polygon = list[Vec3]


class BoxRooms(Protocol):
    """Rooms by name, each with the box of its walls."""

    world: World

    def name(self, cell_id: int) -> str: ...
    def box(self, room: str) -> list[float]: ...


def wall_colour(room: int, wall: int) -> tuple[int, int, int]:
    """Keeps the labels of walls far apart for any small number of rooms."""
    hue = ((room * WALLS + wall) * GOLDEN_TURN) % 1.0
    red, green, blue = colorsys.hsv_to_rgb(hue, 0.55 + 0.15 * (wall % 3), 0.95 - 0.1 * (room % 3))
    return round(red * 255), round(green * 255), round(blue * 255)


def box_walls(box: Sequence[float]) -> list[Polygon]:
    """West, east, south, north, floor, ceiling; seen from inside."""
    x0, y0, z0, x1, y1, z1 = box
    return [
        [(x0, y0, z0), (x0, y1, z0), (x0, y1, z1), (x0, y0, z1)],
        [(x1, y1, z0), (x1, y0, z0), (x1, y0, z1), (x1, y1, z1)],
        [(x1, y0, z0), (x0, y0, z0), (x0, y0, z1), (x1, y0, z1)],
        [(x0, y1, z0), (x1, y1, z0), (x1, y1, z1), (x0, y1, z1)],
        [(x0, y0, z0), (x1, y0, z0), (x1, y1, z0), (x0, y1, z0)],
        [(x0, y1, z1), (x1, y1, z1), (x1, y0, z1), (x0, y0, z1)],
    ]


# --- walls with holes


def cut(polygon: Polygon, hole: Polygon, inwards: list[Vec3]) -> list[Polygon]:
    """The remainder of a convex polygon after cutting out a convex hole in its plane; `inwards` are the hole's edge
    normals."""
    rest: list[Polygon] = []
    left = polygon
    for corner, inward in zip(hole, inwards, strict=True):
        outside = half(left, corner, scale(inward, -1.0))
        if outside:
            rest.append(outside)
        left = half(left, corner, inward)
        if not left:
            return [polygon]
    return rest


def half(polygon: Polygon, at: Vec3, inward: Vec3) -> Polygon:
    """The part of a convex polygon on the inner side of a line; nothing if its area is negligible."""
    found: Polygon = []
    for i, b in enumerate(polygon):
        a = polygon[i - 1]
        da, db = dot(sub(a, at), inward), dot(sub(b, at), inward)
        if (da > 1e-9 and db < -1e-9) or (da < -1e-9 and db > 1e-9):
            found.append(add(a, scale(sub(b, a), da / (da - db))))
        if db >= -1e-9:
            found.append(b)
    corners = [p for i, p in enumerate(found) if np.linalg.norm(np.subtract(p, found[i - 1])) > 1e-6]
    middle = np.mean(corners, axis=0) if corners else np.zeros(3)
    return corners if len(corners) >= 3 and float(np.dot(middle - np.array(at), inward)) > 1e-6 else []


def plane_of(polygon: Sequence[Vec3]) -> tuple[Floats, float]:
    points = np.array(polygon)
    normal = np.cross(points[1] - points[0], points[2] - points[0])
    normal /= np.linalg.norm(normal)
    return normal, float(-normal @ points[0])


def edge_normals(polygon: Sequence[Vec3]) -> list[Vec3]:
    normal, _ = plane_of(polygon)
    found: list[Vec3] = []
    for i, a in enumerate(polygon):
        b = polygon[(i + 1) % len(polygon)]
        x, y, z = np.cross(normal, np.subtract(b, a))
        found.append((float(x), float(y), float(z)))
    return found


def open_walls(box: Sequence[float], portals: Sequence[CellPortal]) -> list[list[Polygon]]:
    """For each of the six walls, the part that the portals leave."""
    found: list[list[Polygon]] = []
    for wall in box_walls(box):
        normal, d = plane_of(wall)
        pieces = [wall]
        for portal in portals:
            assert portal.polygon is not None
            hole = portal.polygon.vertices
            if all(abs(float(normal @ np.array(p)) + d) < 1e-6 for p in hole):
                pieces = [rest for piece in pieces for rest in cut(piece, hole, edge_normals(hole))]
        found.append(pieces)
    return found


# --- the scene


class BoxScene(Scene):
    """Shells for a scene of the reference."""

    def __init__(self, spec: BoxRooms) -> None:
        self.spec = spec
        self._walls: dict[int, ShellDraw] = {}
        super().__init__(spec.world)

    def shell(self, cell_id: int) -> ShellDraw | None:
        known = self._walls.get(cell_id)
        if known is None:
            known = self._walls[cell_id] = self._make(cell_id)
        return known

    def _make(self, cell_id: int) -> ShellDraw:
        cell = self.world.graph.peek(cell_id)
        assert isinstance(cell, EnvCell)
        number = cell_id & 0xFF
        mesh = mesh_of(*open_walls(self.spec.box(self.spec.name(cell_id)), cell.portals))
        materials = tuple(painted(*wall_colour(number, wall)) for wall in range(WALLS))
        sphere = Sphere(mesh.sphere.center, mesh.sphere.radius)
        return ShellDraw(cell_id, landblock_id(cell_id), mesh, materials, Frame(), sphere, None, 1)


# --- the rays


class Opening:
    """A portal's polygon relative to the eye."""

    def __init__(self, polygon: Sequence[Vec3], eye: Floats) -> None:
        self.normal, self.d = plane_of(polygon)
        self.points = np.array(polygon)
        self.inwards = np.cross(self.normal, np.roll(self.points, -1, axis=0) - self.points)
        self._eye = eye
        self.away = float(self.normal @ eye) + self.d

    def distance(self, rays: Floats) -> Floats:
        """How far along each ray the portal's plane is. A ray from an eye in the plane is past it at once."""
        return self.distance_at(rays @ self.normal)

    def distance_at(self, slopes: Floats) -> Floats:
        """The same for rays with these components along its normal."""
        if abs(self.away) <= EPS:
            return np.zeros(len(slopes))
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Floats = -self.away / slopes
        return found

    def hit(self, rays: Floats, start: Floats) -> Floats:
        """The same for rays that pass through the polygon beyond their start; never for the others."""
        t = self.distance(rays)
        at = np.flatnonzero((t > start - 1e-9) & np.isfinite(t))
        for corner, inward in zip(self.points, self.inwards, strict=True):
            at = at[(rays[at] @ inward) * t[at] + float((self._eye - corner) @ inward) >= -1e-9]
        found = np.full(len(rays), np.inf)
        found[at] = t[at]
        return found


@dataclass
class Hole:
    """A portal, if the eye is on its side. `to` is None for an exit, `back_index` is the neighbour's portal by which
    the ray enters; `back` is its polygon if the ray must pass that too; if `is_blind`, nothing is drawn behind the
    portal."""

    opening: Opening
    to: int | None
    back_index: int
    back: Opening | None
    is_blind: bool


class Tracer:
    """Finds the nearest wall in the ray's cell, or follows the ray through the nearest portal into the next cell.

    `clipped` as in exact mode, where a ray that misses the neighbour's polygon of an inexact pair sees nothing; retail
    mode draws the neighbour's walls whole, so the ray sees them anyway.
    """

    def __init__(self, spec: BoxRooms, root: int, camera: Camera, clipped: bool) -> None:
        self._spec = spec
        self._root = root
        self._clipped = clipped
        self._eye: Floats = np.array(camera.eye)
        width, height = int(camera.width), int(camera.height)
        across = (np.arange(width) + 0.5 - camera.width / 2.0) / camera.focal
        down = (np.arange(height) + 0.5 - camera.height / 2.0) / camera.focal
        forward, right, up = np.array(camera.forward), np.array(camera.right), np.array(camera.up)
        self._shape = (height, width)
        rays: Floats = forward + across[None, :, None] * right - down[:, None, None] * up
        self._rays = rays.reshape(-1, 3)
        self._reached = {root, *self._cell(root).stab_list}

    def labels(self) -> Labels:
        """For each pixel 6 · (low byte of the cell's id) + wall, OUTDOORS, or NOTHING."""
        count = len(self._rays)
        found = np.full(count, NOTHING, np.int32)
        within: Rays = {(self._root, NO_PORTAL): (np.arange(count), np.zeros(count))}
        for _ in range(MOST_ROOMS):
            following: Rays = {}
            for (cell_id, entry), (numbers, start) in within.items():
                self._step(cell_id, entry, numbers, start, found, following)
            if not following:
                break
            within = following
        return found.reshape(self._shape)

    def _step(
        self, cell_id: int, entry: int, numbers: NDArray[np.int64], start: Floats, found: Labels, following: Rays
    ) -> None:
        rays = self._rays[numbers]
        wall, distance = self._nearest_wall(cell_id, rays, start)
        holes = self._holes(cell_id, entry)
        through = np.full(len(rays), -1)
        for index, hole in enumerate(holes):
            at = hole.opening.hit(rays, start)
            nearer = at <= distance + 1e-9
            through[nearer] = index
            distance = np.where(nearer, np.minimum(at, distance), distance)
        stopped = (through < 0) & np.isfinite(distance)
        found[numbers[stopped]] = (cell_id & 0xFF) * WALLS + wall[stopped]
        for index, hole in enumerate(holes):
            chosen = (through == index) & (not hole.is_blind)
            if hole.to is None:
                found[numbers[chosen]] = OUTDOORS
                continue
            if hole.back is not None and self._clipped:
                chosen &= np.isfinite(hole.back.hit(rays, np.zeros(len(rays))))
            if chosen.any():
                key = (hole.to, hole.back_index)
                known, at = following.get(key, (np.zeros(0, np.int64), np.zeros(0)))
                following[key] = (np.append(known, numbers[chosen]), np.append(at, distance[chosen]))

    def _nearest_wall(self, cell_id: int, rays: Floats, start: Floats) -> tuple[Labels, Floats]:
        """A ray inside a box hits a wall of it; one that begins outside may miss them all."""
        walls = np.full(len(rays), 0, np.int32)
        nearest = np.full(len(rays), np.inf)
        box = self._spec.box(self._spec.name(cell_id))
        in_box = cell_id != self._root or all(box[axis] <= self._eye[axis] <= box[axis + 3] for axis in range(3))
        for number, wall in enumerate(box_walls(box)):
            opening = Opening(wall, self._eye)
            slopes = rays @ opening.normal
            t = opening.distance_at(slopes) if in_box else opening.hit(rays, start)
            hit = (slopes < 0.0) & (t > start - 1e-9) & (t < nearest)
            walls[hit] = number
            nearest[hit] = t[hit]
        return walls, nearest

    def _holes(self, cell_id: int, entry: int) -> list[Hole]:
        cell = self._cell(cell_id)
        found: list[Hole] = []
        for index, portal in enumerate(cell.portals):
            assert portal.polygon is not None
            opening = Opening(portal.polygon.vertices, self._eye)
            if index == entry or (opening.away > EPS if portal.portal_side else opening.away < -EPS):
                continue
            if portal.leads_outside:
                found.append(Hole(opening, None, NO_PORTAL, None, False))
                continue
            to = portal.other_cell_id
            back: Opening | None = None
            if to in self._reached and not portal.exact_match and portal.other_portal_id >= 0:
                behind = self._cell(to).portals[portal.other_portal_id].polygon
                assert behind is not None
                back = Opening(behind.vertices, self._eye)
            found.append(Hole(opening, to, portal.other_portal_id, back, to not in self._reached))
        return found

    def _cell(self, cell_id: int) -> EnvCell:
        cell = self._spec.world.graph.peek(cell_id)
        assert isinstance(cell, EnvCell)
        return cell
