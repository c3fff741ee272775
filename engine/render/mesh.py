"""Meshes of rooms and models as arrays, for drawing and picking (rendering.md 16).

A mesh is in its own space and shared by everything that shows it: rooms of one structure, parts of one GfxObj. It knows
surfaces only by their place ("slot") in the list that goes with it, for that list is the EnvCell's own. Meshes never
change; `MeshCache` keeps one for each shape.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.dat.records import CellStruct as CellStructRecord
from engine.dat.records import GfxObj as GfxObjRecord
from engine.geometry.box import Box
from engine.geometry.drawing_bsp import DrawingInner, DrawingNode
from engine.geometry.polygon import Polygon
from engine.geometry.sphere import Sphere
from engine.geometry.vec import ZERO
from engine.render.mesh_build import (
    MeshArrays,
    TriangleCollector,
    flat_triangles,
    is_bare,
    textured_triangles,
)
from engine.world.cells.cell import CellStruct
from engine.world.cells.objects import GfxObj


@dataclass(frozen=True)
class Subset:
    """The triangles of one surface: `index_count` of the mesh's indices from `first_index` on.

    `stippled`: one of its polygons says that its texture repeats. `wraps`: that, or a texture coordinate lies outside
    [0, 1] (17.4); otherwise the texture is clamped. `bare`: nothing in it has texture coordinates, as in openings.
    """

    slot: int
    first_index: int
    index_count: int
    stippled: bool
    wraps: bool
    bare: bool = False


@dataclass(frozen=True, eq=False)
class Mesh:
    """One shape. Row t of the triangle arrays is about indices 3t to 3t + 2; back faces are triangles of their own with
    negated normals, so back-face culling is always on (16.1); `triangle_side` is FRONT or BACK (mesh_build).

    `tints`, only in shapes without surfaces, are colour factors per vertex that distinguish walls. `from_physics`: the
    polygon ids are those of the physics table, as the visible one has nothing to draw (dumps). `odd_polygons`: ids of
    those that could not be drawn, or whose sides type means nothing (16.1).
    """

    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    uvs: NDArray[np.float32]
    indices: NDArray[np.uint32]
    subsets: tuple[Subset, ...]
    triangle_polygon: NDArray[np.int32]
    triangle_side: NDArray[np.int8]
    sphere: Sphere
    box: Box
    tints: NDArray[np.float32] | None = None
    from_physics: bool = False
    odd_polygons: tuple[int, ...] = ()

    @property
    def is_empty(self) -> bool:
        return len(self.indices) == 0

    def triangles(self) -> NDArray[np.float32]:
        """(t, 3, 3): the corners of all triangles, for rays (16.5)."""
        corners: NDArray[np.float32] = self.positions[self.indices].reshape(-1, 3, 3)
        return corners


def mesh_of_struct(struct: CellStruct) -> Mesh:
    """The shell of the rooms of this structure."""
    record = struct.record
    bound = _root_sphere(struct.drawing_tree)
    openings = set(struct.portal_ids)
    if isinstance(record, CellStructRecord) and not is_bare(record.vertices, record.polygons):
        return _textured(textured_triangles(record.vertices, record.polygons), bound)
    walls = [polygon for key, polygon in struct.polygons.items() if key not in openings]
    return _flat(walls, struct.physics_polygons.values(), bound)


def mesh_of_gfxobj(gfxobj: GfxObj) -> Mesh:
    """A part of a model, or a building's shell. One that is only felt, without any visible polygon, is empty."""
    record = gfxobj.record
    bound = gfxobj.drawing_sphere
    if isinstance(record, GfxObjRecord) and not is_bare(record.vertices, record.polygons):
        return _textured(textured_triangles(record.vertices, record.polygons), bound)
    return _flat(gfxobj.polygons.values(), (), bound)


class MeshCache:
    """One mesh for each structure and GfxObj. Shapes of a source live as long as the source does; those of edits are
    released when nothing shows them any longer."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[CellStruct | GfxObj, Mesh]] = {}

    def of(self, shape: CellStruct | GfxObj) -> Mesh:
        """The mesh of a shape, the same object at each call."""
        known = self._made.get(id(shape))
        if known is not None:
            return known[1]
        mesh = mesh_of_struct(shape) if isinstance(shape, CellStruct) else mesh_of_gfxobj(shape)
        self._made[id(shape)] = (shape, mesh)
        return mesh

    def forget(self, shape: CellStruct | GfxObj) -> None:
        """Release a shape that is no longer shown."""
        self._made.pop(id(shape), None)


def _textured(found: TriangleCollector, bound: Sphere | None) -> Mesh:
    return _assemble(found.arrays(), found, bound, None, False)


def _flat(visible: Collection[Polygon], physics: Collection[Polygon], bound: Sphere | None) -> Mesh:
    """Build from polygons alone: from the physics polygons where none is visible."""
    found, tints = flat_triangles(visible or physics)
    return _assemble(found.arrays(), found, bound, tints, not visible)


def _assemble(
    arrays: MeshArrays,
    found: TriangleCollector,
    bound: Sphere | None,
    tints: NDArray[np.float32] | None,
    from_physics: bool,
) -> Mesh:
    positions = arrays.positions
    box = _box_of(positions)
    return Mesh(
        positions,
        arrays.normals,
        arrays.uvs,
        arrays.indices,
        tuple(Subset(*found_range) for found_range in arrays.ranges),
        arrays.polygons,
        arrays.sides,
        bound.copy() if bound is not None and bound.radius > 0.0 else _sphere_in(box, positions),
        box,
        tints,
        from_physics,
        tuple(found.odd),
    )


def _root_sphere(root: DrawingNode | None) -> Sphere | None:
    return root.sphere if isinstance(root, DrawingInner) else None


def _box_of(positions: NDArray[np.float32]) -> Box:
    if not len(positions):
        return Box(ZERO, ZERO)
    low, high = positions.min(axis=0), positions.max(axis=0)
    return Box((float(low[0]), float(low[1]), float(low[2])), (float(high[0]), float(high[1]), float(high[2])))


def _sphere_in(box: Box, positions: NDArray[np.float32]) -> Sphere:
    """Round the middle of the box; without any vertex a point."""
    if not len(positions):
        return Sphere(ZERO, 0.0)
    center = box.center()
    away = np.linalg.norm(positions.astype(np.float64) - np.array(center), axis=1)
    return Sphere(center, float(away.max()))
