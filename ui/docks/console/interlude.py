"""Lets the window paint while code runs in its thread, with nothing to use but Stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

AT_MOST_MS: Final = 20
KEYS: Final = (QEvent.Type.KeyPress, QEvent.Type.KeyRelease, QEvent.Type.ShortcutOverride, QEvent.Type.Shortcut)
BARRED: Final = (
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonRelease,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.Wheel,
    QEvent.Type.TouchBegin,
    QEvent.Type.TouchUpdate,
    QEvent.Type.TouchEnd,
    QEvent.Type.ContextMenu,
    QEvent.Type.DragEnter,
    QEvent.Type.DragMove,
    QEvent.Type.Drop,
    QEvent.Type.InputMethod,
)
"""What would change something, or begin another run, in the middle of this one."""


class Interlude(QObject):
    """While it is on, input reaches nobody but `open_to`, the timers of `waiting` wait, and Esc or Ctrl+C calls `stop`,
    as closing the window does."""

    def __init__(
        self, open_to: QWidget, waiting: tuple[type[QObject], ...], stop: Callable[[], object], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._open_to = open_to
        self._waiting = waiting
        self._stop = stop
        self._is_on = False

    def take(self) -> None:
        """Let the window do what waits, for a moment."""
        application = QApplication.instance()
        if application is None or self._is_on:
            return
        self._is_on = True
        application.installEventFilter(self)
        try:
            application.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, AT_MOST_MS)
        finally:
            application.removeEventFilter(self)
            self._is_on = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.Timer:
            return isinstance(watched, QTimer) and isinstance(watched.parent(), self._waiting)  # it fires afterwards
        if kind in KEYS:
            self._on_key(event)
            return True
        if kind == QEvent.Type.Close and isinstance(watched, QMainWindow):
            self._stop()
        elif kind not in BARRED or not watched.isWidgetType() or watched is self._open_to:
            return False  # what reaches a window of the system goes on to its widgets
        event.ignore()
        return True

    def _on_key(self, event: QEvent) -> None:
        event.accept()  # an override that is accepted is no shortcut
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return
        if event.key() == Qt.Key.Key_Escape or event.matches(QKeySequence.StandardKey.Copy):
            self._stop()
