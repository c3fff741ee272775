"""The body of the second run beside the simulated player's, at the tick that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from editor.document.document import Document
from engine.render.overlays.geometry import OverlayGeometry
from engine.visibility.camera import Camera

if TYPE_CHECKING:
    from editor.models.compare.watch import CompareWatch
    from engine.sim.recording import Sample

TRAIL: Final = 45
"""Ticks of the way behind both bodies: a second and a half."""


class SecondBody(QObject):
    """Shown while two runs are compared; nothing without a second run, or where it has no such tick."""

    changed = Signal()

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._watch: CompareWatch | None = None
        self._told: object = None

    def look_at(self, watch: CompareWatch) -> None:
        self._watch = watch
        watch.changed.connect(self._on_changed)

    @Slot()
    def _on_changed(self) -> None:
        """A long recording is compared in many slices; only what lies before the shown tick changes the picture."""
        watch, history = self._watch, self._document.history
        if watch is None:
            return
        shown = 0 if history is None else min(watch.compared, history.now - history.first)
        told = (watch.is_on, watch.title, shown)
        if told != self._told:
            self._told = told
            self.changed.emit()

    def samples(self) -> tuple[list[Sample], list[Sample]]:
        """Both runs in the last ticks up to the shown one, of the ticks that both have."""
        history, watch = self._document.history, self._watch
        if history is None or watch is None or not watch.is_on:
            return [], []
        first, second = [], []
        taken = history.recording.samples
        for tick in range(max(history.now - TRAIL, history.first), history.now):
            other = watch.sample_at(tick)
            if other is not None and tick - history.first < len(taken):
                first.append(taken[tick - history.first])
                second.append(other)
        return first, second

    def overlay(self, camera: Camera) -> OverlayGeometry:
        watch, sim = self._watch, self._document.simulation
        if watch is None or sim is None or not watch.is_on:
            return OverlayGeometry()
        first, second = self.samples()
        if not second:
            return OverlayGeometry()
        from engine.render.overlays import second as drawing  # only those who compare need it

        player = sim.player
        body = drawing.SecondBody(watch.names[1], player.radius, player.height, player.sunk())
        return drawing.second_overlay(body, first, second, camera)
