"""Several observers of one sweep: a trace, probes and a capture at the same time (engine/physics/sweep/trace.py)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.geometry.bsp import PhysicsTree
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3
from engine.physics.objects.physics_object import PhysicsObj, ShadowEntry
from engine.physics.sweep.trace import SweepObserver
from engine.physics.sweep.transition import Transition
from engine.world.cells.cell import ObjCell


def together(observers: Sequence[SweepObserver | None]) -> SweepObserver | None:
    """One observer for all of them; None for none, so that nothing is called."""
    there = [observer for observer in observers if observer is not None]
    if len(there) < 2:
        return there[0] if there else None
    return ObserverGroup(there)


class ObserverGroup(SweepObserver):
    """Passes on everything it hears, in the order of the observers."""

    def __init__(self, observers: Sequence[SweepObserver]) -> None:
        self.observers = tuple(observers)

    def hears_of_clear_shapes(self) -> bool:
        return any(observer.hears_of_clear_shapes() for observer in self.observers)

    def sweep_begins(self, tr: Transition) -> None:
        for observer in self.observers:
            observer.sweep_begins(tr)

    def sweep_ends(self, tr: Transition, found: bool) -> None:
        for observer in self.observers:
            observer.sweep_ends(tr, found)

    def step_begins(self, tr: Transition, number: int, asked: Vec3) -> None:
        for observer in self.observers:
            observer.step_begins(tr, number, asked)

    def step_adjusted(self, tr: Transition, left: Vec3) -> None:
        for observer in self.observers:
            observer.step_adjusted(tr, left)

    def step_refused(self, tr: Transition) -> None:
        for observer in self.observers:
            observer.step_refused(tr)

    def step_ends(self, tr: Transition, answer: int) -> None:
        for observer in self.observers:
            observer.step_ends(tr, answer)

    def insert_begins(self, tr: Transition, attempts: int) -> None:
        for observer in self.observers:
            observer.insert_begins(tr, attempts)

    def attempt_begins(self, tr: Transition, number: int) -> None:
        for observer in self.observers:
            observer.attempt_begins(tr, number)

    def insert_ends(self, tr: Transition, state: int) -> None:
        for observer in self.observers:
            observer.insert_ends(tr, state)

    def cells_found(self, tr: Transition, containing: ObjCell | None, asked: bool) -> None:
        for observer in self.observers:
            observer.cells_found(tr, containing, asked)

    def retargeted(self, tr: Transition, how: int) -> None:
        for observer in self.observers:
            observer.retargeted(tr, how)

    def cell_begins(self, tr: Transition, cell: ObjCell, primary: ObjCell | None) -> None:
        for observer in self.observers:
            observer.cell_begins(tr, cell, primary)

    def cell_ends(self, tr: Transition, cell: ObjCell, primary: ObjCell | None, state: int) -> None:
        for observer in self.observers:
            observer.cell_ends(tr, cell, primary, state)

    def entry_refused(self, tr: Transition, cell: ObjCell) -> None:
        for observer in self.observers:
            observer.entry_refused(tr, cell)

    def surroundings_begins(self, tr: Transition, cell: ObjCell, what: int) -> None:
        for observer in self.observers:
            observer.surroundings_begins(tr, cell, what)

    def surroundings_ends(self, tr: Transition, cell: ObjCell, what: int, state: int) -> None:
        for observer in self.observers:
            observer.surroundings_ends(tr, cell, what, state)

    def tree_begins(self, tr: Transition, tree: PhysicsTree) -> None:
        for observer in self.observers:
            observer.tree_begins(tr, tree)

    def polygon_met(self, tr: Transition, polygon: Polygon, sphere: int, how: int) -> None:
        for observer in self.observers:
            observer.polygon_met(tr, polygon, sphere, how)

    def tree_ends(self, tr: Transition, tree: PhysicsTree, state: int) -> None:
        for observer in self.observers:
            observer.tree_ends(tr, tree, state)

    def object_begins(self, tr: Transition, obj: PhysicsObj) -> None:
        for observer in self.observers:
            observer.object_begins(tr, obj)

    def object_skipped(self, tr: Transition, obj: PhysicsObj, why: int) -> None:
        for observer in self.observers:
            observer.object_skipped(tr, obj, why)

    def row_begins(self, tr: Transition, row: ShadowEntry) -> None:
        for observer in self.observers:
            observer.row_begins(tr, row)

    def row_ends(self, tr: Transition, row: ShadowEntry, state: int) -> None:
        for observer in self.observers:
            observer.row_ends(tr, row, state)

    def object_ends(self, tr: Transition, obj: PhysicsObj, verdict: int) -> None:
        for observer in self.observers:
            observer.object_ends(tr, obj, verdict)

    def probe_begins(self, tr: Transition, what: int, height: float, zval: float) -> None:
        for observer in self.observers:
            observer.probe_begins(tr, what, height, zval)

    def probe_ends(self, tr: Transition, what: int, state: int) -> None:
        for observer in self.observers:
            observer.probe_ends(tr, what, state)

    def slid(self, tr: Transition, normal: Vec3, state: int) -> None:
        for observer in self.observers:
            observer.slid(tr, normal, state)

    def move_ends(self, tr: Transition, done: bool) -> None:
        for observer in self.observers:
            observer.move_ends(tr, done)

    def cell_changed(self, body_id: int, old_id: int, new_id: int) -> None:
        for observer in self.observers:
            observer.cell_changed(body_id, old_id, new_id)
