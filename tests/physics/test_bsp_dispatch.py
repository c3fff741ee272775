"""The dispatch of a physics tree: cases C-BSP-5 to C-BSP-9 of physics.md 13.3, by id."""

from __future__ import annotations

import math

import pytest

from engine.geometry.constants import LANDING_Z
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.vec import UP, ZERO, Vec3
from engine.physics.collision.bsp import find_collisions
from engine.physics.flags import ADJUSTED, OI_CONTACT, OI_ON_WALKABLE, OK, SLID
from engine.physics.sweep.transition import Transition
from tests.physics.small_world import CELL_ID, ceiling, floor, quad, room, sweep, wall_facing_west


def ask(tr: Transition) -> int:
    cell = tr.sp.check_cell
    assert cell is not None
    assert cell.physics_tree is not None
    return find_collisions(tr, cell.physics_tree, 1.0)


def ground(tr: Transition) -> None:
    tr.oi.state |= OI_CONTACT | OI_ON_WALKABLE
    tr.ci.init_contact_plane(CELL_ID, Plane(UP, 0.0), False)


def test_c_bsp_5_step_down_in_a_raised_cell_gives_the_world_plane() -> None:
    tr = sweep(room([floor(0.0)], Frame((0.0, 0.0, 94.0))), (0.0, 0.0, 94.0), (0.0, 0.0, 93.9))
    tr.sp.step_down = True
    tr.sp.step_down_amt = 0.5
    assert ask(tr) == ADJUSTED
    assert tr.ci.contact_plane_valid
    assert tr.ci.contact_plane.normal == pytest.approx((0.0, 0.0, 1.0))
    assert tr.ci.contact_plane.d == pytest.approx(-94.0)
    assert tr.sp.check.origin[2] == pytest.approx(94.0)


STEEP: Polygon = quad(
    0, (0.0, -5.0, 0.0), (0.0, 5.0, 0.0), (-1.0, 5.0, math.tan(math.radians(80.0))), (-1.0, -5.0, 5.67128)
)


@pytest.mark.parametrize(
    ("polygon", "start", "end"),
    [
        pytest.param(ceiling(3.0), (0.0, 0.0, 2.0), (0.0, 0.0, 2.2), id="C-BSP-6"),
        pytest.param(STEEP, (0.6, 0.0, 1.0), (0.2, 0.0, 0.8), id="C-BSP-7"),
    ],
)
def test_an_airborne_foot_that_hits_something_arms_a_landing_and_sets_no_normal(
    polygon: Polygon, start: Vec3, end: Vec3
) -> None:
    tr = sweep(room([polygon]), start, end)
    assert ask(tr) == ADJUSTED
    assert tr.sp.collide
    assert tr.sp.probe.allowance == LANDING_Z
    assert not tr.ci.collision_normal_valid
    assert not tr.ci.sliding_normal_valid


@pytest.mark.parametrize("end", [(0.0, 0.3, 0.0), (-0.01, 0.0, 0.0)], ids=["parallel", "away"])
def test_c_bsp_8_a_head_that_leaves_a_wall_notes_it_for_later(end: Vec3) -> None:
    beam = quad(0, (0.4, -5.0, 0.95), (0.4, -5.0, 2.0), (0.4, 5.0, 2.0), (0.4, 5.0, 0.95))
    tr = sweep(room([beam]), ZERO, end)
    ground(tr)
    assert ask(tr) == OK
    assert tr.sp.neg_poly_hit
    assert not tr.sp.neg_step_up
    assert tr.sp.neg_collision_normal == pytest.approx((1.0, 0.0, 0.0))


def test_c_bsp_9_a_grounded_body_before_a_wall_too_high_to_climb_slides() -> None:
    tr = sweep(room([floor(0.0), wall_facing_west(0.6, 1)]), ZERO, (0.2, 0.1, 0.0))
    ground(tr)
    assert ask(tr) == SLID
    assert tr.ci.collision_normal_valid
    assert tr.ci.collision_normal == pytest.approx((-1.0, 0.0, 0.0))
    assert not tr.ci.sliding_normal_valid
    assert not tr.sp.neg_poly_hit
    assert tr.sp.check.origin == pytest.approx((0.0, 0.1, 0.0), abs=1e-6)
