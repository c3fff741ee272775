"""The selection while things are added, removed, undone and moved."""

from __future__ import annotations

from functools import partial

import pytest

from editor.authoring.catalogue import add_like, catalogue, place_ahead
from editor.authoring.cell_edits import room_of
from editor.authoring.static_edits import move_static, remove_static
from editor.document.document import Document
from editor.document.selection_tracking import SelectionWatch
from editor.session.session import Kind, Selection
from engine.geometry.frame import Frame
from engine.sim.edits.doors import LockDoor
from engine.world.cells.ids import landblock_id
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import built, furnished, two_rooms


@pytest.fixture
def room() -> Document:
    """A room with three things in it."""
    document = document_of(built(furnished), "room", (5.0, 3.0))
    SelectionWatch(document, document)
    return document


def models(document: Document) -> list[int]:
    return [thing.model_id for thing in room_of(document.sim, document.sim.graph.current_id).static_objects]


def select(document: Document, index: int) -> None:
    cell_id = document.sim.graph.current_id
    thing = room_of(document.sim, cell_id).static_objects[index]
    document.session.select(Selection(Kind.STATIC, landblock_id(cell_id), thing.id))


def selected(document: Document) -> int | None:
    """The number of the selected thing in its room."""
    selection = document.session.selection
    return None if selection is None else selection.key & 0xFFFF


def test_a_thing_that_moves_up_in_its_room_stays_the_selected_one(room: Document) -> None:
    assert len(set(models(room))) == 3
    select(room, 2)
    room.edit("Delete", *remove_static(room.sim, room.sim.graph.current_id, 0))
    assert selected(room) == 1
    room.undo()
    assert selected(room) == 2
    room.redo()
    room.tick()
    room.undo()
    assert selected(room) == 2, "undone after a tick, too"


def test_what_was_taken_out_of_a_room_is_selected_no_more(room: Document) -> None:
    select(room, 1)
    room.edit("Delete", *remove_static(room.sim, room.sim.graph.current_id, 1))
    assert room.session.selection is None


def test_a_thing_that_is_moved_stays_selected(room: Document) -> None:
    select(room, 0)
    cell_id = room.sim.graph.current_id
    for x in (1.0, 2.0):
        room.edit("Move", *move_static(room.sim, cell_id, 0, Frame((x, 1.0, 0.0))), drag="drag")
    assert selected(room) == 0
    room.undo()
    assert selected(room) == 0


def test_undoing_an_addition_deselects_the_entity_and_looking_back_does_not() -> None:
    document = document_of(built(two_rooms))
    SelectionWatch(document, document)
    document.tick()
    edit = add_like(document.sim, catalogue(document.sim)[0], *place_ahead(document.sim))
    document.edit("Add", edit)
    guid = edit.entity_id
    added = Selection(Kind.ENTITY, landblock_id(document.sim.graph.current_id), guid)
    document.session.select(added)
    document.tick()
    document.edit("Lock", LockDoor(guid, True))
    kept = []
    for step in (partial(document.go_to, 0), partial(document.go_to, 2), document.undo, document.undo):
        step()
        kept.append(document.session.selection)
    assert kept == [added, added, added, None]
