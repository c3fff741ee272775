"""Ctrl-C in the terminal that the program was started in, and the end of a session, while Qt has the thread."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QObject, QTimer

if TYPE_CHECKING:
    from ui.main_window import MainWindow

ASKED: Final = (
    "Cellar Door: edits are not saved. Answer in the window, or press Ctrl-C again; the next start offers them then."
)


TERMINATED: Final = 143
"""What a shell reports for a program that was asked to end by SIGTERM."""


@contextmanager
def interrupts(act: Callable[[], object], number: signal.Signals = signal.SIGINT) -> Iterator[None]:
    """Have a signal do something meanwhile, from the event loop: left to Python, Ctrl-C is an error in whatever slot is
    next.

    Python hears of it when it has its turn, which the garbage collector's timer gives it several times a second.
    """
    before = signal.getsignal(number)
    if before not in (signal.default_int_handler, signal.SIG_DFL):  # a shell has some ignored in its background
        yield
        return
    signal.signal(number, lambda number, frame: QTimer.singleShot(0, act))
    try:
        yield
    finally:
        signal.signal(number, before)


class Leaving(QObject):
    """Closes the window as its button does. Who does not answer the question about unsaved edits may interrupt again:
    the edits are kept for the next start then."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.is_interrupted = False

    def interrupt(self) -> None:
        if self.window.projects.box is None:
            self.is_interrupted = self.window.close()
            if not self.is_interrupted:
                print(ASKED, file=sys.stderr)
            return
        if self._keep():
            self.is_interrupted = True
            QCoreApplication.exit()

    def terminate(self) -> None:
        """The session ends, and nobody is there to be asked: what is unsaved is kept for the next start."""
        self._keep()
        QCoreApplication.exit(TERMINATED)

    def _keep(self) -> bool:
        reason = self.window.projects.autosaver.save_now()
        if reason:
            print(f"Cellar Door: the unsaved edits can not be kept: {reason}", file=sys.stderr)
        return not reason
