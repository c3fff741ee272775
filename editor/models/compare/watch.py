"""The second run beside the present one: led along the document's recording, live and afterwards, in short slices.

Both sides run in simulations of their own, in the window's thread: loaded landblocks are shared, and nothing of them is
thread-safe. So the present stays as it is, whichever tick it shows. A tick that has just run is compared at once, as
long as there are not many to compare; the rest follows between the events of the window.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from editor.document.document import NOTHING_OPEN, Document
from editor.document.history import History
from editor.models.capture import Capture
from editor.models.compare.calls import CallsWatch
from editor.models.compare.columns import SecondColumns
from editor.models.compare.explaining import Explainer, Explanation
from editor.models.compare.ways import (
    before_edits,
    body_title,
    by_body,
    by_recording,
    by_rules,
    flipped,
    other_form,
    rules_at_start,
)
from editor.models.timeline.columns import Envelope, Stretches
from engine.physics.rules import RuleSet, rule_set
from engine.sim.compare.answers import TickDifference
from engine.sim.compare.comparison import Parting
from engine.sim.compare.corrections import Correction, Server
from engine.sim.compare.kept import KeptComparison
from engine.sim.compare.sides import Side
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS
from engine.sim.recording import Recording, Sample
from engine.sim.tick.simulation import Simulation
from engine.world.world import World

SLICE_S: Final = 0.006
PAUSE_MS: Final = 10
"""Of 16 ms, a frame, comparing takes six."""

AT_ONCE: Final = 4
"""Ticks that are compared as soon as they were run: docks then never lag behind."""


SET_TITLES: Final = {"retail": "Retail rules", "ace": "ACE rules"}
FORM_TITLES: Final = {"retail": "retail", "ace": "ACE"}
PACE_S: Final = 0.1
"""Seconds between two tellings while there is more to compare."""


class CompareWatch(QObject):
    """The comparison of the open document's run with another one."""

    changed = Signal()
    """The comparison began or ended, more ticks are compared, or fewer, or more is known about them."""
    shown_changed = Signal()
    """Docks show the other side now."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.title = ""
        """What is compared with, such as "ACE rules"."""
        self.way = ""
        """Which of the ways to compare it is, such as "rules-ace"; "" while there is no comparison."""
        self.names = ("", "")
        """Short names of both sides."""
        self.problem = ""
        """Why it could not go on; "" when it can."""
        self.calls = CallsWatch(self)
        """The moves of a capture beside their recorded answers, where that is what is compared."""
        self.calls.changed.connect(self._on_calls)
        self.columns = SecondColumns()
        self.corrections: list[Correction] = []
        """The moves of the first side that a server would not take as they are, in the first `judged` ticks."""
        self.revision = 0
        """Changes whenever something about the comparison does."""
        self.longest_slice = 0.0
        """Seconds; what the window had to wait at most."""
        self._kept: KeptComparison | None = None
        self._explainer: Explainer | None = None
        self._server: Server | None = None
        self._failed = False
        self._asks_server = False
        self._told_at = 0.0
        self._history: History | None = None
        self._branches = 0
        self._shows_second = False
        self._rules: tuple[Recording, RuleSet] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._take_slice)
        document.started.connect(self._on_started)
        document.travelled.connect(self._on_travelled)
        document.changed.connect(self._on_changed)

    # --- asking

    @property
    def is_on(self) -> bool:
        """There is a second run."""
        return self._kept is not None

    @property
    def is_working(self) -> bool:
        return self._timer.isActive()

    @property
    def kept(self) -> KeptComparison | None:
        """The comparison itself; None when there is none."""
        return self._kept

    @property
    def compared(self) -> int:
        """Ticks compared so far, from the recording's first one on."""
        return 0 if self._kept is None else len(self._kept)

    @property
    def whole(self) -> int:
        """The ticks that there are to compare: those that both sides have."""
        return 0 if self._kept is None else self._kept.whole

    @property
    def left_over(self) -> tuple[int, int]:
        """The ticks that either side has more than the other."""
        return (0, 0) if self._kept is None else self._kept.comparison.left_over

    @property
    def first(self) -> Parting | None:
        """The first tick after which anything differs. Its index counts from the recording's first tick."""
        return None if self._kept is None else self._kept.comparison.first

    @property
    def seen(self) -> Parting | None:
        """The first tick in which somebody is elsewhere or does something else."""
        return None if self._kept is None else self._kept.comparison.seen

    @property
    def first_tick(self) -> int:
        """The number of the first tick of the recording."""
        return 0 if self._history is None else self._history.first

    @property
    def distance(self) -> Envelope:
        """Metres between both bodies, for each tick compared. The numbers of all columns count from the first tick."""
        return self.columns.distance

    @property
    def height(self) -> Envelope:
        """Of the second body, like the columns below."""
        return self.columns.height

    @property
    def speed(self) -> Envelope:
        return self.columns.speed

    @property
    def heading(self) -> Envelope:
        return self.columns.heading

    @property
    def cells(self) -> Stretches:
        return self.columns.cells

    @property
    def differs(self) -> NDArray[np.bool_]:
        """Whether anything differs after a tick."""
        return self.columns.differs

    def sample_at(self, tick: int) -> Sample | None:
        """The second body after that tick has run, as the recording has it of the first; None where not compared."""
        index = tick - self.first_tick
        return self._kept.samples[1][index] if self._kept is not None and 0 <= index < len(self._kept) else None

    def difference_at(self, tick: int) -> TickDifference | None:
        """What differs after that tick has run; None where not compared. Its index counts from the first tick."""
        index = tick - self.first_tick
        return self._kept.difference(index) if self._kept is not None and 0 <= index < len(self._kept) else None

    def second_at(self, tick: int) -> Simulation | None:
        """The second run before a tick, where the document stands when its history is at that tick; None where not
        compared. It is to be read only, and before the next call."""
        if self._kept is None:
            return None
        try:
            return self._kept.second_before(tick - self.first_tick)
        except (SimError, *ENGINE_ERRORS) as error:
            self._fail(error)
            return None

    @property
    def shows_second(self) -> bool:
        """Docks show the second side."""
        return self._shows_second

    @shows_second.setter
    def shows_second(self, on: bool) -> None:
        on = on and self.is_on
        if on != self._shows_second:
            self._shows_second = on
            self.shown_changed.emit()

    @property
    def shown(self) -> Explanation | None:
        """What is known of the first tick at which anybody sees a difference, or else of the first with any."""
        return None if self._explainer is None else self._explainer.find(self.seen or self.first)

    @property
    def hidden(self) -> Explanation | None:
        """The same for an earlier tick, after which nobody is elsewhere yet."""
        if self._explainer is None or self.first is None or self.seen is None or self.first.index == self.seen.index:
            return None
        return self._explainer.find(self.first)

    @property
    def judged(self) -> int:
        """The ticks that a server was asked about."""
        return 0 if self._server is None else self._server.client.index

    @property
    def asks_server(self) -> bool:
        """Also find out how a server would take the moves: that takes two runs more, so only while somebody looks."""
        return self._asks_server

    @asks_server.setter
    def asks_server(self, on: bool) -> None:
        self._asks_server = on
        self._wake()

    # --- what to compare with

    @property
    def first_rules(self) -> RuleSet | None:
        """The rules by which the run begins; None when nothing is open."""
        world, history = self.document.world, self.document.history
        if world is None or history is None:
            return None
        if self._rules is None or self._rules[0] is not history.recording:
            try:
                self._rules = (history.recording, rules_at_start(world.loaded, history.recording))
            except SimError:  # the comparison itself will say so
                return None
        return self._rules[1]

    def compare_rules(self, after: RuleSet, title: str, way: str = "") -> bool:
        """The same keys by these rules; False when that is not possible (`problem` says why)."""
        before = self.first_rules or RuleSet()
        return self._begin(title, way, lambda world, recording: by_rules(world, recording, before, after))

    def compare_rule_set(self, name: str) -> bool:
        """The same keys by a whole rule set."""
        return self.compare_rules(rule_set(name), SET_TITLES[name], f"rules-{name}")

    def compare_rule(self, rule: str) -> bool:
        """The same keys by the other form of a single rule."""
        before = self.first_rules or RuleSet()
        form = FORM_TITLES[other_form(before, rule)]
        return self.compare_rules(flipped(before, rule), f"{rule}: {form}", f"rule-{rule}")

    def compare_body(self, numbers: Sequence[tuple[str, float]]) -> bool:
        """The same keys with another body."""
        return self._begin(body_title(numbers), "body", lambda world, recording: by_body(world, recording, numbers))

    @property
    def began_edited(self) -> bool:
        """Whether the world had been edited before the recording began: by the steps of a project."""
        project = self.document.session.project
        return project is not None and any(step.edits for step in project.steps)

    def compare_before_edits(self) -> bool:
        """The same keys in the world as it was before its edits: those of the project and of the recording."""
        began = self.began_edited
        return self._begin(
            "World before the edits",
            "before-edits",
            lambda world, recording: before_edits(world, recording, began_edited=began),
        )

    def compare_recording(self, path: Path) -> bool:
        """The keys and edits of another recording of this world."""
        title = f"Recording {path.name}"
        return self._begin(title, "recording", lambda world, recording: by_recording(world, recording, path))

    def compare_capture(self, capture: Capture) -> None:
        """The moves of an open capture, beside their recorded answers: there is no second run."""
        self.stop()
        self.title, self.way, self.names = f"Capture {capture.name}", "capture", ("replayed", "recorded")
        self.calls.compare(capture)

    @Slot()
    def _on_calls(self) -> None:
        if self.way == "capture" and not self.calls.is_on:
            self.title, self.way, self.names = "", "", ("", "")
        self._tell()

    @Slot()
    def stop(self) -> None:
        """Compare with nothing."""
        self.calls.stop()
        was_on = self.is_on
        self._close()
        self.title, self.names, self.problem, self.way = "", ("", ""), "", ""
        self.shows_second = False
        if was_on:
            self._tell()

    def _begin(self, title: str, way: str, sides: Callable[[World, Recording], tuple[Side, Side]]) -> bool:
        self.calls.stop()
        self._close()
        world, history = self.document.world, self.document.history
        self.title, self.problem, self.names, self.way = title, "", ("", ""), ""
        if world is None or history is None:
            self.problem = NOTHING_OPEN
            return False
        try:
            one, two = sides(world.loaded, history.recording)
            self._kept = KeptComparison(one, two)
            self._explainer = Explainer(self._kept.comparison)
            self.names, self.way = (one.name, two.name), way
            self._history, self._branches = history, history.branches
        except (SimError, *ENGINE_ERRORS) as error:
            self.problem = str(error)
            self.shows_second = False
        self._tell()
        self._wake()
        return self.is_on

    def _close(self) -> None:
        self._timer.stop()
        for part in (self._explainer, self._server, self._kept):
            if part is not None:
                part.close()
        self._kept = self._history = self._explainer = self._server = None
        self._failed = False
        self.corrections = []
        self.columns = SecondColumns()

    # --- what happens

    @Slot()
    def _on_started(self) -> None:
        """Another world: the runs of the last one are gone with it."""
        self._rules = None
        if self.document.history is not self._history:
            self.stop()

    @Slot()
    def _on_travelled(self) -> None:
        """If time continues from the past, the later ticks are gone."""
        history, kept = self.document.history, self._kept
        if history is None or kept is None or history.branches == self._branches:
            return
        self._branches = history.branches
        try:
            kept.cut(len(history.recording))
            self._cut_server(kept)
        except (SimError, *ENGINE_ERRORS) as error:
            self._fail(error)
            return
        if self._explainer is not None:
            self._explainer.forget()
        self.columns.cut(len(kept))
        self.problem, self._failed = "", False
        self._tell()

    @Slot()
    def _on_changed(self) -> None:
        self.calls.drop_closed()
        if self._kept is not None and 0 < self._kept.lag <= AT_ONCE:
            self._take_slice()
        else:
            self._wake()

    def _cut_server(self, kept: KeptComparison) -> None:
        """A server goes on from the keyframe that the comparison has returned to."""
        if self._server is None or self._server.client.index <= len(kept):
            return
        self._server.go_to(len(kept), kept.comparison.one.sim.snapshot())
        self.corrections = [each for each in self.corrections if each.index < len(kept)]

    def _tell(self) -> None:
        self.revision += 1
        self._told_at = time.monotonic()
        self.changed.emit()

    # --- working

    def _is_server_behind(self, kept: KeptComparison) -> bool:
        return self._asks_server and not self.document.flowing and self.judged < len(kept)

    def _is_behind(self, kept: KeptComparison) -> bool:
        explained = self._explainer is None or self._explainer.is_done
        return kept.lag > 0 or not explained or self._is_server_behind(kept)

    def _wake(self) -> None:
        """Go on if there is anything to do; cheap, for it is asked after every tick."""
        kept = self._kept
        if kept is not None and not self._failed and not self._timer.isActive() and self._is_behind(kept):
            self._timer.start(PAUSE_MS)

    @Slot()
    def _take_slice(self) -> None:
        kept, began = self._kept, time.perf_counter()
        if kept is None or self._failed:
            return
        before = len(kept)
        try:
            while time.perf_counter() - began < SLICE_S and self._go_on(kept):
                pass
            self.problem = kept.comparison.ended
        except (SimError, *ENGINE_ERRORS) as error:
            self.problem, self._failed = str(error), True
        self.columns.read(kept)
        self.longest_slice = max(self.longest_slice, time.perf_counter() - began)
        is_live = 0 < len(kept) - before <= AT_ONCE
        if is_live or self._failed or not self._is_behind(kept) or time.monotonic() - self._told_at >= PACE_S:
            self._tell()
        self._wake()

    def _go_on(self, kept: KeptComparison) -> bool:
        """Make one small step; False when there is nothing left. What has just run comes first, then the explanation of
        what was found, then what ran long ago."""
        lag = kept.lag
        if 0 < lag <= AT_ONCE:
            return kept.step() is not None
        if self._explainer is not None and self._explainer.step():
            return True
        if lag:
            return kept.step() is not None
        return self._is_server_behind(kept) and self._judge(kept)

    def _judge(self, kept: KeptComparison) -> bool:
        if self._server is None:
            self._server = Server(kept.comparison.sides[0])
        else:
            found = self._server.step()
            if found is not None:
                self.corrections.append(found)
        return True

    def _fail(self, error: Exception) -> None:
        self.problem, self._failed = str(error), True
        self._timer.stop()
        self._tell()
