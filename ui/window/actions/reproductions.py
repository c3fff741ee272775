"""Save Reproduction: the ticks so far, or an open capture, in one file with the world that they need."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

from editor.export.recordings import recording_of
from editor.process.output_files import bare
from editor.process.plain_text import counted
from editor.session import background
from engine.sim.errors import SimError
from ui.context import WindowContext
from ui.widgets.banner import SIGN
from ui.widgets.save_folder import proposed, remember
from ui.window.capture_view import CaptureView

if TYPE_CHECKING:
    from editor.export.reproduction import ReproductionPlan
    from editor.export.reproduction_jobs import PlanReproduction, Wish
    from ui.window.actions.reproduction_dialog import SaveReproductionDialog

NOTHING_OPEN: Final = "Open a world first."


class ReproductionActions(QObject):
    """The command of the File menu. `open_files` are those of the project and of the capture."""

    def __init__(self, context: WindowContext, captures: CaptureView, open_files: Callable[[], list[Path]]) -> None:
        super().__init__(context.window)
        self._context = context
        self._captures = captures
        self._open_files = open_files
        self._planning: PlanReproduction | None = None
        self.dialog: SaveReproductionDialog | None = None
        self.action = context.commands.add(
            "save-reproduction",
            "Save Reproduction…",
            self.ask,
            tip="Save all ticks so far, or the open capture, with the part of the world that they need, in one file",
            condition=lambda: NOTHING_OPEN if context.document.history is None else "",
        )

    @Slot()
    def ask(self) -> None:
        # Only those who save one need all this.
        from editor.export.reproduction import REPRODUCTION_SUFFIX, WorldPlace
        from editor.export.reproduction_jobs import OpenCapture, RecordedHere, Wish
        from ui.window.actions.reproduction_dialog import SaveReproductionDialog

        session = self._context.session
        if session.world is None:
            return
        try:
            recording, landblocks = recording_of(self._context.document)
        except SimError as error:
            self._warn(f"The ticks so far cannot be saved: {bare(error.reason)}", str(error))
            return
        names = dict(session.world.names)
        place = WorldPlace((session.source,), session.scene, session.server)
        ticks = f"The {counted(len(recording), 'tick')} so far"
        wishes = [Wish(ticks, RecordedHere(recording, frozenset(landblocks)), place, names)]
        capture = self._captures.capture
        if capture is not None and capture.source == session.source:
            wishes.insert(
                0, Wish(f"The capture {capture.name}", OpenCapture(capture.path, capture.anchor), place, names)
            )
        name = proposed(f"{Path(session.source).stem or 'world'}{REPRODUCTION_SUFFIX}")
        dialog = SaveReproductionDialog([wish.label for wish in wishes], name, self._context.window)
        dialog.wanted.connect(lambda number: self._plan(wishes[number]))
        dialog.chosen.connect(self._save)
        dialog.finished.connect(self._stop_planning)
        dialog.destroyed.connect(self._forget)
        self.dialog = dialog
        dialog.open()
        self._plan(wishes[0])

    def _plan(self, wish: Wish) -> None:
        from editor.export.reproduction_jobs import PlanReproduction

        self._stop_planning()
        job = self._planning = PlanReproduction(wish)
        job.signals.done.connect(self._on_planned)
        job.signals.failed.connect(self._on_failed)
        job.reports.progressed.connect(self._on_progress)
        if self.dialog is not None:
            self.dialog.show_waiting()
        background.start(job)

    @Slot(float, str)
    def _on_progress(self, fraction: float, text: str) -> None:
        job = self._planning
        if self.dialog is not None and job is not None and self.sender() is job.reports:
            self.dialog.show_progress(fraction, text)

    @Slot(object)
    def _on_planned(self, plan: ReproductionPlan) -> None:
        dialog = self._ended()
        if dialog is not None:
            dialog.show_plan(plan)

    @Slot(str, str)
    def _on_failed(self, sentence: str, details: str) -> None:
        dialog = self._ended()
        if dialog is not None:
            dialog.show_failure(sentence, details)

    def _ended(self) -> SaveReproductionDialog | None:
        """The dialog that waits for the job that has just told its end; None when that is an earlier job."""
        job = self._planning
        if job is None or self.sender() is not job.signals:
            return None
        self._planning = None
        return self.dialog

    def _save(self, plan: ReproductionPlan, file: str, textures: bool, note: str) -> None:
        from editor.export.reproduction_jobs import WriteReproduction

        path = Path(file).expanduser()
        remember(str(path))
        session = self._context.session
        project = [] if session.project is None else [session.project.path]
        read = [*session.sources, *project, *self._open_files()]
        job = WriteReproduction(plan, path, read, textures=textures, note=note)
        job.signals.done.connect(self._say)
        job.signals.failed.connect(self._warn)
        self._context.progress.follow(job, f"Saving {path.name} …")
        background.start(job)

    @Slot()
    def _stop_planning(self) -> None:
        job, self._planning = self._planning, None
        if job is not None:
            job.cancel()

    @Slot()
    def _forget(self) -> None:
        self.dialog = None
        self._stop_planning()

    @Slot(str)
    def _say(self, text: str) -> None:
        self._context.messages.say(text)

    @Slot(str, str)
    def _warn(self, sentence: str, details: str) -> None:
        self._context.banner.warn(f"{SIGN}{sentence}", details)
