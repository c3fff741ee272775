"""Kept walks: the commands that keep one, watch a folder of them, and show the list."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLineEdit

from editor.export.recordings import CAPTURE_SUFFIX, RECORDING_SUFFIX, recording_of
from editor.models.walks.jobs import FindWalks, Keep, KeepCapture, KeepWalk
from editor.models.walks.kept import WalkEntry
from editor.models.walks.watch import WalkWatch
from editor.process.output_files import bare, output_file
from editor.process.plain_text import counted, plain, title_text
from editor.project.walk_forms import LONGEST
from editor.session import background
from engine.dat.atomic import write_whole
from engine.dat.errors import DatError
from engine.sim.errors import SimError
from engine.sim.recording_file import MAGIC
from engine.world.faults import WorldError
from ui.context import WindowContext
from ui.docks.context import DockLinks
from ui.widgets.banner import SIGN
from ui.widgets.save_folder import first_folder, proposed, remember
from ui.window.capture_view import CaptureView

if TYPE_CHECKING:
    from ui.window.actions.walk_dialogs import WalkComparisonDialog, WalksDialog

NOTHING_OPEN: Final = "Open a world first."
NO_TICK: Final = "Walk somewhere first: there is no tick to keep."
NO_CAPTURE: Final = "Open a capture of this world first."
NO_FOLDER: Final = "No folder is watched."


class KeptWalkActions(QObject):
    """The commands of the File menu, and their dialogs. `open_files` are those of the project and of the capture."""

    def __init__(
        self,
        context: WindowContext,
        links: DockLinks,
        captures: CaptureView,
        watch: WalkWatch,
        open_files: Callable[[], list[Path]],
    ) -> None:
        super().__init__(context.window)
        self._context = context
        self._captures = captures
        self._open_files = open_files
        self.document = context.document
        self.watch = watch
        self.kept = watch.kept
        self.asking: QInputDialog | None = None
        self.dialog: WalksDialog | None = None
        self.comparison: WalkComparisonDialog | None = None
        self._add_commands()
        links.walk_compared.connect(self.compare)
        links.walks_wanted.connect(self.show_list)
        watch.accepted.connect(context.messages.say)
        watch.refused.connect(self._warn)
        self.kept.changed.connect(context.commands.refresh)

    def _add_commands(self) -> None:
        add = self._context.commands.add
        self.keep_action = add(
            "keep-walk",
            "Keep This Walk…",
            self.keep_walk,
            tip="Keep all ticks so far in the project, and tell after each edit whether they still go like this",
            condition=self._why_not_keep,
        )
        self.capture_action = add(
            "keep-capture",
            "Keep This Capture…",
            self.keep_capture,
            tip="Keep the open capture in the project, and tell after each edit whether its calls answer otherwise",
            condition=self._why_not_capture,
        )
        self.list_action = add(
            "kept-walks", "Kept Walks…", self.show_list, tip="All kept walks: run again, compare, rename, remove"
        )
        self.run_action = add(
            "run-walks",
            "Run Kept Walks Again",
            self.watch.run_now,
            tip="Run all of them now, whatever is known of them",
            condition=lambda: "" if self.kept.entries else "No walks are kept.",
        )
        self.folder_action = add(
            "watch-walks",
            "Watch a Folder of Walks…",
            self.ask_for_folder,
            tip="Run the recordings and captures of a folder again after each edit",
            condition=lambda: NOTHING_OPEN if self.document.history is None else "",
        )
        self.leave_action = add(
            "leave-walks",
            "Stop Watching the Folder",
            lambda: self.kept.watch_folder(None),
            tip="Its files stay as they are",
            condition=lambda: "" if self.kept.folder is not None else NO_FOLDER,
        )

    # --- conditions

    def _why_not_keep(self) -> str:
        history = self.document.history
        return NOTHING_OPEN if history is None else "" if len(history.recording) else NO_TICK

    def _why_not_capture(self) -> str:
        capture = self._captures.capture
        is_of_it = capture is not None and capture.source == self._context.session.source
        return NOTHING_OPEN if self.document.history is None else "" if is_of_it else NO_CAPTURE

    # --- keeping

    @Slot()
    def keep_walk(self) -> None:
        self._ask("Keep This Walk", "Name of the walk:", self.kept.free_name("walk"), self._keep_recording)

    @Slot()
    def keep_capture(self) -> None:
        capture = self._captures.capture
        if capture is not None:
            path = capture.path
            name = self.kept.free_name(path.stem if path.stem.isprintable() else "capture")
            self._ask("Keep This Capture", "Name of the capture:", name, lambda text: self._keep_capture(text, path))

    def _ask(self, title: str, label: str, name: str, then: Callable[[str], None]) -> None:
        dialog = self.asking = QInputDialog(self._context.window)
        dialog.setObjectName("keep-walk-dialog")
        dialog.setWindowTitle(title_text(title))
        dialog.setLabelText(plain(label))
        dialog.setTextValue(name)
        for field in dialog.findChildren(QLineEdit):
            field.setMaxLength(LONGEST)
        dialog.textValueSelected.connect(then)
        dialog.finished.connect(self._on_asked)
        dialog.open()

    @Slot()
    def _on_asked(self) -> None:
        if self.asking is not None:
            self.asking.deleteLater()
            self.asking = None

    def _keep_recording(self, name: str) -> None:
        problem = self.kept.why_not_add(name, 0)
        if problem:
            self._warn(problem)
            return
        try:
            recording, landblocks = recording_of(self.document)
        except SimError as error:
            self._warn(f"This walk cannot be kept: {bare(error.reason)}")
            return
        self._start(KeepWalk(self.document, name, recording, landblocks))

    def _keep_capture(self, name: str, path: Path) -> None:
        problem = self.kept.why_not_add(name, 0)
        if problem:
            self._warn(problem)
        else:
            self._start(KeepCapture(self.document, name, path))

    def _start(self, job: Keep) -> None:
        job.signals.done.connect(self._on_packed)
        job.signals.failed.connect(self._on_failed)
        self._context.progress.follow(job, f"Keeping walk ‘{job.name}’ …")
        background.start(job)

    @Slot(object)
    def _on_packed(self, job: Keep) -> None:
        if self.document.world is not job.world:
            return  # another one was opened meanwhile
        problem = self.kept.add(job.name, job.data, job.steps)
        if problem:
            self._warn(problem)
            return
        self.watch.trust(self.kept.entries[-1])
        self._context.messages.say(f"Walk ‘{job.name}’ keeps watch: {job.what}")

    @Slot(object, str)
    def _on_failed(self, job: Keep, reason: str) -> None:
        self._warn(f"Walk ‘{job.name}’ cannot be kept: {reason}")

    # --- a folder

    @Slot()
    def ask_for_folder(self) -> None:
        dialog = QFileDialog(self._context.window, "Watch a Folder of Walks", first_folder())
        dialog.setObjectName("walks-folder")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda name: self.watch_folder(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def watch_folder(self, folder: Path) -> None:
        """Look for walks there, and watch them."""
        job = FindWalks(self.document, folder)
        job.signals.done.connect(self._on_found)
        job.signals.failed.connect(self._on_no_folder)
        self._context.progress.follow(job, f"Looking for walks in {folder.name} …")
        background.start(job)

    @Slot(object)
    def _on_found(self, job: FindWalks) -> None:
        if self.document.world is not job.world:
            return
        if not job.found:
            self._warn(f"{job.folder} has no recordings, captures or reproductions in it")
            return
        self.kept.watch_folder(job.folder, job.found)
        self._context.messages.say(f"Watching {counted(len(job.found), 'walk')} of {job.folder}")

    @Slot(object, str)
    def _on_no_folder(self, job: FindWalks, reason: str) -> None:
        self._warn(f"{job.folder} cannot be watched: {reason}")

    # --- the list

    @Slot()
    def show_list(self) -> None:
        from ui.window.actions.walk_dialogs import WalksDialog  # only those who ask need it

        if self.dialog is None:
            dialog = self.dialog = WalksDialog(self.watch, self._context.window)
            dialog.set_colours(self._context.theme.colours)
            self._context.theme.changed.connect(dialog.set_colours)
            dialog.compare_wanted.connect(self.compare)
            dialog.rename_wanted.connect(self.ask_for_name)
            dialog.save_wanted.connect(self.ask_for_file)
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def ask_for_name(self, entry: WalkEntry) -> None:
        def rename(name: str) -> None:
            problem = self.kept.rename(entry, name)
            if problem:
                self._warn(problem)

        self._ask("Rename Walk", "Name of the walk:", entry.name, rename)

    def ask_for_file(self, entry: WalkEntry) -> None:
        """Save a walk of the project as a file of its own."""
        suffix = RECORDING_SUFFIX if entry.walk.data.startswith(MAGIC) else CAPTURE_SUFFIX
        name, _ = QFileDialog.getSaveFileName(
            self._context.window, "Save Walk", proposed(f"{entry.name}{suffix}"), f"Walks (*{suffix})"
        )
        remember(name)
        if not name:
            return
        path = Path(name)
        try:
            write_whole(output_file(path, [*self._context.session.sources, *self._open_files()]), entry.walk.data)
        except (DatError, WorldError) as error:
            self._warn(f"{path.name} cannot be saved: {bare(error.reason)}")
        else:
            self._context.messages.say(f"Saved walk ‘{entry.name}’ as {path.name}")

    # --- comparing

    @Slot(object)
    def compare(self, entry: WalkEntry) -> None:
        """Show a walk beside how it goes now."""
        from editor.models.walks.comparing import WalkComparison
        from ui.window.actions.walk_dialogs import WalkComparisonDialog

        if self.comparison is not None:
            self.comparison.close()
        dialog = self.comparison = WalkComparisonDialog(WalkComparison(self.document, entry), self._context.window)
        dialog.finished.connect(self._on_compared)
        dialog.show()

    @Slot()
    def _on_compared(self) -> None:
        if self.comparison is not None:
            self.comparison.deleteLater()
            self.comparison = None

    @Slot(str)
    def _warn(self, sentence: str) -> None:
        self._context.banner.warn(f"{SIGN}{sentence}")
