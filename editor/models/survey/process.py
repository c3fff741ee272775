"""The worker process as the window has it: started when first needed, told what to do, and missed when it dies."""

from __future__ import annotations

import time
from collections import deque
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QProcess, QProcessEnvironment, QTimer, Signal, Slot

import engine
from editor.models.survey.task import SurveyTask
from editor.models.survey.wire import Inbox, Message
from editor.process.own_parts import part_command

MODULE: Final = "editor.models.survey.worker"
ROOT: Final = Path(engine.__file__).parents[1]
SLICE_S: Final = 0.005
"""Seconds for which messages are read before the window gets its turn."""
NEXT_MS: Final = 8
LAST_WORDS: Final = 2_000
ENDING_MS: Final = 500


class WorkerProcess(QObject):
    """One process. `close` ends it; whatever else ends it is told by `died`."""

    said = Signal(object)
    """A `Message`."""
    died = Signal(str)
    """The process has ended and was not asked to; carries how."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.longest_slice = 0.0
        """Seconds; what the window had to wait at most."""
        self._inbox = Inbox()
        self._waiting: deque[Message] = deque()
        self._closing = False
        self._errors = b""
        self._process = process = QProcess(self)
        program, *words = part_command(MODULE)
        process.setProgram(program)
        process.setArguments(words)
        process.setWorkingDirectory(str(ROOT))  # the first place where Python looks for modules
        process.setProcessEnvironment(QProcessEnvironment.systemEnvironment())
        process.readyReadStandardOutput.connect(self._on_output)
        process.readyReadStandardError.connect(self._on_errors)
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.close)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(NEXT_MS)
        self._later.timeout.connect(self._on_output)

    @property
    def is_running(self) -> bool:
        return self._process.state() is not QProcess.ProcessState.NotRunning

    @property
    def process_id(self) -> int:
        return int(self._process.processId())

    def start(self) -> None:
        self._process.start()

    def begin(self, task: SurveyTask) -> None:
        self._say(task.message())

    def stop(self) -> None:
        self._say(Message({"is": "stop"}))

    def go_on(self) -> None:
        self._say(Message({"is": "go on"}))

    def ask_for_walk(self, ticket: int, state: int) -> None:
        """The answer has the same ticket."""
        self._say(Message({"is": "walk", "ticket": ticket, "state": state}))

    def _say(self, message: Message) -> None:
        self._process.write(message.packed())

    @Slot()
    def close(self) -> None:
        """End it at once."""
        self._closing = True
        self._later.stop()
        self._waiting.clear()
        if self.is_running:
            self._process.kill()
            self._process.waitForFinished(ENDING_MS)

    @Slot()
    def _on_output(self) -> None:
        began = time.perf_counter()
        self._inbox.add(bytes(self._process.readAllStandardOutput().data()))
        self._waiting.extend(self._inbox.take())
        while self._waiting and not self._closing and time.perf_counter() - began < SLICE_S:
            self.said.emit(self._waiting.popleft())
        if self._waiting and not self._closing:
            self._later.start()
        self.longest_slice = max(self.longest_slice, time.perf_counter() - began)

    @Slot()
    def _on_errors(self) -> None:
        self._errors = (self._errors + bytes(self._process.readAllStandardError().data()))[-LAST_WORDS:]

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart and not self._closing:
            self.died.emit(f"it could not be started: {self._process.errorString()}")

    @Slot(int, QProcess.ExitStatus)
    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        if self._closing:
            return
        lines = self._errors.decode(errors="replace").strip().splitlines()
        crashed = status is QProcess.ExitStatus.CrashExit
        how = "it was killed or crashed" if crashed else f"it ended with exit code {code}"
        self.died.emit(f"{how}: {lines[-1]}" if lines and not crashed else how)
