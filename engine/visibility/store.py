"""The cells to load around the followed object: `CellManager::ChangePosition` and `grab_visible_cells`
(rendering.md 4.2).

The cells themselves belong to the graph and are the same objects that physics uses. This module only decides which of
them the client would hold in its visible-cell table, and loads their landblocks; an editor never unloads any.
"""

from __future__ import annotations

from engine.geometry.vec import Vec3
from engine.world.cells.cell import ObjCell, SortCell
from engine.world.cells.ids import is_env_cell, landblock_id
from engine.world.cells.landdefs import get_outside_cell_id
from engine.world.graph.graph import NO_CELL, CellGraph
from engine.world.landblock import neighbour_ids


class LoadedLandscape:
    """The landblocks around the load point, nine of them; none after `release_all`."""

    graph: CellGraph
    loads: bool
    """Whether to load missing landblocks; otherwise only loaded cells are used."""
    loadpoint: int
    block_ids: list[int]
    grabs: int
    """How often the interiors of its buildings were requested."""

    def __init__(self, graph: CellGraph) -> None:
        self.graph = graph
        self.loads = True
        self.loadpoint = NO_CELL
        self.block_ids = []
        self.grabs = 0

    def update_loadpoint(self, land_cell_id: int) -> None:
        """Be the landscape around a landcell; NO_CELL, off the map, changes nothing."""
        if land_cell_id == NO_CELL:
            return
        if land_cell_id >> 16 != self.loadpoint >> 16 or not self.block_ids:
            wanted = [landblock_id(land_cell_id), *neighbour_ids(land_cell_id)]
            self.block_ids = [block_id for block_id in wanted if self._is_there(block_id)]
        self.loadpoint = land_cell_id

    def _is_there(self, block_id: int) -> bool:
        return self.graph.load_landblock(block_id) if self.loads else self.graph.is_loaded(block_id)

    def release_all(self) -> None:
        self.loadpoint = NO_CELL
        self.block_ids = []

    def grab_visible_cells(self, table: dict[int, bool]) -> None:
        """The stab lists of the buildings of all its landblocks."""
        self.grabs += 1
        for block_id in self.block_ids:
            for cell in self.graph.cells_of(block_id):
                if isinstance(cell, SortCell) and cell.building is not None:
                    for portal in cell.building.portals:
                        for cell_id in portal.stab_list:
                            table[cell_id] = True


class CellManager:
    """The current cell of the followed object, and the table of cells that may be visible from there.

    `table` holds the ids in the order in which they were grabbed; the graph knows which are loaded. `sun` False means
    no sun, and the flat ambient light of a cell that does not see the outside.
    """

    graph: CellGraph
    landscape: LoadedLandscape
    keep_landscape_loaded: bool
    current: ObjCell | None
    last_id: int
    table: dict[int, bool]
    sun: bool
    changes: int
    """Goes up with every change of the table: time to choose the static lights afresh."""

    def __init__(self, graph: CellGraph) -> None:
        self.graph = graph
        self.landscape = LoadedLandscape(graph)
        self.keep_landscape_loaded = False
        self.current = None
        self.last_id = NO_CELL
        self.table = {}
        self.sun = True
        self.changes = 0

    def change_position(self, cell_id: int, origin: Vec3, forced: bool = False) -> bool:
        """Follow to a cell; `origin` is in its landblock. False when nothing changed, which costs next to nothing."""
        if cell_id == NO_CELL:
            changed = self.last_id != NO_CELL
            self._reset()
            return changed
        known = self.current
        if not forced and cell_id == self.last_id and known is not None and self.graph.peek(cell_id) is known:
            return False
        self.last_id = cell_id
        cell = self.graph.get_visible(cell_id)
        self.current = cell
        if cell is None:
            return True
        self._load_landscape(cell, origin)
        self.grab_visible_cells(cell)
        self.sun = cell.seen_outside
        self.changes += 1
        return True

    def _reset(self) -> None:
        self.current = None
        self.last_id = NO_CELL
        self.table = {}

    def _load_landscape(self, cell: ObjCell, origin: Vec3) -> None:
        if not is_env_cell(cell.id):
            self.landscape.update_loadpoint(cell.id)
        elif cell.seen_outside or self.keep_landscape_loaded:
            self.landscape.update_loadpoint(get_outside_cell_id(cell.id, origin))
        else:
            self.landscape.release_all()

    def grab_visible_cells(self, cell: ObjCell) -> None:
        """Fill the table: the cell, its stab list and, only if it sees the outside, the landscape's interiors."""
        self.table = {cell.id: True}
        for cell_id in cell.stab_list:
            self.graph.get_visible(cell_id)
            self.table[cell_id] = True
        if cell.seen_outside:
            self.landscape.grab_visible_cells(self.table)

    def get_visible(self, cell_id: int) -> ObjCell | None:
        """The cell of an id in the table; None for one that is not in it or not loaded."""
        return self.graph.peek(cell_id) if cell_id in self.table or not is_env_cell(cell_id) else None
