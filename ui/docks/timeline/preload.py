"""Loads the plot, and pyqtgraph with it, before anybody looks at it: Qt's classes in small pieces here, the rest away
from the window's thread.

PySide6 makes a class when it is first asked for, and pyqtgraph asks for all of them. In a thread that breaks the
process: while an enumeration is half made, the window's thread comes to use it.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot

from editor.session import background
from editor.session.background import Job

SLICE_S: Final = 0.006
MODULES: Final = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtTest", "QtOpenGLWidgets")
"""Those of Qt that pyqtgraph imports."""


class Preload(QObject):
    """Whoever needs the plot sooner imports it himself, and waits for the rest."""

    def __init__(self, after_ms: int, parent: QObject) -> None:
        super().__init__(parent)
        self._classes = _classes()
        self._is_started = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(after_ms)
        self._timer.timeout.connect(self._go_on)

    def start(self) -> None:
        if not self._is_started:
            self._is_started = True
            self._timer.start()

    @Slot()
    def _go_on(self) -> None:
        until = time.perf_counter() + SLICE_S
        for _ in self._classes:
            if time.perf_counter() > until:
                self._timer.start(0)
                return
        background.start(_Import(), apart=True)


class _Import(Job):
    def work(self) -> None:
        importlib.import_module("ui.docks.timeline.plot")


def _classes() -> Iterator[object]:
    """Make one after the other."""
    for name in MODULES:
        module = importlib.import_module(f"PySide6.{name}")
        for attribute in dir(module):
            yield getattr(module, attribute)
