"""Reports of what went wrong: written while the window runs, offered after a crash, listed in the Help menu."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QSettings, QStandardPaths, Qt, Slot

from editor.models.log import CELLS, DOOR, Log
from editor.models.python_log import PythonEars
from editor.process.problem_reports import FOLDER_SETTING, Report, ReportWriter, reports_in, take_over
from editor.process.qt_messages import qt_messages_to
from ui.commands.registry import CommandRegistry, without_mnemonic
from ui.context import WindowContext
from ui.view3d.viewport import Viewport
from ui.widgets.banner import SIGN
from ui.window.dialogs.problem_reports_dialog import ProblemReportsDialog
from ui.window.help_windows import versions

REPORTS: Final = "problem-reports"
NONE: Final = "Nothing has gone wrong: there are no reports."
OF_TICKS: Final = (DOOR, CELLS)
"""What the log has of every tick; it is no action of the user."""


def reports_folder(settings: QSettings) -> Path:
    """In the user's state folder; beside settings that are a file of their own, as tests and pictures have them."""
    if settings.format() == QSettings.Format.NativeFormat:
        state = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.StateLocation)
    else:
        state = str(Path(settings.fileName()).parent)
    return Path(state) / REPORTS


class ProblemReports(QObject):
    """`begin` makes this process write its own report."""

    def __init__(self, context: WindowContext, log: Log) -> None:
        super().__init__(context.window)
        self._context = context
        self._log = log
        self._next = 0
        self._has_looked = False
        self.folder = reports_folder(context.settings)
        self.writer: ReportWriter | None = None
        self.action = context.commands.add(
            REPORTS,
            "Problem Reports…",
            self.show_reports,
            tip="Read, copy or attach what is known of a crash or an error",
        )
        context.session.opened.connect(self.look_once)
        context.session.open_failed.connect(self.look_once)

    @contextmanager
    def written(self, ears: PythonEars, viewport: Viewport | None, commands: CommandRegistry) -> Iterator[None]:
        """Within the block, write down what goes wrong and what was done before it."""
        writer = self.writer = ReportWriter(self.folder, versions(None))
        writer.catch_crashes()

        def describe() -> None:
            if viewport is not None:
                viewport.painted.disconnect(describe)
            writer.describe(versions(viewport))

        if viewport is not None:
            viewport.painted.connect(describe)
        os.environ[FOLDER_SETTING] = str(self.folder)  # for the processes that the window starts
        # At once, in the thread where it was raised: there may be no later.
        ears.raised.connect(writer.report, Qt.ConnectionType.DirectConnection)
        self._log.changed.connect(self._on_said)
        for command in commands.declared():
            title = without_mnemonic(command.action.text())
            command.action.triggered.connect(lambda checked=False, title=title: writer.note(f"command  {title}"))
        try:
            with qt_messages_to(writer.report, lambda sentence, details: writer.note(sentence)):
                yield
        finally:
            self._log.changed.disconnect(self._on_said)
            os.environ.pop(FOLDER_SETTING, None)
        writer.close()

    @Slot()
    def _on_said(self) -> None:
        """The log's newest entry, once: its repetitions only count."""
        entry = self._log.entries[-1] if self._log.entries else None
        if entry is not None and entry.number >= self._next and self.writer is not None:
            self._next = entry.number + 1
            if entry.kind not in OF_TICKS:
                self.writer.note(f"{entry.kind}  {entry.text}")

    @Slot()
    def look_once(self) -> None:
        """Offer the report of a crash, after the first world has opened, so that this delays nothing."""
        if self._has_looked:
            return
        self._has_looked = True
        found = take_over(self.folder)
        if not found:
            return
        sentence = f"The last session ended unexpectedly. {found[0].sentence}."
        if self._context.banner.isHidden():
            self._context.banner.warn(f"{SIGN}{sentence}", "", self.action)
        else:  # it says why nothing was opened
            self._context.messages.say(f"{sentence} (Help > Problem Reports)")

    def reports(self) -> list[Report]:
        """This process's, if something has gone wrong in it, and those of the processes before."""
        take_over(self.folder)  # a worker may have crashed meanwhile
        own = None if self.writer is None else self.writer.so_far()
        return [*([] if own is None else [own]), *reports_in(self.folder)]

    def show_reports(self) -> None:
        found = self.reports()
        if found:
            ProblemReportsDialog(found, self._context.window).show()
        else:
            self._context.messages.say(NONE)
