"""A landblock searched by walking: what is come to and what is not, and that the slices make no difference."""

from __future__ import annotations

import pytest

from engine.build import Mesh, WorldBuilder, rect
from engine.build.shapes.solids import box
from engine.entities.bodies import PlayerBody
from engine.explore.forms.settings import DoorsAs, How, Seed, Settings, Standing
from engine.explore.listening import SearchListener
from engine.explore.search import Search
from engine.sim.errors import SimError
from tests.explore.searches import begun, cells_of, searched, seed_in
from tests.sim.helpers.small_worlds import built, furnished, house, open_rooms, two_rooms, with_cellar

pytestmark = pytest.mark.unwatched


def test_an_open_doorway_leads_to_the_other_room() -> None:
    world = built(open_rooms)
    search = searched(world, [seed_in(world, "hall", 2, 2)], jumps=False)
    assert {world.cell_id("hall"), world.cell_id("study")} <= cells_of(search)
    assert search.is_finished
    assert not search.is_full
    assert search.expand(1) == 0


def test_a_closed_door_keeps_the_body_out() -> None:
    world = built(two_rooms)
    seed = seed_in(world, "hall", 2, 2)
    study = world.cell_id("study")
    for doors, leads_in in ((DoorsAs.AS_THEY_ARE, False), (DoorsAs.OPEN, True), (DoorsAs.USED, True)):
        assert (study in cells_of(searched(world, [seed], doors=doors, jumps=False))) == leads_in


def test_every_place_is_come_to_on_its_grid() -> None:
    world = built(open_rooms)
    search = searched(world, [seed_in(world, "hall", 2, 2)], grid=0.25, jumps=False)
    hall = world.cell_id("hall")
    squares = {
        (int(x // 0.5), int(y // 0.5))
        for cell, x, y in zip(search.columns.cell, search.columns.x, search.columns.y, strict=True)
        if cell == hall
    }
    assert {(x, y) for x in range(1, 11) for y in range(1, 7)} <= squares


def test_what_is_too_high_for_a_step_needs_a_jump() -> None:
    world = built(with_block)
    seed = seed_in(world, "room", 2, 2)
    search = searched(world, [seed])
    on_block = _states_above(search, 1.2)
    assert {search.columns.needs[state] for state in on_block} == {How.JUMP}
    assert {search.columns.needs[state] for state in range(search.count)} >= {How.SEED, How.WALK, How.JUMP}
    assert not _states_above(searched(world, [seed], jumps=False), 1.2)


def test_from_a_height_only_a_jump_leads_down() -> None:
    world = built(with_block)
    seed = seed_in(world, "room", 5, 5, 3.2)
    search = searched(world, [seed])
    low = [state for state in range(search.count) if search.columns.z[state] < 0.1]
    assert {search.columns.needs[state] for state in low} == {How.JUMP}
    above = searched(world, [seed], jumps=False)  # edges hold who walks (EDGE_SLIDE)
    assert min(above.columns.z) > 3.0


def test_a_cellar_is_come_to_by_its_stairs() -> None:
    world = built(with_cellar)
    search = searched(world, [seed_in(world, "room", 5, 1)], jumps=False, grid=0.25)
    low = [state for state in range(search.count) if search.columns.z[state] < -2.9]
    assert low
    assert search.columns.standing[low[0]] == Standing.FLOOR


def test_outdoors_ends_at_the_border_of_the_landblock() -> None:
    search = begun(built(house), [Seed(0xC95BFFFF, (2.0, 2.0, 20.0), 0.0, "corner")], jumps=False)
    search.expand(60)
    columns = search.columns
    beyond = [state for state in range(search.count) if columns.standing[state] == Standing.BEYOND]
    assert beyond
    assert not any(search.is_expanded(state) for state in beyond)
    assert all(columns.cell[state] >> 16 != 0xC95B for state in beyond)


def test_slices_make_no_difference() -> None:
    world = built(furnished)
    seeds = [seed_in(world, "room", 5, 2)]
    whole, sliced = begun(world, seeds), begun(world, seeds)
    while whole.expand(100_000):
        pass
    while sliced.expand(7):
        pass
    assert whole.count == sliced.count
    for name in ("x", "y", "z", "heading", "parent", "ticks", "look", "how", "ends_start"):
        assert getattr(whole.columns, name) == getattr(sliced.columns, name)


def test_a_seed_in_a_wall_is_refused_with_the_reason() -> None:
    world = built(with_block)
    search = searched(world, [seed_in(world, "room", 5, 5, 1.0), seed_in(world, "room", 5, 2)])
    assert [number for number, _ in search.refused] == [0]
    assert "free spot" in search.refused[0][1]
    assert search.count > 10
    assert search.seed_of(search.count - 1) == 1


def test_a_search_ends_at_its_most_states() -> None:
    world = built(open_rooms)
    search = searched(world, most_states=50, jumps=False)
    assert search.is_full
    assert search.is_finished
    assert 50 <= search.count < 90


def test_the_ends_of_a_state_are_where_its_walks_led() -> None:
    world = built(open_rooms)
    search = searched(world, [seed_in(world, "hall", 2, 2)])
    for state in range(search.count):
        if search.columns.parent[state] >= 0:
            parent = search.columns.parent[state]
            assert state in search.ends_of(parent) + search.jump_ends_of(parent)


def test_the_nearest_state_is_in_the_cell_that_was_asked_for() -> None:
    world = built(open_rooms)
    search = searched(world, [seed_in(world, "hall", 2, 2)], jumps=False)
    study = world.cell_id("study")
    state = search.nearest(study, (8.0, 2.0, 0.0))
    assert search.columns.cell[state] == study
    assert search.columns.x[state] == pytest.approx(8.0, abs=0.6)
    assert search.columns.y[state] == pytest.approx(2.0, abs=0.6)


def test_a_listener_hears_every_tick_and_changes_nothing() -> None:
    world = built(furnished)
    seeds = [seed_in(world, "room", 5, 2)]
    silent, heard = begun(world, seeds), begun(world, seeds)
    listener = Counting()
    heard.listener = listener
    while silent.expand(500):
        pass
    while heard.expand(500):
        pass
    assert listener.ticks == heard.ticks == silent.ticks
    assert listener.arrivals > listener.new == heard.count
    assert heard.columns.x == silent.columns.x


class Counting(SearchListener):
    def __init__(self) -> None:
        super().__init__()
        self.ticks = self.arrivals = self.new = 0

    def ticked(self, search: Search, body: PlayerBody, ok: bool) -> None:
        self.ticks += 1

    def arrived(self, search: Search, state: int, is_new: bool) -> None:
        self.arrivals += 1
        self.new += is_new


@pytest.mark.parametrize("flaw", [{"grid": 0.0}, {"headings": 7}, {"run": False, "walk": False}, {"charges": (0.0,)}])
def test_settings_that_make_no_sense_are_refused(flaw: dict[str, object]) -> None:
    with pytest.raises(SimError):
        Settings(**flaw)  # type: ignore[arg-type]  # its fields by name


def with_block() -> WorldBuilder:
    """A room with a block of 1.3 m, and one of 3.2 m in its middle."""
    world = WorldBuilder()
    room = world.room("room", rect(0, 0, 10, 10), height=8.0)
    room.put(Mesh.of("block", box(-1.0, -1.0, 0.0, 2.0, 2.0, 1.3, "stone")), (2, 8))
    room.put(Mesh.of("tower", box(-1.0, -1.0, 0.0, 2.0, 2.0, 3.2, "stone")), (5, 5))
    return world


def _states_above(search: Search, height: float) -> list[int]:
    columns = search.columns
    return [
        state
        for state in range(search.count)
        if columns.z[state] > height and columns.standing[state] == Standing.FLOOR and columns.z[state] < 3.0
    ]
