"""A player at hills: along the foot of one too steep to walk on, up one that is not, by a jump onto one, on a sled."""

from __future__ import annotations

import math
from functools import cache

import pytest

from engine.build import WorldBuilder
from engine.build.built import BuiltWorld
from engine.physics.flags import SLEDDING, TS_CONTACT, TS_ON_WALKABLE
from engine.physics.rules import RuleSet
from engine.sim.edits.entities import SetStateBits, SetVelocity
from engine.sim.edits.player import FacePlayer, Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from tests.sim.helpers.small_worlds import FORWARD, RUN, feet, hold, simulate

BLOCK = 0x7B9B
FOOT = 72.0
"""East of it the ground rises for 72 m; west of it, it is level."""
GROUNDED = TS_CONTACT | TS_ON_WALKABLE


@cache
def hill(degrees: float) -> BuiltWorld:
    world = WorldBuilder()
    slope = math.tan(math.radians(degrees))
    ground = world.landblock(BLOCK).ground
    assert ground is not None
    ground.shape(lambda x, y: 10.0 + slope * min(max(x - FOOT, 0.0), 72.0))
    return world.build()


def before(
    degrees: float, heading: float, x: float = 68.0, y: float = 60.0, rules: RuleSet | None = None
) -> Simulation:
    """The player at the foot of a hill, at least 24 m from the landblock's nearest corner."""
    sim = simulate(hill(degrees), rules)
    cell_id = (BLOCK << 16) | (int(x // 24.0) * 8 + int(y // 24.0) + 1)
    rise = math.tan(math.radians(degrees)) * max(x - FOOT, 0.0)
    sim.apply_edit(Teleport(cell_id, x, y, 10.0 + rise, heading))
    return sim


@pytest.mark.parametrize("degrees", [52.0, 60.0, 68.0])
@pytest.mark.parametrize("controls", [FORWARD, RUN])
def test_a_player_runs_along_the_foot_of_a_too_steep_hill(degrees: float, controls: Controls) -> None:
    sim = before(degrees, 60.0)
    hold(sim, 3.0, controls)
    x, y, _ = feet(sim)
    for _ in range(120):
        sim.tick(controls)
        assert feet(sim)[2] == pytest.approx(10.0, abs=0.02)
        assert sim.player.steered.transient & GROUNDED == GROUNDED
    after = feet(sim)
    assert after[0] == pytest.approx(x, abs=0.05)
    assert after[1] > y + 1.0


@pytest.mark.parametrize("degrees", [52.0, 60.0, 68.0])
def test_a_player_running_straight_at_a_too_steep_hill_stands_still(degrees: float) -> None:
    sim = before(degrees, 90.0)
    hold(sim, 3.0, RUN)
    x, y, z = feet(sim)
    hold(sim, 2.0, RUN)
    assert feet(sim) == pytest.approx((x, y, z), abs=0.01)
    assert (x, z) == pytest.approx((FOOT, 10.0), abs=0.3)


@pytest.mark.parametrize("degrees", [20.0, 40.0, 47.0])
def test_a_player_walks_up_and_down_a_gentle_hill(degrees: float) -> None:
    sim = before(degrees, 90.0)
    for _ in range(150):
        sim.tick(RUN)
        assert sim.player.steered.transient & GROUNDED == GROUNDED
    top = feet(sim)
    assert top[2] > 14.0
    sim.apply_edit(FacePlayer(270.0))
    hold(sim, 3.0, RUN)
    assert feet(sim)[2] < top[2] - 2.0


@pytest.mark.parametrize("degrees", [52.0, 60.0, 68.0])
def test_a_player_who_falls_onto_a_too_steep_hill_slides_to_its_foot(degrees: float) -> None:
    """In a high arc, so that he comes down on the slope: in contact with it, but never on walkable ground."""
    sim = before(degrees, 90.0, x=66.0)
    hold(sim, 0.3)
    sim.apply_edit(SetVelocity(sim.player.id, 4.0, 0.0, 9.0))
    slid: list[float] = []
    for _ in range(200):
        sim.tick()
        if sim.player.steered.transient & GROUNDED == TS_CONTACT:
            slid.append(feet(sim)[2])
    assert slid[0] > 11.0
    assert slid == sorted(slid, reverse=True)
    x, _, z = feet(sim)
    assert z == pytest.approx(10.0, abs=0.01)
    assert x < FOOT
    assert sim.player.steered.transient & GROUNDED == GROUNDED


def sled_speed(rules: RuleSet, degrees: float) -> float:
    """The speed of a player on a sled one second after a push down a slope at 3 m/s."""
    sim = before(degrees, 270.0, x=100.0, rules=rules)
    hold(sim, 0.5)
    sim.apply_edit(SetStateBits(sim.player.id, SLEDDING, True))
    slope = math.radians(degrees)
    sim.apply_edit(SetVelocity(sim.player.id, -3.0 * math.cos(slope), 0.0, -3.0 * math.sin(slope)))
    hold(sim, 1.0)
    return math.hypot(*sim.player.steered.velocity)


def test_a_sled_accelerates_downhill_but_stops_without_its_rule() -> None:
    ace = RuleSet()
    ace.set_form("sledding", "ace")
    assert sled_speed(RuleSet(), 20.0) > 4.0
    assert sled_speed(ace, 20.0) < 0.5
