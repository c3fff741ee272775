"""Keeps two starts at the same time from setting up the same folder twice."""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from bootstrap.alone import load_alone

ROOT = Path(__file__).resolve().parent.parent


@contextlib.contextmanager
def exclusive(file: Path, on_wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of `file`; when another process has it, call `on_wait` once and wait.

    The system takes the lock back when the process has died; on POSIX when every program that it started with the lock
    has ended as well.
    """
    locking = load_alone(ROOT / "engine" / "files" / "locking.py")
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(file, "a", encoding="utf-8") as handle:
        try:
            locking.lock(handle.fileno())
        except BlockingIOError:
            on_wait()
            locking.lock(handle.fileno(), wait=True)
        os.set_inheritable(handle.fileno(), True)
        yield
