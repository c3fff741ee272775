"""The flood from a room, case by case, in the client's mode and in robust mode (rendering.md 24.5, 24.10)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.visibility.flood import Visibility, flood_interior
from engine.visibility.options import FloodOptions, retail
from engine.visibility.records import FloodResult
from tests.visibility.cases.spec_cases import (
    Scene,
    assert_outlines,
    assert_views,
    camera_at,
    camera_of,
    interior_cases,
)

IN_PLANE_CASES = ("D3", "D4")
"""The cases in which the two modes differ."""


def case_id(case: Any) -> str:
    return str(case["id"])


def assert_case(scene: Scene, result: FloodResult, case: Any, slack: float = 0.01) -> None:
    assert scene.draw(result) == case["draw"]
    assert_views(scene, result, case["views"], case["root"], slack)
    assert_outlines(result.outside, case["outside"], slack)
    for name, expected in case["max_indist"].items():
        assert result.by_id[scene.id(name)].max_indist == pytest.approx(expected, rel=1e-6)
    assert result.guards == []
    assert result.drops == 0


@pytest.mark.parametrize("case", interior_cases(), ids=case_id)
def test_the_client_sees_the_cells_of_the_case(case: Any) -> None:
    scene = Scene(case["scene"])
    assert_case(scene, flood_interior(scene.world.graph, scene.id(case["root"]), camera_of(case), retail()), case)


@pytest.mark.parametrize("case", [c for c in interior_cases() if c["id"] not in IN_PLANE_CASES], ids=case_id)
def test_robust_mode_and_containment_change_nothing_off_portal_planes(case: Any) -> None:
    scene = Scene(case["scene"])
    visibility = Visibility(scene.world.graph, FloodOptions())
    for _ in range(2):  # also with what the first flood has left in the cache
        assert_case(scene, visibility.flood_interior(scene.id(case["root"]), camera_of(case)), case)
    visibility.close()


@pytest.mark.parametrize("case", [c for c in interior_cases() if c["id"].startswith("A")], ids=case_id)
@pytest.mark.parametrize("shift", [(0.0, 0.0, 0.0), (169.0 * 192.0, 180.0 * 192.0, 0.0)])
def test_a_turned_frame_and_a_far_landblock_change_nothing(case: Any, shift: tuple[float, float, float]) -> None:
    scene = Scene(case["scene"], shift)
    turned = scene.turn_half("B", (10.0, 20.0))
    x, y, z = (float(value) for value in case["eye"])
    camera = camera_at((x + shift[0], y + shift[1], z), float(case["heading"]), float(case["pitch"]))
    assert scene.world.graph.peek(scene.id("B")) is turned
    assert_case(scene, flood_interior(scene.world.graph, scene.id(case["root"]), camera), case, slack=0.05)


def test_every_room_without_an_exit_is_a_dungeon_from_every_heading() -> None:
    for name, rooms in {"three_in_row": "ABC", "loop_of_four": "ABCD", "late_widening": "ABCDE"}.items():
        scene = Scene(name)
        for room in rooms:
            x0, y0, z0, x1, y1, _ = scene.box(room)
            for heading in range(0, 360, 23):
                camera = camera_at((0.5 * (x0 + x1), 0.5 * (y0 + y1), z0 + 1.5), float(heading))
                result = flood_interior(scene.world.graph, scene.id(room), camera)
                assert result.outside == []
                assert result.guards == []
