"""The Cell dock's page of portals: where each leads, and its flags, to be edited on one side or on both."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox

from editor.authoring.cell_edits import link_portal, set_portal_flags
from editor.models.cell import PORTAL_COLUMNS, PORTAL_FLAGS, portal_rows
from editor.process.plain_text import plain, plain_lines
from engine.world.cells.ids import WHOLE_BLOCK, cell_text, parse_id
from engine.world.cells.portals import OUTSIDE, CellPortal
from engine.world.faults import WorldError
from engine.world.names import NameKey
from ui.docks.cell.page import CellPage
from ui.docks.parts import CountBox, IdField, action, allow, bar, button, dim_label
from ui.theme.theme import mono_font

if TYPE_CHECKING:
    from ui.docks.cell.cell_dock import CellPanel

NO_PORTALS = "No portal leads out of this cell."
CHOOSE = "Select a portal above."
OUTDOORS: Final = "outdoors"
MOST_PORTALS: Final = 0xFFFF

FLAG_TIPS: Final = {
    0x1: "The two openings are the same polygon",
    0x2: "Stored inverted: when set, the inside of the cell is in front of the portal's polygon",
    0x4: "The portal leads outdoors, whatever cell it names",
}


class PortalPage(CellPage):
    """The table, and under it what can be set of the chosen portal."""

    def __init__(self, panel: CellPanel) -> None:
        super().__init__(panel)
        self.view = self.table(PORTAL_COLUMNS, "cell-portals", "Its portals", NO_PORTALS)
        self._typed = False
        self._shown: tuple[int, int] | None = None
        self._build()
        self.box.addWidget(self.view, 1)
        self.box.addLayout(bar(*self.flag_boxes.values()))
        number = dim_label("portal", self, self.back)
        self.box.addLayout(bar(dim_label("Leads to", self, self.target), self.target, number, self.back))
        self.box.addLayout(bar(button(self.target_action, self), self.both))
        self.view.key_changed.connect(self.show_portal)

    def _build(self) -> None:
        self.flag_boxes: dict[int, QCheckBox] = {}
        for bit, name in PORTAL_FLAGS:
            check = QCheckBox(plain(name), self)
            check.setObjectName(f"portal-flag-{name.lower()}")
            check.clicked.connect(self._on_flag)
            self.flag_boxes[bit] = check
        self.target = IdField(self, "portal-target", 100)
        self.target.setAccessibleName("The cell that the portal leads to")
        self.target.textEdited.connect(self._on_typed)
        self.target.returnPressed.connect(self.set_target)
        self.back = CountBox(self)
        self.back.setObjectName("portal-back")
        self.back.setRange(-1, MOST_PORTALS)
        self.back.setSpecialValueText("none")
        self.back.setAccessibleName("The number of the same opening on the other side")
        self.back.setFont(mono_font())
        self.back.valueChanged.connect(self._on_typed)
        self.back.lineEdit().returnPressed.connect(self.set_target)
        self.both = QCheckBox("Both sides", self)
        self.both.setObjectName("portal-both")
        self.both.setChecked(True)
        self.target_action = action(self.panel, "Set Target", self.set_target, name="portal-set-target")
        self.flag_actions = {
            bit: action(self.panel, f"Switch {name}", partial(self.switch, bit), name=f"portal-switch-{bit}")
            for bit, name in PORTAL_FLAGS
        }
        self.view.addActions([self.target_action, *self.flag_actions.values()])

    def name_key(self) -> NameKey | None:
        room, index = self.room, self.index
        return None if room is None or index < 0 else NameKey.portal(room.id, index)

    # --- showing

    @property
    def index(self) -> int:
        """The number of the chosen portal, −1 without one."""
        key, room = self.view.key, self.room
        if room is None or not isinstance(key, tuple) or key[0] != room.id or key[1] >= len(room.portals):
            return -1
        return int(key[1])

    @property
    def portal(self) -> CellPortal | None:
        room, index = self.room, self.index
        return None if room is None or index < 0 else room.portals[index]

    def show_cell(self, *, same: bool) -> None:
        sim, room = self.sim, self.room
        self.view.table.show([] if sim is None or room is None else portal_rows(sim, room), mark=same)
        self.show_portal()

    @Slot()
    def show_portal(self) -> None:
        """The fields of the chosen portal; what is being typed stays while it is the same one."""
        portal, room = self.portal, self.room
        shown = None if room is None or portal is None else (room.id, self.index)
        if shown != self._shown:
            self._typed = False
        self._shown = shown
        why = self.why_not or ("" if portal is not None else CHOOSE)
        for bit, check in self.flag_boxes.items():
            check.setEnabled(not why)
            check.setChecked(portal is not None and bool(portal.flags & bit))
            check.setToolTip(plain_lines(why or FLAG_TIPS[bit]))
            allow(self.flag_actions[bit], why, FLAG_TIPS[bit])
        for field in (self.target, self.back, self.both):
            field.setEnabled(not why)
        self.target.setToolTip(plain_lines(why or "A cell of this landblock such as 0xA9B40143, or “outdoors”"))
        self.back.setToolTip(plain_lines(why or "The number of the portal on the other side of this opening"))
        self.both.setToolTip(
            plain_lines(why or "Make the portal on the other side lead back here; if off, only this side changes")
        )
        allow(self.target_action, why, "Make the portal lead to the cell and portal above")
        if not self._typed:
            self._fill(portal)

    def _fill(self, portal: CellPortal | None) -> None:
        outdoors = portal is not None and portal.other_cell_id == OUTSIDE
        self.target.setText("" if portal is None else OUTDOORS if outdoors else cell_text(portal.other_cell_id))
        self.back.blockSignals(True)
        self.back.setValue(-1 if portal is None else portal.other_portal_id)
        self.back.blockSignals(False)

    @Slot()
    def _on_typed(self) -> None:
        self._typed = True

    # --- edits

    @Slot()
    def _on_flag(self) -> None:
        portal = self.portal
        if portal is not None:
            checked = sum(bit for bit, check in self.flag_boxes.items() if check.isChecked())
            self._set_flags(portal.flags & ~sum(self.flag_boxes) | checked)

    def switch(self, bit: int) -> None:
        """The other way round with one flag."""
        portal = self.portal
        if portal is not None:
            self._set_flags(portal.flags ^ bit)

    def _set_flags(self, flags: int) -> None:
        room, index = self.room, self.index
        if room is not None and index >= 0:
            name = f"Set Flags of Portal {index} of {cell_text(room.id)} to 0x{flags:X}"
            self.edit(name, lambda sim: set_portal_flags(sim, room.id, index, flags))

    def set_target(self) -> None:
        """Set the target from the fields; refuse text that is no id, with the reason."""
        room, index = self.room, self.index
        if room is None or index < 0:
            return
        self.back.interpretText()
        try:
            target = parse_target(self.target.text())
        except WorldError as error:
            self.panel.document.refused.emit(str(error))
            self.target.setFocus()
            self.target.selectAll()
            return
        back, both = (self.back.value(), self.both.isChecked())
        where = OUTDOORS.capitalize() if target == OUTSIDE else cell_text(target)
        name = f"Link Portal {index} of {cell_text(room.id)} to {where}"
        if self.edit(name, lambda sim: link_portal(sim, room.id, index, target, back, both)):
            self._typed = False
            self.show_portal()


def parse_target(text: str) -> int:
    """The cell that is named, `OUTSIDE` for the word and for the ids that mean it."""
    if text.strip().lower() == OUTDOORS:
        return OUTSIDE
    target = parse_id(text)
    return OUTSIDE if target & WHOLE_BLOCK == WHOLE_BLOCK else target
