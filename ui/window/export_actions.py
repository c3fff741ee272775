"""Save Recording and Save Capture of Last Tick: what somebody else needs to see what happened here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
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
from ui.docks.parts import allow
from ui.widgets.banner import SIGN

if TYPE_CHECKING:
    from ui.window.main_window import MainWindow

MESSAGE_MS: Final = 8000
NOTHING_OPEN: Final = "Open a world first."
NO_TICK: Final = "Take a tick first."


class Keeping(QObject):
    """Two commands of the File menu."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.document = window.live.document
        self.recording_action = self._action("Save Recording…", self.ask_for_recording)
        self.capture_action = self._action("Save Capture of Last Tick…", self.ask_for_capture)
        self.document.changed.connect(self._allow)
        self._allow()

    def _action(self, text: str, slot: Callable[[], object]) -> QAction:
        made = QAction(text, self.window)
        made.triggered.connect(lambda checked=False: slot())
        return made

    @Slot()
    def _allow(self) -> None:
        history = self.document.history
        has_ticks = history is not None and history.now > history.first
        why_not = NOTHING_OPEN if history is None else ""
        allow(self.recording_action, why_not, "All ticks so far, with keys and edits, to be opened and run again")
        tip = "The player's moves of the tick that is shown, as clients record them"
        allow(self.capture_action, why_not or ("" if has_ticks else NO_TICK), tip)

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
        job = KeepRecording(recording, landblocks, self.window.session.scene, Path(name), self._read())
        job.signals.done.connect(self._say)
        job.signals.failed.connect(self._warn)
        self.window.centre.progress.follow(job, f"Saving {Path(name).name} …")
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
        """What nothing may be written over: all that is open, and the files of the project."""
        window = self.window
        capture, project = window.live.capture.capture, window.session.project
        files = [
            window.projects.keeper.path,
            None if project is None else project.path,
            None if capture is None else capture.path,
        ]
        return [*window.session.sources, *filter(None, files)]

    def _ask(self, title: str, proposed: str, kinds: str) -> str:
        name, _ = QFileDialog.getSaveFileName(self.window, title, proposed, kinds)
        return name

    def _refuse(self, path: Path, error: SimError) -> None:
        self._warn(f"{path.name} can not be saved: {bare(error.reason)}", str(error))

    @Slot(str)
    def _say(self, text: str) -> None:
        self.window.status.showMessage(text, MESSAGE_MS)

    @Slot(str, str)
    def _warn(self, sentence: str, details: str) -> None:
        self.window.banner.warn(f"{SIGN}{sentence}", details)
