"""The searches of the cell array in a sub-step, explained, and the one that decided."""

from __future__ import annotations

from engine.physics.sweep.cell_array import CellArray
from engine.physics.sweep.transition import Transition
from engine.sim.trace.cell_search import CellSearch
from engine.sim.trace.search_replay import SearchReplay


class StepSearches:
    """Replays every search when it has run. Under `ace` a search begins with the array of the one before."""

    def __init__(self) -> None:
        self._array = CellArray()
        self._found: list[CellSearch] = []
        self._retargets: list[CellSearch] = []

    def begin_sweep(self, tr: Transition) -> None:
        self._array = _copy(tr.ca)
        self.begin_step()

    def begin_step(self) -> None:
        self._found, self._retargets = [], []

    def add(self, tr: Transition, asked: bool) -> CellSearch:
        """The search that has just run."""
        self._array.do_not_load_cells = tr.ca.do_not_load_cells
        sp = tr.sp
        found = SearchReplay(tr.graph, tr.rules, sp.check.cell_id, sp.global_spheres(), self._array).run(asked)
        self._array = _copy(tr.ca)
        self._found.append(found)
        return found

    def retargeted(self, search: CellSearch) -> None:
        """The candidate went to the cell that the search picked."""
        self._retargets.append(search)

    def deciding(self, cell_id: int) -> CellSearch | None:
        """The search that gave the candidate its cell: the last that brought it there from another one. Later searches
        of a probe begin in that cell and only confirm it."""
        there = [search for search in self._retargets if search.picked == cell_id]
        moved = [search for search in there if search.start != cell_id]
        asked = [search for search in self._found if search.asked]
        return next((some[-1] for some in (moved, there, self._retargets, asked, self._found) if some), None)


def _copy(array: CellArray) -> CellArray:
    copied = CellArray()
    copied.ids, copied.cells, copied.gaps = array.ids[:], array.cells[:], array.gaps[:]
    return copied
