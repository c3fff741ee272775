"""Qt's own messages, passed on before they are printed: after a fatal one it ends the process."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from PySide6.QtCore import QMessageLogContext, QtMsgType, qFormatLogMessage, qInstallMessageHandler

from editor.process.problem_reports import BY_QT

Taker = Callable[[str, str], object]
"""Takes a sentence and details."""

IN_MEMORY: Final = "This plugin does not support "
"""Qt says so of every window on a screen in memory, where no window is raised over another: not worth a line."""
TOLD: Final = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg)


@contextmanager
def qt_messages_to(fatal: Taker, other: Taker) -> Iterator[None]:
    """Within the block, hand fatal messages to `fatal` and warnings to `other`; all are printed as Qt prints them."""

    def heard(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        if message.startswith(IN_MEMORY):
            return
        where = f"{context.file}, line {context.line}" if context.file else ""
        if kind is QtMsgType.QtFatalMsg:
            fatal(f"{BY_QT}: {message}", where)
        elif kind in TOLD:
            other(f"Qt: {message}", where)
        if sys.stderr is not None:  # a window without a terminal has none on Windows
            with suppress(OSError):
                sys.stderr.write(f"{qFormatLogMessage(kind, context, message)}\n")

    before = qInstallMessageHandler(heard)
    try:
        yield
    finally:
        qInstallMessageHandler(before)
