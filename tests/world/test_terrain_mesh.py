"""The ground of a landblock as arrays (dat-format.md 4.2, 4.3)."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.polygon import Polygon
from engine.world.cells.terrain import Terrain
from engine.world.terrain_mesh import terrain_mesh

LINEAR = [2.0 * index for index in range(256)]
TERRAINS = st.builds(
    lambda x, y, heights: Terrain(x << 24 | y << 16, heights, [0] * 81, LINEAR),
    st.integers(0, 254),
    st.integers(0, 254),
    st.lists(st.integers(0, 255), min_size=81, max_size=81),
)


def all_polygons(ground: Terrain) -> list[Polygon]:
    return [polygon for low in range(1, 65) for polygon in ground.polygons(low)]


@given(TERRAINS)
def test_the_triangles_are_the_polygons_in_the_order_of_their_ids(ground: Terrain) -> None:
    mesh = terrain_mesh(ground)
    polygons = all_polygons(ground)
    assert [polygon.id for polygon in polygons] == list(range(128))
    corners = mesh.positions[mesh.triangles]
    assert np.array_equal(corners, np.array([polygon.vertices for polygon in polygons], dtype=np.float32))


@given(TERRAINS)
def test_normals_are_the_mean_direction_of_the_triangles_around_a_vertex(ground: Terrain) -> None:
    mesh = terrain_mesh(ground)
    around: list[list[tuple[float, float, float]]] = [[] for _ in range(81)]
    for polygon in all_polygons(ground):
        for x, y, _ in polygon.vertices:
            around[int(x // 24.0) * 9 + int(y // 24.0)].append(polygon.normal)
    for index, normals in enumerate(around):
        total = [sum(normal[axis] for normal in normals) for axis in range(3)]
        expected = [component / math.hypot(*total) for component in total]
        assert np.allclose(mesh.normals[index], expected, atol=1e-6)


def test_flat_ground_has_upward_normals() -> None:
    mesh = terrain_mesh(Terrain(0xA9B4FFFF, [7] * 81, [0] * 81, LINEAR))
    assert np.array_equal(mesh.normals, np.tile(np.array([0.0, 0.0, 1.0], dtype=np.float32), (81, 1)))
    assert set(mesh.positions[:, 2]) == {14.0}
