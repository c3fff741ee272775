"""Delays Ctrl-C while libraries start: it would be lost there, or crash the library."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from editor.process.ending import active


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Delay an interrupt to the end of the block, and any other signal that is watched for."""
    watch = active()
    if watch is not None:
        with watch.held():
            yield
        return
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # handled elsewhere, or ignored
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
