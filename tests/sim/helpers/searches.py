"""Compares every explained search with the engine's own."""

from __future__ import annotations

from engine.geometry.constants import EPSILON
from engine.physics.sweep.transition import Transition
from engine.sim.trace.cell_search import (
    INSIDE,
    NOT_HOLDING,
    OUTSIDE,
    PICKED,
    PICKED_PRUNED,
    PORTAL,
    Candidate,
    CellSearch,
)
from engine.sim.trace.recorder import TraceRecorder
from engine.world.cells.cell import ObjCell

WON = (PICKED, PICKED_PRUNED)

SPHERE_REACH = 0.01
"""Metres that a cell tree adds to a sphere."""


class SearchChecker(TraceRecorder):
    """A recorder that fails at the first search that differs."""

    def __init__(self) -> None:
        super().__init__()
        self.searches = 0
        self.hows: set[str] = set()
        self.fates: set[str] = set()

    def cells_found(self, tr: Transition, containing: ObjCell | None, asked: bool) -> None:
        super().cells_found(tr, containing, asked)
        node = self._open[-1].children[-1]
        search = node.search
        assert search is not None
        assert search.ids == tuple(tr.ca.ids)
        assert search.asked == asked
        assert search.picked == (0 if containing is None else containing.id)
        self._check_answers(search, tr)
        self.searches += 1
        self.hows |= {each.entry.how for each in search.candidates}
        self.fates |= {each.fate for each in (*search.candidates, *search.left_out)}

    def _check_answers(self, search: CellSearch, tr: Transition) -> None:
        assert [each.place for each in search.candidates] == list(range(len(search.candidates)))
        assert [each.cell_id for each in search.candidates if each.fate in WON] == [search.picked][: search.picked]
        assert not {each.cell_id for each in search.left_out} & {each.cell_id for each in search.candidates}
        for each in (*search.candidates, *search.left_out):
            cell = tr.graph.peek(each.cell_id)
            if cell is not None:
                self._check_answer(each, cell, tr)

    def _check_answer(self, each: Candidate, cell: ObjCell, tr: Transition) -> None:
        centre, sphere = each.centre, each.sphere
        assert centre is not None
        assert (centre.answer == OUTSIDE) or each.fate != NOT_HOLDING
        if centre.distance is not None and cell.is_interior:
            assert (centre.answer == INSIDE) == (centre.distance >= -EPSILON), each
        elif centre.distance is not None and abs(centre.distance) > 1e-3:
            assert (centre.answer == INSIDE) == (centre.distance > 0.0), each
        if sphere is not None and sphere.distance is not None:
            radius = tr.sp.global_spheres()[sphere.sphere].radius + SPHERE_REACH
            assert (sphere.answer == OUTSIDE) == (sphere.distance <= -radius), each
            assert (sphere.answer == INSIDE) == (sphere.distance >= radius), each
        if each.in_array and each.entry.how == PORTAL:
            assert sphere is not None
            assert sphere.answer != OUTSIDE, "it came in by its sphere"
