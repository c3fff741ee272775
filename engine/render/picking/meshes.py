"""The meshes that rays hit: walls, parts of objects, the ground, and the holes in cut-out pictures (rendering.md
16.5, 22.2)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, add, dot, normalized, scale
from engine.render.draws import AS_AUTHORED, PartDraw, ShellDraw, TerrainDraw
from engine.render.materials import Material
from engine.render.mesh import Mesh
from engine.render.parts import facing_frame
from engine.render.picking.rays import RayTriangles, sphere_is_met
from engine.visibility.camera import Camera

NEVER_DRAWN: Final = 1.0 / 255.0
"""Materials less opaque than this are not there to be hit."""

SEEN_THROUGH: Final = 0.5
"""A thing that has faded below this alpha is not hit: the ray hits the thing behind it."""

OPENING_BORDER: Final = 1e-5
"""Metres beyond its border at which an opening is still met: a ray must not end in the crack beside it."""

PARALLEL: Final = 1e-9


@dataclass(frozen=True)
class Ray:
    """A ray of the eye in one landblock's coordinates; `direction` has unit length."""

    origin: Vec3
    direction: Vec3

    def at(self, t: float) -> Vec3:
        return add(self.origin, scale(self.direction, t))


class EyeRay:
    """The ray through a point of the screen, in the coordinates of whichever landblock is asked for."""

    def __init__(self, camera: Camera, x: float, y: float) -> None:
        self.camera = camera
        self.direction = normalized(camera.ray(x, y))
        self._in_blocks: dict[int, Ray] = {}

    def in_block(self, cell_id: int) -> Ray:
        """For the landblock of any id in it."""
        block = cell_id >> 16
        found = self._in_blocks.get(block)
        if found is None:
            found = self._in_blocks[block] = Ray(self.camera.eye_in(cell_id), self.direction)
        return found


@dataclass(frozen=True)
class MeshHit:
    """A triangle that is hit: `t` metres away, with the normal of its front in the landblock's coordinates."""

    t: float
    triangle: int
    polygon_id: int
    surface_id: int
    normal: Vec3


class MeshRays:
    """Rays against meshes; what a mesh needs for that is made once and kept while the mesh is in use."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[object, RayTriangles]] = {}

    def triangles_of(self, mesh: Mesh) -> RayTriangles:
        return self._made_of(mesh, mesh.triangles)

    def ground_of(self, terrain: TerrainDraw) -> RayTriangles:
        return self._made_of(terrain, lambda: terrain.positions.reshape(-1, 3, 3))

    def _made_of(self, key: object, corners: object) -> RayTriangles:
        known = self._made.get(id(key))
        if known is not None and known[0] is key:
            return known[1]
        made = RayTriangles(np.asarray(corners() if callable(corners) else corners, np.float64))
        self._made[id(key)] = (key, made)
        return made

    def forget(self) -> None:
        """Release all meshes: another world is open."""
        self._made.clear()

    def shell(self, shell: ShellDraw, ray: Ray, after: float, *, both_sides: bool = False) -> Iterator[MeshHit]:
        """The hits of a room's or a building's walls beyond `after` metres, near ones first."""
        size = (1.0, 1.0, 1.0)
        return self._hits(
            shell.mesh, shell.materials, ray, shell.frame, size, after, in_cells=True, both_sides=both_sides
        )

    def part(self, part: PartDraw, ray: Ray, after: float) -> Iterator[MeshHit]:
        """The hits of a part of an object, likewise; hidden or faded parts are not hit."""
        if (
            part.hidden
            or part.alpha < SEEN_THROUGH
            or not sphere_is_met(part.sphere.center, part.sphere.radius, ray.origin, ray.direction)
        ):
            return iter(())
        frame = part.frame if part.billboard == AS_AUTHORED else facing_frame(part.frame, part.billboard, ray.origin)
        return self._hits(part.mesh, part.materials, ray, frame, part.scale, after, in_cells=False)

    def _hits(
        self,
        mesh: Mesh,
        materials: Sequence[Material],
        ray: Ray,
        frame: Frame,
        size: Vec3,
        after: float,
        *,
        in_cells: bool,
        both_sides: bool = False,
    ) -> Iterator[MeshHit]:
        if mesh.is_empty or 0.0 in size:
            return
        triangles = self.triangles_of(mesh)
        ox, oy, oz = frame.global_to_local(ray.origin)
        dx, dy, dz = frame.global_to_local_vec(ray.direction)
        origin = (ox / size[0], oy / size[1], oz / size[2])
        direction = (dx / size[0], dy / size[1], dz / size[2])
        for triangle, t in triangles.all_hits(origin, direction, after, both_sides):
            place = _subset_of(mesh, triangle)
            material = materials[place] if place < len(materials) else None
            if material is None:
                there = not (in_cells and place < len(mesh.subsets) and mesh.subsets[place].bare)
            else:
                there = _is_there(mesh, material, triangle, place, add(origin, scale(direction, t)), in_cells)
            if there:
                nx, ny, nz = triangles.normals[triangle].tolist()
                normal = frame.local_to_global_vec((nx / size[0], ny / size[1], nz / size[2]))
                surface_id = 0 if material is None else material.surface_id
                yield MeshHit(t, triangle, int(mesh.triangle_polygon[triangle]), surface_id, normalized(normal))


def _subset_of(mesh: Mesh, triangle: int) -> int:
    index = 3 * triangle
    for place, subset in enumerate(mesh.subsets):
        if subset.first_index <= index < subset.first_index + subset.index_count:
            return place
    return len(mesh.subsets)


def _is_there(mesh: Mesh, material: Material, triangle: int, place: int, p: Vec3, in_cells: bool) -> bool:
    """Whether the triangle is drawn at a point of it: not in the hole of a cut-out picture (17.5), and not as a plain
    colour of a room (16.3)."""
    if material.alpha < NEVER_DRAWN or (in_cells and not material.drawn_in_cells):
        return False
    if material.pixels is None or material.alpha_ref is None:
        return True
    height, width = material.pixels.shape[:2]
    u, v = _uv_at(mesh, triangle, p)
    if mesh.subsets[place].wraps:
        u, v = u - math.floor(u), v - math.floor(v)
    column = min(max(int(u * width), 0), width - 1)
    row = min(max(int(v * height), 0), height - 1)
    return int(material.pixels[row, column, 3]) >= material.alpha_ref * 255.0


def _uv_at(mesh: Mesh, triangle: int, p: Vec3) -> tuple[float, float]:
    """The texture coordinates of a point of a triangle."""
    numbers = mesh.indices[3 * triangle : 3 * triangle + 3]
    a, b, c = mesh.positions[numbers].astype(np.float64)
    along, across = b - a, c - a
    reach = np.array(p) - a
    aa, ab, bb = along @ along, along @ across, across @ across
    whole = aa * bb - ab * ab
    if whole <= 0.0:
        return (0.0, 0.0)
    ra, rb = reach @ along, reach @ across
    second, third = (bb * ra - ab * rb) / whole, (aa * rb - ab * ra) / whole
    uv = (1.0 - second - third) * mesh.uvs[numbers[0]] + second * mesh.uvs[numbers[1]] + third * mesh.uvs[numbers[2]]
    return (float(uv[0]), float(uv[1]))


def opening_distance(polygon: Polygon, frame: Frame, ray: Ray) -> float | None:
    """The distance at which a ray passes through an opening, from either side, or None."""
    if polygon.degenerate or len(polygon.vertices) < 3:
        return None
    origin = frame.global_to_local(ray.origin)
    direction = frame.global_to_local_vec(ray.direction)
    steepness = dot(direction, polygon.normal)
    if abs(steepness) < PARALLEL:
        return None
    t = -polygon.plane.dist(origin) / steepness
    x, y, z = add(origin, scale(direction, t))
    for edge in polygon.edges:
        lx, ly, lz = edge.last
        cx, cy, cz = edge.cross
        if (x - lx) * cx + (y - ly) * cy + (z - lz) * cz < -OPENING_BORDER * math.sqrt(edge.cross2):
            return None
    return t
