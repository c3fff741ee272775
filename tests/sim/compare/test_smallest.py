"""The smallest set: certain for what all subsets say."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from engine.sim.compare.smallest import smallest_set

families = st.lists(st.sets(st.integers(0, 6), min_size=1, max_size=4), min_size=1, max_size=4)


@given(families)
def test_no_smaller_set_holds_than_the_one_found(family: list[set[int]]) -> None:
    """It holds for a set with one of a few sets in it, as where one of several combinations of rules suffices."""

    def holds(chosen: frozenset[int]) -> bool:
        return any(each <= chosen for each in family)

    found = smallest_set(7, holds, 10_000)
    assert found is not None
    assert holds(frozenset(found.numbers))
    assert found.is_smallest
    assert len(found.numbers) == min(map(len, family))
    assert set(found.alone) == {number for number in range(7) if holds(frozenset((number,)))}


@given(st.sets(st.sets(st.integers(0, 4), min_size=1).map(frozenset)))
def test_a_question_that_more_can_spoil_is_answered_by_trials(family: set[frozenset[int]]) -> None:
    found = smallest_set(5, family.__contains__, 10_000)
    if found is not None:
        assert frozenset(found.numbers) in family
        smaller = [set(each) for size in range(1, len(found.numbers)) for each in combinations(range(5), size)]
        assert not [each for each in smaller if frozenset(each) in family]
    else:
        assert not [each for each in family if len(each) == 1 or each == frozenset(range(5))]


def test_too_few_trials_are_admitted() -> None:
    found = smallest_set(12, lambda chosen: {1, 5, 7, 9} <= chosen, 60)
    assert found is not None
    assert (found.numbers, found.is_smallest) == ((1, 5, 7, 9), False)


def test_what_holds_anyway_is_caused_by_nothing() -> None:
    assert smallest_set(5, lambda chosen: True, 100) is None
    assert smallest_set(0, lambda chosen: False, 100) is None
