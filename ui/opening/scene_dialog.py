"""Dialog to choose one of a file's scenes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from editor.models.text_search import folded
from editor.process.plain_text import plain, title_text
from ui.theme.theme import BETWEEN, EDGE


class OpenScene(QDialog):
    """`chosen` carries the scene's name. Closing the dialog chooses nothing."""

    chosen = Signal(str)

    def __init__(self, names: Sequence[str], title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("open-scene")
        self.setWindowTitle(title_text(f"Open Scene – {title}"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(QSize(420, 480))
        self.word = QLabel(plain(f"{title} holds {len(names):,} scenes."), self)
        self.search = QLineEdit(self)
        self.search.setObjectName("scene-search")
        self.search.setAccessibleName("Search for a scene")
        self.search.setPlaceholderText("Search names")
        self.search.setClearButtonEnabled(True)
        self.list = QListWidget(self)
        self.list.setObjectName("scenes")
        self.list.setAccessibleName("Scenes")
        self._names = list(names)
        self.list.addItems([plain(name) for name in names])
        self.list.setCurrentRow(0)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.open_button = QPushButton("Open", self)
        self.open_button.setObjectName("scene-open")
        self.open_button.setDefault(True)
        self.buttons.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        box = QVBoxLayout(self)
        box.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        box.setSpacing(BETWEEN)
        for widget in (self.word, self.search, self.list, self.buttons):
            box.addWidget(widget)
        self.search.textChanged.connect(self._search)
        self.list.itemActivated.connect(self.accept)
        self.list.currentRowChanged.connect(self._on_row)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.list.setFocus()

    @Slot(str)
    def _search(self, text: str) -> None:
        """Keep only the names that contain the text, and select the first."""
        wanted = folded(text.strip())
        first = -1
        for row in range(self.list.count()):
            hidden = wanted not in folded(self.list.item(row).text())
            self.list.item(row).setHidden(hidden)
            if first < 0 and not hidden:
                first = row
        self.list.setCurrentRow(first)

    @Slot(int)
    def _on_row(self, row: int) -> None:
        self.open_button.setEnabled(row >= 0)

    @Slot()
    def accept(self) -> None:
        item = self.list.currentItem()
        if item is not None and not item.isHidden():
            self.chosen.emit(self._names[self.list.currentRow()])
            super().accept()
