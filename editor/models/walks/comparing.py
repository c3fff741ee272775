"""A kept walk beside how it goes now: where both part and which edit does it, found in slices between events."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from editor.document.document import Document
from editor.models.compare.explaining import Explainer, Explanation
from editor.models.walks.jobs import ReadMoves
from editor.models.walks.kept import WalkEntry
from editor.models.walks.terms import steps_since
from editor.reports.comparison import ComparisonReport, PartingReport, comparison_lines
from editor.session import background
from engine.sim.compare.comparison import Comparison, Parting
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS
from engine.sim.walks.files import KeptMoves

SLICE_S: Final = 0.006
PAUSE_MS: Final = 4
OF_A_CAPTURE: Final = (
    "A capture has calls and no keys: each of them is compared by itself, in Capture when it is opened."
)
OF_ANOTHER_WORLD: Final = "Its world is another one now, so how it went there cannot be run beside it."


class WalkComparison(QObject):
    """Compares one walk. Another world, or `close`, ends it."""

    changed = Signal()
    """More is known."""

    def __init__(self, document: Document, entry: WalkEntry, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.entry = entry
        self.lines = [entry.sentence, *entry.details]
        """What is known, as sentences."""
        self.progress = "Reading the walk …"
        """What is done; "" when all is known."""
        self.longest_slice = 0.0
        """Seconds; what the window had to wait at most."""
        self._steps: Generator[None, None, None] | None = None
        self._comparison: Comparison | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._take_slice)
        document.started.connect(self.close)
        self._job: ReadMoves | None = ReadMoves(entry)
        self._job.signals.done.connect(self._on_read)
        background.start(self._job, apart=True)

    @property
    def is_done(self) -> bool:
        return self.progress == ""

    @Slot()
    def close(self) -> None:
        """Let go of the simulations."""
        self._timer.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if self._steps is not None:
            self._steps.close()
            self._steps = None
        if self._comparison is not None:
            self._comparison.close()
            self._comparison = None
        self.progress = ""

    def _end(self, *lines: str) -> None:
        self.close()
        self.lines += [f"{line}" for line in lines]
        self.changed.emit()

    @Slot(int, object)
    def _on_read(self, number: int, found: KeptMoves | str) -> None:
        if self._job is None:
            return
        self._job = None
        if isinstance(found, str):
            self._end(f"It cannot be read: {found}")
        elif found.recording is None:
            self._end(OF_A_CAPTURE)
        elif self.entry.differing:
            self._end(OF_ANOTHER_WORLD)
        else:
            self._steps = self._compare(found)
            self._timer.start(0)

    @Slot()
    def _take_slice(self) -> None:
        began = time.perf_counter()
        while self._steps is not None and time.perf_counter() - began < SLICE_S:
            try:
                if next(self._steps, self) is self:
                    self._end()
            except (SimError, *ENGINE_ERRORS) as error:
                self._end(f"It cannot be compared: {error}")
        self.longest_slice = max(self.longest_slice, time.perf_counter() - began)
        if self._steps is not None:
            self._timer.start(PAUSE_MS)

    def _compare(self, moves: KeptMoves) -> Generator[None, None, None]:
        recording = moves.recording
        assert recording is not None
        sim = self.document.sim
        since = steps_since(self.entry.walk.steps, self.document.done_steps(), sim.player.id)
        comparison = self._comparison = Comparison(*since.sides(sim.world.loaded, recording))
        explainer = Explainer(comparison)
        try:
            yield
            while comparison.step() is not None:
                if comparison.one.index % 100 == 0:
                    self._say(f"{comparison.one.index:,} of {len(recording):,} ticks …")
                yield
            self._say("Looking for what does it …")
            while explainer.step():
                yield
            self.lines = [self.entry.sentence, "", *comparison_lines(_report(comparison, explainer))]
        finally:
            explainer.close()

    def _say(self, text: str) -> None:
        self.progress = text
        self.changed.emit()


def _report(comparison: Comparison, explainer: Explainer) -> ComparisonReport:
    """What the explainer has found, as the command `compare` tells it."""
    first, seen = comparison.first, comparison.seen
    shown = _parting(explainer.find(seen or first), seen or first)
    is_hidden = first is not None and seen is not None and first.index < seen.index
    hidden = _parting(explainer.find(first), first) if is_hidden else None
    return ComparisonReport(comparison, shown, hidden, None, None, _notes(comparison))


def _parting(known: Explanation | None, parting: Parting | None) -> PartingReport | None:
    if parting is None or known is None or known.cause is None or known.sweeps is None:
        return None
    return PartingReport(parting, known.cause, known.sweeps, known.fields)


def _notes(comparison: Comparison) -> list[str]:
    return [f"an edit could not be made: {reason}" for reason in comparison.two.left_out[:3]]
