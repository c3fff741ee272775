"""pytest-qt's robot with the patience of a busy machine, and a note of the mouse buttons that it holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

PATIENCE_MS: Final = 120_000
"""Every wait ends as soon as its condition holds; this is when waiting is given up, at whatever load."""


class PatientBot(QtBot):
    """Waits at least `PATIENCE_MS`. A wait that expects nothing to happen (`raising=False`) keeps its own time."""

    def __init__(self, request: Any) -> None:
        super().__init__(request)
        self.held: list[Qt.MouseButton] = []

    def waitActive(self, widget: Any, *, timeout: int = 0) -> Any:
        return super().waitActive(widget, timeout=max(timeout, PATIENCE_MS))

    def waitExposed(self, widget: Any, *, timeout: int = 0) -> Any:
        return super().waitExposed(widget, timeout=max(timeout, PATIENCE_MS))

    def waitSignal(self, signal: Any, *, timeout: int = 0, raising: bool | None = None, **more: Any) -> Any:
        patience = timeout if raising is False else max(timeout, PATIENCE_MS)
        return super().waitSignal(signal, timeout=patience, raising=raising, **more)

    def waitSignals(self, signals: Any, *, timeout: int = 0, raising: bool | None = None, **more: Any) -> Any:
        patience = timeout if raising is False else max(timeout, PATIENCE_MS)
        return super().waitSignals(signals, timeout=patience, raising=raising, **more)

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = 0) -> None:
        super().waitUntil(callback, timeout=max(timeout, PATIENCE_MS))

    def mousePress(self, widget: Any, button: Qt.MouseButton, *more: Any, **named: Any) -> None:  # type: ignore[override]  # static there
        self.held.append(button)
        QTest.mousePress(widget, button, *more, **named)

    def mouseRelease(self, widget: Any, button: Qt.MouseButton, *more: Any, **named: Any) -> None:  # type: ignore[override]  # static there
        if button in self.held:
            self.held.remove(button)
        QTest.mouseRelease(widget, button, *more, **named)
