"""Labels of several lines, whose text may be selected."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from editor.process.plain_text import plain_lines
from ui.theme.theme import EDGE, GROUP

LONGEST: Final = 24


def words(name: str, parent: QWidget, edge: int = EDGE) -> QLabel:
    """It wraps, and asks for no width."""
    label = QLabel(parent)
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    label.setContentsMargins(edge, 0, edge, GROUP)
    return label


def shortened(name: str) -> str:
    """A name for a button: files may have long ones."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def show_text(label: QLabel, text: str) -> None:
    """Hidden while there is none. The same text again would take away the selection in it."""
    if label.text() != plain_lines(text):
        label.setText(plain_lines(text))
    label.setVisible(bool(text))
