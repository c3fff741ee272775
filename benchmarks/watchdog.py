"""Measures how long the event loop of a window is blocked, and by what.

A timer of the loop beats a hundred times a second; a thread beside it looks at the stack of whoever keeps the next beat
waiting. It only has the stack written down: who held its frames would keep what is in them alive, painters of widgets
among it. Collections of garbage are noted as such: on a stack they look like whatever made the last object.
"""

from __future__ import annotations

import faulthandler
import gc
import re
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, Qt, QTimer, Slot

ROOT = Path(__file__).resolve().parent.parent
PLACE = re.compile(r'File "(.+)", line (\d+) in (.+)')
DEPTH = 8
"""So many functions name a place."""
BEAT_MS = 10
LOOKING_AFTER = 0.04
"""Seconds without a beat after which the stack is sampled."""


class Stall:
    """A beat that came late."""

    def __init__(self, seconds: float, busy: float, story: str, stack: list[str], collecting: float) -> None:
        self.seconds = seconds
        self.busy = busy
        """Seconds of it that the thread really had the processor."""
        self.story = story
        self.stack = stack
        self.collecting = collecting

    def __str__(self) -> str:
        collected = f", {self.collecting * 1000.0:.0f} ms of it collecting garbage" if self.collecting else ""
        where = " < ".join(self.stack) or "nobody was seen"
        worked = f"{self.seconds * 1000.0:.0f} ms, {self.busy * 1000.0:.0f} ms of it at work"
        return f"{worked}{collected} in {self.story or 'no story'}: {where}"


class Watchdog(QObject):
    """Watches while its `with` block runs; `stalls` are the gaps worth reporting, longest first."""

    def __init__(self) -> None:
        super().__init__()
        self.story = ""
        """The part of the run that stalls are attributed to."""
        self.longest: dict[str, float] = {}
        """Seconds, for each story."""
        self.busiest: dict[str, float] = {}
        """The same without the time in which other programs had the processor."""
        self._stalls: list[Stall] = []
        self._last = self._worked = 0.0
        self._collecting = 0.0
        self._collected_from = 0.0
        self._stack: list[str] = []
        self._ending = threading.Event()
        self._main = threading.get_ident()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(self._beat)
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watchdog:
        gc.callbacks.append(self._on_collection)
        self._last, self._worked = time.monotonic(), time.thread_time()
        self._timer.start()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.stop()
        self._ending.set()
        self._thread.join()
        gc.callbacks.remove(self._on_collection)

    @property
    def stalls(self) -> list[Stall]:
        return sorted(self._stalls, key=lambda stall: -stall.seconds)

    def begin(self, story: str) -> None:
        """Begin another story; stalls until now belong to the one before."""
        self._beat()
        self.story = story
        self._last, self._worked = time.monotonic(), time.thread_time()

    @Slot()
    def _beat(self) -> None:
        now = time.monotonic()
        late, busy = now - self._last, time.thread_time() - self._worked
        self.busiest[self.story] = max(self.busiest.get(self.story, 0.0), busy)
        self.longest[self.story] = max(self.longest.get(self.story, 0.0), late)
        if late > LOOKING_AFTER:
            self._stalls.append(Stall(late, busy, self.story, self._stack, self._collecting))
        self._last, self._stack, self._collecting = now, [], 0.0
        self._worked = time.thread_time()

    def _on_collection(self, phase: str, details: Mapping[str, int]) -> None:
        if phase == "start":
            self._collected_from = time.monotonic()
        else:
            self._collecting += time.monotonic() - self._collected_from

    def _look(self) -> None:
        with tempfile.TemporaryFile("w+") as written:
            while not self._ending.wait(LOOKING_AFTER / 4.0):
                if time.monotonic() - self._last > LOOKING_AFTER and not self._stack:
                    written.seek(0)
                    written.truncate()
                    faulthandler.dump_traceback(written)
                    written.seek(0)
                    self._stack = _ours(written.read(), self._main)


def _ours(dumped: str, thread: int) -> list[str]:
    """Functions of the project on the stack of a thread, the innermost first."""
    found: list[str] = []
    mine = False
    for line in dumped.splitlines():
        if "hread 0x" in line:
            mine = int(line.partition("0x")[2].split()[0], 16) == thread
        place = PLACE.search(line)
        if mine and place is not None and ROOT in Path(place[1]).parents:
            found.append(f"{Path(place[1]).relative_to(ROOT)}:{place[2]} {place[3]}")
    return found[:DEPTH]
