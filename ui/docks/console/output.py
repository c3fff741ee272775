"""What the console has written: inputs, output, results and errors as plain text, each in its colour."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from editor.process.plain_text import visible_output
from ui.theme.theme import DARK, Colours, mono_font

MOST_LINES: Final = 5_000
LONGEST_LINE: Final = 2_000
"""Characters after which a line is broken, or laying it out takes too long."""
KIND: Final = int(QTextCharFormat.Property.UserProperty) + 1
INPUT: Final = "input"
ERROR: Final = "error"
HINT: Final = (
    "document.player.cell                    where the player is; Tab completes, Enter runs\n"
    'document.doors["Front Door"].open()     Ctrl+Z undoes it; help() tells more'
)


class ConsoleOutput(QPlainTextEdit):
    """Read only; a long session loses its oldest lines."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._colours = DARK
        self.setObjectName("console-output")
        self.setAccessibleName("Output of the console")
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setMaximumBlockCount(MOST_LINES)
        self.setFont(mono_font())
        self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.setPlaceholderText(HINT)

    def add(self, kind: str, text: str) -> None:
        """Write at the end, and show it unless an earlier place is being read."""
        bar = self.verticalScrollBar()
        follows = bar.value() == bar.maximum()
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(_broken(visible_output(text)), self._format(kind))
        if follows:
            self.show_end()

    def show_end(self) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())

    def end_line(self) -> None:
        """What is written next begins a line."""
        if self.document().lastBlock().length() > 1:
            self.add(INPUT, "\n")

    def set_colours(self, colours: Colours) -> None:
        self._colours = colours
        block = self.document().firstBlock()
        while block.isValid():
            pieces = block.begin()
            while not pieces.atEnd():
                piece = pieces.fragment()
                cursor = QTextCursor(self.document())
                cursor.setPosition(piece.position())
                cursor.setPosition(piece.position() + piece.length(), QTextCursor.MoveMode.KeepAnchor)
                cursor.setCharFormat(self._format(str(piece.charFormat().property(KIND) or "")))
                pieces += 1
            block = block.next()

    def _format(self, kind: str) -> QTextCharFormat:
        made = QTextCharFormat()
        colours = {INPUT: self._colours.accent, ERROR: self._colours.fault}
        made.setForeground(QColor(colours.get(kind, self._colours.text)))
        made.setProperty(KIND, kind)
        return made


def _broken(text: str) -> str:
    """Long lines in several, and of very many lines the last ones."""
    if text.count("\n") > MOST_LINES:
        text = "\n".join(text.split("\n")[-MOST_LINES:])
    if len(text) <= LONGEST_LINE:
        return text
    lines = (line[at : at + LONGEST_LINE] for line in text.split("\n") for at in range(0, len(line) or 1, LONGEST_LINE))
    return "\n".join(lines)
