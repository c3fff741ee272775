"""Entities: everybody and everything that is no part of a room, with shadow entries, state bits and place."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QMenu, QSplitter, QToolButton, QWidget

from editor.authoring.catalogue import Pattern, catalogue, duplicate, free_guid
from editor.authoring.dropping import drop_entity
from editor.document.adding import add_ahead
from editor.document.document import Document
from editor.document.step_application import REFUSALS
from editor.models.entities import (
    BIT_COLUMNS,
    ENTITY_COLUMNS,
    SHADOW_COLUMNS,
    bit_of,
    bit_rows,
    destination_of,
    entity_rows,
    shadow_rows,
)
from editor.models.live_table import LiveTable, Row
from editor.process.plain_text import plain_lines
from editor.session.session import Kind, Selection
from engine.entities.door import Door
from engine.entities.entity import Entity
from engine.sim.edits.entities import RemoveEntity, SetScale, SetStateBits
from engine.sim.edits.placing import PlaceEntity
from engine.sim.edits.player import Teleport
from engine.world.cells.ids import landblock_id
from ui.docks.panel import LivePanel
from ui.docks.parts import NotOpenLabel, action, allow, bar, button, column, gesture, number_box, put, tabs
from ui.docks.place_form import PlaceForm, PlaceValue, frame_at, place_of
from ui.docks.table import OF_A_ROW, LiveView
from ui.theme.theme import mono_font

EMPTY = "Open a world: its doors, chests and people, and the player, are listed here."
NO_ROWS = "Select an entity to see the shapes that others collide with."
NO_BITS = "Select an entity that is registered to switch its PhysicsState bits."
CHOOSE = "Select an entity first."
PLAYER_SIZE = "The player has no scale: set radius and height in Player › Numbers."
LEAST_SCALE = 0.05
PLAYER = "The player can be teleported, but not deleted or duplicated."


class EntitiesPanel(LivePanel):
    """The table of all, and below it what there is to say about the current one."""

    reads_second = True
    about = (
        "Everything that is not part of a room, with its place and PhysicsState. Below: the shadow entries "
        "that others collide with, the state bit by bit, and its place as numbers to edit."
    )

    door_asked = Signal(int)
    """The user asks who may pass this door."""
    place_wanted = Signal(str)
    """The user follows a portal to a place, as it is written."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "entities-panel", parent)
        self.model = LiveTable(ENTITY_COLUMNS, self)
        self.view = self.add_view(LiveView(self.model, "entities", "Entities", EMPTY, self))
        self.not_open = NotOpenLabel("entities-not-open", "", self)
        self.shadows = LiveTable(SHADOW_COLUMNS, self)
        self.shadow_view = self.add_view(LiveView(self.shadows, "shadow-entries", "Shadow entries", NO_ROWS, self))
        self.bits = LiveTable(BIT_COLUMNS, self)
        self.bits.on_check = self._on_bit
        self.bit_view = self.add_view(LiveView(self.bits, "state-bits", "PhysicsState bits", NO_BITS, self))
        self.bit_view.acted.connect(self._on_bit_key)
        self.place = PlaceForm("entity", "Move Entity", document, self)
        self.place.placed.connect(self._on_placed)
        self.scale = number_box(self, "entity-scale", LEAST_SCALE, 100.0, 3, 0.1)
        self.scale.valueChanged.connect(self._on_scale)
        self._scaling = gesture(self.scale, document)
        self.drop_action = action(self, "Drop to Floor", self.drop, name="entity-drop")
        self.duplicate_action = action(self, "Duplicate", self.duplicate, "Ctrl+D", "entity-duplicate")
        self.delete_action = action(self, "Delete", self.delete, "Del", "entity-delete")
        self.state_label = QLabel(self)
        self.state_label.setFont(mono_font())
        self.state_label.setObjectName("entity-state")
        self._make_add_button()
        self.tabs = tabs(self, "entity-tabs")
        self.tabs.addTab(self.shadow_view, "Shadow entries")
        self.tabs.addTab(self.bit_view, "PhysicsState")
        self.tabs.addTab(self._place_page(), "Place")
        splitter = QSplitter(Qt.Orientation.Vertical, self)
        splitter.addWidget(self._with_label())
        splitter.addWidget(self.tabs)
        splitter.setSizes([300, 220])
        splitter.setChildrenCollapsible(False)
        box = column(self)
        buttons = (button(self.duplicate_action, self), button(self.delete_action, self))
        box.addLayout(bar(*buttons, self.add_button, self.state_label))
        box.addWidget(splitter, 1)
        self.actions_of_one = (self.duplicate_action, self.drop_action, self.delete_action)
        self.who_action = QAction("Who May Pass This Door?", self.view)
        self.who_action.setProperty(OF_A_ROW, True)
        self.who_action.triggered.connect(self._ask_who)
        self.follow_action = QAction("Go Through This Portal", self.view)
        self.follow_action.setProperty(OF_A_ROW, True)
        self.follow_action.triggered.connect(self._go_through)
        self.view.addActions([*self.actions_of_one, self.who_action, self.follow_action])
        self.view.key_changed.connect(self._on_row)
        self.refresh()

    def _with_label(self) -> QWidget:
        upper = QWidget(self)
        box = column(upper)
        box.addWidget(self.view, 1)
        box.addWidget(self.not_open)
        return upper

    def _place_page(self) -> QWidget:
        """Beside the numbers of its place what else is done with it there."""
        form = self.place
        form.add_field("Scale", self.scale)
        form.add_button(button(self.drop_action, form))
        return form

    def _make_add_button(self) -> None:
        self.add_button = QToolButton(self)
        self.add_button.setText("Add")
        self.add_button.setObjectName("entity-add-button")
        self.add_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.add_menu = QMenu(self.add_button)
        self.add_menu.aboutToShow.connect(self._fill_menu)
        self.add_button.setMenu(self.add_menu)
        self.commands.add_menu("entity-add", self.add_menu, "Add")

    # --- showing

    @property
    def entity(self) -> Entity | None:
        """The current row's; none also when it left the world and its row has not gone yet."""
        sim, key = self.document.seen, self.view.key
        return None if sim is None or not isinstance(key, int) else sim.population.find(key)

    def refresh(self) -> None:
        sim = self.document.seen
        self.show_rows(self.model, entity_rows)
        self.not_open.follow(sim)
        self._on_row()

    def follow(self, selection: Selection | None) -> None:
        self.view.follow(selection.key if selection is not None and selection.kind is Kind.ENTITY else None)

    @Slot()
    def _on_row(self) -> None:
        sim, entity = self.document.seen, self.entity
        why_not = self.document.why_not_edit
        self.add_button.setEnabled(self.document.player_is_somewhere and not why_not)
        self.add_button.setToolTip(
            plain_lines(why_not or "Add one of a kind that this world has, in front of the player")
        )
        self.bit_view.setEnabled(not why_not)
        self.bit_view.setToolTip(plain_lines(why_not))
        self._show_scale(entity, why_not)
        self.who_action.setVisible(isinstance(entity, Door))
        self.follow_action.setVisible(entity is not None and bool(destination_of(entity)))
        if sim is None or entity is None:
            self.shadows.show([])
            self.bits.show([])
            self.state_label.setText("")
            self.place.show_place(None, None, why_not)
            for each in self.actions_of_one:
                allow(each, why_not or CHOOSE, "")
            return
        self.show_rows(self.shadows, lambda sim: shadow_rows(sim, entity.id))
        self.show_rows(self.bits, lambda sim: bit_rows(sim, entity.id))
        registered = entity.id in sim.population.registry.entities
        self.state_label.setText(
            f"state 0x{sim.population.state_of(entity.id):08X}" if registered else "not registered"
        )
        frame, cell_id = entity.place_frame(), entity.place_cell()
        tip = "Put the player there, or on the nearest free spot" if entity is sim.player else "Put it there"
        self.place.show_place(entity.id, place_of(cell_id, frame) if cell_id else None, why_not, tip)
        allow(self.drop_action, why_not, "Move it down to the walkable surface below")
        why = why_not or (PLAYER if entity is sim.player else "")
        allow(self.duplicate_action, why, "Place a copy one metre to the east")
        allow(self.delete_action, why, "Remove it from the world")

    @Slot()
    def _ask_who(self) -> None:
        if isinstance(self.entity, Door):
            self.door_asked.emit(self.entity.id)

    @Slot()
    def _go_through(self) -> None:
        """Put the player where the portal leads."""
        if self.entity is not None:
            self.place_wanted.emit(destination_of(self.entity))

    def _show_scale(self, entity: Entity | None, why_not: str) -> None:
        sim = self.document.seen
        is_player = entity is not None and sim is not None and entity is sim.player
        why = why_not or (CHOOSE if entity is None else PLAYER_SIZE if is_player else "")
        self.scale.setEnabled(not why)
        self.scale.setToolTip(plain_lines(why or "Scale of the entity and its collision shapes"))
        put(self.scale, 1.0 if entity is None else entity.scale, None if entity is None else entity.id)

    # --- edits

    def drop(self) -> None:
        sim, entity = self.document.seen, self.entity
        if sim is None or entity is None:
            return
        try:
            edit = drop_entity(sim, entity.id)
        except REFUSALS as error:
            self.document.refused.emit(str(error))
        else:
            self.document.edit(f"Drop {entity.name} to the Floor", edit)

    @Slot(float)
    def _on_scale(self, scale: float) -> None:
        entity = self.entity
        if entity is not None and scale != round(entity.scale, 3):
            name = f"Scale {entity.name} to {scale:g}"
            self.document.edit(name, SetScale(entity.id, scale), drag=self._scaling.part(entity.id))

    def _on_bit(self, row: Row, on: bool) -> None:
        entity, name = self.entity, str(row.key)
        if entity is not None:
            edit = SetStateBits(entity.id, bit_of(name), on)
            self.document.edit(f"Switch {name} of {entity.name} {'On' if on else 'Off'}", edit)

    @Slot(object)
    def _on_bit_key(self, key: object) -> None:
        row = self.bits.rows[self.bits.row_of(str(key))]
        self._on_bit(row, not row.checked)

    @Slot(object)
    def _on_placed(self, place: PlaceValue) -> None:
        sim, entity = self.document.seen, self.entity
        if sim is None or entity is None:
            return
        if entity is sim.player:
            teleport = Teleport(place.cell_id, *place.origin, place.heading)
            self.document.edit(f"Teleport {entity.name}", teleport)
            return
        frame = frame_at(place, entity.place_frame())
        edit = PlaceEntity(entity.id, place.cell_id, *frame.origin, *frame.rotation)
        self.document.edit(f"Move {entity.name}", edit)

    def duplicate(self) -> None:
        sim, entity = self.document.seen, self.entity
        if sim is None or entity is None:
            return
        guid = free_guid(sim)
        if self.document.edit(f"Duplicate {entity.name}", *duplicate(sim, entity.id, guid)):
            cell_id = sim.population.entity(guid).place_cell()
            self.chosen.emit(Selection(Kind.ENTITY, landblock_id(cell_id), guid))

    def delete(self) -> None:
        entity = self.entity
        if entity is not None and self.document.edit(f"Delete {entity.name}", RemoveEntity(entity.id)):
            self.chosen.emit(None)

    @Slot()
    def _fill_menu(self) -> None:
        self.add_menu.clear()
        sim = self.document.seen
        self.add_menu.addSection("Add in front of the player, like")
        for pattern in [] if sim is None else catalogue(sim):
            text = f"{pattern.title}  {pattern.spec.kind}"
            self.add_model(self.add_menu, text, pattern.spec.setup_id, partial(self.add, pattern))

    def add(self, pattern: Pattern) -> None:
        """Put one before the player's feet and select it."""
        added = add_ahead(self.document, pattern)
        if added is not None:
            self.chosen.emit(added)
