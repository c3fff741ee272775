"""Runs work away from the window's thread.

The code that started a job may be gone before the job is done, so this module keeps a reference to it. Jobs must end
before Python does; otherwise their threads run on without an interpreter.
"""

from __future__ import annotations

import atexit
import time
from threading import Event
from typing import Final

from PySide6.QtCore import QObject, QThreadPool, Signal

UNKNOWN: Final = -1.0
"""The fraction reported for work of unknown length."""
TOLD_EVERY: Final = 0.03
"""Seconds between two progress reports; each one wakes the window, and users would not notice more."""

THREADS: Final = 8
"""More than the machine may have, so that a thread blocked on an unresponsive file does not hold up other jobs."""

_ending = Event()
_running: list[Job] = []
_pool = QThreadPool()
_pool.setMaxThreadCount(THREADS)
_apart = QThreadPool()


class CancelledError(Exception):
    """The job was cancelled; `Job.check` raises it and `Job.run` handles it."""


class Reports(QObject):
    """The signals that a job emits while it works; slots run in the receiver's thread."""

    progressed = Signal(float, str)
    """The fraction done, 0.0 to 1.0 or UNKNOWN, and what the job is doing."""
    cancelled = Signal()
    """Emitted by `cancel` at once, in the caller's thread, though the work may continue for a moment."""
    ended = Signal()
    """The work has ended: finished, failed or cancelled."""


class Job:
    """One piece of background work; `work` runs on another thread. Long work checks `is_cancelled` now and then."""

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
        """Whether the result is unwanted: the job was cancelled, or the program is about to end."""
        return self._cancelled.is_set() or _ending.is_set()

    def cancel(self) -> None:
        """Stop as soon as possible; `work` then has no result."""
        if not self._cancelled.is_set():
            self._cancelled.set()
            self.reports.cancelled.emit()

    def progress(self, fraction: float, sentence: str) -> None:
        """Report, from `work`, the fraction done (0.0 to 1.0 or UNKNOWN) and the current step."""
        now = time.monotonic()
        if sentence == self._said and now - self._told < TOLD_EVERY:
            return
        self._told, self._said = now, sentence
        if not _ending.is_set():
            self.reports.progressed.emit(fraction, sentence)

    def check(self) -> None:
        """Raise, from `work`, if the result is no longer wanted."""
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
    """Start as soon as a thread is free; `apart` is for short jobs that must not wait for long ones."""
    _running[:] = [other for other in _running if not other.is_done]
    _running.append(job)
    pool = _apart if apart else _pool
    pool.start(job.run)  # the pool would never release a job passed as a QRunnable


def is_ending() -> bool:
    """Whether the program is about to end, so that no result is wanted."""
    return _ending.is_set()


def finish(seconds: float) -> bool:
    """Cancel all jobs and wait up to `seconds` for those still running; False when some remain. A job blocked in the
    system on an unresponsive file cannot notice."""
    _ending.set()
    until = time.monotonic() + seconds
    return all(pool.waitForDone(max(int(1000 * (until - time.monotonic())), 0)) for pool in (_pool, _apart))


@atexit.register
def _finish() -> None:
    _ending.set()
    _pool.waitForDone()
    _apart.waitForDone()
