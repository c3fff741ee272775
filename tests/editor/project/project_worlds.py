"""Documents saved as projects, and opened again in a fresh world of the same description."""

from __future__ import annotations

from pathlib import Path

from editor.document.document import Document
from editor.document.world_diff import editable_state
from editor.project.project import Project, edits_to_now, saved_steps
from editor.project.project_file import parse_project, project_bytes
from editor.project.project_replay import OpenedProject, replay_project
from engine.sim.tick.simulation import Simulation
from engine.sim.world_identity import world_identity
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import built, two_rooms

BLOCK = 0x0007FFFF


def project_of(document: Document) -> Project:
    """What there is to keep of a document over two rooms."""
    assert document.start is not None
    now = document.present_state()
    steps = saved_steps(document.done_steps(), now)
    identity = world_identity(document.sim.world, [BLOCK])
    return Project(
        "two_rooms",
        "two rooms",
        landblock=BLOCK,
        tick=now.tick,
        identity=identity,
        joined=tuple(now.joined),
        steps=steps,
        now=edits_to_now(document.start, now, steps),
    )


def again(project: Project) -> tuple[Document, OpenedProject]:
    """The project, through the bytes of its file, in a document of its own."""
    document = document_of(built(two_rooms))
    read = parse_project(project_bytes(project), "two_rooms.cellardoor")
    opened = replay_project(Path("two_rooms.cellardoor"), read, document.sim)
    document.session.opened.emit()
    document.adopt_steps(opened.start, opened.steps)
    return document, opened


def differences(one: Simulation, other: Simulation) -> list[str]:
    """What edits can change and is not the same."""
    first, second = editable_state(one), editable_state(other)
    found = []
    for name in ("player", "time_of_day"):
        mine, theirs = getattr(first, name), getattr(second, name)
        if mine != theirs:
            found.append(f"{name}: {mine} and {theirs}")
    for name in ("numbers", "rules", "rooms", "entities", "statics"):
        mine, theirs = getattr(first, name), getattr(second, name)
        keys = [*mine, *(key for key in theirs if key not in mine)]
        found += [
            f"{name} {key}: {mine.get(key)} and {theirs.get(key)}" for key in keys if mine.get(key) != theirs.get(key)
        ]
    cells = [cell.id for cell in one.graph.all_cells()]
    found += [f"0x{cell:08X}" for cell in cells if one.rooms.records_of(cell) != other.rooms.records_of(cell)]
    return found
