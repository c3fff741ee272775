"""The map with its bar: the choice of storey and the legend."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QWidget

from editor.maps.landblock_plan import Plan
from editor.process.plain_text import plain, plain_lines
from ui.map.landblock_map import MapView
from ui.theme.theme import BETWEEN, Colours


class MapPanel(QWidget):
    """The bar over the map, and the `map` itself, which the window places separately."""

    def __init__(self, colours: Colours, parent: QWidget) -> None:
        super().__init__(parent)
        self.map = MapView(colours, parent)
        self.storeys = chooser(self, "storeys", "Storey", "Show one storey clearly and the others faintly")
        self.legend = QLabel(self)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.legend.setWordWrap(True)
        self.legend.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        bar = QHBoxLayout(self)
        bar.setContentsMargins(0, 0, 0, 0)
        bar.setSpacing(BETWEEN)
        bar.addWidget(QLabel("Storey", self))
        bar.addWidget(self.storeys)
        bar.addWidget(self.legend, 1)
        self.storeys.currentIndexChanged.connect(self._on_storey)
        self._waiting: Callable[[], Plan] | None = None
        self.map.shown.connect(self._show_waiting)
        self.set_colours(colours)

    def set_colours(self, colours: Colours) -> None:
        self.map.set_colours(colours)
        parts = (
            (colours.interior_portal, "▬", "doorway"),
            (colours.exit_portal, "▬", "exit"),
            (colours.building_portal, "═", "building portal"),
            (colours.stab, "■", "in the stab list"),
            (colours.fault, "▨", "fault"),
        )
        entries = (
            f'<span style="color:{colour}">{sign}</span> <span style="color:{colours.dim}">{word}</span>'
            for colour, sign, word in parts
        )
        self.legend.setText("&nbsp; ".join(f"<nobr>{entry}</nobr>" for entry in entries))

    def show_plan_of(self, make: Callable[[], Plan]) -> None:
        """Show another landblock's plan; it is built once the map is visible."""
        self._waiting = make
        if self.map.isVisible():
            self._show_waiting()
        else:
            self.map.set_plan(None)

    @Slot()
    def _show_waiting(self) -> None:
        if self._waiting is not None:
            make, self._waiting = self._waiting, None
            self.show_plan(make())

    def forget_plan(self) -> None:
        """Clear the map: no landblock is in view."""
        self._waiting = None
        self.map.set_plan(None)

    def show_plan(self, plan: Plan) -> None:
        self.storeys.blockSignals(True)
        self.storeys.clear()
        self.storeys.addItem("all", -1)
        for number, low in enumerate(plan.storeys):
            self.storeys.addItem(f"z {low:.2f}", number)
        self.storeys.setEnabled(len(plan.storeys) > 1)
        self.storeys.blockSignals(False)
        self.map.set_plan(plan)

    @Slot(int)
    def _on_storey(self, index: int) -> None:
        storey = self.storeys.itemData(index)
        if storey is not None:
            self.map.set_storey(int(storey))


def chooser(parent: QWidget, name: str, title: str, tip: str) -> QComboBox:
    """A combo box as wide as its entries."""
    box = QComboBox(parent)
    box.setObjectName(name)
    box.setAccessibleName(plain(title))
    box.setToolTip(plain_lines(tip))
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)  # in a narrow window the legend shrinks
    return box
