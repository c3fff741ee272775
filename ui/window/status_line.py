"""The status line: source, tick rate, selection, and the last message."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QStatusBar, QWidget

from editor.process.plain_text import plain, plain_lines
from ui.theme.theme import EDGE, Colours

WARNING: Final = "■"
LEAST: Final = 40


class Elided(QLabel):
    """A label that elides its text; the tooltip has all of it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.colour = QColor()

    def minimumSizeHint(self) -> QSize:
        return QSize(min(LEAST, self.sizeHint().width()), super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self.colour.isValid():
            painter.setPen(self.colour)
        box = self.contentsRect()
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, int(self.alignment() | Qt.AlignmentFlag.AlignVCenter), text)
        painter.end()


class StatusLine(QStatusBar):
    """Qt's own message would cover the rest; here it has a place."""

    def __init__(self, colours: Colours, parent: QWidget) -> None:
        super().__init__(parent)
        self._colours = colours
        self.setWhatsThis(
            "What is open, the landblock in view, which core runs, how fast time passes and what is selected; at the "
            "right what was just done, or what lies under the mouse."
        )
        self.source = self.add("source", "Open source")
        self.block = self.add("landblock", "The landblock in view")
        self.core = self.add("core", "Compiled or interpreted core of the engine")
        self.rate = self.add("tick-rate", "Tick rate")
        self.selection = self.add("selection", "Selection")
        self.followed = self.add("followed", "The live capture that is followed")
        self.followed.hide()
        self.hint = Elided(self)
        self.hint.setObjectName("hint")
        self.hint.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.hint.setContentsMargins(EDGE, 0, EDGE, 0)
        self.addWidget(self.hint, 1)
        self.setSizeGripEnabled(False)
        self._over = QTimer(self)
        self._over.setSingleShot(True)
        self._over.timeout.connect(self.clearMessage)

    def add(self, name: str, tip: str) -> Elided:
        label = Elided(self)
        label.setObjectName(name)
        label.setToolTip(plain_lines(tip))
        label.setContentsMargins(EDGE, 0, EDGE, 0)
        self.addWidget(label)
        return label

    def set_colours(self, colours: Colours) -> None:
        self._colours = colours
        self.showMessage(self.hint.text())

    def showMessage(self, text: str, milliseconds: int | None = 0) -> None:
        """Say something until something else is said, or for a time."""
        text = plain(text)
        warning = text.startswith(WARNING)
        self.hint.colour = QColor(self._colours.fault if warning else self._colours.text)
        self.hint.setText(text)
        self.hint.setToolTip(text)
        self._over.stop()
        if milliseconds:
            self._over.start(milliseconds)

    def currentMessage(self) -> str:
        return self.hint.text()

    def clearMessage(self) -> None:
        self.showMessage("")
