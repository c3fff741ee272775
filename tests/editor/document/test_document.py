"""Edits of the document: each undone bit by bit while time stands, and by its inverse once time has passed."""

from __future__ import annotations

import gc
import weakref

import pytest
import shiboken6

from editor.authoring.cell_edits import set_portal_flags, set_seen_outside, set_stab_list
from editor.document.document import Document
from editor.session.session import Session
from engine.geometry.frame import Frame
from engine.physics.flags import ETHEREAL, HIDDEN
from engine.sim.edits.catalogue import edit_of, name_of
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor, SetDoorTimer, SetResetInterval, UseDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import (
    AddEntity,
    MoveEntity,
    RemoveEntity,
    SetState,
    SetStateBits,
    SetVelocity,
    spec_text,
)
from engine.sim.edits.placing import PlaceEntity
from engine.sim.edits.player import FacePlayer, SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.edits.world import SetTimeOfDay
from engine.sim.tick.controls import Controls
from engine.world.cells.cell import EnvCell
from engine.world.entity_spec import EntitySpec
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import FORWARD, built, two_rooms

HALL, STUDY = 0x00070100, 0x00070101


@pytest.fixture
def document() -> Document:
    return document_of(built(two_rooms))


def door_of(document: Document) -> int:
    return document.sim.population.doors[0].id


def spec_of(document: Document) -> EntitySpec:
    door = document.sim.population.doors[0]
    return EntitySpec(0x80000001, "crate", "chest", door.setup.id, HALL, Frame((1.0, 1.0, 0.0)), 0x10008)


def every_edit(document: Document) -> dict[str, list[Edit]]:
    door, player, sim = door_of(document), document.sim.player.id, document.sim
    return {
        "open": [OpenDoor(door)],
        "use": [UseDoor(door, player)],
        "lock": [LockDoor(door, True)],
        "interval": [SetResetInterval(door, 5.0)],
        "timer": [SetDoorTimer(door, 90)],
        "ethereal": [SetStateBits(door, ETHEREAL, True)],
        "state": [SetState(door, 0x18)],
        "move": [MoveEntity(door, STUDY, 8.0, 1.0, 0.5, 33.0)],
        "place": [PlaceEntity(door, HALL, 2.0, 3.0, 0.0, 0.6, 0.0, 0.0, 0.8)],
        "delete": [RemoveEntity(door)],
        "add": [AddEntity(spec_text(spec_of(document)))],
        "teleport": [Teleport(STUDY, 8.0, 2.0, 0.0, 45.0)],
        "face": [FacePlayer(200.0)],
        "push": [SetVelocity(player, 1.0, 0.0, 3.0)],
        "speed": [SetPlayerNumber("run_skill", 300.0)],
        "height": [SetPlayerNumber("height", 1.2)],
        "step height": [SetPlayerNumber("step_up", 0.1)],
        "rule": [SetRule("edge_slide_order", "ace")],
        "rules": [SetRuleSet("ace")],
        "stab list": set_stab_list(sim, STUDY, []),
        "seen outside": set_seen_outside(sim, HALL, True),
        "portal flags": set_portal_flags(sim, HALL, 0, 0x0),
        "several": [LockDoor(door, True), FacePlayer(10.0), RemoveEntity(door)],
    }


ONE_WORD = (
    "open use lock interval timer ethereal state move place delete add teleport face push speed height rule rules"
)
EDITS = [*ONE_WORD.split(), "several", "step height", "stab list", "seen outside", "portal flags"]


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_that_is_undone_at_once_leaves_the_same_bits(document: Document, name: str) -> None:
    document.tick_many(20, FORWARD)
    before = document.sim.state_hash()
    assert document.edit(name, *every_edit(document)[name])
    after = document.sim.state_hash()
    assert after != before
    document.undo()
    assert document.sim.state_hash() == before
    document.redo()
    assert document.sim.state_hash() == after
    document.undo()
    assert document.sim.state_hash() == before
    report = document.tick()
    assert report.events == []


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_that_is_undone_later_goes_on_as_if_it_had_not_been_made(document: Document, name: str) -> None:
    """Standing still on a floor nothing depends on when: but for doors' motions the state is the same again."""
    other = document_of(built(two_rooms))
    document.tick_many(30)
    other.tick_many(30)
    assert document.edit(name, *every_edit(document)[name])
    document.tick_many(3)
    document.undo()
    document.tick_many(90)
    other.tick_many(93)
    mine, its = document.sim.population.doors[0], other.sim.population.doors[0]
    assert (mine.is_open, mine.locked, mine.reset_interval, mine.reset_at) == (
        its.is_open,
        its.locked,
        its.reset_interval,
        its.reset_at,
    )
    assert mine.place_frame().origin == its.place_frame().origin
    assert mine.place_frame().rotation == its.place_frame().rotation
    assert document.sim.population.state_of(mine.id) == other.sim.population.state_of(its.id)
    assert document.sim.rules.form("edge_slide_order") == "retail"
    assert document.sim.player.number("run_skill") == other.sim.player.number("run_skill")
    assert document.sim.player.height == other.sim.player.height
    for cell_id in (HALL, STUDY):
        cell, same = document.sim.graph.get_visible(cell_id), other.sim.graph.get_visible(cell_id)
        assert isinstance(cell, EnvCell)
        assert isinstance(same, EnvCell)
        assert (cell.stab_list, cell.flags) == (same.stab_list, same.flags)
        assert [portal.flags for portal in cell.portals] == [portal.flags for portal in same.portals]
    assert [e.id for e in document.sim.population.ordered] == [e.id for e in other.sim.population.ordered]
    if name != "push":
        assert document.sim.player.origin() == pytest.approx(other.sim.player.origin(), abs=1e-4)
        assert document.sim.graph.current_id == other.sim.graph.current_id


def test_the_next_tick_uses_an_edit_and_its_undo(document: Document) -> None:
    document.tick_many(60, FORWARD)
    blocked = document.sim.player.origin()[0]
    document.edit("Open Door", OpenDoor(door_of(document)))
    document.tick_many(20, FORWARD)
    assert document.sim.player.origin()[0] > blocked + 1.0
    document.edit("Teleport", Teleport(HALL, 3.0, 2.0, 0.0, 90.0))
    document.undo()
    document.undo()
    document.tick_many(60)
    document.tick_many(60, FORWARD)
    assert document.sim.player.origin()[0] > 6.0, "the undone teleport left him in the study"


def test_a_refused_edit_changes_nothing_and_says_why(document: Document) -> None:
    told: list[str] = []
    document.refused.connect(told.append)
    before = document.sim.state_hash()
    lock, nowhere = LockDoor(door_of(document), True), Teleport(0x00070177, 0.0, 0.0, 0.0, 0.0)
    assert not document.edit("Both", lock, nowhere)
    assert document.sim.state_hash() == before
    assert document.stack.count() == 0
    assert told[0].startswith("Both: there is no cell 0x00070177")


def test_what_changes_nothing_is_no_step(document: Document) -> None:
    said: list[str] = []
    document.said.connect(said.append)
    assert not document.edit("Close Door", CloseDoor(door_of(document)))
    assert document.stack.count() == 0
    assert "nothing to change" in said[0]


def test_the_parts_of_a_drag_are_one_step(document: Document) -> None:
    door, before = door_of(document), document.sim.state_hash()
    for x in (2.0, 2.5, 3.0):
        document.edit("Move Door", MoveEntity(door, HALL, x, 1.0, 0.0, 0.0), drag="gizmo 1")
    assert document.stack.count() == 1
    after = document.sim.population.entity(door).origin()
    document.undo()
    assert document.sim.state_hash() == before
    document.redo()
    assert document.sim.population.entity(door).origin() == after == (3.0, 1.0, 0.0)
    document.edit("Move Door", MoveEntity(door, HALL, 1.0, 1.0, 0.0, 0.0), drag="gizmo 2")
    assert document.stack.count() == 2


def test_the_step_of_a_drag_has_the_name_of_its_last_part(document: Document) -> None:
    texts: list[str] = []
    document.stack.undo_text_changed.connect(texts.append)
    before = document.sim.state_hash()
    for hour in (1, 9, 15):
        document.edit(f"Set the Time of Day to {hour}:00", SetTimeOfDay(hour / 24), drag="light")
    after = document.sim.state_hash()
    last = "Set the Time of Day to 15:00"
    assert (document.stack.count(), document.stack.undo_text(), texts[-1]) == (1, last, last)
    assert [step.name for step in document.done_steps()] == [last]
    document.undo()
    assert document.sim.state_hash() == before
    document.redo()
    assert (document.sim.state_hash(), document.stack.undo_text()) == (after, last)
    document.tick_many(3)
    document.undo()
    assert document.sim.time_of_day == 0.5


def test_a_drag_during_which_time_passed_goes_back_to_where_it_began(document: Document) -> None:
    door = door_of(document)
    start = document.sim.population.entity(door).origin()
    for x in (2.0, 2.5):
        document.edit("Move Door", MoveEntity(door, HALL, x, 1.0, 0.0, 0.0), drag="gizmo 1")
        document.tick()
    document.undo()
    assert document.stack.count() == 1
    assert document.sim.population.entity(door).origin() == start


@pytest.mark.parametrize("before", [0x10008, 0x10000, 0x10010, 0x14008, 0x14010])
@pytest.mark.parametrize("edit", ["set_state", "set_state_bits"])
def test_who_was_hidden_or_shown_has_every_bit_again_when_that_is_undone(
    document: Document, edit: str, before: int
) -> None:
    sim, door = document.sim, document.sim.population.doors[0].id
    for _ in range(2):  # where HIDDEN changes others follow it; the second time they are as they were asked for
        sim.apply_edit(SetState(door, before))
    assert sim.population.state_of(door) == before
    args = (door, before ^ HIDDEN) if edit == "set_state" else (door, HIDDEN, not before & HIDDEN)
    document.edit("Hide or show", edit_of(edit, args))
    assert sim.population.state_of(door) & HIDDEN != before & HIDDEN
    document.tick_many(1, FORWARD)
    document.undo()
    assert document.sim.population.state_of(door) == before


def test_an_undone_door_does_not_move_anybody_back(document: Document) -> None:
    document.edit("Open Door", OpenDoor(door_of(document)))
    document.tick_many(90, FORWARD)
    there = document.sim.player.origin()
    assert document.sim.graph.current_id == STUDY
    document.undo()
    assert document.sim.player.origin() == there
    assert not document.sim.population.doors[0].is_open


def test_a_deleted_door_comes_back_as_it_stood(document: Document) -> None:
    door = door_of(document)
    document.edit("Use Door", UseDoor(door, 0))
    document.edit("Lock Door", LockDoor(door, True))
    document.tick_many(60)
    reset_at = document.sim.population.door(door).reset_at
    document.edit("Delete Door", RemoveEntity(door))
    document.tick_many(30)
    document.undo()
    again = document.sim.population.door(door)
    assert (again.is_open, again.locked, again.reset_at) == (True, True, reset_at)
    document.tick_many(reset_at)
    assert not again.is_open


def test_an_undo_that_is_impossible_by_now_is_dropped_with_a_word(document: Document) -> None:
    told: list[str] = []
    document.refused.connect(told.append)
    door = door_of(document)
    document.edit("Lock Door", LockDoor(door, True))
    document.sim.apply_edit(RemoveEntity(door))
    document.tick()
    state = document.sim.state_hash()
    document.undo()
    assert document.sim.state_hash() == state
    assert document.stack.count() == 0
    assert told == [f"Lock Door: there is no entity 0x{door:08X}"]


def test_the_document_tells_of_ticks_and_edits_and_of_each_change_once(document: Document) -> None:
    told: list[str] = []
    document.ticked.connect(lambda report: told.append(f"tick {report.tick}"))
    document.edited.connect(lambda edit: told.append(name_of(edit)))
    document.changed.connect(lambda: told.append("changed"))
    door = door_of(document)
    document.tick(Controls())
    document.edit("Open Door", OpenDoor(door), LockDoor(door, True))
    document.undo()
    document.redo()
    assert told == [
        *("tick 0", "changed"),
        *("open_door", "lock_door", "changed"),
        *("put_back", "changed"),
        *("open_door", "lock_door", "changed"),
    ]


def test_a_document_without_a_world_says_so() -> None:
    document = Document(Session())
    told: list[str] = []
    document.refused.connect(told.append)
    assert not document.edit("Face North", FacePlayer(0.0))
    assert told == ["Face North: Open a world first."]


@pytest.mark.parametrize("first", ["python", "qt"])
def test_a_document_that_nobody_has_any_more_is_gone_with_its_world(first: str) -> None:
    """Its undo stack belongs to Qt, the steps on it to Python."""
    document = document_of(built(two_rooms))
    document.edit("open", *every_edit(document)["open"])
    document.tick_many(3, FORWARD)
    document.edit("lock", *every_edit(document)["lock"])
    document.undo()
    left = [weakref.ref(thing) for thing in (document, document.session, document.sim.world)]
    if first == "qt":
        shiboken6.delete(document)
    del document
    gc.collect()
    assert [thing() for thing in left] == [None] * 3
