"""The flood follows the pseudo-code of rendering.md 5-8, on sound floor plans and on rooms joined at random."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.visibility.camera import Camera
from engine.visibility.flood import Visibility, flood_interior
from engine.visibility.options import FloodOptions
from engine.visibility.records import FloodResult
from engine.world.graph.graph import CellGraph
from tests.visibility.helpers.floor_plans import random_plan
from tests.visibility.helpers.pseudo_code import EndlessError, PseudoCode
from tests.visibility.helpers.screens import corners, same_outline
from tests.visibility.helpers.small_scenes import SmallScene, eye_at, portal

MOST_CLIPS = 3000
PLACES = (0.0, 2.0, 5.0, 8.0, 10.0, 12.0, 15.0, 20.0)


def compared(graph: CellGraph, root_id: int, camera: Camera, containment: bool) -> FloodResult | None:
    """The flood, once it has matched the pseudo-code's; None where the pseudo-code does not end."""
    try:
        expected = PseudoCode(graph, root_id, camera, containment, MOST_CLIPS)
    except (EndlessError, RecursionError):
        return None
    many = 10**6
    options = FloodOptions(
        robust=False, containment=containment, max_cell_views=many, max_clips=many, max_fix_depth=many
    )
    result = flood_interior(graph, root_id, camera, options)
    assert [visible.cell for visible in result.cells] == [slot.cell for slot in expected.draw_list]
    assert result.drops == expected.drops
    for visible, slot in zip(result.cells, expected.draw_list, strict=True):
        assert visible.max_indist == pytest.approx(slot.max_indist, rel=1e-9)
        found = [same_outline(corners(a), b, 1e-6) for a, b in zip(visible.views, slot.views, strict=True)]
        assert all(found), (visible, visible.views, slot.views)
    assert all(same_outline(corners(a), b, 1e-6) for a, b in zip(result.outside, expected.outside, strict=True))
    return result


def test_floods_in_a_row_keep_stale_flags_as_the_pseudo_code_does() -> None:
    """With rooms joined at random, whose portals hardly ever coincide (rendering.md C13)."""
    compared_floods = changed = 0
    many = 10**6
    for seed in range(150):
        chance = random.Random(seed)
        scene = SmallScene(rooms_joined_anyhow(chance))
        eye = (chance.uniform(0.0, 10.0), chance.uniform(0.0, 10.0), chance.uniform(0.0, 4.0))
        camera = eye_at(*eye, chance.uniform(0.0, 360.0), chance.uniform(-40.0, 40.0))
        options = FloodOptions(
            robust=False, max_cell_views=many, max_clips=many, max_fix_depth=many, stale_inflags=True
        )
        visibility = Visibility(scene.world.graph, options)
        stale: dict[int, dict[int, bool]] = {}
        before = -1
        for _ in range(3):
            try:
                expected = PseudoCode(scene.world.graph, scene.id("R0"), camera, True, MOST_CLIPS, stale)
            except (EndlessError, RecursionError):
                break
            result = visibility.flood_interior(scene.id("R0"), camera)
            told = [(visible.cell_id, len(visible.views)) for visible in result.cells]
            assert told == [(slot.cell.id, len(slot.views)) for slot in expected.draw_list]
            compared_floods += 1
            changed += before not in (-1, result.clips)
            before = result.clips
    assert compared_floods > 400
    assert changed > 0


def test_the_flood_of_a_floor_plan_matches_the_pseudo_code() -> None:
    deep = 0
    for seed in range(150):
        plan = random_plan(seed, 640.0, 480.0, 240.0, exact=seed % 2 == 0)
        result = compared(plan.graph, plan.root_id, plan.camera, seed % 3 > 0)
        assert result is not None
        deep += len(result.cells) > 3
    assert deep > 15


def wall(chance: random.Random) -> list[list[float]]:
    axis, at = chance.randrange(3), chance.choice(PLACES)
    u = sorted(chance.uniform(0.0, 10.0) for _ in range(2))
    v = sorted(chance.uniform(0.0, 4.0) for _ in range(2))
    outline = [[u[0], v[0]], [u[1], v[0]], [u[1], v[1]], [u[0], v[1]]]
    for point in outline:
        point.insert(axis, at)
    return outline if chance.random() < 0.5 else outline[::-1]


def rooms_joined_anyhow(chance: random.Random) -> dict[str, Any]:
    names = [f"R{k}" for k in range(chance.choice((2, 3, 5, 8)))]
    count = chance.choice((2, 3, 4, 6))
    return {
        name: {
            "stab": names,
            "portals": [
                portal(
                    wall(chance),
                    chance.choice([*names, "OUT"]),
                    chance.randrange(-1, count),
                    chance.randrange(2),
                    chance.randrange(2),
                )
                for _ in range(count)
            ],
        }
        for name in names
    }


def test_the_flood_of_rooms_joined_at_random_matches_the_pseudo_code() -> None:
    ended = late = 0
    for seed in range(400):
        chance = random.Random(seed)
        scene = SmallScene(rooms_joined_anyhow(chance))
        eye = (chance.uniform(0.0, 10.0), chance.uniform(0.0, 10.0), chance.uniform(0.0, 4.0))
        camera = eye_at(*eye, chance.uniform(0.0, 360.0), chance.uniform(-40.0, 40.0))
        result = compared(scene.world.graph, scene.id("R0"), camera, seed % 4 > 0)
        if result is not None:
            ended += 1
            late += result.fixes > 0
    assert ended > 380
    assert late > 0
