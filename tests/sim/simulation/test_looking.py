"""Turning by the mouse: degrees that a tick's controls hold, at once and without a sweep."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.sim.tick.controls import Controls
from tests.sim.helpers.small_worlds import built, feet, simulate, two_rooms


@given(st.lists(st.floats(-180.0, 180.0), min_size=1, max_size=6))
def test_a_tick_turns_the_player_by_what_the_mouse_turned(turns: list[float]) -> None:
    sim = simulate(built(two_rooms))
    sim.tick()
    where, heading = feet(sim), sim.player.steered.place.turn.heading()
    for turn in turns:
        sim.tick(Controls(look=turn))
        heading += turn
        away = (sim.player.steered.place.turn.heading() - heading + 180.0) % 360.0 - 180.0
        assert away == pytest.approx(0.0, abs=0.01)
    assert feet(sim) == where
