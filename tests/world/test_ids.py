"""Cell ids: parts, ranges, the written form (physics.md 1.3, cases C-LD-17 and C-LD-18)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.world.cells import ids
from engine.world.faults import WorldError

CELL_IDS = st.integers(0, 0xFFFFFFFF)
PLACES = st.builds(
    ids.in_block_of,
    CELL_IDS,
    st.one_of(st.integers(0x0001, 0x0040), st.integers(0x0100, 0xFFFD), st.just(0xFFFF)),
)


@pytest.mark.parametrize("low", [0x0001, 0x0040, 0x0100, 0xFFFD, 0xFFFF])
def test_c_ld_17_low_halves_that_name_a_cell(low: int) -> None:
    assert ids.cell_in_range(low)


@pytest.mark.parametrize("low", [0x0000, 0x0041, 0xFFFE])
def test_c_ld_18_low_halves_that_name_no_cell(low: int) -> None:
    assert not ids.cell_in_range(low)


@pytest.mark.parametrize("low", range(0x0041, 0x0100))
def test_no_valid_id_is_between_land_cells_and_rooms(low: int) -> None:
    assert not ids.cell_in_range(low)


def test_an_id_is_shown_in_eight_upper_case_digits() -> None:
    assert ids.cell_text(0xC95B0104) == "0xC95B0104"
    assert ids.cell_text(0x00070100) == "0x00070100"
    assert ids.block_text(0x00070100) == "0x0007"


@given(PLACES)
def test_every_cell_id_reads_back_from_its_text(cell_id: int) -> None:
    assert ids.parse_cell_id(ids.cell_text(cell_id)) == cell_id


@pytest.mark.parametrize("text", ["0xA9B40143", "0XA9B40143", "0xa9b40143", "  0xA9b40143\n"])
def test_a_cell_id_is_read_in_any_case_and_with_blanks_around_it(text: str) -> None:
    assert ids.parse_cell_id(text) == 0xA9B40143


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0x",
        "A9B40143",
        "2847146307",
        "0xA9B4014G",
        "0x_A9B4014",
        "-0xA9B40143",
        "0x+9B40143",
        "cell",
        "0x\u0663\u0663\u0663\u0663\u0663\u0663\u0663\u0663",
    ],
)
def test_other_spellings_are_refused_with_the_right_one(text: str) -> None:
    with pytest.raises(WorldError, match="is not an id: write it as 0xA9B40143"):
        ids.parse_cell_id(text)


@pytest.mark.parametrize(("text", "digits"), [("0x143", 3), ("0xA9B400143", 9)])
def test_a_shortened_or_too_long_id_is_refused_with_its_length(text: str, digits: int) -> None:
    with pytest.raises(WorldError, match=f"has {digits} digits; an id has eight"):
        ids.parse_cell_id(text)


@pytest.mark.parametrize("text", ["0xA9B40000", "0xA9B40041", "0xA9B400FF", "0xA9B4FFFE"])
def test_an_id_that_names_no_cell_is_refused(text: str) -> None:
    with pytest.raises(WorldError, match=f"{text} is not a cell"):
        ids.parse_cell_id(text)


def test_ids_of_other_records_are_read_without_the_cell_range_check() -> None:
    assert ids.parse_id("0x0D000041") == 0x0D000041


@given(st.text())
def test_any_text_is_either_an_id_or_a_world_error(text: str) -> None:
    try:
        cell_id = ids.parse_cell_id(text)
    except WorldError:
        return
    assert ids.cell_text(cell_id).lower() == text.strip().lower()


@given(CELL_IDS)
def test_the_parts_of_an_id_recombine_to_it(cell_id: int) -> None:
    block, low = ids.block_of(cell_id), ids.low_of(cell_id)
    assert (block << 16) | low == cell_id
    assert (ids.block_x(cell_id) << 8) | ids.block_y(cell_id) == block
    assert ids.in_block_of(cell_id, low) == cell_id
    assert ids.landblock_id(cell_id) == (block << 16) | 0xFFFF
    assert ids.landblock_info_id(cell_id) == (block << 16) | 0xFFFE


@given(CELL_IDS)
def test_an_id_names_a_land_cell_a_room_or_the_whole_block(cell_id: int) -> None:
    kinds = [ids.is_land_cell(cell_id), ids.is_env_cell(cell_id), ids.low_of(cell_id) == 0xFFFF]
    assert kinds.count(True) == (1 if ids.cell_in_range(ids.low_of(cell_id)) else 0)


def test_the_low_half_alone_decides_interior() -> None:
    assert ids.is_interior(0xA9B40164)
    assert not ids.is_interior(0xA9B40031)
    assert ids.is_interior(0xA9B4FFFF)


@given(st.integers(0, 7), st.integers(0, 7))
def test_a_land_cell_knows_its_column_and_row(cx: int, cy: int) -> None:
    low = ids.land_cell_low(cx, cy)
    assert ids.is_land_cell(low)
    assert (ids.land_cell_column(low), ids.land_cell_row(low)) == (cx, cy)
