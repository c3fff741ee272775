"""The sweep's state in one object, as its many routines pass it around (physics.md 0.2: tr, sp, ci, oi, ca).

`Sweep` is the part of a transition that its routines see; `engine.physics.sweep.transition` completes it.
"""

from __future__ import annotations

from engine.physics.membership import find_cell_list
from engine.physics.objects.restrictions import NOBODY_IS_KNOWN, Restrictions
from engine.physics.rules import RuleSet
from engine.physics.sweep.cell_array import CellArray
from engine.physics.sweep.collision_info import CollisionInfo, ObjectInfo
from engine.physics.sweep.sphere_path import SpherePath
from engine.physics.sweep.trace import SweepObserver
from engine.world.graph.graph import CellGraph


class Sweep:
    """One sweep's state, and the call back into it that a probe makes."""

    rules: RuleSet
    graph: CellGraph
    sp: SpherePath
    ci: CollisionInfo
    oi: ObjectInfo
    ca: CellArray
    restrictions: Restrictions
    barrier_opened: bool
    observer: SweepObserver | None

    def __init__(self, graph: CellGraph, rules: RuleSet) -> None:
        self.rules = rules
        self.graph = graph
        self.sp = SpherePath()
        self.sp.probe.corners = rules.walkable_corner
        self.ci = CollisionInfo(rules)
        self.oi = ObjectInfo()
        self.ca = CellArray()
        self.restrictions = NOBODY_IS_KNOWN
        self.barrier_opened = False
        self.observer = None

    def transitional_insert(self, attempts: int) -> int:
        """Insert the candidate into the cells that it touches (5.6)."""
        raise NotImplementedError

    def build_cell_array(self) -> None:
        """The array alone, for where the candidate is; membership is not touched."""
        sp = self.sp
        sp.cell_array_valid = True
        sp.hits_interior_cell = False
        find_cell_list(self.graph, self.rules, sp.check.cell_id, sp.global_spheres(), self.ca, False, sp)
        if self.observer is not None:
            self.observer.cells_found(self, None)

    # --- telling an observer of what happens seldom; the rest is told where it happens, which costs no call

    def probe_begins(self, what: int, height: float = 0.0, zval: float = 0.0) -> None:
        if self.observer is not None:
            self.observer.probe_begins(self, what, height, zval)

    def probe_ends(self, what: int, state: int) -> int:
        if self.observer is not None:
            self.observer.probe_ends(self, what, state)
        return state
