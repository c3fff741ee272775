"""Motion tables play as the door recipe demands: links once, then cycles, backwards too (dat-format.md 3.10)."""

from __future__ import annotations

import pytest

from engine.entities.commands import NON_COMBAT, OFF, ON, READY
from engine.entities.motion_player import MotionPlayer
from engine.geometry.frame import Frame
from engine.geometry.vec import ZERO
from engine.world.cells.motion import Animation, Motion, MotionTable, Stretch, motion_key
from tests.sim.helpers.small_worlds import built, two_rooms

FRAMES = 15


def animation(frames: int = FRAMES) -> Animation:
    """Part 0 stands as many metres east as the frame's number."""
    return Animation(0x03000001, 1, [[Frame((float(i), 0.0, 0.0))] for i in range(frames)], [])


def playing(*stretches: Stretch) -> Motion:
    return Motion(list(stretches), ZERO, ZERO, 0)


def door_table() -> MotionTable:
    """The recipe of a door, with a swing of fifteen frames at 30 a second."""
    swing = animation()
    opening, closing = playing(Stretch(swing, 0, -1, 30.0)), playing(Stretch(swing, 0, -1, -30.0))
    return MotionTable(
        0x09000001,
        NON_COMBAT,
        {NON_COMBAT: OFF},
        {0x003D000C: playing(Stretch(swing, 0, 0, 30.0)), 0x003D000B: playing(Stretch(swing, 14, 14, 30.0))},
        {},
        {0x003D000C: {ON: opening}, 0x003D000B: {OFF: closing}},
    )


def east(pose: list[Frame]) -> float:
    return pose[0].origin[0]


def test_a_door_begins_closed() -> None:
    player = MotionPlayer(door_table(), NON_COMBAT)
    assert player.substate == OFF
    assert east(player.pose(0.0)) == east(player.pose(1000.0)) == 0.0


def test_opening_takes_fifteen_frames_at_thirty_a_second() -> None:
    player = MotionPlayer(door_table(), NON_COMBAT)
    assert player.do_motion(ON, 10.0) == pytest.approx(0.5)
    assert [east(player.pose(10.0 + i / 30.0)) for i in range(FRAMES)] == list(map(float, range(FRAMES)))
    assert east(player.pose(11.0)) == 14.0


def test_closing_plays_the_same_frames_from_the_last_to_the_first() -> None:
    player = MotionPlayer(door_table(), NON_COMBAT)
    player.do_motion(ON, 0.0)
    assert player.do_motion(OFF, 2.0) == pytest.approx(0.5)
    assert [east(player.pose(2.0 + i / 30.0)) for i in range(FRAMES)] == [14.0 - i for i in range(FRAMES)]
    assert east(player.pose(3.0)) == 0.0


def test_a_pose_between_two_frames_is_the_earlier_one() -> None:
    player = MotionPlayer(door_table(), NON_COMBAT)
    player.do_motion(ON, 0.0)
    assert east(player.pose(2.6 / 30.0)) == 2.0


def test_reading_a_pose_changes_nothing() -> None:
    player = MotionPlayer(door_table(), NON_COMBAT)
    player.do_motion(ON, 0.0)
    late, early = player.pose(0.4), player.pose(0.1)
    assert (east(early), east(late)) == (3.0, 12.0)
    assert east(player.pose(0.4)) == 12.0


def test_the_rest_pose_is_the_last_frame_of_a_states_cycle() -> None:
    player = MotionPlayer(door_table(), NON_COMBAT)
    open_pose, closed_pose = player.rest_pose(ON), player.rest_pose(OFF)
    assert open_pose is not None
    assert closed_pose is not None
    assert (east(open_pose), east(closed_pose)) == (14.0, 0.0)
    assert player.rest_pose(READY) is None


def test_a_state_without_a_link_is_reached_at_once() -> None:
    table = door_table()
    table.links = {}
    player = MotionPlayer(table, NON_COMBAT)
    assert player.do_motion(ON, 5.0) == 0.0
    assert east(player.pose(5.0)) == 14.0


def test_a_link_from_any_state_serves_a_state_without_its_own() -> None:
    table = door_table()
    table.links = {motion_key(NON_COMBAT, 0): {ON: playing(Stretch(animation(), 0, 2, 30.0))}}
    player = MotionPlayer(table, NON_COMBAT)
    assert player.do_motion(ON, 0.0) == pytest.approx(0.1)


def test_a_cycle_of_several_frames_starts_again_at_its_end() -> None:
    cycle = playing(Stretch(animation(), 2, 4, 10.0), Stretch(animation(), 9, 9, 10.0))
    assert cycle.length() == pytest.approx(0.4)
    assert [east(cycle.pose_repeated(i * 0.1 + 0.05)) for i in range(8)] == [2.0, 3.0, 4.0, 9.0, 2.0, 3.0, 4.0, 9.0]


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(0, -1, (0, 14)), (3, 99, (3, 14)), (-5, 4, (0, 4)), (99, 99, (14, 14))]
)
def test_frames_beyond_the_animation_are_clamped_to_it(low: int, high: int, expected: tuple[int, int]) -> None:
    stretch = Stretch(animation(), low, high, 30.0)
    assert (stretch.low, stretch.high) == expected


def test_a_segment_at_zero_framerate_has_no_length_and_its_first_frame() -> None:
    stretch = Stretch(animation(), 5, 9, 0.0)
    assert stretch.length() == 0.0
    assert east(stretch.pose(100.0)) == 5.0


def test_an_animation_without_frames_has_no_pose() -> None:
    assert Stretch(animation(0), 0, -1, 30.0).pose(0.0) == []
    assert playing().last_pose() == []


def test_a_built_doors_table_loads_with_its_animation() -> None:
    world = built(two_rooms).load()
    setup = world.setup(world.entities[0].setup_id)
    assert setup is not None
    table = world.motion_table(setup.default_motion_table)
    assert table is not None
    assert table.default_substate(NON_COMBAT) == OFF
    link = table.link(NON_COMBAT, OFF, ON)
    assert link is not None
    assert link.length() == pytest.approx(0.5)
    assert world.motion_table(setup.default_motion_table) is table
    assert world.motion_table(0x09009999) is None
