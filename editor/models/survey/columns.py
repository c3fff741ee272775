"""The states that a search has reached, as columns that grow, and what of each cell was reached.

Records come from the worker as bytes, and go into projects as bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.world.cells.ids import is_land_cell

STATE: Final = np.dtype(
    [
        ("cell", "<u4"),
        ("x", "<f4"),
        ("y", "<f4"),
        ("z", "<f4"),
        ("heading", "<f4"),
        ("look", "<f8"),
        ("ticks", "<u4"),
        ("since", "<u4"),
        ("parent", "<i4"),
        ("move", "<u2"),
        ("how", "u1"),
        ("standing", "u1"),
    ]
)
"""Cell and origin of a body; the degrees that it was turned by and the ticks of its last move, and all ticks since the
seed; from which state by which keys it came; the hardest move on the way; and how it stands."""

States = NDArray[np.void]

HOWS: Final = 4
"""Seed, walk, fall, jump (`engine.explore`)."""
FINE: Final = 0.25
BARE: Final = 1.0
"""Metres of the squares of a search: on land with nothing on it they are larger."""
FARTHEST: Final = 1e6
"""Metres from the landblock's corner: what damaged records put beyond that is in no picture."""
FLOOR: Final = 0
"""`standing` of those that stand on a floor; others were passed, not reached."""


@dataclass(frozen=True)
class CellReach:
    """What of a cell was reached: so many states by each way of coming there, and the soonest of them."""

    counts: tuple[int, ...]
    ticks: int
    state: int
    """The number of the state that was there first."""

    @property
    def count(self) -> int:
        return sum(self.counts)

    @property
    def how(self) -> int:
        """The way that asks least of a body: what can be walked to counts as walked."""
        return next(number for number, count in enumerate(self.counts) if count)


class Columns:
    """All states so far, and the same by cell."""

    def __init__(self) -> None:
        self._states: States = np.zeros(0, STATE)
        self.count = 0
        self.by_cell: dict[int, CellReach] = {}
        self.grown: dict[int, int] = {}
        """By cell, how many states it had when it last grew: pictures of others stay as they are."""
        self._numbers: dict[int, list[NDArray[np.intp]]] = {}
        """By cell, those of its states that stand on floors within reason, ascending."""

    def __len__(self) -> int:
        return self.count

    @property
    def states(self) -> States:
        return self._states[: self.count]

    def add(self, data: bytes) -> None:
        """Take more states, as the worker packs them."""
        more = np.frombuffer(data, STATE)
        if self.count + len(more) > len(self._states):
            grown = np.zeros(max(2 * len(self._states), self.count + len(more), 4096), STATE)
            grown[: self.count] = self.states
            self._states = grown
        self._states[self.count : self.count + len(more)] = more
        first, self.count = self.count, self.count + len(more)
        self._note(first)

    def _note(self, first: int) -> None:
        more = self._states[first : self.count]
        near = np.all([np.abs(more[axis]) <= FARTHEST for axis in "xyz"], axis=0)
        standing = np.flatnonzero((more["standing"] == FLOOR) & near)
        more = more[standing]
        order = np.argsort(more["cell"], kind="stable")
        cells, starts = np.unique(more["cell"][order], return_index=True)
        for cell, mine in zip(cells.tolist(), np.split(order, starts[1:]), strict=False):
            ways = np.bincount(np.minimum(more["how"][mine], HOWS - 1), minlength=HOWS)
            soonest = int(mine[np.argmin(more["since"][mine])])
            ticks = int(more["since"][soonest])
            known = self.by_cell.get(cell)
            made = CellReach(tuple(ways.tolist()), ticks, first + int(standing[soonest]))
            if known is not None:
                counts = tuple(a + b for a, b in zip(known.counts, made.counts, strict=True))
                made = replace(made if ticks < known.ticks else known, counts=counts)
            self.by_cell[cell] = made
            self.grown[cell] = made.count
            self._numbers.setdefault(cell, []).append(first + standing[mine])

    def of_cell(self, cell_id: int) -> States:
        """The states on floors of a cell."""
        return self.states[self._numbers_of(cell_id)]

    def _numbers_of(self, cell_id: int) -> NDArray[np.intp]:
        numbers = self._numbers.get(cell_id, [])
        if len(numbers) != 1:
            numbers[:] = [np.concatenate([np.zeros(0, np.intp), *numbers])]
        return numbers[0]

    def nearest(self, cell_id: int, point: tuple[float, float, float], within: float = 1.5) -> int:
        """The number of the state of that cell whose soles are nearest to a point; −1 when none is near."""
        mine = self._numbers_of(cell_id)
        if not len(mine):
            return -1
        found = self.states[mine]
        places = np.stack([found[axis].astype(np.float64) for axis in "xyz"], axis=1)
        away = ((places - np.array(point)) ** 2).sum(axis=1)
        best = int(np.argmin(away))
        return int(mine[best]) if float(away[best]) <= within * within else -1

    def packed(self) -> bytes:
        return self.states.tobytes()


def grid_of(cell_id: int, states: States) -> float:
    """Metres of the squares in a cell: the larger ones where no two states share one of those."""
    if not is_land_cell(cell_id):
        return FINE
    square = np.floor(states["x"]).astype(np.int64) << 8 | np.floor(states["y"]).astype(np.int64) & 0xFF
    storey = np.floor(states["z"] / 0.5).astype(np.int64) & 0xFFFF
    return BARE if len(np.unique(square << 16 | storey)) == len(states) else FINE


def columns_of(data: bytes) -> Columns:
    """Read columns back; a ValueError when the bytes are none."""
    if len(data) % STATE.itemsize:
        raise ValueError("the states of a search are cut off")
    made = Columns()
    if data:
        made.add(data)
    return made
