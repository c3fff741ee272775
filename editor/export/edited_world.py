"""An edited world for commands: a source, or a project with its edits made again."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from editor.document.step import Step
from editor.document.step_application import ids_of
from editor.document.world_diff import EditableState, editable_state
from editor.project.project import ProjectError
from editor.project.project_replay import OpenedProject
from editor.session.background import Job
from editor.session.loading import READERS, Arrival, Request, WorldQuestion
from editor.session.named_sources import whole_name
from editor.session.server_choice import ServerChoice
from editor.session.server_question import ServerDataQuestion
from editor.session.sources import Content, look_at, open_source
from engine.sim.edits.edit import Edit
from engine.sim.errors import SimError
from engine.sim.tick.simulation import Simulation


@dataclass(frozen=True)
class EditedWorld:
    """A simulation with the edits of a project, or none; `source` is what the world was opened from."""

    sim: Simulation
    source: str
    start: EditableState
    touched: frozenset[int]
    """The ids that its edits name."""
    steps: tuple[tuple[str, tuple[Edit, ...]], ...] = ()
    """The steps of the project, by their names, with their edits."""
    made: tuple[Step, ...] = ()
    """The same steps whole."""
    scene: str | None = None
    """The scene of a source that has several."""
    server: ServerChoice | None = None
    """The server data that stands in it."""


@contextmanager
def edited_world(
    source: str, project: str = "", named: Collection[str] = (), server: ServerChoice | None = None
) -> Iterator[EditedWorld]:
    """Open a world with the edits of a project; without one, `source` may be a project itself, whose world lies with it
    or is one of `named`. `server` is the server data if it is not where the project says.

    Raises a SimError when an edit of the project cannot be made in this world: it would be missing in what is made of
    the world.
    """
    found = look_at(project or source)
    if found.content in (Content.WORLD, Content.REPRODUCTION) and not project:
        world = open_source(found.source, None, server)
        try:
            sim = Simulation(world)
            yield EditedWorld(sim, found.source, editable_state(sim), frozenset())
            sim.close()
        finally:
            world.close()
        return
    if found.content is not Content.PROJECT:
        raise SimError(
            f"is a {found.content.value}, not a {'project' if project else 'world or a project'}", found.source
        )
    world_name = source if project else ""
    known = frozenset(whole_name(each) for each in (*named, world_name) if each)
    try:
        request = Request(found.source, world=world_name, ask=False, named=known)
        if server is not None:
            request = request.with_server(server)
        outcome = READERS[Content.PROJECT](request, found, Job())
    except ProjectError as error:
        raise SimError(error.reason, error.file) from error
    if isinstance(outcome, WorldQuestion) and outcome.said:
        reason = f"its world is {outcome.said}, which does not lie with it; name the world and give this as --project"
        raise SimError(reason, found.source)
    if isinstance(outcome, ServerDataQuestion) and outcome.said:
        reason = f"its server data is {outcome.said[0]}, which does not lie with it; name it with --server-data"
        raise SimError(reason, found.source)
    if isinstance(outcome, WorldQuestion | ServerDataQuestion):
        raise SimError(outcome.failure.sentence, None)
    try:
        if not isinstance(outcome, Arrival) or outcome.project is None:
            raise SimError("its world cannot be opened alone", found.source)
        _refuse_gaps(outcome.project)
        edits = [edit for step in outcome.project.steps for edit in step.edits]
        touched = frozenset(ids_of([*edits, *outcome.project.project.now]))
        steps = tuple((step.name, tuple(step.edits)) for step in outcome.project.steps)
        made = tuple(outcome.project.steps)
        start, scene, server = outcome.project.start, outcome.scene, outcome.server
        yield EditedWorld(outcome.sim, outcome.source, start, touched, steps, made, scene, server)
    finally:
        outcome.close()


def _refuse_gaps(opened: OpenedProject) -> None:
    lost = [*opened.refused, *opened.missing]
    if lost:
        raise SimError(f"its edits cannot all be made in this world: {lost[0]}", str(opened.path))
