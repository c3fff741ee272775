"""What happened when, the curves over it, and what of both is left when time goes on from the past."""

from __future__ import annotations

from array import array

import pytest

from editor.document.document import Document
from editor.models import timeline
from editor.models.timeline import (
    CELLS,
    DOORS,
    EDITS,
    HITS,
    JUMPS,
    Chronicle,
    Curves,
    extremes,
    happening_rows,
    stretches,
)
from editor.session.background import Job
from editor.session.recording_check import rerun
from engine.sim.edits.doors import OpenDoor
from engine.sim.edits.entities import MoveEntity
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import FORWARD, built, two_rooms


@pytest.fixture
def document() -> Document:
    return document_of(built(two_rooms))


def through_the_door(document: Document) -> None:
    """Into the closed door, then open it and walk on, then jump."""
    document.tick_many(60, FORWARD)
    document.edit("Open Door", OpenDoor(document.sim.population.doors[0].id))
    document.tick_many(60, FORWARD)
    document.tick_many(10, Controls(jump=True))
    document.tick_many(60)


def test_the_chronicle_tells_the_story_in_order(document: Document) -> None:
    chronicle = Chronicle(document)
    document.started.emit()
    through_the_door(document)
    kinds = [happening.kind for happening in chronicle.happenings]
    assert kinds[0] == HITS
    assert [happening.text for happening in chronicle.chosen(HITS)] == ["door", "walls"], "pushing on is nothing new"
    assert [happening.text for happening in chronicle.chosen(EDITS)] == ["open door: door"]
    assert [happening.text for happening in chronicle.chosen(DOORS)] == ["door opening", "door opened"]
    assert len(chronicle.chosen(CELLS)) == 2
    assert [happening.text for happening in chronicle.chosen(JUMPS)] == ["jumped", "landed"]
    assert [happening.tick for happening in chronicle.happenings] == sorted(h.tick for h in chronicle.happenings)


def test_looking_back_writes_nothing_twice_and_going_on_forgets(document: Document) -> None:
    chronicle = Chronicle(document)
    document.started.emit()
    through_the_door(document)
    before = list(chronicle.happenings)
    document.go_to(20)
    document.tick_many(50)
    assert chronicle.happenings == before
    document.go_to(61)
    document.continue_here()
    assert [happening.kind for happening in chronicle.happenings] == [HITS, EDITS, DOORS]
    document.tick_many(60, FORWARD)
    assert chronicle.chosen(CELLS), "what happens now is written again"


def test_a_recording_that_is_opened_tells_the_same_story_in_few_reports(document: Document) -> None:
    chronicle = Chronicle(document)
    document.started.emit()
    document.tick_many(300, FORWARD)
    through_the_door(document)
    assert document.history is not None
    recording, _ = document.history.kept()
    opened = document_of(built(two_rooms))
    run = rerun(Simulation(built(two_rooms).load()), recording, Job())
    assert run.divergence is None
    assert len(run.reports) < 100, "pushing on is nothing new"
    opened.session.run = run
    again = Chronicle(opened)
    opened.started.emit()
    assert again.happenings == chronicle.happenings


def test_long_curves_are_read_in_pieces(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    through_the_door(document)
    assert document.history is not None
    whole, parts = Curves(), Curves()
    assert whole.read(document.history)
    monkeypatch.setattr(timeline, "AT_ONCE", 70)
    assert [parts.read(document.history) for _ in range(4)] == [False, False, True, True]
    assert (parts.heights, parts.speeds, parts.cells) == (whole.heights, whole.speeds, whole.cells)


def test_a_drag_is_one_edit_of_the_chronicle(document: Document) -> None:
    chronicle = Chronicle(document)
    document.started.emit()
    door = document.sim.population.doors[0]
    cell_id = door.place_cell()
    for x in (3.1, 3.2, 3.3):
        document.edit("Move Door", MoveEntity(door.id, cell_id, x, 1.0, 0.0, 0.0), drag="drag")
    document.tick()
    document.edit("Move Door", MoveEntity(door.id, cell_id, 3.4, 1.0, 0.0, 0.0), drag="drag")
    document.undo()
    assert [happening.text for happening in chronicle.chosen(EDITS)] == [
        "move entity: door",
        "move entity: door",
        "place entity: door",
    ]


def test_the_neighbours_of_a_tick_are_found(document: Document) -> None:
    chronicle = Chronicle(document)
    document.started.emit()
    through_the_door(document)
    first, second = chronicle.chosen(CELLS)
    assert chronicle.after(first.tick, CELLS) == second
    assert chronicle.before(second.tick, CELLS) == first
    assert chronicle.before(first.tick, CELLS) is None
    assert chronicle.after(10_000, "") is None
    assert [row.key for row in happening_rows([first, second])] == [(second.tick, 1), (first.tick, 0)]


def test_curves_follow_the_recording_and_its_branches(document: Document) -> None:
    curves, history = Curves(), document.history
    assert history is not None
    document.tick_many(10, FORWARD)
    curves.read(history)
    assert len(curves) == 10
    assert max(curves.speeds) == pytest.approx(3.12, abs=0.2)
    document.tick_many(80, FORWARD)
    curves.read(history)
    assert len(curves) == 90
    assert curves.speeds[-1] == 0.0, "the door is in the way"
    document.go_to(5)
    document.continue_here()
    document.tick_many(100, Controls(forward=-1.0))
    curves.read(history)
    assert len(curves) == 105
    assert list(curves.heights) == [history.recording.samples[n].origin[2] for n in range(105)]


def test_no_peak_is_lost_between_pixels() -> None:
    values = array("d", [0.0] * 1000)
    values[617] = 5.0
    found = extremes(values, 100)
    assert len(found) == 100
    assert [pair for pair in found if pair != (0.0, 0.0)] == [(0.0, 5.0)]
    few = extremes(array("d", [1.0, 2.0]), 6)
    assert few == [(1.0, 1.0)] * 3 + [(2.0, 2.0)] * 3
    assert extremes(array("d"), 10) == []


def test_stays_in_cells_are_put_together() -> None:
    assert stretches(array("I", [7, 7, 8, 7])) == [(7, 0, 2), (8, 2, 3), (7, 3, 4)]
    assert stretches(array("I")) == []
