"""Ctrl-C in the terminal that the program was started in, while Qt has the thread."""

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


@contextmanager
def interrupts(act: Callable[[], object]) -> Iterator[None]:
    """Have Ctrl-C do something meanwhile, from the event loop: left to Python it is an error in whatever slot is next.

    Python hears of it when it has its turn, which the garbage collector's timer gives it several times a second.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # a shell has it ignored by what runs in its background
        yield
        return
    signal.signal(signal.SIGINT, lambda number, frame: QTimer.singleShot(0, act))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


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
        reason = self.window.projects.autosaver.save_now()
        if reason:
            print(f"Cellar Door: the unsaved edits can not be kept: {reason}", file=sys.stderr)
            return
        self.is_interrupted = True
        QCoreApplication.exit()
