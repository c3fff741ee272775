"""Names in a document: one undo step each, and nothing of the simulation moves."""

from __future__ import annotations

from editor.document.document import Document
from engine.sim.edits.doors import OpenDoor
from engine.world.names import NameKey
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import built, two_rooms

HALL = NameKey.cell(0x00070100)
STUDY = NameKey.cell(0x00070101)


def name_of(document: Document, key: NameKey) -> str:
    assert document.world is not None
    return document.world.names.get(key)


def test_a_rename_is_one_step_that_leaves_the_simulation_alone() -> None:
    document = document_of(built(two_rooms))
    before = document.sim.state_hash()
    assert document.rename("Rename Hall", {HALL: "  Great\thall ", STUDY: "Study"})
    assert (name_of(document, HALL), name_of(document, STUDY)) == ("Great hall", "Study")
    assert document.sim.state_hash() == before
    assert document.stack.index() == 1
    document.undo()
    assert (name_of(document, HALL), name_of(document, STUDY)) == ("", "")
    document.redo()
    assert name_of(document, HALL) == "Great hall"


def test_undo_of_a_rename_leaves_the_edit_below_it_to_the_bit() -> None:
    document = document_of(built(two_rooms))
    begun = document.sim.state_hash()
    document.edit("Open Door", OpenDoor(document.sim.population.doors[0].id))
    opened = document.sim.state_hash()
    document.rename("Rename Hall", {HALL: "Hall"})
    document.undo()
    assert document.sim.state_hash() == opened
    document.undo()
    assert document.sim.state_hash() == begun
    document.redo()
    document.redo()
    assert (document.sim.state_hash(), name_of(document, HALL)) == (opened, "Hall")


def test_the_same_name_again_makes_no_step() -> None:
    document = document_of(built(two_rooms))
    document.rename("Rename Hall", {HALL: "Hall"})
    assert not document.rename("Rename Hall", {HALL: "Hall"})
    assert document.stack.index() == 1


def test_the_past_refuses_a_rename_and_continuing_keeps_the_names() -> None:
    document = document_of(built(two_rooms))
    document.tick_many(5)
    document.rename("Rename Hall", {HALL: "Hall"})
    document.go_to(2)
    said: list[str] = []
    document.refused.connect(said.append)
    assert not document.rename("Rename Study", {STUDY: "Study"})
    assert said == ["Rename Study: The past is read-only. Continue Here resumes from this tick."]
    document.continue_here()
    assert name_of(document, HALL) == "Hall"


def test_a_rename_is_told_to_the_docks() -> None:
    document = document_of(built(two_rooms))
    told: list[str] = []
    document.named.connect(lambda: told.append("named"))
    document.changed.connect(lambda: told.append("changed"))
    document.rename("Rename Hall", {HALL: "Hall"})
    document.undo()
    assert told == ["named", "changed", "named", "changed"]
