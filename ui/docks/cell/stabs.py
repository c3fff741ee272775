"""The Cell dock's page of the stab list, compared with the computed list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel

from editor.authoring.cell_edits import set_stab_list
from editor.models.cell import STAB_COLUMNS, stab_rows, stab_summary
from editor.process.plain_text import plain, plain_lines
from editor.validation.stab_comparison import StabComparison
from engine.world.cells.ids import cell_text, parse_cell_id
from engine.world.faults import WorldError
from engine.world.names import NameKey
from ui.docks.cell.page import CellPage
from ui.docks.parts import IdField, action, allow, bar, button

if TYPE_CHECKING:
    from ui.docks.cell.cell_dock import CellPanel

NO_STABS = "Nothing is in this cell's stab list."


class StabPage(CellPage):
    """The list, and buttons that add cells, remove them, or set it to the computed list."""

    def __init__(self, panel: CellPanel, compare: StabComparison) -> None:
        super().__init__(panel)
        self.compare = compare
        self._compared = False
        self.view = self.table(STAB_COLUMNS, "cell-stabs", "Its stab list", NO_STABS)
        self.view.first_narrows = True
        self.typed_id = IdField(self, "stab-id", 110)
        self.typed_id.setPlaceholderText("0x00000000")
        self.typed_id.setAccessibleName("A cell to add to the stab list")
        self.typed_id.returnPressed.connect(self.add)
        self.add_action = action(panel, "Add to Stab List", self.add, name="stab-add")
        self.remove_action = action(self, "Remove from Stab List", self.remove, "Del", "stab-remove")
        self.computed_action = action(panel, "Set to Computed", self.set_computed, name="stab-computed")
        self.summary = QLabel(self)
        self.summary.setObjectName("stab-summary")
        self.view.addActions([self.remove_action, self.computed_action])
        self.box.addLayout(bar(self.summary))
        self.box.addWidget(self.view, 1)
        add, remove = button(self.add_action, self, "Add"), button(self.remove_action, self, "Remove")
        self.box.addLayout(bar(self.typed_id, add, remove, button(self.computed_action, self)))
        self.view.key_changed.connect(self.show_actions)

    # --- showing

    def seen(self) -> list[int] | None:
        """The computed list of the room; computed only while the page is visible, since it takes a moment."""
        sim, room = self.sim, self.room
        if sim is None or room is None or self.panel.tabs.currentWidget() is not self:
            return None
        return self.compare.seen_from(sim.world, room.id)

    def show_cell(self, *, same: bool) -> None:
        sim, room, seen = self.sim, self.room, self.seen()
        mark = same and self._compared  # a finished comparison is no change
        self._compared = seen is not None
        rows = [] if sim is None or room is None else stab_rows(sim, room, seen, self.panel.drawn())
        self.view.table.show(rows, mark=mark)
        self.summary.setText(plain("" if room is None else stab_summary(room, seen)))
        self.show_actions()

    @Slot()
    def show_actions(self) -> None:
        room, seen, why_not = self.room, self.seen(), self.why_not
        self.typed_id.setEnabled(not why_not)
        self.typed_id.setToolTip(plain_lines(why_not or f"{self.typed_id.accessibleName()}; Enter adds it"))
        allow(self.add_action, why_not, "Add the cell with the id on the left")
        why = why_not or ("" if self._chosen() else "Select listed cells above.")
        allow(self.remove_action, why, "Remove the selected cells from the list")
        if why_not or room is None:
            why = why_not
        elif seen is None:
            why = "The stab list is still being computed."
        else:
            why = "The list is exactly the visible cells." if sorted(room.stab_list) == sorted(seen) else ""
        allow(self.computed_action, why, "List exactly the cells that some straight line through portals reaches")

    def _chosen(self) -> list[int]:
        room = self.room
        rows = {index.row() for index in self.view.selectedIndexes()}
        keys = [self.view.table.rows[row].key for row in sorted(rows)]
        return [key for key in keys if isinstance(key, int) and room is not None and key in room.stab_set]

    def name_key(self) -> NameKey | None:
        key = self.view.key
        return NameKey.cell(key) if isinstance(key, int) else None

    # --- edits

    def _set(self, name: str, cell_id: int, seen: list[int]) -> None:
        self.edit(name, lambda sim: set_stab_list(sim, cell_id, seen))

    def add(self) -> None:
        room = self.room
        if room is None:
            return
        try:
            other = parse_cell_id(self.typed_id.text())
        except WorldError as error:
            self.panel.document.refused.emit(str(error))
            return
        self._set(f"Add {cell_text(other)} to Stab List of {cell_text(room.id)}", room.id, [*room.stab_list, other])
        self.typed_id.clear()

    def remove(self) -> None:
        room, chosen = self.room, self._chosen()
        if room is None or not chosen:
            return
        what = cell_text(chosen[0]) if len(chosen) == 1 else f"{len(chosen)} Cells"
        kept = [other for other in room.stab_list if other not in chosen]
        self._set(f"Remove {what} from Stab List of {cell_text(room.id)}", room.id, kept)

    def set_computed(self) -> None:
        room, seen = self.room, self.seen()
        if room is not None and seen is not None:
            self._set(f"Set Stab List of {cell_text(room.id)} to Visible Cells", room.id, seen)
