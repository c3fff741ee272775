"""Export Server Data, which writes what stands elsewhere now as SQL files that the server takes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

from editor.document.step_application import ids_of
from editor.session import background
from engine.sim.errors import SimError
from engine.world.faults import WorldError
from engine.world.server.entities import ServerEntities
from ui.context import WindowContext
from ui.widgets.banner import SIGN
from ui.widgets.save_folder import proposed, remember

if TYPE_CHECKING:
    from editor.export.server_data import ServerPlan
    from ui.window.dialogs.server_data_dialog import ExportServerDataDialog

NOTHING_OPEN: Final = "Open a world first."
NO_DATA: Final = "This world was opened without server data."


class ServerDataExport(QObject):
    """The command of the File menu. `open_files` are those of the project and of the capture."""

    def __init__(self, context: WindowContext, open_files: Callable[[], list[Path]]) -> None:
        super().__init__(context.window)
        self._context = context
        self._open_files = open_files
        self.document = context.document
        self.dialog: ExportServerDataDialog | None = None
        self._classes: dict[int, int] = {}
        """The weenies that were chosen for new things; kept while the world is open."""
        self.action = context.commands.add(
            "export-server-data",
            "Server Data…",
            self.ask,
            tip="List the rows that your edits change, and write them as SQL files for the server",
            condition=self._why_not,
        )
        context.session.opened.connect(self._classes.clear)

    def _why_not(self) -> str:
        sim = self.document.simulation
        if sim is None:
            return NOTHING_OPEN
        return "" if isinstance(sim.world.source.by_block, ServerEntities) else NO_DATA

    def _plan(self) -> ServerPlan | None:
        from editor.export.server_data import plan_server_export, time_now  # only those who export need it

        start = self.document.start
        if self.document.simulation is None or start is None:
            return None
        edits = [edit for step in self.document.done_steps() for edit in step.edits]
        try:
            return plan_server_export(self.document.sim, start, frozenset(ids_of(edits)), time_now(), self._classes)
        except (SimError, WorldError) as error:
            self._warn(f"The server data of {self._context.session.source} cannot be exported: {error}", str(error))
            return None

    @Slot()
    def ask(self) -> None:
        plan = self._plan()
        if plan is None:
            return
        from ui.window.dialogs.server_data_dialog import ExportServerDataDialog

        dialog = ExportServerDataDialog(plan, proposed(f"{plan.world} server data"), self._context.window)
        dialog.chosen.connect(lambda folder: self._export(dialog.plan, Path(folder).expanduser()))
        dialog.weenie_chosen.connect(self._choose_weenie)
        dialog.destroyed.connect(self._forget)
        self.dialog = dialog
        dialog.open()

    @Slot(object, int)
    def _choose_weenie(self, thing: int, wcid: int) -> None:
        self._classes[thing] = wcid
        plan = self._plan()
        if plan is not None and self.dialog is not None:
            self.dialog.show_plan(plan)

    def _export(self, plan: ServerPlan, folder: Path) -> None:
        from editor.export.server_data_job import ExportServerData

        remember(str(folder))
        session = self._context.session
        project = [] if session.project is None else [session.project.path]
        job = ExportServerData(plan, folder, [*session.sources, *project, *self._open_files()])
        job.signals.done.connect(self._say)
        job.signals.failed.connect(self._warn)
        self._context.progress.follow(job, f"Exporting the server data of {plan.world} …")
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
