"""The ground of a landblock as arrays: for pictures, and for whoever wants all of it at once.
Spec: dat-format.md 4.2, 4.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.constants import CELL_LENGTH, VERTEX_DIM
from engine.world.cells.ids import block_x, block_y
from engine.world.cells.terrain import SQUARES, Terrain, is_cut_sw_ne, vertex_index


@dataclass(frozen=True, slots=True)
class TerrainMesh:
    """81 vertices in the landblock's order and 128 triangles in the order of their polygon ids."""

    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    triangles: NDArray[np.uint16]


def terrain_mesh(terrain: Terrain) -> TerrainMesh:
    """Positions, smooth normals and triangles, counter-clockwise from above."""
    columns, rows = np.divmod(np.arange(VERTEX_DIM * VERTEX_DIM), VERTEX_DIM)
    positions = np.stack([columns * CELL_LENGTH, rows * CELL_LENGTH, np.asarray(terrain.z)], axis=1)
    triangles = terrain_triangles(terrain.cell_id)
    return TerrainMesh(positions.astype(np.float32), smooth_normals(positions, triangles).astype(np.float32), triangles)


def terrain_triangles(cell_id: int) -> NDArray[np.uint16]:
    """The vertex numbers of the 128 triangles of a landblock, whose place alone decides how its land cells are cut."""
    triangles: list[tuple[int, int, int]] = []
    for cx in range(SQUARES):
        for cy in range(SQUARES):
            sw, se = vertex_index(cx, cy), vertex_index(cx + 1, cy)
            nw, ne = sw + 1, se + 1
            if is_cut_sw_ne(SQUARES * block_x(cell_id) + cx, SQUARES * block_y(cell_id) + cy):
                triangles += [(sw, se, ne), (sw, ne, nw)]
            else:
                triangles += [(sw, se, nw), (ne, nw, se)]
    return np.array(triangles, dtype=np.uint16)


def smooth_normals(positions: NDArray[np.float64], triangles: NDArray[np.uint16]) -> NDArray[np.float64]:
    """Per vertex the sum of the plane normals of the triangles around it, normalised; neighbour blocks do not count."""
    a, b, c = (positions[triangles[:, corner]] for corner in range(3))
    planes = np.cross(b - a, c - a)
    planes /= np.linalg.norm(planes, axis=1, keepdims=True)
    normals = np.zeros_like(positions)
    for corner in range(3):
        np.add.at(normals, triangles[:, corner], planes)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return normals
