"""The ground of a landblock (physics.md 10, cases C-TER-1..7; dat-format.md 4, 6, B.1, B.4)."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.world.cells import ids, terrain
from engine.world.cells.terrain import ENTIRELY_WATER, NOT_WATER, PARTIALLY_WATER, Terrain
from engine.world.faults import WorldError
from tests.shared import SHARED, needs_shared

LINEAR = [2.0 * index for index in range(256)]
GRASS = 1 << 2
SEA = 0x14 << 2

WORDS = st.integers(0, 0xFFFF)
HEIGHTS = st.lists(st.integers(0, 255), min_size=81, max_size=81)
BLOCKS = st.builds(lambda x, y: x << 24 | y << 16 | 0xFFFF, st.integers(0, 254), st.integers(0, 254))
TERRAINS = st.builds(
    lambda block, heights: Terrain(block, heights, [GRASS] * 81, LINEAR),
    BLOCKS,
    HEIGHTS,
)
IN_BLOCK = st.floats(0.0, 192.0)
LAND_LOWS = st.integers(1, 64)


def block(heights: list[int] | None = None, words: list[int] | None = None, cell_id: int = 0xA9B4FFFF) -> Terrain:
    return Terrain(cell_id, heights or [0] * 81, words or [GRASS] * 81, LINEAR)


def words_with(kind: int, vertices: list[tuple[int, int]]) -> list[int]:
    words = [GRASS] * 81
    for i, j in vertices:
        words[terrain.vertex_index(i, j)] = kind
    return words


# --- the cut


@pytest.mark.parametrize(
    ("case", "x", "y", "dw", "sw_ne"),
    [
        ("C-TER-3", 1352, 1440, 0xC15BD913, True),
        ("C-TER-4", 1353, 1440, 0x73B91436, False),
        ("C-TER-5", 1358, 1440, 0xEF8B3BE5, True),
        ("C-TER-6", 1354, 1442, 0x4F04F5E3, False),
        ("C-TER-7", 0, 0, 0xAE6470DB, True),
        ("B.1", 1, 0, 0x6C488D1E, False),
        ("B.1", 0, 1, 0x1A7F3662, False),
        ("B.1", 1, 1, 0xE52E12D8, True),
        ("B.1", 8, 16, 0xC491C4E3, True),
        ("B.1", 1359, 1447, 0xF0E404E4, True),
        ("B.1", 2039, 2039, 0x3846F0E4, False),
    ],
)
def test_the_cut_of_a_land_cell_follows_from_its_position(case: str, x: int, y: int, dw: int, sw_ne: bool) -> None:
    assert f"{terrain.split_hash(x, y):08X}" == f"{dw:08X}", case
    assert terrain.is_cut_sw_ne(x, y) == sw_ne, case


def test_the_cuts_of_landblock_a9b4() -> None:
    cuts = "".join("01"[block().square(low).cut_sw_ne] for low in range(1, 65))
    assert cuts == "1111111100111111000001111100001111100011001100111001001111011011"


@given(st.integers(0, 2039), st.integers(0, 2039))
def test_both_specifications_have_the_same_hash(gx: int, gy: int) -> None:
    other = gy * (214614067 * gx + 1813693831) - 1109124029 * gx - 1369149221
    assert terrain.split_hash(gx, gy) == other % 2**32


# --- the triangles


@given(TERRAINS, LAND_LOWS)
def test_the_triangles_of_a_land_cell_have_the_clients_vertex_order(ground: Terrain, low: int) -> None:
    cx, cy = ids.land_cell_column(low), ids.land_cell_row(low)
    sw, se = ground.vertex(cx, cy), ground.vertex(cx + 1, cy)
    ne, nw = ground.vertex(cx + 1, cy + 1), ground.vertex(cx, cy + 1)
    square = ground.square(low)
    if square.cut_sw_ne:
        assert (square.first.vertices, square.second.vertices) == ([sw, se, ne], [sw, ne, nw])
    else:
        assert (square.first.vertices, square.second.vertices) == ([sw, se, nw], [ne, nw, se])
    assert [polygon.id for polygon in ground.polygons(low)] == [2 * (8 * cx + cy), 2 * (8 * cx + cy) + 1]
    assert square.first.normal[2] > 0.0
    assert square.second.normal[2] > 0.0


def test_the_triangles_of_a_land_cell_are_built_once() -> None:
    ground = block()
    assert ground.square(0xA9B40031) is ground.square(0x31)
    assert ground.polygons(0x31)[0] is ground.square(0x31).first


@pytest.mark.parametrize("cell_id", [0xA9B40000, 0xA9B40041, 0xA9B40100, 0xA9B4FFFF])
def test_only_land_cells_have_ground(cell_id: int) -> None:
    with pytest.raises(WorldError, match=f"{ids.cell_text(cell_id)} is not a land cell"):
        block().square(cell_id)


@given(st.sampled_from([0x01, 0x11]), st.floats(0.0, 24.0), st.floats(0.0, 24.0))
def test_a_point_belongs_to_the_first_triangle_that_contains_it(low: int, dx: float, dy: float) -> None:
    ground = block()
    square = ground.square(low)
    corner_x = 24.0 * ids.land_cell_column(low)
    found = ground.find_terrain_poly(low, (corner_x + dx, dy, -1000.0))
    assert found in (square.first, square.second)
    over_diagonal = dx - dy if square.cut_sw_ne else 24.0 - (dx + dy)
    if abs(over_diagonal) > 1e-9:  # nearer than that the sums' rounding decides
        assert found is (square.first if over_diagonal > 0.0 else square.second)


def test_points_on_the_diagonal_belong_to_the_first_triangle() -> None:
    ground = block()
    assert ground.square(0x01).cut_sw_ne
    assert not ground.square(0x11).cut_sw_ne
    for step in range(25):
        assert ground.find_terrain_poly(0x01, (float(step), float(step), 0.0)) is ground.square(0x01).first
        assert ground.find_terrain_poly(0x11, (48.0 + step, 24.0 - step, 0.0)) is ground.square(0x11).first


def test_a_border_point_belongs_to_both_land_cells_one_beyond_it_to_one() -> None:
    ground = block()
    assert ground.find_terrain_poly(0x01, (24.0, 12.0, 0.0)) is not None
    assert ground.find_terrain_poly(0x09, (24.0, 12.0, 0.0)) is not None
    assert ground.find_terrain_poly(0x01, (24.001, 12.0, 0.0)) is None
    assert ground.find_terrain_poly(0x09, (23.999, 12.0, 0.0)) is None


# --- heights


@given(IN_BLOCK, IN_BLOCK)
def test_c_ter_1_a_flat_block_has_one_height(x: float, y: float) -> None:
    height = block(heights=[25] * 81).height_at(x, y)
    assert height is not None
    assert math.isclose(height, 50.0)


def test_c_ter_2_an_even_slope() -> None:
    table = [10.0 * index for index in range(256)]
    ground = Terrain(0xA9B4FFFF, [1 + i for i in range(9) for _ in range(9)], [GRASS] * 81, table)
    for y in (0.0, 11.0, 24.0, 190.0):
        height = ground.height_at(60.0, y)
        assert height is not None
        assert math.isclose(height, 35.0)


def brute_force_height(ground: Terrain, x: float, y: float) -> float:
    """Interpolated between the corners by hand, from the cut alone."""
    cx, cy = min(int(x // 24.0), 7), min(int(y // 24.0), 7)
    s, t = x / 24.0 - cx, y / 24.0 - cy
    sw, se = ground.vertex(cx, cy)[2], ground.vertex(cx + 1, cy)[2]
    ne, nw = ground.vertex(cx + 1, cy + 1)[2], ground.vertex(cx, cy + 1)[2]
    gx = 8 * ids.block_x(ground.cell_id) + cx
    gy = 8 * ids.block_y(ground.cell_id) + cy
    if terrain.is_cut_sw_ne(gx, gy):
        return sw + s * (se - sw) + t * (ne - se) if s > t else sw + t * (nw - sw) + s * (ne - nw)
    if s + t <= 1.0:
        return sw + s * (se - sw) + t * (nw - sw)
    return ne + (1.0 - s) * (nw - ne) + (1.0 - t) * (se - ne)


@given(TERRAINS, IN_BLOCK, IN_BLOCK)
def test_the_height_is_that_of_the_triangle_above_the_point(ground: Terrain, x: float, y: float) -> None:
    height = ground.height_at(x, y)
    assert height is not None
    assert math.isclose(height, brute_force_height(ground, x, y), abs_tol=1e-6)


@given(TERRAINS, IN_BLOCK, IN_BLOCK, st.floats(0.0, 360.0))
def test_the_ground_is_continuous(ground: Terrain, x: float, y: float, direction: float) -> None:
    """A millimetre aside, the height differs by no more than the steepest slope allows, also across cuts and cells."""
    other_x = min(max(x + 0.001 * math.cos(direction), 0.0), 192.0)
    other_y = min(max(y + 0.001 * math.sin(direction), 0.0), 192.0)
    here, there = ground.height_at(x, y), ground.height_at(other_x, other_y)
    assert here is not None
    assert there is not None
    assert abs(here - there) <= 0.001 * math.sqrt(2.0) * 510.0 / 24.0 + 1e-6


@given(TERRAINS, st.integers(0, 8), st.integers(0, 8))
def test_the_ground_goes_through_every_vertex(ground: Terrain, i: int, j: int) -> None:
    x, y, z = ground.vertex(i, j)
    height = ground.height_at(x, y)
    assert height is not None
    assert math.isclose(height, z, abs_tol=1e-6)


@pytest.mark.parametrize("bad", [-0.001, 192.001, math.nan, math.inf, -math.inf, 1e300])
def test_outside_the_block_and_at_nan_there_is_no_ground(bad: float) -> None:
    ground = block()
    for x, y in ((bad, 12.0), (12.0, bad)):
        assert ground.height_at(x, y) is None
        assert ground.polygon_under(x, y) is None
        assert not ground.on_road(x, y)


@given(st.lists(st.floats(), min_size=256, max_size=256), HEIGHTS, IN_BLOCK, IN_BLOCK)
def test_a_nonsensical_height_table_still_gives_an_answer(
    table: list[float], heights: list[int], x: float, y: float
) -> None:
    height = Terrain(0xA9B4FFFF, heights, [GRASS] * 81, table).height_at(x, y)
    assert height is None or isinstance(height, float)


@pytest.mark.parametrize(
    ("heights", "words", "table", "reason"),
    [
        ([0] * 80, [0] * 81, LINEAR, "80 heights and 81 terrain words"),
        ([0] * 81, [0] * 82, LINEAR, "81 heights and 82 terrain words"),
        ([9] * 81, [0] * 81, LINEAR[:9], "height index 9"),
        ([-1] * 81, [0] * 81, LINEAR, "height index"),
    ],
)
def test_lists_of_the_wrong_size_are_refused(
    heights: list[int], words: list[int], table: list[float], reason: str
) -> None:
    with pytest.raises(WorldError, match=f"landblock 0xA9B4: {reason}"):
        Terrain(0xA9B4FFFF, heights, words, table)


def test_all_heights_zero_looks_at_the_bytes() -> None:
    assert block().all_heights_zero()
    assert not block(heights=[0] * 80 + [1]).all_heights_zero()


# --- terrain words


def test_a_terrain_word_holds_road_type_and_scenery() -> None:
    word = 0x4834
    assert (terrain.road_code(word), terrain.terrain_type(word), terrain.scenery_index(word)) == (0, 13, 9)


@given(WORDS)
def test_a_terrain_word_is_its_parts_and_the_unused_bits(word: int) -> None:
    parts = terrain.road_code(word) | terrain.terrain_type(word) << 2 | terrain.scenery_index(word) << 11
    assert parts | (word & 0x0780) == word


# --- water


@pytest.mark.parametrize(("kind", "water"), [(0x0F, False), (0x10, True), (0x14, True), (0x15, False), (0x16, False)])
def test_terrain_types_10_to_14_are_water(kind: int, water: bool) -> None:
    assert terrain.is_water_type(kind) == water


@pytest.mark.parametrize(
    ("corners", "kind"),
    [
        ([], NOT_WATER),
        ([(0, 0)], PARTIALLY_WATER),
        ([(0, 0), (1, 0), (1, 1)], PARTIALLY_WATER),
        ([(0, 0), (1, 0), (1, 1), (0, 1)], ENTIRELY_WATER),
    ],
)
def test_a_land_cell_is_water_by_its_corners(corners: list[tuple[int, int]], kind: int) -> None:
    assert block(words=words_with(SEA, corners)).cell_water_type(0xA9B40001) == kind


def test_a_block_is_water_only_when_every_land_cell_is() -> None:
    assert block().water_type == NOT_WATER
    assert block(words=words_with(SEA, [(4, 4)])).water_type == PARTIALLY_WATER
    assert block(words=[SEA] * 80 + [GRASS]).water_type == PARTIALLY_WATER
    assert block(words=[SEA] * 81).water_type == ENTIRELY_WATER


def test_water_depth_of_dry_land_and_open_sea() -> None:
    assert block().water_depth(0xA9B40001, (5.0, 5.0, 0.0)) == 0.0
    assert block(words=[SEA] * 81).water_depth(0xA9B40001, (5.0, 5.0, 0.0)) == 0.9


@pytest.mark.parametrize(
    ("x", "y", "depth"),
    [(0.0, 0.0, 0.1), (11.9, 11.9, 0.1), (12.0, 0.0, 0.45), (12.0, 11.9, 0.45), (23.9, 12.0, 0.1), (3.0, 20.0, 0.1)],
)
def test_at_the_shore_the_nearest_corner_decides(x: float, y: float, depth: float) -> None:
    ground = block(words=words_with(SEA, [(4, 3)]))  # the south-east corner of the land cell in column 3, row 3
    cell = ids.land_cell_low(3, 3)
    assert ground.water_depth(cell, (72.0 + x, 72.0 + y, 0.0)) == depth


@given(st.lists(WORDS, min_size=81, max_size=81), LAND_LOWS, st.floats(), st.floats())
def test_water_depth_is_one_of_four(words: list[int], low: int, x: float, y: float) -> None:
    assert block(words=words).water_depth(low, (x, y, 0.0)) in (0.0, 0.1, 0.45, 0.9)


# --- roads


def road_table(r0: int, r1: int, r2: int, r3: int, dx: float, dy: float) -> bool:
    """The table of dat-format.md chapter 6 step 6 by its rows; r0 is south-west, r1 north-west, r2 south-east."""
    w = 5.0
    rows = {
        "0000": False,
        "0001": 48 - dx - dy < w,
        "0010": 24 - dx + dy < w,
        "0011": dx > 24 - w,
        "0100": 24 + dx - dy < w,
        "0101": dy > 24 - w,
        "0110": abs(dx + dy - 24) < w,
        "0111": dx > 24 - w or dy > 24 - w,
        "1000": dx + dy < w,
        "1001": abs(dx - dy) < w,
        "1010": dy < w,
        "1011": dx > 24 - w or dy < w,
        "1100": dx < w,
        "1101": dx < w or dy > 24 - w,
        "1110": dx < w or dy < w,
        "1111": True,
    }
    return rows[f"{r0}{r1}{r2}{r3}"]


@pytest.mark.parametrize("corners", range(16))
def test_roads_follow_the_table(corners: int) -> None:
    r0, r1, r2, r3 = (corners >> shift & 1 for shift in (3, 2, 1, 0))
    steps = [0.0, 1.0, 2.5, 4.75, 5.0, 5.25, 12.0, 18.75, 19.0, 19.25, 21.0, 23.0, 24.0]
    for dx in steps:
        for dy in steps:
            found = terrain.is_on_road(r0 == 1, r2 == 1, r3 == 1, r1 == 1, dx, dy)
            assert found == road_table(r0, r1, r2, r3, dx, dy), (dx, dy)


@given(st.lists(WORDS, min_size=81, max_size=81), st.floats(0.0, 191.99), st.floats(0.0, 191.99))
def test_a_point_is_on_the_road_of_its_land_cell(words: list[int], x: float, y: float) -> None:
    cx, cy = int(x // 24.0), int(y // 24.0)
    r0, r1, r2, r3 = (
        int(words[terrain.vertex_index(i, j)] & 3 != 0)
        for i, j in ((cx, cy), (cx, cy + 1), (cx + 1, cy), (cx + 1, cy + 1))
    )
    expected = road_table(r0, r1, r2, r3, x - 24.0 * cx, y - 24.0 * cy)
    assert block(words=words).on_road(x, y) == expected


# --- the golden scene


@needs_shared
@pytest.mark.conformance
def test_bodies_in_the_golden_terrain_scene_rest_on_our_triangles() -> None:
    """Every contact plane that the reference reports on the scene's own landblock is one of the two triangles of its
    cell: this pins the cut, the vertex order and the planes."""
    scene = json.loads((SHARED / "goldens/scenes/terrain.json").read_text())
    golden = json.loads((SHARED / "goldens/golden/terrain.json").read_text())
    words = [kind << 2 for kind in scene["terrain"]["types"]]
    ground = Terrain(scene["landblock"] << 16, scene["terrain"]["heights"], words, LINEAR)
    ticks = [tick for move in golden["moves"] for tick in move["ticks"]]
    rested = [tick for tick in ticks if "contact_plane" in tick and "block" not in tick]
    sloped = 0
    for tick in rested:
        candidates = [[*polygon.normal, polygon.d] for polygon in ground.polygons(tick["contact_cell"])]
        assert any(tick["contact_plane"] == pytest.approx(plane, abs=1e-4) for plane in candidates), tick
        sloped += tick["contact_plane"][2] < 0.999
    assert len(rested) > 300
    assert sloped > 100
