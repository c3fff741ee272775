"""Answers since when a value is as it is, and by what, in short slices between the events of the window.

The ticks run again in a simulation of their own, in the window's thread: loaded landblocks are shared, and nothing of
them is thread-safe. The document's own simulation, its present and its past are left alone.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from editor.document.document import NOTHING_OPEN, Document
from editor.document.history import History
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS
from engine.sim.tick.simulation import Simulation
from engine.sim.why.answer import Asked, Chain

if TYPE_CHECKING:
    from engine.sim.why.question import WhyQuestion

SLICE_S: Final = 0.006
PAUSE_MS: Final = 1
"""Somebody waits for the answer: the events between two slices are all that it gives way to."""
FLOWING_MS: Final = 10
"""While time runs, of 16 ms, a frame, it takes six."""
MOST: Final = 50
"""Questions that are kept to go back to."""


@dataclass
class Answer:
    """One question, with its chain as far as it is known."""

    asked: Asked
    title: str
    """The value as the docks call it, such as "z of the player"."""
    chain: Chain
    problem: str = ""
    """Why it could not be answered; "" when it could."""
    has_edits: bool = False
    """It is about the present, with the edits that no tick has seen."""
    is_done: bool = False
    seconds: float = 0.0
    """What the answer took."""


class WhyChains(QObject):
    """The questions that were asked, one of which is shown."""

    changed = Signal()
    """Another question is shown, or more of its answer is known."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.answers: list[Answer] = []
        self.place = -1
        """Which of the answers is shown; −1 while there is none."""
        self.longest_slice = 0.0
        """Seconds; what the window had to wait at most."""
        self._sim: Simulation | None = None
        self._history: History | None = None
        self._branches = 0
        self._question: WhyQuestion | None = None
        self._steps: Iterator[None] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._take_slice)
        document.started.connect(self._on_started)
        document.named.connect(self._on_named)
        document.travelled.connect(self._on_travelled)

    # --- asking

    @property
    def shown(self) -> Answer | None:
        return self.answers[self.place] if self.place >= 0 else None

    @property
    def is_working(self) -> bool:
        return self._timer.isActive()

    @property
    def now(self) -> int:
        """The tick after which everything is as the docks show it; in the present, where edits have been made since the
        last one, the next."""
        history = self.document.history
        return -1 if history is None else history.now - (0 if self._has_edits else 1)

    @property
    def _has_edits(self) -> bool:
        history = self.document.history
        return history is not None and not history.in_past and bool(history.recording.edits.get(history.end))

    def ask(self, entity_id: int, path: str, title: str, tick: int | None = None) -> bool:
        """Ask about a value as a tick left it, by default the last one; False with a message when it cannot be asked.

        Questions that were gone back from are forgotten.
        """
        history = self.document.history
        if history is None:
            self.document.refused.emit(NOTHING_OPEN)
            return False
        asked = Asked(entity_id, path, self.now if tick is None else tick)
        has_edits = asked.tick == history.end
        shown = self.shown
        if shown is None or shown.asked != asked:
            kept = self.answers[: self.place + 1][-(MOST - 1) :]
            self.answers = [*kept, Answer(asked, title, Chain(), has_edits=has_edits)]
            self.place = len(self.answers) - 1
        self._begin()
        return True

    def ask_again(self) -> None:
        """Ask about the shown value as it is now."""
        shown = self.shown
        if shown is not None:
            self.ask(shown.asked.entity, shown.asked.path, shown.title)

    @property
    def can_go_back(self) -> bool:
        return self.place > 0

    @property
    def can_go_on(self) -> bool:
        return 0 <= self.place < len(self.answers) - 1

    def go_back(self) -> None:
        """Show the question before."""
        self._go(self.place - 1)

    def go_on(self) -> None:
        """Show the question that was gone back from."""
        self._go(self.place + 1)

    def _go(self, place: int) -> None:
        if 0 <= place < len(self.answers):
            self.place = place
            self._begin()

    # --- what happens

    @Slot()
    def _on_started(self) -> None:
        """Another world: nothing that was asked is in it."""
        self._leave_off()
        if self._sim is not None:
            self._sim.close()
            self._sim = None
        self._history = self.document.history
        self._branches = 0 if self._history is None else self._history.branches
        self._forget(0)

    @Slot()
    def _on_named(self) -> None:
        """Sentences have names in them."""
        for answer in self.answers:
            answer.is_done = False
        self._begin()

    @Slot()
    def _on_travelled(self) -> None:
        """If time continues from the past, values of later ticks are no more."""
        history = self.document.history
        if history is None or history.branches == self._branches:
            return
        self._branches = history.branches
        self._leave_off()
        self._forget(history.end)
        self._begin()

    def _forget(self, end: int) -> None:
        """Drop the questions about ticks from `end` on."""
        shown = self.shown
        earlier = [answer for answer in self.answers[: self.place + 1] if answer.asked.tick < end]
        later = [answer for answer in self.answers[self.place + 1 :] if answer.asked.tick < end]
        self.answers = [*earlier, *later]
        self.place = len(earlier) - 1 if earlier or not later else 0
        if self.shown is not shown:
            self.changed.emit()

    # --- working

    def _leave_off(self) -> None:
        """Let go of the simulation, which one question at a time leads."""
        self._timer.stop()
        close = getattr(self._steps, "close", None)
        if close is not None:
            close()
        self._steps = self._question = None

    def _begin(self) -> None:
        """Answer the shown question, unless that is done."""
        self._leave_off()
        shown = self.shown
        if shown is not None and not shown.is_done:
            shown.chain, shown.problem, shown.seconds = Chain(), "", 0.0
            self._timer.start(0)
        self.changed.emit()

    @Slot()
    def _take_slice(self) -> None:
        shown = self.shown
        if shown is None:
            return
        began = time.perf_counter()
        known = len(shown.chain.links)
        while time.perf_counter() - began < SLICE_S and not shown.is_done:
            self._go_on_with(shown)
        spent = time.perf_counter() - began
        shown.seconds += spent
        self.longest_slice = max(self.longest_slice, spent)
        if not shown.is_done:
            self._timer.start(FLOWING_MS if self.document.flowing else PAUSE_MS)
        if shown.is_done or len(shown.chain.links) != known:
            self.changed.emit()

    def _go_on_with(self, answer: Answer) -> None:
        """Make one small step."""
        try:
            if self._steps is None:
                self._question = self._asked(answer.asked)
                self._steps = self._question.steps()
            answer.is_done = next(self._steps, self) is self
        except (SimError, *ENGINE_ERRORS) as error:
            answer.problem = f"This cannot be told: {error}"
            answer.is_done = True
        if self._question is not None:
            answer.chain = self._question.chain
        if answer.is_done:
            self._steps = self._question = None

    def _asked(self, asked: Asked) -> WhyQuestion:
        sim, history = self.document.sim, self.document.history
        assert history is not None
        if asked.tick < history.first:
            raise SimError(f"the recording begins with tick {history.first:,}, and nothing is known of what was before")
        if self._sim is None:
            self._sim = Simulation(sim.world, sim.rules, sim.player.id, sim.player.name)
        from engine.sim.why.question import WhyQuestion  # what finds causes loads with the first question

        return WhyQuestion(self._sim, history.recording, asked)
