"""Reading the report of a survey away from the window's thread."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from editor.process.output_files import bare
from editor.session.background import Job
from editor.survey.report_form import Report, read_report
from engine.files.cancelling import cancellable
from engine.findings.errors import FindingError


class ReadSurveyReport(Job):
    """`done` carries the job with its report, `failed` a sentence."""

    class Signals(QObject):
        done = Signal(object)
        failed = Signal(str)

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.signals = ReadSurveyReport.Signals()
        self.path = path
        self.report: Report | None = None

    def work(self) -> None:
        try:
            with cancellable(self.check):
                self.report = read_report(self.path)
        except FindingError as error:
            self.signals.failed.emit(f"{self.path.name} cannot be opened: {bare(error.reason)}")
        else:
            self.signals.done.emit(self)
