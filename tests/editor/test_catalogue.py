"""What can be put into a world, and where a new thing is put."""

from __future__ import annotations

import pytest

from editor.catalogue import catalogue, models, spot_in
from editor.cell_edits import room_of
from editor.opening import DEMO, open_source
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from tests.sim.small_worlds import built, furnished, simulate, standing


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


def test_a_new_thing_is_put_before_the_player_or_on_the_floor_in_the_middle_of_the_room() -> None:
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
