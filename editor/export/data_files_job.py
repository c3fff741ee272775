"""The export of data files as background work."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from editor.export.data_files import DataFilesPlan
from editor.export.write_data_files import write_data_files
from editor.process.output_files import bare
from editor.session.background import Job
from engine.dat.errors import DatError
from engine.files.cancelling import cancellable
from engine.physics.errors import PhysicsError
from engine.sim.errors import SimError
from engine.world.faults import WorldError
from engine.world.loader.base import collector_paused


class ExportDataFiles(Job):
    """Writes the files of a plan; a cancelled export leaves nothing."""

    class Signals(QObject):
        done = Signal(str)
        failed = Signal(str, str)

    def __init__(self, plan: DataFilesPlan, folder: Path, read: Collection[str | Path], *, loose: bool) -> None:
        """`read` lists files that must not be overwritten, and sources of worlds."""
        super().__init__()
        self.signals = ExportDataFiles.Signals()
        self._plans = [plan]
        self._folder = folder
        self._read = read
        self._loose = loose

    def work(self) -> None:
        plan = self._plans.pop()  # jobs outlive their work, and a plan holds records of its world
        try:
            with collector_paused(), cancellable(self.check):
                written = write_data_files(plan, self._folder, self._read, self.progress, loose=self._loose)
        except (SimError, WorldError, DatError, PhysicsError) as error:
            reason = str(error) if isinstance(error, PhysicsError) else bare(error.reason)
            sentence = f"{plan.world} was not exported to {self._folder.name}: {reason}"
            self.signals.failed.emit(sentence, str(error))
            return
        self.signals.done.emit(written.sentence)
