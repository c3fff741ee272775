"""Cell: everything about one cell, its portal flags and its stab list to be edited."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QVBoxLayout, QWidget

from editor.cell_edits import set_portal_flags, set_seen_outside, set_stab_list
from editor.cell_graph import PortalRef
from editor.cell_rows import (
    HEAD_COLUMNS,
    PORTAL_COLUMNS,
    PORTAL_FLAGS,
    STAB_COLUMNS,
    STATIC_COLUMNS,
    head_rows,
    portal_rows,
    stab_rows,
    stab_summary,
    static_rows,
)
from editor.document import REFUSALS, Document
from editor.live_table import Column, LiveTable
from editor.session import Kind, Selection
from editor.stab_compare import StabComparison
from engine.sim.tick.edit import Edit
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell, ObjCell
from engine.world.cells.ids import cell_text, parse_cell_id
from engine.world.faults import WorldError
from ui.docks.panel import LivePanel
from ui.docks.parts import action, allow, bar, button, column, tabs
from ui.docks.table import LiveView
from ui.theme import mono_font

EMPTY = "Select a cell, or let the player into one: it is taken apart here."
NO_PORTALS = "No portal leads out of this cell."
NO_STABS = "Nothing is in this cell's stab list."
NO_STATICS = "Nothing stands in this cell."
STAB_TAB = 2

FLAG_TIPS = {
    0x1: "The two openings are the same polygon",
    0x2: "Stored inverted: set, the inside of the cell is before the portal's polygon",
    0x4: "The portal leads outdoors, whatever cell it names",
}
NO_ROOM = "Land has no record of its own to edit; choose a room."


class CellPanel(LivePanel):
    """The selected cell, or the player's while that is asked for or nothing is selected."""

    about = (
        "One cell in full: frame, flags and trees, its portals with their other sides, the stab list beside what is "
        "really seen, and its static objects. A double click leads to the cell that a row names."
    )

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "cell-panel", parent)
        self.compare = StabComparison(self)
        self.compare.ready.connect(self._on_compared)
        self._shown = 0
        self.title = QLabel(self)
        self.title.setFont(mono_font(15))
        self.title.setObjectName("cell-title")
        self.follow_player = QCheckBox("Follow player", self)
        self.follow_player.setObjectName("cell-follow")
        self.follow_player.toggled.connect(self.refresh)
        self.outside = QCheckBox("Seen outside", self)
        self.outside.setObjectName("cell-outside")
        self.outside.setToolTip("Whether the outdoors is drawn from this cell")
        self.outside.clicked.connect(self._on_outside)
        self.head = self._table(HEAD_COLUMNS, "cell-head", "The cell", EMPTY)
        self.head.horizontalHeader().hide()
        self.portals = self._table(PORTAL_COLUMNS, "cell-portals", "Its portals", NO_PORTALS)
        self.stabs = self._table(STAB_COLUMNS, "cell-stabs", "Its stab list", NO_STABS)
        self.statics = self._table(STATIC_COLUMNS, "cell-statics", "What stands in it", NO_STATICS)
        self.tabs = tabs(self, "cell-tabs")
        self.tabs.addTab(self.head, "Cell")
        self.tabs.addTab(self._portal_page(), "Portals")
        self.tabs.addTab(self._stab_page(), "Stab list")
        self.tabs.addTab(self.statics, "Statics")
        self.tabs.currentChanged.connect(self._on_changed)
        box = column(self)
        box.addLayout(bar(self.title, self.outside, self.follow_player))
        box.addWidget(self.tabs, 1)
        self.portals.key_changed.connect(self._show_flags)
        self.stabs.key_changed.connect(self._show_stab_actions)
        self.refresh()

    def _table(self, columns: Sequence[Column], name: str, title: str, empty: str) -> LiveView:
        return self.add_view(LiveView(LiveTable(columns, self), name, title, empty, self), leads=True)

    def _portal_page(self) -> QWidget:
        page = QWidget(self)
        self.flag_boxes: dict[int, QCheckBox] = {}
        for bit, name in PORTAL_FLAGS:
            check = QCheckBox(name, page)
            check.setObjectName(f"portal-flag-{name.lower()}")
            check.clicked.connect(self._on_flag)
            self.flag_boxes[bit] = check
        box = QVBoxLayout(page)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.portals, 1)
        box.addLayout(bar(*self.flag_boxes.values()))
        return page

    def _stab_page(self) -> QWidget:
        page = QWidget(self)
        self.stab_id = QLineEdit(page)
        self.stab_id.setObjectName("stab-id")
        self.stab_id.setFont(mono_font())
        self.stab_id.setPlaceholderText("0x00000000")
        self.stab_id.setAccessibleName("A cell to add to the stab list")
        self.stab_id.setFixedWidth(110)
        self.stab_id.returnPressed.connect(self.add_stab)
        self.add_action = action(page, "Add", self.add_stab, name="stab-add")
        self.remove_action = action(page, "Remove", self.remove_stabs, "Del", "stab-remove")
        self.computed_action = action(page, "Set to Seen", self.set_computed, name="stab-computed")
        self.summary = QLabel(page)
        self.summary.setObjectName("stab-summary")
        self.stabs.addAction(self.remove_action)
        box = QVBoxLayout(page)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(bar(self.summary))
        box.addWidget(self.stabs, 1)
        actions = (self.add_action, self.remove_action, self.computed_action)
        box.addLayout(bar(self.stab_id, *(button(each, page) for each in actions)))
        return page

    # --- what is shown

    @property
    def cell(self) -> ObjCell | None:
        """The cell that is taken apart."""
        sim = self.document.simulation
        if sim is None:
            return None
        selection = self.document.session.selection
        if not self.follow_player.isChecked() and selection is not None:
            if selection.kind is Kind.CELL:
                return sim.graph.get_visible(selection.key)
            entity = sim.population.find(selection.key) if selection.kind is Kind.ENTITY else None
            if entity is not None:
                return sim.graph.get_visible(entity.place_cell())
        return sim.graph.current

    @property
    def room(self) -> EnvCell | None:
        cell = self.cell
        return cell if isinstance(cell, EnvCell) else None

    def follow(self, selection: Selection | None) -> None:
        self.refresh()

    @Slot(object)
    def show_portal(self, portal: PortalRef) -> None:
        """Mark a portal that was chosen elsewhere."""
        self.portals.follow((portal.owner.key, portal.index))

    @Slot()
    def _on_compared(self) -> None:
        """What is seen is known now; that is no change of the world."""
        self._shown = 0
        self._on_changed()

    @Slot()
    def refresh(self) -> None:
        sim, cell, room = self.document.simulation, self.cell, self.room
        same = cell is not None and cell.id == self._shown
        self._shown = 0 if cell is None else cell.id
        self.title.setText("no cell" if cell is None else cell_text(cell.id))
        self.outside.setChecked(cell is not None and cell.seen_outside)
        self.outside.setEnabled(room is not None)
        self.outside.setToolTip("Whether the outdoors is drawn from this cell" if room is not None else NO_ROOM)
        there = sim is not None and cell is not None
        self.head.table.show(head_rows(sim, cell) if sim is not None and cell is not None else [], mark=same)
        self.statics.table.show([] if cell is None else static_rows(cell), mark=same)
        self.portals.table.show([] if sim is None or room is None else portal_rows(sim, room), mark=same)
        seen = self._seen(sim, room)
        self.stabs.table.show([] if sim is None or room is None else stab_rows(sim, room, seen), mark=same)
        self.summary.setText("" if room is None else stab_summary(room, seen))
        counts = (
            len(self.portals.table.rows),
            0 if room is None else len(room.stab_list),
            len(self.statics.table.rows),
        )
        for tab, (word, count) in enumerate(zip(("Portals", "Stab list", "Statics"), counts, strict=True), start=1):
            self.tabs.setTabText(tab, f"{word} {count}" if there else word)
        self._show_flags()
        self._show_stab_actions()

    def _seen(self, sim: Simulation | None, room: EnvCell | None) -> list[int] | None:
        """Only looked for while the list is in view: it takes a moment."""
        if sim is None or room is None or self.tabs.currentIndex() != STAB_TAB:
            return None
        return self.compare.seen_from(sim.world, room.id)

    @Slot()
    def _show_flags(self) -> None:
        index = self._portal
        flags = 0 if index < 0 or self.room is None else self.room.portals[index].flags
        for bit, check in self.flag_boxes.items():
            check.setEnabled(index >= 0)
            check.setChecked(bool(flags & bit))
            check.setToolTip(FLAG_TIPS[bit] if index >= 0 else "Select a portal above.")

    @property
    def _portal(self) -> int:
        """The number of the chosen portal, −1 without one."""
        key, room = self.portals.key, self.room
        if room is None or not isinstance(key, tuple) or key[0] != room.id or key[1] >= len(room.portals):
            return -1
        return int(key[1])

    @Slot()
    def _show_stab_actions(self) -> None:
        room, sim = self.room, self.document.simulation
        chosen = self._chosen_stabs()
        seen = self._seen(sim, room)
        allow(self.add_action, "" if room else NO_ROOM, "Add the cell whose id stands on the left")
        why = NO_ROOM if room is None else "" if chosen else "Select listed cells above."
        allow(self.remove_action, why, "Take the selected cells out of the list")
        if room is None:
            why = NO_ROOM
        elif seen is None:
            why = "It is still being searched what is seen."
        else:
            why = "The list is exactly what is seen." if sorted(room.stab_list) == sorted(seen) else ""
        allow(self.computed_action, why, "List exactly the cells that some straight line through portals reaches")

    def _chosen_stabs(self) -> list[int]:
        room = self.room
        rows = {index.row() for index in self.stabs.selectedIndexes()}
        keys = [self.stabs.table.rows[row].key for row in sorted(rows)]
        return [key for key in keys if isinstance(key, int) and room is not None and key in room.stab_set]

    # --- edits

    def _edit(self, name: str, make: Callable[[], list[Edit]]) -> None:
        try:
            edits = make()
        except REFUSALS as error:
            self.document.refused.emit(f"{name}: {error}")
        else:
            self.document.edit(name, *edits)
        self.refresh()

    @Slot()
    def _on_outside(self) -> None:
        sim, room, on = self.document.simulation, self.room, self.outside.isChecked()
        if sim is not None and room is not None:
            name = f"Let {cell_text(room.id)} {'See' if on else 'Not See'} Outside"
            self._edit(name, lambda: set_seen_outside(sim, room.id, on))

    @Slot()
    def _on_flag(self) -> None:
        sim, room, index = self.document.simulation, self.room, self._portal
        if sim is None or room is None or index < 0:
            return
        known = sum(self.flag_boxes)
        flags = room.portals[index].flags & ~known
        flags |= sum(bit for bit, check in self.flag_boxes.items() if check.isChecked())
        name = f"Set Flags of Portal {index} of {cell_text(room.id)} to 0x{flags:X}"
        self._edit(name, lambda: set_portal_flags(sim, room.id, index, flags))

    def _set_stabs(self, name: str, seen: list[int]) -> None:
        sim, room = self.document.simulation, self.room
        if sim is not None and room is not None:
            self._edit(name, lambda: set_stab_list(sim, room.id, seen))

    def add_stab(self) -> None:
        room = self.room
        if room is None:
            return
        try:
            other = parse_cell_id(self.stab_id.text())
        except WorldError as error:
            self.document.refused.emit(str(error))
            return
        self._set_stabs(f"Add {cell_text(other)} to the Stab List of {cell_text(room.id)}", [*room.stab_list, other])
        self.stab_id.clear()

    def remove_stabs(self) -> None:
        room, chosen = self.room, self._chosen_stabs()
        if room is None or not chosen:
            return
        what = cell_text(chosen[0]) if len(chosen) == 1 else f"{len(chosen)} Cells"
        kept = [other for other in room.stab_list if other not in chosen]
        self._set_stabs(f"Remove {what} from the Stab List of {cell_text(room.id)}", kept)

    def set_computed(self) -> None:
        sim, room = self.document.simulation, self.room
        seen = self._seen(sim, room)
        if room is not None and seen is not None:
            self._set_stabs(f"Set the Stab List of {cell_text(room.id)} to What Is Seen", seen)
