"""Ctrl-C while there is nobody yet to tell: it waits. In the middle of a library's own start it would be lost, or end
in that library's crash."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from editor.process.ending import active


@contextmanager
def interrupts_held() -> Iterator[None]:
    """An interrupt that comes meanwhile is raised at the end, and so is the end of the session where that is watched
    for."""
    watch = active()
    if watch is not None:
        with watch.held():
            yield
        return
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # somebody else sees to it, or it is ignored
        yield
        return
    held: list[int] = []

    def hold(number: int, frame: FrameType | None) -> None:
        held.append(number)

    signal.signal(signal.SIGINT, hold)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        raise KeyboardInterrupt
