"""Capture: the moves of a capture, how each differs from its replay, and the sweep of each."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QLabel, QPlainTextEdit, QSizePolicy, QSplitter, QToolButton, QWidget

from editor.document.document import Document
from editor.models.capture import COLUMNS, Moves
from editor.models.live_table import LiveTable
from editor.process.plain_text import plain_lines, visible_lines
from engine.sim.edits.player import Teleport
from ui.docks.panel import LivePanel
from ui.docks.parts import action, allow, bar, button, column
from ui.docks.table import LiveView
from ui.theme.theme import EDGE, GROUP, mono_font

EMPTY: Final = (
    "Open a capture (Ctrl+O), or follow one that a client is writing (File › Live Capture): its moves are replayed in "
    "the open world and listed here."
)
NO_CAPTURE: Final = "Open a capture first."
ALL_AGREE: Final = "Every move replays as recorded."
NOTHING_CHOSEN: Final = "Choose a move first."


class FleetingButton(QToolButton):
    """A button that is there while its command can be given."""

    def __init__(self, action: QAction, parent: QWidget) -> None:
        super().__init__(parent)
        self.setDefaultAction(action)
        self.setObjectName(f"{action.objectName()}-button")
        action.enabledChanged.connect(self.setVisible)
        self.setVisible(action.isEnabled())


class CapturePanel(LivePanel):
    """The moves above, the chosen one in full below."""

    about = (
        "The moves of a capture, replayed in a fresh copy of the open world, with everything as it was at the start. "
        "Select a move to read what differs, and to inspect it in Sweep and in the 3D view. A difference is not always "
        "an error of this program: the capture itself may be wrong."
    )
    lent = Signal(str, object)
    """A title and the sweeps of a move."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "capture-panel", parent)
        self.capture: Moves | None = None
        self._lent = -1
        self.summary = QLabel(self)
        self.summary.setObjectName("capture-summary")
        self.summary.setWordWrap(True)
        self.summary.setTextFormat(Qt.TextFormat.PlainText)
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.only = QCheckBox("Only what differs", self)
        self.only.setObjectName("capture-only")
        self.only.toggled.connect(self._fill)
        self.table = LiveTable(COLUMNS, self)
        self.view = self.add_view(LiveView(self.table, "capture-moves", "Moves of the capture", EMPTY, self))
        self.view.acted.connect(self._on_acted)
        self.view.key_changed.connect(self._on_move)
        self.inspect_action = action(self, "Inspect Move in Sweep", self.inspect, name="capture-inspect")
        self.inspect_action.setIconText("Inspect")
        self.stand_action = action(self, "Stand Where the Move Begins", self.stand, name="capture-stand")
        self.stand_action.setIconText("Stand There")
        for each in (self.inspect_action, self.stand_action):
            self.view.addAction(each)
        self.detail = QPlainTextEdit(self)
        self.detail.setObjectName("capture-detail")
        self.detail.setAccessibleName("The selected move in full")
        self.detail.setReadOnly(True)
        self.detail.setFont(mono_font())
        self.detail.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.detail.setPlaceholderText("Select a move to read what was recorded and what its replay gives.")
        splitter = QSplitter(Qt.Orientation.Vertical, self)
        splitter.addWidget(self.view)
        splitter.addWidget(self.detail)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        splitter.setChildrenCollapsible(False)
        box = column(self)
        self.bar = bar(self.only, button(self.inspect_action, self), button(self.stand_action, self))
        box.addLayout(self.bar)
        box.addWidget(self.summary)
        self.summary.setContentsMargins(EDGE, 0, EDGE, GROUP)
        box.addWidget(splitter, 1)
        self._fill()

    def offer(self, actions: Sequence[QAction]) -> None:
        """Buttons for commands of the window, seen while they can be given."""
        for each in actions:
            self.bar.addWidget(FleetingButton(each, self))

    def show_capture(self, capture: Moves | None) -> None:
        """Another capture, beginning with the first move that differs."""
        if self.capture is not None and self.capture is not capture:
            self.capture.close()
        self.capture = capture
        self.table.change_columns(COLUMNS if capture is None else capture.columns)
        self.only.blockSignals(True)
        self.only.setChecked(False)
        self.only.blockSignals(False)
        self._fill()
        if capture is None:
            return
        self._lent = -1
        self.view.follow(next(iter(capture.differing), 0) if self.table.rows else None)

    def show_more(self) -> None:
        """More moves have come: the last one stays in sight if it was."""
        slider = self.view.verticalScrollBar()
        at, is_at_end = slider.value(), slider.value() == slider.maximum()
        self._fill(mark=False)
        if is_at_end:
            self.view.scrollToBottom()
        else:
            slider.setValue(at)

    def choose(self, number: int) -> None:
        """Choose a move, and put its sweep on the table."""
        self.view.follow(number)

    @Slot()
    def _fill(self, *, mark: bool = True) -> None:
        capture = self.capture
        self.view.empty = EMPTY if capture is None else ALL_AGREE
        self.table.show([] if capture is None else capture.rows(all_of_them=not self.only.isChecked()), mark=mark)
        self.summary.setText(plain_lines("" if capture is None else capture.summary()))
        self.summary.setVisible(capture is not None)
        why_not = NO_CAPTURE if capture is None else "" if capture.differing else ALL_AGREE
        self.only.setEnabled(not why_not)
        self.only.setToolTip(plain_lines(why_not or "Hide the moves that replay as recorded"))
        self._show()

    @property
    def number(self) -> int:
        """The chosen move, -1 without one."""
        key = self.view.key
        return key if self.capture is not None and isinstance(key, int) else -1

    @Slot()
    def _on_move(self) -> None:
        """Inspect the selected move at once; Sweep shows it while it is visible."""
        self._show()
        if self.number >= 0 and self.number != self._lent:
            self._lent = self.number
            self.inspect()

    @Slot()
    def _show(self) -> None:
        capture, number = self.capture, self.number
        self._show_detail("" if capture is None or number < 0 else capture.text_of(number))
        why_not = NOTHING_CHOSEN if number < 0 else ""
        allow(self.inspect_action, why_not, "Show every step of the move in Sweep and in the 3D view  (Enter)")
        allow(self.stand_action, why_not or self.document.why_not_edit, "Teleport the player to the start of the move")

    def _show_detail(self, text: str) -> None:
        """The same text again would take away the selection in it."""
        if visible_lines(text) != self.detail.toPlainText():
            self.detail.setPlainText(visible_lines(text))

    @Slot(object)
    def _on_acted(self, key: Hashable) -> None:
        self.inspect()

    def inspect(self) -> None:
        capture, number = self.capture, self.number
        if capture is not None and number >= 0:
            self.lent.emit(capture.title_of(number), capture.take_apart(number))

    def stand(self) -> None:
        capture, number = self.capture, self.number
        if capture is not None and number >= 0:
            cell_id, feet, heading = capture.start_of(number)
            self.document.edit("Stand Where the Move Begins", Teleport(cell_id, *feet, heading))

    def refresh(self) -> None:
        """Time may pass or be looked back at: that decides what can be done."""
        self._show()
