"""What is done with kept walks away from the window's thread: reading, packing and writing. None of it touches a loaded
world."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from editor.document.document import Document
from editor.models.walks.kept import WalkEntry
from editor.process.output_files import bare, output_file
from editor.process.plain_text import counted
from editor.session.background import UNKNOWN, Job
from editor.session.server_choice import choice_of
from editor.session.sources import open_source
from engine.dat.atomic import write_whole
from engine.dat.errors import DatError
from engine.files.cancelling import cancellable
from engine.files.errors import FileError
from engine.files.kinds import CAPTURE
from engine.files.reading import read_file
from engine.sim.errors import SimError
from engine.sim.recording import Recording
from engine.sim.recording_file import recording_bytes
from engine.sim.walks.files import Run, moves_of, new_truth, read_moves, walks_in
from engine.world.faults import WorldError


class ReadMoves(Job):
    """Reads the moves of an entry; `done` carries its number, and the moves or the reason why there are none."""

    class Signals(QObject):
        done = Signal(int, object)

    def __init__(self, entry: WalkEntry) -> None:
        super().__init__()
        self.signals = ReadMoves.Signals()
        self._number, self._path = entry.number, entry.path
        self._walk = entry.walk

    def work(self) -> None:
        try:
            with cancellable(self.check):
                found = moves_of(self._walk.data, self._walk.name) if self._path is None else read_moves(self._path)
        except SimError as error:
            self.signals.done.emit(self._number, error.reason)
        else:
            self.signals.done.emit(self._number, found)


class PackTruth(Job):
    """Packs what a run has done; for a walk of a folder also writes it into its file. `done` carries the number of the
    entry, the bytes, and why that failed."""

    class Signals(QObject):
        done = Signal(int, bytes, str)

    def __init__(self, entry: WalkEntry, run: Run, is_packed: bool, read: Collection[str | Path]) -> None:
        super().__init__()
        self.signals = PackTruth.Signals()
        self._number, self._path = entry.number, entry.path
        self._run, self._read, self._is_packed = run, read, is_packed

    def work(self) -> None:
        if self._is_packed:
            self.signals.done.emit(self._number, b"", "a reproduction is not written again.")
            return
        try:
            data = new_truth(self._run)
            if self._path is not None:
                write_whole(output_file(self._path, self._read), data)
        except (SimError, WorldError, DatError) as error:
            self.signals.done.emit(self._number, b"", bare(error.reason))
        else:
            self.signals.done.emit(self._number, data, "")


class Keep(Job):
    """Makes the file of a walk that is to be kept: `data` when it is done. `done` and `failed` carry the job."""

    class Signals(QObject):
        done = Signal(object)
        failed = Signal(object, str)

    def __init__(self, document: Document, name: str, what: str) -> None:
        super().__init__()
        self.signals = Keep.Signals()
        self.name, self.what = name, what
        self.data = b""
        self.steps = document.done_steps()
        """The steps that are done when it is kept."""
        self.world = document.world
        """The world that is open then."""

    def work(self) -> None:
        try:
            with cancellable(self.check):
                self.data = self.packed()
        except (FileError, SimError, WorldError, DatError) as error:
            self.signals.failed.emit(self, bare(error.reason))
        else:
            self.signals.done.emit(self)

    def packed(self) -> bytes:
        raise NotImplementedError


class KeepWalk(Keep):
    """Packs a copy of the recording so far, with the identity of its world, which is computed from the files and not
    from the open world."""

    def __init__(self, document: Document, name: str, recording: Recording, landblocks: Collection[int]) -> None:
        super().__init__(document, name, counted(len(recording), "tick"))
        self._recording, self._landblocks, self._scene = recording, landblocks, document.session.scene

    def packed(self) -> bytes:
        recording = self._recording
        self.progress(UNKNOWN, f"Fingerprinting the world of walk ‘{self.name}’ …")
        with open_source(recording.source, self._scene, choice_of(recording.server)) as world:
            recording.know_world(world, self._landblocks)
        self.check()
        return recording_bytes(recording)


class KeepCapture(Keep):
    """Reads the file of a capture."""

    def __init__(self, document: Document, name: str, path: Path) -> None:
        super().__init__(document, name, path.name)
        self._path = path

    def packed(self) -> bytes:
        data = read_file(self._path, CAPTURE)
        moves_of(data, self._path.name)
        return data


class FindWalks(Job):
    """Looks for the walks in a folder: `found` are their paths with their names there. `done` and `failed` carry the
    job."""

    class Signals(QObject):
        done = Signal(object)
        failed = Signal(object, str)

    def __init__(self, document: Document, folder: Path) -> None:
        super().__init__()
        self.signals = FindWalks.Signals()
        self.folder = folder
        self.world = document.world
        self.found: list[tuple[Path, str]] = []

    def work(self) -> None:
        try:
            with cancellable(self.check):
                self.found = [(path, path.relative_to(self.folder).as_posix()) for path in walks_in(self.folder)]
        except (SimError, OSError) as error:
            self.signals.failed.emit(
                self, error.reason if isinstance(error, SimError) else str(error.strerror or error)
            )
        else:
            self.signals.done.emit(self)
