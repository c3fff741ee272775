"""Decides which edits of one field merge into one undo step."""

from __future__ import annotations

import time
from typing import Final

from PySide6.QtCore import QObject, Slot

from editor.document.document import Document

REST: Final = 0.5
"""Seconds without a change after which, while time runs, the next change begins another step."""


class Gesture(QObject):
    """Gives the edits of one field their `drag`.

    Pulling a slider, or turning a wheel or an arrow on and on, is one gesture. Enter, a release, typing and a tick end
    it; a tick does not while the field is held, nor, while time runs, before a moment of rest.
    """

    def __init__(self, document: Document, name: str, parent: QObject) -> None:
        super().__init__(parent)
        self.document = document
        self.setObjectName(name)
        self._count = 0
        self._held = False
        self._tick = 0
        self._at = 0.0

    def part(self, about: object = "") -> str:
        """The `drag` of an edit made now; edits of different subjects never share one."""
        sim, now = self.document.simulation, time.monotonic()
        tick = 0 if sim is None else sim.tick_number
        rests = not self.document.flowing or now - self._at > REST
        if tick != self._tick and rests and not self._held:
            self._count += 1
        self._tick, self._at = tick, now
        return f"{self.objectName()} {about} {self._count}"

    @Slot()
    def end(self) -> None:
        """End the gesture."""
        self._count += 1

    @Slot()
    def hold(self) -> None:
        """A mouse button is pressed on the field."""
        self._held = True

    @Slot()
    def let_go(self) -> None:
        self._held = False
