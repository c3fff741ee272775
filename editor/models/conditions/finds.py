"""Searches what is recorded for the kept conditions, in short slices between the events of the window.

The ticks run in a simulation of their own, in the window's thread: loaded landblocks are shared, and nothing of them
is thread-safe. The chosen condition is searched for first.
"""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from editor.document.history import History
from editor.models.conditions.kept import Entry, KeptConditions
from engine.sim.conditions.search import ConditionSearch
from engine.sim.conditions.words import Condition
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS
from engine.sim.tick.simulation import Simulation

SLICE_S: Final = 0.006
PAUSE_MS: Final = 10
"""Of 16 ms, a frame, a search takes six."""

FLOWING_MS: Final = 150
"""While time runs, slices come less often: a tick is searched when it is recorded, and there are 30 a second."""


class ConditionFinds(QObject):
    """The ticks of the recording for which the kept conditions hold, as far as they are known."""

    changed = Signal()
    """There are more ticks, or fewer."""

    def __init__(self, kept: KeptConditions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.kept = kept
        self.document = kept.document
        self.revision = 0
        """Changes with every change of what was found."""
        self.longest_slice = 0.0
        """Seconds; what the window had to wait at most."""
        self._sim: Simulation | None = None
        self._history: History | None = None
        self._branches = 0
        self._searches: dict[int, ConditionSearch] = {}
        self._problems: dict[int, str] = {}
        self._working: ConditionSearch | None = None
        self._steps: Iterator[None] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._take_slice)
        kept.changed.connect(self._on_kept)
        self.document.started.connect(self._begin_again)
        self.document.named.connect(self._begin_again)  # cells are found by their names too
        self.document.travelled.connect(self._on_travelled)
        self.document.changed.connect(self._wake)

    # --- asking

    @property
    def is_working(self) -> bool:
        return self._timer.isActive()

    def problem(self, entry: Entry) -> str:
        """Why a search could not go on; "" when it could."""
        return entry.problem or self._problems.get(entry.number, "")

    def ticks(self, entry: Entry | None) -> list[int]:
        """The ticks found so far, ascending."""
        search = None if entry is None else self._searches.get(entry.number)
        return [] if search is None else search.found

    def searched(self, entry: Entry) -> tuple[int, int]:
        """How many ticks were searched, of how many."""
        history, search = self.document.history, self._searches.get(entry.number)
        whole = 0 if history is None else len(history.recording)
        return (0 if search is None else search.tick - search.recording.first_tick), whole

    def count_text(self, entry: Entry) -> str:
        """Such as "17 of 20,000 ticks", with a … while it is searched."""
        done, whole = self.searched(entry)
        more = "" if done >= whole else " …"
        return f"{len(self.ticks(entry)):,} of {done:,} tick{'' if done == 1 else 's'}{more}"

    def before(self, tick: int) -> int | None:
        """The last tick before one for which the chosen condition holds."""
        found = self.ticks(self.kept.chosen)
        at = bisect_left(found, tick)
        return found[at - 1] if at else None

    def after(self, tick: int) -> int | None:
        """The first tick after one for which the chosen condition holds."""
        found = self.ticks(self.kept.chosen)
        at = bisect_right(found, tick)
        return found[at] if at < len(found) else None

    def holds(self, tick: int) -> bool:
        """Whether the chosen condition holds for a tick."""
        return self.before(tick + 1) == tick

    def between(self, first: int, last: int) -> NDArray[np.int64]:
        """The ticks of the chosen condition from `first` up to `last`."""
        found = self.ticks(self.kept.chosen)
        return np.array(found[bisect_left(found, first) : bisect_left(found, last)], np.int64)

    # --- what happens

    @Slot()
    def _on_kept(self) -> None:
        numbers = {entry.number for entry in self.kept.entries}
        for number in [number for number in self._searches if number not in numbers]:
            self._searches.pop(number).close()
        self._leave_off()
        self._tell()
        self._wake()

    @Slot()
    def _begin_again(self) -> None:
        """Another world, or other names: nothing of what was found holds."""
        self._leave_off()
        for search in self._searches.values():
            search.close()
        self._searches, self._problems = {}, {}
        if self._history is not self.document.history and self._sim is not None:
            self._sim.close()
            self._sim = None
        self._history = self.document.history
        self._branches = 0 if self._history is None else self._history.branches
        self._tell()
        self._wake()

    @Slot()
    def _on_travelled(self) -> None:
        """If time continues from the past, the later ticks are gone."""
        history = self.document.history
        if history is None or history.branches == self._branches:
            return
        self._branches = history.branches
        self._leave_off()
        for search in self._searches.values():
            search.cut()
        self._problems = {}
        self._tell()

    def _tell(self) -> None:
        self.revision += 1
        self.changed.emit()

    # --- working

    @Slot()
    def _wake(self) -> None:
        """Go on if there is anything to search; cheap, for it is asked after every tick."""
        if self.kept.entries and not self._timer.isActive() and self._next() is not None:
            self._timer.start(FLOWING_MS if self.document.flowing else PAUSE_MS)

    def _next(self) -> tuple[Entry, Condition] | None:
        """The condition to search for: the chosen one, or the first that has ticks left."""
        chosen = [] if self.kept.chosen is None else [self.kept.chosen]
        for entry in (*chosen, *self.kept.entries):
            done, whole = self.searched(entry)
            if entry.condition is not None and done < whole and entry.number not in self._problems:
                return entry, entry.condition
        return None

    def _leave_off(self) -> None:
        """Let go of the simulation, which one search at a time leads."""
        if self._working is not None:
            self._working.close()
        self._working = self._steps = None

    @Slot()
    def _take_slice(self) -> None:
        began = time.perf_counter()
        while time.perf_counter() - began < SLICE_S and self._go_on():
            pass
        self.longest_slice = max(self.longest_slice, time.perf_counter() - began)
        self._tell()
        self._wake()

    def _go_on(self) -> bool:
        """Make one small step; False when there is nothing left."""
        found = self._next()
        if found is None:
            return False
        entry, condition = found
        try:
            search = self._search(entry, condition)
            if search is not self._working or self._steps is None:
                self._leave_off()
                self._working, self._steps = search, search.steps()
            if next(self._steps, self) is self:
                self._steps = None
        except (SimError, *ENGINE_ERRORS) as error:
            self._problems[entry.number] = f"Tick {self.searched(entry)[0]:,} cannot be searched: {error}"
            self._leave_off()
        return True

    def _search(self, entry: Entry, condition: Condition) -> ConditionSearch:
        search = self._searches.get(entry.number)
        if search is None:
            sim, history = self.document.sim, self.document.history
            assert history is not None
            if self._sim is None:
                self._sim = Simulation(sim.world, sim.rules, sim.player.id, sim.player.name)
            search = self._searches[entry.number] = ConditionSearch(self._sim, history.recording, condition)
        return search
