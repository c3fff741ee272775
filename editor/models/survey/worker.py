"""The worker process of a survey: `python -m editor.models.survey.worker`, led by messages on its standard input.

It searches in short slices, so that Stop works at once, and ends when the window does: its input ends then.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from editor.models.survey.exploring import Exploration
from editor.models.survey.keeping import pack_states
from editor.models.survey.opening import open_world_of, simulation_in
from editor.models.survey.task import SurveyTask, task_of
from editor.models.survey.wire import Inbox, Message
from editor.process.memory import collect_seldom
from editor.process.problem_reports import reported
from engine.dat.errors import DatError
from engine.files.cancelling import cancellable
from engine.findings.finding import Found
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS

REFUSALS: Final = (SimError, DatError, OSError, *ENGINE_ERRORS)
PACE_S: Final = 0.2
"""Seconds between two reports."""
SLICE: Final = 64
"""States of one slice: some milliseconds."""
NICE: Final = 10
"""The window and its ticks come first."""
CHUNK: Final = 1 << 16

BEGIN: Final = "begin"
STOP: Final = "stop"
GO_ON: Final = "go on"
WALK: Final = "walk"
GONE: Final = "gone"


class WindowGoneError(Exception):
    """There is nobody to work for any more."""


class Worker:
    """One task after the other."""

    def __init__(self, out: int) -> None:
        self._out = out
        self.orders: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._task: SurveyTask | None = None
        self._search: Exploration | None = None
        self._checks: Iterator[Found] | None = None
        self._runs = False
        self._said_at = 0.0
        self._seconds = 0.0

    def listen(self, source: int) -> None:
        """Take orders from a file descriptor, on a thread of its own, until that ends."""
        inbox = Inbox()
        while data := os.read(source, CHUNK):
            inbox.add(data)
            for order in inbox.take():
                self.orders.put(order)
        self.orders.put(Message({"is": GONE}))

    def run(self) -> None:
        """Until the window goes."""
        with suppress(WindowGoneError):
            while True:
                self._attend()
                self._work()

    def _attend(self) -> None:
        """Obey the orders so far, and wait for more while there is nothing to do. Long work calls this too, in the
        midst of what it does, so that Stop stops it there."""
        while True:
            try:
                order = self.orders.get_nowait() if self._runs else self.orders.get()
            except queue.Empty:
                return
            if order.kind == GONE:
                raise WindowGoneError
            self._obey(order)

    def _obey(self, order: Message) -> None:
        try:
            if order.kind == BEGIN:
                self._begin(task_of(order))
            elif order.kind == WALK:
                self._walk(order)
            else:
                self._runs = order.kind == GO_ON and self._search is not None
                self._report(force=True)
                if not self._runs:
                    self._pack()
        except REFUSALS as error:
            self._fail(order, error)

    def _fail(self, order: Message, error: Exception) -> None:
        if order.kind == WALK:
            self._say({"is": "no walk", "ticket": order.form["ticket"], "reason": str(error)})
        else:
            self._runs = False
            self._say({"is": "failed", "reason": str(error)})

    # --- searching

    def _begin(self, task: SurveyTask) -> None:
        self._task = task
        self._say({"is": "stage", "text": "Opening the world …"})
        world = open_world_of(task)
        self._search = Exploration(world, simulation_in(world, task), task)
        self._checks = None
        self._seconds = 0.0
        self._runs = True
        collect_seldom()
        self._say({"is": "stage", "text": "Searching …"})

    def _work(self) -> None:
        search = self._search
        if search is None:
            return
        began = time.perf_counter()
        try:
            if not search.is_finished:
                search.expand(SLICE)
                done = False
            else:
                done = self._check(search)
        except REFUSALS as error:
            self._runs = False
            self._report(force=True)
            self._say({"is": "failed", "reason": str(error)})
            return
        self._seconds += time.perf_counter() - began
        self._report(force=done)
        if done:
            self._runs = False
            self._pack()
            self._say({"is": "done"})

    def _check(self, search: Exploration) -> bool:
        """Make one finding of what was reached; True when there are no more."""
        if self._checks is None:
            self._report(force=True)
            self._say({"is": "stage", "text": "Looking at what was reached …"})
            self._checks = search.findings()
        with cancellable(self._attend):
            found = next(self._checks, None)
        if found is None:
            for form in search.unreached():
                self._say({"is": "unreached", **form})
            return True
        self._say({"is": "found", "found": found.to_json()})
        return False

    def _report(self, *, force: bool) -> None:
        search, now = self._search, time.perf_counter()
        if search is None or (not force and now - self._said_at < PACE_S):
            return
        self._said_at = now
        for data in search.new_states():
            self._say({"is": "states"}, data)
        form = {
            "is": "progress",
            "states": search.count,
            "sweeps": search.sweeps,
            "queued": search.queued,
            "seconds": self._seconds,
            "runs": self._runs,
            "full": search.is_full,
        }
        self._say(form)

    def _pack(self) -> None:
        """The states as a project keeps them."""
        if self._search is not None:
            self._say({"is": "packed"}, pack_states(self._search.all_states()))

    def _walk(self, order: Message) -> None:
        """The recording of the way to a state."""
        if self._search is None:
            raise SimError("nothing was searched")
        seed, data = self._search.recording_to(int(order.form["state"]))
        form = {"cell": seed.cell_id, "origin": list(seed.origin), "heading": seed.heading}
        self._say({"is": "walk", "ticket": order.form["ticket"], "seed": form}, data)

    def _say(self, form: dict[str, object], data: bytes = b"") -> None:
        left = memoryview(Message(form, data).packed())
        while left:
            left = left[os.write(self._out, left) :]


def main() -> int:
    if sys.platform != "win32":
        with suppress(OSError):
            os.nice(NICE)
    out = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what anything prints is no message
    worker = Worker(out)
    threading.Thread(target=worker.listen, args=(sys.stdin.fileno(),), daemon=True).start()
    with reported("survey worker"), suppress(BrokenPipeError):  # the window has gone
        worker.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
