"""The notices: the newest events that Sweep can explain, each for a few seconds."""

from __future__ import annotations

import pytest

from editor.document.document import Document
from editor.models.timeline.events import CELLS, JUMPS, STOPS, EventLog
from editor.models.timeline.notices import MOST, STAYS_S, Notices
from editor.models.why import Why, WhyAbout
from engine.sim.edits.doors import OpenDoor
from engine.sim.tick.controls import Controls
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import FORWARD, built, two_rooms


class Watch:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def document() -> Document:
    return document_of(built(two_rooms))


def test_repeats_are_one_line_that_stays_as_long_as_they_go_on(document: Document) -> None:
    events, watch = EventLog(document), Watch()
    notices = Notices(events, now=watch)
    document.started.emit()
    for _ in range(60):
        document.tick(FORWARD)
        watch.seconds += 1.0
        notices.look()
    (line,) = notices.shown
    assert line.kind == STOPS
    assert line.count == 60 - line.tick
    watch.seconds += STAYS_S - 2.0
    notices.look()
    assert notices.shown == [line]
    notices.is_held = True
    watch.seconds += 2.0
    notices.look()
    assert notices.shown == [line], "the mouse is over it"
    notices.is_held = False
    notices.look()
    assert notices.shown == []


def test_the_newest_lines_are_shown_and_the_past_has_none(document: Document) -> None:
    events = EventLog(document)
    notices = Notices(events)
    document.started.emit()
    assert notices.last_why() is None
    document.tick_many(60, FORWARD)
    document.edit("Open Door", OpenDoor(document.sim.population.doors[0].id))
    document.tick_many(60, FORWARD)
    assert len(notices.shown) == MOST
    first, second = events.chosen(CELLS)
    assert first in notices.shown
    assert first.notice == "Entered 0x00070102 through portal 0"
    assert second.notice == "Entered 0x00070101 through portal 1"
    document.go_to(second.tick + 1)
    assert notices.shown == []
    assert notices.last_why() == Why(second.tick, WhyAbout.CELL_CHANGED)


def test_the_same_again_is_counted_on_the_line_that_is_shown(document: Document) -> None:
    events, watch = EventLog(document), Watch()
    notices = Notices(events, now=watch)
    document.started.emit()
    for _ in range(2):
        document.tick_many(10, Controls(jump=True))
        document.tick_many(40)
    first, second = [event for event in events.chosen(JUMPS) if event.about is not None]
    assert first.text == second.text
    assert notices.shown == [second]
    assert notices.count(second) == 2
    watch.seconds += STAYS_S
    notices.look()
    assert notices.shown == []
