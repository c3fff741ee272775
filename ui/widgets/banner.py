"""The banner above the window's content: one sentence on progress or a failure, with its details folded."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QToolButton, QVBoxLayout, QWidget

from editor.process.plain_text import plain, visible_lines
from ui.theme.icons import set_icon
from ui.theme.theme import BETWEEN, EDGE, GROUP, Colours, mono_font

LEAST_LINES: Final = 4
DETAIL_LINES: Final = 8
"""Lines shown at once; further ones scroll."""
SIGN: Final = "■ "


class Banner(QWidget):
    """Hides once answered. `offer` is a remedy for the warning, as a button."""

    warned = Signal(str, str)
    """A warning is on show: its sentence and its details."""

    def __init__(self, colours: Colours, parent: QWidget) -> None:
        super().__init__(parent)
        self._colours = colours
        self._warns = False
        self.label = QLabel(self)
        self.label.setWordWrap(True)
        self.label.setObjectName("banner")
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.offered = self._button("banner-offer")
        self.offered.setToolTip("Remedy")
        self.fold = self._button("banner-fold")
        self.fold.setText("Details")
        self.fold.setCheckable(True)
        self.fold.setArrowType(Qt.ArrowType.RightArrow)
        self.fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.fold.setToolTip("Show where exactly, and what was found")
        self.fold.toggled.connect(self._unfold)
        self.copy = self._button("banner-copy")
        self.copy.setText("Copy")
        self.copy.setToolTip("Copy the sentence and its details")
        self.copy.clicked.connect(self.copy_all)
        close = self._button("banner-close")
        close.setAccessibleName("Dismiss")
        set_icon(close, "close", colours)
        close.setAutoRaise(True)
        close.setToolTip("Dismiss")
        close.clicked.connect(self.hide)
        self.details = QPlainTextEdit(self)
        self.details.setObjectName("banner-details")
        self.details.setAccessibleName("Details")
        self.details.setReadOnly(True)
        self.details.setFont(mono_font())
        self.details.setTabChangesFocus(True)
        row = QHBoxLayout()
        row.setSpacing(BETWEEN)
        row.addWidget(self.label, 1)
        row.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        below = QHBoxLayout()  # leaves the sentence the whole width, also in a narrow window
        below.setSpacing(BETWEEN)
        for button in (self.offered, self.fold, self.copy):
            below.addWidget(button)
        below.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(EDGE, BETWEEN, EDGE, BETWEEN)
        box.setSpacing(GROUP)
        box.addLayout(row)
        box.addLayout(below)
        box.addWidget(self.details)
        self.hide()

    def _button(self, name: str) -> QToolButton:
        made = QToolButton(self)
        made.setObjectName(name)
        return made

    def say(self, text: str) -> None:
        self._show(text, "", None, warns=False)

    def warn(self, sentence: str, details: str = "", offer: QAction | None = None) -> None:
        self._show(sentence, details, offer, warns=True)
        self.warned.emit(sentence, details)

    def set_colours(self, colours: Colours) -> None:
        self._colours = colours
        self._colour()

    def _colour(self) -> None:
        self.label.setStyleSheet(f"color: {self._colours.fault};" if self._warns else "")

    def _show(self, sentence: str, details: str, offer: QAction | None, *, warns: bool) -> None:
        self._warns = warns
        self._colour()
        self.label.setText(plain(sentence))
        self.fold.setChecked(False)
        self._unfold(False)
        self.fold.setVisible(bool(details))
        self.copy.setVisible(bool(details))
        self.details.setPlainText(visible_lines(details))
        lines = min(max(details.count("\n") + 1, LEAST_LINES), DETAIL_LINES)
        self.details.setFixedHeight(lines * self.details.fontMetrics().lineSpacing() + 3 * GROUP)
        for action in self.offered.actions():
            self.offered.removeAction(action)
        self.offered.setVisible(offer is not None)
        if offer is not None:
            self.offered.setDefaultAction(offer)
            modes = QToolButton.ToolButtonPopupMode
            self.offered.setPopupMode(modes.DelayedPopup if offer.menu() is None else modes.InstantPopup)
            self.offered.style().polish(self.offered)  # the mode makes room for the arrow
        self.show()

    @Slot(bool)
    def _unfold(self, unfolded: bool) -> None:
        self.fold.setArrowType(Qt.ArrowType.DownArrow if unfolded else Qt.ArrowType.RightArrow)
        self.details.setVisible(unfolded)

    @property
    def text(self) -> str:
        """The sentence without its sign."""
        return self.label.text().removeprefix(SIGN)

    @Slot()
    def copy_all(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(filter(None, (self.text, self.details.toPlainText()))))
