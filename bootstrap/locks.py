"""Keeps two starts at the same time from setting up the same folder twice."""

import contextlib
import fcntl
from collections.abc import Callable, Iterator
from pathlib import Path


@contextlib.contextmanager
def exclusive(file: Path, on_wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of `file`; when another process has it, call `on_wait` once and wait.

    The system takes the lock back from a process that died.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(file, "a", encoding="utf-8") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_wait()
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
