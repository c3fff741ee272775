"""One gesture on a number is one step, and the next gesture is another."""

from __future__ import annotations

import pytest

from editor.document import gesture
from editor.document.document import Document
from editor.document.gesture import REST, Gesture
from editor.session.session import Session
from engine.sim.edits.player import SetPlayerNumber
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import built, two_rooms


class Clock:
    """In place of the module `time`."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def document() -> Document:
    return document_of(built(two_rooms))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(gesture, "time", made)
    return made


@pytest.fixture
def turned(document: Document, clock: Clock) -> Gesture:
    return Gesture(document, "box", document)


def test_turning_on_and_on_is_one_gesture_and_enter_ends_it(turned: Gesture) -> None:
    first = turned.part()
    assert turned.part() == first
    turned.end()
    assert turned.part() not in ("", first)


def test_two_fields_and_two_things_are_never_one(document: Document, turned: Gesture) -> None:
    other = Gesture(document, "another box", document)
    assert len({turned.part(), other.part(), turned.part("a door"), turned.part("another door")}) == 4


def test_a_tick_ends_it_but_not_while_the_field_is_held(document: Document, turned: Gesture) -> None:
    first = turned.part()
    document.tick()
    second = turned.part()
    assert second != first
    turned.hold()
    document.tick()
    assert turned.part() == second
    turned.let_go()
    document.tick()
    assert turned.part() != second


def test_while_time_flows_by_itself_a_moment_of_rest_ends_it(document: Document, turned: Gesture, clock: Clock) -> None:
    document.flowing = True
    first = turned.part()
    for _ in range(4):
        document.tick()
        clock.now += REST / 2
        assert turned.part() == first
    document.tick()
    clock.now += REST * 2
    assert turned.part() != first


def test_without_a_world_it_does_not_fail() -> None:
    document = Document(Session())
    assert Gesture(document, "box", document).part()


def test_steps_of_two_gestures_are_two(document: Document, turned: Gesture) -> None:
    for value in (0.5, 0.4):
        document.edit(f"Step Up {value}", SetPlayerNumber("step_up", value), drag=turned.part())
    turned.end()
    document.edit("Step Up 0.3", SetPlayerNumber("step_up", 0.3), drag=turned.part())
    assert [step.name for step in document.done_steps()] == ["Step Up 0.4", "Step Up 0.3"]
    document.undo()
    assert document.sim.player.number("step_up") == pytest.approx(0.4)
