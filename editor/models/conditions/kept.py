"""The list of conditions: each with whether time stops at it, and one of them chosen to be searched for."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from editor.document.document import Document
from editor.project.condition_forms import MOST
from editor.project.project import KeptCondition
from engine.sim.conditions.calls import why_not_of_calls
from engine.sim.conditions.reading import Misread, read_condition
from engine.sim.conditions.words import LONGEST, Condition, condition_text

UNKEEPABLE: Final = f"A condition that is kept has at most {LONGEST} characters, all of them printable."
_numbers: Final = count()


@dataclass(eq=False)
class Entry:
    """A condition of the list."""

    text: str
    condition: Condition | None
    """None for a text of a project that is no condition for this version."""
    problem: str = ""
    """Why it is none."""
    stops: bool = True
    number: int = field(default_factory=lambda: next(_numbers))


class KeptConditions(QObject):
    """The list; a project that is opened brings its own."""

    changed = Signal()
    """Others are kept, chosen, or stop time."""
    asked = Signal()
    """The list is wanted on the screen."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.entries: list[Entry] = []
        self.chosen: Entry | None = None
        self.is_following = False
        """A live capture is followed, which the checked conditions pause too."""
        document.started.connect(self._on_started)

    # --- asking

    @property
    def stopping(self) -> list[tuple[Entry, Condition]]:
        """Those at which time stops."""
        return [(entry, entry.condition) for entry in self.entries if entry.stops and entry.condition is not None]

    def why_not_followed(self, entry: Entry) -> str:
        """Why a condition cannot pause the following that is on; "" when it can, or nothing is followed."""
        if entry.condition is None or not self.is_following:
            return ""
        why = why_not_of_calls(entry.condition)
        return f"It does not pause what is followed. {why}." if why else ""

    @property
    def pausing(self) -> list[Condition]:
        """Those at which a following pauses: the ones that a capture answers."""
        return [condition for _, condition in self.stopping if not why_not_of_calls(condition)]

    def forms(self) -> tuple[KeptCondition, ...]:
        """As a project keeps them."""
        return tuple(KeptCondition(entry.text, entry.stops) for entry in self.entries)

    def find(self, number: object) -> Entry | None:
        return next((entry for entry in self.entries if entry.number == number), None)

    # --- changing

    def add(self, text: str) -> str:
        """Keep a condition, and choose it; returns why that cannot be done, "" when it was. One that is there already
        is chosen, and stops time again."""
        found = read_condition(text)
        if isinstance(found, Misread):
            return found.sentence
        written = condition_text(found)
        if not written.isprintable() or len(written) > LONGEST:
            return UNKEEPABLE
        entry = next((entry for entry in self.entries if entry.condition == found), None)
        if entry is None:
            if len(self.entries) >= MOST:
                return f"At most {MOST} conditions are kept: remove one first."
            entry = Entry(written, found)
            self.entries.append(entry)
        entry.stops = True
        self.chosen = entry
        self.changed.emit()
        return ""

    def remove(self, entry: Entry) -> None:
        """Forget a condition; its neighbour is chosen."""
        at = self.entries.index(entry)
        self.entries.remove(entry)
        if entry is self.chosen:
            self.chosen = self.entries[min(at, len(self.entries) - 1)] if self.entries else None
        self.changed.emit()

    def set_stops(self, entry: Entry, stops: bool) -> None:
        if entry.stops != stops:
            entry.stops = stops
            self.changed.emit()

    def choose(self, entry: Entry | None) -> None:
        if entry is not self.chosen and entry is not None:
            self.chosen = entry
            self.changed.emit()

    def set_following(self, is_on: bool) -> None:
        if self.is_following != is_on:
            self.is_following = is_on
            self.changed.emit()

    @Slot()
    def _on_started(self) -> None:
        """Other worlds without a project keep what there is: a condition names no world."""
        opened = self.document.session.project
        if opened is None:
            return
        self.entries = [_entry(kept) for kept in opened.project.conditions]
        self.chosen = self.entries[0] if self.entries else None
        self.changed.emit()


def _entry(kept: KeptCondition) -> Entry:
    found = read_condition(kept.text)
    if isinstance(found, Misread):
        return Entry(kept.text, None, found.sentence, kept.stops)
    return Entry(kept.text, found, stops=kept.stops)
