"""The files of kept walks: recordings, captures, and the moves in reproductions; which there are in a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.files.errors import FileError
from engine.files.kinds import CAPTURE, RECORDING, REPRODUCTION
from engine.files.reading import FileLook
from engine.sim.captures.form import CaptureRecord, capture_of
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS
from engine.sim.recording import Recording
from engine.sim.recording_file import MAGIC, parse_recording, recording_bytes
from engine.sim.tick.simulation import Simulation
from engine.sim.walks.capture_run import CaptureRun, capture_bytes
from engine.sim.walks.run import WalkRun
from engine.sim.walks.terms import Terms
from engine.world.faults import WorldError
from engine.world.loader.reproduction.content import CAPTURE as OF_CAPTURE
from engine.world.loader.reproduction.heading import is_reproduction
from engine.world.world import World

SUFFIXES: Final = (".cdrec", ".jsonl", ".cdrepro")
MOST_WALKS: Final = 10_000
"""Files of a folder and those below it."""
DEEPEST: Final = 12
HEAD: Final = 100
"""Bytes that tell the type of a file."""

Run = WalkRun | CaptureRun


@dataclass(frozen=True)
class KeptMoves:
    """What a file of a kept walk holds: a recording, or the calls of a capture. `is_packed` says that they come with a
    world of their own, in a reproduction, which is never written again."""

    recording: Recording | None
    records: tuple[CaptureRecord, ...] = ()
    anchor: int = 0
    is_packed: bool = False

    def run(self, world: World, terms: Terms, *, keep: bool = False, sim: Simulation | None = None) -> Run:
        """`sim` is a simulation of the world that may be led."""
        if self.recording is not None:
            is_his = sim is not None and sim.player.id == self.recording.player_id and not keep
            return WalkRun(world, self.recording, terms, keep=keep, sim=sim if is_his else None)
        return CaptureRun(world, self.records, terms, self.anchor, keep=keep)


def read_moves(path: Path) -> KeptMoves:
    """The moves in a file; a SimError with the reason when they cannot be read."""
    try:
        look = FileLook(path, HEAD)
        if look.head.startswith(MAGIC):
            return moves_of(look.content(RECORDING), str(path))
        if is_reproduction(look.head):
            return _packed(look.content(REPRODUCTION), str(path))
        return moves_of(look.content(CAPTURE), str(path))
    except (FileError, WorldError, SimError) as error:
        raise SimError(error.reason, error.file or str(path)) from error
    except ENGINE_ERRORS as error:
        raise SimError(str(error), str(path)) from error


def moves_of(data: bytes, file: str) -> KeptMoves:
    """The moves in the bytes of a recording or a capture."""
    if data.startswith(MAGIC):
        recording = parse_recording(data, file)
        _check_start(recording, file)
        return KeptMoves(recording)
    try:
        return KeptMoves(None, tuple(capture_of(data, file)))
    except WorldError as error:
        raise SimError(error.reason, error.file or file) from error


def _check_start(recording: Recording, file: str) -> None:
    """A state of a version that this program does not read is no difference of the walk."""
    try:
        _ = recording.state_version
    except SimError as error:
        raise SimError(error.reason, file) from error


def _packed(data: bytes, file: str) -> KeptMoves:
    from engine.world.loader.reproduction.form import parse_reproduction  # only for those who keep one

    content = parse_reproduction(data, file)
    moves = moves_of(content.moves, file)
    anchor = content.head.anchor if content.head.moves == OF_CAPTURE else 0
    return KeptMoves(moves.recording, moves.records, anchor, True)


def new_truth(run: Run) -> bytes:
    """The file that keeps what a run has done, which has run to its end with `keep`."""
    if isinstance(run, WalkRun) and run.recorded is not None:
        return recording_bytes(run.recorded)
    if isinstance(run, CaptureRun) and run.recorded:
        return capture_bytes(run.recorded)
    raise SimError("it could not be run, so there is nothing to keep")


def walks_in(folder: Path) -> Iterator[Path]:
    """The files of walks in a folder and below, in the order of their names; links to folders are not followed. Raises
    a SimError when there are too many."""
    count = 0
    depth = len(folder.parts)
    for at, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if len(Path(at).parts) - depth >= DEEPEST:
            folders.clear()
        for name in sorted(files):
            if name.startswith(".") or not name.lower().endswith(SUFFIXES):
                continue
            count += 1
            if count > MOST_WALKS:
                raise SimError(f"has more than {MOST_WALKS:,} walks", str(folder))
            yield Path(at) / name
