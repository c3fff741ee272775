"""The export of server data as background work."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from editor.export.server_data import ServerPlan
from editor.export.write_server_data import write_server_data
from editor.process.output_files import bare
from editor.session.background import Job
from engine.dat.errors import DatError
from engine.files.cancelling import cancellable
from engine.sim.errors import SimError
from engine.world.faults import WorldError


class ExportServerData(Job):
    """Writes the files of a plan; a cancelled export leaves nothing."""

    class Signals(QObject):
        done = Signal(str)
        failed = Signal(str, str)

    def __init__(self, plan: ServerPlan, folder: Path, read: Collection[str | Path]) -> None:
        """`read` lists files that must not be overwritten, and sources of worlds."""
        super().__init__()
        self.signals = ExportServerData.Signals()
        self._plans = [plan]
        self._folder = folder
        self._read = read

    def work(self) -> None:
        plan = self._plans.pop()  # jobs outlive their work, and a plan holds the texts of its files
        try:
            with cancellable(self.check):
                written = write_server_data(plan, self._folder, self._read, self.progress)
        except (SimError, WorldError, DatError) as error:
            named = f"{Path(error.file).name}: " if isinstance(error, WorldError) and error.file else ""
            sentence = f"The server data of {plan.world} was not exported to {self._folder.name}"
            self.signals.failed.emit(f"{sentence}: {named}{bare(error.reason)}", str(error))
            return
        self.signals.done.emit(written.sentence)
