"""The strip that shows the progress of background work and cancels it.

`strip.follow(job)` takes any `editor.session.background.Job`; the strip hides when the job is over.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from editor.process.plain_text import plain, plain_lines
from editor.session.background import Job
from ui.theme.theme import BETWEEN, EDGE, GROUP

PATIENCE_MS: Final = 250
"""Delay before the strip appears: shorter work shows none."""
PARTS: Final = 1000
BAR_HEIGHT: Final = 8


class ProgressStrip(QWidget):
    """Shows the job that was started last."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("progress-strip")
        self._jobs: list[Job] = []
        self._said: dict[Job, tuple[float, str]] = {}
        self.label = QLabel(self)
        self.label.setObjectName("progress-text")
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setWordWrap(True)
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.bar = QProgressBar(self)
        self.bar.setObjectName("progress-bar")
        self.bar.setAccessibleName("Progress")
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(BAR_HEIGHT)
        self.cancel_action = QAction("Cancel Background Work", self)
        self.cancel_action.setIconText("Cancel")
        self.cancel_action.setToolTip("Cancel and keep the open world  (Esc)")
        self.cancel_action.triggered.connect(self.cancel)
        self.cancel_action.setEnabled(False)
        parent.addAction(self.cancel_action)
        self.button = QToolButton(self)
        self.button.setObjectName("progress-cancel")
        self.button.setDefaultAction(self.cancel_action)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self.show)
        row = QHBoxLayout()
        row.setSpacing(BETWEEN)
        row.addWidget(self.label, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        box = QVBoxLayout(self)
        box.setContentsMargins(EDGE, BETWEEN, EDGE, BETWEEN)
        box.setSpacing(GROUP)
        box.addLayout(row)
        box.addWidget(self.bar)
        self.hide()

    @property
    def job(self) -> Job | None:
        """The job on show."""
        return self._jobs[-1] if self._jobs else None

    def follow(self, job: Job, sentence: str = "") -> None:
        """Show a job until it is over. Call this before `background.start`, which would lose the first reports."""
        self._jobs.append(job)
        self._said[job] = (-1.0, sentence)
        # Methods, not functions made here: Qt drops them with the strip, while a job may go on for a moment.
        job.reports.progressed.connect(self._on_progress)
        job.reports.cancelled.connect(self._forget_over)
        job.reports.ended.connect(self._forget_over)
        self.cancel_action.setEnabled(True)
        if not self.isVisible():
            self._patience.start()
        self._show_last()

    @Slot()
    def cancel(self) -> None:
        job = self.job
        if job is not None:
            job.cancel()

    @Slot(float, str)
    def _on_progress(self, fraction: float, sentence: str) -> None:
        reports = self.sender()
        for job in self._jobs:
            if job.reports is reports:
                self._said[job] = (fraction, sentence)
        self._show_last()

    @Slot()
    def _forget_over(self) -> None:
        self._jobs = [job for job in self._jobs if not (job.is_done or job.is_cancelled)]
        self._said = {job: self._said[job] for job in self._jobs}
        self._show_last()

    def _show_last(self) -> None:
        job = self.job
        if job is None:
            self._patience.stop()
            self.cancel_action.setEnabled(False)
            self.hide()
            return
        fraction, sentence = self._said[job]
        self.label.setText(plain(sentence))
        self.label.setToolTip(plain_lines(sentence))
        self.bar.setRange(0, PARTS if fraction >= 0.0 else 0)  # an empty range shows activity only
        if fraction >= 0.0:
            self.bar.setValue(round(min(fraction, 1.0) * PARTS))
