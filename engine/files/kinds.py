"""The kinds of files that are read, and their size limits.

Beside each limit is the largest real file known: from the shared fixtures and goldens, from what this program writes
itself, from a retail client. docs/reference/security.md lists them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

MB: Final = 1 << 20


class FileKind(NamedTuple):
    """The noun with its article for sentences, and the size limit in bytes."""

    name: str
    most: int


WORLD_JSON: Final = FileKind("a JSON file", 64 * MB)
"""A scene (at most 0.3 MB), a dumped cell or model (0.1 MB), a golden (0.7 MB), `entities.json` (7 MB for 20,000
entities), cases for `visible`."""
RECORDING: Final = FileKind("a recording", 512 * MB)
"""An hour of the demo world has 11 MB."""
CAPTURE: Final = FileKind("a capture", 128 * MB)
"""A recorded move has 1.5 KB: 80,000 moves, three quarters of an hour."""
PROJECT: Final = FileKind("a project", 64 * MB)
"""A hundred edited rooms have 24 KB."""
SCRIPT: Final = FileKind("a script", 1 * MB)
"""Some lines of text."""
SETTINGS: Final = FileKind("a settings file", 4 * MB)
"""The window's layout and the recent files: some 20 KB when full."""
OWN: Final = FileKind("a file of this program", 64 * MB)
"""Icons, shaders, descriptions; the demo world's files (6 MB) and what names them."""
