"""Where a direction, a distance or a time is zero, the sweep answers as the reference demands and never raises
(physics.md 0.4, 4.2-4.4, 5.12, 5.13, 10.4)."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from engine.geometry.constants import EPSILON
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.sphere import Sphere
from engine.geometry.vec import UP, ZERO, Vec3
from engine.physics.collision.cylinder import cylinder_intersects
from engine.physics.collision.sphere import sphere_intersects
from engine.physics.errors import PhysicsError
from engine.physics.flags import (
    ADJUSTED,
    COLLIDED,
    INVALID,
    OI_CONTACT,
    OI_EDGE_SLIDE,
    OI_ON_WALKABLE,
    OK,
    SLID,
    TS_ACTIVE,
    TS_ON_WALKABLE,
)
from engine.physics.rules import RuleSet
from engine.physics.sweep.edges import edge_slide, precipice_slide
from engine.physics.sweep.slide import slide_sphere
from engine.physics.sweep.steering import adjust_offset
from engine.physics.sweep.terrain_contact import validate_walkable
from engine.physics.sweep.transition import Transition
from tests.physics.bodies import GROUND, body_in, hall, push
from tests.physics.small_world import CELL_ID, floor, spheres, sweep

WALKING = OI_CONTACT | OI_ON_WALKABLE
FOOT: Vec3 = (0.0, 0.0, 0.48)
HIGH_HEAD: Vec3 = (0.0, 0.0, 1.32)
LEANING = [Sphere(FOOT, 0.48), Sphere((0.5, 0.0, 0.72), 0.48)]


def body_at(end: Vec3 = ZERO, start: Vec3 = ZERO, bits: int = 0, body: list[Sphere] | None = None) -> Transition:
    """The default body, its candidate moved from `start` to `end`."""
    tr = sweep(hall([]), start, end, body)
    tr.oi.state |= bits
    return tr


def landing(tr: Transition) -> Transition:
    tr.sp.collide = True
    return tr


def stepping_down(tr: Transition, amount: float) -> Transition:
    tr.sp.step_down = True
    tr.sp.step_down_amt = amount
    return tr


def ball(tr: Transition, at: Vec3, radius: float = 0.3) -> int:
    return sphere_intersects(tr, at, radius, False)


def column(tr: Transition, at: Vec3, radius: float = 0.3, height: float = 0.5) -> int:
    return cylinder_intersects(tr, at, radius, height, Frame())


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(lambda: ball(body_at(), FOOT), id="a ball round the foot of a falling body"),
        pytest.param(
            lambda: ball(body_at(bits=WALKING, body=spheres(0.48, 1.8)), HIGH_HEAD, 0.05),
            id="a ball round the head of a walking body",
        ),
        pytest.param(lambda: ball(landing(body_at()), FOOT), id="a landing without motion on a ball"),
        pytest.param(lambda: ball(stepping_down(body_at(), 0.0), FOOT), id="a step down of nothing onto a ball"),
        pytest.param(
            lambda: ball(stepping_down(body_at(body=LEANING), 0.5), (1.2, 0.0, 0.72)),
            id="a step down beside a ball that only a leaning head touches",
        ),
        pytest.param(
            lambda: ball(stepping_down(body_at(), 0.1), (0.0, 0.0, 0.9)), id="a step down under a ball's middle"
        ),
        pytest.param(lambda: column(landing(body_at()), ZERO), id="a level landing on a column"),
        pytest.param(
            lambda: column(landing(body_at((0.0, 0.0, 0.4), (0.0, 0.0, 0.41))), ZERO), id="a landing beyond its motion"
        ),
        pytest.param(lambda: column(stepping_down(body_at(), 0.0), ZERO), id="a step down of nothing onto a column"),
        pytest.param(lambda: column(stepping_down(body_at(), 0.1), ZERO), id="a step down far below a column's top"),
    ],
)
def test_a_zero_length_direction_collides(ask: Callable[[], int]) -> None:
    assert ask() == COLLIDED


def test_a_surface_without_a_normal_sends_the_body_halfway_back() -> None:
    tr = body_at((0.4, 0.0, 0.0))
    assert slide_sphere(tr, tr.sp.global0.center, ZERO, tr.sp.curr_center0) == ADJUSTED
    assert tr.sp.check.origin == pytest.approx((0.2, 0.0, 0.0))


def test_a_slide_that_did_not_move_keeps_the_surfaces_normal() -> None:
    tr = body_at()
    tr.ci.init_last_known_contact_plane(CELL_ID, Plane((0.0, 0.0, -1.0), 1.0), False)
    assert slide_sphere(tr, tr.sp.global0.center, UP, tr.sp.curr_center0) == COLLIDED
    assert tr.ci.collision_normal == UP


def test_without_a_remembered_polygon_there_is_no_edge_to_slide_along() -> None:
    assert precipice_slide(body_at()) == COLLIDED


STEEP = Plane((0.8, 0.0, 0.6), 0.0)


def on_a_steep_face(known: Plane, end: Vec3, rules: RuleSet) -> Transition:
    tr = body_at(end, bits=WALKING | OI_EDGE_SLIDE)
    tr.rules = rules
    tr.sp.save_check_pos()
    tr.ci.init_last_known_contact_plane(CELL_ID, known, False)
    tr.ci.set_contact_plane(STEEP, False, CELL_ID)
    return tr


def test_two_faces_of_one_slope_have_no_contour_to_slide_along() -> None:
    tr = on_a_steep_face(STEEP, (0.1, 0.0, 0.0), RuleSet())
    assert edge_slide(tr, 0.6, 0.664) == (False, OK)
    assert not tr.ci.collision_normal_valid
    assert not tr.ci.contact_plane_valid


@pytest.mark.parametrize(("x", "pushed_to"), [(0.1, 0.0), (-0.1, -0.2)])
@pytest.mark.parametrize("rules", [RuleSet(True), RuleSet(False)], ids=["retail", "ace"])
def test_a_cliffs_contour_pushes_westwards_and_ace_forgets_the_push(rules: RuleSet, x: float, pushed_to: float) -> None:
    """Whichever way the body moved: the sign looks wrong, but all sources have it (5.13)."""
    tr = on_a_steep_face(GROUND, (x, 0.0, 0.0), rules)
    assert edge_slide(tr, 0.6, 0.664) == (False, ADJUSTED)
    assert tr.ci.collision_normal == pytest.approx((-math.copysign(1.0, x), 0.0, 0.0))
    assert tr.sp.check.origin[0] == pytest.approx(pushed_to if rules.edge_slide_order else x, abs=1e-6)


def test_a_crease_of_two_parallel_planes_cancels_a_motion() -> None:
    tr = body_at()
    tr.ci.set_contact_plane(Plane((1.0, 0.0, 0.0), 0.0), False, 0)
    tr.ci.init_sliding_normal((1.0, 0.0, 0.0))
    assert adjust_offset(tr, (-0.1, 0.0, 0.0)) == ZERO


def test_a_body_without_spheres_cannot_sweep() -> None:
    with pytest.raises(PhysicsError, match="at least one sphere"):
        body_at().init_spheres([], 1.0)


def test_an_insert_without_attempts_is_invalid() -> None:
    assert body_at().transitional_insert(0) == INVALID


@pytest.mark.parametrize(("amount", "interp", "state"), [(0.0, 1.0, COLLIDED), (0.4, 0.0, ADJUSTED)])
def test_ground_is_met_when_nothing_remains_of_the_probe(amount: float, interp: float, state: int) -> None:
    """The client divides by zero and continues with an infinity or a NaN."""
    tr = stepping_down(body_at(), amount)
    tr.sp.probe.interp = interp
    assert validate_walkable(tr, tr.sp.global0, Plane(UP, -0.1), False, 0.0, CELL_ID) == state
    assert math.isnan(tr.sp.probe.interp) == (state == ADJUSTED)


def test_a_thing_without_spheres_never_moves_and_comes_to_rest() -> None:
    body = body_in(hall([floor(0.0)]), ZERO, ground=GROUND, body=[])
    body.velocity = (1.0, 0.0, 0.0)
    assert body.transient & TS_ACTIVE
    assert body.step(1.0 / 30.0)
    assert body.place.origin == ZERO
    assert not body.transient & TS_ACTIVE
    body.transient = TS_ACTIVE
    body.step(1.0 / 30.0)
    assert body.transient & TS_ACTIVE
    assert not body.transient & TS_ON_WALKABLE


def test_a_tiny_sideways_push_along_a_wall_is_refused_a_longer_one_slides() -> None:
    """The code compares a squared length with EPSILON itself."""
    for length, state in ((0.99, COLLIDED), (1.01, SLID)):
        along = length * math.sqrt(EPSILON)
        tr = body_at((0.1, along, 0.0))
        tr.ci.set_contact_plane(GROUND, False, CELL_ID)
        assert slide_sphere(tr, tr.sp.global0.center, (-1.0, 0.0, 0.0), tr.sp.curr_center0) == state


def test_pushing_a_body_that_cannot_move_changes_nothing() -> None:
    body = body_in(hall([floor(0.0)]), ZERO, ground=GROUND)
    body.cell = None
    assert not push(body, 0.1, times=3)
    assert body.place.origin == ZERO
