"""What the pages of the Cell dock have in common: the room that is shown, and edits of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from editor.document.step_application import REFUSALS
from editor.models.live_table import Column, LiveTable
from engine.sim.edits.edit import Edit
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.names import NameKey
from ui.commands.registry import OF_A_ROW
from ui.docks.parts import action
from ui.docks.table import LiveView
from ui.widgets.rename_key import RenameKey

if TYPE_CHECKING:
    from ui.docks.cell.cell_dock import CellPanel

NO_ROOM = "A land cell has no record to edit; select a room."


class CellPage(QWidget):
    """One page. Its actions belong to the dock, so that they are found there."""

    def __init__(self, panel: CellPanel) -> None:
        super().__init__(panel)
        self.panel = panel
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.setSpacing(0)

    def table(self, columns: Sequence[Column], name: str, title: str, empty: str) -> LiveView:
        view = self.panel.add_view(LiveView(LiveTable(columns, self), name, title, empty, self), leads=True)
        rename = action(self.panel, "Rename…", self.rename, name=f"{name}-rename")
        rename.setProperty(OF_A_ROW, True)
        view.addAction(rename)
        RenameKey(view).pressed.connect(self.rename)
        return view

    def name_key(self) -> NameKey | None:
        """Whose name the chosen row has; the cell's own where rows are no things."""
        cell = self.panel.cell
        return None if cell is None else NameKey.cell(cell.id)

    def rename(self) -> None:
        key = self.name_key()
        if key is not None:
            self.panel.rename_wanted.emit(key)

    @property
    def sim(self) -> Simulation | None:
        return self.panel.document.seen

    @property
    def room(self) -> EnvCell | None:
        return self.panel.room

    @property
    def why_not(self) -> str:
        """Why nothing of the cell can be edited."""
        return self.panel.document.why_not_edit or ("" if self.room is not None else NO_ROOM)

    def show_cell(self, *, same: bool) -> None:
        """Read the cell again; `same`: it is the one that was shown before."""
        raise NotImplementedError

    def edit(self, name: str, make: Callable[[Simulation], list[Edit]], drag: str = "") -> bool:
        """Make edits of the room as one step."""
        document, sim, made = self.panel.document, self.sim, False
        if sim is not None:
            try:
                edits = make(sim)
            except REFUSALS as error:
                document.refused.emit(f"{name}: {error}")
            else:
                made = document.edit(name, *edits, drag=drag)
        self.panel.refresh()
        return made
