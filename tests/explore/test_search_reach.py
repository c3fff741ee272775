"""The seeds of a landblock, and the reach map of a search."""

from __future__ import annotations

import numpy as np
import pytest

from engine.build.demo import SPOTS, ensure_demo
from engine.explore.forms.seeds import floors_of, seeds_of
from engine.explore.forms.settings import How, Seed
from engine.explore.results.reach import Reach
from engine.explore.search import Search
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import landblock_id
from engine.world.loader import open_world
from tests.explore.searches import QUICK, begun, searched, seed_in
from tests.sim.helpers.small_worlds import built, house, open_rooms, two_rooms

pytestmark = pytest.mark.unwatched


def test_a_closed_door_leaves_the_floor_behind_it_unreached() -> None:
    world = built(two_rooms)
    reach = Reach(searched(world, [seed_in(world, "hall", 2, 2)], jumps=False))
    assert {floor.cell_id for floor in reach.unreached_floors()} >= {world.cell_id("study")}
    assert world.cell_id("hall") not in {floor.cell_id for floor in reach.unreached_floors()}


def test_an_open_doorway_leaves_no_floor_unreached() -> None:
    world = built(open_rooms)
    reach = Reach(searched(world, [seed_in(world, "hall", 2, 2)], jumps=False))
    assert reach.unreached_floors() == []


def test_cells_say_how_and_how_soon_they_were_come_to() -> None:
    world = built(open_rooms)
    search = searched(world, [seed_in(world, "hall", 2, 2)], jumps=False)
    cells = {each.cell_id: each for each in Reach(search).by_cell()}
    hall, study = cells[world.cell_id("hall")], cells[world.cell_id("study")]
    assert (hall.needs, study.needs) == (How.SEED, How.WALK)
    assert hall.ticks < study.ticks
    assert search.columns.cell[study.state] == study.cell_id
    assert sum(each.places for each in cells.values()) == len(Reach(search))


def test_rows_of_a_reach_map_are_states_of_the_search() -> None:
    world = built(open_rooms)
    search = searched(world, [seed_in(world, "hall", 2, 2), seed_in(world, "study", 8, 2)], jumps=False)
    reach = Reach(search)
    for row in range(0, len(reach), 7):
        state = int(reach.states[row])
        assert reach.point_of(row) == (search.columns.x[state], search.columns.y[state], search.columns.z[state])
        assert reach.seeds[row] == search.seed_of(state)
    assert set(reach.seeds.tolist()) == {0, 1}


def test_a_square_of_the_map_has_its_soonest_place() -> None:
    world = built(open_rooms)
    reach = Reach(searched(world, [seed_in(world, "hall", 2, 2)], jumps=False))
    squares = reach.grid([world.cell_id("hall")], 2.0)
    assert {(x, y) for x, y, _ in squares} == {(x, y) for x in range(3) for y in range(2)}
    for (x, y, z), row in squares.items():
        inside = np.floor(reach.points / (2.0, 2.0, 1.0)) == (x, y, z)
        there = inside.all(axis=1) & (reach.cells == world.cell_id("hall"))
        assert reach.ticks[row] == reach.ticks[there].min()


def test_a_reach_map_stays_as_it_is_while_the_search_goes_on() -> None:
    world = built(open_rooms)
    search = begun(world, [seed_in(world, "hall", 2, 2)])
    search.expand(20)
    reach = Reach(search)
    count = len(reach)
    search.expand(40)
    assert len(reach) == count < len(Reach(search))


def test_both_sides_of_doors_and_every_floor_are_seeds() -> None:
    world = built(two_rooms)
    sim = Simulation(world.load())
    spot = Seed(world.cell_id("hall"), (1.0, 1.0, 0.0), 90.0, "spot: chest")
    seeds = seeds_of(sim, world.cell_id("hall"), [spot])
    assert seeds[0] == spot
    kinds = [seed.why.split()[0] for seed in seeds[1:]]
    assert kinds.count("door") == 2
    assert kinds.count("floor") == len(floors_of(sim, landblock_id(world.cell_id("hall")))) >= 2
    assert "portal" in kinds


def test_the_ground_is_a_seed_where_people_walk_outdoors() -> None:
    sim = Simulation(built(house).load())
    ground = [seed for seed in seeds_of(sim, 0xC95BFFFF) if seed.why == "ground"]
    assert len(ground) == 63, "the house stands on the middle of a land cell"
    assert {seed.origin[2] for seed in ground} == {20.0}


def test_most_seeds_of_the_demo_world_take_a_body() -> None:
    sim = Simulation(open_world(ensure_demo()))
    block = landblock_id(SPOTS["great_hall"].cell_id)
    seeds = seeds_of(sim, block)
    assert not [seed for seed in seeds if seed.why == "ground"]
    search = Search(sim, seeds, QUICK)
    search.expand(len(seeds))
    assert search.count > 0.7 * len(seeds)
    assert len(search.refused) < 0.1 * len(seeds)
