"""The Cell dock's first page: what the cell is, and where; a room can be put elsewhere as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox

from editor.authoring.cell_edits import set_cell_frame
from editor.models.cell import HEAD_COLUMNS, head_rows
from editor.process.plain_text import plain_lines
from engine.world.cells.ids import cell_text
from ui.docks.cell.page import CellPage
from ui.docks.place_form import PlaceForm, PlaceValue, frame_at, place_of

if TYPE_CHECKING:
    from ui.docks.cell.cell_dock import CellPanel

COMES_ALONG = "Move entities and the player with it; static objects and portals always move"
EMPTY = "Select a cell, or move the player into one, to see it here."


class HeadPage(CellPage):
    """Facts, and the room's frame as numbers."""

    def __init__(self, panel: CellPanel) -> None:
        super().__init__(panel)
        self.view = self.table(HEAD_COLUMNS, "cell-head", "The cell", EMPTY)
        self.view.horizontalHeader().hide()
        self.place = PlaceForm("cell", "Move Cell", panel.document, panel, with_cell=False)
        self.place.placed.connect(self._on_placed)
        self.carry = QCheckBox("Move its contents", self)
        self.carry.setObjectName("cell-carry")
        self.carry.setChecked(True)
        self.place.add_button(self.carry)
        self.box.addWidget(self.view, 1)
        self.box.addWidget(self.place)

    def show_cell(self, *, same: bool) -> None:
        sim, cell, room = self.sim, self.panel.cell, self.room
        self.view.table.show(head_rows(sim, cell) if sim is not None and cell is not None else [], mark=same)
        place = None if room is None else place_of(room.id, room.frame)
        tip = "Move the whole room: portals, static objects, collision"
        self.place.show_place(None if room is None else room.id, place, self.why_not, tip)
        self.carry.setEnabled(not self.why_not)
        self.carry.setToolTip(plain_lines(self.why_not or COMES_ALONG))

    @Slot(object)
    def _on_placed(self, place: PlaceValue) -> None:
        room = self.room
        if room is not None:
            frame, carry = frame_at(place, room.frame), self.carry.isChecked()
            self.edit(f"Move {cell_text(room.id)}", lambda sim: set_cell_frame(sim, room.id, frame, carry))
