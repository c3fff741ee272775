"""The ordered list of cells that a sweep considers (physics.md 6.2, 6.4).

Routines walk it by index while it grows, so a removed entry leaves a gap that keeps the others in place. Under `ace`
the array lives as long as the transition, and a new entry takes the gap that was made last.
"""

from __future__ import annotations

from mypy_extensions import mypyc_attr

from engine.world.cells.cell import ObjCell


@mypyc_attr(free_list_len=1)
class CellArray:
    """Cell ids, each once and in order; the cell beside an id is None for a cell that is not loaded."""

    ids: list[int]
    cells: list[ObjCell | None]
    gaps: list[int]
    added_outside: bool
    do_not_load_cells: bool

    def __init__(self) -> None:
        self.ids = []
        self.cells = []
        self.gaps = []
        self.added_outside = False
        self.do_not_load_cells = False

    def clear(self) -> None:
        if len(self.ids) > 0:
            self.ids.clear()
            self.cells.clear()
            self.gaps.clear()

    def add(self, cell_id: int, cell: ObjCell | None) -> None:
        """An id already there keeps its place, and its cell."""
        for present in self.ids:
            if present == cell_id:
                return
        if len(self.gaps) > 0:
            place = self.gaps.pop()
            self.ids[place] = cell_id
            self.cells[place] = cell
        else:
            self.ids.append(cell_id)
            self.cells.append(cell)

    def place_of(self, cell_id: int) -> int:
        """Return the index of the loaded cell of an id; −1 when it is not there."""
        for place, cell in enumerate(self.cells):
            if cell is not None and cell.id == cell_id:
                return place
        return -1

    def remove_at(self, place: int) -> None:
        self.ids[place] = 0
        self.cells[place] = None
        self.gaps.append(place)

    def move_last_to(self, place: int) -> None:
        """Remove an entry as the client does: the last one comes into its place."""
        self.ids[place] = self.ids[-1]
        self.cells[place] = self.cells[-1]
        self.ids.pop()
        self.cells.pop()

    def listed(self) -> list[int]:
        """The ids in order, without the gaps."""
        return [cell_id for cell_id in self.ids if cell_id != 0]
