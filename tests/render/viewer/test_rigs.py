"""Cameras without a player: smooth motion, the orbit and the free flight (rendering.md 21.5)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.build.demo import SPOTS
from engine.geometry.vec import Vec3, add, distance, scale, sub
from engine.render.viewer.free_fly import FASTEST, SLOWEST, USUAL_SPEED, FreeFly
from engine.render.viewer.inputs import STILL, ViewerInput
from engine.render.viewer.orbit import Orbit
from engine.render.viewer.rig import STEEPEST, direction, heading_and_pitch, turned
from engine.render.viewer.smooth import LONGEST_STEP, Spring, VecSpring, stiffness_part, turn_between
from engine.visibility.world_view import WorldView
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import is_env_cell
from engine.world.cells.landdefs import block_offset
from tests.visibility.helpers.worlds import VILLAGE, demo, eye_at

FRAME = 1.0 / 60.0


# --- smooth motion


@given(st.floats(-100.0, 100.0), st.floats(-100.0, 100.0), st.floats(0.05, 2.0))
def test_a_spring_arrives_without_overshooting(start: float, goal: float, seconds: float) -> None:
    spring = Spring(start, seconds)
    spring.goal = goal
    left = abs(goal - start)
    for _ in range(60):
        spring.step(seconds / 60.0)
        assert abs(goal - spring.value) <= left + 1e-9
        assert (goal - spring.value) * (goal - start) >= -1e-9
        left = abs(goal - spring.value)
    assert left <= 0.02 * abs(goal - start) + 1e-9


@given(st.floats(0.001, 0.2), st.floats(-10.0, 10.0))
def test_a_spring_moves_as_far_in_two_half_steps_as_in_a_whole_one(dt: float, goal: float) -> None:
    once, twice = Spring(0.0, 0.3), Spring(0.0, 0.3)
    once.goal = twice.goal = goal
    once.step(dt)
    twice.step(dt / 2.0)
    twice.step(dt / 2.0)
    assert once.value == pytest.approx(twice.value, abs=1e-9)
    assert once.speed == pytest.approx(twice.speed, abs=1e-6)


def test_a_spring_moved_to_other_coordinates_continues_as_before() -> None:
    here, there = VecSpring((1.0, 2.0, 3.0), 0.5), VecSpring((1.0, 2.0, 3.0), 0.5)
    here.goal = there.goal = (4.0, 4.0, 4.0)
    here.step(0.1)
    there.step(0.1)
    there.shift((192.0, 0.0, 0.0))
    assert there.step(0.1) == pytest.approx(add(here.step(0.1), (192.0, 0.0, 0.0)))
    assert there.goal == (196.0, 4.0, 4.0)


def test_the_clients_stiffness_covers_a_share_of_the_way_but_never_more() -> None:
    assert stiffness_part(0.45, 0.1) == pytest.approx(0.45)
    assert stiffness_part(0.45, 10.0) == 1.0
    assert stiffness_part(0.45, -1.0) == 0.0


@given(st.floats(-720.0, 720.0), st.floats(-720.0, 720.0))
def test_turns_take_the_shorter_direction(here: float, there: float) -> None:
    turn = turn_between(here, there)
    assert -180.0 <= turn <= 180.0
    assert math.cos(math.radians(here + turn)) == pytest.approx(math.cos(math.radians(there)), abs=1e-6)


@given(st.floats(0.0, 359.0), st.floats(-88.0, 88.0))
def test_a_look_and_its_vector_agree(heading: float, pitch: float) -> None:
    found = heading_and_pitch(direction(heading, pitch))
    assert turn_between(found[0], heading) == pytest.approx(0.0, abs=1e-6)
    assert found[1] == pytest.approx(pitch, abs=1e-6)
    assert turned((0.0, 1.0, 0.0), heading) == pytest.approx(direction(heading, 0.0))


# --- free flight


def flying(spot: str = "street", heading: float = 0.0, pitch: float = 0.0) -> FreeFly:
    rig = FreeFly(WorldView(demo()))
    cell_id, eye = eye_at(spot)
    rig.place(cell_id, eye, heading, pitch)
    return rig


def way_of(rig: FreeFly, inputs: ViewerInput, seconds: float) -> Vec3:
    """How far the eye travels, in the coordinates of the landblock where it started."""
    block, eye = rig.block_id, rig.eye
    for _ in range(round(seconds / FRAME)):
        rig.update(FRAME, inputs)
    return sub(add(rig.eye, block_offset(block, rig.block_id)), eye)


def test_the_free_camera_flies_where_it_looks_and_stops_softly() -> None:
    rig = flying(heading=90.0, pitch=30.0)
    way = way_of(rig, ViewerInput(move=(0.0, 1.0, 0.0)), 1.0)
    assert heading_and_pitch(way) == pytest.approx((90.0, 30.0), abs=1e-6)
    assert 0.85 * USUAL_SPEED < distance(way, (0.0, 0.0, 0.0)) < USUAL_SPEED
    drift = way_of(rig, STILL, 0.5)
    assert 0.0 < distance(drift, (0.0, 0.0, 0.0)) < 0.1 * USUAL_SPEED
    assert way_of(rig, STILL, 0.5) == pytest.approx((0.0, 0.0, 0.0), abs=1e-3)


def test_keys_together_are_no_faster_and_the_fast_key_is() -> None:
    aslant = way_of(flying(), ViewerInput(move=(1.0, 1.0, 0.0)), 1.0)
    straight = way_of(flying(), ViewerInput(move=(0.0, 1.0, 0.0)), 1.0)
    assert distance(aslant, (0.0, 0.0, 0.0)) == pytest.approx(distance(straight, (0.0, 0.0, 0.0)))
    fast = way_of(flying(), ViewerInput(move=(0.0, 1.0, 0.0), fast=True), 1.0)
    assert fast == pytest.approx(scale(straight, 4.0), rel=1e-6)
    assert way_of(flying(pitch=50.0), ViewerInput(move=(0.0, 0.0, 1.0)), 1.0)[2] > 5.0


def test_the_wheel_changes_the_speed_within_bounds() -> None:
    rig = flying()
    rig.update(FRAME, ViewerInput(dolly=100.0))
    assert rig.speed == FASTEST
    rig.update(FRAME, ViewerInput(dolly=-1000.0))
    assert rig.speed == SLOWEST


def test_looking_turns_at_once_and_stops_short_of_upright() -> None:
    rig = flying(heading=350.0)
    rig.update(FRAME, ViewerInput(look=(20.0, 5.0)))
    assert (rig.heading, rig.pitch) == (10.0, 5.0)
    rig.update(FRAME, ViewerInput(look=(0.0, 500.0)))
    assert rig.pitch == STEEPEST
    assert rig.eye == eye_at("street")[1]


def test_panning_moves_the_picture_along() -> None:
    rig = flying(heading=0.0)
    before = rig.eye
    rig.update(FRAME, ViewerInput(pan=(0.1, 0.0)))
    assert rig.eye[0] < before[0]
    rig.update(FRAME, ViewerInput(pan=(0.0, 0.1)))
    assert rig.eye[2] > before[2]


def test_a_long_pause_does_not_fling_the_camera_away() -> None:
    rig = flying()
    rig.update(3600.0, ViewerInput(move=(0.0, 1.0, 0.0)))
    assert distance(rig.eye, eye_at("street")[1]) <= USUAL_SPEED * LONGEST_STEP
    rig.update(-5.0, ViewerInput(move=(0.0, 1.0, 0.0)))


def test_the_free_camera_flies_through_rooms_walls_doors_and_the_cellar() -> None:
    """Always in the cell that it reports, and never back and forth at a threshold."""
    rig = flying("cottage_parlour")
    cells = [rig.cell_id]
    spots = ("cottage_inside_front_door", "cottage_outside_front_door", "street", "upstairs", "cellar", "bedroom")
    for spot in spots:
        goal_id, goal = eye_at(spot)
        for _ in range(2000):
            way = sub(add(goal, block_offset(rig.block_id, goal_id)), rig.eye)
            if distance(way, (0.0, 0.0, 0.0)) < 0.15:
                break
            rig.heading, rig.pitch = heading_and_pitch(way)
            rig.update(FRAME, ViewerInput(move=(0.0, 1.0, 0.0)))
            if rig.cell_id != cells[-1]:
                cells.append(rig.cell_id)
            cell = demo().graph.peek(rig.cell_id)
            assert cell is not None
            assert cell.point_in_cell(rig.eye)
            assert not rig.outside_all
        assert rig.cell_id == goal_id, spot
    assert rig.camera(640.0, 480.0).eye == rig.eye


def test_a_free_camera_in_a_dungeon_stays_rooted_when_it_leaves_all_cells() -> None:
    rig = flying("dungeon_start")
    root = rig.cell_id
    rig.speed = 50.0
    way_of(rig, ViewerInput(move=(0.0, 0.0, 1.0)), 2.0)
    assert (rig.cell_id, rig.outside_all) == (root, True)
    assert isinstance(demo().graph.peek(rig.cell_id), EnvCell)


# --- orbit


def orbiting() -> Orbit:
    rig = Orbit(WorldView(demo()))
    spot = SPOTS["market"]
    rig.place(spot.cell_id, spot.origin, 8.0, 45.0, -20.0)
    return rig


def gap(rig: Orbit) -> float:
    return distance(add(rig.eye, block_offset(rig.target_block, rig.block_id)), rig.target)


def settle(rig: Orbit, inputs: ViewerInput = STILL) -> None:
    rig.update(FRAME, inputs)
    for _ in range(60):
        rig.update(FRAME, STILL)


def test_orbiting_keeps_the_point_centred_and_the_distance() -> None:
    rig = orbiting()
    assert gap(rig) == pytest.approx(8.0)
    settle(rig, ViewerInput(orbit=(90.0, -30.0)))
    assert (rig.heading, rig.pitch) == pytest.approx((135.0, -50.0), abs=0.01)
    assert gap(rig) == pytest.approx(8.0, abs=1e-3)
    middle = rig.camera(640.0, 480.0).project(add(rig.target, block_offset(rig.block_id, rig.target_block)))
    assert (middle.x / middle.w, middle.y / middle.w) == pytest.approx((320.0, 240.0), abs=0.01)


def test_the_wheel_changes_distance_while_panning_and_keys_move_the_point() -> None:
    rig = orbiting()
    settle(rig, ViewerInput(dolly=2.0))
    assert gap(rig) == pytest.approx(8.0 * 0.85**2, abs=1e-2)
    before = rig.target
    settle(rig, ViewerInput(pan=(0.0, 0.5)))
    assert rig.target[2] > before[2]
    before = rig.target
    settle(rig, ViewerInput(move=(0.0, 1.0, 0.0)))
    assert turn_between(heading_and_pitch(sub(rig.target, before))[0], rig.heading) == pytest.approx(0.0, abs=0.01)
    rig.update(FRAME, ViewerInput(orbit=(0.0, -500.0)))
    settle(rig)
    assert rig.pitch >= -STEEPEST


def test_focusing_in_another_landblock_takes_only_a_moment() -> None:
    rig = orbiting()
    rig.focus(0xCA5B0001, (5.0, 90.0, 22.0), 2.0)
    rig.update(FRAME, STILL)
    assert rig.block_id >> 16 == VILLAGE >> 16, "still on its way"
    settle(rig)
    assert rig.target_block >> 16 == 0xCA5B
    assert gap(rig) == pytest.approx(2.0 / math.sin(rig.fov_y / 2.0), abs=1e-2)
    assert not is_env_cell(rig.cell_id)


def test_an_orbit_through_walls_knows_the_cell_of_its_eye() -> None:
    rig = Orbit(WorldView(demo()))
    spot_id, eye = eye_at("cottage_parlour")
    rig.place(spot_id, eye, 1.0, 0.0, 0.0)
    for _ in range(240):
        rig.update(FRAME, ViewerInput(orbit=(3.0, 0.0), dolly=-0.1))
        cell = demo().graph.peek(rig.cell_id)
        assert cell is not None
        assert cell.point_in_cell(rig.eye)


def test_an_orbit_that_was_never_placed_has_no_eye() -> None:
    rig = Orbit(WorldView(demo()))
    rig.update(FRAME, ViewerInput(orbit=(3.0, 0.0)))
    assert rig.cell_id == 0
    rig.focus(SPOTS["market"].cell_id, SPOTS["market"].origin, 3.0)
    assert rig.cell_id != 0
