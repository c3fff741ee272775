"""What can be added to a world, and where a new thing is placed."""

from __future__ import annotations

import pytest

from editor.authoring.catalogue import catalogue, duplicate, free_guid, models, spot_in
from editor.authoring.cell_edits import room_of
from editor.session.sources import DEMO, open_source
from engine.physics.flags import ETHEREAL
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor, SetResetInterval
from engine.sim.edits.entities import SetStateBits
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from tests.sim.helpers.small_worlds import built, furnished, open_all, simulate, standing, two_rooms


def test_doors_come_first_and_each_kind_and_model_once() -> None:
    with open_source(DEMO) as world:
        patterns = catalogue(Simulation(world))
    kinds = [pattern.is_door for pattern in patterns]
    assert kinds == sorted(kinds, reverse=True)
    assert kinds[0]
    assert len({(pattern.spec.kind, pattern.spec.setup_id) for pattern in patterns}) == len(patterns)


def test_models_are_told_with_their_sizes() -> None:
    sim = standing(built(furnished), "room", (5.0, 3.0))
    titles = [model.title.split("  ")[1] for model in models(sim)]
    assert titles == ["0.8 × 0.8 × 0.8 m", "1.0 × 1.0 × 0.5 m", "3.0 × 3.0 × 2.5 m"]


def test_a_new_thing_is_placed_before_the_player_or_in_the_middle_of_the_room() -> None:
    sim = standing(built(furnished), "room", (5.0, 2.0), 0.0)
    room = room_of(sim, sim.graph.current_id)
    ahead = spot_in(sim, room)
    assert ahead.origin == pytest.approx((5.0, 3.6, 0.0), abs=1e-4)
    assert ahead.heading() == pytest.approx(180.0)
    elsewhere = simulate(built(furnished))
    elsewhere.surroundings.join(room.id)
    cell = elsewhere.graph.get_visible(room.id)
    assert isinstance(cell, EnvCell)
    assert spot_in(elsewhere, cell).origin == pytest.approx((5.0, 5.0, 0.8), abs=1e-4), "on the crate that stands there"


def test_the_duplicate_of_a_door_that_stands_open_is_closed_and_solid() -> None:
    sim = open_all(simulate(built(two_rooms)))
    door = sim.population.doors[0]
    sim.apply_edit(OpenDoor(door.id))
    for ticks in (1, 60):
        for _ in range(ticks):
            sim.tick()
        assert _is_solid(sim, _double(sim, door.id))
    sim.apply_edit(CloseDoor(door.id))
    assert not _is_solid(sim, door.id), "its leaves are on their way"
    assert _is_solid(sim, _double(sim, door.id))


def test_a_duplicated_door_has_the_lock_the_interval_and_the_switched_bits() -> None:
    sim = open_all(simulate(built(two_rooms)))
    door = sim.population.doors[0]
    for edit in (
        LockDoor(door.id, True),
        SetResetInterval(door.id, 5.0),
        SetStateBits(door.id, ETHEREAL, True),
    ):
        sim.apply_edit(edit)
    double = sim.population.door(_double(sim, door.id))
    assert (double.locked, double.reset_interval, _is_solid(sim, double.id)) == (True, 5.0, False)


def test_a_second_door_of_a_name_gets_the_first_free_number() -> None:
    sim = open_all(simulate(built(two_rooms)))
    door = sim.population.doors[0]
    names = [sim.population.door(_double(sim, door.id)).name for _ in range(2)]
    assert names == [f"{door.name} 2", f"{door.name} 3"]
    third = sim.population.find(_double(sim, sim.population.doors[-1].id))
    assert third is not None
    assert third.name == f"{door.name} 4"


def _double(sim: Simulation, door_id: int) -> int:
    guid = free_guid(sim)
    for edit in duplicate(sim, door_id, guid):
        sim.apply_edit(edit)
    return guid


def _is_solid(sim: Simulation, door_id: int) -> bool:
    return not sim.population.state_of(door_id) & ETHEREAL
