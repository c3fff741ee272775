"""Which edits of one number are one step of the undo stack: what a hand does in one go."""

from __future__ import annotations

import time
from typing import Final

from PySide6.QtCore import QObject, Slot

from editor.document.document import Document

REST: Final = 0.5
"""Seconds of rest after which a number is turned anew, while time flows by itself."""


class Gesture(QObject):
    """Gives the edits of one field their `drag`.

    A slider that is pulled, a wheel or an arrow that is turned on and on is one gesture. Enter, a release and typing
    end it, and ticks do; but not while the field is held, nor, while time flows by itself, before a moment of rest.
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
        """The `drag` of an edit that is made now; what is about something else is never part of it."""
        sim, now = self.document.simulation, time.monotonic()
        tick = 0 if sim is None else sim.tick_number
        rests = not self.document.flowing or now - self._at > REST
        if tick != self._tick and rests and not self._held:
            self._count += 1
        self._tick, self._at = tick, now
        return f"{self.objectName()} {about} {self._count}"

    @Slot()
    def end(self) -> None:
        """What comes next is another one."""
        self._count += 1

    @Slot()
    def hold(self) -> None:
        """A button of the mouse is down on the field."""
        self._held = True

    @Slot()
    def let_go(self) -> None:
        self._held = False
