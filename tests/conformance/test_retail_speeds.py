"""Our player reaches the speeds of recorded retail clients (fixtures/retail-trace/README.md: run skill 110, no
burden)."""

from __future__ import annotations

import pytest

from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from tests.entities.test_sequence import pitched
from tests.sim.helpers.small_worlds import hold


def runner() -> Simulation:
    sim = pitched()
    hold(sim, 0.5, Controls(forward=1.0, run=True))
    return sim


def test_the_run_rate_matches_the_packets() -> None:
    assert runner().player.steered.interp.run_rate() == pytest.approx(1.9758065, abs=1e-6)


def test_a_run_is_as_fast_as_in_the_recordings() -> None:
    sim = runner()
    before = sim.player.origin()[1]
    hold(sim, 82.0 / 30.0, Controls(forward=1.0, run=True))  # two rounds of a tick with one frame among forty with two
    assert (sim.player.origin()[1] - before) / (82.0 / 30.0) == pytest.approx(7.9032259, abs=0.05)
    assert sim.player.steered.interp.performer.sequence.velocity[1] == pytest.approx(7.9032259, abs=1e-5)


def test_the_smallest_jump_takes_off_as_in_the_recordings() -> None:
    sim = pitched()
    hold(sim, 0.1, Controls(forward=1.0, run=True))
    sim.tick(Controls(forward=1.0, run=True, jump=True))
    interp = sim.player.steered.interp
    interp.jump_extent = 0.001
    assert interp.get_leave_ground_velocity() == pytest.approx((0.0, 7.9032259, 2.6191602), abs=1e-5)


def test_a_running_player_turns_as_fast_as_in_the_recordings() -> None:
    sim = runner()
    start = sim.player.steered.place.turn.heading()
    hold(sim, 2.0, Controls(forward=1.0, turn=1.0, run=True))
    assert ((sim.player.steered.place.turn.heading() - start) % 360.0) / 2.0 == pytest.approx(133.9, abs=3.0)


def test_a_player_on_level_ground_stands_5_mm_above_it() -> None:
    assert pitched().player.origin()[2] == pytest.approx(0.005, abs=1e-4)
