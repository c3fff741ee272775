"""Autosaves: writes unsaved edits into a file some seconds after they were made, and finds those of killed programs.

    <folder>/1f0c2a….cellardoor        the project, and the file that it is an autosave of
    <folder>/1f0c2a….cellardoor.lock   locked by the process that writes it, for as long as that process lives

Every window has a file of its own, so two windows never share one. A process that can take the lock of another file
knows that the process of that file is gone.
"""

from __future__ import annotations

import os
import re
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
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
"""Counted from the first edit that the file lacks; further edits do not postpone it."""
LOCK: Final = ".lock"
ASIDE: Final = ".damaged"
_HALF: Final = re.compile(rf"\.(.+{re.escape(SUFFIX)})\.[0-9]+-[0-9]+\.tmp")
"""The temporary file of a process that died while writing (`engine/dat/atomic.py`)."""


@dataclass
class LockedFile:
    """A file to save into, with its lock held."""

    path: Path
    lock: QLockFile

    def clear(self) -> None:
        """Remove the file and release the lock. A file that cannot be removed will be offered for recovery once
        more."""
        with suppress(OSError):
            self.path.unlink()
        self.lock.unlock()


def _take(path: Path) -> QLockFile | None:
    """The lock of a file; None while a living process holds it."""
    lock = QLockFile(f"{path}{LOCK}")
    lock.setStaleLockTime(0)  # a living process keeps it, however long
    return lock if lock.tryLock(0) else None


class _Saving(background.Job):
    """Writes one autosave, unless it was cancelled meanwhile."""

    class Signals(QObject):
        done = Signal(str)
        """The reason why writing failed; empty when it succeeded."""

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
        """Cancel: nothing is written from now on."""
        with self._gate:
            self._is_wanted = False


class Autosaver(QObject):
    """Saves the unsaved edits of one window. The file exists only while there are some."""

    told = Signal(str)
    """A sentence, once, when autosaves can no longer be written."""
    saved = Signal()

    def __init__(self, keeper: ProjectKeeper, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.keeper = keeper
        self.folder = folder
        close_to_others(folder)  # an earlier version let everybody read it
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
        """An autosave is being written."""
        return self._job is not None and not self._job.is_done

    # --- when

    @Slot()
    def _on_started(self) -> None:
        """Another world was opened: the old one is saved, or its edits were discarded."""
        self.clear()
        self._on_changed()

    @Slot()
    def _on_edited(self) -> None:
        if self.keeper.is_dirty and not self.timer.isActive():
            self.timer.start()

    @Slot()
    def _on_changed(self) -> None:
        """Remove the autosave once everything is saved or undone."""
        if self.keeper.is_dirty:
            self._on_edited()
        else:
            self.clear()

    @Slot()
    def save(self) -> None:
        """Begin to write the unsaved edits, after the identity of the world was computed piece by piece."""
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
        """Write the unsaved edits before the program ends; returns the reason when that fails. Without `look`, there is
        no time to identify landblocks that have not been identified yet."""
        return self._save_at_once(lambda: self.keeper.identified(self.keeper.project(), look=look))

    def save_steps(self) -> str:
        """Write the steps alone, from another thread while the window's own does not respond; steps never change."""
        return self._save_at_once(self.keeper.steps_only)

    def _save_at_once(self, make: Callable[[], Project]) -> str:
        if not self.keeper.is_dirty:
            return ""
        if self._job is not None:
            self._job.give_up()
            self._job = None
        self.place = self.place or self._new_place()
        if self.place is None:
            return f"{self.folder} cannot be written to"
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
            self._on_done(f"the folder cannot be used: {error.strerror or error}")
            return None
        lock = _take(path)
        if lock is None:
            self._on_done("the folder cannot be written to")
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
            self.told.emit(f"Autosave failed in {self.folder}: {reason}. Save the project yourself.")

    # --- what becomes of the file

    def adopt(self, left: AbandonedAutosave) -> None:
        """Adopt an autosave that was recovered; it stays until the project is saved."""
        if self.place is not None:
            self.clear()
        self.place = LockedFile(left.path, left.lock)

    def clear(self) -> None:
        """Remove the autosave: nothing is left to recover."""
        self.timer.stop()
        if self._job is not None:
            self._job.give_up()
            self._job = None
        if self.place is not None:
            self.place.clear()
            self.place = None


# --- what earlier processes left


@dataclass
class AbandonedAutosave:
    """An autosave whose process is gone; its lock is held until the user decides."""

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
        """Leave it for another time."""
        self.lock.unlock()


@dataclass(frozen=True)
class DamagedAutosave:
    """An autosave that cannot be read, and where it was moved."""

    path: Path
    reason: str

    @property
    def sentence(self) -> str:
        return f"Unsaved edits of an earlier session cannot be recovered: their file {self.reason}."

    @property
    def details(self) -> str:
        return f"It was kept as {self.path}"


def find_left(folder: Path) -> Iterator[AbandonedAutosave | DamagedAutosave]:
    """The autosaves of processes that are gone, the latest first. Only files and folders of this user count."""
    if not is_own_folder(folder):
        return
    try:
        for path in list(folder.iterdir()):
            _clean_up(path)
        paths = [path for path in folder.iterdir() if path.name.endswith(SUFFIX)]
        paths.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:  # the folder does not exist yet, or another window has just cleaned it up
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
    """Remove partly written files, and locks without a file, that dead processes left."""
    half = _HALF.fullmatch(path.name)
    of = path.with_name(half[1] if half is not None else path.name.removesuffix(LOCK))
    if half is None and (of == path or of.exists()):
        return
    lock = _take(of)
    if lock is not None:
        if half is not None:
            path.unlink(missing_ok=True)
        lock.unlock()


def _read(path: Path, lock: QLockFile, folder: Path) -> AbandonedAutosave | DamagedAutosave | None:
    """The size and date of a regular file; None for anything else."""
    try:
        with closing(open_project(path)) as opened:
            return AbandonedAutosave(path, lock, load_opened(opened)) if is_own_file(opened, folder) else None
    except ProjectError as error:
        aside = path.with_name(path.name + ASIDE)
        try:
            os.replace(path, aside)
        except OSError:  # report it anyway, and find it again the next time
            aside = path
        lock.unlock()
        return DamagedAutosave(aside, error.reason)


def when_text(saved: str) -> str:
    """An ISO 8601 time for people: the hour, and the day unless it is today."""
    try:
        when = datetime.fromisoformat(saved).astimezone()
    except (ValueError, OverflowError):
        return "an earlier session"
    today = when.date() == datetime.now().astimezone().date()
    return f"{when:%H:%M}" if today else f"{when.day} {when:%B, %H:%M}"
