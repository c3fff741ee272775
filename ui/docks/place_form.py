"""A place as numbers to type: cell, position, heading. Nothing moves until Enter or the button."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLineEdit, QPushButton, QWidget

from engine.geometry.vec import Vec3
from engine.world.cells.ids import cell_text, parse_cell_id
from engine.world.faults import WorldError
from ui.docks.parts import dim_label, number_box
from ui.theme import BETWEEN, EDGE, GROUP, mono_font

FARTHEST = 1000.0
"""Metres; rooms of dungeons lie outside their landblock's square."""


@dataclass(frozen=True)
class Place:
    """A cell, a position in its landblock, and a compass heading."""

    cell_id: int
    origin: Vec3
    heading: float


class PlaceForm(QWidget):
    """Shows where something is until a number is typed; then keeps what was typed until it is applied or dropped."""

    placed = Signal(object)

    def __init__(self, name: str, verb: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"{name}-place")
        self._shown: Place | None = None
        self._touched = False
        self.cell = QLineEdit(self)
        self.cell.setObjectName(f"{name}-cell")
        self.cell.setFont(mono_font())
        self.cell.setMinimumWidth(96)
        self.cell.textEdited.connect(self._touch)
        self.cell.returnPressed.connect(self.apply)
        self.numbers = {
            axis: number_box(self, f"{name}-{axis}", -FARTHEST, FARTHEST, 3, 0.1) for axis in ("x", "y", "z")
        }
        self.heading = number_box(self, f"{name}-heading", -360.0, 360.0, 2, 15.0)
        self.heading.setWrapping(True)
        boxes = [*self.numbers.values(), self.heading]
        for box in boxes:
            box.valueChanged.connect(self._touch)
            box.lineEdit().textEdited.connect(self._touch)
            box.lineEdit().returnPressed.connect(self.apply)
        self.button = QPushButton(verb, self)
        self.button.setObjectName(f"{name}-apply")
        self.button.clicked.connect(self.apply)
        self.reset = QPushButton("Drop Changes", self)
        self.reset.clicked.connect(self.forget)
        grid = QGridLayout(self)
        grid.setContentsMargins(EDGE, BETWEEN, EDGE, BETWEEN)
        grid.setHorizontalSpacing(BETWEEN)
        grid.setVerticalSpacing(GROUP)
        fields: list[tuple[str, QWidget]] = [("Cell", self.cell), *self.numbers.items(), ("Heading", self.heading)]
        for row, (label, field) in enumerate(fields):
            grid.addWidget(dim_label(label, self, field), row, 0)
            grid.addWidget(field, row, 1)
        grid.addWidget(self.button, 0, 2)
        grid.addWidget(self.reset, 1, 2)
        grid.setColumnStretch(3, 1)
        grid.setRowStretch(5, 1)
        self.show_place(None)

    def show_place(self, place: Place | None) -> None:
        """Where the thing is now; None when it is nowhere."""
        new = place is None or self._shown is None
        self._shown = place
        self.setEnabled(place is not None)
        if place is not None and (not self._touched or new):
            self._fill(place)
        self._show_buttons()

    def _fill(self, place: Place) -> None:
        self._touched = False
        if self.cell.text() != cell_text(place.cell_id):
            self.cell.setText(cell_text(place.cell_id))
        for box, value in zip([*self.numbers.values(), self.heading], (*place.origin, place.heading), strict=True):
            box.blockSignals(True)
            box.setValue(value)
            box.blockSignals(False)

    @Slot()
    def _touch(self) -> None:
        self._touched = True
        self._show_buttons()

    def _show_buttons(self) -> None:
        self.reset.setEnabled(self._touched)
        self.reset.setToolTip("Show where it is again" if self._touched else "Nothing was typed")

    @Slot()
    def forget(self) -> None:
        """What was typed is dropped."""
        if self._shown is not None:
            self._fill(self._shown)
        self._show_buttons()

    @Slot()
    def apply(self) -> None:
        """Ask for the place; a cell id that is none is marked instead."""
        for box in (*self.numbers.values(), self.heading):
            box.interpretText()
        try:
            cell_id = parse_cell_id(self.cell.text())
        except WorldError as error:
            self.cell.setToolTip(str(error))
            self.cell.setFocus()
            self.cell.selectAll()
            return
        self.cell.setToolTip("")
        x, y, z = (box.value() for box in self.numbers.values())
        heading = self.heading.value()
        shown = self._shown
        if shown is not None:  # a number that was not touched counts at full precision
            x, y, z = (was if round(was, 3) == now else now for was, now in zip(shown.origin, (x, y, z), strict=True))
            heading = shown.heading if round(shown.heading, 2) == heading else heading
        self._touched = False
        self.placed.emit(Place(cell_id, (x, y, z), heading))
