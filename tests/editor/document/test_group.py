"""Edits of a script are one undo step, and a script that fails leaves the document as it was, to the bit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from editor.document.document import Document
from editor.document.group import roll_back
from editor.document.undo_stack import Pile
from editor.models.timeline.events import EventLog
from engine.sim.edits.doors import LockDoor, OpenDoor, SetResetInterval
from engine.sim.edits.player import FacePlayer
from engine.world.names import NameKey
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import FORWARD, built, two_rooms

HALL: Final = NameKey.cell(0x00070100)


@pytest.fixture
def document() -> Document:
    return document_of(built(two_rooms))


@dataclass(frozen=True)
class Whole:
    """Everything of a document that a script must not leave changed."""

    state: bytes
    tick: int
    waiting: int
    recording: tuple[object, ...]
    done: Pile | None
    undone: Pile | None
    clean: bool
    names: dict[NameKey, str]
    in_past: bool


def whole(document: Document) -> Whole:
    history, sim, stack = document.history, document.sim, document.stack
    assert history is not None
    recording = history.recording
    ticks = (bytes(recording.hashes), list(recording.controls), {k: list(v) for k, v in recording.edits.items() if v})
    state = (sim.state_hash(), sim.tick_number, sim.waiting, ticks, stack.done, stack.undone, stack.is_clean())
    return Whole(*state, dict(document.names), document.in_past)


def door_of(document: Document) -> int:
    return document.sim.population.doors[0].id


def test_edits_of_a_group_are_one_step_that_undo_takes_back_exactly(document: Document) -> None:
    before = document.sim.state_hash()
    heard: list[str] = []
    document.said.connect(heard.append)
    document.begin_group("Script: doors")
    document.edit("Open Door", OpenDoor(door_of(document)))
    document.edit("Lock Door", LockDoor(door_of(document), True))
    document.rename("Rename Hall", {HALL: "Den"})
    document.end_group()
    after = document.sim.state_hash()
    assert document.stack.texts() == ["Script: doors"]
    assert heard == ["Script: doors"]
    document.undo()
    assert document.sim.state_hash() == before
    assert document.names.get(HALL) == ""
    document.redo()
    assert document.sim.state_hash() == after
    assert document.names.get(HALL) == "Den"


def test_the_only_edit_of_a_line_keeps_its_name(document: Document) -> None:
    document.begin_group("Console", is_named_after_first=True)
    document.edit("Lock Door", LockDoor(door_of(document), True))
    document.end_group()
    document.begin_group("Console", is_named_after_first=True)
    document.edit("Unlock Door", LockDoor(door_of(document), False))
    document.edit("Turn", FacePlayer(10.0))
    document.end_group()
    assert document.stack.texts() == ["Lock Door", "Console"]


def test_a_group_with_ticks_in_it_is_undone_by_inverse_edits(document: Document) -> None:
    door = document.sim.population.doors[0]
    interval = door.reset_interval
    document.begin_group("Script: doors")
    document.edit("Lock Door", LockDoor(door.id, True))
    document.tick_many(3, tell=False)
    document.edit("Set Timer", SetResetInterval(door.id, interval + 5.0))
    document.end_group()
    assert document.stack.texts() == ["Script: doors"]
    document.tick_many(2)
    document.undo()
    assert (door.locked, door.reset_interval) == (False, interval)
    assert not document.stack.can_undo()


def test_changed_is_emitted_once_for_a_group(document: Document) -> None:
    told: list[int] = []
    document.changed.connect(lambda: told.append(document.stack.count()))
    document.begin_group("Script: turns")
    for number in range(5):
        document.edit("Turn", FacePlayer(10.0 * number + 5.0))
    document.end_group()
    assert told == [1]


def test_a_group_that_did_nothing_tells_nothing(document: Document) -> None:
    told: list[int] = []
    document.changed.connect(lambda: told.append(1))
    document.travelled.connect(lambda: told.append(2))
    point = document.begin_group("Script: nothing")
    assert not roll_back(document, point)
    document.end_group()
    assert told == []


def test_rolling_back_restores_events_of_the_timeline(document: Document) -> None:
    events = EventLog(document)
    document.edit("Lock Door", LockDoor(door_of(document), True))
    before = [event.text for event in events.events]
    point = document.begin_group("Script: turns")
    document.edit("Turn", FacePlayer(45.0))
    document.tick_many(30, FORWARD, tell=False)
    roll_back(document, point)
    document.end_group()
    assert [event.text for event in events.events] == before


ACTIONS: Final = ("open", "lock", "turn", "interval", "tick", "walk", "past", "present", "undo", "redo", "rename")


def act(document: Document, action: str, number: int) -> None:
    history, door = document.history, document.sim.population.doors[0]
    assert history is not None
    if action == "open":
        document.edit("Open", OpenDoor(door.id))
    elif action == "lock":
        document.edit("Lock", LockDoor(door.id, number % 2 == 0))
    elif action == "turn":
        document.edit("Turn", FacePlayer(number * 7.0))
    elif action == "interval":
        document.edit("Set Timer", SetResetInterval(door.id, float(number)))
    elif action in ("tick", "walk"):
        document.tick_many(number % 20 + 1, FORWARD)
    elif action == "past":
        document.go_to(history.first + number % max(history.end - history.first, 1))
    elif action == "present":
        document.go_to(history.end)
    elif action == "rename":
        document.rename("Rename", {HALL: f"room {number}"})
    elif action == "undo":
        document.undo()
    else:
        document.redo()


STEPS: Final = st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 50)), max_size=8)


@settings(max_examples=60, deadline=None)
@given(before=STEPS, within=STEPS)
def test_whatever_a_group_did_rolling_back_leaves_no_trace(
    before: list[tuple[str, int]], within: list[tuple[str, int]]
) -> None:
    document = document_of(built(two_rooms))
    for action, number in before:
        act(document, action, number)
    was = whole(document)
    point = document.begin_group("Script: anything")
    for action, number in within:
        act(document, action, number)
    roll_back(document, point)
    document.end_group()
    assert whole(document) == was
    assert document.sim.snapshot() == point.snapshot


@settings(max_examples=30, deadline=None)
@given(before=STEPS, within=STEPS)
def test_undo_after_a_rolled_back_group_does_what_it_would_have_done(
    before: list[tuple[str, int]], within: list[tuple[str, int]]
) -> None:
    documents = [document_of(built(two_rooms)) for _ in range(2)]
    for document in documents:
        for action, number in before:
            act(document, action, number)
    document = documents[0]
    point = document.begin_group("Script: anything")
    for action, number in within:
        act(document, action, number)
    roll_back(document, point)
    document.end_group()
    for each in documents:
        each.undo()
    assert documents[0].sim.state_hash() == documents[1].sim.state_hash()
    assert documents[0].stack.texts() == documents[1].stack.texts()
