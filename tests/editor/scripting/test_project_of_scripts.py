"""Steps of scripts are kept in projects, with edits and names in one step."""

from __future__ import annotations

from pathlib import Path

from editor.project.project import Project
from editor.project.project_file import load_project, save_project
from tests.editor.document.small_document import document_of
from tests.editor.scripting.console_hands import Console
from tests.sim.helpers.small_worlds import built, two_rooms


def test_a_step_with_edits_and_names_is_read_back_as_it_was(tmp_path: Path) -> None:
    console = Console(document_of(built(two_rooms)))
    console.run("document.face(40)\ndocument.rename(document.player.cell, 'Den')\ndocument.face(60)")
    steps = tuple(console.document.done_steps())
    assert [(len(step.edits), len(step.names)) for step in steps] == [(2, 1)]
    file = tmp_path / "a.cellardoor"
    save_project(Project("demo", "house", steps=steps), file)
    read = load_project(file).steps
    assert [(step.name, step.edits, step.inverse, step.names) for step in read] == [
        (step.name, step.edits, step.inverse, step.names) for step in steps
    ]
