"""The list of kept walks: those of the project, and those of a folder that is watched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from editor.document.document import Document
from editor.document.undo_stack import Step
from editor.project.project import KeptWalk
from editor.project.walk_forms import LONGEST, size_problem, walk_name_problem
from engine.sim.walks.outcome import Outcome

_numbers: Final = count()


@dataclass(eq=False)
class WalkEntry:
    """A walk of the list. One of a folder has its file's path instead of data."""

    walk: KeptWalk
    path: Path | None = None
    outcome: Outcome | None = None
    """What became of it when it was run last; None before."""
    differing: tuple[str, ...] = ()
    """The parts of its world that are others than those it was recorded in."""
    number: int = field(default_factory=lambda: next(_numbers))

    @property
    def name(self) -> str:
        return self.walk.name

    @property
    def goes_otherwise(self) -> bool:
        return self.outcome is not None and not self.outcome.is_as_before

    @property
    def sentence(self) -> str:
        """Such as "Walk ‘cellar stair’ goes otherwise from tick 121: position, 0.27 m"."""
        said = "was not run yet" if self.outcome is None else self.outcome.sentence
        return f"Walk ‘{self.name}’ {said}"

    @property
    def details(self) -> list[str]:
        lines = [] if self.outcome is None else self.outcome.details
        if self.differing:
            lines.append(f"its world is another one now: {', '.join(self.differing)} differ")
        return lines


class KeptWalks(QObject):
    """The list; a project that is opened brings its own, any other world none."""

    changed = Signal()
    """Other walks are kept, or some by other names."""
    forgotten = Signal()
    """All of them went with their world."""
    edited = Signal()
    """The user changed what the project keeps."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.entries: list[WalkEntry] = []
        self.folder: Path | None = None
        """The folder that is watched."""
        document.started.connect(self._on_started)

    # --- asking

    def forms(self) -> tuple[KeptWalk, ...]:
        """Those that the project keeps."""
        return tuple(entry.walk for entry in self.entries if entry.path is None)

    def find(self, number: object) -> WalkEntry | None:
        return next((entry for entry in self.entries if entry.number == number), None)

    @property
    def otherwise(self) -> list[WalkEntry]:
        """Those that do not go as before."""
        return [entry for entry in self.entries if entry.goes_otherwise]

    @property
    def files(self) -> list[Path]:
        """The files of the folder that is watched."""
        return [entry.path for entry in self.entries if entry.path is not None]

    def free_name(self, wanted: str) -> str:
        """A name that no walk has: the wanted one, or with a number."""
        taken = {entry.name for entry in self.entries}
        wanted = wanted[: LONGEST - 5]
        return next(
            name
            for name in (wanted, *(f"{wanted} {number}" for number in range(2, len(taken) + 3)))
            if name not in taken
        )

    def why_not_add(self, name: str, size: int) -> str:
        """Why the project cannot keep one more walk of this size; "" when it can."""
        problem = walk_name_problem(name)
        if problem:
            return problem
        if any(entry.name == name for entry in self.entries):
            return f"There is a walk ‘{name}’ already."
        problem = size_problem([*(len(walk.data) for walk in self.forms()), size])
        return f"The project {problem}: remove one first." if problem else ""

    # --- changing

    def add(self, name: str, data: bytes, steps: Sequence[Step]) -> str:
        """Keep a walk in the project; returns why that cannot be done, "" when it was."""
        problem = self.why_not_add(name, len(data))
        if not problem:
            self.entries.append(WalkEntry(KeptWalk(name, data, tuple(steps))))
            self._tell_edited()
        return problem

    def rename(self, entry: WalkEntry, name: str) -> str:
        """Give a walk of the project another name; returns why that cannot be done, "" when it was."""
        if name == entry.name or entry.path is not None:
            return ""
        problem = self.why_not_add(name, 0)
        if not problem:
            entry.walk = replace(entry.walk, name=name)
            self._tell_edited()
        return problem

    def remove(self, entry: WalkEntry) -> None:
        """Forget a walk. The file of one in a folder stays."""
        self.entries.remove(entry)
        if entry.path is None:
            self._tell_edited()
        else:
            self.changed.emit()

    def accept(self, entry: WalkEntry, data: bytes, steps: Sequence[Step]) -> str:
        """Let this be the truth of a walk of the project from now on; returns why that cannot be done."""
        others = [len(walk.data) for walk in self.forms() if walk is not entry.walk]
        problem = size_problem([*others, len(data)])
        if problem:
            return f"The project {problem}."
        entry.walk = replace(entry.walk, data=data, steps=tuple(steps))
        self._tell_edited()
        return ""

    def watch_folder(self, folder: Path | None, files: Sequence[tuple[Path, str]] = ()) -> None:
        """Watch the walks in a folder, by their names there, instead of those of another; None watches none."""
        self.folder = folder
        self.entries = [entry for entry in self.entries if entry.path is None]
        self.entries += [WalkEntry(KeptWalk(name, b""), path) for path, name in files]
        self.changed.emit()

    def _tell_edited(self) -> None:
        self.changed.emit()
        self.edited.emit()

    @Slot()
    def _on_started(self) -> None:
        opened = self.document.session.project
        self.folder = None
        self.entries = [] if opened is None else [WalkEntry(walk) for walk in opened.project.walks]
        self.forgotten.emit()
        self.changed.emit()
