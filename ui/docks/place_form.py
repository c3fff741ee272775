"""A place as numbers to type: cell, position, heading. Nothing moves until Enter or the button."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from editor.document.document import Document
from editor.places.place_text import read_place, seems_place
from editor.places.standing import at_written
from editor.process.plain_text import plain_lines
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading, multiply, normalize
from engine.geometry.vec import Vec3
from engine.physics.errors import PhysicsError
from engine.sim.script import StartPlace
from engine.world.cells.ids import cell_text, parse_cell_id
from engine.world.faults import WorldError
from ui.docks.parts import IdField, action, allow, bar, button, dim_label, number_box
from ui.theme.theme import BETWEEN, EDGE, GROUP

TIP = "Type the new place; Enter moves it there, as one undo step"
FARTHEST = 1000.0
"""Metres; rooms of dungeons lie outside their landblock's square."""

COLUMNS: Final = 2
LEAST_FIELD: Final = 96

NOTHING_TYPED = "No number was changed."


@dataclass(frozen=True)
class PlaceValue:
    """A cell, a position in its landblock, and a compass heading."""

    cell_id: int
    origin: Vec3
    heading: float


def place_of(cell_id: int, frame: Frame) -> PlaceValue:
    return PlaceValue(cell_id, frame.origin, frame.heading())


def frame_at(place: PlaceValue, before: Frame) -> Frame:
    """A thing's frame moved to a place and turned about the vertical to its heading: what leans goes on leaning."""
    turn = place.heading - before.heading()
    rotation = before.rotation if turn == 0.0 else normalize(multiply(from_heading(turn), before.rotation))
    return Frame(place.origin, rotation)


class PlaceForm(QWidget):
    """Shows where something is until a number is typed; then keeps what was typed until it is applied or dropped, or
    until something else is shown."""

    placed = Signal(object)

    def __init__(self, name: str, verb: str, document: Document, parent: QWidget, *, with_cell: bool = True) -> None:
        super().__init__(parent)
        self.document = document
        self.setObjectName(f"{name}-place")
        self._about: Hashable = None
        self._shown: PlaceValue | None = None
        self._touched = False
        self._word = verb.split()[0]
        self._tip = self._why_not = self._wrong = ""
        self.sunk = 0.0
        """Metres from the soles, which the form shows, up to the origin, which a pasted place names."""
        self.with_cell = with_cell
        self.cell = IdField(self, f"{name}-cell")
        self.cell.setVisible(with_cell)
        self.cell.textEdited.connect(self._on_cell_edited)
        self.cell.returnPressed.connect(self.apply)
        self.numbers = {
            axis: number_box(self, f"{name}-{axis}", -FARTHEST, FARTHEST, 3, 0.1) for axis in ("x", "y", "z")
        }
        self.heading = number_box(self, f"{name}-heading", -360.0, 360.0, 2, 15.0)
        self.heading.setWrapping(True)
        self._boxes = [*self.numbers.values(), self.heading]
        for box in self._boxes:
            box.valueChanged.connect(self._touch)
            box.lineEdit().textEdited.connect(self._touch)
            box.lineEdit().returnPressed.connect(self.apply)
        self.apply_action = action(parent, verb, self.apply, name=f"{name}-apply")
        self.forget_action = action(parent, "Reset Typed Numbers", self.forget, name=f"{name}-forget")
        self.reset = button(self.forget_action, self, "Reset")
        self._fields = 0
        self._lay_out()
        document.started.connect(self.forget)  # ids of another world are other things
        self.show_place(None, None)

    def _lay_out(self) -> None:
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(EDGE, BETWEEN, EDGE, 0)
        self._grid.setHorizontalSpacing(BETWEEN)
        self._grid.setVerticalSpacing(GROUP)
        self._grid.setColumnStretch(2 * COLUMNS, 1)
        box.addLayout(self._grid)
        self._buttons = bar(button(self.apply_action, self, self._word), self.reset)
        box.addLayout(self._buttons)
        box.addStretch(1)
        heading: list[tuple[str, QWidget]] = [("Heading", self.heading)]
        numbers: list[tuple[str, QWidget]] = list(self.numbers.items())
        fields = [("Cell", self.cell), *heading, *numbers] if self.with_cell else [*numbers, *heading]
        for label, field in fields:
            self.add_field(label, field)
        for (_, before), (_, after) in pairwise(fields):
            QWidget.setTabOrder(before, after)

    def add_field(self, label: str, field: QWidget) -> None:
        """One more beside or below the others."""
        row, column = divmod(self._fields, COLUMNS)
        self._grid.addWidget(dim_label(label, self, field), row, 2 * column)
        self._grid.addWidget(field, row, 2 * column + 1)
        field.setMinimumWidth(LEAST_FIELD)
        self._fields += 1

    def add_button(self, made: QWidget) -> None:
        """One more after those of the form."""
        self._buttons.addWidget(made)

    def show_place(self, about: Hashable, place: PlaceValue | None, why_not: str = "", tip: str = "") -> None:
        """Where the thing that `about` names is now; None when it is nowhere. `why_not`: why it cannot be put
        elsewhere, `tip` what that would do."""
        new = place is None or self._shown is None or about != self._about
        if new:
            self._wrong = ""
        self._about = about
        self._shown = place
        for field in (self.cell, *self._boxes):
            field.setEnabled(place is not None and not why_not)
            field.setToolTip(plain_lines(why_not or (self._wrong if field is self.cell else "") or TIP))
        self._why_not = why_not or ("" if place is not None else "Select something to move first.")
        self._tip = tip
        if place is None:
            self._empty()
        elif not self._touched or new:
            self._fill(place)
        self._show_buttons()

    def _empty(self) -> None:
        self._touched = False
        for field in (self.cell, *(box.lineEdit() for box in self._boxes)):
            field.clear()

    def _fill(self, place: PlaceValue) -> None:
        self._touched = False
        if self.cell.text() != cell_text(place.cell_id):
            self.cell.setText(cell_text(place.cell_id))
        for box, value in zip(self._boxes, (*place.origin, place.heading), strict=True):
            box.blockSignals(True)
            box.setValue(value)
            box.blockSignals(False)

    @Slot(str)
    def _on_cell_edited(self, text: str) -> None:
        """Take a place that is pasted into the field apart: its numbers go into theirs."""
        self._touch()
        sim = self.document.simulation
        if sim is None or not seems_place(text):
            return
        try:
            written = read_place(text)
            if written.z is None:
                self._show_typed(at_written(sim, written, self.heading.value()))
                return
        except (WorldError, PhysicsError) as error:
            self._say_wrong(str(error))
            return
        heading = self.heading.value() if written.heading is None else written.heading
        origin = (written.x, written.y, written.z - self.sunk)
        self._show_typed(StartPlace(written.cell_id, origin, heading))

    def _show_typed(self, place: StartPlace) -> None:
        self._fill(PlaceValue(place.cell_id, place.origin, place.heading))
        self._touch()

    def _say_wrong(self, why: str) -> None:
        self._wrong = why
        self.cell.setToolTip(plain_lines(why))
        self.document.refused.emit(f"{self.apply_action.text()}: {why}")

    @Slot()
    def _touch(self) -> None:
        self._touched = True
        self._wrong = ""
        self._show_buttons()

    def _show_buttons(self) -> None:
        typed = "" if self._touched else NOTHING_TYPED
        allow(self.apply_action, self._why_not or typed, self._tip)
        allow(self.forget_action, typed, "Show the current place again")

    @Slot()
    def forget(self) -> None:
        """Discard what was typed."""
        self._touched = False
        self._wrong = ""
        self.cell.setToolTip(plain_lines(self._why_not or TIP))
        if self._shown is not None:
            self._fill(self._shown)
        self._show_buttons()

    @Slot()
    def apply(self) -> None:
        """Ask for the place, if one was typed; a cell id that is none is refused and marked instead."""
        for box in self._boxes:
            box.interpretText()
        if not self.apply_action.isEnabled():
            return
        try:
            text = self.cell.text()
            cell_id = read_place(text).cell_id if seems_place(text) else parse_cell_id(text)
        except WorldError as error:
            self._say_wrong(str(error))
            self.cell.setFocus()
            self.cell.selectAll()
            return
        self.cell.setToolTip(TIP)
        x, y, z = (box.value() for box in self.numbers.values())
        heading = self.heading.value()
        shown = self._shown
        if shown is not None:  # a number that was not touched counts at full precision
            x, y, z = (was if round(was, 3) == now else now for was, now in zip(shown.origin, (x, y, z), strict=True))
            heading = shown.heading if round(shown.heading, 2) == heading else heading
        self._touched = False
        self.placed.emit(PlaceValue(cell_id, (x, y, z), heading))
