"""The middle of the window: the map, what chooses landblock and storey over it, the legend, and the banner."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from editor.plan import Plan
from ui.map_view import MapView
from ui.theme import BETWEEN, EDGE, Colours, mono_font


class MapPanel(QWidget):
    """Shows a plan; the storey is chosen here, everything else by the window."""

    def __init__(self, colours: Colours, parent: QWidget) -> None:
        super().__init__(parent)
        self.map = MapView(colours, self)
        self.storeys = _chooser(self, "storeys", "Storey", "Show one storey clearly and the others faintly")
        self.blocks = _chooser(self, "landblocks", "Landblock", "The landblock on the map")
        self.blocks.setFont(mono_font())
        self.legend = QLabel(self)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.legend.setWordWrap(True)
        self.legend.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.banner = Banner(colours, self)
        bar = QHBoxLayout()
        bar.setContentsMargins(EDGE, BETWEEN, EDGE, BETWEEN)
        bar.setSpacing(BETWEEN)
        for widget in (QLabel("Landblock"), self.blocks, QLabel("Storey"), self.storeys):
            bar.addWidget(widget)
        bar.addWidget(self.legend, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(bar)
        box.addWidget(self.banner)
        box.addWidget(self.map, 1)
        self.storeys.currentIndexChanged.connect(self._on_storey)
        self.set_colours(colours)

    def set_colours(self, colours: Colours) -> None:
        self.map.set_colours(colours)
        self.banner.colours = colours
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
        self.legend.setText("&nbsp;&nbsp; ".join(f"<nobr>{entry}</nobr>" for entry in entries))

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


def _chooser(parent: QWidget, name: str, title: str, tip: str) -> QComboBox:
    box = QComboBox(parent)
    box.setObjectName(name)
    box.setAccessibleName(title)
    box.setToolTip(tip)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)  # where it gets narrow the legend gives way
    return box


class Banner(QWidget):
    """One line over the map: what is going on, or what went wrong and what to do. It goes when it is answered."""

    def __init__(self, colours: Colours, parent: QWidget) -> None:
        super().__init__(parent)
        self.colours = colours
        self.label = QLabel(self)
        self.label.setWordWrap(True)
        self.label.setObjectName("banner")
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        close = QToolButton(self)
        close.setText("✕")
        close.setAutoRaise(True)
        close.setToolTip("Dismiss")
        close.clicked.connect(self.hide)
        box = QHBoxLayout(self)
        box.setContentsMargins(EDGE, BETWEEN, EDGE, BETWEEN)
        box.addWidget(self.label, 1)
        box.addWidget(close)
        self.hide()

    def say(self, text: str) -> None:
        self.label.setStyleSheet("")
        self.label.setText(text)
        self.show()

    def warn(self, text: str) -> None:
        self.label.setStyleSheet(f"color: {self.colours.fault};")
        self.label.setText(text)
        self.show()
