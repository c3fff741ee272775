"""The log: edits and refusals, faults, doors, openings, errors, and Python's own warnings.

It keeps the last ten thousand entries. Appending costs next to nothing; views read the entries when they become
visible.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, Signal, Slot

from editor.document.document import Document
from editor.models.door_wording import event_text
from editor.models.live_table import ACCEPTED, ADJUSTED, CURRENT, DIM, FAULT, Column, LiveTable, Row, Value
from editor.models.text_search import folded
from editor.process.plain_text import counted
from engine.entities.events import CellEvent
from engine.sim.tick.report import TickReport

MOST: Final = 10_000
"""The number of entries kept; older ones are dropped."""

SAID: Final = "said"
REFUSED: Final = "refused"
FAULT_KIND: Final = "fault"
DOOR: Final = "door"
CELLS: Final = "cell"
OPENING: Final = "opening"
ERROR: Final = "error"
WARNING: Final = "warning"
KINDS: Final = (SAID, REFUSED, FAULT_KIND, DOOR, CELLS, OPENING, ERROR, WARNING)
SIGNS: Final = {
    SAID: "✓",
    REFUSED: "×",
    FAULT_KIND: "■",
    DOOR: "◨",
    CELLS: "▶",
    OPENING: "→",
    ERROR: "■",
    WARNING: "△",
}
TONES: Final = {
    SAID: ACCEPTED,
    REFUSED: ADJUSTED,
    FAULT_KIND: FAULT,
    DOOR: CURRENT,
    CELLS: CURRENT,
    OPENING: DIM,
    ERROR: FAULT,
    WARNING: ADJUSTED,
}
TROUBLE: Final = (FAULT_KIND, ERROR, WARNING)
"""The kinds that count as unread trouble."""

COLUMNS: Final = (
    Column("Time", mono=True, tip="Wall-clock time", sample="00:00:00"),
    Column("Tick", mono=True, right=True, tip="The tick that had run last at that time", sample="99,999"),
    Column("Kind", sample="→ opening"),
    Column("×", mono=True, right=True, tip="Number of consecutive repetitions", sample="9"),
    Column("What"),
)
NO_TICK: Final = -1


@dataclass(frozen=True)
class LogEntry:
    """One entry, repeated `count` times in a row. `number` identifies it."""

    number: int
    time: str
    tick: int
    kind: str
    text: str
    details: str = ""
    count: int = 1

    def matches(self, kind: str, words: str) -> bool:
        """Whether it is of a kind and contains some words; empty ones match everything."""
        if kind and kind != self.kind:
            return False
        wanted = folded(words)
        return not wanted or wanted in folded(self.text) or wanted in folded(self.details)

    @cached_property
    def row(self) -> Row:
        """The entry as a row."""
        nothing = Value("–", "", DIM)
        values = (
            Value(self.time, tone=DIM),
            nothing if self.tick == NO_TICK else Value(f"{self.tick:,}", str(self.tick)),
            Value(f"{SIGNS[self.kind]} {self.kind}", self.kind, TONES[self.kind]),
            Value("", "1") if self.count == 1 else Value(str(self.count)),
            Value(f"{self.text}  …" if self.details else self.text, self.text, tip=self.details[:2000]),
        )
        return Row(self.number, values)


def _now() -> str:
    return time.strftime("%H:%M:%S")


class Log(QObject):
    """Records the messages of a document and its session, and of every other caller of `add`."""

    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.entries: deque[LogEntry] = deque(maxlen=MOST)
        self.troubles = 0
        """The number of faults, errors and warnings so far."""
        self._number = 0
        self._next_tick = 0
        session = document.session
        document.said.connect(self._on_said)
        document.refused.connect(self._on_refused)
        document.ticked.connect(self._on_ticked)
        document.started.connect(self._on_started)
        document.travelled.connect(self._on_travelled)
        session.opening.connect(self._on_opening)
        session.opened.connect(self._on_opened)

    def add(self, kind: str, text: str, details: str = "") -> None:
        """Add an entry; a repetition of the last one only counts."""
        sim = self.document.simulation
        tick = NO_TICK if sim is None else sim.tick_number - 1
        last = self.entries[-1] if self.entries else None
        if kind in TROUBLE:
            self.troubles += 1
        if last is not None and (last.kind, last.text, last.details) == (kind, text, details):
            entry = replace(last, time=_now(), tick=tick, count=last.count + 1)
            self.entries[-1] = entry
        else:
            entry = LogEntry(self._number, _now(), tick, kind, text, details)
            self.entries.append(entry)
            self._number += 1
        entry.row  # noqa: B018  # made one at a time: ten thousand at once would be noticeable
        self.changed.emit()

    def clear(self) -> None:
        self.entries.clear()
        self.troubles = 0
        self.changed.emit()

    @property
    def first(self) -> int:
        """The number of the oldest entry kept, or of the next one."""
        return self.entries[0].number if self.entries else self._number

    def since(self, number: int) -> Iterator[LogEntry]:
        """The entries from a number on, the oldest first."""
        start = max(number - self.first, 0)
        for place in range(start, len(self.entries)):
            yield self.entries[place]

    # --- sources

    @Slot(str)
    def _on_said(self, text: str) -> None:
        self.add(SAID, text)

    @Slot(str)
    def _on_refused(self, text: str) -> None:
        self.add(REFUSED, text)

    @Slot(str, str)
    def on_error(self, sentence: str, details: str) -> None:
        """Add an error: a sentence, and its details."""
        self.add(ERROR, sentence.removeprefix("■ "), details)

    @Slot(str, str)
    def on_warning(self, sentence: str, details: str) -> None:
        self.add(WARNING, sentence, details)

    @Slot(str)
    def _on_opening(self, source: str) -> None:
        self.add(OPENING, f"Opening {source}")

    @Slot()
    def _on_opened(self) -> None:
        world = self.document.session.world
        if world is not None:
            count = len(world.landblock_ids())
            self.add(OPENING, f"Opened {world.name}: {counted(count, 'landblock')}")

    @Slot()
    def _on_started(self) -> None:
        history = self.document.history
        self._next_tick = 0 if history is None else history.end

    @Slot()
    def _on_travelled(self) -> None:
        """Time may resume from the past; ticks from there on are new again."""
        history = self.document.history
        if history is not None and not history.in_past:
            self._next_tick = min(self._next_tick, history.end)

    @Slot(object)
    def _on_ticked(self, report: TickReport) -> None:
        """Add new events only: the past may be shown many times."""
        if report.tick < self._next_tick:
            return
        self._next_tick = report.tick + 1
        for event in report.events:
            self.add(CELLS if isinstance(event, CellEvent) else DOOR, event_text(self.document.sim, event))
        for fault in report.faults:
            self.add(FAULT_KIND, fault)


class LogTable(LiveTable):
    """The entries that pass a filter, the newest last. A refresh costs only the new entries."""

    def __init__(self, log: Log, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent)
        self.log = log
        self.kind = ""
        self.words = ""
        self._next = 0
        self._last: LogEntry | None = None

    def choose(self, kind: str, words: str) -> None:
        """Show only entries of a kind that contain some words."""
        if (kind, words) != (self.kind, self.words):
            self.kind, self.words = kind, words
            self.read_all()

    def read_all(self) -> None:
        entries = [entry for entry in self.log.entries if entry.matches(self.kind, self.words)]
        self.beginResetModel()
        self.rows = [entry.row for entry in entries]
        self._changed = set()
        self.endResetModel()
        self._remember()

    def read(self) -> None:
        """Take over new entries and drop forgotten ones."""
        if not self.log.entries:
            if self.rows:
                self.read_all()
            self._remember()
            return
        self._drop_forgotten()
        last = self._last
        if last is not None and self.rows and self.rows[-1].key == last.number:
            for entry in self.log.since(last.number):
                if entry.number == last.number and entry is not last:
                    self.rows[-1] = entry.row
                    place = len(self.rows) - 1
                    self.dataChanged.emit(self.index(place, 0), self.index(place, len(self.columns) - 1))
                break
        new = [entry.row for entry in self.log.since(self._next) if entry.matches(self.kind, self.words)]
        if new:
            self.beginInsertRows(QModelIndex(), len(self.rows), len(self.rows) + len(new) - 1)
            self.rows += new
            self.endInsertRows()
        self._remember()

    def _drop_forgotten(self) -> None:
        first = self.log.first
        gone = 0
        while gone < len(self.rows) and int(str(self.rows[gone].key)) < first:
            gone += 1
        if gone:
            self.beginRemoveRows(QModelIndex(), 0, gone - 1)
            del self.rows[:gone]
            self.endRemoveRows()

    def _remember(self) -> None:
        self._last = self.log.entries[-1] if self.log.entries else None
        self._next = self.log.first + len(self.log.entries)

    def entry_of(self, key: object) -> LogEntry | None:
        """The entry of a row."""
        if not isinstance(key, int):
            return None
        return next((entry for entry in self.log.since(key) if entry.number == key), None)
