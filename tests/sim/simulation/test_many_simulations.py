"""Any number of simulations run over one loaded world, each as if it had the world to itself."""

from __future__ import annotations

import gc
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.build.demo import SPOTS, ensure_demo
from engine.physics.errors import PhysicsError
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.doors import OpenDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import MoveEntity, RemoveEntity
from engine.sim.edits.player import Teleport
from engine.sim.edits.rules import SetRuleSet
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.faults import WorldError
from engine.world.loader import open_world
from engine.world.world import World
from tests.sim.helpers.rival_runs import Action, Run, actions, contents, edits, things_of_village, village, whole

SHARE_OF_MEMORY = 0.05
SECONDS_APART = 30


def assert_untouched(world: World, cells: dict[int, int]) -> None:
    """A loaded world has empty cells, which are those that it was loaded with, and no current one."""
    assert world.graph.current_id == 0
    for cell in world.graph.all_cells():
        assert (cell.shadow_objects, cell.object_list) == ([], [])
        assert cells.setdefault(cell.id, id(cell)) == id(cell)


@pytest.mark.unwatched
@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 1), actions()), max_size=24))
def test_two_runs_over_one_world_are_as_over_two_worlds(steps: list[tuple[int, Action]]) -> None:
    shared, cells = village().load(), dict[int, int]()
    together = [Run(shared), Run(shared)]
    apart = [Run(village().load()), Run(village().load())]
    for which, action in steps:
        other = whole(together[1 - which].sim)
        refused = together[which].act(action, (PhysicsError, WorldError))
        assert refused == apart[which].act(action, (PhysicsError, WorldError))
        assert whole(together[which].sim) == whole(apart[which].sim)
        assert whole(together[1 - which].sim) == other, "nothing reaches the other simulation"
        assert_untouched(shared, cells)
    for run, alone in zip(together, apart, strict=True):
        run.act(Controls(forward=1.0), ())
        alone.act(Controls(forward=1.0), ())
        assert whole(run.sim) == whole(alone.sim)


@given(edits())
@pytest.mark.unwatched
def test_an_edit_in_one_is_seen_by_no_other(edit: Edit) -> None:
    world = village().load()
    runs = [Run(world) for _ in range(3)]
    before = whole(runs[0].sim)
    runs[1].act(edit, (PhysicsError, WorldError))
    runs[1].act(Controls(forward=1.0, run=True), ())
    assert whole(runs[0].sim) == before
    assert whole(runs[2].sim) == before
    assert whole(Run(world).sim) == before, "nor by one that begins afterwards"


def test_a_snapshot_is_restored_in_another_simulation_of_the_world() -> None:
    world, known = village().load(), things_of_village()
    first, second = Run(world).sim, Run(world).sim
    crates = [thing_id for thing_id in known.things if thing_id in first.population.statics.things]
    lifted = next(room for room in known.rooms[::-1] if room.cell_id == known.study)
    for edit in (
        lifted,
        OpenDoor(known.door),
        RemoveEntity(crates[0]),
        MoveEntity(crates[1], *known.places[2], 30.0),
        SetRuleSet("ace"),
    ):
        first.apply_edit(edit)
    first.tick(Controls(forward=1.0))
    second.restore(first.snapshot())
    assert whole(second) == whole(first)
    for _ in range(SECONDS_APART):
        first.tick(Controls(forward=1.0, turn=1.0))
        second.tick(Controls(forward=1.0, turn=1.0))
    assert whole(second) == whole(first)


def test_a_simulation_goes_on_when_another_is_closed() -> None:
    world = village().load()
    first, second, alone = Run(world).sim, Run(world).sim, Run(village().load()).sim
    first.close()
    for sim in (second, alone):
        sim.apply_edit(Teleport(*things_of_village().places[5], 0.0))
        sim.tick(Controls(forward=1.0))
    assert whole(second) == whole(alone)


def test_a_simulation_of_a_fork_begins_as_the_world_was_loaded() -> None:
    known = things_of_village()
    sim = Run(village().load()).sim
    empty = known.rooms[3]
    assert isinstance(empty, ReplaceCell)
    sim.apply_edit(empty)
    again = Simulation(sim.world)
    assert again.world.loaded is sim.world.loaded
    assert again.graph.get_visible(empty.cell_id) is not sim.graph.get_visible(empty.cell_id)
    fresh = Simulation(village().load())
    fresh.graph.load_landblock(empty.cell_id)
    assert contents(again.world)[empty.cell_id] == contents(fresh.world)[empty.cell_id]


def test_simulations_share_what_a_run_does_not_change() -> None:
    world = village().load()
    first, second = Run(world).sim, Run(world).sim
    for cell in first.graph.all_cells():
        twin = second.graph.peek(cell.id)
        assert twin is not None
        assert twin is not cell
        for name in ("frame", "stab_list", "stab_set", "static_objects", "physics_tree", "cell_tree"):
            assert getattr(twin, name) is getattr(cell, name), name
    for thing_id in first.population.statics.things:
        mine, its = first.population.registry.entity(thing_id), second.population.registry.entity(thing_id)
        assert mine.obj is not its.obj
        assert mine.obj.rows is its.obj.rows


def test_a_second_simulation_of_the_demo_takes_a_twentieth_of_the_memory() -> None:
    spot = SPOTS["street"]

    def begin(world: World) -> Simulation:
        sim = Simulation(world)
        sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))
        gc.collect()
        return sim

    gc.collect()
    tracemalloc.start()
    try:
        with open_world(ensure_demo()) as world:
            kept = [begin(world)]
            first = tracemalloc.get_traced_memory()[0]
            kept.append(begin(world))
            second = tracemalloc.get_traced_memory()[0] - first
    finally:
        tracemalloc.stop()
    assert second < SHARE_OF_MEMORY * first, f"{second:,} beside {first:,} bytes"
    assert kept[0].state_hash() == kept[1].state_hash()
