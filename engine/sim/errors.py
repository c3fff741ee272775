"""The one exception of recording and replay."""

from __future__ import annotations


class SimError(Exception):
    """A recording that cannot be used, or a run that cannot be replayed; `file` is its source."""

    def __init__(self, reason: str, file: str | None = None) -> None:
        self.reason = reason
        self.file = file
        super().__init__(f"{file}: {reason}" if file else reason)
