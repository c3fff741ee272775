"""How keys move a body: speeds, turns, jumps, falls and landings (physics.md 11.2-11.9)."""

from __future__ import annotations

import pytest

from engine.entities.commands import (
    FALLING,
    READY,
    RUN_FORWARD,
    SIDE_STEP_LEFT,
    SIDE_STEP_RIGHT,
    TURN_LEFT,
    TURN_RIGHT,
    WALK_BACKWARD,
    WALK_FORWARD,
)
from engine.entities.motion_interp import HOLD_NONE, HOLD_RUN, MotionInterp, Skills
from engine.entities.skills import jump_height
from engine.geometry.vec import ZERO, r24, r24v
from engine.physics.flags import EDGE_SLIDE, TS_ON_WALKABLE
from engine.sim.edits.entities import MoveEntity, SetStateBits, SetVelocity
from engine.sim.edits.player import FacePlayer, SetPlayerNumber, Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import QUANTUM, Simulation
from tests.sim.helpers.small_worlds import (
    FORWARD,
    RUN,
    big_hall,
    built,
    feet,
    flat_distance,
    furnished,
    hold,
    house,
    simulate,
    slope,
    standing,
)

JUMP_SKILL = 300.0


def hall(at: tuple[float, float] = (20.0, 20.0), heading: float = 0.0) -> Simulation:
    return standing(built(big_hall), "hall", at, heading)


def interp_of(sim: Simulation) -> MotionInterp:
    return sim.player.steered.interp


def speed(sim: Simulation, controls: Controls) -> tuple[float, float]:
    """Metres a second to the right and forward, for a player facing north."""
    before = feet(sim)
    hold(sim, 1.0, controls)
    after = feet(sim)
    return after[0] - before[0], after[1] - before[1]


def jump(sim: Simulation, power: float = 1.0, forward: float = 0.0, run: bool = False) -> None:
    hold(sim, power, Controls(forward=forward, run=run, jump=True))
    report = sim.tick(Controls(forward=forward, run=run))
    assert report.jumped


@pytest.mark.parametrize(
    ("controls", "right", "forward"),
    [
        (Controls(forward=1.0), 0.0, 3.12),
        (Controls(forward=-1.0), 0.0, -2.028),
        (Controls(forward=1.0, run=True), 0.0, 9.5),
        (Controls(forward=-1.0, run=True), 0.0, -4.8165),
        (Controls(side_step=1.0), 1.56, 0.0),
        (Controls(side_step=-1.0), -1.56, 0.0),
        (Controls(side_step=1.0, run=True), 3.705, 0.0),
        (Controls(forward=0.5), 0.0, 1.56),
    ],
)
def test_each_key_moves_at_its_speed(controls: Controls, right: float, forward: float) -> None:
    assert speed(hall(), controls) == pytest.approx((right, forward), abs=2e-3)


def test_two_keys_together_add_up_on_the_ground() -> None:
    x, y = speed(hall(), Controls(forward=1.0, side_step=1.0, run=True))
    assert (x, y) == pytest.approx((1.25 * 1.248 * 2.375, 9.5), abs=2e-3)


def test_the_turn_key_turns_90_degrees_a_second_and_135_at_a_run() -> None:
    sim = hall()
    hold(sim, 1.0, Controls(turn=1.0))
    assert sim.player.steered.place.turn.heading() == pytest.approx(90.0, abs=1e-4)
    hold(sim, 1.0, Controls(turn=-1.0, run=True))
    assert sim.player.steered.place.turn.heading() == pytest.approx(315.0, abs=1e-4)


def test_turning_on_the_spot_leaves_the_feet_where_they_are() -> None:
    sim = hall()
    before = feet(sim)
    hold(sim, 2.0, Controls(turn=1.0))
    assert feet(sim) == before


def test_the_client_has_back_and_left_only_as_negative_forward_and_right() -> None:
    interp = MotionInterp(hall().player.steered, Skills())
    assert interp.adjust_motion(WALK_BACKWARD, 1.0, HOLD_NONE) == (WALK_FORWARD, -0.65)
    assert interp.adjust_motion(TURN_LEFT, 1.0, HOLD_NONE) == (TURN_RIGHT, -1.0)
    assert interp.adjust_motion(SIDE_STEP_LEFT, 1.0, HOLD_NONE) == (SIDE_STEP_RIGHT, -1.248)
    assert interp.adjust_motion(RUN_FORWARD, 2.0, HOLD_RUN) == (RUN_FORWARD, 2.0)
    assert interp.adjust_motion(WALK_FORWARD, 1.0, HOLD_RUN) == (RUN_FORWARD, 2.375)


def test_an_object_that_is_no_creature_does_not_adjust_its_motions() -> None:
    interp = MotionInterp(hall().player.steered, Skills())
    interp.is_creature = False
    assert interp.adjust_motion(WALK_BACKWARD, 1.0, HOLD_RUN) == (WALK_BACKWARD, 1.0)
    assert interp.contact_allows_move(WALK_FORWARD)


def test_a_burden_slows_a_run_down() -> None:
    sim = hall()
    sim.apply_edit(SetPlayerNumber("burden", 1.5))
    assert speed(sim, RUN)[1] == pytest.approx(4.0 * 1.6875, abs=2e-3)


def test_a_jump_of_full_power_rises_by_the_jump_height() -> None:
    sim = hall()
    sim.apply_edit(SetPlayerNumber("jump_skill", JUMP_SKILL))
    jump(sim)
    top = max(report.origin[2] for report in hold(sim, 2.0))
    assert top == pytest.approx(jump_height(0.0, JUMP_SKILL, 1.0), abs=0.2)


def test_a_jump_of_half_the_charge_is_half_as_high() -> None:
    heights = []
    for power in (0.5, 1.0):
        sim = hall()
        sim.apply_edit(SetPlayerNumber("jump_skill", JUMP_SKILL))
        jump(sim, power)
        heights.append(max(report.origin[2] for report in hold(sim, 2.0)))
    assert heights[0] == pytest.approx(heights[1] / 2.0, abs=0.1)


def test_holding_the_key_beyond_the_full_charge_adds_nothing() -> None:
    sim = hall()
    hold(sim, 3.0, Controls(jump=True))
    assert sim.player.steered.charge == 1.0
    assert feet(sim)[2] == 0.0


def test_a_running_jump_keeps_the_runs_speed() -> None:
    sim = hall((20.0, 3.0))
    jump(sim, 0.5, forward=1.0, run=True)
    x, y, z = sim.player.steered.velocity
    assert (x, y) == pytest.approx((0.0, 9.5), abs=1e-4)
    assert z > 2.0


def test_a_standing_long_jump_moves_forward_only_with_the_jump() -> None:
    sim = hall()
    sim.tick(Controls(jump=True))
    before = feet(sim)
    hold(sim, 0.5, Controls(forward=1.0, run=True, jump=True))
    assert feet(sim) == before
    assert sim.tick(Controls(forward=1.0, run=True)).jumped
    assert sim.player.steered.velocity[1] == pytest.approx(9.5, abs=1e-4)


def test_charging_a_jump_does_not_stop_a_run() -> None:
    sim = hall((20.0, 5.0))
    sim.tick(RUN)
    before = feet(sim)
    hold(sim, 0.5, Controls(forward=1.0, run=True, jump=True))
    assert feet(sim)[1] > before[1] + 4.0


def test_no_body_jumps_in_the_air() -> None:
    sim = hall()
    jump(sim)
    hold(sim, 0.1, Controls(jump=True))
    assert not sim.tick().jumped


def test_an_overburdened_or_exhausted_player_does_not_jump() -> None:
    for name, value in (("burden", 2.0), ("stamina", 1.0)):
        sim = hall()
        sim.apply_edit(SetPlayerNumber(name, value))
        hold(sim, 0.5, Controls(jump=True))
        assert not sim.tick().jumped


def test_without_stamina_a_player_runs_no_faster_than_without_skill() -> None:
    sim = hall()
    assert interp_of(sim).run_rate() == pytest.approx(2.375)
    sim.apply_edit(SetPlayerNumber("stamina", 0.0))
    assert interp_of(sim).run_rate() == 1.0


@pytest.mark.parametrize("status", ["pk", "pklite"])
def test_a_player_killers_jump_costs_more_for_20_seconds_after_an_attack(status: str) -> None:
    sim = hall()
    skills = sim.player.skills()
    sim.apply_edit(SetPlayerNumber("pk_fight", 20.0))
    assert skills.jump_cost(0.5) == 4
    sim.apply_edit(SetPlayerNumber(status, 1.0))
    assert skills.jump_cost(0.5) == 150
    hold(sim, 19.9, Controls())
    assert skills.jump_cost(0.5) == 150
    hold(sim, 0.2, Controls())
    assert skills.jump_cost(0.5) == 4
    assert sim.player.number("pk_fight") == 0.0


def test_without_skills_a_jump_takes_off_at_ten_metres_a_second() -> None:
    interp = MotionInterp(hall().player.steered, None)
    interp.jump_extent = 1.0
    assert interp.get_jump_v_z() == 10.0
    assert interp.run_rate() == 1.0
    assert interp.jump_is_allowed(1.0)


def test_in_the_air_a_player_can_only_turn() -> None:
    sim = hall()
    jump(sim)
    before = feet(sim)
    hold(sim, 0.2, Controls(forward=1.0, turn=1.0))
    assert flat_distance(feet(sim), before) == 0.0
    assert sim.player.steered.place.turn.heading() == pytest.approx(18.0, abs=1e-3)
    assert not interp_of(sim).contact_allows_move(READY)
    assert interp_of(sim).contact_allows_move(TURN_RIGHT)
    assert interp_of(sim).contact_allows_move(FALLING)


def test_keys_held_in_the_air_take_effect_after_landing() -> None:
    sim = hall()
    jump(sim, 0.2)
    reports = hold(sim, 2.0, FORWARD)
    landed = next(index for index, report in enumerate(reports) if report.landed)
    assert reports[landed - 1].origin[1] == 20.0
    assert reports[-1].origin[1] > 21.0


def test_a_take_off_and_a_landing_are_reported_once_each() -> None:
    sim = hall()
    hold(sim, 0.5, Controls(jump=True))
    reports = [sim.tick(), *hold(sim, 2.0)]
    assert sum(report.left_ground for report in reports) == 1
    assert sum(report.landed for report in reports) == 1
    assert reports[0].left_ground
    assert reports[-1].on_walkable


def test_the_first_tick_of_a_fall_only_gains_speed() -> None:
    sim = hall()
    sim.apply_edit(MoveEntity(sim.player.id, feet_cell(sim), 20.0, 20.0, 5.0, 0.0))
    sim.tick()
    assert sim.player.steered.place.origin[2] == 5.0
    assert sim.player.steered.velocity[2] == pytest.approx(-9.8 * QUANTUM, abs=1e-6)
    sim.tick()
    assert feet(sim)[2] < 5.0


def feet_cell(sim: Simulation) -> int:
    return sim.player.steered.place.cell_id


def test_a_fall_ends_on_the_floor_and_comes_to_rest() -> None:
    sim = hall()
    sim.apply_edit(MoveEntity(sim.player.id, feet_cell(sim), 20.0, 20.0, 8.0, 0.0))
    reports = hold(sim, 4.0)
    assert any(report.landed for report in reports)
    assert feet(sim)[2] == pytest.approx(0.0, abs=1e-3)
    assert sim.player.steered.velocity == ZERO


def test_a_landing_on_the_land_rebounds_by_the_elasticity() -> None:
    world = built(house)
    sim = simulate(world)
    sim.apply_edit(Teleport(0xC95B0025, 80.0, 80.0, 28.0, 0.0))
    reports = hold(sim, 4.0)
    landed = next(index for index, report in enumerate(reports) if report.landed)
    falling = reports[landed - 1].velocity[2] - 9.8 * QUANTUM
    assert reports[landed].velocity[2] == pytest.approx(0.05 * -falling, abs=1e-3)


def test_a_landing_on_a_floor_does_not_rebound_and_friction_ends_the_fall() -> None:
    sim = hall()
    sim.apply_edit(MoveEntity(sim.player.id, feet_cell(sim), 20.0, 20.0, 8.0, 0.0))
    reports = hold(sim, 4.0)
    landed = next(index for index, report in enumerate(reports) if report.landed)
    assert not reports[landed].collision_normal_valid
    assert reports[landed].velocity[2] < -10.0
    assert reports[landed + 1].velocity == ZERO


def test_friction_stops_a_body_that_was_pushed() -> None:
    sim = hall()
    sim.apply_edit(SetVelocity(sim.player.id, 3.0, 0.0, 0.0))
    sim.tick()
    assert sim.player.steered.velocity[0] == pytest.approx(2.7149, abs=1e-3)
    hold(sim, 3.0)
    assert sim.player.steered.velocity == ZERO
    assert 20.5 < feet(sim)[0] < 21.5


def test_a_body_that_walks_over_an_edge_without_edge_slide_falls() -> None:
    sim = standing(built(furnished), "room", (8.0, 7.2, 2.5), 180.0)
    sim.apply_edit(SetStateBits(sim.player.id, EDGE_SLIDE, False))
    reports = hold(sim, 2.0, FORWARD)
    fall = next(report for report in reports if report.left_ground)
    assert fall.velocity[1] == pytest.approx(-3.12, abs=1e-3)
    assert feet(sim)[2] == 0.0


def test_a_player_slides_along_a_ledge_higher_than_his_step_down() -> None:
    sim = standing(built(furnished), "room", (8.0, 7.2, 2.5), 180.0)
    hold(sim, 2.0, FORWARD)
    assert feet(sim)[2] == pytest.approx(2.5, abs=1e-3)
    assert feet(sim)[1] > 5.9


def test_a_player_climbs_a_low_block_in_one_tick_and_follows_it_down() -> None:
    sim = standing(built(furnished), "room", (2.0, 6.2), 0.0)
    heights = [round(report.origin[2], 3) for report in hold(sim, 0.6, FORWARD)]
    assert set(heights) == {0.005, 0.505}
    assert heights[-1] == 0.505
    sim.apply_edit(FacePlayer(180.0))
    hold(sim, 1.0, FORWARD)
    assert feet(sim)[2] == pytest.approx(0.0, abs=1e-3)
    assert sim.player.steered.transient & TS_ON_WALKABLE


def test_furniture_and_high_blocks_stop_a_walker() -> None:
    sim = standing(built(furnished), "room", (5.0, 2.0), 0.0)
    hold(sim, 3.0, FORWARD)
    assert feet(sim)[1] == pytest.approx(5.0 - 0.4 - 0.48, abs=0.11)
    sim = standing(built(furnished), "room", (8.0, 3.0), 0.0)
    hold(sim, 3.0, FORWARD)
    assert feet(sim)[1] < 6.5 - 0.48 + 1e-3


def test_a_walk_down_and_up_a_slope_stays_on_the_ground() -> None:
    sim = standing(built(slope), "top", (2.0, 2.0), 0.0)
    down = hold(sim, 5.0, FORWARD)
    assert feet(sim)[2] == pytest.approx(-4.0, abs=1e-3)
    sim.apply_edit(FacePlayer(180.0))
    up = hold(sim, 6.0, FORWARD)
    assert feet(sim)[2] == pytest.approx(0.0, abs=1e-3)
    assert all(report.on_walkable for report in (*down, *up))


def test_a_key_value_beyond_its_range_is_refused() -> None:
    with pytest.raises(Exception, match="from -1 to 1"):
        Controls(forward=1.5)


# --- the body (physics.md #2)


def test_a_human_is_two_spheres_that_reach_5_mm_below_the_origin() -> None:
    body = hall().player.steered
    assert [sphere.center for sphere in body.spheres] == [r24v((0.0, 0.0, 0.475)), r24v((0.0, 0.0, 1.35))]
    assert [sphere.radius for sphere in body.spheres] == [r24(0.48), r24(0.48)]
    assert (body.step_up_height, body.step_down_height) == (r24(0.6), 1.5)


@pytest.mark.parametrize("above", [0.0, 0.3, 2.0])
def test_c_tr_24_tag_m_a_humans_origin_is_5_mm_above_a_level_floor(above: float) -> None:
    sim = hall()
    sim.apply_edit(Teleport(feet_cell(sim), 20.0, 20.0, above, 0.0))
    hold(sim, 2.0, Controls())
    body = sim.player.steered
    assert body.place.origin[2] == pytest.approx(0.005, abs=1e-4)
    assert body.contact_plane.d == pytest.approx(0.0, abs=1e-6)
    hold(sim, 1.0, RUN)
    assert body.place.origin[2] == pytest.approx(0.005, abs=1e-4)
    assert body.contact_plane.d == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(("radius", "height"), [(0.3, 1.2), (0.48, 1.2), (0.6, 2.4), (0.2, 0.3)])
def test_a_body_of_another_size_stands_5_mm_above_the_floor_too(radius: float, height: float) -> None:
    sim = hall()
    sim.apply_edit(SetPlayerNumber("radius", radius))
    sim.apply_edit(SetPlayerNumber("height", height))
    sim.apply_edit(Teleport(feet_cell(sim), 20.0, 20.0, 0.0, 0.0))
    hold(sim, 0.5, FORWARD)
    body = sim.player.steered
    assert body.place.origin[2] == pytest.approx(0.005, abs=1e-4)
    top = body.spheres[-1]
    assert top.center[2] + top.radius == pytest.approx(max(height, 2.0 * radius - 0.005), abs=1e-6)
