"""Loads the checks of a survey on another thread, for the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from editor.models.survey.known_checks import known_checks
from editor.session.background import Job


class LearnChecks(Job):
    """Afterwards the registry has them."""

    class Signals(QObject):
        done = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.signals = LearnChecks.Signals()

    def work(self) -> None:
        known_checks()
        self.signals.done.emit()
