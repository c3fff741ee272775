"""Work away from the window's thread.

Whoever asked for it may be gone before it is done, so it is kept here; and it has to end before Python does, or its
thread runs on in what is no interpreter any more.
"""

from __future__ import annotations

import atexit
import time
from threading import Event
from typing import Final

from PySide6.QtCore import QObject, QThreadPool, Signal

UNKNOWN: Final = -1.0
"""The fraction of work of which nobody can say how much there is."""
TOLD_EVERY: Final = 0.03
"""Seconds between two reports; more often nobody sees, and every one wakes the window."""

THREADS: Final = 8
"""More than the machine may have: who is stuck in a file that never comes must not keep the others waiting."""

_ending = Event()
_running: list[Job] = []
_pool = QThreadPool()
_pool.setMaxThreadCount(THREADS)
_apart = QThreadPool()


class CancelledError(Exception):
    """Nobody wants the answer any more; `Job.check` raises it and `Job.run` takes it."""


class Reports(QObject):
    """What a job says while it works; received in the thread of whoever listens."""

    progressed = Signal(float, str)
    """How much is done, 0.0 to 1.0 or UNKNOWN, and what is being done."""
    cancelled = Signal()
    """Somebody called `cancel`; told at once, in his thread, though the work may go on for a moment."""
    ended = Signal()
    """The work is over, whatever came of it."""


class Job:
    """Something to be worked out; `work` is called on another thread. Long work asks `is_cancelled` now and then."""

    def __init__(self) -> None:
        self.reports = Reports()
        self._is_done = False
        self._cancelled = Event()
        self._told = 0.0
        self._said = ""

    @property
    def is_done(self) -> bool:
        return self._is_done

    @property
    def is_cancelled(self) -> bool:
        """Nobody wants the answer any more: it was cancelled, or the program is about to end."""
        return self._cancelled.is_set() or _ending.is_set()

    def cancel(self) -> None:
        """Leave off as soon as may be; `work` has no answer then."""
        if not self._cancelled.is_set():
            self._cancelled.set()
            self.reports.cancelled.emit()

    def progress(self, fraction: float, sentence: str) -> None:
        """For `work`: how much of it is done, 0.0 to 1.0 or UNKNOWN, and what it is doing."""
        now = time.monotonic()
        if sentence == self._said and now - self._told < TOLD_EVERY:
            return
        self._told, self._said = now, sentence
        if not _ending.is_set():
            self.reports.progressed.emit(fraction, sentence)

    def check(self) -> None:
        """For `work`: go no further when nobody wants the answer."""
        if self.is_cancelled:
            raise CancelledError

    def run(self) -> None:
        try:
            self.work()
        except CancelledError:
            return
        finally:
            self._is_done = True
            if not _ending.is_set():
                self.reports.ended.emit()

    def work(self) -> None:
        raise NotImplementedError


def start(job: Job, *, apart: bool = False) -> None:
    """Begin as soon as a thread is free; `apart` is for what is short and must not wait for what takes long."""
    _running[:] = [other for other in _running if not other.is_done]
    _running.append(job)
    pool = _apart if apart else _pool
    pool.start(job.run)  # the job itself would never be given back


def is_ending() -> bool:
    """The program is about to end: nobody wants the answer any more."""
    return _ending.is_set()


def finish(seconds: float) -> bool:
    """Nobody wants any answer from now on. Waits a while for those who are at work; False when some still are: whoever
    waits in the system for a file that never comes knows of nothing."""
    _ending.set()
    until = time.monotonic() + seconds
    return all(pool.waitForDone(max(int(1000 * (until - time.monotonic())), 0)) for pool in (_pool, _apart))


@atexit.register
def _finish() -> None:
    _ending.set()
    _pool.waitForDone()
    _apart.waitForDone()
