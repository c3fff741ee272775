"""Exports of the session: the recording so far, and the last tick's moves as a capture."""

from __future__ import annotations

from collections.abc import Collection
from io import StringIO
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from editor.document.document import Document
from editor.process.output_files import bare, output_file
from editor.process.plain_text import counted
from editor.session.background import UNKNOWN, Job
from editor.session.server_choice import choice_of, place_of
from editor.session.sources import DEMO, open_source
from engine.dat.atomic import write_whole
from engine.dat.errors import DatError
from engine.sim.captures.writer import CaptureWriter
from engine.sim.errors import SimError
from engine.sim.recording import Recording
from engine.sim.recording_file import save_recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.world.faults import WorldError

RECORDING_SUFFIX = ".cdrec"
CAPTURE_SUFFIX = ".jsonl"


class KeepRecording(Job):
    """Writes a copy of a recording. The identity of its world is computed from the files, not from the open world."""

    class Signals(QObject):
        done = Signal(str)
        failed = Signal(str, str)

    def __init__(
        self,
        recording: Recording,
        landblocks: Collection[int],
        scene: str | None,
        path: Path,
        read: Collection[str | Path],
    ) -> None:
        """`read` lists files that must not be overwritten, and sources of worlds."""
        super().__init__()
        self.signals = KeepRecording.Signals()
        self._recording = recording
        self._landblocks = landblocks
        self._scene = scene
        self._path = path
        self._read = read

    def work(self) -> None:
        recording = self._recording
        try:
            output_file(self._path, self._read)
            self.progress(UNKNOWN, f"Fingerprinting the world of {self._path.name} …")
            with open_source(recording.source, self._scene, choice_of(recording.server)) as world:
                recording.know_world(world, self._landblocks)
            self.check()
            self.progress(UNKNOWN, f"Writing {self._path.name} …")
            save_recording(recording, self._path)
        except (SimError, WorldError, DatError) as error:
            self.signals.failed.emit(f"{self._path.name} cannot be written: {bare(error.reason)}", str(error))
            return
        count = len(recording)
        self.signals.done.emit(f"Saved {counted(count, 'tick')} as {self._path.name}")


def recording_of(document: Document) -> tuple[Recording, set[int]]:
    """A copy of the recording so far, with an absolute path to its source."""
    history = document.history
    if history is None:
        raise SimError("no world is open")
    recording, landblocks = history.kept()
    if recording.source != DEMO:
        recording.source = str(Path(recording.source).absolute())
    recording.server = place_of(document.session.server)
    return recording, landblocks


def last_moves(document: Document) -> str:
    """The player's moves in the tick that was shown last, as a capture: the tick runs again with an observer.

    Raises a SimError when there is none: before the first tick, and when the player made no move.
    """
    history, sim = document.history, document.simulation
    if history is None or sim is None or history.now <= history.first:
        raise SimError("no tick has run yet")
    last = history.now - 1
    watching: list[CaptureWriter] = []
    streams: list[StringIO] = []

    def watch(tick: int) -> None:
        streams.append(StringIO())
        watching.append(CaptureWriter(streams[-1], sim.player.steered))
        watching[-1].tick = tick
        sim.watch(sim.player.id, watching[-1])

    def turn(controls: Controls, report: TickReport) -> None:
        """A new writer for each tick: a capture's frame is that of the landblock its first move begins in."""
        sim.unwatch(sim.player.id, watching.pop())
        if report.tick != last:
            streams.clear()
        watch(report.tick + 1)

    watch(last)
    sim.listen_to_ticks(turn)
    try:
        document.replay_last_tick()
    finally:
        sim.unlisten_to_ticks(turn)
        sim.unwatch(sim.player.id, watching.pop())
    moves = streams[0].getvalue()
    if not moves:
        raise SimError(f"tick {last:,} made no move in that tick")
    return moves


def save_moves(moves: str, path: Path, read: Collection[str | Path]) -> None:
    """Write a capture as a whole or not at all, and never over a file that was read."""
    try:
        write_whole(output_file(path, read), moves.encode("ascii"))
    except (DatError, WorldError) as error:
        raise SimError(error.reason, str(path)) from error
