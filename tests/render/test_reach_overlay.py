"""The floors that a search has reached, as triangles."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.render.overlays.palette import ACCEPTED, ADJUSTED, faint
from engine.render.overlays.reach import (
    BY_HOW,
    FILL,
    GRID,
    UNREACHED,
    ReachColours,
    classes_of,
    reach_floors,
    unreached_floors,
)

BLOCK = 0x0007FFFF
PLACES = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 2), st.integers(0, 3)), max_size=50)


def area(points: np.ndarray) -> float:
    a, b, c = points[:, 0], points[:, 1], points[:, 2]
    return float((np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2.0).sum())


@given(PLACES)
def test_each_square_is_covered_once(rows: list[tuple[int, int, int, int]]) -> None:
    places = np.array([((x + 0.5) * GRID, (y + 0.5) * GRID, z * 3.0) for x, y, z, _ in rows]).reshape(-1, 3)
    classes = np.array([how for *_, how in rows], np.intp)
    made = reach_floors(BLOCK, places, classes, BY_HOW)
    squares = {(x, y, z) for x, y, z, _ in rows}
    assert abs(area(made.points) - len(squares) * GRID * GRID) < 1e-9
    assert len(made) <= 2 * len(squares)


def test_a_row_of_one_colour_is_one_strip() -> None:
    places = np.array([((x + 0.5) * GRID, 0.1, 0.0) for x in range(40)])
    assert len(reach_floors(BLOCK, places, np.ones(40, np.intp), BY_HOW)) == 2


def test_what_can_be_walked_to_is_not_coloured_as_a_jump() -> None:
    places = np.array([(0.1, 0.1, 0.0), (0.12, 0.12, 0.0)])
    made = reach_floors(BLOCK, places, np.array([3, 1]), BY_HOW)
    assert tuple(made.colours[0]) == faint(ACCEPTED, FILL) != faint(ADJUSTED, FILL)


def test_colours_by_time_go_by_seconds() -> None:
    ticks = np.array([0, 59, 61, 200, 400, 900, 99_999], np.uint32)
    how = np.zeros(len(ticks), np.uint8)
    assert classes_of(how, ticks, ReachColours.SOON).tolist() == [0, 0, 1, 2, 3, 4, 5]


def test_floors_that_nobody_came_to_are_fans_of_their_corners() -> None:
    made = unreached_floors(BLOCK, [[(0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0)]])
    assert abs(area(made.points) - 2.0) < 1e-9
    assert tuple(made.colours[0]) == faint(UNREACHED, FILL)
