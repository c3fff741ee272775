"""Replaying a project: in its own world, in one that has changed, and with edits that no user made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from editor.authoring.cell_edits import set_stab_list
from editor.document.document import Document
from editor.document.world_diff import editable_state
from editor.project.project import Project
from editor.project.project_replay import replay_project
from engine.entities.door import NEVER
from engine.physics.place import Place
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.doors import OpenDoor, UseDoor
from engine.sim.edits.entities import RemoveEntity
from engine.sim.edits.player import FacePlayer, SetPlayerNumber
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from tests.editor.document.small_document import document_of
from tests.editor.project.project_worlds import again, differences, project_of
from tests.editor.project.test_project_file import projects
from tests.sim.helpers.small_worlds import built, two_rooms

HALL, STUDY = 0x00070100, 0x00070101


@pytest.fixture
def document() -> Document:
    return document_of(built(two_rooms))


def door_of(sim: Simulation) -> int:
    return sim.population.doors[0].id


def test_undo_after_opening_takes_back_the_steps_by_name(document: Document) -> None:
    door = door_of(document.sim)
    document.edit("Open the door", OpenDoor(door))
    document.tick_many(40)
    document.edit("Empty stab list", *set_stab_list(document.sim, HALL, []))
    opened, _ = again(project_of(document))
    assert opened.stack.undo_text() == "Empty stab list"
    opened.undo()
    hall = opened.sim.graph.get_visible(HALL)
    assert hall is not None
    assert list(hall.stab_list)
    opened.undo()
    assert not opened.sim.population.door(door).is_open
    opened.redo()
    assert opened.sim.population.door(door).is_open


def test_a_player_whom_no_cell_holds_is_kept_where_one_held_him_last(document: Document) -> None:
    body = document.sim.player.steered
    before = body.place.origin
    body.lose_cell(Place(0x00060010, (46.0, 191.0, 0.0), body.place.turn))
    opened, made = again(project_of(document))
    assert made.refused == []
    assert opened.sim.graph.current_id == HALL
    assert opened.sim.player.origin() == before
    assert not opened.tick().lost


def test_a_door_that_was_used_goes_back_after_what_was_left_of_its_time(document: Document) -> None:
    door = door_of(document.sim)
    document.edit("Use the door", UseDoor(door, 0))
    document.tick_many(600)
    opened, _ = again(project_of(document))
    again_door = opened.sim.population.door(door)
    assert again_door.is_open
    assert again_door.reset_at == 300
    opened.tick_many(301)
    assert not again_door.is_open


def test_a_door_that_time_has_closed_is_closed_and_at_rest(document: Document) -> None:
    door = door_of(document.sim)
    document.edit("Use the door", UseDoor(door, 0))
    document.tick_many(1000)
    opened, _ = again(project_of(document))
    again_door = opened.sim.population.door(door)
    assert not again_door.is_open
    assert not again_door.is_busy(0)
    assert again_door.reset_at == NEVER
    motions = again_door.motions
    assert motions is None or motions.came_from == motions.substate


def test_the_first_tick_says_nothing_of_what_was_done_before_saving(document: Document) -> None:
    document.edit("Open the door", OpenDoor(door_of(document.sim)))
    opened, _ = again(project_of(document))
    assert opened.tick().events == []


def test_what_is_saved_while_the_past_is_shown_is_the_present(document: Document) -> None:
    document.tick_many(20, Controls(forward=1.0))
    document.edit("Height", SetPlayerNumber("height", 1.2))
    document.tick_many(20, Controls(forward=1.0))
    present = project_of(document)
    document.go_to(5)
    assert document.in_past
    assert project_of(document) == present


def test_opened_again_steps_stay_when_time_is_continued_from_the_first_tick(document: Document) -> None:
    document.edit("Open the door", OpenDoor(door_of(document.sim)))
    opened, _ = again(project_of(document))
    opened.tick_many(10)
    opened.go_to(0)
    opened.continue_here()
    assert opened.stack.undo_text() == "Open the door"
    assert not opened.stack.is_clean()


def test_a_project_saved_and_opened_over_and_over_says_the_same(document: Document) -> None:
    document.edit("Open the door", OpenDoor(door_of(document.sim)))
    document.tick_many(30, Controls(forward=1.0))
    document.edit("Turn", FacePlayer(45.0))
    first = project_of(document)
    second = project_of(again(first)[0])
    third = project_of(again(second)[0])
    assert replace(second, tick=0) == replace(first, tick=0)
    assert third == second


def test_the_steps_of_a_cleared_stack_are_not_kept_and_all_later_ones_are(document: Document) -> None:
    document.edit("Turn", FacePlayer(1.0))
    document.stack.clear()
    for number in range(12):
        document.edit(f"Turn {number}", FacePlayer(number * 10.0 + 5.0))
    project = project_of(document)
    assert [step.name for step in project.steps] == [f"Turn {number}" for number in range(12)]


def test_in_a_changed_world_what_is_refused_is_told_and_the_rest_is_made(document: Document) -> None:
    door = door_of(document.sim)
    document.edit("Open the door", OpenDoor(door))
    document.edit("Smaller", SetPlayerNumber("height", 1.2))
    project = replace(project_of(document), identity={"entities": "0" * 32})
    other = document_of(built(two_rooms))
    other.sim.apply_edit(RemoveEntity(door))
    opened = replay_project(Path("house.cellardoor"), project, other.sim)
    assert [step.name for step in opened.steps] == ["Smaller"]
    assert [line.split(":")[0] for line in opened.refused] == ["Open the door"]
    assert f"0x{door:08X}" in opened.refused[0]
    assert opened.sentence == (
        "The world of house.cellardoor has changed since it was saved, and 1 of its 2 edits could not be restored. "
        "Saving will leave that out."
    )
    assert opened.details.splitlines()[0] == "The entities are not the same."
    assert other.sim.player.number("height") == pytest.approx(1.2)


def test_in_a_changed_world_undo_brings_back_what_is_there_now(document: Document) -> None:
    document.edit("Empty stab list", *set_stab_list(document.sim, HALL, []))
    project = replace(project_of(document), identity={"0x0007FFFF": "0" * 32})
    other = document_of(built(two_rooms))
    for edit in set_stab_list(other.sim, HALL, [HALL, STUDY]):
        other.sim.apply_edit(edit)
    now = other.sim.rooms.records_of(HALL)
    opened = replay_project(Path("house.cellardoor"), project, other.sim)
    assert now is not None
    assert opened.steps[0].inverse == (ReplaceCell(*now),)
    assert "all its edits could be replayed" in opened.sentence


@given(projects)
@settings(max_examples=150)
def test_edits_that_nobody_made_are_refused_and_break_nothing(project: Project) -> None:
    document = document_of(built(two_rooms))
    opened = replay_project(Path("x.cellardoor"), project, document.sim)
    document.session.opened.emit()
    document.adopt_steps(opened.start, opened.steps)
    while document.stack.can_undo():
        document.undo()
    document.tick_many(2)
    assert editable_state(document.sim).tick == 2


def test_the_example_of_the_property_does_compare(document: Document) -> None:
    other = document_of(built(two_rooms))
    assert differences(document.sim, other.sim) == []
    other.sim.apply_edit(FacePlayer(12.0))
    assert differences(document.sim, other.sim) != []
