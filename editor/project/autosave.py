"""Autosaves: unsaved edits in a file of their own some seconds after they were made, and what a program that was
killed has left of them.

    <folder>/1f0c2a….cellardoor        the project, with what it is an autosave of
    <folder>/1f0c2a….cellardoor.lock   held by the process that writes it, for as long as that lives

Every window has a file of its own, so two of them do not fight. Whoever can take the lock of another one knows that
its process is gone.
"""

from __future__ import annotations

import os
import re
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal, Slot

from editor.project.open_project import ProjectKeeper
from editor.project.owned_files import close_to_others, is_own_file, is_own_folder, make_own_folder
from editor.project.project import SUFFIX, Project, ProjectError
from editor.project.project_file import load_opened, open_project, save_project
from editor.session import background

DELAY_MS: Final = 3000
"""From the first edit that is not in the file; further edits do not put it off."""
LOCK: Final = ".lock"
ASIDE: Final = ".damaged"
_HALF: Final = re.compile(rf"\.(.+{re.escape(SUFFIX)})\.[0-9]+-[0-9]+\.tmp")
"""What is left of somebody who died while he wrote (`engine/dat/atomic.py`)."""


@dataclass
class LockedFile:
    """A file to save into, with its lock, which is held."""

    path: Path
    lock: QLockFile

    def clear(self) -> None:
        """Nobody needs it any more. What can not be removed will be offered once more."""
        with suppress(OSError):
            self.path.unlink()
        self.lock.unlock()


def _take(path: Path) -> QLockFile | None:
    """The lock of a file, when no living process holds it."""
    lock = QLockFile(f"{path}{LOCK}")
    lock.setStaleLockTime(0)  # a process that lives keeps it, however long
    return lock if lock.tryLock(0) else None


class _Saving(background.Job):
    """Writes one autosave, unless it is not wanted any more."""

    class Signals(QObject):
        done = Signal(str)
        """Why it could not be written; empty when it was."""

    def __init__(self, project: Project, path: Path) -> None:
        super().__init__()
        self.signals = _Saving.Signals()
        self._gate = threading.Lock()
        self._is_wanted = True
        self._project = project
        self._path = path

    def work(self) -> None:
        reason = ""
        with self._gate:
            if not self._is_wanted:
                return
            try:
                save_project(self._project, self._path, private=True)
            except ProjectError as error:
                reason = error.reason
        if not background.is_ending():
            self.signals.done.emit(reason)

    def give_up(self) -> None:
        """Afterwards nothing is written any more."""
        with self._gate:
            self._is_wanted = False


class Autosaver(QObject):
    """Keeps the unsaved edits of one window. There is a file only while there are some."""

    told = Signal(str)
    """A sentence, once, when autosaves can not be written any more."""
    saved = Signal()

    def __init__(self, keeper: ProjectKeeper, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.keeper = keeper
        self.folder = folder
        close_to_others(folder)  # an earlier version has let everybody read
        self.place: LockedFile | None = None
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(DELAY_MS)
        self.timer.timeout.connect(self.save)
        self._job: _Saving | None = None
        self._has_failed = False
        keeper.document.started.connect(self._on_started)
        keeper.document.edited.connect(self._on_edited)
        keeper.changed.connect(self._on_changed)

    @property
    def is_busy(self) -> bool:
        """Something is being written now."""
        return self._job is not None and not self._job.is_done

    # --- when

    @Slot()
    def _on_started(self) -> None:
        """Another world: what there was of the old one is saved or not wanted."""
        self.clear()
        self._on_changed()

    @Slot()
    def _on_edited(self) -> None:
        if self.keeper.is_dirty and not self.timer.isActive():
            self.timer.start()

    @Slot()
    def _on_changed(self) -> None:
        """What is saved needs no autosave, and what was undone neither."""
        if self.keeper.is_dirty:
            self._on_edited()
        else:
            self.clear()

    @Slot()
    def save(self) -> None:
        """Begin to write what is unsaved now. What the world is like is looked at first, bit by bit."""
        world = self.keeper.session.world
        if world is None or not self.keeper.is_dirty:
            return
        if self.is_busy:
            self.timer.start()
            return
        project = self.keeper.project()
        unseen = self.keeper.lacks_identity(project)
        if unseen:
            self.keeper.look_at(world, unseen[0])
            QTimer.singleShot(0, self, self.save)
            return
        if self.place is None:
            self.place = self._new_place()
        if self.place is not None:
            self._write(self._marked(self.keeper.identified(project)), self.place.path)

    def save_now(self, *, look: bool = True) -> str:
        """Write what is unsaved before the program ends, and nothing older after it; a reason when that fails. Without
        `look`, there is no time to note what landblocks are like that nobody has looked at yet."""
        return self._save_at_once(lambda: self.keeper.identified(self.keeper.project(), look=look))

    def save_steps(self) -> str:
        """For another thread, while the window's own does not answer: the steps alone, which never change."""
        return self._save_at_once(self.keeper.steps_alone)

    def _save_at_once(self, make: Callable[[], Project]) -> str:
        if not self.keeper.is_dirty:
            return ""
        if self._job is not None:
            self._job.give_up()
            self._job = None
        self.place = self.place or self._new_place()
        if self.place is None:
            return f"{self.folder} can not be written to"
        try:
            save_project(self._marked(make()), self.place.path, private=True)
        except ProjectError as error:
            return error.reason
        return ""

    def _marked(self, project: Project) -> Project:
        own = "" if self.keeper.path is None else str(self.keeper.path.absolute())
        return replace(project, unsaved=max(self.keeper.unsaved, 1), file=own)

    def _new_place(self) -> LockedFile | None:
        path = self.folder / f"{uuid.uuid4().hex}{SUFFIX}"
        try:
            make_own_folder(self.folder)
        except OSError as error:
            self._on_done(f"the folder can not be used: {error.strerror or error}")
            return None
        lock = _take(path)
        if lock is None:
            self._on_done("the folder can not be written to")
            return None
        return LockedFile(path, lock)

    def _write(self, project: Project, path: Path) -> None:
        job = self._job = _Saving(project, path)
        job.signals.done.connect(self._on_done)
        background.start(job, apart=True)

    @Slot(str)
    def _on_done(self, reason: str) -> None:
        if not reason:
            self._has_failed = False
            self.saved.emit()
        elif not self._has_failed:
            self._has_failed = True
            self.told.emit(f"Your edits can not be kept safe in {self.folder}: {reason}. Save the project yourself.")

    # --- what becomes of the file

    def adopt(self, left: Left) -> None:
        """What was recovered from an autosave is in it, and stays there until it is saved."""
        if self.place is not None:
            self.clear()
        self.place = LockedFile(left.path, left.lock)

    def clear(self) -> None:
        """There is nothing to recover any more."""
        self.timer.stop()
        if self._job is not None:
            self._job.give_up()
            self._job = None
        if self.place is not None:
            self.place.clear()
            self.place = None


# --- what was left


@dataclass
class Left:
    """An autosave whose process is gone; its lock is held while somebody decides what becomes of it."""

    path: Path
    lock: QLockFile
    project: Project

    @property
    def sentence(self) -> str:
        count = self.project.unsaved
        edits = "1 edit" if count == 1 else f"{count:,} edits"
        were = "was" if count == 1 else "were"
        name = Path(self.project.file).stem if self.project.file else self.project.world
        return f"{edits} of ‘{name}’ from {when_text(self.project.saved)} {were} not saved."

    def discard(self) -> None:
        LockedFile(self.path, self.lock).clear()

    def leave(self) -> None:
        """For another time."""
        self.lock.unlock()


@dataclass(frozen=True)
class Damaged:
    """An autosave that can not be read, and where it was put."""

    path: Path
    reason: str

    @property
    def sentence(self) -> str:
        return f"Unsaved edits of an earlier session can not be recovered: their file {self.reason}."

    @property
    def details(self) -> str:
        return f"It was put aside as {self.path}"


def find_left(folder: Path) -> Iterator[Left | Damaged]:
    """The autosaves of processes that are gone, the latest first: files of ours in a folder of ours."""
    if not is_own_folder(folder):
        return
    try:
        for path in list(folder.iterdir()):
            _clean_up(path)
        paths = [path for path in folder.iterdir() if path.name.endswith(SUFFIX)]
        paths.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:  # there is no such folder yet, or another window has just cleaned up in it
        return
    for path in paths:
        lock = _take(path)
        if lock is not None:
            found = _read(path, lock, folder)
            if found is None:
                lock.unlock()
            else:
                yield found


def _clean_up(path: Path) -> None:
    """Halves of files, and locks without a file, of somebody who is gone."""
    half = _HALF.fullmatch(path.name)
    of = path.with_name(half[1] if half is not None else path.name.removesuffix(LOCK))
    if half is None and (of == path or of.exists()):
        return
    lock = _take(of)
    if lock is not None:
        if half is not None:
            path.unlink(missing_ok=True)
        lock.unlock()


def _read(path: Path, lock: QLockFile, folder: Path) -> Left | Damaged | None:
    """None for what somebody else has put there."""
    try:
        opened = open_project(path)
        return Left(path, lock, load_opened(opened)) if is_own_file(opened, folder) else None
    except ProjectError as error:
        aside = path.with_name(path.name + ASIDE)
        try:
            os.replace(path, aside)
        except OSError:  # it is told all the same, and found again the next time
            aside = path
        lock.unlock()
        return Damaged(aside, error.reason)


def when_text(saved: str) -> str:
    """A time of ISO 8601 as people say it: the hour, and the day unless that is today."""
    try:
        when = datetime.fromisoformat(saved).astimezone()
    except (ValueError, OverflowError):
        return "an earlier session"
    today = when.date() == datetime.now().astimezone().date()
    return f"{when:%H:%M}" if today else f"{when.day} {when:%B, %H:%M}"
