"""The reach map: which places a search came to, by cell and by bin of the floor, how, how soon and from where."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from engine.explore.forms.seeds import Floor, floors_of
from engine.explore.forms.settings import How, Standing
from engine.geometry.vec import Vec3

if TYPE_CHECKING:
    from engine.explore.search import Search

NEAR_FLOOR: Final = 0.35
"""Metres in height by which the soles' place of a reached state may be off a floor's middle."""
NEVER: Final = -1


@dataclass(frozen=True, slots=True)
class CellReach:
    """What was reached of one cell: places, the easiest way into it, its soonest tick and that state."""

    cell_id: int
    places: int
    needs: How
    ticks: int
    state: int


class Reach:
    """A reach map as it was when it was made; the search may go on.

    `states` are the numbers of the states that stand on a floor; the other arrays have a row for each of them. `needs`
    is the hardest move on the way there, as `How`; `ticks` are those since the seed `seed`.
    """

    states: NDArray[np.int32]
    cells: NDArray[np.uint32]
    points: NDArray[np.float64]
    """(n, 3): origins, in the landblock of the cell."""
    how: NDArray[np.uint8]
    needs: NDArray[np.uint8]
    ticks: NDArray[np.int32]
    seeds: NDArray[np.int32]

    def __init__(self, search: Search) -> None:
        columns = search.columns
        standing = np.array(columns.standing, np.uint8)
        states = np.flatnonzero(standing == Standing.FLOOR).astype(np.int32)
        self.states = states
        self.cells = np.array(columns.cell, np.uint32)[states]
        self.points = np.column_stack(
            [np.array(each, np.float64)[states] for each in (columns.x, columns.y, columns.z)]
        )
        self.how = np.array(columns.how, np.uint8)[states]
        self.needs = np.array(columns.needs, np.uint8)[states]
        self.ticks = np.array(columns.since, np.int32)[states]
        self.seeds = _seeds_of_all(search)[states]
        self._floors: list[Floor] = [each for block in search.blocks for each in floors_of(search.sim, block)]

    def __len__(self) -> int:
        return len(self.states)

    def in_cell(self, cell_id: int) -> NDArray[np.int64]:
        """The rows of a cell's places."""
        return np.flatnonzero(self.cells == cell_id)

    def by_cell(self) -> list[CellReach]:
        """Every cell with a reached place, ascending."""
        found = []
        for cell_id in np.unique(self.cells):
            rows = self.in_cell(int(cell_id))
            easiest = rows[self.needs[rows] == self.needs[rows].min()]
            row = easiest[np.argmin(self.ticks[easiest])]
            found.append(
                CellReach(
                    int(cell_id), len(rows), How(self.needs[row]), int(self.ticks[rows].min()), int(self.states[row])
                )
            )
        return found

    def unreached_floors(self, within: float = 1.0) -> list[Floor]:
        """The floors of rooms that no place is on: none in the cell within so many metres of the polygon's middle, or
        half its width, at its height."""
        found = []
        for floor in self._floors:
            points = self.points[self.in_cell(floor.cell_id)]
            x, y, z = floor.middle
            reach = max(within, math.sqrt(floor.area))
            near = (np.square(points[:, 0] - x) + np.square(points[:, 1] - y) <= reach * reach) & (
                abs(points[:, 2] - z) <= NEAR_FLOOR + reach
            )
            if not near.any():
                found.append(floor)
        return found

    def grid(self, cell_ids: list[int], size: float) -> dict[tuple[int, int, int], int]:
        """The row of the soonest place in each square of `size` metres and storey of 1 m, of these cells of one
        landblock: for maps."""
        rows = np.flatnonzero(np.isin(self.cells, cell_ids))
        rows = rows[np.argsort(self.ticks[rows], kind="stable")]
        keys = np.floor(self.points[rows] / (size, size, 1.0)).astype(int)
        squares: dict[tuple[int, int, int], int] = {}
        for (x, y, z), row in zip(keys.tolist(), rows.tolist(), strict=True):
            squares.setdefault((x, y, z), row)
        return squares

    def point_of(self, row: int) -> Vec3:
        x, y, z = self.points[row].tolist()
        return (x, y, z)


def _seeds_of_all(search: Search) -> NDArray[np.int32]:
    """The seed of every state: parents come before their children."""
    parents = search.columns.parent
    seeds = [NEVER] * len(parents)
    for state, parent in enumerate(parents):
        seeds[state] = search.seed_of(state) if parent < 0 else seeds[parent]
    return np.array(seeds, np.int32)
