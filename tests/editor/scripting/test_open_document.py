"""The console over an open document: edits are undo steps, and what fails or is stopped leaves no trace."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from editor.document.document import Document
from editor.scripting.console import Kind, Outcome
from editor.session.session import Kind as Selected
from editor.session.session import Selection
from tests.editor.document.small_document import document_of
from tests.editor.document.test_group import whole
from tests.editor.scripting.console_hands import Console
from tests.sim.helpers.small_worlds import FORWARD, built, two_rooms


@pytest.fixture
def console() -> Iterator[Console]:
    made = Console(document_of(built(two_rooms)))
    yield made
    made.runner.forget_world()


@pytest.fixture
def document(console: Console) -> Document:
    return console.document


def door_name(document: Document) -> str:
    return document.sim.population.doors[0].name


def test_a_line_that_opens_a_door_is_an_undo_step_of_that_name(console: Console, document: Document) -> None:
    before = document.sim.state_hash()
    assert console.run(f'document.doors["{door_name(document)}"].open()') == ""
    assert document.stack.texts() == [f"Open {door_name(document)}"]
    assert document.sim.population.doors[0].is_open
    document.undo()
    assert document.sim.state_hash() == before


def test_a_line_with_several_edits_is_one_step_named_after_it(console: Console, document: Document) -> None:
    before = document.sim.state_hash()
    console.run("for d in document.doors: d.lock(); d.set_closes_after(7)\n")
    assert document.stack.texts() == ["Console: for d in document.doors: d.lock(); d.set_closes_after(7)"]
    document.undo()
    assert document.sim.state_hash() == before


FAILING = (
    "document.doors[0x12345].open()",
    "document.face(12)\ndocument.tick('W', 25)\ndocument.face(40)\n1 / 0",
    "document.tick('W', 5)\nwhile True: pass",
    "document.rename(document.player.cell, 'Den')\ndocument.undo()\ndocument.undo()\nraise ValueError",
    "document.go_to(3)\n1 / 0",
    "document.go_to(3)\ndocument.tick('', 10)\ndocument.go_to_present()\ndocument.tick('W', 10)\n1 / 0",
    "document.select(cell=document.player.cell)\n1 / 0",
    "document.engine.player.steered.velocity = (1.0, 2.0, 3.0)\n1 / 0",
    "document.set_rules('ace')\ndocument.set_body(radius=0.3)\ndocument.tick('', 40)\nexit()",
    "document.until('z falls by more than 500 m', 'W', seconds=1)\nnothing",
)


@pytest.mark.parametrize("shown", [None, 4])
@pytest.mark.parametrize("source", FAILING)
def test_a_line_that_fails_leaves_the_document_as_it_was(
    console: Console, document: Document, source: str, shown: int | None
) -> None:
    console.patience = 0.4
    console.run("document.rename(document.player.cell, 'hall')")
    console.run("document.face(30)")
    document.tick_many(20, FORWARD)
    console.run("document.doors[0].open() if 0 in document.doors else document.face(70)")
    if shown is not None:
        document.go_to(shown)
    was, snapshot, selection = whole(document), document.sim.snapshot(), document.session.selection
    console.run(source)
    assert console.outcome in (Outcome.FAILED, Outcome.STOPPED)
    assert whole(document) == was
    assert document.sim.snapshot() == snapshot
    assert document.session.selection == selection


def test_the_console_says_that_the_document_is_as_before_only_when_it_was_not(console: Console) -> None:
    assert "as it was before" in console.run("document.face(12)\n1 / 0")
    assert "as it was before" not in console.run("1 / 0")


def test_refusals_are_exceptions_with_the_engines_words(console: Console, document: Document) -> None:
    text = console.run("document.doors['Nowhere'].open()")
    assert "RefusedError" in text
    assert "Nowhere" in text
    assert "step_application" not in text
    document.tick_many(5)
    document.go_to(2)
    assert "read-only" in console.run("document.face(12)")


def test_ticks_are_recorded_and_found_again(console: Console, document: Document, tmp_path: Path) -> None:
    console.run("t = document.tick('W', 12)")
    assert document.history is not None
    assert document.history.end == document.history.first + 12
    assert console.run("t.number == document.last.number == document.tick_number - 1") == "True\n"
    assert console.run("document.find('speed over 0.1') != []") == "True\n"
    assert console.run("document.trace().tick == t.number") == "True\n"
    assert console.run("document.recording.check()") == "''\n"
    console.run(f"document.save_recording({str(tmp_path / 'a.cdrec')!r})")
    assert (tmp_path / "a.cdrec").stat().st_size > 100


def test_until_stops_at_its_condition(console: Console) -> None:
    text = console.run("document.until('speed over 0.5', 'W', seconds=3).because")
    assert text.strip("'\n") != ""


def test_what_is_selected_here_is_selected_in_the_window(console: Console, document: Document) -> None:
    door = document.sim.population.doors[0]
    console.run(f"document.select({door.name!r})")
    chosen = document.session.selection
    assert chosen is not None
    assert (chosen.kind, chosen.key) == (Selected.ENTITY, door.id)
    assert console.run("document.selection").startswith("Door(")
    console.run("document.select(cell=document.player.cell)")
    assert console.run("document.selection.id == document.player.cell") == "True\n"
    console.run("document.select()")
    assert document.session.selection is None
    block = document.sim.world.landblock_ids()[0]
    console.run("document.select(landblock=document.landblocks[0])")
    assert document.session.selection == Selection(Selected.LANDBLOCK, block, block)


def test_without_a_world_each_question_is_answered_with_a_sentence() -> None:
    from editor.session.session import Session

    console = Console(Document(Session()))
    assert "nothing is open" in console.run("document")
    for source in ("document.player", "document.tick()", "document.recording", "document.go_to(1)", "document.cells()"):
        assert "open a world first" in console.run(f"list({source})" if "cells" in source else source)
    assert console.outcome is Outcome.FAILED


def test_a_script_is_one_step_of_its_name_in_a_namespace_of_its_own(
    console: Console, document: Document, tmp_path: Path
) -> None:
    script = tmp_path / "turn_round.py"
    script.write_text(
        '"""Turn round."""\nimport cellar_door\nx = 1\ndocument.face(10)\ndocument.face(200)\nprint(__name__)'
    )
    assert console.runner.run_script(script, "Turn round") is Outcome.DONE
    assert console.text(Kind.OUTPUT) == "__main__\n"
    assert document.stack.texts() == ["Script: Turn round"]
    assert "NameError" in console.run("x")


def test_a_failing_script_is_told_by_its_lines(console: Console, document: Document, tmp_path: Path) -> None:
    script, was = tmp_path / "broken.py", whole(document)
    script.write_text("document.face(10)\ndocument.tick('W', 9)\n\nraise ValueError('no')\n")
    assert console.runner.run_script(script, "Broken") is Outcome.FAILED
    assert f'File "{script}", line 4, in <module>\n    raise ValueError' in console.text()
    assert whole(document) == was


def test_help_explains_methods_and_how_to_begin(console: Console) -> None:
    assert "Run ticks of 1/30 s" in console.run("help(document.tick)")
    assert "document.player" in console.run("help()")
    assert "\x08" not in console.run("help(document)")
