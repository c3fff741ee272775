"""Entities become active with their landblocks, and unopened ones cost nothing (physics.md 15.1)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.physics.errors import PhysicsError
from engine.sim.edits.catalogue import name_of
from engine.sim.edits.doors import OpenDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import AddEntity, RemoveEntity, SetVelocity, spec_text
from engine.sim.edits.player import Teleport
from engine.sim.edits.world import OpenLandblock
from engine.sim.playback import verify
from engine.sim.recording import Recorder
from engine.sim.tick.simulation import Simulation
from engine.world.loader import open_world
from engine.world.world import World
from tests.many_landblocks import FIRST_DOOR, huts, write_many
from tests.sim.helpers.small_worlds import FORWARD, RUN, hold

COLUMNS, ROWS = 24, 50
ON_LAND = (24.0, 96.0, 40.0, 0.0)
FAR = 1_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hut with a door on each of 1,200 landblocks."""
    return write_many(tmp_path_factory.mktemp("many"), COLUMNS, ROWS, 1, COLUMNS * ROWS)


@pytest.fixture
def world(folder: Path) -> Iterator[World]:
    with open_world(folder) as opened:
        yield opened


def stand_in(sim: Simulation, block_id: int) -> None:
    sim.apply_edit(Teleport(block_id & 0xFFFF0000 | 0x0005, *ON_LAND))


def test_the_list_of_entities_loads_no_landblock(world: World) -> None:
    sim = Simulation(world)
    assert sim.population.ordered == []
    assert world.graph.landblocks() == []
    assert len(world.entities) == COLUMNS * ROWS


def test_a_landblocks_entities_are_active_once_the_player_is_near(world: World) -> None:
    sim = Simulation(world)
    stand_in(sim, huts(COLUMNS, ROWS, 1)[5 * ROWS + 5])
    assert len(sim.population.doors) == 9
    assert all(sim.surroundings.has(door.cell_id) for door in sim.population.doors)


def test_a_walk_over_a_border_activates_landblocks_and_replays(world: World, folder: Path) -> None:
    sim = Simulation(world)
    sim.apply_edit(Teleport(0x05050008, 5.0, 190.0, 20.0, 0.0))
    with Recorder(sim) as recorder:
        hold(sim, 2.0, RUN)
    assert sim.player.place_cell() >> 16 == 0x0506
    assert 0x0507FFFF in sim.surroundings.joined
    assert len(sim.population.doors) == 12
    with open_world(folder) as other:
        again = Simulation(other)
        other.landblock(0x1010FFFF)  # looked at, which is nothing to a run
        assert verify(again, recorder.recording) is None
        assert again.state_hash() == sim.state_hash()


def test_viewing_a_landblock_activates_no_entity(world: World) -> None:
    sim = Simulation(world)
    stand_in(sim, 0x0505FFFF)
    before = sim.state_hash()
    world.landblock(0x1010FFFF)
    assert sim.state_hash() == before


def test_opening_a_landblock_is_a_recorded_edit(world: World, folder: Path) -> None:
    sim = Simulation(world)
    heard: list[Edit] = []
    sim.listen(lambda tick, edit: heard.append(edit))
    stand_in(sim, 0x0505FFFF)
    with Recorder(sim) as recorder:
        sim.apply_edit(OpenLandblock(0x10100003))
        sim.apply_edit(OpenLandblock(0x1010FFFF))
        sim.tick(FORWARD)
    assert [name_of(edit) for edit in heard] == ["teleport", "open_landblock"]
    assert [door.cell_id >> 16 for door in sim.population.doors][-1] == 0x1010
    with open_world(folder) as other:
        assert verify(Simulation(other), recorder.recording) is None


def test_a_missing_landblock_cannot_be_opened(world: World) -> None:
    with pytest.raises(PhysicsError, match="0xF0F0FFFF"):
        Simulation(world).apply_edit(OpenLandblock(0xF0F00001))


def test_editing_a_distant_entity_opens_its_landblock_first_and_replays(world: World, folder: Path) -> None:
    sim = Simulation(world)
    stand_in(sim, 0x0505FFFF)
    with Recorder(sim) as recorder:
        sim.apply_edit(OpenDoor(FIRST_DOOR + FAR))
        with pytest.raises(PhysicsError):
            sim.apply_edit(SetVelocity(FIRST_DOOR + FAR + 1, 1.0, 0.0, 0.0))  # refused: a door cannot move
        sim.tick()
    assert sim.population.door(FIRST_DOOR + FAR).is_open
    with open_world(folder) as other:
        assert verify(Simulation(other), recorder.recording) is None


def test_naming_a_removed_entity_does_not_bring_it_back(world: World) -> None:
    sim = Simulation(world)
    sim.apply_edit(RemoveEntity(FIRST_DOOR + FAR))
    with pytest.raises(PhysicsError, match="no entity"):
        sim.apply_edit(OpenDoor(FIRST_DOOR + FAR))


def test_no_added_entity_gets_an_id_of_the_worlds_list(world: World) -> None:
    sim = Simulation(world)
    stand_in(sim, 0x0505FFFF)
    spec = world.entities[FAR]
    with pytest.raises(PhysicsError, match="already"):
        sim.apply_edit(AddEntity(spec_text(spec)))


def test_a_refused_teleport_activates_no_entity(world: World) -> None:
    sim = Simulation(world)
    stand_in(sim, 0x0505FFFF)
    before = sim.snapshot()
    with pytest.raises(PhysicsError):
        sim.apply_edit(Teleport(0x101001FF, 24.0, 96.0, 400.0, 0.0))
    assert sim.snapshot() == before


def test_restoring_brings_back_exactly_the_active_entities(world: World) -> None:
    sim = Simulation(world)
    stand_in(sim, 0x0505FFFF)
    before = sim.snapshot()
    stand_in(sim, 0x1010FFFF)
    after = sim.snapshot()
    sim.restore(before)
    assert sim.snapshot() == before
    assert not sim.surroundings.has(0x1010FFFF)
    assert len(sim.population.doors) == 9
    stand_in(sim, 0x1010FFFF)
    assert sim.snapshot() == after


@pytest.mark.slow
def test_entering_a_thousand_landblocks_takes_constant_time_each(world: World) -> None:
    sim = Simulation(world)
    took: list[float] = []
    for block_id in huts(COLUMNS, ROWS, 1)[:1_000]:
        begun = time.process_time()
        world.landblock(block_id)
        stand_in(sim, block_id)
        sim.tick(FORWARD)
        took.append(time.process_time() - begun)
    assert len(sim.population.doors) > 900
    assert min(took[-50:]) < 2.0 * min(took[50:100])
