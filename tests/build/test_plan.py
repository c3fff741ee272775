"""Floor plans: which are refused, and how concave ones are split."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.build import BuildError, ngon, rect
from engine.build.shapes.floor_plan import SEAM, Point2, checked_plan, convex_parts, is_convex, plan_area

ELL = [(0.0, 0.0), (6.0, 0.0), (6.0, 3.0), (3.0, 3.0), (3.0, 6.0), (0.0, 6.0)]


@st.composite
def steps(draw: st.DrawFn) -> list[Point2]:
    """The plan of a row of columns of random heights above and below a line: simple, often deeply concave."""
    heights = draw(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), min_size=1, max_size=7))
    plan: list[Point2] = []
    for i, (up, _) in enumerate(heights):
        plan += [(2.0 * i, float(up)), (2.0 * i + 2.0, float(up))]
    for i, (_, down) in reversed(list(enumerate(heights))):
        plan += [(2.0 * i + 2.0, -float(down)), (2.0 * i, -float(down))]
    cleaned = [p for i, p in enumerate(plan) if p != plan[i - 1]]
    turn = draw(st.floats(0.0, 6.0))
    cos, sin = math.cos(turn), math.sin(turn)
    return [(x * cos - y * sin, x * sin + y * cos) for x, y in cleaned]


@given(steps())
def test_parts_are_convex_and_fill_the_plan(plan: list[Point2]) -> None:
    checked = checked_plan(plan, "room")
    parts = convex_parts(checked, "room")
    assert all(is_convex(part.points) and plan_area(part.points) > 0.0 for part in parts)
    assert sum(plan_area(part.points) for part in parts) == pytest.approx(plan_area(checked), abs=1e-9)


@given(steps())
def test_every_edge_of_the_outline_stays_and_seams_come_in_pairs(plan: list[Point2]) -> None:
    checked = checked_plan(plan, "room")
    kept: dict[int, float] = {}
    for part in convex_parts(checked, "room"):
        for i, edge in enumerate(part.edges):
            length = math.dist(part.points[i], part.points[(i + 1) % len(part.points)])
            kept[edge] = kept.get(edge, 0.0) + length
    for i, corner in enumerate(checked):
        assert kept[i] == pytest.approx(math.dist(corner, checked[(i + 1) % len(checked)]), abs=1e-9)


def test_an_ell_becomes_two_rectangles() -> None:
    parts = convex_parts(ELL, "room")
    assert sorted(plan_area(part.points) for part in parts) == [9.0, 18.0]
    assert [part.edges.count(SEAM) for part in parts] == [1, 1]


def test_a_convex_plan_is_its_own_only_part() -> None:
    plan = ngon(1, 2, 3, 7)
    (part,) = convex_parts(plan, "room")
    assert list(part.points) == plan
    assert part.edges == tuple(range(7))


def test_a_clockwise_plan_is_reversed() -> None:
    assert plan_area(checked_plan(list(reversed(rect(0, 0, 2, 3))), "room")) == 6.0


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ([(0, 0), (1, 0)], "three corners"),
        ([(0, 0), (4, 0), (0, 4), (4, 4)], "crosses itself"),
        ([(0, 0), (4, 0), (4, 4), (4, 0)], "crosses itself|same place"),
        ([(0, 0), (4, 0), (4, 0), (4, 4)], "same place"),
        ([(0, 0), (4, 0), (2, 0)], "crosses itself|no area"),
        ([(0, 0), (math.nan, 0), (2, 2)], "not a point"),
        ([(0, 0), (6, 0), (6, 4), (3, 0), (0, 4)], "crosses itself"),
    ],
)
def test_an_invalid_plan_is_refused_with_its_room_and_reason(plan: list[Point2], reason: str) -> None:
    with pytest.raises(BuildError, match=f"room 'hall': .*({reason})"):
        checked_plan(plan, "room 'hall'")
