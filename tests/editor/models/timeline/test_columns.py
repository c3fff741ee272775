"""Growing columns: their blocks of extremes, their stretches, and the few points that a curve needs of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from editor.models.timeline.columns import BLOCK, Envelope, Stretches, unlike
from editor.models.timeline.polyline import axis_range, polyline


def envelope(values: list[float], breaks: list[int] | None = None) -> Envelope:
    made = Envelope()
    made.extend(np.array(values, np.float64), np.array(breaks or [], np.int64))
    return made


def is_measured(column: Envelope) -> bool:
    """Every block has the extremes of its values, and begins at a multiple or at a break."""
    starts, lows, highs = column.blocks
    ends = [*starts[1:].tolist(), len(column)]
    breaks = set(column.breaks.tolist())
    return all(
        (start % BLOCK == 0 or start in breaks)
        and 0 < end - start <= BLOCK
        and (low, high) == (column.values[start:end].min(), column.values[start:end].max())
        for start, end, low, high in zip(starts.tolist(), ends, lows, highs, strict=True)
    )


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 50), st.booleans(), st.integers(0, 120)), min_size=1, max_size=12))
def test_blocks_stay_exact_while_a_column_grows_and_is_cut(steps: list[tuple[int, bool, int]]) -> None:
    column, chance = Envelope(), np.random.default_rng(5)
    for count, is_broken, kept in steps:
        before = len(column)
        breaks = np.array([before + count // 2] if is_broken and before + count // 2 else [], np.int64)
        column.extend(chance.normal(size=count), breaks)
        column.cut(len(column) - min(kept % 40, len(column) // 2))
    assert is_measured(column)
    assert all(number < len(column) for number in column.breaks)


def test_a_late_value_fills_the_gap_before_it_with_unknowns() -> None:
    column = envelope([1.0, 2.0])
    column.put(40, 9.0)
    assert len(column) == 41
    assert np.isnan(column.values[2:40]).all()
    column.put(17, -3.0)
    _, lows, highs = column.blocks
    assert np.fmin.reduce(lows) == -3.0
    assert np.fmax.reduce(highs) == 9.0


def test_no_peak_is_lost_between_pixels() -> None:
    values = np.zeros(100_000)
    values[61_703] = 5.0
    column = Envelope()
    column.extend(values)
    x, y, joined = polyline(column, 0, 100_000, 500)
    assert len(x) <= 2 * 501
    assert y.max() == 5.0
    assert abs(x[int(y.argmax())] - 61_703) <= 200
    assert joined[:-1].all()


def test_a_few_values_are_drawn_as_they_are() -> None:
    x, y, joined = polyline(envelope([1.0, 3.0, 2.0]), 0, 3, 100)
    assert (x.tolist(), y.tolist(), joined.tolist()) == ([0.0, 1.0, 2.0], [1.0, 3.0, 2.0], [True, True, True])
    assert len(polyline(envelope([]), 0, 3, 100)[0]) == 0


@pytest.mark.parametrize("width", [10, 100, 900])
def test_no_line_leads_over_a_break(width: int) -> None:
    values = [0.0] * 500 + [50.0] * 500
    x, y, joined = polyline(envelope(values, [500]), 0, 1000, width)
    steps = np.abs(np.diff(y)) > 1.0
    assert steps.sum() == 1
    assert not joined[:-1][steps].any()
    assert x[1:][steps][0] == 500.0


def test_unknown_values_leave_a_gap() -> None:
    _, y, joined = polyline(envelope([1.0, float("nan"), 2.0, 3.0]), 0, 4, 100)
    assert joined.tolist()[:3] == [False, False, True]
    assert np.isfinite(y).all()


def test_a_jump_to_another_place_does_not_stretch_the_axis() -> None:
    values = [10.0 + 0.01 * (n % 100) for n in range(600)] + [500.0] * 200 + [11.5] * 200
    column = envelope(values, [600, 800])
    low, high = axis_range(column, 0, 1000, 0.5)
    assert low == 10.0
    assert high == 11.5, "a part that is near belongs to it"
    assert axis_range(column, 600, 800, 0.5) == (499.75, 500.25), "the axis is that of what is in view"
    assert axis_range(envelope([]), 0, 10, 0.5) == (0.0, 0.5)


def test_equal_values_form_one_stretch_however_they_are_appended() -> None:
    values = [7, 7, 8, 7, 7, 7, 9]
    whole, parts = Stretches(), Stretches()
    whole.extend(np.array(values))
    for value in values:
        parts.extend(np.array([value]))
    for each in (whole, parts):
        found = each.between(0, 7)
        assert list(zip(*(part.tolist() for part in found), strict=True)) == [
            (7, 0, 2),
            (8, 2, 3),
            (7, 3, 6),
            (9, 6, 7),
        ]
        assert each.all_values().tolist() == values
    assert [part.tolist() for part in whole.between(1, 5)] == [[7, 8, 7], [1, 2, 3], [2, 3, 5]]
    whole.cut(4)
    assert (len(whole), whole.value(3), whole.value(4)) == (4, 7, None)
    whole.put(6, 9)
    assert whole.all_values().tolist() == [7, 7, 8, 7, 7, 7, 9]


@given(
    st.lists(st.integers(0, 2), max_size=40),
    st.lists(st.integers(0, 2), max_size=40),
    st.integers(0, 45),
    st.integers(0, 45),
)
def test_two_columns_differ_where_their_values_do(one: list[int], two: list[int], first: int, last: int) -> None:
    a, b = Stretches(), Stretches()
    a.extend(np.array(one, np.int64))
    b.extend(np.array(two, np.int64))
    found = {number for start, end in unlike(a, b, first, last).tolist() for number in range(start, end)}
    both = range(first, min(last, len(one), len(two)))
    assert found == {number for number in both if one[number] != two[number]}
