"""Saves what was followed as a capture, in the same text."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from editor.process.output_files import bare, output_file
from editor.process.plain_text import counted
from editor.session.background import UNKNOWN, Job
from editor.session.following import Following
from engine.dat.atomic import replaced_file, write_errors
from engine.dat.errors import DatError
from engine.sim.captures.live.kept import texts_of
from engine.world.faults import WorldError


class KeepFollowed(Job):
    """Writes the records that are kept at its start; the following goes on meanwhile."""

    class Signals(QObject):
        done = Signal(str)
        failed = Signal(str, str)

    def __init__(self, following: Following, path: Path, read: Collection[str | Path]) -> None:
        """`read` lists files that must not be overwritten; the followed one is among them."""
        super().__init__()
        self.signals = KeepFollowed.Signals()
        self._path = path
        self._read = [*read, following.path]
        with following.lock:
            follower = following.follower
            self._packed = [] if follower is None else follower.kept.packed()
            self._count = 0 if follower is None else len(follower.kept)

    def work(self) -> None:
        name = self._path.name
        self.progress(UNKNOWN, f"Writing {name} …")
        try:
            with replaced_file(output_file(self._path, self._read)) as stream, write_errors(self._path):
                for text in texts_of(self._packed):
                    self.check()
                    stream.write(text)
        except (DatError, WorldError) as error:
            self.signals.failed.emit(f"{name} cannot be written: {bare(error.reason)}", str(error))
            return
        self.signals.done.emit(f"Saved {counted(self._count, 'record')} as {name}")
