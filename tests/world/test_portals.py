"""Portals: the meaning of their flags and stored ids (physics.md 6.2, rendering.md 3.1)."""

from __future__ import annotations

import pytest

from engine.geometry.polygon import Polygon
from engine.world.cells.portals import (
    NO_PORTAL,
    OUTSIDE,
    BldPortal,
    CellPortal,
    is_exit,
    widen_cell_id,
    widen_portal_id,
)

SQUARE = Polygon(7, [(0.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 2.0, 2.0), (0.0, 0.0, 2.0)])


@pytest.mark.parametrize(
    ("flags", "portal_side", "exact_match", "leads_outside"),
    [
        (0, True, False, False),
        (1, True, True, False),
        (2, False, False, False),
        (3, False, True, False),
        (4, True, False, True),
        (7, False, True, True),
    ],
)
def test_the_side_bit_is_stored_inverted(flags: int, portal_side: bool, exact_match: bool, leads_outside: bool) -> None:
    portal = CellPortal(flags, 7, SQUARE, 0xA9B40143, 0)
    assert (portal.portal_side, portal.exact_match, portal.leads_outside) == (portal_side, exact_match, leads_outside)


def test_the_flag_leads_outside_counts_whatever_the_id_says() -> None:
    portal = CellPortal(4, 7, SQUARE, 0xA9B40143, 0)
    assert portal.leads_outside
    assert portal.other_cell_id == OUTSIDE


def test_the_outdoors_id_leads_outside_without_the_flag() -> None:
    portal = CellPortal(1, 7, SQUARE, OUTSIDE, 0)
    assert portal.leads_outside
    assert portal.other_cell_id == OUTSIDE


@pytest.mark.parametrize(
    ("flags", "other", "leads_outside"),
    [
        (0, 0x0143, False),
        (3, 0xA9B40143, False),
        (4, 0x0143, True),
        (7, 0xFFFF, True),
        (0, 0xFFFF, True),
        (1, OUTSIDE, True),
    ],
)
def test_an_exit_has_its_flag_or_the_outdoors_id(flags: int, other: int, leads_outside: bool) -> None:
    assert is_exit(flags, other) == leads_outside


def test_ids_gain_their_landblock_except_the_outdoors_id() -> None:
    assert widen_cell_id(0xA9B40147, 0x0143) == 0xA9B40143
    assert widen_cell_id(0xA9B4FFFF, 0x0143) == 0xA9B40143
    assert widen_cell_id(0xA9B40147, 0xFFFF) == OUTSIDE


def test_a_portal_number_is_signed() -> None:
    assert widen_portal_id(0) == 0
    assert widen_portal_id(0x7FFF) == 0x7FFF
    assert widen_portal_id(0xFFFF) == NO_PORTAL


def test_a_building_portal_has_sides_and_no_polygon_until_its_shell_shows_one() -> None:
    portal = BldPortal(3, 0xA9B40145, 0, [0xA9B40145])
    assert (portal.portal_side, portal.exact_match) == (False, True)
    assert portal.polygon is None
    assert portal.polygon_id == -1


def test_portals_show_where_they_lead() -> None:
    assert repr(CellPortal(1, 7, SQUARE, 0xA9B40143, 2)) == "CellPortal(flags=1, polygon=7, other=0xA9B40143/2)"
    assert repr(BldPortal(3, 0xA9B40145, -1, [])) == "BldPortal(flags=3, other=0xA9B40145/-1)"
