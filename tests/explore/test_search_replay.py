"""The keys of a search, run again in a full simulation, end in the same bits."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import active_core
from engine.build.demo import SPOTS, ensure_demo
from engine.explore.forms.settings import DoorsAs, Seed, Settings
from engine.explore.results.recordings import recording_to
from engine.explore.saved_body import put_back, saved
from engine.explore.search import Search
from engine.sim.playback import Playback
from engine.sim.tick.simulation import Simulation
from engine.world.loader import open_world
from tests.explore.searches import QUICK, begun, player_of, replayed, seed_in, values_of
from tests.sim.helpers.small_worlds import built, furnished, house, two_rooms, with_cellar, with_people

pytestmark = pytest.mark.unwatched

WORLDS = {
    "furnished": (furnished, "room", (5.0, 2.0, 0.0), QUICK),
    "cellar": (with_cellar, "room", (5.0, 1.0, 0.0), QUICK),
    "doors": (two_rooms, "hall", (2.0, 2.0, 0.0), Settings(headings=8, doors=DoorsAs.USED, jumps=False)),
    "house": (house, "room", (108.0, 108.0, 20.0), QUICK),
    "people": (with_people, "hall", (10.0, 15.0, 0.0), QUICK),
}
MOST = 3000 if active_core() == "compiled" else 60
"""States that are expanded; the interpreted core takes a hundred times as long."""
KEYS = st.tuples(st.booleans(), st.booleans(), st.sampled_from([0.0, 90.0, -45.0]))


@cache
def search_of(name: str) -> Search:
    build, room, at, how = WORLDS[name]
    world = built(build)
    search = begun(world, [seed_in(world, room, *at)], how)
    search.expand(MOST)
    return search


@pytest.mark.parametrize("name", WORLDS)
@settings(max_examples=12, deadline=None)
@given(share=st.floats(0.0, 1.0, exclude_max=True))
def test_a_replay_ends_in_the_same_bits(name: str, share: float) -> None:
    search = search_of(name)
    assert_replays(search, int(share * search.count))


@pytest.mark.parametrize("name", WORLDS)
def test_the_last_state_replays(name: str) -> None:
    search = search_of(name)
    assert_replays(search, search.count - 1)


def assert_replays(search: Search, state: int) -> None:
    sim = replayed(search, state)
    columns = search.columns
    try:
        body = sim.player.steered
        assert body.place.cell_id == columns.cell[state]
        assert body.place.origin == (columns.x[state], columns.y[state], columns.z[state])
        assert body.place.turn.heading() == columns.heading[state]
        waiting = search.waiting_body(state)
        if waiting is not None:
            assert player_of(sim) == values_of(waiting)
    finally:
        sim.close()


@pytest.mark.parametrize("name", ["cottage_parlour", "inn_common_room", "steep_slope", "great_hall"])
@settings(max_examples=4, deadline=None)
@given(share=st.floats(0.0, 1.0, exclude_max=True))
def test_walks_of_the_demo_world_replay(name: str, share: float) -> None:
    search = demo_search(name)
    assert_replays(search, int(share * search.count))


@cache
def demo_search(name: str) -> Search:
    spot = SPOTS[name]
    sim = Simulation(open_world(ensure_demo()))
    search = Search(sim, [Seed(spot.cell_id, spot.origin, spot.heading, "spot")], Settings(charges=(1.0,)))
    search.expand(min(MOST, 400))
    return search


def test_a_recording_of_a_walk_plays_to_its_end() -> None:
    search = search_of("cellar")
    state = search.count - 1
    recording = recording_to(search, state)
    assert len(recording) == search.columns.since[state]
    sim = Simulation(search.sim.world.loaded)
    playback = Playback(sim, recording)
    playback.seek(recording.end)
    assert sim.player.origin() == (search.columns.x[state], search.columns.y[state], search.columns.z[state])


@settings(max_examples=20, deadline=None)
@given(keys=st.lists(KEYS, min_size=2, max_size=60))
def test_a_body_that_is_put_back_goes_on_as_before(keys: list[tuple[bool, bool, float]]) -> None:
    world = built(furnished)
    search = begun(world, [seed_in(world, "room", 5, 2)])
    search.expand(1)
    body = search.sim.player.steered
    half = len(keys) // 2
    _lead(search.sim, keys[:half])
    middle = saved(body)
    _lead(search.sim, keys[half:])
    once = values_of(saved(body))
    put_back(body, middle)
    assert values_of(saved(body)) == values_of(middle)
    _lead(search.sim, keys[half:])
    assert values_of(saved(body)) == once


def _lead(sim: Simulation, keys: list[tuple[bool, bool, float]]) -> None:
    body = sim.player.steered
    for run, jump, look in keys:
        body.look(look)
        body.steer(1.0, 0.0, 0.0, run, jump, 1.0 / 30.0)
        body.step(1.0 / 30.0)
