"""The body between sweeps: cases C-BODY-1 to C-BODY-17 of physics.md 13.8, by id."""

from __future__ import annotations

import math

import pytest

from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.quat import from_axis_angle
from engine.geometry.vec import UP, ZERO, Vec3
from engine.physics.body import Body
from engine.physics.flags import INELASTIC, SLEDDING, TS_CONTACT, TS_ON_WALKABLE, TS_STATIONARY_FALL, TS_STATIONARY_STOP
from engine.physics.place import Place
from engine.physics.quanta import slice_time, update_object
from engine.physics.rules import RuleSet
from engine.physics.sweep.collision_info import CollisionInfo
from engine.physics.sweep.trace import SweepObserver
from engine.physics.sweep.transition import Transition
from tests.physics.bodies import GROUND, body_in, hall
from tests.physics.small_world import floor

GROUNDED = TS_CONTACT | TS_ON_WALKABLE
WEST: Vec3 = (-1.0, 0.0, 0.0)


def in_the_air(velocity: Vec3 = ZERO) -> Body:
    body = body_in(hall([floor(-200.0, size=500.0)]), ZERO)
    body.velocity = velocity
    return body


def on_the_ground(velocity: Vec3) -> Body:
    body = body_in(hall([floor(0.0)]), ZERO, ground=GROUND)
    body.velocity = velocity
    return body


def test_c_body_1_a_quantum_moves_by_velocity_and_half_the_acceleration() -> None:
    body = in_the_air((1.0, 0.0, 0.0))
    end = body.update_physics_internal(0.1, ZERO, Frame())
    assert end.origin == pytest.approx((0.1, 0.0, -0.049), abs=1e-6)


def test_c_body_2_half_a_second_of_falling_from_rest() -> None:
    body = in_the_air()
    assert update_object(body, 0.5) == 0.0
    assert body.velocity == pytest.approx((0.0, 0.0, -4.9), abs=1e-6)


@pytest.mark.parametrize("velocity", [(100.0, 0.0, 0.0), (60.0, 80.0, 0.0)])
def test_c_body_3_no_velocity_is_greater_than_fifty(velocity: Vec3) -> None:
    body = in_the_air()
    body.set_velocity(velocity)
    assert math.hypot(*body.velocity) == pytest.approx(50.0)
    assert body.velocity[1] / 50.0 == pytest.approx(velocity[1] / 100.0)


def test_c_body_4_a_quarter_turn_takes_local_east_to_north() -> None:
    turned = Frame(ZERO, from_axis_angle(UP, math.pi / 2.0))
    assert turned.local_to_global_vec((1.0, 0.0, 0.0)) == pytest.approx((0.0, 1.0, 0.0), abs=1e-9)


@pytest.mark.parametrize(("rise", "slows"), [(0.25, False), (0.3, False), (0.1, True)])
def test_c_body_5_friction_spares_a_body_that_leaves_the_ground(rise: float, slows: bool) -> None:
    body = on_the_ground((3.0, 0.0, rise))
    body.calc_friction(1.0 / 30.0, 9.0)
    assert (body.velocity[0] < 3.0) == slows
    assert body.velocity[2] == (0.0 if slows else rise)


@pytest.mark.parametrize("velocity", [(0.1, 0.0, 0.0), (0.25, 0.0, 0.0)])
def test_c_body_6_a_small_velocity_becomes_zero(velocity: Vec3) -> None:
    body = on_the_ground(velocity)
    end = body.update_physics_internal(1.0 / 30.0, ZERO, Frame())
    assert body.velocity == ZERO
    assert end.origin == ZERO


def test_c_body_7_friction_on_the_ground() -> None:
    body = on_the_ground((3.0, 0.0, 0.0))
    body.update_physics_internal(1.0 / 30.0, ZERO, Frame())
    assert body.velocity == pytest.approx((2.7149, 0.0, 0.0), abs=1e-4)


def collide(
    velocity: Vec3,
    normal: Vec3,
    *,
    was_on_walkable: bool = False,
    on_walkable: bool = False,
    state: int = 0,
    frames: int = 0,
) -> Body:
    """The velocity that remains after a sweep that found this collision normal."""
    body = in_the_air(velocity)
    body.state |= state
    body.transient |= GROUNDED if on_walkable else 0
    ci = CollisionInfo(RuleSet())
    ci.set_collision_normal(normal)
    ci.frames_stationary_fall = frames
    body.handle_all_collisions(ci, was_on_walkable, was_on_walkable)
    return body


@pytest.mark.parametrize(
    ("velocity", "normal", "expected"),
    [
        pytest.param((3.0, 0.0, 0.0), WEST, (-0.15, 0.0, 0.0), id="C-BODY-8"),
        pytest.param((0.0, 0.0, 5.0), UP, (0.0, 0.0, 5.0), id="C-BODY-10"),
    ],
)
def test_a_body_in_the_air_bounces_off_what_it_moves_into(velocity: Vec3, normal: Vec3, expected: Vec3) -> None:
    assert collide(velocity, normal).velocity == pytest.approx(expected, abs=1e-6)


def test_c_body_9_a_landing_rebounds_a_little() -> None:
    landed = collide((0.0, 0.0, -5.0), UP, on_walkable=True)
    assert landed.velocity == pytest.approx((0.0, 0.0, 0.25), abs=1e-6)


@pytest.mark.parametrize(("frames", "bits"), [(2, TS_STATIONARY_STOP), (3, 0)])
def test_c_body_11_a_stuck_body_has_no_velocity(frames: int, bits: int) -> None:
    body = collide((3.0, 0.0, -5.0), WEST, frames=frames)
    assert body.velocity == ZERO
    assert body.transient & (TS_STATIONARY_FALL | TS_STATIONARY_STOP) == bits


def test_c_body_12_the_bounce_uses_the_velocity_after_the_landing() -> None:
    body = in_the_air((0.0, 0.0, -50.0))
    ci = CollisionInfo(RuleSet())
    ci.set_collision_normal(UP)
    body.transient |= GROUNDED
    # The landing callback comes with set_on_walkable, before the collisions are handled (7.1).
    body.velocity = (0.0, 0.0, -4.0)
    body.handle_all_collisions(ci, False, False)
    assert body.velocity == pytest.approx((0.0, 0.0, 0.2), abs=1e-6)


def test_c_body_13_a_walker_at_a_wall_does_not_bounce() -> None:
    walker = collide((3.0, 0.0, 0.0), WEST, was_on_walkable=True, on_walkable=True)
    assert walker.velocity == (3.0, 0.0, 0.0)


def test_c_body_14_an_inelastic_body_stops_dead() -> None:
    assert collide((3.0, 0.0, -1.0), WEST, state=INELASTIC).velocity == ZERO


@pytest.mark.parametrize(
    ("elapsed", "steps", "pending"),
    [
        (0.02, [0.02], 0.0),
        (0.05, [0.05], 0.0),
        (0.5, [0.2, 0.2, 0.1], 0.0),
        (0.42, [0.2, 0.2], 0.02),
        (2.5, [], 0.0),
    ],
)
def test_c_body_15_elapsed_time_is_sliced(elapsed: float, steps: list[float], pending: float) -> None:
    quanta, left = slice_time(elapsed, RuleSet())
    assert quanta == pytest.approx(steps, abs=1e-6)
    assert left == pytest.approx(pending, abs=1e-6)


def test_a_tiny_time_step_is_dropped_instead_of_accumulated() -> None:
    assert slice_time(0.0001, RuleSet()) == ([], 0.0)
    assert slice_time(0.0003, RuleSet()) == ([0.0003], 0.0)


@pytest.mark.parametrize(("nz", "retail", "ace"), [(0.90, 2.97777, 2.71490), (0.99, 2.71490, 2.71490)])
def test_c_body_16_a_sled_slides_on_slopes_steeper_than_ten_degrees(nz: float, retail: float, ace: float) -> None:
    for form, left in (("retail", retail), ("ace", ace)):
        body = on_the_ground((0.0, 3.0, 0.0))
        body.rules.set_form("sledding", form)
        body.state |= SLEDDING
        body.contact_plane = Plane((math.sqrt(1.0 - nz * nz), 0.0, nz), 0.0)
        body.calc_friction(1.0 / 30.0, 9.0)
        assert body.velocity == pytest.approx((0.0, left, 0.0), abs=1e-5)


class Turns(SweepObserver):
    """The candidate's yaw at the end of each sub-step."""

    def __init__(self) -> None:
        self.yaws: list[float] = []

    def step_ends(self, tr: Transition, state: int) -> None:
        self.yaws.append(360.0 - tr.sp.curr.turn.heading())


@pytest.mark.parametrize(("form", "first"), [("retail", 30.0), ("ace", 29.278)])
def test_c_body_17_a_turn_advances_with_the_sub_steps_by_slerp(form: str, first: float) -> None:
    body = body_in(hall([floor(0.0)]), ZERO, ground=GROUND)
    body.rules.set_form("turn_blend", form)
    turns = Turns()
    body.observer = turns
    east_to_north = Frame(ZERO, from_axis_angle(UP, math.pi / 2.0))
    assert body.move_to(Place(body.place.cell_id, (1.2, 0.0, 0.0), east_to_north))
    assert turns.yaws == pytest.approx([first, 90.0 - first, 90.0], abs=1e-3)
