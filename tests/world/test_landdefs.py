"""The outdoor grid (physics.md 1.4; cases C-LD-1..23 and, for the land cell under a point, C-CELL-1..6)."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.geometry.constants import EPSILON
from engine.geometry.vec import Vec3, r24, r24v
from engine.world.cells import ids, landdefs

MAP_BLOCKS = st.integers(0, 254)
LCOORDS = st.integers(0, 2039)
LAND_CELLS = st.builds(landdefs.lcoord_to_gid, LCOORDS, LCOORDS)
ROOMS = st.builds(lambda x, y, low: x << 24 | y << 16 | low, MAP_BLOCKS, MAP_BLOCKS, st.integers(0x0100, 0xFFFD))
PLACES = st.one_of(LAND_CELLS, ROOMS, LAND_CELLS.map(ids.landblock_id))
NEAR = st.floats(-1000.0, 1000.0)
ANY_FLOAT = st.floats(allow_nan=True, allow_infinity=True)
BORDERS = st.integers(-3, 3).map(lambda k: 192.0 * k)
HAIRS = st.sampled_from([0.0, 1e-20, 1e-13, 3e-5, 1e-4, 1.9e-4, 2.1e-4, 0.01])
AT_BORDERS = st.builds(lambda border, hair, sign: border + sign * hair, BORDERS, HAIRS, st.sampled_from([-1.0, 1.0]))
COORDINATES = st.one_of(NEAR, AT_BORDERS)


def close(a: Vec3, b: Vec3) -> bool:
    return all(math.isclose(p, q, abs_tol=1e-3) for p, q in zip(a, b, strict=True))


@pytest.mark.parametrize(
    ("case", "cell_id", "lcoord"),
    [
        ("C-LD-1", 0xA9B40031, (1352, 1440)),
        ("C-LD-1", 0xA9B4FFFF, (1352, 1440)),
        ("C-LD-2", 0xFEFE0000, (2032, 2032)),
    ],
)
def test_the_corner_cell_of_a_landblock(case: str, cell_id: int, lcoord: landdefs.Lcoord) -> None:
    assert landdefs.blockid_to_lcoord(cell_id) == lcoord, case


@pytest.mark.parametrize("cell_id", [0xFF000001, 0x00FF0001, 0xFFFF0001])
def test_column_and_row_255_are_off_the_map(cell_id: int) -> None:
    assert landdefs.blockid_to_lcoord(cell_id) is None
    assert landdefs.gid_to_lcoord(cell_id) is None


@pytest.mark.parametrize(
    ("case", "cell_id", "lcoord"),
    [
        ("C-LD-3", 0xA9B40031, (1358, 1440)),
        ("C-LD-4", 0xA9B40164, None),
        ("C-LD-5", 0xA9B40000, None),
        ("C-LD-5", 0xA9B40041, None),
    ],
)
def test_only_land_cells_have_an_lcoord(case: str, cell_id: int, lcoord: landdefs.Lcoord | None) -> None:
    assert landdefs.gid_to_lcoord(cell_id) == lcoord, case


@pytest.mark.parametrize(
    ("case", "lcoord", "cell_id"),
    [
        ("C-LD-6", (1358, 1440), 0xA9B40031),
        ("C-LD-7", (1358, 1439), 0xA9B30038),
        ("C-LD-8", (-1, 0), 0),
        ("C-LD-8", (2040, 0), 0),
    ],
)
def test_an_lcoord_names_its_land_cell(case: str, lcoord: landdefs.Lcoord, cell_id: int) -> None:
    assert landdefs.lcoord_to_gid(*lcoord) == cell_id, case


@pytest.mark.parametrize(
    ("case", "cell_id", "point", "lcoord"),
    [
        ("C-LD-9", 0xA9B40031, (150.0, -1.0), (1358, 1439)),
        ("C-LD-10", 0xA9B40164, (12.0, 12.0), (1352, 1440)),
    ],
)
def test_a_point_is_over_its_land_cell_from_any_cell_of_the_block(
    case: str, cell_id: int, point: tuple[float, float], lcoord: landdefs.Lcoord
) -> None:
    assert landdefs.get_outside_lcoord(cell_id, *point) == lcoord, case


@pytest.mark.parametrize(
    ("case", "cell_id", "loc", "outside", "rebased"),
    [
        ("C-LD-11", 0xA9B40031, (150.0, -1.0, 5.0), 0xA9B30038, (150.0, 191.0, 5.0)),
        ("C-LD-12", 0xA9B40031, (150.0, -109.65, 7.0), 0xA9B30034, (150.0, 82.35, 7.0)),
        ("C-LD-13", 0xA9B30038, (150.0, 193.0, 7.0), 0xA9B40031, (150.0, 1.0, 7.0)),
        ("C-LD-14", 0xA9B40164, (12.0, 12.0, 7.0), 0xA9B40001, (12.0, 12.0, 7.0)),
        ("C-LD-15", 0xA9B40031, (150.0, -0.0001, 7.0), 0xA9B40031, (150.0, 0.0, 7.0)),
        ("C-CELL-4", 0xA9B40031, (150.0, -109.65, 0.0), 0xA9B30034, (150.0, 82.35, 0.0)),
        ("C-CELL-5", 0xA9B30038, (150.0, -109.65 + 192.0, 0.0), 0xA9B30034, (150.0, 82.35, 0.0)),
        ("C-CELL-6", 0xA9B40150, (132.36, 16.81, 0.0), 0xA9B40029, (132.36, 16.81, 0.0)),
    ],
)
def test_a_point_is_rebased_into_the_land_cell_under_it(
    case: str, cell_id: int, loc: Vec3, outside: int, rebased: Vec3
) -> None:
    ok, found, point = landdefs.adjust_to_outside(cell_id, loc)
    assert (ok, ids.cell_text(found)) == (True, ids.cell_text(outside)), case
    assert close(point, rebased), case
    assert landdefs.get_outside_cell_id(cell_id, loc) == outside, case


def test_c_ld_16_an_id_that_names_no_cell_has_no_land_cell() -> None:
    ok, found, _ = landdefs.adjust_to_outside(0xA9B40050, (12.0, 12.0, 0.0))
    assert (ok, found) == (False, 0)


@pytest.mark.parametrize(
    ("case", "frm", "to", "offset"),
    [
        ("C-LD-19", 0xC95B0104, 0xC95B0001, (0.0, 0.0, 0.0)),
        ("C-LD-20", 0xC95B0001, 0xC95A0001, (0.0, -192.0, 0.0)),
        ("C-LD-21", 0xC95B0001, 0xCA5B0001, (192.0, 0.0, 0.0)),
        ("C-LD-22", 0xC95B0001, 0xCA5CFFFF, (192.0, 192.0, 0.0)),
    ],
)
def test_blocks_are_192_metres_apart(case: str, frm: int, to: int, offset: Vec3) -> None:
    assert landdefs.block_offset(frm, to) == offset, case


@pytest.mark.parametrize(("x", "y", "low"), [(0.0, 0.0, 0x0001), (24.0, 0.0, 0x0009), (191.0, 191.0, 0x0040)])
def test_c_ld_23_land_cells_run_north_first_then_east(x: float, y: float, low: int) -> None:
    assert landdefs.get_outside_cell_id(0xC95BFFFF, (x, y, 0.0)) == 0xC95B0000 | low


@pytest.mark.parametrize(
    ("case", "cell_id", "point", "cells"),
    [
        ("C-CELL-1", 0xA9B40001, (12.0, 12.0), {0xA9B40001}),
        ("C-CELL-2", 0xA9B40001, (23.6, 12.0), {0xA9B40001, 0xA9B40009}),
        ("C-CELL-3", 0xA9B40031, (150.0, -0.2), {0xA9B30038, 0xA9B40031}),
    ],
)
def test_corners_of_a_half_metre_square_are_in_cells_its_circle_touches(
    case: str, cell_id: int, point: tuple[float, float], cells: set[int]
) -> None:
    x, y = point
    square = [(x + dx, y + dy, 0.0) for dx in (-0.5, 0.5) for dy in (-0.5, 0.5)]
    assert {landdefs.get_outside_cell_id(cell_id, corner) for corner in square} == cells, case


@given(LCOORDS, LCOORDS)
def test_lcoords_and_land_cell_ids_are_inverse(x: int, y: int) -> None:
    cell_id = landdefs.lcoord_to_gid(x, y)
    assert ids.is_land_cell(cell_id)
    assert landdefs.inbound_valid_cellid(cell_id)
    assert landdefs.gid_to_lcoord(cell_id) == (x, y)


@given(st.integers(0, 0xFFFFFFFF))
def test_an_id_with_an_lcoord_is_recovered_from_it(cell_id: int) -> None:
    lcoord = landdefs.gid_to_lcoord(cell_id)
    if lcoord is not None:
        assert landdefs.lcoord_to_gid(*lcoord) == cell_id


@given(st.integers(-3000, 3000), st.integers(-3000, 3000))
def test_an_lcoord_names_a_cell_exactly_on_the_map(x: int, y: int) -> None:
    on_map = 0 <= x < 2040 and 0 <= y < 2040
    assert (landdefs.lcoord_to_gid(x, y) != 0) == on_map


@given(PLACES, COORDINATES, COORDINATES, NEAR)
def test_a_rebased_point_is_inside_its_block_and_its_cell(cell_id: int, x: float, y: float, z: float) -> None:
    ok, found, point = landdefs.adjust_to_outside(cell_id, (x, y, z))
    assume(ok)
    assert landdefs.in_block(point)
    assert point[2] == z
    assert ids.land_cell_low(int(point[0] // 24.0), int(point[1] // 24.0)) == ids.low_of(found)


@given(PLACES, COORDINATES, COORDINATES)
def test_rebasing_a_rebased_point_changes_nothing(cell_id: int, x: float, y: float) -> None:
    """Except for a hair beyond the south or west edge: from another block it does not snap at first."""
    ok, found, point = landdefs.adjust_to_outside(cell_id, (x, y, 0.0))
    assume(ok)
    again = landdefs.adjust_to_outside(found, point)
    assert again[:2] == (True, found)
    snapped = tuple(0.0 if abs(coordinate) < EPSILON else coordinate for coordinate in point)
    assert again[2] == snapped
    assert landdefs.adjust_to_outside(found, again[2]) == again


@given(PLACES, COORDINATES, COORDINATES)
def test_a_rebased_point_is_the_same_position(cell_id: int, x: float, y: float) -> None:
    ok, found, point = landdefs.adjust_to_outside(cell_id, (x, y, 0.0))
    assume(ok)
    shift = landdefs.block_offset(cell_id, found)
    assert math.isclose(point[0] + shift[0], x, abs_tol=2.1e-4)
    assert math.isclose(point[1] + shift[1], y, abs_tol=2.1e-4)


@given(PLACES, COORDINATES, COORDINATES)
def test_a_single_precision_point_stays_in_its_block_when_rounded_again(cell_id: int, x: float, y: float) -> None:
    ok, _, point = landdefs.adjust_to_outside(cell_id, (r24(x), r24(y), 0.0))
    assume(ok)
    assert landdefs.in_block(r24v(point))


@given(PLACES, NEAR, NEAR)
def test_a_point_off_the_map_has_no_land_cell(cell_id: int, x: float, y: float) -> None:
    corner = landdefs.blockid_to_lcoord(cell_id)
    assert corner is not None
    east, north = corner[0] * 24.0 + x, corner[1] * 24.0 + y
    assume(abs(x) > 0.001 and abs(y) > 0.001)
    on_map = 0.0 <= east < 48960.0 and 0.0 <= north < 48960.0
    assert landdefs.adjust_to_outside(cell_id, (x, y, 0.0))[0] == on_map


@given(st.integers(0, 0xFFFFFFFF), ANY_FLOAT, ANY_FLOAT, ANY_FLOAT)
def test_no_coordinate_makes_the_grid_raise(cell_id: int, x: float, y: float, z: float) -> None:
    ok, found, _ = landdefs.adjust_to_outside(cell_id, (x, y, z))
    assert ok == (found != 0)
    assert ok == (landdefs.get_outside_cell_id(cell_id, (x, y, z)) != 0)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e300, 48960.0, -48960.0])
def test_coordinates_off_the_map_have_no_land_cell(bad: float) -> None:
    for cell_id in (0x00000001, 0xA9B40031, 0xFEFE0040):
        assert landdefs.get_outside_lcoord(cell_id, bad, 12.0) is None
        assert landdefs.get_outside_lcoord(cell_id, 12.0, bad) is None
        assert landdefs.adjust_to_outside(cell_id, (bad, 12.0, 5.0))[:2] == (False, 0)
    assert not landdefs.in_block((bad, 12.0, 0.0))


@given(st.integers(0, 0xFFFFFFFF), st.integers(0, 0xFFFFFFFF), st.integers(0, 0xFFFFFFFF))
def test_block_offsets_add_up(a: int, b: int, c: int) -> None:
    ab, bc, ac = landdefs.block_offset(a, b), landdefs.block_offset(b, c), landdefs.block_offset(a, c)
    assert (ab[0] + bc[0], ab[1] + bc[1], ab[2] + bc[2]) == ac


def test_in_block_keeps_the_radius_from_every_edge() -> None:
    assert landdefs.in_block((0.0, 0.0, -5.0))
    assert not landdefs.in_block((192.0, 0.0, 0.0))
    assert not landdefs.in_block((0.0, -0.001, 0.0))
    assert landdefs.in_block((2.0, 189.9, 0.0), 2.0)
    assert not landdefs.in_block((1.9, 100.0, 0.0), 2.0)
    assert not landdefs.in_block((100.0, 190.0, 0.0), 2.0)
