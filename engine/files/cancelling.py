"""Cancellation: long work asks now and then whether its caller still wants the result.

    with cancellable(job.check):
        ...            # `check_cancelled` anywhere below calls `job.check`, which raises when the job was cancelled

It applies to the current thread and to the calls inside the block. Outside of it `check_cancelled` does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

Check = Callable[[], None]
"""Raises the exception that ends the work once it is cancelled."""

_check: Final[ContextVar[Check | None]] = ContextVar("check", default=None)


@contextmanager
def cancellable(check: Check) -> Iterator[None]:
    """Run the block so that `check` can end it by raising."""
    before = _check.set(check)
    try:
        yield
    finally:
        _check.reset(before)


def check_cancelled() -> None:
    """Raise if the work was cancelled."""
    check = _check.get()
    if check is not None:
        check()
