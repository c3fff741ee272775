"""Doorways: which openings count, which are empty, and where a door fits into one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from editor.authoring.catalogue import Pattern, catalogue
from editor.authoring.doorways import Doorway, closed_slab, doorway_at, fits, fitted, is_empty
from engine.build import WorldBuilder, rect
from engine.build.built import BuiltWorld
from engine.entities.door import Door
from engine.sim.edits.entities import AddEntity, MoveEntity, spec_text
from engine.sim.tick.simulation import Simulation
from engine.survey.door_fit import gap_of
from engine.world.entity_spec import EntitySpec
from tests.sim.helpers.small_worlds import open_all

HALL, STUDY, WALL, CLOSET = "hall", "study", "hall-study", "closet"


@pytest.fixture(scope="module")
def built() -> BuiltWorld:
    """A hall with an empty doorway to a study, a door to a closet and a hatch to a loft."""
    world = WorldBuilder()
    hall = world.room(HALL, rect(0, 0, 6, 4), height=2.8)
    world.doorway(hall, world.room(STUDY, rect(6.2, 0, 4, 4), height=2.8))
    world.door(hall, world.room(CLOSET, rect(0, 4.2, 6, 3), height=2.8))
    world.hatch(world.room("loft", rect(0, 0, 6, 4), floor=3.0, height=2.5), hall, rect(1, 1, 1.5, 2))
    return world.build()


@pytest.fixture
def sim(built: BuiltWorld) -> Iterator[Simulation]:
    made = open_all(Simulation(built.load()))
    yield made
    made.close()


def all_doorways(sim: Simulation, built: BuiltWorld, room: str) -> dict[int, Doorway]:
    """By the cell behind the portal."""
    cell = sim.graph.get_visible(built.cell_id(room))
    assert cell is not None
    portals = getattr(cell, "portals", [])
    found = ((portal.other_cell_id, doorway_at(sim.graph, cell.id, index)) for index, portal in enumerate(portals))
    return {behind: doorway for behind, doorway in found if doorway is not None}


def test_doorways_are_upright_openings_and_their_middle_is_that_of_the_wall(sim: Simulation, built: BuiltWorld) -> None:
    found = all_doorways(sim, built, HALL)
    assert len(found) == 2  # the hatch is none
    doorway = found[built.cell_id(WALL)]
    assert doorway.cell_id == built.cell_id(WALL)
    assert doorway.sill == pytest.approx((6.1, 2.0, 0.0), abs=1e-6)
    assert (doorway.width, doorway.height) == pytest.approx((1.0, 2.1), abs=1e-5)
    assert abs(doorway.through[0]) == pytest.approx(1.0)


def test_both_sides_of_a_wall_are_one_doorway(sim: Simulation, built: BuiltWorld) -> None:
    here = all_doorways(sim, built, HALL)[built.cell_id(WALL)]
    there = all_doorways(sim, built, STUDY)[built.cell_id(WALL)]
    within = all_doorways(sim, built, WALL)
    for doorway in (there, *within.values()):
        assert doorway.cell_id == here.cell_id
        assert doorway.sill == pytest.approx(here.sill, abs=1e-6)


def test_a_doorway_is_empty_until_a_door_stands_in_it(sim: Simulation, built: BuiltWorld) -> None:
    found = all_doorways(sim, built, HALL)
    empty = found.pop(built.cell_id(WALL))
    (filled,) = found.values()
    assert is_empty(sim, empty)
    assert not is_empty(sim, filled)
    door = sim.population.doors[0]
    sim.apply_edit(MoveEntity(door.id, empty.cell_id, *empty.sill, 90.0))
    assert not is_empty(sim, empty)
    assert is_empty(sim, filled)


def pattern_of(sim: Simulation) -> Pattern:
    return next(pattern for pattern in catalogue(sim) if pattern.is_door)


@pytest.mark.parametrize("front", [(1.0, 0.2, 0.0), (-1.0, 0.2, 0.0)])
def test_a_fitted_door_fills_its_doorway_and_faces_the_requested_side(
    sim: Simulation, built: BuiltWorld, front: tuple[float, float, float]
) -> None:
    pattern = pattern_of(sim)
    setup = sim.world.setup(pattern.spec.setup_id)
    assert setup is not None
    slab = closed_slab(sim, pattern.spec, setup)
    assert slab is not None
    doorway = all_doorways(sim, built, HALL)[built.cell_id(WALL)]
    assert fits(slab, doorway)
    frame = fitted(slab, doorway, front)
    spec = EntitySpec(0x80000001, "new", "door", setup.id, doorway.cell_id, frame, pattern.spec.state)
    spec.extra = dict(pattern.spec.extra)
    sim.apply_edit(AddEntity(spec_text(spec)))
    door = sim.population.entity(spec.guid)
    block = sim.world.landblock(doorway.cell_id)
    assert isinstance(door, Door)
    assert block is not None
    assert gap_of(door, block) is None
    assert not is_empty(sim, doorway)
    assert frame.local_to_global_vec((0.0, 1.0, 0.0))[0] == pytest.approx(front[0], abs=1e-6)


def test_a_door_does_not_go_into_a_window(sim: Simulation, built: BuiltWorld) -> None:
    pattern = pattern_of(sim)
    setup = sim.world.setup(pattern.spec.setup_id)
    assert setup is not None
    slab = closed_slab(sim, pattern.spec, setup)
    assert slab is not None
    assert not fits(slab, Doorway(0x00070100, (0.0, 0.0, 1.0), (0.0, 1.0, 0.0), 1.0, 1.2))
    assert not fits(slab, Doorway(0x00070100, (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), 0.6, 2.1))


def test_a_doorway_holds_what_stands_in_its_opening_alone() -> None:
    doorway = Doorway(0x00070100, (6.1, 2.0, 0.0), (1.0, 0.0, 0.0), 1.0, 2.1)
    assert doorway.holds(0x00070101, (6.2, 2.3, 0.0))
    assert not doorway.holds(0x00070101, (6.2, 2.6, 0.0))
    assert not doorway.holds(0x00070101, (7.2, 2.0, 0.0))
    assert not doorway.holds(0x00080101, (6.2, 2.0, 0.0))
    corners = doorway.corners()
    assert {round(corner[1], 6) for corner in corners} == {1.5, 2.5}
    assert {corner[2] for corner in corners} == {0.0, 2.1}
