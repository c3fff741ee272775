"""The one cell graph: all code resolves a cell id with `CellGraph.get_visible` (physics.md 6.9, 6.11,
15.1).

The graph holds the loaded cells, loads landblocks when one of their cells is first asked for, knows the current cell,
and tells its observers what changes. It decides nothing: the code that commits a move sets the current cell.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.geometry.vec import Vec3
from engine.world.cells.cell import EnvCell, ObjCell
from engine.world.cells.ids import block_of, cell_in_range, cell_text, low_of
from engine.world.faults import WorldError

ADDED: Final = "added"
REMOVED: Final = "removed"
REPLACED: Final = "replaced"
CURRENT: Final = "current"

NO_CELL: Final = 0


class GraphChange:
    """A change of `kind` to the cells `cell_ids`, ascending.

    Of CURRENT, `cell_ids` holds the id of the current cell (nothing when there is none) and `previous` the one before;
    it also comes, with both the same, when the current cell's object was replaced, loaded or unloaded.
    """

    kind: str
    cell_ids: list[int]
    previous: int

    def __init__(self, kind: str, cell_ids: list[int], previous: int = NO_CELL) -> None:
        self.kind = kind
        self.cell_ids = cell_ids
        self.previous = previous

    def __repr__(self) -> str:
        return f"GraphChange({self.kind}, [{', '.join([cell_text(cell_id) for cell_id in self.cell_ids])}])"


LandblockLoader = Callable[[int], "list[ObjCell] | None"]
"""Makes the cells of the landblock 0xXXYYFFFF, or answers None when the world has no such landblock. It must not raise
for bad content; faults are recorded where they belong."""

Observer = Callable[[GraphChange], None]


class CellGraph:
    """All loaded cells by id.

    `current` is the cell of `current_id`, or None while that one is not loaded. Notices come after the change is
    complete, in the order in which observers registered; observers may come and go while one is given.
    """

    current: ObjCell | None
    current_id: int
    _load: LandblockLoader | None
    _cells: dict[int, ObjCell]
    _of_block: dict[int, list[int]]
    """The ids of the cells of each landblock (16 bits), ascending, so that a change to one landblock costs the same
    however many are loaded."""
    _ordered: list[ObjCell] | None
    _loaded: dict[int, bool]
    _observers: list[Observer]

    def __init__(self, load: LandblockLoader | None = None) -> None:
        self.current = None
        self.current_id = NO_CELL
        self._load = load
        self._cells = {}
        self._of_block = {}
        self._ordered = None
        self._loaded = {}  # by landblock, 16 bits; False: asked for, and not there (or being loaded right now)
        self._observers = []

    def get_visible(self, cell_id: int) -> ObjCell | None:
        """The cell of an id, loading its landblock if need be; None when there is no such cell."""
        cell = self._cells.get(cell_id)
        if cell is not None:
            return cell
        block = block_of(cell_id)
        if block in self._loaded or not cell_in_range(low_of(cell_id)):
            return None
        self.load_landblock(cell_id)
        return self._cells.get(cell_id)

    def peek(self, cell_id: int) -> ObjCell | None:
        """The cell of an id if it is loaded already."""
        return self._cells.get(cell_id)

    def find_visible_child_cell(
        self, cell: ObjCell, p: Vec3, search_stab: bool, by_tree: bool = False
    ) -> ObjCell | None:
        """The cell containing `p` (in the landblock frame of `cell`): the cell itself, or one that it sees or borders
        on. `by_tree`: a room without portals contains points too (the `ace` form of rule `portalless_cell`)."""
        if cell.point_in_tree(p) if by_tree else cell.point_in_cell(p):
            return cell
        if search_stab:
            ids = cell.stab_list
        elif isinstance(cell, EnvCell):
            ids = [portal.other_cell_id for portal in cell.portals]
        else:
            ids = []
        for cell_id in ids:
            other = self.get_visible(cell_id)
            if other is not None and (other.point_in_tree(p) if by_tree else other.point_in_cell(p)):
                return other
        return None

    # --- the current cell

    def set_current(self, cell_id: int) -> None:
        """Make the cell of an id the current one; 0 for none. An id that cannot be loaded is kept, `current` is None
        then."""
        if cell_id == self.current_id:
            return
        previous = self.current_id
        cell = self.get_visible(cell_id)
        self.current_id = cell_id
        self.current = cell
        self._notify(GraphChange(CURRENT, [] if cell_id == NO_CELL else [cell_id], previous))

    def _refresh_current(self) -> None:
        cell = self._cells.get(self.current_id)
        if cell is not self.current:
            self.current = cell
            self._notify(GraphChange(CURRENT, [self.current_id], self.current_id))

    # --- landblocks

    def stop_loading(self) -> None:
        """Load nothing more, and drop the loader."""
        self._load = None

    def load_landblock(self, block_id: int) -> bool:
        """Load the landblock that any id in it names, unless it is; False when the world has none there."""
        block = block_of(block_id)
        if block in self._loaded:
            return self._loaded[block]
        load = self._load
        if load is None:
            return False
        self._loaded[block] = False  # also keeps a loader that asks for one of its own cells from going round
        cells = load((block << 16) | 0xFFFF)
        if cells is None:
            return False
        self._loaded[block] = True
        ids: list[int] = []
        for cell in cells:
            self._put(cell)
            ids.append(cell.id)
        self._notify(GraphChange(ADDED, sorted(ids)))
        self._refresh_current()
        return True

    def unload_landblock(self, block_id: int) -> bool:
        """Forget the landblock's cells; the next question for one loads it afresh. False if it is not loaded."""
        block = block_of(block_id)
        was_loaded = self._loaded.pop(block, False)
        ids = [cell.id for cell in self.cells_of(block_id)]
        for cell_id in ids:
            del self._cells[cell_id]
        self._of_block.pop(block, None)
        if not was_loaded and not ids:
            return False
        self._ordered = None
        self._notify(GraphChange(REMOVED, ids))
        self._refresh_current()
        return True

    def landblocks(self) -> list[int]:
        """The ids 0xXXYYFFFF of the loaded landblocks, ascending."""
        return [(block << 16) | 0xFFFF for block in sorted(self._loaded) if self._loaded[block]]

    def is_loaded(self, block_id: int) -> bool:
        return self._loaded.get(block_of(block_id), False)

    # --- cells

    def all_cells(self) -> list[ObjCell]:
        """Every loaded cell, ascending by id. The list is the caller's own."""
        ordered = self._ordered
        if ordered is None:
            ordered = []
            for block in sorted(self._of_block):
                for cell_id in self._of_block[block]:
                    ordered.append(self._cells[cell_id])
            self._ordered = ordered
        return ordered.copy()

    def cells_of(self, block_id: int) -> list[ObjCell]:
        """The loaded cells of one landblock, ascending by id."""
        ids = self._of_block.get(block_of(block_id))
        return [] if ids is None else [self._cells[cell_id] for cell_id in ids]

    def _put(self, cell: ObjCell) -> None:
        known = cell.id in self._cells
        self._cells[cell.id] = cell
        self._ordered = None
        if known:
            return
        ids = self._of_block.setdefault(block_of(cell.id), [])
        if ids and ids[-1] > cell.id:
            ids.append(cell.id)
            ids.sort()
        else:
            ids.append(cell.id)

    def add_cell(self, cell: ObjCell) -> None:
        """Put in a cell that is not there yet. Its landblock counts as loaded from now on."""
        self.load_landblock(cell.id)
        if cell.id in self._cells:
            raise WorldError(f"there is a cell {cell_text(cell.id)} already")
        self._loaded[block_of(cell.id)] = True
        self._put(cell)
        self._notify(GraphChange(ADDED, [cell.id]))
        self._refresh_current()

    def remove_cell(self, cell_id: int) -> ObjCell:
        """Take out a cell and give it back. Portals that lead to it stay as they are and lead nowhere."""
        cell = self._cells.pop(cell_id, None)
        if cell is None:
            raise WorldError(f"there is no cell {cell_text(cell_id)} to remove")
        self._of_block[block_of(cell_id)].remove(cell_id)
        self._ordered = None
        self._notify(GraphChange(REMOVED, [cell_id]))
        self._refresh_current()
        return cell

    def replace_cell(self, cell: ObjCell) -> ObjCell:
        """Replace the cell of the same id by an edited one, and return the old one.

        Its contents stay: the new cell takes over the old one's objects and shadow objects.
        """
        old = self._cells.get(cell.id)
        if old is None:
            raise WorldError(f"there is no cell {cell_text(cell.id)} to replace")
        if old is cell:
            return old
        cell.object_list = old.object_list
        cell.shadow_objects = old.shadow_objects
        old.object_list = []
        old.shadow_objects = []
        self._cells[cell.id] = cell
        self._ordered = None
        self._notify(GraphChange(REPLACED, [cell.id]))
        self._refresh_current()
        return old

    # --- observers

    def observe(self, observer: Observer) -> None:
        """Call `observer` after every change from now on."""
        self._observers.append(observer)

    def unobserve(self, observer: Observer) -> None:
        if observer in self._observers:
            self._observers.remove(observer)

    def _notify(self, change: GraphChange) -> None:
        for observer in self._observers.copy():
            if observer in self._observers:
                observer(change)
