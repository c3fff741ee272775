"""The flood against a ray through the portals for every pixel, on random floor plans (rendering.md 24.3).

The simplification of 5.1 may take almost a pixel off a view, and twice that where two of its cuts meet: an opening
clipped by both polygons, or two sliver-thin doors side by side. That costs about one plan in two thousand a block of 2
x 2 pixels. The plans here are not among them.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from engine.visibility.flood import flood_interior
from engine.visibility.records import OPEN, FloodResult
from tests.visibility.helpers.brute_force import BruteForce
from tests.visibility.helpers.floor_plans import FloorPlan, random_plan

QUICK = range(150)
SLOW = range(150, 1350)


def assert_order(result: FloodResult) -> None:
    """No cell is drawn twice, and each comes after those that see it."""
    place = {visible.cell_id: k for k, visible in enumerate(result.cells)}
    assert len(place) == len(result.cells)
    for record in result.portals:
        if record.status == OPEN:
            assert place[record.cell_id] < place[record.other_cell_id]


def checked_flood(plan: FloorPlan) -> FloodResult:
    result = flood_interior(plan.graph, plan.root_id, plan.camera)
    assert result.guards == []
    assert result.drops == 0
    assert_order(result)
    return result


def assert_plans(seeds: Iterable[int]) -> None:
    for seed in seeds:
        plan = random_plan(seed, 640.0, 480.0, 240.0)
        brute = BruteForce(plan.graph, plan.camera)
        assert brute.differences(checked_flood(plan), brute.regions(plan.root_id)) == [], f"floor plan {seed}"


def test_the_flood_agrees_with_every_pixel_of_a_random_floor_plan() -> None:
    assert_plans(QUICK)


@pytest.mark.slow
def test_the_flood_agrees_with_every_pixel_of_a_thousand_floor_plans() -> None:
    assert_plans(SLOW)


def test_openings_of_two_polygons_lose_at_most_two_simplifications() -> None:
    for seed in range(100):
        plan = random_plan(seed, 320.0, 240.0, 120.0, exact=False)
        brute = BruteForce(plan.graph, plan.camera)
        found, regions = brute.masks(checked_flood(plan)), brute.regions(plan.root_id)
        for cell_id in sorted({*found, *regions}):
            wrong = found.get(cell_id, brute.nothing()) ^ regions.get(cell_id, brute.nothing())
            rows = wrong[:-2] & wrong[1:-1] & wrong[2:]
            assert not np.any(rows[:, :-2] & rows[:, 1:-1] & rows[:, 2:]), f"floor plan {seed}"
