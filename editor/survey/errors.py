"""The exception of surveys."""

from __future__ import annotations


class SurveyError(Exception):
    """A survey cannot begin or go on: the file or address, and the reason."""

    def __init__(self, reason: str, file: str | None = None) -> None:
        self.reason = reason
        self.file = file
        super().__init__(f"{file}: {reason}" if file else reason)
