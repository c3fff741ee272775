"""The one error of the door; whoever reads a kind of file turns it into his own."""

from __future__ import annotations

import os


class FileError(Exception):
    """A file that is not read; `reason` is a sentence that goes on after the file's name."""

    def __init__(self, reason: str, file: str | os.PathLike[str]) -> None:
        self.reason = reason
        self.file = os.fspath(file)
        super().__init__(f"{self.file}: {reason}")


def why(error: OSError | ValueError) -> str:
    """What the system says about a file, in its words alone; a ValueError is about a name no file can have."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
