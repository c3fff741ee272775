"""The distance of two bodies as spans."""

from __future__ import annotations

import tracemalloc

import pytest

from engine.sim.compare.gaps import GROWS, HEALS, MOST_SPANS, SHRINKS, STAYS, Gaps


def gaps_of(distances: list[float]) -> Gaps:
    gaps = Gaps()
    for index, distance in enumerate(distances):
        gaps.add(index, distance)
    return gaps


def test_a_span_is_from_parting_to_meeting() -> None:
    gaps = gaps_of([0.0, 0.0, 1.0, 3.0, 2.0, 0.0, 0.0, 0.5])
    assert [(span.first, span.end, span.widest, span.widest_at) for span in gaps.spans] == [
        (2, 5, 3.0, 3),
        (7, 8, 0.5, 7),
    ]
    assert [span.becomes for span in gaps.spans] == [HEALS, STAYS]


@pytest.mark.parametrize("count", [2, 3, 7, 16, 33, 100, 1000])
@pytest.mark.parametrize(("step", "becomes"), [(0.01, GROWS), (-0.01, SHRINKS), (0.0, STAYS)])
def test_an_open_gap_grows_shrinks_or_stays(count: int, step: float, becomes: str) -> None:
    gaps = gaps_of([20.0 + step * number for number in range(count)])
    assert gaps.spans[0].becomes == becomes


def test_a_gap_that_first_grew_and_then_stays_stays() -> None:
    assert gaps_of([0.1 * number for number in range(1, 20)] + [1.9] * 80).spans[0].becomes == STAYS


def test_a_flickering_gap_takes_no_more_memory_than_its_spans() -> None:
    gaps = gaps_of([float(number % 2) for number in range(2 * MOST_SPANS)])
    tracemalloc.start()
    for index in range(2 * MOST_SPANS, 20 * MOST_SPANS):
        gaps.add(index, float(index % 2))
    grown = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert (len(gaps.spans), gaps.left_out) == (MOST_SPANS, 9 * MOST_SPANS)
    assert grown < 20_000
