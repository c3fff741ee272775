"""A project: the edits of a world, as a value that a file can hold and that can be replayed.

It holds the source by its name; every done step of the undo stack with its name, its edits and its inverse edits; and
`now`, the edits that bring everything to where it stood. Of time it holds only the result: where everything stands and
how fast it moves, which doors are open and for how long. A project opens at tick 0, and tick numbers count from there.
The recording, undone steps, and the single edits of a drag are not kept.

Opening (`editor/project/project_replay.py`) replays the steps in their order, and then `now`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from editor.document.step import Step
from editor.document.step_application import ids_of
from editor.document.world_diff import EditableState, edits_between
from editor.project.eye import Eye
from editor.session.sources import DEMO, PROJECT_SUFFIX
from engine import __version__
from engine.entities.door import NEVER
from engine.sim.edits.doors import SetDoorTimer
from engine.sim.edits.edit import Edit
from engine.sim.edits.player import SetPlayerNumber
from engine.sim.edits.world import RestoreSnapshot
from engine.world.names import NameKey
from engine.world.server.place import ServerPlace, is_url

SUFFIX: Final = PROJECT_SUFFIX
LEVELS_UP: Final = 3
"""A source further away is named by its absolute path."""

NEVER_KEPT: Final = RestoreSnapshot
"""Valid only at the tick at which it was made; undo makes such edits, and undone steps are not kept."""


class ProjectError(Exception):
    """A project that cannot be used or saved; `file` names it."""

    def __init__(self, reason: str, file: str | None = None) -> None:
        self.reason = reason
        self.file = file
        super().__init__(f"{file}: {reason}" if file else reason)


@dataclass(frozen=True)
class KeptCondition:
    """A condition of *Stop When*, as its text."""

    text: str
    stops: bool
    """Time stops at it."""


@dataclass(frozen=True)
class KeptWalk:
    """A recording or a capture that keeps watch: its name, the bytes of its file, and the steps that were done when it
    was kept. Later steps are what it watches."""

    name: str
    data: bytes
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True)
class KeptSurvey:
    """What a survey of a landblock has found: how many of the project's first steps had been done when it was searched,
    the cells that were stale without that showing in the steps, and the survey's own data."""

    block_id: int
    steps: int
    stale: tuple[int, ...]
    about: bytes
    parts: tuple[bytes, ...]


@dataclass(frozen=True)
class Project:
    """`source` is what `open_source` takes, or a path relative to the project's folder."""

    source: str
    world: str
    scene: str | None = None
    place: int = 0
    """The landblock or cell requested when the source was opened, or 0."""
    landblock: int | None = None
    """The landblock in view."""
    tick: int = 0
    """The tick at which it was saved; for display only."""
    identity: dict[str, str] = field(default_factory=dict)
    """The identity of the world, as far as the edits touch it (`engine/sim/world_identity.py`)."""
    joined: tuple[int, ...] = ()
    """The landblocks that had come in."""
    steps: tuple[Step, ...] = ()
    now: tuple[Edit, ...] = ()
    program: str = __version__
    saved: str = ""
    """The time of saving, in ISO 8601."""
    unsaved: int = 0
    """In an autosave: the number of steps that the project's own file lacks."""
    file: str = ""
    """In an autosave: the project's own file, if it has one."""
    names: dict[NameKey, str] = field(default_factory=dict)
    """The names of cells, portals and models that differ from those that come with the world."""
    within: str = ""
    """For a source that is a recording: where its world is, unless where the recording says. Relative as the source
    is."""
    eye: Eye | None = None
    """Where the free camera stood, if it was in use."""
    conditions: tuple[KeptCondition, ...] = ()
    """What time stops at; like the camera, no edit."""
    server: ServerPlace | None = None
    """The server data in its world; None where that is not known. Relative as the source is."""
    walks: tuple[KeptWalk, ...] = ()
    """The walks that are run again after edits; like the conditions, no edit."""
    survey: KeptSurvey | None = None
    """The results of the last survey; no edit either."""

    def landblocks(self) -> list[int]:
        """The landblocks that edits or the view may need; every number in the form of a cell's id counts."""
        edits = [edit for step in self.steps for edit in step.edits] + list(self.now)
        found = {value | 0xFFFF for value in ids_of(edits) if value <= 0xFFFFFFFF}
        if self.landblock is not None:
            found.add(self.landblock)
        return sorted(found)

    def beside(self, folder: Path) -> Project:
        """The project as a file in that folder holds it, with a relative path to a source nearby. Autosaves store
        absolute paths."""
        source, within = (_beside(name, None if self.unsaved else folder) for name in (self.source, self.within))
        server = self.server
        if server is not None:
            paths = (path if is_url(path) else _beside(path, None if self.unsaved else folder) for path in server.paths)
            server = replace(server, paths=tuple(paths))
        return replace(self, source=source, within=within, server=server)

    def source_from(self, folder: Path) -> str:
        """The source to open, for a file in that folder."""
        return _from(self.source, folder)

    def within_from(self, folder: Path) -> str:
        """The world of a recording to open then; empty where the recording says."""
        return _from(self.within, folder)

    def server_from(self, folder: Path) -> ServerPlace | None:
        """The server data to open with its world."""
        if self.server is None:
            return None
        paths = (path if is_url(path) else os.path.normpath(folder / path) for path in self.server.paths)
        return replace(self.server, paths=tuple(paths))


def _beside(source: str, folder: Path | None) -> str:
    if source in (DEMO, ""):
        return source
    return os.path.abspath(source) if folder is None else relative_source(source, folder)


def _from(source: str, folder: Path) -> str:
    return source if source in (DEMO, "") else os.path.normpath(folder / source)


def relative_source(source: str, folder: Path) -> str:
    """The path relative to the folder, with forward slashes on every system, so that the folder can be moved."""
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
    """The same edits at another time: tick numbers move by `ticks`, and none falls below 0."""
    return tuple(_shifted(edit, ticks) for edit in edits)


def _shifted(edit: Edit, ticks: int) -> Edit:
    if not isinstance(edit, SetDoorTimer) or edit.tick == NEVER:
        return edit
    return SetDoorTimer(edit.door_id, max(edit.tick + ticks, 0))


def saved_steps(steps: Iterable[Step], now: EditableState) -> tuple[Step, ...]:
    """The steps as a project holds them: their ticks count from now on."""
    return tuple(
        Step(step.name, _kept(step.edits, now.tick), _kept(step.inverse, now.tick), names=step.names) for step in steps
    )


def _kept(edits: Iterable[Edit], tick: int) -> tuple[Edit, ...]:
    return shifted((edit for edit in edits if not isinstance(edit, NEVER_KEPT)), -tick)


def saved_walks(walks: Iterable[KeptWalk], done: Sequence[Step], now: EditableState) -> tuple[KeptWalk, ...]:
    """The walks as a project with the steps `done` holds them."""
    kept = saved_steps(done, now)
    found = []
    for walk in walks:
        shared = shared_steps(walk.steps, done)
        found.append(replace(walk, steps=(*kept[:shared], *saved_steps(walk.steps[shared:], now))))
    return tuple(found)


def shared_steps(one: Sequence[Step], two: Sequence[Step]) -> int:
    """The number of steps with which both begin."""
    count = 0
    for before, after in zip(one, two, strict=False):
        if before is not after and (before.name, before.edits) != (after.name, after.edits):
            break
        count += 1
    return count


def edits_to_now(start: EditableState, now: EditableState, steps: Iterable[Step]) -> tuple[Edit, ...]:
    """The edits that bring a world which began as `start`, with these steps replayed, to `now`."""
    edits = [edit for step in steps for edit in step.edits]
    numbers = frozenset(edit.number for edit in edits if isinstance(edit, SetPlayerNumber))
    return tuple(edits_between(start, now, frozenset(ids_of(edits)), numbers))
