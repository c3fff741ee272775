"""The player's place in a newly opened world."""

from __future__ import annotations

import logging

import pytest

from editor.session.loading import first_landblock
from editor.session.sources import DEMO, open_source
from editor.session.spawn import simulation_of
from engine.build import WorldBuilder, rect
from engine.sim.probes import RESOLVE
from engine.sim.tick.controls import Controls
from engine.world.cells.ids import is_env_cell


def test_the_demo_starts_in_the_cottages_parlour() -> None:
    from engine.build.demo import SPOTS

    with open_source(DEMO) as world:
        sim = simulation_of(world, DEMO, first_landblock(world, world.source.block_index()))
        assert sim.graph.current_id == SPOTS["cottage_parlour"].cell_id
        assert sim.player.steered.place.origin == pytest.approx(SPOTS["cottage_parlour"].origin, abs=0.05)


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
