"""Reproductions as background work: finding out what goes in, and writing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal

from editor.export.reproduction import ReproductionPlan, WorldPlace, plan_reproduction, write_reproduction
from editor.process.output_files import bare
from editor.session.background import Job
from editor.session.reproductions import reproduction_at
from editor.session.session import ENGINE_ERRORS
from engine.dat.errors import DatError
from engine.files.cancelling import cancellable
from engine.files.errors import FileError
from engine.files.kinds import CAPTURE
from engine.files.reading import read_file
from engine.sim.errors import SimError
from engine.sim.recording import Recording
from engine.sim.recording_file import recording_bytes
from engine.sim.reproduction.moves import CapturedMoves, Moves, RecordedMoves
from engine.world.faults import WorldError
from engine.world.loader.base import collector_paused
from engine.world.names import NameKey
from engine.world.world import World

REFUSALS: Final = (*ENGINE_ERRORS, OSError)


@dataclass(frozen=True)
class RecordedHere:
    """The ticks so far: a copy of the recording, and the landblocks that it came near to."""

    recording: Recording
    landblocks: frozenset[int]

    def moves(self, world: World) -> Moves:
        """The recording as a file; of its world it names no path, because that is in the same file."""
        recording = self.recording
        recording.source = ""
        recording.know_world(world, self.landblocks)
        return RecordedMoves(recording_bytes(recording), "the recording", recording)


@dataclass(frozen=True)
class OpenCapture:
    """A capture that is open: a file, or in a reproduction."""

    path: Path
    anchor: int = 0

    def moves(self, world: World) -> Moves:
        packed = reproduction_at(self.path)
        if packed is not None:
            return CapturedMoves(packed.moves, self.path.name, packed.head.anchor)
        try:
            return CapturedMoves(read_file(self.path, CAPTURE), self.path.name, self.anchor)
        except FileError as error:
            raise WorldError(error.reason, str(self.path)) from error


@dataclass(frozen=True)
class Wish:
    """What to pack: the moves and their world, with the names that it has here."""

    label: str
    moves: RecordedHere | OpenCapture
    place: WorldPlace
    names: Mapping[NameKey, str] = field(default_factory=dict)


class PlanReproduction(Job):
    """Finds out what goes in by replaying."""

    class Signals(QObject):
        done = Signal(object)
        failed = Signal(str, str)

    def __init__(self, wish: Wish) -> None:
        super().__init__()
        self.signals = PlanReproduction.Signals()
        self._wishes = [wish]

    def work(self) -> None:
        wish = self._wishes.pop()  # jobs outlive their work
        try:
            with collector_paused(), cancellable(self.check):
                plan = plan_reproduction(wish.moves.moves, wish.place, self.progress, wish.names)
        except REFUSALS as error:
            self.signals.failed.emit(f"{wish.label} cannot be packed: {_reason(error)}", str(error))
            return
        self.signals.done.emit(plan)


class WriteReproduction(Job):
    """Writes the file of a plan; a cancelled one leaves nothing."""

    class Signals(QObject):
        done = Signal(str)
        failed = Signal(str, str)

    def __init__(
        self, plan: ReproductionPlan, path: Path, read: Collection[str | Path], *, textures: bool, note: str
    ) -> None:
        """`read` lists files that must not be overwritten, and sources of worlds."""
        super().__init__()
        self.signals = WriteReproduction.Signals()
        self._plans = [plan]
        self._path = path
        self._read = read
        self._textures = textures
        self._note = note

    def work(self) -> None:
        plan = self._plans.pop()
        try:
            with collector_paused(), cancellable(self.check):
                sentence = write_reproduction(
                    plan, self._path, self._read, self.progress, textures=self._textures, note=self._note
                )
        except REFUSALS as error:
            self.signals.failed.emit(f"{self._path.name} was not saved: {_reason(error)}", str(error))
            return
        self.signals.done.emit(sentence)


def _reason(error: Exception) -> str:
    return bare(error.reason) if isinstance(error, SimError | WorldError | DatError) else str(error)
