"""The moves of an open capture beside their recorded answers: which rules would give those, found in slices.

The moves are replayed by the client's rules in the capture's own world, as the Capture dock has them. Only the first
ones that differ are explained: each takes some dozens of trials.
"""

from __future__ import annotations

import time
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from editor.models.capture import Capture
from engine.sim.captures.replay import replay_record
from engine.sim.compare.captures import TWO_FORMS, flipped_rules
from engine.sim.compare.causes import Cause
from engine.sim.compare.smallest import Steps
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS
from engine.sim.tick.simulation import Simulation

SLICE_S: Final = 0.006
PAUSE_MS: Final = 10
EXPLAINED: Final = 20
"""Moves whose rules are looked for."""


class CallsWatch(QObject):
    """What makes the moves of a capture come out otherwise than recorded."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.capture: Capture | None = None
        self.causes: dict[int, Cause | str] = {}
        """By the number of a move: the rules, or why they cannot be found."""
        self._number = -1
        self._steps: Steps[Cause] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._take_slice)

    @property
    def is_on(self) -> bool:
        return self.capture is not None

    @property
    def is_working(self) -> bool:
        return self._timer.isActive()

    @property
    def explained(self) -> list[int]:
        """The moves that are explained, or will be."""
        return [] if self.capture is None else self.capture.differing[:EXPLAINED]

    def compare(self, capture: Capture) -> None:
        """Explain what differs in a capture, as long as it is open."""
        self.stop()
        self.capture = capture
        self._timer.start(PAUSE_MS)
        self.changed.emit()

    def stop(self) -> None:
        was_on = self.is_on
        self._timer.stop()
        if self._steps is not None:
            self._steps.close()
        self.capture, self._steps, self.causes = None, None, {}
        if was_on:
            self.changed.emit()

    def drop_closed(self) -> None:
        """Another file was opened: the capture's world is gone."""
        if self.capture is not None and self.capture.is_closed:
            self.stop()

    @Slot()
    def _take_slice(self) -> None:
        self.drop_closed()
        began = time.perf_counter()
        known = len(self.causes)
        more = True
        while more and time.perf_counter() - began < SLICE_S:
            more = self._go_on()
        if more:
            self._timer.start(PAUSE_MS)
        if not more or len(self.causes) != known:
            self.changed.emit()

    def _go_on(self) -> bool:
        """Make one small step; False when every move is explained."""
        if self._steps is None:
            number = next((number for number in self.explained if number not in self.causes), None)
            if number is None or self.capture is None:
                return False
            self._number, self._steps = number, _causes(self.capture, number)
        try:
            next(self._steps)
        except StopIteration as end:
            self._end(end.value)
        except (SimError, *ENGINE_ERRORS) as error:
            self._end(str(error))
        return True

    def _end(self, found: Cause | str) -> None:
        self.causes[self._number] = found
        self._steps = None


def _causes(capture: Capture, number: int) -> Steps[Cause]:
    """The rules that make a move come out as recorded, tried in a simulation of its own."""
    replay, mine = capture.replays[number], capture.sim
    trial = Simulation(mine.world.loaded, mine.rules)
    try:
        for block_id in mine.surroundings.joined:
            trial.surroundings.join(block_id)
        yield

        def agrees() -> bool:
            return replay_record(trial.graph, trial.rules, replay.record, replay.frame).agrees

        return (yield from flipped_rules(trial, mine.rules.copy(), TWO_FORMS, agrees))
    finally:
        trial.close()
