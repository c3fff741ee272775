"""Searches that use doors, switches and plates; every walk replays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.entities.door import Door
from engine.explore.forms.settings import DoorsAs, Seed, Settings
from engine.explore.search import Search
from engine.geometry.frame import Frame
from engine.physics.flags import ETHEREAL
from engine.sim.edits.doors import LockDoor
from engine.sim.edits.entities import AddEntity, spec_text
from engine.sim.edits.world import OpenLandblock
from engine.sim.tick.simulation import Simulation
from tests.explore.searches import cells_of, replayed, seed_in
from tests.sim.helpers.small_worlds import built, two_rooms

pytestmark = pytest.mark.unwatched

THING = 0x70007101
USED = Settings(headings=8, grid=0.5, doors=DoorsAs.USED, jumps=False)


def search_of(sim: Simulation, at: Seed, settings: Settings = USED) -> Search:
    search = Search(sim, [at], settings)
    while search.expand(1000):
        pass
    return search


def rooms(locked: bool = False) -> Simulation:
    """Two rooms with a door, and the landblock of both."""
    made = built(two_rooms)
    sim = Simulation(made.load())
    sim.apply_edit(OpenLandblock(made.cell_id("hall")))
    if locked:
        sim.apply_edit(LockDoor(sim.population.doors[0].id, True))
    return sim


def add(sim: Simulation, kind: str, x: float, y: float, **extra: object) -> None:
    """Something with the model of the door; a plate does not stop a body."""
    like = built(two_rooms).entity("door")
    state = like.state | ETHEREAL if kind == "pressure plate" else like.state
    frame = Frame((x, y, like.frame.origin[2]), like.frame.rotation)
    cell_id = built(two_rooms).cell_id("hall")
    spec = replace(like, guid=THING, name=kind, kind=kind, frame=frame, extra=extra, cell_id=cell_id, state=state)
    sim.apply_edit(AddEntity(spec_text(spec)))


def in_hall() -> Seed:
    return seed_in(built(two_rooms), "hall", 2, 2)


def in_study() -> Seed:
    return seed_in(built(two_rooms), "study", 8, 2)


STUDY = built(two_rooms).cell_id("study")
HALL = built(two_rooms).cell_id("hall")


def test_a_locked_door_is_opened_from_behind_only() -> None:
    assert STUDY in cells_of(search_of(rooms(), in_hall()))
    fronts = {STUDY in cells_of(search_of(rooms(locked=True), in_hall()))}
    fronts.add(HALL in cells_of(search_of(rooms(locked=True), in_study())))
    assert fronts == {True, False}


def test_a_switch_opens_the_door_that_it_is_linked_to() -> None:
    sim = rooms()
    door = sim.population.doors[0]
    add(sim, "switch", 2.0, 3.5, activates=[door.id])
    search = search_of(sim, in_hall())
    assert STUDY in cells_of(search)
    assert len(set(search.columns.doors)) > 1
    assert_all_replay(search)


def test_a_plate_opens_its_door_and_the_walk_waits_for_it() -> None:
    sim = rooms()
    door = sim.population.doors[0]
    add(sim, "pressure plate", 4.0, 2.0, activates=[door.id])
    search = search_of(sim, in_hall())
    assert STUDY in cells_of(search)
    assert max(search.columns.waited) > 0
    assert_all_replay(search)


@pytest.mark.parametrize("doors", [DoorsAs.AS_THEY_ARE, DoorsAs.OPEN])
def test_a_plate_does_nothing_while_doors_stay_as_they_are(doors: DoorsAs) -> None:
    sim = rooms()
    add(sim, "pressure plate", 4.0, 2.0, activates=[sim.population.doors[0].id])
    search = search_of(sim, in_hall(), replace(USED, doors=doors))
    assert (STUDY in cells_of(search)) == (doors is DoorsAs.OPEN)
    assert_all_replay(search)


def test_doors_that_use_each_other_replay() -> None:
    sim = rooms()
    door = sim.population.doors[0]
    add(sim, "door", 3.0, 3.5, activates=[door.id])
    door.activates = [THING]
    assert_all_replay(search_of(sim, in_hall()))


def test_a_used_door_is_open_after_the_replay_too() -> None:
    search = search_of(rooms(), in_hall())
    state = next(each for each in range(search.count) if search.columns.doors[each])
    sim = replayed(search, state)
    assert [door.is_open for door in sim.population.doors] == [True]
    assert isinstance(sim.population.doors[0], Door)
    sim.close()


def assert_all_replay(search: Search) -> None:
    """Some states of each set of open doors, and the last one."""
    columns = search.columns
    chosen = {columns.doors[state]: state for state in range(search.count)}
    late = [state for state in range(search.count) if columns.waited[state]][-2:]
    for state in sorted({*chosen.values(), *late, search.count - 1}):
        sim = replayed(search, state)
        assert sim.player.origin() == (columns.x[state], columns.y[state], columns.z[state])
        assert sim.player.place_cell() == columns.cell[state]
        sim.close()
