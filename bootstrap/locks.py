"""Keeps two starts at the same time from setting up the same folder twice."""

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path


@contextlib.contextmanager
def exclusive(file: Path, on_wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of `file`; when another process has it, call `on_wait` once and wait.

    The system takes the lock back when the process has died and every program that it started with the lock has ended.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(file, "a", encoding="utf-8") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_wait()
            fcntl.flock(handle, fcntl.LOCK_EX)
        os.set_inheritable(handle.fileno(), True)
        yield
