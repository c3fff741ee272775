"""Passes Python's own messages to the log: uncaught exceptions, warnings, and logged records.

An exception in a slot ends only that slot. It is reported as a sentence with its traceback, and printed as usual.
"""

from __future__ import annotations

import logging
import sys
import threading
import traceback
import warnings
from pathlib import Path
from types import TracebackType
from typing import Final, TextIO

from PySide6.QtCore import QObject, Signal

ROOT: Final = Path(__file__).resolve().parents[2]
GO_ON: Final = "You can continue; please report the details."


class PythonEars(QObject):
    """`listen` installs its hooks before the existing ones, `close` removes them."""

    raised = Signal(str, str)
    """An uncaught exception: a sentence, and the traceback. Connect it queued, for it may be emitted while painting."""
    warned = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._handler = _Handler(self)
        self._listening = False

    def listen(self) -> None:
        if self._listening:
            return
        self._listening = True
        self._excepthook, sys.excepthook = sys.excepthook, self._on_exception
        self._thread_hook, threading.excepthook = threading.excepthook, self._on_thread
        self._show_warning, warnings.showwarning = warnings.showwarning, self._on_warning
        logging.getLogger().addHandler(self._handler)

    def close(self) -> None:
        if not self._listening:
            return
        self._listening = False
        sys.excepthook = self._excepthook
        threading.excepthook = self._thread_hook
        warnings.showwarning = self._show_warning
        logging.getLogger().removeHandler(self._handler)

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        self._excepthook(kind, error, trace)
        if issubclass(kind, Exception):
            self.raised.emit(sentence_of(error, trace), "".join(traceback.format_exception(kind, error, trace)))

    def _on_thread(self, args: threading.ExceptHookArgs) -> None:
        self._thread_hook(args)
        error, trace = args.exc_value, args.exc_traceback
        if isinstance(error, Exception):
            text = "".join(traceback.format_exception(type(error), error, trace))
            self.raised.emit(sentence_of(error, trace), text)

    def _on_warning(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        self._show_warning(message, category, filename, lineno, file, line)
        if file is None:
            self.warned.emit(f"{category.__name__}: {message}", f"{filename}, line {lineno}")


class _Handler(logging.Handler):
    """Passes on records of level WARNING and above."""

    def __init__(self, ears: PythonEars) -> None:
        super().__init__(logging.WARNING)
        self._ears = ears

    def emit(self, record: logging.LogRecord) -> None:
        details = f"{record.name}, {record.pathname}, line {record.lineno}"
        if record.exc_info is not None and record.exc_info[0] is not None:
            details += "\n" + "".join(traceback.format_exception(*record.exc_info))
        self._ears.warned.emit(record.getMessage(), details)


def sentence_of(error: BaseException, trace: TracebackType | None) -> str:
    """The error and its place, in one line."""
    said = " ".join(str(error).split())
    what = f"{type(error).__name__}: {said}" if said else type(error).__name__
    frames = traceback.extract_tb(trace)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(ROOT)] or frames
    where = ""
    if ours:
        path = Path(ours[-1].filename)
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name
        where = f" ({name}, line {ours[-1].lineno})"
    return f"Something went wrong in the program: {what}{where}. {GO_ON}"
