"""A project: what was changed in which world, as a value that can be kept in a file and made again.

What is kept. The source by its name; every step of the undo stack that is made, with its name, its edits and the edits
that take it back; and `now`, the edits that bring everything there where it stood. Of time only what it has come to is
kept: where everybody stands and how fast he is, which doors are open and how long they stay so. Opened again a project
begins at tick 0, and what counts ticks counts from there. The recording, what was undone, and the single edits of a
drag are not kept.

Opening it (`editor/project/project_replay.py`) makes the steps again, one after the other, and then `now`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from editor.document.step_application import ids_of
from editor.document.undo_stack import Step
from editor.document.world_diff import EditableState, way
from editor.session.sources import DEMO, PROJECT_SUFFIX
from engine import __version__
from engine.entities.door import NEVER
from engine.sim.edits.doors import SetDoorTimer
from engine.sim.edits.edit import Edit
from engine.sim.edits.player import SetPlayerNumber
from engine.sim.edits.world import RestoreSnapshot

SUFFIX: Final = PROJECT_SUFFIX
LEVELS_UP: Final = 3
"""A source that lies further away is named by its whole path."""

NEVER_KEPT: Final = RestoreSnapshot
"""An edit that only holds at the tick it was made at; undo makes it, and what is undone is not kept."""


class ProjectError(Exception):
    """A project that can not be used or kept; `file` says which."""

    def __init__(self, reason: str, file: str | None = None) -> None:
        self.reason = reason
        self.file = file
        super().__init__(f"{file}: {reason}" if file else reason)


@dataclass(frozen=True)
class Project:
    """`source` is what `open_source` takes, or a path relative to the project's folder."""

    source: str
    world: str
    scene: str | None = None
    place: int = 0
    """The landblock or cell that was asked for when the source was opened, or 0."""
    landblock: int | None = None
    """The one in view."""
    tick: int = 0
    """How far time had come when it was saved; only told."""
    identity: dict[str, str] = field(default_factory=dict)
    """What the world was like, as far as the edits touch it (`engine/sim/world_identity.py`)."""
    joined: tuple[int, ...] = ()
    """The landblocks whose things were there."""
    steps: tuple[Step, ...] = ()
    now: tuple[Edit, ...] = ()
    program: str = __version__
    saved: str = ""
    """When, as ISO 8601."""
    unsaved: int = 0
    """Of an autosave: how many steps its project's own file lacks."""
    file: str = ""
    """Of an autosave: the project's own file, if it has one."""
    within: str = ""
    """Of a source that is a recording: where its world is, if not where it says. Relative as the source is."""

    def landblocks(self) -> list[int]:
        """All that edits or the view may need, and more: whatever has the form of a landblock's or a cell's id."""
        edits = [edit for step in self.steps for edit in step.edits] + list(self.now)
        found = {value | 0xFFFF for value in ids_of(edits) if value <= 0xFFFFFFFF}
        if self.landblock is not None:
            found.add(self.landblock)
        return sorted(found)

    def beside(self, folder: Path) -> Project:
        """The same as a file in that folder would have it: with a relative path to a source nearby. An autosave goes
        nowhere with its source."""
        source, within = (_beside(name, None if self.unsaved else folder) for name in (self.source, self.within))
        return replace(self, source=source, within=within)

    def source_from(self, folder: Path) -> str:
        """What to open, for a file that lies in that folder."""
        return _from(self.source, folder)

    def within_from(self, folder: Path) -> str:
        """Where the world of a recording is then; empty where it says."""
        return _from(self.within, folder)


def _beside(source: str, folder: Path | None) -> str:
    if source in (DEMO, ""):
        return source
    return os.path.abspath(source) if folder is None else relative_source(source, folder)


def _from(source: str, folder: Path) -> str:
    return source if source in (DEMO, "") else os.path.normpath(folder / source)


def relative_source(source: str, folder: Path) -> str:
    """With forward slashes whatever the system, so that the folder can go elsewhere."""
    if source == DEMO:
        return source
    whole = os.path.abspath(source)
    try:
        near = os.path.relpath(whole, os.path.abspath(folder))
    except ValueError:  # on another drive
        return whole
    parts = Path(near).parts
    return whole if parts[: LEVELS_UP + 1] == (os.pardir,) * (LEVELS_UP + 1) else Path(near).as_posix()


def shifted(edits: Iterable[Edit], ticks: int) -> tuple[Edit, ...]:
    """The same edits at another time: what counts ticks counts so many more, and none from before the beginning."""
    return tuple(_shifted(edit, ticks) for edit in edits)


def _shifted(edit: Edit, ticks: int) -> Edit:
    if not isinstance(edit, SetDoorTimer) or edit.tick == NEVER:
        return edit
    return SetDoorTimer(edit.door_id, max(edit.tick + ticks, 0))


def kept_steps(steps: Iterable[Step], now: EditableState) -> tuple[Step, ...]:
    """Steps as they are kept: their ticks are counted from now on."""
    return tuple(Step(step.name, _kept(step.edits, now.tick), _kept(step.inverse, now.tick)) for step in steps)


def _kept(edits: Iterable[Edit], tick: int) -> tuple[Edit, ...]:
    return shifted((edit for edit in edits if not isinstance(edit, NEVER_KEPT)), -tick)


def come_to(start: EditableState, now: EditableState, steps: Iterable[Step]) -> tuple[Edit, ...]:
    """What a world that began as `start` and has these steps has come to."""
    edits = [edit for step in steps for edit in step.edits]
    numbers = frozenset(edit.number for edit in edits if isinstance(edit, SetPlayerNumber))
    return tuple(way(start, now, frozenset(ids_of(edits)), numbers))
