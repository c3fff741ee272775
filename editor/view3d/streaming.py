"""Landblocks arrive in the 3D view a piece at a time, whenever the window has nothing else to do
(`engine.render.viewer.arrivals`)."""

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
"""Seconds of work before the window is asked whether it has something else to do."""


class LandblockStreaming(QObject):
    """Works for one view."""

    shown = Signal()
    """There is another landblock in the picture."""

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
        """A frame was made, and something may be wanted."""
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
                gc.freeze()  # it stays: the collector need not look through it again and again (editor.session.memory)
                self.shown.emit()
        except ENGINE_ERRORS as error:
            LOG.warning("a landblock around the eye can not be shown: %s", error)
