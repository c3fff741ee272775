"""The widest body that gets by a closed door, against the sizes that the world was built with."""

from __future__ import annotations

from itertools import pairwise

import pytest

from editor.session.sources import DEMO, open_source
from engine.build import WorldBuilder, rect
from engine.sim.edits.doors import LockDoor
from engine.sim.edits.entities import MoveEntity, SetScale
from engine.sim.edits.player import SetPlayerNumber, Teleport
from engine.sim.edits.world import OpenLandblock
from engine.sim.passage.gaps import PRECISION, Gap, Walk, Way, gap_steps
from engine.sim.passage.trial import Trials, run_through
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import is_land_cell
from tests.sim.helpers.small_worlds import FORWARD, built, open_all, simulate, two_rooms

DOORWAY = 1.3
LEAF = 1.29
"""Metres: the width of the doorway of `two_rooms`, and of the leaf in it."""

DUNGEON_DOOR_CELL = 0x0007017C


def gap(sim: Simulation, way: Way) -> Gap:
    trials = Trials(sim, sim.population.doors[0].id)
    try:
        return run_through(gap_steps(trials, way))
    finally:
        trials.close()


def shifted(by: float) -> Simulation:
    """The door stands that far to the side, in the wall, so that it leaves as much of the doorway free."""
    sim = open_all(simulate(built(two_rooms)))
    door = sim.population.doors[0]
    x, y, z = door.frame.origin
    sim.apply_edit(MoveEntity(door.id, door.cell_id, x, y + by, z, door.frame.heading()))
    return sim


def hall_with_gate(scale: float) -> Simulation:
    """A low door that stands alone in the middle of a high hall."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 40, 40), height=12.0)
    study = world.room("study", rect(40.2, 0, 4, 4))
    world.door(hall, study, width=DOORWAY, name="door")
    sim = open_all(simulate(world.build()))
    door = sim.population.doors[0]
    sim.apply_edit(MoveEntity(door.id, door.cell_id, 20.0, 20.0, 0.0, 90.0))
    sim.apply_edit(SetScale(door.id, scale))
    return sim


def walk_of(found: Gap) -> Walk:
    assert found.walk is not None
    return found.walk


@pytest.mark.parametrize("way", Way)
def test_nobody_gets_by_a_door_that_fills_its_doorway(way: Way) -> None:
    assert gap(open_all(simulate(built(two_rooms))), way).walk is None


@pytest.mark.parametrize("free", [0.3, 0.5, 0.9, 1.2])
def test_the_widest_body_is_half_as_wide_as_what_the_leaf_leaves_free(free: float) -> None:
    radius = walk_of(gap(shifted(free), Way.BESIDE)).radius
    half = 0.5 * (free + 0.5 * (DOORWAY - LEAF))
    assert half - PRECISION - 0.004 <= radius <= half + 0.001


def walks_by(sim: Simulation, radius: float, lane: float) -> bool:
    """Whether a player of that size who walks ahead in the hall comes past the door in the running simulation."""
    door = sim.population.doors[0]
    sim.apply_edit(LockDoor(door.id, True))
    share = min(radius / sim.player.radius, 1.0)
    sim.apply_edit(SetPlayerNumber("step_down", sim.player.number("step_down") * share))
    sim.apply_edit(SetPlayerNumber("radius", radius))
    sim.apply_edit(Teleport(door.cell_id, 6.1 - 0.6 - radius, lane, 0.02, 90.0))
    for _ in range(60):
        sim.tick(FORWARD)
    return sim.player.origin()[0] > 6.3


@pytest.mark.parametrize("free", [0.5, 0.9])
def test_the_body_that_was_found_walks_by_and_a_wider_one_does_not(free: float) -> None:
    radius = walk_of(gap(shifted(free), Way.BESIDE)).radius
    edge = 2.0 - 0.5 * LEAF + free
    assert walks_by(shifted(free), radius, edge - radius - 0.002)
    wider = radius + 2.0 * PRECISION
    lanes = [edge - wider + 0.01 * number for number in range(-4, 5)]
    assert not any(walks_by(shifted(free), wider, lane) for lane in lanes)


def test_the_walk_is_kept_tick_by_tick_with_the_body_that_made_it() -> None:
    walk = walk_of(gap(shifted(0.5), Way.BESIDE))
    assert walk.spheres[0].radius == pytest.approx(walk.radius)
    places = [origin for _, origin in walk.track]
    assert all(abs(a[0] - b[0]) < 0.11 for a, b in pairwise(places))
    assert min(place[0] for place in places) < 6.0 < 6.2 < max(place[0] for place in places)


def test_a_way_around_the_house_is_no_way_by_its_door() -> None:
    """The front door of the demo's cottage, pushed aside until its leaf sticks out of the porch."""
    with open_source(DEMO) as world:
        sim = open_all(Simulation(world))
        door = sim.population.doors[1]
        assert door.name == "Front Door"
        x, y, z = door.frame.origin
        sim.apply_edit(MoveEntity(door.id, door.cell_id, x + 0.7, y - 0.1, z, door.frame.heading()))
        trials = Trials(sim, door.id)
        found = run_through(gap_steps(trials, Way.BESIDE))
        trials.close()
        ends = {is_land_cell(walk_of(found).track[end][0]) for end in (0, -1)}
        assert ends == {True, False}
        assert walk_of(found).radius < 0.4


def test_a_doorway_with_a_cell_of_its_own_leads_a_body_of_any_size_by() -> None:
    """The double door of the demo's dungeon stands in a cell so thin that where a walk begins and ends in it goes by
    the size of the body."""
    with open_source(DEMO) as world:
        sim = Simulation(world)
        sim.apply_edit(OpenLandblock(DUNGEON_DOOR_CELL))
        door = sim.population.doors[0]
        assert door.name == "Double Door"
        x, y, z = door.frame.local_to_global((0.5, 0.0, 0.0))
        sim.apply_edit(MoveEntity(door.id, door.cell_id, x, y, z, door.frame.heading()))
        assert 0.24 <= walk_of(gap(sim, Way.BESIDE)).radius <= 0.255


def test_everybody_walks_around_a_door_that_stands_alone() -> None:
    assert gap(hall_with_gate(0.3), Way.BESIDE).is_open


def test_a_jump_leads_over_a_low_gate_and_not_over_a_high_one() -> None:
    low = gap(hall_with_gate(0.3), Way.OVER)
    walk = walk_of(low)
    above = [origin[2] for _, origin in walk.track if abs(origin[0] - 20.0) < 0.1]
    assert above
    assert min(above) > 0.3
    assert gap(hall_with_gate(1.0), Way.OVER).walk is None


def test_a_jump_that_slides_by_beside_the_leaf_leads_not_over_it() -> None:
    """The double door of the demo's dungeon, smaller and askew, so that its leaf leads those who run at it aside."""
    with open_source(DEMO) as world:
        sim = Simulation(world)
        sim.apply_edit(OpenLandblock(DUNGEON_DOOR_CELL))
        door = sim.population.doors[0]
        x, y, z = door.frame.local_to_global((0.2, 0.0, 0.0))
        sim.apply_edit(MoveEntity(door.id, door.cell_id, x, y, z, door.frame.heading() + 10.0))
        sim.apply_edit(SetScale(door.id, 0.6))
        assert gap(sim, Way.BESIDE).walk is not None
        assert gap(sim, Way.OVER).walk is None
