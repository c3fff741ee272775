"""The kinds of files that are read, and their size limits.

The number beside each limit is the largest real file known: from the shared fixtures and goldens, from this program's
own output, or from a retail client. docs/reference/security.md lists them.
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
"""An hour in the demo world takes 11 MB."""
CAPTURE: Final = FileKind("a capture", 128 * MB)
"""A recorded move takes 1.5 KB, so this is 80,000 moves or three quarters of an hour."""
PROJECT: Final = FileKind("a project", 64 * MB)
"""A hundred edited rooms take 24 KB."""
NAMES: Final = FileKind("a names file", 16 * MB)
"""50,000 names, the most that are read, take 3 MB; of the longest, in any script, 14 MB."""
SCRIPT: Final = FileKind("a script", 1 * MB)
"""A few lines of text."""
USER_SCRIPT: Final = FileKind("a user's script", 1 * MB)
"""A Python script of the user: a few KB."""
SETTINGS: Final = FileKind("a settings file", 4 * MB)
"""The window's layout and the recent files: about 20 KB when full."""
OWN: Final = FileKind("a file of this program", 64 * MB)
"""Icons, shaders, descriptions; the demo world's files (6 MB) and their list of names."""
SERVER_SQL: Final = FileKind("an SQL file of server data", 8 * MB)
"""A landblock with 5,000 instances takes 1.7 MB; a weenie at most a few hundred KB."""
SERVER_DATABASE: Final = FileKind("a database of server data", 4096 * MB)
"""A whole world takes about 300 MB. It is read row by row."""
SERVER_INDEX: Final = FileKind("an index of server data", 64 * MB)
"""113,000 files take about 15 MB."""
REPRODUCTION: Final = FileKind("a reproduction", 1024 * MB)
"""A walk in the demo world takes 2 MB; nine landblocks of a town with all their textures some tens."""
BASELINE: Final = FileKind("a baseline", 16 * MB)
"""A line of a known finding takes about 150 bytes: 100,000 of them."""
SURVEY_REPORT: Final = FileKind("the report of a survey", 512 * MB)
"""65,025 landblocks without findings take 4 MB, a finding 300 bytes, with its recording about 50 KB."""
SURVEY_JOURNAL: Final = FileKind("the journal of a survey", 2048 * MB)
"""A line of at most 64 MB for each landblock, read one by one; 65,025 landblocks without findings take 10 MB."""
PROBLEM_REPORT: Final = FileKind("a problem report", 1 * MB)
"""Ten tracebacks of 12 KB, forty lines of what was done, and the stacks of a crash: at most 200 KB."""
