"""Messages in the status line, in the banner and, through it, in the log."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction

from editor.document.clock import Clock
from editor.document.document import Document
from editor.models.door_wording import event_text
from editor.models.log import Log
from editor.models.lost_wording import PUT_BACK
from editor.models.python_log import PythonEars
from editor.process.plain_text import plain
from engine.sim.tick.report import TickReport
from ui.widgets.banner import Banner
from ui.window.status_line import WARNING, StatusLine

MESSAGE_MS: Final = 8000
TICK_MS: Final = 6000
"""How long a message of a tick stays; the next tick may bring another one."""


class Messages(QObject):
    """Listens to document and clock, and has `say` and `warn` for everybody else."""

    def __init__(self, document: Document, clock: Clock, log: Log, status: StatusLine, banner: Banner) -> None:
        super().__init__(status)
        self._document = document
        self._clock = clock
        self._log = log
        self._status = status
        self._banner = banner
        self._report_action: QAction | None = None
        document.said.connect(self._on_said)
        document.refused.connect(self._on_refused)
        document.ticked.connect(self._on_ticked)
        document.started.connect(self._show_rate)
        clock.rate_changed.connect(self._show_rate)
        clock.running_changed.connect(self._show_rate)
        banner.warned.connect(log.on_error)

    def listen(self, ears: PythonEars, report: QAction) -> None:
        """Show exceptions in the banner, with the command that shows the report, and warnings of Python in the log."""
        self._report_action = report
        ears.raised.connect(self._on_raised, Qt.ConnectionType.QueuedConnection)
        ears.warned.connect(self._log.on_warning, Qt.ConnectionType.QueuedConnection)

    @Slot(str)
    def say(self, text: str, milliseconds: int = MESSAGE_MS) -> None:
        """Show a message in the status line for a while."""
        self._status.showMessage(text, milliseconds)

    @Slot(str)
    def warn(self, text: str) -> None:
        """Show a warning in the status line until something else is said."""
        self._status.showMessage(f"{WARNING} {text}")

    @Slot(str, str)
    def _on_raised(self, sentence: str, details: str) -> None:
        self._banner.warn(f"{WARNING} {sentence}", details, self._report_action)

    @Slot(str)
    def _on_said(self, text: str) -> None:
        self._status.showMessage(text, TICK_MS)

    @Slot(str)
    def _on_refused(self, text: str) -> None:
        self._status.showMessage(f"{WARNING} {text}", TICK_MS)

    @Slot()
    def _show_rate(self) -> None:
        rate, label = self._clock.rate, self._status.rate
        if not self._clock.is_running:
            label.setText("paused" if self._document.simulation is not None else "")
        else:
            label.setText(plain(f"{rate:.0f} ticks/s" if rate else "running"))

    @Slot(object)
    def _on_ticked(self, report: TickReport) -> None:
        events = [event_text(self._document.sim, event) for event in report.events]
        if report.lost:
            lost = events[0] if events else "The player is lost: no cell holds the centre"
            self._on_refused(f"{lost}. {PUT_BACK} returns the player")
        elif report.faults:
            self._on_refused(report.faults[0])
        elif events:
            self._on_said(", ".join(events))
