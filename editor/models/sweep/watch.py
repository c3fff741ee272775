"""Traces the player's sweeps in the last tick (physics.md 5-7).

Tracing starts when the dock is visible; the last tick is then run again with a tracer, for it left no trace.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from editor.document.document import Document
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.cell_search import CellSearch
from engine.sim.trace.recorder import TraceRecorder
from engine.sim.trace.tree import TraceNode


@dataclass(frozen=True)
class StepSelection:
    """The selected row of a tick, with its sweep and sub-step. A sweep itself has no `step`."""

    tick: int
    sweep: TraceNode
    step: TraceNode | None
    node: TraceNode
    search: CellSearch | None = None
    """The search of the cell array that the row is about, or that decided the cell of the sub-step."""


class SweepWatch(QObject):
    """Traces the player's sweeps while the dock is visible; `sweeps` are those of the last tick."""

    changed = Signal()
    """Other sweeps are shown; those of the last tick change with the document."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.tick = -1
        """The tick of the sweeps."""
        self.title = ""
        """The title of the shown sweeps when they are not the last tick's."""
        self._last: list[TraceNode] = []
        self._lent: list[TraceNode] = []
        self._recorder = TraceRecorder()
        self._sim: Simulation | None = None
        self._looking = False
        document.started.connect(self._on_started)
        document.leaving.connect(self._on_leaving)
        document.arriving.connect(self._on_arriving)
        document.ticked.connect(self.give_back)
        document.travelled.connect(self.give_back)

    @property
    def sweeps(self) -> list[TraceNode]:
        return self._lent if self.title else self._last

    def lend(self, title: str, sweeps: list[TraceNode]) -> None:
        """Show other sweeps, such as a capture's, until the next tick."""
        self.title, self._lent = title, sweeps
        self.changed.emit()

    @Slot()
    def give_back(self) -> None:
        """Return to the last tick."""
        self.title, self._lent = "", []

    def go_to(self, tick: int) -> bool:
        """Show a tick, in the past if it is past; False with a message when it cannot be replayed."""
        document, history = self.document, self.document.history
        if history is None:
            return False
        if not history.first <= tick < history.end:
            known = f"the recording has the ticks {history.first:,} to {history.end - 1:,}"
            document.refused.emit(f"Tick {tick:,} cannot be replayed: {known}")
            return False
        self.give_back()
        return self.tick == tick or document.go_to(tick + 1)

    def look(self, looking: bool) -> None:
        """Start tracing and trace the last tick again, or stop."""
        if looking == self._looking:
            return
        self._looking = looking
        self._turn_to(self.document.simulation if looking else None)
        if looking:
            self.document.replay_last_tick()

    def _on_started(self) -> None:
        if self._looking:
            self._turn_to(self.document.simulation)

    def _turn_to(self, sim: Simulation | None) -> None:
        old = self._sim
        if old is not None:
            old.unlisten_to_ticks(self._on_tick)
            old.unwatch(old.player.id, self._recorder)
        self._sim = sim
        self._last, self.tick = [], -1
        self._recorder.clear()
        if sim is not None:
            sim.watch(sim.player.id, self._recorder)
            sim.listen_to_ticks(self._on_tick)

    @Slot()
    def _on_leaving(self) -> None:
        """Tracing the ticks on the way would take longer than running them."""
        if self._sim is not None:
            self._sim.unwatch(self._sim.player.id, self._recorder)

    @Slot()
    def _on_arriving(self) -> None:
        if self._sim is not None:
            self._recorder.clear()
            self._sim.watch(self._sim.player.id, self._recorder)

    def _on_tick(self, controls: Controls, report: TickReport) -> None:
        self._last, self.tick = self._recorder.sweeps, report.tick
        self._recorder.clear()
