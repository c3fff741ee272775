"""The sweeps of the second of two runs in a tick, and the rows at which both runs part in it.

They are traced in a simulation of their own, led to that tick: neither run notices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from engine.sim.trace.tree import TraceNode

if TYPE_CHECKING:
    from editor.models.compare.watch import CompareWatch
    from engine.sim.compare.alignment import AlignedSweeps
    from engine.sim.compare.sides import Follower


class SecondSweeps(QObject):
    """Kept for the tick that was asked about last."""

    def __init__(self, watch: CompareWatch, parent: QObject) -> None:
        super().__init__(parent)
        self.watch = watch
        self._follower: Follower | None = None
        self._known: tuple[int, int] | None = None
        self._sweeps: list[TraceNode] | None = None
        watch.changed.connect(self._on_changed)

    @property
    def shows_second(self) -> bool:
        return self.watch.shows_second

    def names(self) -> tuple[str, str]:
        return self.watch.names

    def of_tick(self, tick: int) -> list[TraceNode] | None:
        """None without a second run, or where it has no such tick."""
        watch = self.watch
        if not watch.is_on or watch.sample_at(tick) is None:
            return None
        known = (tick, watch.revision)
        if known != self._known:
            self._known, self._sweeps = known, self._traced(tick)
        return self._sweeps

    def aligned(self, tick: int, first: list[TraceNode]) -> AlignedSweeps | None:
        """Where that tick of both runs parts; None where nothing can be said."""
        from engine.sim.compare.alignment import align

        second = self.of_tick(tick)
        return None if second is None else align(first, second)

    def _traced(self, tick: int) -> list[TraceNode] | None:
        from engine.sim.compare.sides import Follower
        from engine.sim.errors import SimError
        from engine.sim.trace.recorder import TraceRecorder

        kept, before = self.watch.kept, self.watch.second_at(tick)
        if kept is None or before is None:
            return None
        snapshot, side = before.snapshot(), kept.comparison.two.side
        recorder = TraceRecorder()
        try:
            if self._follower is None:
                self._follower = Follower(side)
            follower = self._follower
            follower.go_to(tick - self.watch.first_tick, snapshot)
            player = follower.sim.player.id
            follower.sim.watch(player, recorder)
            try:
                follower.step()
            finally:
                follower.sim.unwatch(player, recorder)
        except SimError:
            return None
        return recorder.sweeps

    @Slot()
    def _on_changed(self) -> None:
        """Another comparison, or none: what was led along the old one is of no use."""
        kept, follower = self.watch.kept, self._follower
        if follower is not None and (kept is None or follower.side is not kept.comparison.two.side):
            follower.close()
            self._follower, self._known, self._sweeps = None, None, None
