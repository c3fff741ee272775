"""Streams landblocks into the 3D view piece by piece while the window is idle (`engine.render.viewer.arrivals`)."""

from __future__ import annotations

import gc
import logging
import time
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from editor.session.session import ENGINE_ERRORS
from engine.render.viewer.arrivals import Arrivals, Drawer

LOG: Final = logging.getLogger(__name__)

SLICE: Final = 0.006
"""Seconds of work before control returns to the window's event loop."""


class LandblockStreaming(QObject):
    """Streams landblocks into one view."""

    shown = Signal()
    """Another landblock is in the picture."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._arrivals: Arrivals | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._work)

    def begin(self, arrivals: Arrivals | None) -> None:
        self._arrivals = arrivals

    def end(self) -> None:
        self._timer.stop()
        self._arrivals = None
        gc.unfreeze()

    def drawn_by(self, drawer: Drawer) -> None:
        if self._arrivals is not None:
            self._arrivals.drawer = drawer

    def go_on(self) -> None:
        """Start streaming after a frame if landblocks are waiting."""
        if self._arrivals is not None and self._arrivals.is_busy and not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _work(self) -> None:
        arrivals = self._arrivals
        if arrivals is None or not arrivals.is_busy:
            self._timer.stop()
            return
        end = time.perf_counter() + SLICE
        try:
            if arrivals.work(lambda: time.perf_counter() >= end):
                gc.freeze()  # it stays, so the collector need not examine it each time (editor.session.memory)
                self.shown.emit()
        except ENGINE_ERRORS as error:
            LOG.warning("a landblock around the eye cannot be shown: %s", error)
