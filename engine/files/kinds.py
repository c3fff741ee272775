"""The kinds of files that are read, and how large each may be.

The largest real ones known are given beside each limit: of the shared fixtures and goldens, of what this program
writes itself, of a retail client. docs/reference/security.md lists them for people.
"""

from __future__ import annotations

from typing import Final, NamedTuple

MB: Final = 1 << 20


class FileKind(NamedTuple):
    """What a sentence calls it, with its article, and how many bytes it may have."""

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
"""The window's layout and what was opened lately: some 20 KB when full."""
OWN: Final = FileKind("a file of this program", 64 * MB)
"""Icons, shaders, descriptions; the demo world's files (6 MB) and what names them."""
