"""The states that a search has found: asked about while it runs, and afterwards."""

from __future__ import annotations

from array import array

from engine.explore.columns import Columns
from engine.explore.keys import Moves
from engine.geometry.vec import Vec3
from engine.sim.tick.controls import Controls
from engine.world.cells.position import into_block


class FoundStates:
    """States by number, their ways and where it went on from them."""

    columns: Columns
    moves: Moves
    _seed_of: dict[int, int]

    def __init__(self) -> None:
        self.columns = Columns()
        self.moves = Moves([], [])
        self._seed_of = {}
        self._ends = array("i")

    @property
    def count(self) -> int:
        """The number of states."""
        return len(self.columns.cell)

    def seed_of(self, state: int) -> int:
        """The number of the seed that a state came from."""
        parents = self.columns.parent
        while parents[state] >= 0:
            state = parents[state]
        return self._seed_of[state]

    def chain_of(self, state: int) -> list[int]:
        """The states on the way from the seed to a state, both with it."""
        chain = [state]
        parents = self.columns.parent
        while parents[state] >= 0:
            state = parents[state]
            chain.append(state)
        chain.reverse()
        return chain

    def controls_to(self, state: int) -> list[Controls]:
        """The keys of every tick from the seed to a state."""
        columns = self.columns
        keys: list[Controls] = []
        for each in self.chain_of(state):
            keys += self.moves.keys(columns.move[each], columns.look[each], columns.ticks[each], columns.waited[each])
        return keys

    def is_expanded(self, state: int) -> bool:
        """Whether the moves from a state have been made."""
        return self.columns.ends_start[state] >= 0

    def ends_of(self, state: int) -> list[int]:
        """The states in which the walks from a state ended, each once, itself with them; empty before it was expanded,
        and where the search does not go on."""
        columns = self.columns
        start = columns.ends_start[state]
        return [] if start < 0 else self._ends[start : start + columns.ends_count[state]].tolist()

    def jump_ends_of(self, state: int) -> list[int]:
        """The same of the jumps; only few states are jumped from."""
        columns = self.columns
        start = columns.jumps_start[state]
        return [] if start < 0 else self._ends[start : start + columns.jumps_count[state]].tolist()

    def nearest(self, cell_id: int, point: Vec3) -> int:
        """The state that is nearest to a point of a cell's landblock; those in the cell come first. -1 if none is."""
        columns = self.columns
        best = -1
        least = 0.0
        best_inside = False
        for state in range(len(columns.cell)):
            its_cell: int = columns.cell[state]
            inside = its_cell == cell_id
            if best_inside and not inside:
                continue
            x, y, z = into_block(cell_id, its_cell, (columns.x[state], columns.y[state], columns.z[state]))
            dx, dy, dz = x - point[0], y - point[1], z - point[2]
            distance = dx * dx + dy * dy + dz * dz
            if best < 0 or distance < least or (inside and not best_inside):
                best, least, best_inside = state, distance, inside
        return best
