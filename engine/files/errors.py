"""The error of `engine.files`; the reader of each kind of file converts it into its own."""

from __future__ import annotations

import errno
import os


class FileError(Exception):
    """A refused file; `reason` is a clause that follows the file's name."""

    def __init__(self, reason: str, file: str | os.PathLike[str]) -> None:
        self.reason = reason
        self.file = os.fspath(file)
        super().__init__(f"{self.file}: {reason}")


def why(error: OSError | ValueError) -> str:
    """The system's message about a file; a ValueError means a name that no file can have. What is not there is told in
    the same words everywhere: Windows has several, in the language of its user."""
    if isinstance(error, FileNotFoundError):
        return os.strerror(errno.ENOENT)
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
