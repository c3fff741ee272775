"""Speeds, jumps and their costs: cases C-MOV-1 to C-MOV-12 of physics.md 13.8, by id."""

from __future__ import annotations

import pytest

from engine.entities.commands import SIDE_STEP_RIGHT, WALK_BACKWARD, WALK_FORWARD
from engine.entities.motion_interp import HOLD_RUN, MotionInterp, Skills
from engine.entities.skills import jump_height, jump_power, jump_stamina_cost, jump_v_z, run_rate
from engine.geometry.vec import ZERO
from engine.physics.rules import RuleSet
from tests.physics.bodies import body_in, hall
from tests.physics.small_world import floor


@pytest.mark.parametrize(
    ("burden", "skill", "rate"),
    [
        pytest.param(0.0, 0.0, 1.0, id="C-MOV-1 0"),
        pytest.param(0.0, 200.0, 2.375, id="C-MOV-1 200"),
        pytest.param(0.0, 300.0, 2.65, id="C-MOV-1 300"),
        pytest.param(0.0, 799.0, 3.1994, id="C-MOV-2 799"),
        pytest.param(0.0, 800.0, 4.5, id="C-MOV-2 800"),
        pytest.param(0.0, 801.0, 3.2005, id="C-MOV-2 801"),
        pytest.param(0.0, 9999.0, 3.6961, id="C-MOV-3 9999"),
        pytest.param(0.0, 10200.0, 3.6971, id="C-MOV-3 10200"),
        pytest.param(0.0, 14463.0, 3.7125, id="C-MOV-3 14463"),
        pytest.param(1.5, 200.0, 1.6875, id="C-MOV-4"),
    ],
)
def test_the_run_rate_grows_with_skill_and_falls_with_burden(burden: float, skill: float, rate: float) -> None:
    assert run_rate(burden, skill, RuleSet()) == pytest.approx(rate, abs=1e-4)


@pytest.mark.parametrize(
    ("skill", "height"), [pytest.param(100.0, 1.6357, id="C-MOV-5"), pytest.param(0.0, 0.35, id="C-MOV-6")]
)
def test_a_full_jump_goes_as_high_as_the_skill(skill: float, height: float) -> None:
    assert jump_height(0.0, skill, 1.0) == pytest.approx(height, abs=1e-4)


@pytest.mark.parametrize(
    ("skill", "speed"),
    [
        pytest.param(100.0, 5.6622, id="C-MOV-7 100"),
        pytest.param(300.0, 9.0865, id="C-MOV-7 300"),
        pytest.param(0.0, 2.6192, id="C-MOV-7 0"),
    ],
)
def test_a_full_jumps_speed_follows_from_its_height(skill: float, speed: float) -> None:
    assert jump_v_z(0.0, skill, 1.0) == pytest.approx(speed, abs=1e-3)


@pytest.mark.parametrize(("burden", "power", "cost"), [(0, 0, 2), (0, 1, 6), (1, 1, 14), (2, 1, 22), (0.3, 0.7, 7)])
def test_c_mov_8_a_jump_costs_stamina_by_burden_and_power(burden: float, power: float, cost: int) -> None:
    assert jump_stamina_cost(float(burden), float(power)) == cost


def test_c_mov_9_a_jump_in_a_fight_of_player_killers_costs_more() -> None:
    assert jump_stamina_cost(0.0, 0.5, pk_fight=True) == 150
    assert jump_stamina_cost(0.0, 0.5, pk_fight=False) == 4


def test_c_mov_10_stamina_affords_a_power() -> None:
    assert jump_power(20.0, 1.0) == pytest.approx(1.5)


def moving(*keys: tuple[int, float], run_skill: float | None, run: bool = False) -> MotionInterp:
    """A creature whose keys command these motions at these speeds."""
    interp = MotionInterp(body_in(hall([floor(0.0)]), ZERO), None if run_skill is None else Skills(run_skill))
    if run:
        interp.hold_key = HOLD_RUN
    for motion, speed in keys:
        if motion == SIDE_STEP_RIGHT:
            interp.raw.side_step_command = motion
            interp.raw.side_step_speed = speed
        else:
            interp.raw.forward_command = motion
            interp.raw.forward_speed = speed
    interp.apply_raw_movement()
    return interp


@pytest.mark.parametrize(
    ("motion", "run", "velocity"),
    [
        pytest.param(WALK_FORWARD, False, (0.0, 3.12, 0.0), id="C-MOV-11 walk"),
        pytest.param(WALK_BACKWARD, False, (0.0, -2.028, 0.0), id="C-MOV-11 back"),
        pytest.param(WALK_FORWARD, True, (0.0, 9.5, 0.0), id="C-MOV-11 run"),
        pytest.param(SIDE_STEP_RIGHT, False, (1.56, 0.0, 0.0), id="C-MOV-11 sidestep"),
    ],
)
def test_a_key_moves_the_body_at_its_speed(motion: int, run: bool, velocity: tuple[float, float, float]) -> None:
    interp = moving((motion, 1.0), run_skill=200.0, run=run)
    assert interp.get_state_velocity() == pytest.approx(velocity, abs=1e-4)


def test_c_mov_12_a_running_sidestep_is_limited() -> None:
    interp = moving((SIDE_STEP_RIGHT, 1.0), run_skill=None, run=True)
    interp.my_run_rate = 3.0
    interp.apply_raw_movement()
    assert interp.interpreted.side_step_speed == 3.0
    assert interp.get_state_velocity() == pytest.approx((3.75, 0.0, 0.0))
