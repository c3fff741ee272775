"""Compares the outcome that Sweep names with what the engine did, sweep by sweep."""

from __future__ import annotations

from collections import Counter

from editor.reports.sweep_outcome import SHORTEST_STEP, Outcome, Verdict, outcome_of
from engine.geometry.constants import EPSILON
from engine.geometry.vec import Vec3, dot, length, sub
from engine.physics.flags import INVALID, OK
from engine.physics.sweep.transition import Transition
from engine.sim.trace.recorder import TraceRecorder
from engine.world.cells.position import into_block

ROUNDING = 1e-3
"""Metres: a floor within it is the same floor, and a body rests 0.2 mm from what it slides along."""


class OutcomeChecker(TraceRecorder):
    """A recorder that fails at the first sweep whose named outcome is not the engine's."""

    def __init__(self) -> None:
        super().__init__()
        self.verdicts: Counter[Verdict] = Counter()
        self.changes = 0
        self.named = 0
        """Sweeps whose deciding row was compared with the engine's collision normal."""
        self._turned_back = False
        self._normals: dict[int, Vec3] = {}
        """By sub-step: the engine's collision normal when it ended."""
        self._astray: list[tuple[Vec3, Vec3]] = []
        """Of every accepted sub-step: the offset that was asked for, and the one made."""
        self._asked: Vec3 = (0.0, 0.0, 0.0)
        self._from: tuple[int, Vec3] = (0, (0.0, 0.0, 0.0))

    def sweep_begins(self, tr: Transition) -> None:
        super().sweep_begins(tr)
        self._turned_back, self._astray, self._normals = False, [], {}

    def step_begins(self, tr: Transition, number: int, asked: Vec3) -> None:
        super().step_begins(tr, number, asked)
        self._asked, self._from = asked, (tr.sp.curr.cell_id, tr.sp.curr.origin)

    def step_refused(self, tr: Transition) -> None:
        super().step_refused(tr)
        self._turned_back = True

    def step_ends(self, tr: Transition, answer: int) -> None:
        super().step_ends(tr, answer)
        if tr.ci.collision_normal_valid:
            self._normals[id(self._open[-1].children[-1])] = tr.ci.collision_normal
        self._turned_back |= answer not in (OK, INVALID)
        cell_id, origin = self._from
        self._astray.append((self._asked, sub(into_block(cell_id, tr.sp.curr.cell_id, tr.sp.curr.origin), origin)))

    def sweep_ends(self, tr: Transition, found: bool) -> None:
        super().sweep_ends(tr, found)
        if tr.sp.begin is not None:
            self._check(outcome_of(self.sweeps[-1:]), tr, found)

    def _check(self, outcome: Outcome, tr: Transition, found: bool) -> None:
        verdict = outcome.verdict
        self.verdicts[verdict] += 1
        self.changes += len(outcome.changes)
        assert (verdict is Verdict.LOST) == (found and tr.sp.curr_cell is None)
        if verdict is Verdict.LOST:
            return
        assert self._turned_back <= (verdict in (Verdict.BLOCKED, Verdict.REFUSED)), self.sweeps[-1].line
        first = self.sweeps[-1].before
        assert first is not None
        if found and not outcome.changes:
            assert tr.sp.curr_cell is not None
            assert tr.sp.curr_cell.id == first.accepted_cell
        if verdict is Verdict.FREE:
            self._check_free(tr)
        elif verdict is Verdict.SLID:
            assert any(length(sub(made, asked)) > EPSILON for asked, made in self._astray)
        elif verdict is Verdict.STEPPED_UP:
            assert any(made[2] > SHORTEST_STEP - ROUNDING for _, made in self._astray)
        elif verdict is Verdict.STEPPED_DOWN:
            assert any(made[2] < -SHORTEST_STEP + ROUNDING for _, made in self._astray)
        normal = self._normals.get(id(outcome.step))
        if verdict in (Verdict.BLOCKED, Verdict.SLID) and first.in_contact and normal is not None:
            self._check_polygon(outcome, normal)

    def _check_free(self, tr: Transition) -> None:
        """He went where he wanted to: along the ground as it turned out to be, at any height of less than a step."""
        assert not tr.ci.collision_normal_valid
        for asked, made in self._astray:
            slope = [self.sweeps[-1].before, self.sweeps[-1].after]
            planes = [state.contact_plane for state in slope if state is not None]
            if all(plane is None or plane.normal[2] > 1.0 - ROUNDING for plane in planes):
                assert length((made[0] - asked[0], made[1] - asked[1], 0.0)) < ROUNDING

    def _check_polygon(self, outcome: Outcome, normal: Vec3) -> None:
        """The polygon that is named has the engine's collision normal; one that was being left has it reversed."""
        polygon = outcome.path[-1].normal if outcome.path else None
        if polygon is not None:
            assert abs(dot(polygon, normal)) > 1.0 - ROUNDING, outcome.path[-1].line
            self.named += 1
