"""The clock: runs time, pauses it, takes single ticks, and holds the keys that are down meanwhile.

The timer asks 30 times a second which ticks are due. A machine that cannot keep up runs fewer ticks and never a
backlog: the world slows down, and the window stays responsive.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from editor.document.document import Document
from engine.sim.tick.controls import Controls

TICKS_PER_SECOND: Final = 30
INTERVAL_MS: Final = 33
MOST_AT_ONCE: Final = 3
"""The ticks run after a late timer; the rest of the delay is dropped."""

ROUNDING: Final = 1e-6
"""In ticks. A caller that asks 60 times a second gets a tick every second time, as in the client, where a quantum that
is just over passes (physics.md #22); sums of sixtieths may come out a little short of it."""

STEPS_S: Final = 0.04
"""The longest time spent on steps before the event loop gets its turn."""

RATE_TICKS: Final = 15
"""The number of ticks that the displayed rate is measured over."""


class Keys:
    """The keys that are held, by the docks' buttons or the keyboard."""

    def __init__(self) -> None:
        self.forward = 0.0
        self.side_step = 0.0
        self.turn = 0.0
        self.run = False
        self.jump = False
        self.use = 0
        """The door to use in the next tick, once."""
        self.look = 0.0
        """Degrees that the mouse turns the player in the next tick, clockwise."""

    def controls(self) -> Controls:
        """The controls of the next tick; a door is used and the mouse turns in that tick only."""
        use, self.use = self.use, 0
        look, self.look = math.remainder(self.look, 360.0), 0.0
        return Controls(self.forward, self.side_step, self.turn, self.run, self.jump, use, look)


class Clock(QObject):
    """Runs the document's ticks; nothing else calls them."""

    running_changed = Signal(bool)
    rate_changed = Signal(float)
    """Ticks a second while it runs, 0.0 when it pauses."""

    def __init__(
        self, document: Document, parent: QObject | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        self.document = document
        self.keys = Keys()
        self.rate = 0.0
        self._now = now
        self._due = 0.0
        self._last = 0.0
        self._measured_from = 0.0
        self._measured = 0
        self._running = False
        self._left = 0  # steps still to take
        self._halted = False
        self._between = QTimer(self)
        self._between.setSingleShot(True)
        self._between.setInterval(0)
        self._between.timeout.connect(self._take_steps)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.catch_up)
        document.started.connect(self.pause)
        document.travelled.connect(self._leave_off)

    @property
    def is_running(self) -> bool:
        return self._running

    @property
    def is_stepping(self) -> bool:
        """Requested steps are still running."""
        return self._left > 0

    @property
    def why_not(self) -> str:
        """The reason why time cannot run; empty when it can."""
        if self.document.simulation is None:
            return "Open a world first."
        if not self.document.player_is_somewhere and not self.document.simulation.player.steered.is_lost:
            return "The player is in no cell yet. Teleport the player into one first."
        return ""

    @Slot()
    def run(self) -> None:
        if self._running or self.why_not:
            return
        self._leave_off()
        self._running = self.document.flowing = True
        self._due = 0.0
        self._last = self._measured_from = self._now()
        self._measured = 0
        self._timer.start()
        self.running_changed.emit(True)

    @Slot()
    def pause(self) -> None:
        self._leave_off()
        if not self._running:
            return
        self._running = self.document.flowing = False
        self._timer.stop()
        self._set_rate(0.0)
        self.running_changed.emit(False)
        self.document.changed.emit()  # for docks that skipped the last ticks

    @Slot()
    def toggle(self) -> None:
        if self._running:
            self.pause()
        else:
            self.run()

    def halt(self) -> None:
        """Let no further tick run once the one that is running is over."""
        self._halted = True

    def step(self, count: int = 1) -> None:
        """Take that many ticks with the held keys; running time pauses. The event loop gets its turn between batches,
        and any other use of the clock cancels the rest."""
        self.pause()
        if count < 1 or self.why_not:
            return
        self._left = count
        self._take_step()
        if self._left:
            self._take_steps()
        else:
            self.document.changed.emit()

    @Slot()
    def _take_steps(self) -> None:
        """Take steps for as long as STEPS_S allows."""
        until = self._now() + STEPS_S
        while self._left:
            self._take_step()
            if self._now() >= until:
                break
        self.document.changed.emit()
        if self._left:
            self._between.start()

    def _take_step(self) -> None:
        """Take one of the steps; a tick that halts the clock is the last."""
        self._left -= 1
        self._halted = False
        self.document.tick_many(1, self.keys.controls(), tell=False)
        if self._halted:
            self._leave_off()

    @Slot()
    def _leave_off(self) -> None:
        self._left = 0
        self._between.stop()

    def back(self, count: int = 1) -> None:
        """Go back that many ticks."""
        self.pause()
        history = self.document.history
        if history is not None and not self.why_not_back:
            self.document.go_to(history.now - count)

    @property
    def why_not_back(self) -> str:
        """The reason why time cannot go back; empty when it can."""
        history = self.document.history
        if history is None:
            return "Open a world first."
        return "The recording begins here." if history.now <= history.first else ""

    @Slot()
    def catch_up(self) -> None:
        """Run the ticks that are due by now."""
        if not self._running:
            return
        now = self._now()
        self._due += (now - self._last) * TICKS_PER_SECOND
        self._last = now
        count = min(int(self._due + ROUNDING), MOST_AT_ONCE)
        self._due = min(self._due - count, 1.0)
        self._halted = False
        for number in range(count):
            self.document.tick_many(1, self.keys.controls(), tell=number == count - 1)
            if self._halted:
                self.pause()
                return
        self._measure(count, now)

    def _measure(self, count: int, now: float) -> None:
        self._measured += count
        if self._measured >= RATE_TICKS and now > self._measured_from:
            self._set_rate(self._measured / (now - self._measured_from))
            self._measured, self._measured_from = 0, now

    def _set_rate(self, rate: float) -> None:
        if rate != self.rate:
            self.rate = rate
            self.rate_changed.emit(rate)
