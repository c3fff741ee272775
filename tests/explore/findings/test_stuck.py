"""Traps among the ways of a search: a way in, and none out."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.explore.findings.stuck import Trap, Ways, components, traps
from engine.explore.findings.stuck_trials import FLIPS, flips
from engine.explore.findings.trial import Stand

Edges = list[tuple[int, int]]


def ways(count: int, walks: Edges, jumps: Edges = ()) -> Ways:  # type: ignore[assignment]  # no jumps
    edges = [*walks, *jumps]
    return Ways(
        count,
        np.array([source for source, _ in edges], dtype=np.int64),
        np.array([target for _, target in edges], dtype=np.int64),
        np.array([False] * len(walks) + [True] * len(jumps), dtype=np.bool_),
    )


def found(made: Ways, ends: tuple[int, ...] = (), most: float = 10.0) -> list[Trap]:
    is_end = np.zeros(made.count, dtype=np.bool_)
    is_end[list(ends)] = True
    return traps(made, is_end, np.arange(made.count), most, most)


def test_a_place_with_a_way_in_and_none_out_is_a_trap() -> None:
    assert found(ways(4, [(0, 1), (1, 0), (1, 2), (2, 3), (3, 2)])) == [Trap((2, 3), (1, 2), False)]


def test_a_place_that_nobody_comes_to_is_none() -> None:
    assert found(ways(4, [(0, 1), (1, 0), (2, 3), (3, 2)])) == []


def test_a_place_from_which_the_search_did_not_go_on_is_none() -> None:
    assert found(ways(3, [(0, 1), (1, 0), (1, 2)]), ends=(2,)) == []


def test_a_place_that_a_jump_leads_out_of_is_one_of_its_own_kind() -> None:
    assert found(ways(3, [(0, 1), (1, 0), (1, 2), (2, 2)], [(2, 0)])) == [Trap((2,), (1, 2), True)]


def test_who_jumps_in_and_out_again_is_not_trapped() -> None:
    assert found(ways(3, [(0, 1), (1, 0), (2, 2)], [(1, 2), (2, 0)])) == []


def test_a_large_place_is_none() -> None:
    assert found(ways(4, [(0, 1), (1, 0), (1, 2), (2, 3), (3, 2)]), most=1.0) == []


@given(st.integers(1, 12).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2)))))
def test_parts_are_those_that_reach_each_other(case: tuple[int, Edges]) -> None:
    count, edges = case
    reach = np.eye(count, dtype=bool)
    for source, target in edges:
        reach[source, target] = True
    for middle in range(count):
        reach |= np.outer(reach[:, middle], reach[middle])
    part = components(ways(count, edges))
    for one in range(count):
        for other in range(count):
            assert (part[one] == part[other]) == bool(reach[one, other] and reach[other, one])


def at(x: float) -> Stand:
    return Stand(0x00070100, 0x00070100, (x, 0.0, 0.0))


def test_a_body_that_changes_between_two_places_shakes() -> None:
    assert flips([at(0.0), at(0.1)] * FLIPS) == 0.1


def test_a_body_that_stands_walks_or_barely_moves_does_not_shake() -> None:
    assert flips([at(1.0)] * 40) == 0.0
    assert flips([at(0.1 * tick) for tick in range(40)]) == 0.0
    assert flips([at(0.0), at(0.001)] * FLIPS) == 0.0
    assert flips([at(0.0), at(0.1)]) == 0.0
