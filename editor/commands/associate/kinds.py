"""The kinds of files that are ours alone, by their suffixes, and the words that systems show for them.

Captures end in `.jsonl`, as files of many other programs do: they are opened by name, and no system is told that all of
them are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from editor.export.recordings import RECORDING_SUFFIX
from editor.export.reproduction import REPRODUCTION_SUFFIX
from editor.session.sources import PROJECT_SUFFIX


@dataclass(frozen=True)
class OwnKind:
    """One kind; `word` makes its names in the registries of systems."""

    suffix: str
    word: str
    title: str

    @property
    def mime(self) -> str:
        return f"application/x-cellar-door-{self.word}"

    @property
    def prog_id(self) -> str:
        """Its name in Windows' registry."""
        return f"CellarDoor.{self.word.capitalize()}"


OWN_KINDS: Final = (
    OwnKind(PROJECT_SUFFIX, "project", "Cellar Door project"),
    OwnKind(RECORDING_SUFFIX, "recording", "Cellar Door recording"),
    OwnKind(REPRODUCTION_SUFFIX, "reproduction", "Cellar Door reproduction"),
)
