"""The exception of findings that cannot be read."""

from __future__ import annotations


class FindingError(Exception):
    """A finding or a baseline is not in its form: the file or field, and the reason."""

    def __init__(self, reason: str, file: str | None = None) -> None:
        self.reason = reason
        self.file = file
        super().__init__(f"{file}: {reason}" if file else reason)
