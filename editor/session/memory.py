"""Decides when the garbage collector runs, and which objects it examines.

By default Python collects in whichever thread allocates one object too many, but Qt objects must be freed in their own
thread only. So the window's thread collects, when it is idle.

An open world is hundreds of thousands of objects that stay until another one is opened. Examining them all takes a
tenth of a second, several times a minute while the simulation runs, so they are frozen once they are loaded.
"""

from __future__ import annotations

import gc
import sys
import weakref
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Slot

from editor.session.session import Session
from engine.world.loader.base import collector_is_paused
from engine.world.world import World

EVERY_MS: Final = 100
GROWTH: Final = 1.25
"""Growth of memory that triggers a full collection, as in Python's own rule for the oldest generation."""


class Collector(QObject):
    """Collects by Python's own counts and thresholds, in the thread that created it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._blocks = sys.getallocatedblocks()
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    @Slot()
    def _look(self) -> None:
        if collector_is_paused():
            return
        young, grown, old = (count > limit for count, limit in zip(gc.get_count(), gc.get_threshold(), strict=True))
        if old and sys.getallocatedblocks() > GROWTH * self._blocks:
            gc.collect()
            self._blocks = sys.getallocatedblocks()
        elif grown:
            gc.collect(1)
        elif young:
            gc.collect(0)


class Memory(QObject):
    """Freezes the existing objects after a world was opened.

    The previous world needs no collection: a closed world has no reference cycles, so it is freed when the last
    reference goes. If one is still alive, a full collection runs, and the window waits while both worlds are examined.
    """

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._known: list[weakref.ref[World]] = []
        """All worlds that were open and may still be alive, the most recently opened last."""
        # Queued: the old world is released only after `opened` was emitted.
        session.opened.connect(self.settle, Qt.ConnectionType.QueuedConnection)

    @Slot()
    def settle(self) -> None:
        gc.unfreeze()
        before, last = self._known[:-1], self._known[-1:]
        if any(world() is not None for world in before):  # the last one may be in use in the background
            gc.collect()
        self._known = [world for world in (*before, *last) if world() is not None]
        if self._session.world is not None:
            self._known.append(weakref.ref(self._session.world))
        gc.freeze()
