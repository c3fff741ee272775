"""Exit on a signal: autosave unsaved edits for the next start, without asking."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QSettings, Qt, Signal, Slot

from editor.process.ending import FIRST_CODE, Watch
from editor.project.autosave import Autosaver

KEPT: Final = "Cellar Door: your edits are not saved; the next start offers them."


class Asked(QObject):
    """Has the number of a signal, told in whatever thread, handed to `act` in the window's own."""

    told = Signal(int)

    def __init__(self, act: Callable[[int], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._act = act
        self.told.connect(self._on_told, Qt.ConnectionType.QueuedConnection)

    @Slot(int)
    def _on_told(self, number: int) -> None:
        self._act(number)


class Leaving:
    """Ends the window's event loops, those of its dialogs too, when its edits are kept."""

    def __init__(self, autosaver: Autosaver, settings: QSettings, watch: Watch) -> None:
        self.autosaver = autosaver
        self.settings = settings
        self.watch = watch
        self.asked = Asked(self.end, autosaver)

    def end(self, number: int) -> None:
        """Autosave unsaved edits, and exit."""
        autosaver = self.autosaver
        is_dirty = autosaver.keeper.is_dirty
        reason = autosaver.save_now(look=False)
        self.watch.kept()
        if reason:
            self._say(f"Cellar Door: the unsaved edits cannot be kept: {reason}")
        elif is_dirty and number == signal.SIGINT:
            self._say(KEPT)
        self.settings.sync()
        QCoreApplication.exit(FIRST_CODE + number)

    def last_words(self) -> None:
        """In another thread: the window's own does not answer."""
        self.autosaver.save_steps()

    @staticmethod
    def _say(sentence: str) -> None:
        with suppress(OSError):  # the terminal may be gone
            print(sentence, file=sys.stderr)
