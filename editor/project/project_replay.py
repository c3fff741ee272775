"""Replays a project in its world: its steps, one after the other, then `now`, which brings everything to where it
stood.

All of it happens before the simulation is shown, so it can run off the window's thread.

In the world that the project was saved in, a step that is refused was blocked by something that time has moved since;
its result is in `now`, so it stays a step. In a world that has changed it is left out and reported.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from editor.document.step import Step
from editor.document.step_application import ids_of
from editor.document.world_diff import EditableState, current_placement, editable_state, join
from editor.project.project import Project, shifted
from engine.entities.door import Door
from engine.files.cancelling import check_cancelled
from engine.geometry.errors import GeometryError
from engine.physics.errors import PhysicsError
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import AddEntity, RemoveEntity, SetState
from engine.sim.edits.placing import PlaceEntity
from engine.sim.tick.simulation import Simulation
from engine.sim.world_identity import ENTITIES, PLAYER, differing_parts
from engine.world.faults import WorldError

REFUSALS: Final = (PhysicsError, WorldError, GeometryError)

Progress = Callable[[float, str], None]


@dataclass
class OpenedProject:
    """A replayed project: `start` is the state in which its world began, `steps` are the ones that could be made."""

    path: Path
    project: Project
    start: EditableState
    steps: list[Step] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)
    """The parts of the world that are not as they were."""
    refused: list[str] = field(default_factory=list)
    """The steps that were refused, with the reasons."""
    missing: list[str] = field(default_factory=list)
    """The reasons why other things are not where they stood."""
    is_own: bool = False
    """Its file is one of our own autosaves: only then is it believed what it says of itself."""
    is_elsewhere: bool = False
    """Its world was not where its file says; saving updates the path."""

    @property
    def source(self) -> str:
        """The source that was opened for it, wherever the project's file is."""
        return self.project.source_from(self.path.parent)

    @property
    def within(self) -> str:
        """The world of a recording that was found for it."""
        return self.project.within_from(self.path.parent)

    @property
    def is_recovered(self) -> bool:
        """It is an autosave, or says so."""
        return self.project.unsaved > 0

    @property
    def own_file(self) -> Path | None:
        """The project's own file: the opened one, or for one of our autosaves the one that it names. None where the
        user has to choose, for an autosave from elsewhere can name any file."""
        if not self.is_recovered:
            return self.path
        return Path(self.project.file) if self.is_own and os.path.isabs(self.project.file) else None

    @property
    def reopen_path(self) -> str:
        """The path that opens it another time; an autosave of ours is gone then."""
        return str(self.own_file or self.source) if self.is_own else str(self.path)

    @property
    def sentence(self) -> str:
        """A sentence for the user; empty when everything is as it was saved."""
        if not self.differing:
            return ""
        said = f"The world of {self.path.name} has changed since it was saved"
        if not self.refused and not self.missing:
            return f"{said}; all its edits could be replayed. Check that they still fit."
        count = len(self.refused)
        lost = f"{count} of its {len(self.project.steps)} edits" if count else "where some things stood"
        return f"{said}, and {lost} could not be restored. Saving will leave that out."

    @property
    def details(self) -> str:
        changed = [_part_text(part) for part in self.differing]
        return "\n".join([*changed, *self.refused, *self.missing])


def _part_text(part: str) -> str:
    if part == ENTITIES:
        return "The entities are not the same."
    if part == PLAYER:
        return "The player's body and motions are not the same."
    return f"Landblock {part} is not the same."


def replay_project(path: Path, project: Project, sim: Simulation, progress: Progress | None = None) -> OpenedProject:
    """Replay a project in a simulation that has just begun, or whose recording has just been replayed."""
    for block_id in project.joined:
        check_cancelled()
        sim.surroundings.join(block_id)
    start = editable_state(sim)
    opened = OpenedProject(path, project, start, differing=differing_parts(sim.world, project.identity))
    sim.surroundings.listeners.append(lambda block_id: join(start, sim, block_id))
    for number, step in enumerate(project.steps):
        if progress is not None:
            progress(number / len(project.steps), f"{path.name}: {step.name}")
        _make(opened, sim, step)
    _bring(opened, sim)
    sim.restore(sim.snapshot())  # the edits' events were reported when they were first made
    return opened


def _make(opened: OpenedProject, sim: Simulation, step: Step) -> None:
    tick = sim.tick_number
    moved = replace(step, edits=shifted(step.edits, tick), inverse=shifted(step.inverse, tick))
    back: list[Edit] | None = [] if opened.differing else None
    try:
        _make_edits(sim, moved.edits, back)
    except REFUSALS as error:
        if opened.differing:
            opened.refused.append(f"{step.name}: {error}")
            return
    opened.steps.append(moved if back is None else replace(moved, inverse=tuple(back)))


def _make_edits(sim: Simulation, edits: Sequence[Edit], back: list[Edit] | None) -> None:
    """Apply all edits of a step or none; prepend their inverse edits in this world to `back` unless it is None."""
    before = sim.snapshot() if len(edits) > 1 else b""  # a single edit that is refused has changed nothing
    try:
        for edit in edits:
            _let_doors_rest(sim, [edit])
            if back is not None:
                back[:0] = edit.inverse(sim)
            sim.apply_edit(edit)
    except REFUSALS:
        if before:
            sim.restore(before)
        raise


def _bring(opened: OpenedProject, sim: Simulation) -> None:
    """Bring everything to where it stood."""
    reasons: dict[str, None] = {}
    for edit in shifted(opened.project.now, sim.tick_number):
        check_cancelled()
        try:
            _bring_one(sim, edit)
        except REFUSALS as error:
            reasons[str(error)] = None
    if opened.differing:
        told = "\n".join(opened.refused)
        opened.missing = [reason for reason in reasons if reason not in told]


def _bring_one(sim: Simulation, edit: Edit) -> None:
    """Skip edits already in effect: replacing a room again would reset what was moved in it, and placing an entity
    again would round the place it was added at."""
    if isinstance(edit, ReplaceCell):
        if sim.rooms.records_of(edit.cell_id) == (edit.cell, edit.environment):
            return
    elif isinstance(edit, AddEntity):
        there = sim.population.find(edit.entity_id)
        if there is not None and there.spec == edit.spec.encode():
            return
        if there is not None:
            sim.apply_edit(RemoveEntity(there.id))
    elif isinstance(edit, PlaceEntity) and edit == current_placement(sim, edit.entity_id):
        return
    sim.apply_edit(edit)
    if isinstance(edit, SetState):
        _let_doors_rest(sim, [edit])


def _let_doors_rest(sim: Simulation, edits: Iterable[Edit]) -> None:
    """Finish the doors' motions: between two steps there was time for that."""
    for entity_id in ids_of(edits):
        door = sim.population.find(entity_id)
        if isinstance(door, Door) and door.is_busy(sim.tick_number):
            door.rest(sim.tick_number)
