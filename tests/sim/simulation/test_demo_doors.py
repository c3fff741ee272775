"""Doors of the demo world from both sides (physics.md 9.4, 9.5, 16.1)."""

from __future__ import annotations

import math

import pytest

from engine.sim.edits.doors import UseDoor
from engine.sim.edits.player import FacePlayer
from engine.sim.tick.controls import Controls
from tests.sim.helpers.demo_walks import Demo, demo_simulation
from tests.sim.helpers.small_worlds import FORWARD, feet, hold

pytestmark = pytest.mark.unwatched

DOORS = ("Front Door", "Inn Door", "Kitchen Door", "Guest Room 1", "Guest Room 2", "Double Door")
"""The doors that are closed and unlocked at the start."""

SIDES = (1.0, -1.0)
"""In front of a door, and behind it."""

BLOCKED = 0.4
"""No body with a radius of 0.48 m comes nearer to the middle of a leaf than this."""


@pytest.fixture(scope="module")
def the_demo() -> Demo:
    return demo_simulation()


@pytest.fixture
def demo(the_demo: Demo) -> Demo:
    the_demo.begin()
    return the_demo


@pytest.mark.parametrize("aside", [0.0, 0.5, -0.5])
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", DOORS)
def test_a_closed_door_blocks_dead_centre_and_half_a_metre_aside(
    demo: Demo, name: str, side: float, aside: float
) -> None:
    door = demo.door(name)
    sim = demo.before(door, side, aside)
    hold(sim, 2.0, FORWARD)
    assert demo.beyond(door) * side > BLOCKED


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", DOORS)
def test_a_used_door_lets_a_pushing_player_through_at_once(demo: Demo, name: str, side: float) -> None:
    door = demo.door(name)
    sim = demo.before(door, side)
    reports = hold(sim, 1.0, FORWARD)
    assert reports[-1].blocked
    assert any(door.id in report.collided_objects for report in reports)
    assert not any(report.collided_with_environment for report in reports)
    first = sim.tick(Controls(forward=1.0, use=door.id))
    assert math.hypot(first.made[0], first.made[1]) == pytest.approx(0.104, abs=1e-3)
    hold(sim, 0.7, FORWARD)
    assert demo.beyond(door) * side < -0.5


@pytest.mark.parametrize("name", ["Front Door", "Inn Door", "Guest Room 1", "Double Door"])
def test_half_a_minute_later_a_door_blocks_again_on_both_sides(demo: Demo, name: str) -> None:
    door = demo.door(name)
    sim = demo.sim
    sim.apply_edit(UseDoor(door.id, sim.player.id))
    hold(sim, 30.6)
    for side in SIDES:
        demo.before(door, side)
        hold(sim, 1.0, FORWARD)
        assert demo.beyond(door) * side > BLOCKED


def test_the_locked_guest_room_opens_only_from_behind(demo: Demo) -> None:
    door = demo.door("Guest Room 3")
    assert door.locked
    for side, passes in ((1.0, False), (-1.0, True)):
        sim = demo.before(door, side)
        sim.tick(Controls(use=door.id))
        hold(sim, 1.0, FORWARD)
        assert (demo.beyond(door) * side < -0.5) == passes


@pytest.mark.parametrize("side", SIDES)
def test_the_yard_door_stands_open_by_default(demo: Demo, side: float) -> None:
    door = demo.door("Yard Door")
    sim = demo.before(door, side)
    hold(sim, 1.0, FORWARD)
    assert demo.beyond(door) * side < -0.5


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", ["Front Door", "Double Door"])
def test_no_player_jumps_through_a_closed_door(demo: Demo, name: str, side: float) -> None:
    door = demo.door(name)
    for turn in (0.0, 12.0, -12.0):
        for keys in (Controls(forward=1.0, run=True), Controls(forward=1.0)):
            sim = demo.before(door, side)
            sim.apply_edit(FacePlayer(sim.player.steered.place.turn.heading() + turn))
            hold(sim, 0.1, keys)
            hold(sim, 0.9, Controls(jump=True))
            assert sim.tick(keys).jumped
            for _ in range(30):
                sim.tick(keys)
                aside, beyond, _ = door.frame.global_to_local(feet(sim))
                assert beyond * side > BLOCKED or abs(aside) > 1.4, (
                    "around the porch does not count as through the door"
                )


def test_the_front_door_does_not_close_on_a_player_inside_it(demo: Demo) -> None:
    door = demo.door("Front Door")
    sim = demo.before(door, -1.0)
    sim.tick(Controls(use=door.id))
    while demo.beyond(door) < -0.1:
        sim.tick(FORWARD)
    hold(sim, 32.0)
    assert demo.door("Front Door").held
    before = sim.tick(FORWARD)
    assert math.hypot(before.made[0], before.made[1]) == pytest.approx(0.104, abs=1e-3)
    hold(sim, 2.0, FORWARD)  # the door looks once a second
    assert not demo.door("Front Door").held
    assert demo.beyond(door) > 0.5
