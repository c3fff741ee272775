"""Sliding along a surface: cases C-SL-1 to C-SL-7 of physics.md 13.3, by id."""

from __future__ import annotations

import pytest

from engine.geometry.plane import Plane
from engine.geometry.vec import UP, ZERO, Vec3
from engine.physics.flags import ADJUSTED, COLLIDED, OK, SLID
from engine.physics.rules import RuleSet, rule_set
from engine.physics.sweep.slide import slide_sphere
from engine.physics.sweep.transition import Transition
from tests.physics.small_world import CELL_ID, floor, room, sweep

WEST: Vec3 = (-1.0, 0.0, 0.0)
DOWN: Vec3 = (0.0, 0.0, -1.0)


def slide(
    n: Vec3, tried: Vec3, plane: Plane | None = None, rules: RuleSet | None = None
) -> tuple[Transition, int, Vec3]:
    """The sweep after the slide, the answer, and the candidate's displacement."""
    tr = sweep(room([floor(0.0)]), ZERO, tried, rules=rules)
    if plane is not None:
        tr.ci.set_contact_plane(plane, False, CELL_ID)
    answer = slide_sphere(tr, tr.sp.global0.center, n, tr.sp.curr_center0)
    x, y, z = tr.sp.check.origin
    return tr, answer, (x - tried[0], y - tried[1], z - tried[2])


GROUND = Plane(UP, 0.0)


@pytest.mark.parametrize(
    ("n", "tried", "plane", "answer", "moved"),
    [
        pytest.param(WEST, (0.3, 0.4, 0.0), GROUND, SLID, (-0.3, 0.0, 0.0), id="C-SL-1"),
        pytest.param(WEST, (0.3, 0.01, 0.0), GROUND, COLLIDED, ZERO, id="C-SL-2"),
        pytest.param(WEST, (0.3, 0.0142, 0.0), GROUND, SLID, (-0.3, 0.0, 0.0), id="C-SL-3"),
        pytest.param(WEST, (0.3, 0.0, -0.1), None, SLID, (-0.3, 0.0, 0.0), id="C-SL-5"),
        pytest.param(ZERO, (0.3, 0.4, 0.0), GROUND, ADJUSTED, (-0.15, -0.2, 0.0), id="C-SL-7"),
    ],
)
def test_a_slide_answers_and_moves_as_in_the_case(
    n: Vec3, tried: Vec3, plane: Plane | None, answer: int, moved: Vec3
) -> None:
    _, got, offset = slide(n, tried, plane)
    assert got == answer
    assert offset == pytest.approx(moved, abs=1e-6)


@pytest.mark.parametrize(("rules", "answer"), [("retail", COLLIDED), ("ace", OK)])
@pytest.mark.parametrize(
    ("n", "tried", "plane", "normal"),
    [
        pytest.param(DOWN, (0.0, 0.0, 0.2), GROUND, DOWN, id="C-SL-4"),
        pytest.param(WEST, (0.3, 0.0, 0.0), Plane((1.0, 0.0, 0.0), 0.0), WEST, id="C-SL-6"),
    ],
)
def test_opposing_surfaces_stop_the_body(
    n: Vec3, tried: Vec3, plane: Plane, normal: Vec3, rules: str, answer: int
) -> None:
    tr, got, offset = slide(n, tried, plane, rule_set(rules))
    assert got == answer
    assert offset == pytest.approx(ZERO, abs=1e-6)
    assert tr.ci.collision_normal_valid
    assert tr.ci.collision_normal == pytest.approx(normal)
