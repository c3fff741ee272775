"""The past can be shown, is read-only, and time can resume from it."""

from __future__ import annotations

import pytest

from editor.document.clock import Clock
from editor.document.document import Document
from engine.sim.edits.catalogue import name_of
from engine.sim.edits.doors import LockDoor, OpenDoor
from engine.sim.edits.player import Teleport
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import FORWARD, built, two_rooms


@pytest.fixture
def document() -> Document:
    return document_of(built(two_rooms))


def door_of(document: Document) -> int:
    return document.sim.population.doors[0].id


def walked(document: Document) -> list[bytes]:
    """A walk through the door, which is opened on the way; the state before each tick."""
    states: list[bytes] = []
    for tick in range(150):
        if tick == 40:
            document.edit("Open Door", OpenDoor(door_of(document)))
        states.append(document.sim.state_hash())
        document.tick(FORWARD)
    return states


def test_any_tick_comes_back_bit_by_bit_and_time_passes_as_it_passed(document: Document) -> None:
    states = walked(document)
    for tick in (149, 100, 41, 3, 90):
        assert document.go_to(tick)
        assert document.sim.tick_number == tick
        assert document.in_past
        assert document.sim.state_hash() == states[tick]
        assert document.sim.last_report is not None
        assert document.sim.last_report.tick == tick - 1
    for tick in range(90, 150):
        assert document.sim.state_hash() == states[tick]
        document.tick()
    assert not document.in_past


def test_the_present_comes_back_with_the_edits_that_no_tick_has_seen(document: Document) -> None:
    document.tick_many(10)
    document.edit("Lock Door", LockDoor(door_of(document), True))
    present = document.sim.state_hash()
    document.go_to(4)
    assert not document.sim.population.doors[0].locked
    document.go_to(10)
    assert document.sim.state_hash() == present
    document.go_to(9)
    document.tick()
    assert document.sim.state_hash() == present
    document.undo()
    assert not document.sim.population.doors[0].locked


def test_the_past_is_read_only(document: Document) -> None:
    told: list[str] = []
    document.refused.connect(told.append)
    walked(document)
    document.go_to(60)
    state = document.sim.state_hash()
    assert not document.edit("Lock Door", LockDoor(door_of(document), True))
    document.undo()
    document.redo()
    assert document.sim.state_hash() == state
    assert [text.split(":")[0] for text in told] == ["Lock Door", "Undo", "Redo"]
    assert "Continue Here resumes from this tick" in told[0]


def test_time_goes_on_from_the_past_when_asked(document: Document) -> None:
    states = walked(document)
    document.go_to(30)
    document.continue_here()
    assert not document.in_past
    assert document.sim.state_hash() == states[30]
    assert document.stack.count() == 0
    document.tick_many(60, FORWARD)
    assert document.sim.player.origin()[0] < 6.0, "this time nobody opened the door"
    document.go_to(35)
    document.go_to(90)
    assert document.history is not None
    assert document.history.end == 90


def test_an_undo_that_was_recorded_is_replayed(document: Document) -> None:
    document.tick_many(5)
    document.edit("Open Door", OpenDoor(door_of(document)))
    document.undo()
    document.tick_many(5)
    state = document.sim.state_hash()
    document.go_to(2)
    document.tick_many(8)
    assert document.sim.state_hash() == state


def test_travelling_tells_of_one_tick_and_one_change(document: Document) -> None:
    walked(document)
    told: list[str] = []
    document.ticked.connect(lambda report: told.append(f"tick {report.tick}"))
    document.edited.connect(lambda edit: told.append(name_of(edit)))
    document.travelled.connect(lambda: told.append("travelled"))
    document.changed.connect(lambda: told.append("changed"))
    document.go_to(63)
    assert told == ["travelled", "tick 62", "changed"]
    assert not document.go_to(63)


def test_the_clock_goes_back_as_far_as_there_is_a_past(document: Document) -> None:
    clock = Clock(document, document)
    assert clock.why_not_back == "The recording begins here."
    clock.step(12)
    clock.back()
    assert document.sim.tick_number == 11
    clock.back(10)
    clock.back(10)
    assert document.sim.tick_number == 0
    assert clock.why_not_back
    clock.step(5)
    assert document.in_past


def test_looking_back_does_not_keep_an_edit_from_being_undone_bit_by_bit(document: Document) -> None:
    document.tick_many(20)
    before = document.sim.state_hash()
    document.edit("Teleport", Teleport(0x00070101, 8.0, 2.0, 0.0, 200.0))
    document.go_to(11)
    document.tick_many(3)
    document.go_to(20)
    document.undo()
    assert document.sim.state_hash() == before
