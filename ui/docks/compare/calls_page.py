"""The moves of a capture that come out otherwise than recorded, with the rules that would give the recorded answer."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from PySide6.QtCore import QModelIndex, Signal, Slot
from PySide6.QtWidgets import QWidget

from editor.models.compare.calls import CallsWatch
from editor.models.compare.rows import CALLS, call_rows, call_text, rule_lines
from editor.models.live_table import LiveTable
from ui.docks.parts import column
from ui.docks.table import LiveView
from ui.docks.words import show_text, words

AGREE: Final = "Every move comes out as recorded."


class CallsPage(QWidget):
    """A table, and what decides in its current row below it."""

    move_wanted = Signal(int)
    """The number of a move that Capture is to show."""

    def __init__(self, calls: CallsWatch, parent: QWidget) -> None:
        super().__init__(parent)
        self.calls = calls
        self.view = LiveView(LiveTable(CALLS, self), "compare-calls", "Moves that differ", AGREE, self)
        self.view.key_changed.connect(self._show_cause)
        self.view.clicked.connect(self._on_clicked)
        self.view.acted.connect(self._on_acted)
        self.cause = words("compare-call-cause", self)
        box = column(self)
        box.addWidget(self.view, 1)
        box.addWidget(self.cause)

    def refresh(self) -> None:
        is_empty = not self.view.table.rows
        self.view.table.show(call_rows(self.calls), mark=False)
        if is_empty and self.view.table.rows:
            self.view.follow(self.view.table.rows[0].key)
        self._show_cause()

    @Slot()
    def _show_cause(self) -> None:
        number = self.view.key
        if not isinstance(number, int) or not self.calls.is_on:
            show_text(self.cause, "")
            return
        found = call_text(self.calls, number)
        show_text(self.cause, "\n".join([found.head, *(line for rule in found.rules for line in rule_lines(rule))]))

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._on_acted(self.view.key)

    @Slot(object)
    def _on_acted(self, key: Hashable) -> None:
        if isinstance(key, int):
            self.move_wanted.emit(key)
