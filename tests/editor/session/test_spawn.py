"""The player's place in a newly opened world."""

from __future__ import annotations

import logging

import pytest

from editor.models.doors_ahead import door_ahead
from editor.places.place_text import read_place
from editor.session.sources import DEMO, open_source
from editor.session.spawn import first_landblock, simulation_of
from engine.build import WorldBuilder, rect
from engine.geometry.vec import distance
from engine.sim.probes import RESOLVE
from engine.sim.tick.controls import Controls
from engine.world.cells.ids import cell_text, is_env_cell
from engine.world.faults import WorldError


def test_the_demo_starts_two_metres_before_its_front_door_facing_it() -> None:
    from engine.build.demo import SPOTS

    with open_source(DEMO) as world:
        sim = simulation_of(world, DEMO, first_landblock(world, world.source.block_index()))
        assert sim.graph.current_id == SPOTS["cottage_parlour"].cell_id
        body = sim.player.steered
        assert body.place.origin == pytest.approx(SPOTS["cottage_before_front_door"].origin, abs=0.05)
        door = next(door for door in sim.population.doors if door.name == "Front Door")
        assert door_ahead(sim) is door
        begin = body.place.origin
        for _ in range(60):
            sim.tick(Controls(forward=1.0))
        assert 1.3 < distance(body.place.origin, begin) < 1.7  # his radius of 0.48 m is left
        assert not door.is_open


def test_any_other_world_starts_in_its_first_room() -> None:
    builder = WorldBuilder()
    builder.room("hall", rect(0, 0, 6, 4), height=2.8)
    world = builder.build().load()
    sim = simulation_of(world, "somewhere", first_landblock(world, world.source.block_index()))
    assert is_env_cell(sim.graph.current_id)
    assert sim.player.steered.place.origin[2] == pytest.approx(0.0, abs=0.05)


def test_land_without_rooms_starts_in_its_middle() -> None:
    builder = WorldBuilder()
    builder.landblock(0xC95B)
    world = builder.build().load()
    sim = simulation_of(world, "somewhere", 0xC95BFFFF)
    assert sim.player.steered.place.origin[:2] == pytest.approx((96.0, 96.0), abs=0.5)


def test_the_player_has_no_cell_in_a_world_without_landblocks() -> None:
    world = WorldBuilder().build().load()
    assert simulation_of(world, "somewhere", None).player.steered.cell is None


def test_an_enabled_probe_follows_the_player_from_the_start(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, RESOLVE.name)
    builder = WorldBuilder()
    builder.room("hall", rect(0, 0, 6, 4), height=2.8)
    world = builder.build().load()
    sim = simulation_of(world, "somewhere", first_landblock(world, world.source.block_index()))
    caplog.clear()
    sim.tick(Controls(forward=1.0))
    assert [record.getMessage()[:27] for record in caplog.records] == ["[resolve] body=0x50000001 f"]


def test_the_player_begins_at_a_written_place_of_any_landblock() -> None:
    from engine.build.demo import SPOTS

    spot = SPOTS["great_hall"]
    x, y, z = spot.origin
    with open_source(DEMO) as world:
        at = read_place(f"{cell_text(spot.cell_id)} [{x} {y} {z}] 1 0 0 0")
        player = simulation_of(world, DEMO, spot.cell_id | 0xFFFF, spot.cell_id, at).player
        assert player.place_cell() == spot.cell_id
        assert player.soles() == pytest.approx(spot.origin, abs=1e-3)
        assert player.steered.place.turn.heading() == 0.0


def test_a_written_place_that_the_world_lacks_is_refused_with_the_reason() -> None:
    with open_source(DEMO) as world, pytest.raises(WorldError, match="there is no cell 0xC95B01FF"):
        simulation_of(world, DEMO, 0xC95BFFFF, 0xC95B01FF, read_place("0xC95B01FF [1 2 3]"))


def test_the_player_begins_in_the_cell_that_is_wanted() -> None:
    from engine.build.demo import SPOTS

    with open_source(DEMO) as world:
        for spot in SPOTS.values():
            player = simulation_of(world, DEMO, spot.cell_id | 0xFFFF, spot.cell_id).player
            assert player.place_cell() == spot.cell_id
