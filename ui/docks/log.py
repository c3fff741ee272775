"""Log: everything that was said, with its tick, to search, to copy and to read in full."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QSplitter, QWidget

from editor.document.document import Document
from editor.models.log import KINDS, SIGNS, Log, LogTable
from editor.process.plain_text import visible_lines
from ui.docks.panel import LivePanel, is_seen
from ui.docks.parts import action, allow, bar, button, column, dim_label
from ui.docks.table import LiveView
from ui.theme.theme import mono_font

EMPTY: Final = "No messages yet. Edits, refusals and errors appear here."
NO_MATCH: Final = "No message contains this text."
TIME: Final = 0
NARROW: Final = 640
"""Pixels under which the time by the clock gives way."""

PAUSE_MS: Final = 100
"""Messages within this time are shown together."""


class LogPanel(LivePanel):
    """The entries, the newest at the bottom, and the details of the current one beside them."""

    about = (
        "Everything that was done, refused or failed, with the latest tick at that time. Filter it by kind or by "
        "text; a row that ends in … has details, shown beside it. Copying gives tab-separated text."
    )
    badge_changed = Signal(str)
    """How many faults, errors and warnings have come since the dock was seen last."""

    def __init__(self, document: Document, log: Log, parent: QWidget | None = None) -> None:
        super().__init__(document, "log-panel", parent)
        self.log = log
        self._seen = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self._on_changed)
        self.model = LogTable(log, self)
        self.view = LiveView(self.model, "log", "Messages", EMPTY, self)
        self.view.horizontalHeader().setResizeContentsPrecision(0)
        self.views.append(self.view)
        self.kinds = QComboBox(self)
        self.kinds.setObjectName("log-kinds")
        self.kinds.setAccessibleName("Kind of message to show")
        self.kinds.addItem("Everything", "")
        for kind in KINDS:
            self.kinds.addItem(f"{SIGNS[kind]} {kind}", kind)
        self.words = QLineEdit(self)
        self.words.setObjectName("log-words")
        self.words.setPlaceholderText("Search")
        self.words.setAccessibleName("Show only messages that contain this text")
        self.words.setClearButtonEnabled(True)
        self.words.setMaximumWidth(220)
        self.count = dim_label("", self)
        self.count.setObjectName("log-count")
        self.find_action = action(self, "Find in Log", self._find, "Ctrl+Shift+F", "log-find")
        self.copy_action = action(self, "Copy the Log", self.copy_all, name="log-copy")
        self.copy_action.setIconText("Copy All")
        self.clear_action = action(self, "Clear the Log", self.clear, name="log-clear")
        self.clear_action.setIconText("Clear")
        self.details = QPlainTextEdit(self)
        self.details.setObjectName("log-details")
        self.details.setAccessibleName("Details of the entry")
        self.details.setReadOnly(True)
        self.details.setFont(mono_font())
        self.details.hide()
        splitter = QSplitter(self)
        splitter.addWidget(self.view)
        splitter.addWidget(self.details)
        splitter.setSizes([560, 300])
        splitter.setChildrenCollapsible(False)
        box = column(self)
        top = bar(self.kinds, self.words, self.count)
        top.addWidget(button(self.copy_action, self))
        top.addWidget(button(self.clear_action, self))
        box.addLayout(top)
        box.addWidget(splitter, 1)
        self.kinds.currentIndexChanged.connect(self._on_filter)
        self.words.textChanged.connect(self._on_filter)
        self.view.key_changed.connect(self._show_details)
        log.changed.connect(self._on_said)
        self._show_count()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow dock the time column gives way to the message."""
        super().resizeEvent(event)
        self.view.setColumnHidden(TIME, self.width() < NARROW)

    @Slot()
    def _on_said(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _on_changed(self) -> None:
        super()._on_changed()
        if not is_seen(self):
            self._show_unread(max(self.log.troubles - self._seen, 0))

    def _show_unread(self, count: int) -> None:
        """Show the count of unread faults in the title."""
        self.badge_changed.emit(f"■ {count}" if count else "")

    def _prepare(self) -> None:
        """Listing the commands of the log does not make its entries read."""
        self.model.read()
        self._show_count()

    def refresh(self) -> None:
        bottom = self.view.verticalScrollBar()
        follows = bottom.value() == bottom.maximum()
        self.model.read()
        if follows:
            self.view.scrollToBottom()
        if self._seen != self.log.troubles:
            self._seen = self.log.troubles
        self._show_unread(0)
        self._show_count()

    @Slot()
    def _on_filter(self) -> None:
        self.view.empty = NO_MATCH if self.log.entries else EMPTY
        self.view.scrollToTop()  # or Qt measures every row for the width of the columns
        self.model.choose(str(self.kinds.currentData() or ""), self.words.text())
        self.view.scrollToBottom()
        self._show_count()

    def _show_count(self) -> None:
        shown, there = len(self.model.rows), len(self.log.entries)
        self.count.setText(f"{shown:,} of {there:,}" if shown != there else entries_text(there))
        allow(
            self.copy_action, "" if shown else "No messages are shown.", "Copy the shown messages as tab-separated text"
        )
        allow(self.clear_action, "" if there else "The log is empty.", "Remove all messages")

    @Slot()
    def _show_details(self) -> None:
        entry = self.model.entry_of(self.view.key)
        text = "" if entry is None or not entry.details else f"{entry.text}\n\n{entry.details}"
        self.details.setVisible(bool(text))
        if visible_lines(text) != self.details.toPlainText():
            self.details.setPlainText(visible_lines(text))

    # --- what can be done

    def _find(self) -> None:
        self.words.setFocus()
        self.words.selectAll()

    def copy_all(self) -> None:
        """All that is listed, as tab-separated text."""
        self.view.clearSelection()
        self.view.copy_rows()

    def clear(self) -> None:
        self.log.clear()
        self._seen = 0
        self.refresh()
        self._show_details()


def entries_text(count: int) -> str:
    return f"{count:,} {'entry' if count == 1 else 'entries'}" if count else ""
