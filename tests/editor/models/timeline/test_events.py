"""The events of a session, and which of them are left when time continues from the past."""

from __future__ import annotations

import pytest

from editor.authoring.cell_edits import set_seen_outside
from editor.document.document import Document
from editor.models.timeline.events import CELLS, DOORS, EDITS, JUMPS, PUSHES, STOPS, EventLog, event_rows
from editor.models.timeline.notices import why_of
from editor.session.background import Job
from editor.session.recording_check import rerun
from engine.sim.edits.doors import OpenDoor
from engine.sim.edits.entities import MoveEntity, SetVelocity
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import FORWARD, built, two_rooms, with_people


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


def test_the_event_log_tells_the_story_in_order(document: Document) -> None:
    events = EventLog(document)
    document.started.emit()
    through_the_door(document)
    kinds = [event.kind for event in events.events]
    assert kinds[0] == STOPS
    door, wall = events.chosen(STOPS)
    assert door.text == "Blocked by door, part 1, polygon 0"
    assert wall.text == "Blocked by a wall of 0x00070101, polygon 1"
    assert door.ticks == list(range(door.tick, 60)), "pushing on is one event"
    assert door.line == f"{door.text}, for {60 - door.tick} ticks"
    assert [event.text for event in events.chosen(EDITS)] == ["open door: door"]
    assert [event.text for event in events.chosen(DOORS)] == ["door opening", "door opened"]
    assert [event.text for event in events.chosen(CELLS)] == [
        "Entered 0x00070102 through portal 0, from 0x00070100",
        "Entered 0x00070101 through portal 1, from 0x00070102",
    ]
    assert [event.text for event in events.chosen(JUMPS)] == [
        "Jumped",
        "Landed on the floor of 0x00070101, polygon 7",
    ]
    assert [event.tick for event in events.events] == sorted(event.tick for event in events.events)


def test_looking_back_writes_nothing_twice_and_going_on_forgets(document: Document) -> None:
    events = EventLog(document)
    document.started.emit()
    through_the_door(document)
    before = list(events.events)
    document.go_to(20)
    document.tick_many(50)
    assert events.events == before
    document.go_to(61)
    document.continue_here()
    assert [event.kind for event in events.events] == [STOPS, EDITS, DOORS]
    document.tick_many(60, FORWARD)
    assert events.chosen(CELLS), "what happens now is written again"


def test_a_recording_that_is_opened_tells_the_same_story_in_few_reports(document: Document) -> None:
    events = EventLog(document)
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
    again = EventLog(opened)
    opened.started.emit()
    assert again.events == events.events


def test_a_drag_is_one_event(document: Document) -> None:
    events = EventLog(document)
    document.started.emit()
    door = document.sim.population.doors[0]
    cell_id = door.place_cell()
    for x in (3.1, 3.2, 3.3):
        document.edit("Move Door", MoveEntity(door.id, cell_id, x, 1.0, 0.0, 0.0), drag="drag")
    document.tick()
    document.edit("Move Door", MoveEntity(door.id, cell_id, 3.4, 1.0, 0.0, 0.0), drag="drag")
    document.undo()
    assert [event.text for event in events.chosen(EDITS)] == [
        "move entity: door",
        "move entity: door",
        "place entity: door",
    ]


def test_an_edited_room_is_an_edit_of_its_room_and_no_cell_change(document: Document) -> None:
    events = EventLog(document)
    document.started.emit()
    room_id = document.sim.player.place_cell()
    document.edit("Set Seen Outside", *set_seen_outside(document.sim, room_id, True))
    assert [event.text for event in events.events] == [f"edit room: {cell_text(room_id)}"]
    assert events.events[0].kind == EDITS


def test_the_neighbours_of_a_tick_are_found(document: Document) -> None:
    events = EventLog(document)
    document.started.emit()
    through_the_door(document)
    first, second = events.chosen(CELLS)
    assert events.after(first.tick, CELLS) == second
    assert events.before(second.tick, CELLS) == first
    assert events.before(first.tick, CELLS) is None
    assert events.after(10_000, "") is None
    assert [row.key for row in event_rows([first, second])] == [(second.tick, 1), (first.tick, 0)]


def test_pushing_again_after_a_pause_names_the_same_door_and_its_tick(document: Document) -> None:
    events = EventLog(document)
    document.started.emit()
    document.tick_many(60, FORWARD)
    (door,) = events.chosen(STOPS)
    for pause in (1, 30):
        document.tick_many(pause)
        document.tick_many(5, FORWARD)
    stops = events.chosen(STOPS)
    assert {stop.text for stop in stops} == {"Blocked by door, part 1, polygon 0"}
    assert len(stops) == 2, "a pause of one tick does not end a stop"
    assert stops[0].ticks == [*range(door.tick, 60), *range(61, 66)]
    assert stops[1].ticks == list(range(96, 101))
    why = why_of(stops[1])
    assert why is not None
    assert why.tick == door.tick, "the sliding normal of that tick stops him; his own sweep met nothing"


def test_a_creature_that_runs_into_the_player_pushes_him() -> None:
    document = document_of(built(with_people))
    events = EventLog(document)
    document.started.emit()
    (person,) = (entity for entity in document.sim.population.entities.values() if entity.name == "person 0")
    x, y, _ = person.origin()
    document.edit("Stand There", Teleport(person.place_cell(), x, y + 1.5, 0.0, 0.0))
    for _ in range(40):
        document.sim.apply_edit(SetVelocity(person.id, 0.0, 3.0, 0.0))
        document.tick()
    (push,) = events.chosen(PUSHES)
    assert push.text == "person 0 ran into the player"
    assert push.about is None, "it was no sweep of the player"


def test_ground_that_rises_under_the_player_pushes_him_out(document: Document) -> None:
    events = EventLog(document)
    document.started.emit()
    document.tick_many(5)
    place = document.sim.player.steered.place
    x, y, z = place.origin
    place.origin = (x, y, z - 0.05)
    document.tick_many(5, FORWARD)
    (push,) = events.chosen(PUSHES)
    assert push.text == "Pushed 0.05 m out of the ground"
