"""A walk that was tried elsewhere is walked again in the picture, at the speed of time; the world does not change."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from editor.view3d.framing import Focus
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.overlays.ghost import Walked, ghost_overlay
from engine.world.cells.position import into_block

TICK_MS: Final = 33
STAYS: Final = 60
"""Ticks for which the walk stays in the picture after its end."""

AROUND: Final = 1.2
"""Metres around the walk that are framed with it."""


class Ghost(QObject):
    """The body that walks; nothing without a walk."""

    changed = Signal()
    ended = Signal()
    """It has gone, or never came."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.walk: Walked | None = None
        self.tick = 0
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._step)

    def start(self, walk: Walked) -> Focus:
        """Begin to walk; returns what shows the whole way."""
        self.walk, self.tick = walk, 0
        self._timer.start()
        self.changed.emit()
        return _focus_of(walk)

    @Slot()
    def stop(self) -> None:
        if self.walk is None:
            return
        self.walk = None
        self._timer.stop()
        self.changed.emit()
        self.ended.emit()

    @Slot()
    def _step(self) -> None:
        self.tick += 1
        if self.walk is None or self.tick >= len(self.walk.track) + STAYS:
            self.stop()
        elif self.tick < len(self.walk.track):
            self.changed.emit()

    def overlay(self) -> OverlayGeometry:
        return OverlayGeometry() if self.walk is None else ghost_overlay(self.walk, self.tick)


def _focus_of(walk: Walked) -> Focus:
    cell_id = walk.track[0][0]
    places = [into_block(cell_id, other, origin) for other, origin in walk.track]
    (ax, ay, az), (bx, by, bz) = places[0], places[-1]
    half = 0.5 * max(abs(ax - bx), abs(ay - by), abs(az - bz))
    middle = (0.5 * (ax + bx), 0.5 * (ay + by), 0.5 * (az + bz) + 1.0)
    return Focus(cell_id, middle, half + AROUND)
