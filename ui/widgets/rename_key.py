"""F2 in a list renames what is selected there, as in file managers; elsewhere in the window F2 keeps its meaning."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget


class RenameKey(QObject):
    """Takes F2 from the window's shortcuts while the focus is in a widget."""

    pressed = Signal()

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.key() != Qt.Key.Key_F2 or event.modifiers():
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress:
            self.pressed.emit()
            return True
        return False
