"""What edits touch: cells and their neighbours."""

from __future__ import annotations

from editor.document.step import Step
from editor.models.survey.staleness import edits_since, touched_cells
from engine.build import WorldBuilder, rect
from engine.sim.edits.doors import OpenDoor
from engine.sim.edits.player import Teleport
from engine.sim.edits.rules import SetRuleSet
from engine.sim.edits.world import OpenLandblock
from engine.sim.tick.simulation import Simulation
from tests.sim.helpers.small_worlds import built, simulate

BLOCK = 0x0007FFFF


def three_rooms() -> WorldBuilder:
    """A hall, a study behind a door, and an attic that is joined to the study."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4))
    study = world.room("study", rect(6.2, 0, 4, 4))
    attic = world.room("attic", rect(10.4, 0, 4, 4))
    world.door(hall, study, name="door")
    world.doorway(study, attic)
    return world


def opened() -> Simulation:
    sim = simulate(built(three_rooms))
    sim.apply_edit(OpenLandblock(BLOCK))
    return sim


def test_a_door_touches_the_rooms_on_both_sides_and_no_others() -> None:
    sim = opened()
    door = sim.population.doors[0]
    touched = touched_cells(sim, BLOCK, [OpenDoor(door.id)])
    rooms = {cell.id for cell in sim.graph.cells_of(BLOCK) if cell.is_interior}
    assert door.place_cell() in touched
    assert touched & rooms
    assert 0x00070102 not in touched


def test_other_rules_touch_everything() -> None:
    sim = opened()
    touched = touched_cells(sim, BLOCK, [SetRuleSet("ace")])
    assert touched == {cell.id for cell in sim.graph.cells_of(BLOCK)}


def test_where_the_player_is_touches_nothing() -> None:
    sim = opened()
    step = Step("Stand There", (Teleport(0x00070100, 1.0, 1.0, 0.0, 0.0),))
    assert edits_since([], [step], sim.player.id) == []


def test_a_step_that_was_undone_touches_like_one_that_was_made() -> None:
    sim = opened()
    edit = OpenDoor(sim.population.doors[0].id)
    step = Step("Open the Door", (edit,))
    assert edits_since([], [step], sim.player.id) == [edit]
    assert edits_since([step], [], sim.player.id) == [edit]
    assert edits_since([step], [step], sim.player.id) == []
