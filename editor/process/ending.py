"""Ends the program on a signal (Ctrl-C, the end of a session, a closed terminal) within two seconds, at any time.

The main thread gets the signal first. Python delivers none while that thread computes or blocks in a call, so another
thread waits for signals too, and ends the process if the main thread has not done so in time.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn

SIGNALS: Final = tuple(
    signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if name in signal.Signals.__members__
)
FIRST_CODE: Final = 128
"""A shell adds this to the number of the signal that ended a program."""

PATIENCE: Final = 0.9
"""Seconds for the main thread to save unsaved work."""
LONGEST: Final = 1.6
"""Seconds after which the process ends in any case."""

INTERRUPTED: Final = b"Cellar Door: interrupted\n"
_PUT_AWAY: Final = b"\0"

Taker = Callable[[int], object]
LastWords = Callable[[], object]


class EndedError(KeyboardInterrupt):
    """A signal asked the program to end. Code that saves its work on an interrupt saves it then, too."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


class Watch:
    """Waits for signals. `number` is the one that arrived, 0 before that."""

    def __init__(self) -> None:
        self.number = 0
        self._is_held = False
        self._taker: Taker | None = None
        self._last_words: LastWords | None = None
        self._kept = threading.Event()
        self._untold = threading.Lock()
        self._before: dict[signal.Signals, signal.Handlers | Callable[[int, FrameType | None], object] | int | None]
        self._before = {}
        self._reader, self._writer = socket.socketpair()
        self._writer.setblocking(False)
        self._thread = threading.Thread(target=self._wait, name="signals", daemon=True)

    # --- in the main thread

    def begin(self) -> None:
        for number in SIGNALS:
            before = signal.getsignal(number)
            if before in (signal.SIG_DFL, signal.default_int_handler):  # a shell's background job ignores some
                self._before[number] = before
                signal.signal(number, self._heard)
        self._fd_before = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._thread.start()

    def end(self) -> None:
        """Stop waiting; no signal arrived."""
        signal.set_wakeup_fd(self._fd_before)
        for number, before in self._before.items():
            signal.signal(number, before)
        self._writer.send(_PUT_AWAY)
        self._thread.join()
        self._reader.close()
        self._writer.close()

    def _heard(self, number: int, frame: FrameType | None) -> None:
        if self._taker is not None or self._kept.is_set():
            return
        self.number = number
        if not self._is_held:
            self._raise()

    def _raise(self) -> NoReturn:
        self._kept.set()  # once only: a second signal must not interrupt saving
        raise EndedError(self.number)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Delay a signal to the end of the block."""
        before, self._is_held = self._is_held, True
        try:
            yield
        finally:
            self._is_held = before
        if self.number and not before:
            self._raise()

    @contextmanager
    def taken(self, taker: Taker, last_words: LastWords | None = None) -> Iterator[None]:
        """Within the block, call `taker` on another thread instead of raising an error in the main one. It saves
        unsaved work, calls `kept` and ends the program. `last_words` runs if it does not do so in time."""
        self._taker, self._last_words = taker, last_words
        try:
            yield
        finally:
            if not self.number:
                self._taker = self._last_words = None

    def kept(self) -> None:
        """Unsaved work is saved."""
        self._kept.set()

    def tell(self) -> None:
        """Acknowledge Ctrl-C in the terminal, once, from whichever thread is first."""
        if self.number == signal.SIGINT and self._untold.acquire(blocking=False):
            with suppress(OSError):  # the terminal may be gone
                os.write(2, INTERRUPTED)

    # --- in the thread

    def _wait(self) -> None:
        wanted = set(self._before)
        while not self.number:
            for byte in self._reader.recv(64) or _PUT_AWAY:
                if byte == _PUT_AWAY[0]:
                    return
                if byte in wanted:
                    self.number = byte
                    break
        begun = time.monotonic()
        if self._taker is not None:
            self._taker(self.number)
        if not self._kept.wait(PATIENCE) and self._last_words is not None:
            with suppress(Exception):  # nothing is left that could report it
                self._last_words()
        time.sleep(max(begun + LONGEST - time.monotonic(), 0.0))
        self.tell()
        os._exit(FIRST_CODE + self.number)


_watches: Final[list[Watch]] = []


def active() -> Watch | None:
    """The watch in effect."""
    return _watches[0] if _watches else None


@contextmanager
def watched() -> Iterator[Watch | None]:
    """Watch for signals within the block, or use the outer watch. Python delivers signals to the main thread only."""
    if _watches or threading.current_thread() is not threading.main_thread():
        yield active()
        return
    watch = Watch()
    watch.begin()
    _watches.append(watch)
    try:
        yield watch
    finally:
        if not watch.number:
            watch.end()
            _watches.clear()


def leave(code: int) -> NoReturn:
    """End the process now, without joining threads or freeing what the process frees anyway."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, gone, or never there
            stream.flush()
    os._exit(code)
