"""Stops time after a tick for which one of the kept conditions holds, live and while the past is played."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from editor.document.clock import Clock
from editor.models.conditions.kept import Entry, KeptConditions
from engine.sim.conditions.watch import ConditionWatch


class ConditionStops(QObject):
    """Listens to the document's ticks while anything could stop time; otherwise it costs nothing."""

    stopped = Signal(int, str)
    """Time stopped after this tick, by this."""

    def __init__(self, kept: KeptConditions, clock: Clock, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.kept = kept
        self.clock = clock
        self.document = kept.document
        self._watch: ConditionWatch | None = None
        self._entries: list[Entry] = []
        kept.changed.connect(self._on_changed)
        self.document.started.connect(self._on_started)
        self.document.travelled.connect(self._on_travelled)

    @Slot()
    def _on_started(self) -> None:
        if self._watch is not None:
            self._watch.close()
            self._watch = None
        self._entries = []
        self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        """Watch for what stops time now."""
        sim, stopping = self.document.simulation, self.kept.stopping
        entries = [entry for entry, _ in stopping]
        if sim is None or entries == self._entries:
            return
        self._entries = entries
        conditions = [condition for _, condition in stopping]
        if not conditions:
            if self._watch is not None:
                self._watch.close()
                self._watch = None
        elif self._watch is None:
            self._watch = ConditionWatch(sim, conditions, self._on_held)
        else:
            self._watch.ask(conditions)

    @Slot()
    def _on_travelled(self) -> None:
        if self._watch is not None:
            self._watch.stand()

    def _on_held(self, tick: int, found: list[str]) -> None:
        """Going to another tick runs those that lead there; they stop nothing."""
        held = [why for why in found if why]
        if not held or self.document.is_travelling:
            return
        self.clock.halt()
        why = "; ".join(held)
        self.document.said.emit(f"Stopped after tick {tick:,}: {why}")
        self.stopped.emit(tick, why)
