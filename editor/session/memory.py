"""When the garbage collector looks for circles, and what it has to look through.

Left to itself it does so in whichever thread makes the object that is one too many, and what belongs to Qt must not be
freed in any thread but its own: the window's thread does it, when it has the time.

An open world is hundreds of thousands of objects that stay until another one is opened. To look through them all takes
a tenth of a second, several times a minute while time flows; so they are set aside once they are there.
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
"""How much more memory is taken before everything is looked through again, as Python has it for what has grown old."""


class Collector(QObject):
    """Does what Python's own does, by Python's own counts and limits, in the thread that it is made in."""

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
    """Sets aside what is there when a world has been opened.

    The one before is not looked for: it holds itself in no circle once it is closed, so it goes when it is let go of.
    If one has stayed all the same, everything is looked through, which keeps the window waiting for as long as both
    worlds are large.
    """

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._known: list[weakref.ref[World]] = []
        """All worlds that were open and may still be there, the one that is open last."""
        # Queued: the old world is let go after the new one was told of.
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
