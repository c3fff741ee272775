"""The ground as drawn: triangles, sink, texture coordinates, layers and masks (rendering.md 19)."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from engine.build import WorldBuilder
from engine.build.demo import ensure_demo
from engine.build.region import BlendMask, GroundType
from engine.render.scene import Scene
from engine.render.terrain import (
    COLUMNS,
    NONE,
    SINK,
    TerrainLook,
    cell_of_vertex,
    first_vertex,
    plain_colours,
    resized,
    terrain_draw,
    terrain_look,
)
from engine.world.cells.terrain import Terrain, is_cut_sw_ne, split_hash, vertex_index
from engine.world.faults import Fault
from engine.world.loader import open_world
from engine.world.terrain_blend import cell_pcode, make_pcode, mask_uv
from engine.world.world import World

VILLAGE = 0xC95BFFFF
HEIGHTS = [2.0 * index for index in range(256)]


@cache
def demo() -> World:
    return open_world(str(ensure_demo()))


def hills(block_id: int = 0xA9B4FFFF, words: list[int] | None = None) -> Terrain:
    chooser = random.Random(block_id)
    return Terrain(block_id, [chooser.randrange(40) for _ in range(81)], words or [0] * 81, HEIGHTS)


@pytest.mark.parametrize("across", [1, 2, 4, 8])
def test_wider_squares_keep_the_heights_of_the_remaining_corners(across: int) -> None:
    terrain = hills()
    ground = terrain_draw(terrain, None, 1, across)
    squares = 8 // across
    assert len(ground.positions) == 6 * squares * squares
    assert ground.across == across
    for number, (x, y, z) in enumerate(ground.positions.tolist()):
        column, row = round(x / 24.0), round(y / 24.0)
        assert (column % across, row % across) == (0, 0)
        assert z == pytest.approx(terrain.z[vertex_index(column, row)] - SINK)
        cx, cy = divmod(number // 6, squares)
        assert (column // across - cx, row // across - cy) in ((0, 0), (1, 0), (1, 1), (0, 1))
        corner = (float(column // across - cx), 1.0 - float(row // across - cy))
        assert tuple(ground.uvs[number].tolist()) == corner
    assert (ground.normals[:, 2] > 0.0).all()
    flat = ground.positions.astype(np.float64) * (1.0, 1.0, 0.0)
    a, b, c = (flat[corner::3] for corner in range(3))
    areas = np.cross(b - a, c - a)[:, 2] / 2.0
    assert (areas > 0.0).all()
    assert areas.sum() == pytest.approx(192.0 * 192.0)


def test_wider_squares_take_the_layers_and_colours_of_their_corners() -> None:
    block = demo().landblock(VILLAGE)
    assert block is not None
    assert block.terrain is not None
    look = terrain_look(demo(), [])
    assert look is not None
    ground = terrain_draw(block.terrain, look, 1, 4)
    words = block.terrain.words
    assert ground.layers is not None
    for number, (cx, cy) in enumerate([(0, 0), (0, 1), (1, 0), (1, 1)]):
        kinds = [words[vertex_index(4 * (cx + i), 4 * (cy + j))] for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
        code = make_pcode([word >> 2 & 0x1F for word in kinds], [word & 3 for word in kinds])
        assert ground.layers[6 * number].tolist() == look.row(code)
    whole = terrain_draw(block.terrain, look, 1)
    by_place = dict(zip(map(tuple, whole.positions.tolist()), whole.colours.tolist(), strict=True))
    for place, colour in zip(ground.positions.tolist(), ground.colours.tolist(), strict=True):
        assert by_place[tuple(place)] == colour


def test_the_split_of_a_land_cell_matches_the_check_values() -> None:
    expected = {
        (1352, 1440): (0xC15BD913, True),
        (1355, 1445): (0x7EBDEBD4, False),
        (0, 0): (0xAE6470DB, True),
        (1004, 804): (0x7C4FD02B, False),
    }
    for (x, y), (value, south_west_north_east) in expected.items():
        assert split_hash(x, y) == value
        assert is_cut_sw_ne(x, y) == south_west_north_east


def test_a_landblock_has_six_vertices_per_land_cell_in_order_of_their_ids() -> None:
    ground = terrain_draw(hills(), None, 1)
    assert ground.positions.shape == (384, 3)
    for low in range(1, 65):
        own = ground.positions[first_vertex(low) : first_vertex(low) + 6]
        cx, cy = divmod(low - 1, 8)
        assert own[:, 0].min() == 24.0 * cx
        assert own[:, 0].max() == 24.0 * cx + 24.0
        assert own[:, 1].min() == 24.0 * cy
        assert own[:, 1].max() == 24.0 * cy + 24.0
        assert cell_of_vertex(first_vertex(low) + 5) == (cx, cy)


def test_the_drawn_ground_is_one_centimetre_below_the_walked_one() -> None:
    terrain = hills()
    ground = terrain_draw(terrain, None, 1)
    corners = ground.positions.reshape(-1, 3, 3)
    for triangle in corners:
        middle = triangle.mean(axis=0)
        walked = terrain.height_at(float(middle[0]), float(middle[1]))
        assert walked is not None
        assert middle[2] == pytest.approx(walked - SINK, abs=1e-4)


def test_the_drawn_triangles_have_the_numbers_of_the_walked_ones() -> None:
    terrain = hills()
    corners = terrain_draw(terrain, None, 1).positions.reshape(-1, 3, 3)
    for low in range(1, 65):
        square = terrain.square(low)
        for place, polygon in enumerate((square.first, square.second)):
            drawn = {tuple(round(float(v), 3) for v in corner) for corner in corners[2 * (low - 1) + place]}
            walked = {(x, y, round(z - SINK, 3)) for x, y, z in polygon.vertices}
            assert drawn == walked


def test_triangles_are_counter_clockwise_from_above_and_normals_point_up() -> None:
    ground = terrain_draw(hills(), None, 1)
    a, b, c = (ground.positions.reshape(-1, 3, 3)[:, i] for i in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0.0).all()
    assert (ground.normals[:, 2] > 0.0).all()
    assert np.linalg.norm(ground.normals, axis=1) == pytest.approx(np.ones(384), abs=1e-5)


def test_a_normal_sums_the_unit_normals_of_the_blocks_own_triangles() -> None:
    terrain = hills()
    ground = terrain_draw(terrain, None, 1)
    corners = ground.positions.astype(np.float64).reshape(-1, 3, 3)
    planes = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    planes /= np.linalg.norm(planes, axis=1, keepdims=True)
    for vertex in (0, 5, 100, 200, 383):
        here = ground.positions[vertex, :2]
        around = [planes[t] for t in range(128) if (np.abs(corners[t, :, :2] - here).max(axis=1) < 1e-3).any()]
        total = np.sum(around, axis=0)
        assert ground.normals[vertex] == pytest.approx(total / np.linalg.norm(total), abs=1e-4)


def test_v_runs_from_north_to_south_over_each_land_cell() -> None:
    ground = terrain_draw(hills(), None, 1)
    for vertex in range(384):
        cx, cy = cell_of_vertex(vertex)
        x, y, _ = ground.positions[vertex]
        expected = ((x - 24.0 * cx) / 24.0, 1.0 - (y - 24.0 * cy) / 24.0)
        assert ground.uvs[vertex].tolist() == list(expected)


def test_a_masks_coordinates_turn_as_the_shader_turns_them() -> None:
    # 19.3: the alpha UV for rotation 1 is (1 - v, u), and so on.
    corners = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)]
    for corner, (u, v) in enumerate(corners):
        assert mask_uv(corner, 0) == (u, v)
        assert mask_uv(corner, 1) == (1.0 - v, u)
        assert mask_uv(corner, 2) == (1.0 - u, 1.0 - v)
        assert mask_uv(corner, 3) == (v, 1.0 - u)


# --- layers


def region_world(**masks: tuple[BlendMask, ...]) -> World:
    """A world of flat-coloured ground with masks of these codes."""
    world = WorldBuilder()
    for name, value in masks.items():
        setattr(world.region, name, value)
    world.region.ground = {
        kind: GroundType(f"g{kind}", (kind, 2 * kind, 3 * kind), None, 1 + kind) for kind in range(33)
    }
    world.landblock(0xC95B, height=10.0)
    return world.build().load()


def look_of(world: World) -> tuple[TerrainLook, list[Fault]]:
    faults: list[Fault] = []
    look = terrain_look(world, faults)
    assert look is not None
    return look, faults


def four_corner_masks() -> World:
    return region_world(corner_masks=(BlendMask(8),) * 4, road_masks=(BlendMask(9), BlendMask(8), BlendMask(10)))


def test_two_opposite_corners_of_one_type_are_two_overlays() -> None:
    look, faults = look_of(four_corner_masks())
    row = look.row(make_pcode((26, 16, 26, 16), (0, 0, 0, 1)))
    assert len(row) == COLUMNS
    assert row[0] == look.layer(26)
    assert row[1:4] == [look.layer(16), look.layer(16), NONE]
    assert row[4:7] == [4 * 3 + 2, 4 * 3 + 0, NONE]
    # Road mask 8: the search starts at map 2 (code 10), goes to map 0 (code 9) and ends at map 1; 5 maps come before.
    assert row[7:10] == [4 * (4 + 1 + 1) + 0, NONE, look.layer(32)]
    assert faults == []


def test_four_different_types_overlay_the_first_each_in_its_corner() -> None:
    look, _ = look_of(four_corner_masks())
    row = look.row(make_pcode((1, 2, 3, 4), (0, 0, 0, 0)))
    assert row[:4] == [look.layer(kind) for kind in (1, 2, 3, 4)]
    # A map of code 8 becomes 2 after two turns, 4 after three, and 8 after none.
    assert [packed % 4 for packed in row[4:7]] == [2, 3, 0]
    assert row[7:10] == [NONE, NONE, NONE]


def test_two_neighbouring_corners_of_one_type_share_a_side_mask() -> None:
    look, _ = look_of(region_world())
    row = look.row(make_pcode((5, 5, 7, 7), (0, 0, 0, 0)))
    assert row[:4] == [look.layer(5), look.layer(7), NONE, NONE]
    # Code 12 (north-east and north-west) is three turns from the side mask's 9; one corner mask precedes it.
    assert row[4:7] == [4 * 1 + 3, NONE, NONE]


def test_road_at_all_corners_is_the_cells_only_layer() -> None:
    look, _ = look_of(region_world())
    assert look.row(make_pcode((1, 2, 3, 4), (1, 1, 2, 3))) == [look.layer(32), *[NONE] * 9, 0, 0]


def test_road_at_three_corners_is_two_strips() -> None:
    look, _ = look_of(region_world())
    row = look.row(make_pcode((1, 1, 1, 1), (0, 1, 1, 1)))
    # Codes 6 and 12 of the road's side map (9): two and three turns.
    assert [packed % 4 for packed in row[7:9]] == [2, 3]


def test_an_overlay_without_a_matching_mask_is_skipped_and_reported() -> None:
    look, faults = look_of(region_world(side_masks=(BlendMask(8),)))
    row = look.row(make_pcode((5, 5, 7, 7), (0, 0, 0, 0)))
    assert row[:4] == [look.layer(5), NONE, NONE, NONE]
    assert len(faults) == 1


def test_every_vertex_of_a_land_cell_carries_the_cells_layers() -> None:
    village = demo().landblock(VILLAGE)
    assert village is not None
    assert village.terrain is not None
    look, _ = look_of(demo())
    ground = terrain_draw(village.terrain, look, 1)
    assert ground.layers is not None
    assert ground.layers.shape == (384, COLUMNS)
    for low in (1, 20, 64):
        cx, cy = divmod(low - 1, 8)
        expected = look.row(cell_pcode(village.terrain.words, cx, cy))
        assert ground.layers[first_vertex(low) : first_vertex(low) + 6].tolist() == [expected] * 6


def test_the_look_reads_a_texture_once_when_ground_first_needs_it() -> None:
    look, _ = look_of(region_world())
    assert look.filled == []
    layer = look.layer(9)
    assert look.layer(9) == layer
    assert look.filled == [layer]
    texture = look.textures[layer]
    assert texture is not None
    assert texture[0, 0].tolist() == [9, 18, 27, 255]
    assert look.tiling[layer] == 10.0
    assert look.averages[layer] == pytest.approx([9 / 255, 18 / 255, 27 / 255])


def test_masks_keep_lower_layers_where_they_are_white() -> None:
    look, _ = look_of(region_world())
    corner, side = look.masks[0], look.masks[1]
    assert corner[0, 0] < 30  # the overlay is at the north-west, the picture's upper left
    assert corner[-1, -1] > 220
    assert side[len(side) // 2, 0] < 30
    assert side[len(side) // 2, -1] > 220


def test_a_world_without_a_region_has_plain_colours_and_tan_roads() -> None:
    words = [0] * 81
    words[vertex_index(0, 0)] = 1
    words[vertex_index(8, 8)] = 3 << 2
    ground = terrain_draw(hills(words=words), None, 1)
    assert ground.layers is None
    table = plain_colours()
    corner = {tuple(place[:2]): colour for place, colour in zip(ground.positions.tolist(), ground.colours, strict=True)}
    assert corner[(192.0, 192.0)] == pytest.approx(table[3])
    assert corner[(96.0, 96.0)] == pytest.approx(table[0])
    assert corner[(0.0, 0.0)] == pytest.approx(0.4 * table[0] + 0.6 * np.array((0.62, 0.52, 0.38)), abs=1e-5)


def test_pictures_of_other_sizes_are_scaled_to_the_size_of_the_layers() -> None:
    small = np.arange(4, dtype=np.uint8).reshape(2, 2)
    assert resized(small, 4).tolist() == [[0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 3, 3], [2, 2, 3, 3]]
    assert resized(resized(small, 4), 2).tolist() == small.tolist()


def test_a_scene_keeps_the_ground_of_a_landblock_until_its_terrain_changes() -> None:
    world = open_world(str(ensure_demo()))
    block = world.landblock(VILLAGE)
    assert block is not None
    scene = Scene(world)
    before = scene.terrain(VILLAGE)
    assert before is not None
    assert scene.terrain(0xC95B0012) is before
    block.terrain = hills(VILLAGE)
    after = scene.terrain(VILLAGE)
    assert after is not None
    assert after.version > before.version
    assert after.max_z == pytest.approx(max(block.terrain.z) - SINK)


def test_ground_that_is_not_loaded_is_not_drawn() -> None:
    assert Scene(open_world(str(ensure_demo()))).terrain(VILLAGE) is None
