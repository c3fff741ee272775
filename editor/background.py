"""Work away from the window's thread.

Whoever asked for it may be gone before it is done, so it is kept here; and it has to end before Python does, or its
thread runs on in what is no interpreter any more.
"""

from __future__ import annotations

import atexit
from threading import Event

from PySide6.QtCore import QRunnable, QThreadPool

_ending = Event()
_running: list[Job] = []


class Job(QRunnable):
    """Something to be worked out; `work` is called on another thread. Long work asks `is_ending` now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.setAutoDelete(False)
        self._is_done = False

    @property
    def is_done(self) -> bool:
        return self._is_done

    def run(self) -> None:
        try:
            self.work()
        finally:
            self._is_done = True

    def work(self) -> None:
        raise NotImplementedError


def start(job: Job) -> None:
    """Begin as soon as a thread is free."""
    _running[:] = [other for other in _running if not other.is_done]
    _running.append(job)
    QThreadPool.globalInstance().start(job)


def is_ending() -> bool:
    """The program is about to end: nobody wants the answer any more."""
    return _ending.is_set()


@atexit.register
def _finish() -> None:
    _ending.set()
    QThreadPool.globalInstance().waitForDone()
