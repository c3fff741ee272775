"""The lookup by place misses no pair of boxes that overlap."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.vec import Vec3
from engine.survey.shapes.lookup import Bounds, near_pairs

numbers = st.floats(-100.0, 100.0)
sizes = st.one_of(st.floats(0.0, 10.0), st.floats(0.0, 3000.0))


def box(low: Vec3, size: Vec3) -> Bounds:
    return low, (low[0] + size[0], low[1] + size[1], low[2] + size[2])


boxes = st.builds(box, st.tuples(numbers, numbers, numbers), st.tuples(sizes, sizes, sizes))


@given(st.lists(boxes, max_size=12))
def test_every_pair_that_overlaps_is_there_once(given_boxes: list[Bounds]) -> None:
    pairs = list(near_pairs(given_boxes))
    assert len(set(pairs)) == len(pairs)
    assert all(first < second for first, second in pairs)
    for second, (low, high) in enumerate(given_boxes):
        for first, (other_low, other_high) in enumerate(given_boxes[:second]):
            if all(low[axis] <= other_high[axis] and other_low[axis] <= high[axis] for axis in range(3)):
                assert (first, second) in pairs


def test_boxes_far_apart_are_not_compared() -> None:
    tower = [box((0.0, 0.0, 4.0 * storey), (5.0, 5.0, 3.0)) for storey in range(400)]
    assert len(list(near_pairs(tower))) < 4 * len(tower)
