"""The dialog in which another body is described: the numbers that the second run's player has."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QVBoxLayout, QWidget

from editor.models.player import NUMBER_LABELS
from editor.process.plain_text import plain, plain_lines
from engine.entities.player import Player
from ui.docks.parts import NumberBox, number_box
from ui.theme.theme import BETWEEN, EDGE

ABOUT = "The same keys run a second time with these numbers. Those that you leave as they are stay the run's own."
NONE_CHANGED = "Change a number first."


class BodyDialog(QDialog):
    """Begins with the player's own numbers."""

    chosen = Signal(object)
    """The numbers that are not the player's own, as names with values."""

    def __init__(self, player: Player, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("compare-body-dialog")
        self.setWindowTitle("Compare with Another Body")
        self._own = {name: player.number(name) for name in NUMBER_LABELS}
        self.boxes: dict[str, NumberBox] = {}
        form = QFormLayout()
        for name, label in NUMBER_LABELS.items():
            box = number_box(self, f"compare-{name}", 0.0, 99999.0)
            box.setValue(self._own[name])
            box.setAccessibleName(plain(label))
            box.setKeyboardTracking(True)
            box.valueChanged.connect(self._allow)
            form.addRow(plain(label), box)
            self.boxes[name] = box
        word = QLabel(plain_lines(ABOUT), self)
        word.setWordWrap(True)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, parent=self
        )
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.ok.setText("Compare")
        self.ok.setObjectName("compare-body-ok")
        buttons.accepted.connect(self._on_accepted)
        buttons.rejected.connect(self.reject)
        self.finished.connect(self.deleteLater)
        box_ = QVBoxLayout(self)
        box_.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        box_.setSpacing(BETWEEN)
        box_.addWidget(word)
        box_.addLayout(form)
        box_.addWidget(buttons)
        self._allow()

    @property
    def numbers(self) -> list[tuple[str, float]]:
        """The numbers that were changed; a box has three places, the player more."""
        return [(name, box.value()) for name, box in self.boxes.items() if abs(box.value() - self._own[name]) >= 0.0005]

    @Slot()
    def _allow(self) -> None:
        self.ok.setEnabled(bool(self.numbers))
        self.ok.setToolTip("" if self.numbers else NONE_CHANGED)

    @Slot()
    def _on_accepted(self) -> None:
        numbers = self.numbers
        self.accept()
        self.chosen.emit(numbers)
