"""Save Recording and Save Capture of Last Tick, which let somebody else replay what happened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from editor.export.recordings import (
    CAPTURE_SUFFIX,
    RECORDING_SUFFIX,
    KeepRecording,
    last_moves,
    recording_of,
    save_moves,
)
from editor.process.output_files import bare
from editor.session import background
from engine.sim.errors import SimError
from ui.context import WindowContext
from ui.widgets.banner import SIGN
from ui.widgets.paths import native
from ui.widgets.save_folder import proposed, remember

NOTHING_OPEN: Final = "Open a world first."
NO_TICK: Final = "Take a step first: there is no tick to save."


class ExportActions(QObject):
    """Two commands of the File menu. `open_files` are those of the project and of the capture."""

    def __init__(self, context: WindowContext, open_files: Callable[[], list[Path]]) -> None:
        super().__init__(context.window)
        self._context = context
        self._open_files = open_files
        self.document = context.document
        self.recording_action = context.commands.add(
            "save-recording",
            "Save Recording…",
            self.ask_for_recording,
            tip="Save all ticks so far, with keys and edits, to be opened and replayed",
            condition=lambda: NOTHING_OPEN if self.document.history is None else "",
        )
        self.capture_action = context.commands.add(
            "save-capture",
            "Save Capture of Last Tick…",
            self.ask_for_capture,
            tip="Save the player's moves in the tick that is shown, as clients record them",
            condition=self._why_no_capture,
        )
        self.document.changed.connect(context.commands.refresh)

    def _why_no_capture(self) -> str:
        history = self.document.history
        if history is None:
            return NOTHING_OPEN
        return "" if history.now > history.first else NO_TICK

    @Slot()
    def ask_for_recording(self) -> None:
        name = self._ask("Save Recording", f"recording{RECORDING_SUFFIX}", f"Recordings (*{RECORDING_SUFFIX})")
        if not name:
            return
        try:
            recording, landblocks = recording_of(self.document)
        except SimError as error:
            self._refuse(Path(name), error)
            return
        job = KeepRecording(recording, landblocks, self._context.session.scene, Path(name), self._read())
        job.signals.done.connect(self._say)
        job.signals.failed.connect(self._warn)
        self._context.progress.follow(job, f"Saving {Path(name).name} …")
        background.start(job)

    @Slot()
    def ask_for_capture(self) -> None:
        name = self._ask("Save Capture of Last Tick", f"capture{CAPTURE_SUFFIX}", f"Captures (*{CAPTURE_SUFFIX})")
        if not name:
            return
        try:
            moves = last_moves(self.document)
            save_moves(moves, Path(name), self._read())
        except SimError as error:
            self._refuse(Path(name), error)
            return
        count = moves.count("\n")
        self._say(f"Saved {count} move{'' if count == 1 else 's'} as {Path(name).name}")

    def _read(self) -> list[str | Path]:
        """The files that an export must not overwrite: all open ones, and those of the project."""
        session = self._context.session
        project = [] if session.project is None else [session.project.path]
        return [*session.sources, *project, *self._open_files()]

    def _ask(self, title: str, name: str, kinds: str) -> str:
        chosen, _ = QFileDialog.getSaveFileName(self._context.window, title, proposed(name), kinds)
        remember(chosen)
        return native(chosen)

    def _refuse(self, path: Path, error: SimError) -> None:
        self._warn(f"{path.name} cannot be saved: {bare(error.reason)}", str(error))

    @Slot(str)
    def _say(self, text: str) -> None:
        self._context.messages.say(text)

    @Slot(str, str)
    def _warn(self, sentence: str, details: str) -> None:
        self._context.banner.warn(f"{SIGN}{sentence}", details)
