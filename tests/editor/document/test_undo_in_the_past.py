"""When time resumes from the past, the undo stack is as it was then."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from editor.document.document import Document
from editor.document.undo_stack import Step
from engine.sim.edits.doors import LockDoor, OpenDoor, SetResetInterval, UseDoor
from engine.sim.edits.entities import MoveEntity
from engine.sim.edits.player import FacePlayer
from engine.sim.tick.controls import Controls
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import FORWARD, built, two_rooms

HALL = 0x00070100


def door_of(document: Document) -> int:
    return document.sim.population.doors[0].id


def lock(document: Document, locked: bool) -> bool:
    name = "Lock Door" if locked else "Unlock Door"
    return document.edit(name, LockDoor(door_of(document), locked))


def stack_of(document: Document) -> tuple[list[str], int]:
    return document.stack.texts(), document.stack.index()


@pytest.fixture
def document() -> Document:
    return document_of(built(two_rooms))


def back_to(document: Document, tick: int) -> None:
    document.go_to(tick)
    document.continue_here()
    assert document.sim.tick_number == tick


def test_steps_made_before_stay_and_those_made_later_are_gone(document: Document) -> None:
    lock(document, True)
    document.tick_many(5)
    document.edit("Open Door", OpenDoor(door_of(document)))
    document.tick_many(5)
    document.edit("Turn", FacePlayer(10.0))
    document.tick_many(5)
    back_to(document, 8)
    assert stack_of(document) == (["Lock Door", "Open Door"], 2)
    document.undo()
    document.undo()
    assert not document.sim.population.doors[0].locked
    document.redo()
    assert document.sim.population.doors[0].locked


def test_a_step_made_for_the_tick_that_is_continued_from_is_gone_as_its_edit_is(document: Document) -> None:
    document.tick_many(5)
    lock(document, True)
    document.tick_many(5)
    back_to(document, 5)
    assert stack_of(document) == ([], 0)
    assert not document.sim.population.doors[0].locked


def test_steps_undone_later_stand_again_and_steps_undone_before_can_be_redone(document: Document) -> None:
    lock(document, True)
    document.edit("Turn", FacePlayer(10.0))
    document.tick_many(5)
    document.undo()
    document.tick_many(5)
    document.undo()
    document.edit("Something Else", FacePlayer(200.0))
    document.tick_many(5)
    back_to(document, 8)
    assert stack_of(document) == (["Lock Door", "Turn"], 1)
    assert document.sim.population.doors[0].locked
    document.redo()
    assert stack_of(document) == (["Lock Door", "Turn"], 2)
    back_to_the_present = document.sim.player.steered.place.turn.heading()
    assert back_to_the_present == pytest.approx(10.0)


def test_the_part_of_a_drag_that_was_made_later_is_gone(document: Document) -> None:
    door = door_of(document)
    for x in (5.0, 4.0):
        document.edit("Move Door", MoveEntity(door, HALL, x, 2.0, 0.0, 90.0), drag="door")
    document.tick_many(5)
    document.edit("Move Door", MoveEntity(door, HALL, 1.0, 2.0, 0.0, 90.0), drag="door")
    document.tick_many(5)
    back_to(document, 3)
    assert stack_of(document) == (["Move Door"], 1)
    assert document.sim.population.doors[0].origin()[0] == 4.0
    document.undo()
    assert document.sim.population.doors[0].origin()[0] == pytest.approx(6.1)
    document.redo()
    assert document.sim.population.doors[0].origin()[0] == 4.0


def test_what_goes_on_from_the_past_is_not_what_was_saved(document: Document) -> None:
    document.tick_many(10)
    back_to(document, 5)
    assert document.stack.is_clean(), "nothing was ever edited"
    lock(document, True)
    document.stack.set_clean()
    document.tick_many(5)
    back_to(document, 7)
    assert not document.stack.is_clean()


def test_all_steps_come_back_however_many_there_are() -> None:
    document = document_of(built(two_rooms))
    for number in range(620):
        document.stack.push(0, Step(f"step {number}", ()))
    for _ in range(5):
        document.stack.step_back(0)
    document.tick_many(3)
    document.stack.push(3, Step("later", ()))
    back_to(document, 1)
    assert (document.stack.count(), document.stack.index()) == (620, 615)
    assert document.stack.undo_text() == "step 614"
    assert document.stack.redo_text() == "step 615"


# --- any sequence


def act(document: Document, action: tuple[Any, ...], upto: int) -> None:
    """One of the made-up things, as far as it comes before tick `upto`."""
    kind, value, drag = action
    now = document.sim.tick_number
    if kind == "tick":
        for _ in range(min(value, upto - now)):
            document.tick(Controls(forward=1.0))
    elif now >= upto:
        return
    elif kind == "undo":
        document.undo()
    elif kind == "redo":
        document.redo()
    elif kind == "move":
        document.edit("Move", MoveEntity(door_of(document), HALL, 1.0 + value, 2.0, 0.0, 90.0), drag=drag)
    elif kind == "interval":
        document.edit("Interval", SetResetInterval(door_of(document), 1.0 + value), drag=drag)
    elif kind == "use":
        document.edit("Use", UseDoor(door_of(document), 0))
    else:
        lock(document, bool(value % 2))


NEVER = 1 << 60
kinds = st.sampled_from(["tick", "tick", "tick", "undo", "undo", "redo", "move", "move", "interval", "use", "lock"])
actions = st.lists(st.tuples(kinds, st.integers(0, 4), st.sampled_from(["", "a", "b"])), min_size=4, max_size=24)


def compare(ours: Document, theirs: Document) -> None:
    assert stack_of(ours) == stack_of(theirs)
    assert ours.sim.state_hash() == theirs.sim.state_hash()


@settings(max_examples=50)
@given(before=actions, later=actions, back=st.integers(1, 12))
def test_who_comes_back_finds_what_he_would_have_if_the_rest_had_never_happened(
    before: list[tuple[Any, ...]], later: list[tuple[Any, ...]], back: int
) -> None:
    ours, theirs = document_of(built(two_rooms)), document_of(built(two_rooms))
    for action in before:
        act(ours, action, NEVER)
    to = max(ours.sim.tick_number - back, 0)
    ours.go_to(to)
    if not ours.in_past:
        return
    ours.continue_here()
    for action in before:
        act(theirs, action, to)
    compare(ours, theirs)
    for action in later:
        act(ours, action, NEVER)
        act(theirs, action, NEVER)
        compare(ours, theirs)
    ours.tick(FORWARD)
    theirs.tick(FORWARD)
    compare(ours, theirs)
