"""The sweep's state in one object, as its many routines pass it around (spec/physics.md 0.2: tr, sp, ci, oi, ca).

`Sweep` is the part of a transition that collision routines see; `engine.physics.transition` completes it.
"""

from __future__ import annotations

from engine.geometry.vec import Vec3
from engine.physics.cell_array import CellArray
from engine.physics.collision_info import CollisionInfo, ObjectInfo
from engine.physics.restrictions import NOBODY_IS_KNOWN, Restrictions
from engine.physics.rules import RuleSet
from engine.physics.sphere_path import SpherePath
from engine.physics.trace import SweepObserver
from engine.world.graph.graph import CellGraph


class Sweep:
    """One sweep's state and the two calls back into it that a collision routine makes."""

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
        self.ci = CollisionInfo(rules)
        self.oi = ObjectInfo()
        self.ca = CellArray()
        self.restrictions = NOBODY_IS_KNOWN
        self.barrier_opened = False
        self.observer = None

    def step_up(self, normal: Vec3) -> bool:
        """Try to climb what was hit (5.11)."""
        raise NotImplementedError

    def step_up_slide(self) -> int:
        """Slide along what could not be climbed (5.11)."""
        raise NotImplementedError
