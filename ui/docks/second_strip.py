"""The strip at the top of a dock that shows the second of two runs, with the way back to the first."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from editor.document.document import Document
from editor.process.plain_text import plain
from ui.theme.theme import BETWEEN, EDGE, GROUP

BACK_TIP: Final = "Show the run that you walk"


class SecondStrip(QWidget):
    """Hidden while the first run is shown."""

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self.document = document
        self.setObjectName("second-strip")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.label = QLabel(self)
        self.label.setObjectName("second-strip-label")
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setWordWrap(True)
        self.back = QToolButton(self)
        self.back.setObjectName("second-strip-back")
        self.back.setToolTip(BACK_TIP)
        self.back.clicked.connect(self._go_back)
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE, GROUP, EDGE, GROUP)
        row.setSpacing(BETWEEN)
        row.addWidget(self.label, 1)
        row.addWidget(self.back)
        self.hide()

    def refresh(self) -> None:
        beside = self.document.beside
        if beside is None or not self.document.shows_second:
            self.hide()
            return
        first, second = beside.names
        what = "not compared up to this tick" if self.document.seen is None else "the second run, read-only"
        self.label.setText(plain(f"◇ {second}: {what}"))
        self.back.setText(plain(f"Show {first}"))
        self.show()

    @Slot()
    def _go_back(self) -> None:
        if self.document.beside is not None:
            self.document.beside.shows_second = False
