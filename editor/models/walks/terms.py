"""The terms on which a kept walk is run in the open document: the edits made since it was kept, and those undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from editor.document.undo_stack import Step
from editor.project.project import shared_steps
from engine.sim.compare.sides import EDIT, Change, Side
from engine.sim.edits.edit import Edit
from engine.sim.recording import Recording
from engine.sim.walks.terms import Terms, edits_of_world
from engine.world.world import World


@dataclass(frozen=True)
class StepsSince:
    """The steps that the document has and the walk was kept without, and those that it has no more; both only as far as
    they change the world, its rules or the player's body. `all_now` are all that the document has."""

    added: tuple[tuple[str, tuple[Edit, ...]], ...]
    undone: tuple[tuple[str, tuple[Edit, ...], tuple[Edit, ...]], ...]
    all_now: tuple[Edit, ...]

    def terms(self, recording: Recording | None, *, arrives: bool = False) -> Terms:
        """Of a walk that arrives in another world the recording's first state does not come along, and a capture (None)
        has none: all edits are made before their first tick."""
        if recording is None:
            return Terms(self.all_now)
        without = tuple(edit for _, edits, _ in self.undone for edit in edits)
        if arrives:
            made = [edit for edits in recording.edits.values() for edit in edits]
            return Terms(tuple(edit for edit in self.all_now if edit not in made), (), without, arrives=True)
        before = tuple(edit for _, edits in self.added for edit in edits)
        undone = tuple(edit for _, _, inverse in reversed(self.undone) for edit in inverse)
        return Terms(before, undone, without)

    def sides(self, world: World, recording: Recording) -> tuple[Side, Side]:
        """The walk as it was kept, and as it goes now, to be compared."""
        gone = tuple(edit for _, edits, _ in self.undone for edit in edits)
        changes = [Change(EDIT, f"Undo {name}", inverse) for name, _, inverse in reversed(self.undone)]
        changes += [Change(EDIT, name, edits) for name, edits in self.added]
        now = Side("now", world, recording, tuple(changes), leaves_out=lambda tick, number, edit: edit in gone)
        return Side("as kept", world, recording), now


def steps_since(kept: Sequence[Step], done: Sequence[Step], player_id: int) -> StepsSince:
    """What the document `done` has that a walk `kept` with other steps has not."""

    def of_world(edits: Sequence[Edit]) -> tuple[Edit, ...]:
        return tuple(edits_of_world(edits, player_id))

    shared = shared_steps(kept, done)
    added = ((step.name, of_world(step.edits)) for step in done[shared:])
    undone = ((step.name, of_world(step.edits), of_world(step.inverse)) for step in kept[shared:])
    return StepsSince(
        tuple(each for each in added if each[1]),
        tuple(each for each in undone if each[1]),
        tuple(edit for step in done for edit in of_world(step.edits)),
    )
