"""The motion and the number of sub-steps: cases C-ADJ-1 to C-ADJ-12 of physics.md 13.4, by id."""

from __future__ import annotations

import math

import pytest

from engine.geometry.plane import Plane
from engine.geometry.vec import ZERO, Vec3, r24
from engine.physics.flags import TS_ON_WALKABLE, TS_SLIDING
from engine.physics.rules import RuleSet
from engine.physics.sweep.steering import adjust_offset
from engine.physics.sweep.transition import Transition
from tests.physics.bodies import BOTH_RULES, GROUND, body_in, hall, has, one_sphere, push
from tests.physics.small_world import CELL_ID, floor, quad, sweep

SLOPE: Vec3 = (0.5, 0.0, 0.8660254)
WEST: Vec3 = (-1.0, 0.0, 0.0)
STEEP_ANGLE = math.radians(42.0)


def on_plane(
    plane: Plane | None, sliding: Vec3 | None = None, water: bool = False, cell_id: int = CELL_ID
) -> Transition:
    """A sweep of a sphere of 0.5 m whose previous sub-step left this contact plane and this sliding normal."""
    tr = sweep(hall([floor(-50.0)]), ZERO, ZERO, one_sphere(0.5))
    if plane is not None:
        tr.ci.set_contact_plane(plane, water, cell_id)
    if sliding is not None:
        tr.ci.init_sliding_normal(sliding)
    return tr


def plane_at(distance: float, normal: Vec3 = SLOPE) -> Plane:
    """The plane at this distance below the sphere's centre."""
    return Plane(normal, distance - 0.5 * normal[2])


FAR_ENOUGH = 0.6


@pytest.mark.parametrize(
    ("normal", "offset", "expected"),
    [
        pytest.param(SLOPE, (1.0, 0.0, 0.0), (1.0, 0.0, -0.5773503), id="C-ADJ-1"),
        pytest.param(SLOPE, WEST, (-0.75, 0.0, 0.4330127), id="C-ADJ-2"),
        pytest.param((1.0, 0.0, 0.0001), (1.0, 0.0, 0.0), (1.0, 0.0, 0.0), id="C-ADJ-3"),
    ],
)
def test_a_motion_into_the_plane_is_projected_one_off_it_changes_height(
    normal: Vec3, offset: Vec3, expected: Vec3
) -> None:
    tr = on_plane(plane_at(FAR_ENOUGH, normal))
    assert adjust_offset(tr, offset) == pytest.approx(expected, abs=1e-6)
    assert tr.sp.check.origin == ZERO


@pytest.mark.parametrize(
    ("distance", "water", "cell_id", "lift"),
    [
        pytest.param(0.47, False, CELL_ID, 0.0346410, id="C-ADJ-4"),
        pytest.param(0.6, False, CELL_ID, 0.0, id="C-ADJ-5"),
        pytest.param(0.47, True, CELL_ID, 0.0, id="C-ADJ-6 water"),
        pytest.param(0.47, False, 0, 0.0, id="C-ADJ-6 no cell"),
    ],
)
def test_a_sphere_sunk_into_its_contact_plane_is_pushed_up(
    distance: float, water: bool, cell_id: int, lift: float
) -> None:
    tr = on_plane(plane_at(distance), water=water, cell_id=cell_id)
    adjust_offset(tr, (0.1, 0.0, 0.0))
    assert tr.sp.check.origin == pytest.approx((0.0, 0.0, lift), abs=1e-6)


@pytest.mark.parametrize(
    ("plane", "offset", "expected", "still_sliding"),
    [
        pytest.param(GROUND, (1.0, 0.5, 0.0), (0.0, 0.5, 0.0), True, id="C-ADJ-7"),
        pytest.param(GROUND, (1.0, 0.0, 0.0), ZERO, True, id="C-ADJ-8"),
        pytest.param(None, WEST, WEST, False, id="C-ADJ-9"),
        pytest.param(GROUND, WEST, WEST, False, id="C-ADJ-9 on the ground"),
    ],
)
def test_a_sliding_normal_leads_along_the_crease_or_ends(
    plane: Plane | None, offset: Vec3, expected: Vec3, still_sliding: bool
) -> None:
    tr = on_plane(plane, sliding=WEST)
    assert adjust_offset(tr, offset) == pytest.approx(expected, abs=1e-6)
    assert tr.ci.sliding_normal_valid == still_sliding


def test_c_adj_8_a_motion_reduced_to_nothing_refuses_the_transition() -> None:
    body = body_in(hall([floor(0.0)]), ZERO, ground=GROUND)
    body.sliding_normal = WEST
    body.transient |= TS_SLIDING
    assert not push(body, 0.3)
    assert body.place.origin == ZERO
    assert has(body, TS_SLIDING)


@pytest.mark.parametrize(("length", "steps"), [(1.0, 3), (0.48, 1), (0.0, 0)], ids=["1.0", "0.48", "0"])
def test_c_adj_10_no_sub_step_is_longer_than_the_radius(length: float, steps: int) -> None:
    tr = sweep(hall([floor(0.0)]), ZERO, (r24(length), 0.0, 0.0))
    tr.calc_num_steps()
    assert tr.num_steps == steps
    assert tr.per_step[0] * float(steps) == pytest.approx(length)


def uphill(rules: RuleSet | None, gap: float) -> tuple[float, bool]:
    """How far 15 ticks of 0.12 m up a slope of 42 degrees get, and whether the body stood on it throughout.

    `gap` is the foot sphere's initial distance above touching the slope.
    """
    rise = math.tan(STEEP_ANGLE)
    slope = quad(
        0, (-5.0, -5.0, -5.0 * rise), (5.0, -5.0, 5.0 * rise), (5.0, 5.0, 5.0 * rise), (-5.0, 5.0, -5.0 * rise)
    )
    height = 0.48 / math.cos(STEEP_ANGLE) - 0.48
    plane = Plane((-math.sin(STEEP_ANGLE), 0.0, math.cos(STEEP_ANGLE)), 0.0)
    body = body_in(hall([slope]), (0.0, 0.0, height + gap), ground=plane, rules=rules)
    standing = True
    for _ in range(15):
        push(body, 0.12)
        standing = standing and has(body, TS_ON_WALKABLE)
    return body.place.origin[0], standing


@pytest.mark.parametrize("gap", [0.0, 0.01, -0.01], ids=["touching", "above", "sunk"])
def test_c_adj_11_a_body_keeps_walking_up_42_degrees(gap: float) -> None:
    advance, standing = uphill(None, gap)
    assert standing
    assert advance > 0.795


@BOTH_RULES
def test_c_adj_12_tag_m_each_tick_up_42_degrees_gains_its_projection(rules: RuleSet) -> None:
    advance, standing = uphill(rules, 0.0)
    assert standing
    assert advance == pytest.approx(0.9941, abs=1e-3)
