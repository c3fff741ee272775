"""The ground of a landblock as arrays, for the renderer and other code that needs all of it at once.
Spec: dat-format.md 4.2, 4.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.constants import CELL_LENGTH, VERTEX_DIM
from engine.world.cells.ids import block_x, block_y
from engine.world.cells.terrain import SQUARES, Terrain, is_cut_sw_ne


@dataclass(frozen=True, slots=True)
class TerrainMesh:
    """81 vertices in the landblock's order and 128 triangles in the order of their polygon ids; fewer of both where
    squares are wider than a land cell."""

    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    triangles: NDArray[np.uint16]


def terrain_mesh(terrain: Terrain, across: int = 1) -> TerrainMesh:
    """Positions, smooth normals and triangles, counter-clockwise from above. A square is `across` land cells wide: 1,
    2, 4 or 8. Its corners are where they were, and what lies between them is left out (rendering.md M2)."""
    columns, rows = np.divmod(np.arange(VERTEX_DIM * VERTEX_DIM), VERTEX_DIM)
    positions = np.stack([columns * CELL_LENGTH, rows * CELL_LENGTH, np.asarray(terrain.z)], axis=1)
    if across > 1:
        positions = positions[corners_left(across)]
    triangles = terrain_triangles(terrain.cell_id, across)
    return TerrainMesh(positions.astype(np.float32), smooth_normals(positions, triangles).astype(np.float32), triangles)


def corners_left(across: int) -> NDArray[np.intp]:
    """The numbers, of 81, of the vertices that squares of this many land cells have."""
    numbers = np.arange(VERTEX_DIM * VERTEX_DIM).reshape(VERTEX_DIM, VERTEX_DIM)
    return numbers[::across, ::across].reshape(-1)


def terrain_triangles(cell_id: int, across: int = 1) -> NDArray[np.uint16]:
    """The vertex numbers of the 128 triangles of a landblock, whose place alone decides how its squares are cut. Of
    wider ones it is that of the land cell with the square's column and row."""
    triangles: list[tuple[int, int, int]] = []
    squares = SQUARES // across
    for cx in range(squares):
        for cy in range(squares):
            sw, se = cx * (squares + 1) + cy, (cx + 1) * (squares + 1) + cy
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
