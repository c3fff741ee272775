"""The one family of exceptions of the library: what is wrong, in which file and cell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from editor.process.engine_errors import engine_errors
from editor.scripting.values import Id


class Error(Exception):
    """What the library raises for data and requests that are no good; `file` and `cell` are None where none is meant.

    Wrong types of arguments raise Python's own exceptions.
    """

    __module__ = "cellar_door"  # by which tracebacks call it

    def __init__(self, reason: str, *, file: str | None = None, cell: int | None = None) -> None:
        self.reason = reason
        self.file = file
        self.cell = None if cell is None else Id(cell)
        super().__init__(f"{file}: {reason}" if file else reason)


class OpenError(Error):
    """A world, recording or capture cannot be opened."""

    __module__ = "cellar_door"


class RefusedError(Error):
    """The engine refuses an edit, a place, a key or a question; nothing has changed."""

    __module__ = "cellar_door"


class ClosedError(Error):
    """A world, a run or a recording was asked after it was closed."""

    __module__ = "cellar_door"


@contextmanager
def reported(kind: type[Error] = RefusedError) -> Iterator[None]:
    """Raise the engine's exceptions as one of the library."""
    try:
        yield
    except engine_errors() as error:
        raise _reported(error, kind) from None  # the engine's own stays in its __context__
    except OSError as error:
        reason = error.strerror or str(error)
        raise kind(reason, file=None if error.filename is None else str(error.filename)) from None


def _reported(error: Exception, kind: type[Error]) -> Error:
    file = getattr(error, "file", None)
    reason = str(getattr(error, "reason", error))
    key = getattr(error, "key", None)
    cell = getattr(error, "record_id", None)
    return kind(
        f"{key}: {reason}" if key else reason,
        file=None if file is None else str(file),
        cell=cell if isinstance(cell, int) else None,
    )
