"""Texture layers of a land cell (dat-format.md 5.4, 5.5 and the vector of B.3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.world import terrain_blend as tb
from engine.world.faults import WorldError

USUAL = tb.BlendMaps(corner_codes=(8, 8, 8, 8), side_codes=(9,), road_codes=(9, 8, 10))

TYPES = st.tuples(*[st.integers(0, 31)] * 4)
FEW_TYPES = st.tuples(*[st.integers(1, 3)] * 4)
ROADS = st.tuples(*[st.integers(0, 3)] * 4)
CODES = st.integers(1, 14)


def blend(types: tuple[int, ...], roads: tuple[int, ...] = (0, 0, 0, 0), maps: tb.BlendMaps = USUAL) -> tb.CellBlend:
    return tb.blend_cell(tb.make_pcode(types, roads), maps)


# --- the vector B.3


def test_b_3_pcode_and_pick() -> None:
    assert tb.make_pcode((26, 16, 26, 16), (0, 0, 0, 1)) == 0x101D4350
    assert tb.pick_hash(0x101D4350) == 0xD1D57416
    assert tb.pick(0x101D4350, 4) == 3
    assert tb.pick(0x101D4350, 3) == 2


def test_b_3_layers() -> None:
    cell = tb.blend_cell(0x101D4350, USUAL)
    assert cell.base == 26
    assert cell.overlays == (tb.TerrainOverlay(16, tb.Mask(2, 3, 2)), tb.TerrainOverlay(16, tb.Mask(8, 3, 0)))
    assert cell.roads == (tb.Mask(8, 1, 0),)


# --- codes


@given(TYPES, ROADS)
def test_a_pcode_holds_types_and_roads(types: tuple[int, ...], roads: tuple[int, ...]) -> None:
    pcode = tb.make_pcode(types, roads)
    assert tb.pcode_types(pcode) == types
    assert tb.pcode_roads(pcode) == roads
    assert pcode >> 28 == 1


def test_a_pcode_takes_the_corners_counter_clockwise_from_south_west() -> None:
    words = [0] * 81
    for vertex, (kind, road) in {(2, 5): (1, 3), (3, 5): (2, 2), (3, 6): (3, 1), (2, 6): (4, 0)}.items():
        words[9 * vertex[0] + vertex[1]] = kind << 2 | road | 0xF800
    pcode = tb.cell_pcode(words, 2, 5)
    assert tb.pcode_types(pcode) == (1, 2, 3, 4)
    assert tb.pcode_roads(pcode) == (3, 2, 1, 0)


@pytest.mark.parametrize("cycle", [(8, 1, 2, 4, 8), (9, 3, 6, 12, 9), (5, 10, 5), (15, 15), (0, 0)])
def test_codes_turn_in_cycles(cycle: tuple[int, ...]) -> None:
    assert [tb.rotate_code(code) for code in cycle[:-1]] == list(cycle[1:])


@given(st.integers(1, 2**29 - 1), st.integers(0, 500))
def test_a_pick_is_one_of_the_maps(pcode: int, count: int) -> None:
    assert 0 <= tb.pick(pcode, count) <= max(count - 1, 0)


@given(CODES, st.integers(0, 3), st.integers(0, 3))
def test_a_turned_mask_covers_the_turned_corners(code: int, rotation: int, corner: int) -> None:
    """Corner k of the cell shows the mask corner whose bit, turned along, is bit k."""
    turned = code
    for _ in range(rotation):
        turned = tb.rotate_code(turned)
    shown = tb.CORNER_UVS.index(tb.mask_uv(corner, rotation))
    assert (code >> shown & 1) == (turned >> corner & 1)


def test_one_quarter_turn_moves_the_texture_as_in_the_reference() -> None:
    assert [tb.mask_uv(corner, 1) for corner in range(4)] == [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)]


# --- base and overlays


@pytest.mark.parametrize(
    ("types", "base", "overlays"),
    [
        ((5, 5, 5, 5), 5, []),
        ((1, 2, 3, 4), 1, [(2, 2), (3, 4), (4, 8)]),
        ((1, 1, 1, 2), 1, [(2, 8)]),
        ((2, 1, 1, 1), 1, [(2, 1)]),
        ((1, 1, 2, 2), 1, [(2, 12)]),  # neighbours of one type share a mask
        ((2, 1, 1, 2), 2, [(1, 6)]),
        ((1, 2, 2, 1), 1, [(2, 6)]),
        ((1, 2, 1, 2), 1, [(2, 2), (2, 8)]),  # opposite corners do not
        ((1, 1, 2, 3), 1, [(2, 4), (3, 8)]),
        ((2, 1, 3, 1), 1, [(2, 1), (3, 4)]),
        ((2, 3, 1, 1), 1, [(2, 1), (3, 2)]),
    ],
)
def test_the_base_is_the_first_type_that_occurs_twice(
    types: tuple[int, ...], base: int, overlays: list[tuple[int, int]]
) -> None:
    assert tb.choose_layers(types) == (base, overlays)


@given(FEW_TYPES)
def test_every_corner_shows_its_own_type(types: tuple[int, ...]) -> None:
    base, overlays = tb.choose_layers(types)
    for corner in range(4):
        on_top = [kind for kind, code in overlays if code >> corner & 1]
        assert (on_top or [base]) == [types[corner]]


@given(TYPES, ROADS)
def test_a_mask_turned_as_chosen_covers_the_corners_of_its_code(types: tuple[int, ...], roads: tuple[int, ...]) -> None:
    cell = blend(types, roads)
    for overlay in cell.overlays:
        codes = USUAL.corner_codes if overlay.uses_corner_map else USUAL.side_codes
        assert tb.find_rotation(codes[overlay.mask.map_index], overlay.mask.code) == overlay.mask.rotation
    for mask in cell.roads:
        assert tb.find_rotation(USUAL.road_codes[mask.map_index], mask.code) == mask.rotation


@pytest.mark.parametrize(
    ("maps", "reason"),
    [
        (tb.BlendMaps((), (9,), ()), "has no corner alpha map"),
        (tb.BlendMaps((9,), (9,), ()), "corner alpha map 0 has code 9, which no turn brings to 2"),
        (tb.BlendMaps((0,), (9,), ()), "corner alpha map 0 has code 0"),
    ],
)
def test_unusable_maps_are_refused_with_the_reason(maps: tb.BlendMaps, reason: str) -> None:
    with pytest.raises(WorldError, match=reason):
        blend((1, 2, 1, 1), maps=maps)


# --- roads


def test_road_at_all_corners_hides_everything_else() -> None:
    assert blend((1, 2, 3, 4), (1, 2, 3, 1)) == tb.CellBlend(tb.ROAD_TERRAIN, (), ())


@given(TYPES)
def test_without_road_there_is_no_road_mask(types: tuple[int, ...]) -> None:
    assert blend(types).roads == ()


@pytest.mark.parametrize(
    ("roads", "codes"),
    [
        ((0, 1, 1, 1), (6, 12)),
        ((1, 0, 1, 1), (9, 12)),
        ((1, 1, 0, 1), (9, 3)),
        ((1, 1, 1, 0), (3, 6)),
        ((1, 1, 0, 0), (3,)),
        ((1, 0, 1, 0), (5,)),
        ((0, 0, 2, 0), (4,)),
    ],
)
def test_roads_at_three_corners_are_two_strips(roads: tuple[int, ...], codes: tuple[int, ...]) -> None:
    assert tuple(mask.code for mask in blend((1, 1, 1, 1), roads).roads) == codes


def test_without_a_fitting_road_map_there_is_no_road() -> None:
    assert blend((1, 1, 1, 1), (1, 0, 1, 0), tb.BlendMaps((8,), (9,), (9, 8))).roads == ()
    assert blend((1, 1, 1, 1), (1, 0, 0, 0), tb.BlendMaps((8,), (9,), ())).roads == ()


@given(ROADS, st.lists(st.integers(0, 15), max_size=6))
def test_any_list_of_road_maps_gives_an_answer(roads: tuple[int, ...], codes: list[int]) -> None:
    for mask in blend((1, 1, 1, 1), roads, tb.BlendMaps((8,), (9,), codes)).roads:
        assert tb.find_rotation(codes[mask.map_index], mask.code) == mask.rotation
