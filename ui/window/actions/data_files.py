"""Export Data Files, which writes the edited world as files that the client and the server take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Slot

from editor.document.step_application import ids_of
from editor.export.data_files import DataFilesPlan, plan_export
from editor.export.data_files_job import ExportDataFiles
from editor.session import background
from engine.dat.errors import DatError
from engine.sim.data_files.changes import has_data_files
from engine.sim.errors import SimError
from engine.world.faults import WorldError
from ui.context import WindowContext
from ui.widgets.banner import SIGN
from ui.widgets.save_folder import proposed, remember
from ui.window.dialogs.data_files_dialog import ExportDataFilesDialog

NOTHING_OPEN: Final = "Open a world first."
NO_FILES: Final = "This world does not come from a data folder, so it has no records to export."


class DataFilesActions(QObject):
    """The command of the File menu. `open_files` are those of the project and of the capture."""

    def __init__(self, context: WindowContext, open_files: Callable[[], list[Path]]) -> None:
        super().__init__(context.window)
        self._context = context
        self._open_files = open_files
        self.document = context.document
        self.dialog: ExportDataFilesDialog | None = None
        self.action = context.commands.add(
            "export-data-files",
            "Data Files…",
            self.ask,
            tip="List the records that your edits change, and write them as data files for the client and the server",
            condition=self._why_not,
        )

    def _why_not(self) -> str:
        sim = self.document.simulation
        if sim is None:
            return NOTHING_OPEN
        return "" if has_data_files(sim) else NO_FILES

    @Slot()
    def ask(self) -> None:
        start = self.document.start
        if self.document.simulation is None or start is None:
            return
        edits = [edit for step in self.document.done_steps() for edit in step.edits]
        try:
            plan = plan_export(self.document.sim, start, frozenset(ids_of(edits)))
        except (SimError, WorldError, DatError) as error:
            self._warn(f"{self._context.session.source} cannot be exported: it {error.reason}", str(error))
            return
        dialog = ExportDataFilesDialog(plan, proposed(f"{plan.world} export"), self._context.window)
        dialog.chosen.connect(lambda folder, loose: self._export(plan, Path(folder).expanduser(), loose))
        dialog.destroyed.connect(self._forget)
        self.dialog = dialog
        dialog.open()

    def _export(self, plan: DataFilesPlan, folder: Path, loose: bool) -> None:
        remember(str(folder))
        session = self._context.session
        project = [] if session.project is None else [session.project.path]
        job = ExportDataFiles(plan, folder, [*session.sources, *project, *self._open_files()], loose=loose)
        job.signals.done.connect(self._say)
        job.signals.failed.connect(self._warn)
        self._context.progress.follow(job, f"Exporting {plan.world} …")
        background.start(job)

    @Slot()
    def _forget(self) -> None:
        self.dialog = None

    @Slot(str)
    def _say(self, text: str) -> None:
        self._context.messages.say(text)

    @Slot(str, str)
    def _warn(self, sentence: str, details: str) -> None:
        self._context.banner.warn(f"{SIGN}{sentence}", details)
