"""States as they come from the worker, by cell, and as projects keep them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.models.survey.columns import STATE, Columns, States
from editor.models.survey.keeping import pack_states, unpack_states
from editor.project.project import ProjectError

ROW = st.tuples(
    st.sampled_from([0x00070100, 0x00070101, 0x00070001]),
    st.floats(0.0, 190.0, width=32),
    st.integers(0, 10_000),
    st.integers(0, 3),
    st.integers(0, 4),
)


def states_of(rows: list[tuple[int, float, int, int, int]]) -> States:
    made = np.zeros(len(rows), STATE)
    for number, (cell, x, since, how, standing) in enumerate(rows):
        made[number]["cell"], made[number]["x"], made[number]["since"] = cell, x, since
        made[number]["how"], made[number]["standing"], made[number]["parent"] = how, standing, number - 1
    return made


@given(st.lists(ROW, max_size=60), st.integers(1, 17))
def test_states_in_any_pieces_are_the_same_as_at_once(rows: list[tuple[int, float, int, int, int]], size: int) -> None:
    states = states_of(rows)
    once, pieces = Columns(), Columns()
    once.add(states.tobytes())
    for first in range(0, len(states), size):
        pieces.add(states[first : first + size].tobytes())
    assert pieces.by_cell == once.by_cell
    assert (pieces.states == once.states).all()
    on_floors = [row for row in rows if row[4] == 0]
    assert sum(reach.count for reach in once.by_cell.values()) == len(on_floors)
    for cell, reach in once.by_cell.items():
        assert reach.ticks == min(row[2] for row in on_floors if row[0] == cell)


@given(st.lists(ROW, max_size=60))
def test_what_a_project_keeps_has_the_same_reach(rows: list[tuple[int, float, int, int, int]]) -> None:
    states = states_of(rows)
    before, after = Columns(), unpack_states(pack_states(states))
    before.add(states.tobytes())
    assert after.by_cell == before.by_cell


@pytest.mark.parametrize("data", [b"", b"nonsense", pack_states(states_of([(1, 1.0, 1, 0, 0)] * 3))[:-4]])
def test_broken_states_are_refused(data: bytes) -> None:
    with pytest.raises(ProjectError):
        unpack_states(data)


def test_states_without_sense_are_refused() -> None:
    states = states_of([(0x00070100, 1.0, 1, 0, 0), (0x00070100, 2.0, 2, 0, 0)])
    states["parent"] = 1
    with pytest.raises(ProjectError, match="make no sense"):
        unpack_states(pack_states(states))
    states["parent"] = -1
    for name in ("z", "heading"):
        absurd = states.copy()
        absurd[name] = np.nan
        with pytest.raises(ProjectError, match="make no sense"):
            unpack_states(pack_states(absurd))
    many = np.zeros(70_001, STATE)
    many["cell"], many["parent"] = np.arange(len(many)), -1
    with pytest.raises(ProjectError, match="more than 70,000 cells"):
        unpack_states(pack_states(many))


def test_a_state_far_from_everything_counts_as_not_reached() -> None:
    """As damaged records make it; squares of a grid have no numbers there."""
    columns = Columns()
    columns.add(
        states_of([(0x00070100, 1.0, 1, 0, 0), (0x00070100, 1e30, 2, 0, 0), (0x00070101, 1e30, 2, 0, 0)]).tobytes()
    )
    assert len(columns) == 3
    assert [(cell, reach.count) for cell, reach in columns.by_cell.items()] == [(0x00070100, 1)]


def test_the_nearest_state_is_on_a_floor_of_the_cell() -> None:
    columns = Columns()
    rows = [(0x00070100, 1.0, 1, 0, 0), (0x00070100, 2.0, 2, 0, 0), (0x00070101, 2.1, 2, 0, 0)]
    columns.add(states_of([*rows, (0x00070100, 2.2, 2, 0, 2)]).tobytes())
    assert columns.nearest(0x00070100, (2.2, 0.0, 0.0)) == 1
    assert columns.nearest(0x00070100, (9.0, 0.0, 0.0)) == -1
    assert columns.nearest(0x00070199, (2.0, 0.0, 0.0)) == -1
