"""Applies a step of the undo stack to the simulation, and undoes it.

While nothing else has happened undo restores the exact state, bit by bit; afterwards it applies the inverse edits. A
step that is refused changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from editor.document.step import Step
from engine.physics.errors import PhysicsError
from engine.sim.edits.catalogue import values_of
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.edit import Edit
from engine.sim.edits.world import RestoreSnapshot
from engine.sim.tick.simulation import Simulation
from engine.world.faults import WorldError

REFUSALS: Final = (PhysicsError, WorldError)


class ExactState:
    """The state just before a step, usable as long as nothing else has happened."""

    def __init__(self, sim: Simulation) -> None:
        self.tick = sim.tick_number
        self.snapshot = sim.snapshot()
        self.waiting = sim.waiting
        self.hash_before = sim.state_hash()
        self.hash_after = b""

    def holds(self, sim: Simulation) -> bool:
        """Whether the simulation is still in the state that the step left."""
        return sim.tick_number == self.tick and sim.waiting >= self.waiting and sim.state_hash() == self.hash_after

    def restore(self, sim: Simulation) -> None:
        sim.apply_edit(RestoreSnapshot(self.snapshot, self.waiting))

    def restore_if_changed(self, sim: Simulation) -> None:
        if sim.state_hash() != self.hash_before:
            self.restore(sim)

    @property
    def is_unchanged(self) -> bool:
        """The step has changed nothing."""
        return self.hash_after == self.hash_before


def apply_step(sim: Simulation, step: Step) -> tuple[Step, ExactState]:
    """Apply the edits; returns the step with its inverse edits, and the state before it. Raises one of REFUSALS."""
    for entity_id in ids_of(step.edits):
        sim.bring(entity_id)
    before = ExactState(sim)
    inverse: list[Edit] = []
    try:
        for edit in step.edits:
            inverse = [*edit.inverse(sim), *inverse]
            sim.apply_edit(edit)
    except REFUSALS:
        before.restore_if_changed(sim)
        raise
    before.hash_after = sim.state_hash()
    return replace(step, inverse=tuple(inverse)), before


def undo_step(sim: Simulation, step: Step, exact: ExactState | None) -> None:
    """Restore the exact state before the step, or apply the inverse edits. Raises one of REFUSALS."""
    if exact is not None and exact.holds(sim):
        exact.restore(sim)
        return
    before = ExactState(sim)
    try:
        for edit in step.inverse:
            sim.apply_edit(edit)
    except REFUSALS:
        before.restore_if_changed(sim)
        raise


def ids_of(edits: Iterable[Edit]) -> Iterator[int]:
    """Every whole number in these edits, and the ids of the rooms that they replace."""
    for edit in edits:
        for value in values_of(edit):
            if isinstance(value, int) and not isinstance(value, bool):
                yield value
        if isinstance(edit, ReplaceCell):
            yield edit.cell_id
