"""The sweeps of one tick on both sides, aligned at the first row of their traces where the answers part.

Both traces (`engine.sim.trace`) are gone through together, in the order in which things happened: the first row that
was asked something else, or answered otherwise although everything within it went the same, is where they part.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, zip_longest

from engine.sim.compare.causes import RULES, Cause
from engine.sim.compare.comparison import Comparison, Parting
from engine.sim.compare.sides import Follower
from engine.sim.compare.smallest import Steps, all_at_once
from engine.sim.trace import tree as nodes
from engine.sim.trace.recorder import TraceRecorder
from engine.sim.trace.tree import NO_POLYGON, TraceNode

Path = tuple[TraceNode, ...]
"""A row with all rows that it is a part of, from the sweep down; empty where a side has no such row."""


@dataclass(frozen=True)
class AlignedSweeps:
    """The player's sweeps in a tick on both sides, and the rows at which they part; both empty when they do not.

    `is_asked`: the rows were asked different things; otherwise they only answered differently.
    """

    first: list[TraceNode]
    second: list[TraceNode]
    first_path: Path = ()
    second_path: Path = ()
    is_asked: bool = False

    @property
    def part(self) -> bool:
        return bool(self.first_path or self.second_path)

    @property
    def step(self) -> int:
        """The sub-step, from 1; 0 when they part outside of one."""
        for path in (self.first_path, self.second_path):
            for above, row in pairwise(path):
                if row.kind == nodes.STEP:
                    return 1 + next(n for n, each in enumerate(_of_kind(above, nodes.STEP)) if each is row)
        return 0

    @property
    def cell_id(self) -> int:
        return next((row.cell_id for row in self._rows() if row.kind == nodes.CELL), 0)

    @property
    def object_id(self) -> int:
        return next((row.object_id for row in self._rows() if row.kind == nodes.OBJECT), 0)

    @property
    def polygon_id(self) -> int:
        return next((row.polygon_id for row in self._rows() if row.polygon_id != NO_POLYGON), NO_POLYGON)

    def _rows(self) -> list[TraceNode]:
        """The rows of both paths, the innermost first."""
        return [*reversed(self.first_path), *reversed(self.second_path)]


def aligned_sweeps(comparison: Comparison, parting: Parting, cause: Cause | None = None) -> AlignedSweeps:
    """Run the tick at which two runs part once more on both sides, with their traces.

    If the cause is known to be rules, only they are flipped: the others change rows that decide nothing.
    """
    return all_at_once(alignment_steps(comparison, parting, cause))


def alignment_steps(comparison: Comparison, parting: Parting, cause: Cause | None = None) -> Steps[AlignedSweeps]:
    """The same in pieces."""
    one, two = comparison.followers_at(parting)
    try:
        yield
        if cause is not None and cause.kind == RULES and not cause.from_start:
            forms = {rule: two.sim.rules.form(rule) for rule in cause.names}
            two.close()
            two = Follower(comparison.sides[0])
            two.go_to(parting.index, one.sim.snapshot())
            two.force(forms)
            yield
        first = _sweeps(one)
        yield
        second = _sweeps(two)
        yield
        return align(first, second)
    finally:
        one.close()
        two.close()


def _sweeps(follower: Follower) -> list[TraceNode]:
    recorder = TraceRecorder()
    follower.make_edits()
    sim = follower.sim
    sim.watch(sim.player.id, recorder)
    sim.tick(follower.side.recording.controls[follower.index])
    sim.unwatch(sim.player.id, recorder)
    return recorder.sweeps


def align(first: list[TraceNode], second: list[TraceNode]) -> AlignedSweeps:
    """Find where two traces part."""
    for one, two in zip_longest(first, second):
        found = _parting(one, two)
        if found is not None:
            return AlignedSweeps(first, second, *found)
    return AlignedSweeps(first, second)


def _parting(one: TraceNode | None, two: TraceNode | None) -> tuple[Path, Path, bool] | None:
    """The paths from two rows down to where they part, or None when nothing in them differs."""
    if one is None or two is None:
        return (() if one is None else (one,)), (() if two is None else (two,)), True
    if _asked(one) != _asked(two):
        return (one,), (two,), True
    for below, other in zip_longest(one.children, two.children):
        found = _parting(below, other)
        if found is not None:
            return (one, *found[0]), (two, *found[1]), found[2]
    if _answered(one) != _answered(two):
        return (one,), (two,), False
    return None


def _asked(row: TraceNode) -> object:
    """What a row begins with. The titles of sub-steps and cell arrays hold answers, those of others do not."""
    title = "" if row.kind in (nodes.STEP, nodes.CELLS) else row.title
    return (row.kind, title, row.cell_id, row.object_id, row.gfxobj_id, row.polygon_id, row.before)


def _answered(row: TraceNode) -> object:
    return (row.title, row.answer, row.detail, row.normal, row.after, row.latch)


def _of_kind(row: TraceNode, kind: str) -> list[TraceNode]:
    return [child for child in row.children if child.kind == kind]
