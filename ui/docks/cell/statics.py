"""The Cell dock's page of static objects: put in from a catalogue or by a model's id, moved by numbers, taken out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QMenu, QToolButton

from editor.authoring.catalogue import models, spot_in
from editor.authoring.dropping import drop_static
from editor.authoring.static_edits import (
    StaticPlace,
    add_static,
    find_static,
    move_thing,
    name_of_static,
    new_static_id,
    rehome_static,
    remove_thing,
)
from editor.document.step_application import REFUSALS
from editor.models.cell import STATIC_COLUMNS, static_rows
from editor.process.plain_text import plain_lines
from editor.session.session import Kind, Selection
from engine.geometry.frame import Frame
from engine.world.cells.ids import cell_text, landblock_id, parse_id
from engine.world.faults import WorldError
from engine.world.names import NameKey
from ui.docks.cell.page import CellPage
from ui.docks.parts import IdField, action, allow, bar, button
from ui.docks.place_form import PlaceForm, PlaceValue, frame_at, place_of

if TYPE_CHECKING:
    from ui.docks.cell.cell_dock import CellPanel

NO_STATICS = "Nothing stands in this cell. Add puts a model of this world into it."
CHOOSE = "Select a static object above."
BESIDE = 1.0
"""Metres east of a thing at which its duplicate is put."""


class StaticPage(CellPage):
    """The table, what can be done with the chosen thing, and its numbers."""

    def __init__(self, panel: CellPanel) -> None:
        super().__init__(panel)
        self.view = self.table(STATIC_COLUMNS, "cell-statics", "Static objects in the cell", NO_STATICS)
        self.delete_action = action(self, "Delete Static", self.delete, "Del", "static-delete")
        self.duplicate_action = action(self, "Duplicate Static", self.duplicate, "Ctrl+D", "static-duplicate")
        self.drop_action = action(panel, "Drop Static to the Floor", self.drop, name="static-drop")
        self.add_action = action(panel, "Add Model by Its Id", self.add_typed, name="static-add-typed")
        self.view.addActions([self.duplicate_action, self.drop_action, self.delete_action])
        self.model = IdField(self, "static-model", 100)
        self.model.setPlaceholderText("0x02000000")
        self.model.setAccessibleName("The id of a model, a Setup or a GfxObj, to add")
        self.model.returnPressed.connect(self.add_typed)
        self._make_add_button()
        self.place = PlaceForm("static", "Move Static", panel.document, panel)
        self.place.placed.connect(self._on_placed)
        self.box.addWidget(self.view, 1)
        duplicate, delete = button(self.duplicate_action, self, "Duplicate"), button(self.delete_action, self, "Delete")
        drop = button(self.drop_action, self, "Drop to Floor")
        self.box.addLayout(bar(duplicate, delete, drop))
        self.box.addLayout(bar(self.add_button, self.model, button(self.add_action, self, "Add This")))
        self.box.addWidget(self.place)
        self.view.key_changed.connect(self.show_thing)

    def _make_add_button(self) -> None:
        self.add_button = QToolButton(self)
        self.add_button.setText("Add")
        self.add_button.setObjectName("static-add-button")
        self.add_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.add_menu = QMenu(self.add_button)
        self.add_menu.aboutToShow.connect(self._fill_menu)
        self.add_button.setMenu(self.add_menu)
        self.panel.commands.add_menu("static-add", self.add_menu, "Add")

    def name_key(self) -> NameKey | None:
        thing = self.thing
        return None if thing is None else NameKey.model(thing.model_id)

    # --- showing

    @property
    def thing(self) -> StaticPlace | None:
        """The chosen static thing."""
        sim, key = self.sim, self.view.key
        return find_static(sim, key) if sim is not None and isinstance(key, int) else None

    def show_cell(self, *, same: bool) -> None:
        cell = self.panel.cell
        self.view.table.show(
            [] if cell is None or self.sim is None else static_rows(cell, self.sim.world.names), mark=same
        )
        self.show_thing()

    @Slot()
    def show_thing(self) -> None:
        thing, why_not = self.thing, self.why_not
        why = why_not or ("" if thing is not None else CHOOSE)
        allow(self.delete_action, why, "Remove it from the room's record")
        allow(self.duplicate_action, why, "Place a copy one metre to the east")
        allow(self.drop_action, why, "Move its origin down to the walkable surface below")
        allow(self.add_action, why_not, "Add the model with this id to the room")
        for widget in (self.add_button, self.model):
            widget.setEnabled(not why_not)
            widget.setToolTip(
                plain_lines(why_not or "Add a model of this world, in front of the player or in the middle of the room")
            )
        place = None if thing is None else place_of(thing.cell_id, thing.frame)
        tip = "Move it there; a cell id of another room moves it to that room"
        self.place.show_place(None if thing is None else thing.id, place, why_not, tip)

    @Slot()
    def _fill_menu(self) -> None:
        self.add_menu.clear()
        sim = self.sim
        for model in [] if sim is None else models(sim):
            self.panel.add_model(self.add_menu, model.title, model.id, partial(self.add, model.id))
        if self.add_menu.isEmpty():
            self.add_menu.addAction("This world has no model in use; type the id of one").setEnabled(False)

    # --- edits

    def add(self, model_id: int, frame: Frame | None = None) -> None:
        """A model into the room, selected: where nothing is said, before the player or in the middle."""
        sim, room = self.sim, self.room
        if sim is None or room is None:
            return
        where = spot_in(sim, room) if frame is None else frame
        new = new_static_id(sim, room.id)
        name = f"Add {cell_text(model_id)} to {cell_text(room.id)}"
        if self.edit(name, lambda sim: add_static(sim, room.id, model_id, where)):
            self.panel.chosen.emit(Selection(Kind.STATIC, landblock_id(room.id), new))
            self.view.follow(new)

    def add_typed(self) -> None:
        try:
            model_id = parse_id(self.model.text())
        except WorldError as error:
            self.panel.document.refused.emit(str(error))
            self.model.setFocus()
            self.model.selectAll()
        else:
            self.model.setModified(False)
            self.add(model_id)

    def duplicate(self) -> None:
        thing = self.thing
        if thing is not None:
            x, y, z = thing.frame.origin
            self.add(thing.model_id, Frame((x + BESIDE, y, z), thing.frame.rotation))

    def delete(self) -> None:
        thing = self.thing
        if thing is not None and self.edit(f"Delete {name_of_static(thing)}", lambda sim: remove_thing(sim, thing.id)):
            self.view.follow(None)  # those behind it have moved up: its id is another's now
            self.panel.chosen.emit(Selection(Kind.CELL, landblock_id(thing.cell_id), thing.cell_id))

    def drop(self) -> None:
        sim, thing = self.sim, self.thing
        if sim is None or thing is None:
            return
        try:
            edits = drop_static(sim, thing.id)
        except REFUSALS as error:
            self.panel.document.refused.emit(str(error))
        else:
            self.panel.document.edit(f"Drop {name_of_static(thing)} to the Floor", *edits)

    @Slot(object)
    def _on_placed(self, place: PlaceValue) -> None:
        thing = self.thing
        if thing is None:
            return
        frame = frame_at(place, thing.frame)
        if place.cell_id == thing.cell_id:
            self.edit(f"Move {name_of_static(thing)}", lambda sim: move_thing(sim, thing.id, frame))
            return
        name = f"Move {name_of_static(thing)} to {cell_text(place.cell_id)}"
        self.edit(name, lambda sim: rehome_static(sim, thing.cell_id, thing.index, place.cell_id, frame))
