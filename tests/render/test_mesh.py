"""Meshes of hand-made polygons: sides, suppressed sides, unified vertices, subsets (rendering.md 16)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.dat.records import DatPolygon, Vertex
from engine.dat.records import GfxObj as GfxObjRecord
from engine.geometry.box import Box
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3
from engine.render.mesh import MeshCache, mesh_of_gfxobj, mesh_of_struct
from engine.render.mesh_build import (
    BACK,
    FRONT,
    NO_SURFACE,
    TriangleCollector,
    flat_triangles,
    is_bare,
    textured_triangles,
)
from engine.world.cells.cell import CellStruct
from engine.world.cells.objects import GfxObj
from engine.world.loader.shapes import gfxobj

UP: Vec3 = (0.0, 0.0, 1.0)
SQUARE = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0))
UNIT_UVS = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)]


def square(normal: Vec3 = UP) -> list[Vertex]:
    return [Vertex(key, place, normal, [uv]) for key, (place, uv) in enumerate(zip(SQUARE, UNIT_UVS, strict=True))]


def quad(key: int = 0, stippling: int = 0, sides: int = 0, surface: int = 0, back: int = -1) -> DatPolygon:
    polygon = DatPolygon(key, stippling, sides, surface, back, [0, 1, 2, 3])
    if not stippling & 4:
        polygon.pos_uvs = [0, 0, 0, 0]
    if sides == 2 and not stippling & 8:
        polygon.neg_uvs = [0, 0, 0, 0]
    return polygon


def winding(found: TriangleCollector) -> list[float]:
    """The z of each triangle's own normal."""
    made = found.arrays()
    a, b, c = (made.positions[made.indices].reshape(-1, 3, 3)[:, i] for i in range(3))
    return [float(z) for z in np.cross(b - a, c - a)[:, 2]]


def test_a_quad_is_a_fan_of_two_triangles_from_its_first_corner() -> None:
    made = textured_triangles(square(), [quad()]).arrays()
    assert made.indices.tolist() == [0, 1, 2, 0, 2, 3]
    assert made.polygons.tolist() == [0, 0]
    assert made.sides.tolist() == [FRONT, FRONT]


def test_a_single_sided_polygon_is_visible_only_from_its_front() -> None:
    assert winding(textured_triangles(square(), [quad()])) == [1.0, 1.0]


def test_a_double_sided_polygon_has_a_back_with_negated_normals() -> None:
    found = textured_triangles(square(), [quad(sides=1, surface=3)])
    made = found.arrays()
    assert winding(found) == [1.0, 1.0, -1.0, -1.0]
    assert made.sides.tolist() == [FRONT, FRONT, BACK, BACK]
    assert [subset[0] for subset in made.ranges] == [3]
    assert made.normals[:4, 2].tolist() == [1.0] * 4
    assert made.normals[4:, 2].tolist() == [-1.0] * 4
    assert made.uvs[4:].tolist() == made.uvs[:4].tolist()


def test_a_two_skinned_polygons_back_keeps_the_winding_and_negates_normals() -> None:
    vertices = square()
    for vertex in vertices:
        vertex.uvs.append((0.25, 0.75))
    polygon = quad(sides=2, surface=0, back=1)
    polygon.neg_uvs = [1, 1, 1, 1]
    made = textured_triangles(vertices, [polygon]).arrays()
    assert [(slot, first, count) for slot, first, count, *_ in made.ranges] == [(0, 0, 6), (1, 6, 6)]
    assert made.uvs[made.indices[6:]].tolist() == [[0.25, 0.75]] * 6
    assert made.positions[made.indices[:6]].tolist() == made.positions[made.indices[6:]].tolist()
    assert made.normals[made.indices[6:], 2].tolist() == [-1.0] * 6
    assert made.sides.tolist() == [FRONT, FRONT, BACK, BACK]


@pytest.mark.parametrize("bits", [4, 8, 12])
def test_sides_without_texture_coordinates_still_draw(bits: int) -> None:
    """An opening stays invisible because its surface has no picture; the subset reports it as bare."""
    for sides, shown in ((0, [FRONT] * 2), (1, [FRONT] * 2 + [BACK] * 2), (2, [FRONT] * 2 + [BACK] * 2)):
        made = textured_triangles(square(), [quad(stippling=bits, sides=sides, back=1)]).arrays()
        assert made.sides.tolist() == shown
        assert made.ranges[0][-1] == bool(bits & 4)
    mixed = textured_triangles(square(), [quad(0, stippling=4), quad(1)]).arrays()
    assert [bare for *_, bare in mixed.ranges] == [False]


def test_a_side_that_names_no_surface_is_left_out() -> None:
    assert not len(textured_triangles(square(), [quad(surface=-1)]).arrays().indices)
    assert textured_triangles(square(), [quad(sides=2, back=-1)]).arrays().sides.tolist() == [FRONT] * 2


def test_sides_type_three_draws_as_single_sided_and_is_noted() -> None:
    found = textured_triangles(square(), [quad(key=7, sides=3)])
    assert found.odd == [7]
    assert found.arrays().sides.tolist() == [FRONT, FRONT]


def test_polygons_share_a_vertex_with_equal_texture_coordinates() -> None:
    made = textured_triangles(square(), [quad(0), quad(1)]).arrays()
    assert len(made.positions) == 4
    assert made.polygons.tolist() == [0, 0, 1, 1]


def test_a_texture_index_beyond_the_list_is_zero_and_a_missing_one_first() -> None:
    polygon = quad()
    polygon.pos_uvs = [9, 0, 0]
    assert textured_triangles(square(), [polygon]).arrays().uvs[0].tolist() == [0.0, 0.0]
    assert textured_triangles(square(), [polygon]).arrays().uvs[3].tolist() == list(square()[3].uvs[0])
    bare = [Vertex(key, place, UP, []) for key, place in enumerate(SQUARE)]
    assert textured_triangles(bare, [quad()]).arrays().uvs.tolist() == [[0.0, 0.0]] * 4


def test_zero_normals_stay_zero() -> None:
    made = textured_triangles(square((0.0, 0.0, 0.0)), [quad(sides=1)]).arrays()
    assert not made.normals.any()


def test_surfaces_clamp_unless_stippled_or_beyond_the_unit_square() -> None:
    def flags(polygon: DatPolygon, vertices: list[Vertex]) -> tuple[bool, bool]:
        _, _, _, stippled, wraps, _ = textured_triangles(vertices, [polygon]).arrays().ranges[0]
        return stippled, wraps

    assert flags(quad(), square()) == (False, False)
    for bit in (1, 2, 4, 8):
        assert flags(quad(stippling=bit), square()) == (True, True), "whichever bit it is"
    skins = textured_triangles(square(), [quad(stippling=2, sides=2, back=1)]).arrays()
    assert [stippled for _, _, _, stippled, _, _ in skins.ranges] == [True, False], "the negative surface never repeats"
    far = square()
    far[1].uvs = [(2.0, 1.0)]
    assert flags(quad(), far) == (False, True)


def test_a_polygon_with_a_missing_vertex_or_a_repeated_key_is_skipped() -> None:
    broken = quad(1)
    broken.vertex_ids = [0, 1, 99]
    found = textured_triangles(square(), [quad(0), broken, quad(0)])
    assert found.odd == [1, 0]
    assert len(found.arrays().indices) == 6


def test_only_a_mesh_that_never_names_a_surface_is_bare() -> None:
    bare = [Vertex(key, place, UP, []) for key, place in enumerate(SQUARE)]
    assert is_bare(bare, [quad(stippling=4, surface=-1)])
    assert not is_bare(bare, [quad(stippling=4, surface=0)])
    assert not is_bare(square(), [quad(stippling=4, surface=-1)])


def test_polygons_without_surfaces_are_flat_with_the_normals_of_their_planes() -> None:
    found, tints = flat_triangles([Polygon(5, list(SQUARE)), Polygon(6, list(SQUARE), 1)])
    made = found.arrays()
    assert [subset[0] for subset in made.ranges] == [NO_SURFACE]
    assert made.polygons.tolist() == [5, 5, 6, 6, 6, 6]
    assert made.normals[:, 2].tolist() == [1.0] * 8 + [-1.0] * 4
    assert tints.shape == (12, 3)


def test_a_model_with_physics_alone_is_not_drawn() -> None:
    wall = [Polygon(0, list(SQUARE))]
    felt = GfxObj(0x01000001, {}, {0: wall[0]}, None, None, None, None, Box(*[SQUARE[0]] * 2), UP, [], 0, None)
    assert mesh_of_gfxobj(felt).is_empty
    seen = GfxObj(0x01000001, {0: wall[0]}, {}, None, None, None, None, Box(*[SQUARE[0]] * 2), UP, [], 0, None)
    assert not mesh_of_gfxobj(seen).is_empty
    assert mesh_of_gfxobj(seen).sphere.radius == pytest.approx(math.sqrt(0.5))


def test_a_room_with_physics_alone_draws_its_physics_and_reports_it() -> None:
    room = CellStruct(0x0D000001, 0, list(SQUARE), {}, [], {4: Polygon(4, list(SQUARE))}, None, None, None, None)
    made = mesh_of_struct(room)
    assert made.from_physics
    assert set(made.triangle_polygon.tolist()) == {4}


def test_openings_of_a_room_without_surfaces_stay_open() -> None:
    polygons = {key: Polygon(key, list(SQUARE)) for key in (0, 1, 2)}
    made = mesh_of_struct(CellStruct(0x0D000001, 0, list(SQUARE), polygons, [1], {}, None, None, None, None))
    assert set(made.triangle_polygon.tolist()) == {0, 2}
    assert not made.from_physics


def test_a_shape_keeps_one_mesh_until_it_is_released() -> None:
    room = CellStruct(0x0D000001, 0, list(SQUARE), {0: Polygon(0, list(SQUARE))}, [], {}, None, None, None, None)
    cache = MeshCache()
    mesh = cache.of(room)
    assert cache.of(room) is mesh
    cache.forget(room)
    assert cache.of(room) is not mesh


def test_triangles_know_their_corners_and_the_slot_of_their_surface() -> None:
    record = GfxObjRecord(0x01000001, 2, [1, 2], square(), [], None, UP, [quad(0, surface=0), quad(1, surface=1)], None)
    mesh = mesh_of_gfxobj(gfxobj(record))
    slots = sorted((subset.first_index, subset.index_count, subset.slot) for subset in mesh.subsets)
    assert slots == [(0, 6, 0), (6, 6, 1)]
    assert mesh.triangles().shape == (4, 3, 3)
    assert mesh.triangles()[0].tolist() == [list(corner) for corner in SQUARE[:3]]
    assert (mesh.box.minimum, mesh.box.maximum) == ((0.0, 0.0, 0.0), (1.0, 1.0, 0.0))
