"""Leaving off: whoever works for somebody asks now and then whether that somebody still wants the answer.

with cancellable(job.check):
    ...            # `check_cancelled` anywhere below calls `job.check`, which raises when the job was cancelled

Of the thread that says so, and of nothing that it does not call. Outside of it `check_cancelled` does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

Check = Callable[[], None]
"""Raises what ends the work, when nobody wants it any more."""

_check: Final[ContextVar[Check | None]] = ContextVar("check", default=None)


@contextmanager
def cancellable(check: Check) -> Iterator[None]:
    """What is done meanwhile ends when `check` raises."""
    before = _check.set(check)
    try:
        yield
    finally:
        _check.reset(before)


def check_cancelled() -> None:
    """Go no further when nobody wants the answer."""
    check = _check.get()
    if check is not None:
        check()
