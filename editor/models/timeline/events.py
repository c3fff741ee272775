"""The events of a session: cell changes, collisions, doors, jumps and edits, each with the tick that it happened in."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal, Slot

from editor.document.document import Document
from editor.models.live_table import ACCEPTED, ADJUSTED, CURRENT, DIM, FAULT, Column, Row, Value
from editor.models.lost_wording import cell_event_text
from editor.models.player import touched_by
from editor.session.recording_check import Rerun
from engine.entities.events import CellEvent, EntityEvent
from engine.sim.edits.catalogue import name_of, values_of
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.edit import Edit, EditValue
from engine.sim.edits.player import Teleport
from engine.sim.tick.report import TickReport
from engine.world.cells.ids import cell_text

CELLS: Final = "Cell changes"
HITS: Final = "Collisions"
DOORS: Final = "Doors"
JUMPS: Final = "Jumps and falls"
EDITS: Final = "Edits"
KINDS: Final = (CELLS, HITS, DOORS, JUMPS, EDITS)
TONES: Final = {CELLS: CURRENT, HITS: FAULT, DOORS: ADJUSTED, JUMPS: ACCEPTED, EDITS: DIM}
WORDS: Final = {CELLS: "cell", HITS: "hit", DOORS: "door", JUMPS: "jump", EDITS: "edit"}
SIGNS: Final = {CELLS: "▶", HITS: "■", DOORS: "◨", JUMPS: "↷", EDITS: "✎"}
EDIT_WORDS: Final = {
    "put_back": "undo",
    "put_player_back": "put back",
    "use": "use door",
    "replace_cell": "change cell",
}
BY_NAME: Final = ("set_player", "set_rule", "set_rules")
"""Edits whose first argument names what they set."""

COLUMNS: Final = (
    Column("Tick", mono=True, right=True, sample="99,999"),
    Column("Kind", sample="↷ jump"),
    Column("What"),
)


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """Something worth finding a tick by. `tick` is the one in which it happened."""

    tick: int
    kind: str
    text: str


class EventLog(QObject):
    """All events in the order of their ticks. When the document forgets later ticks, their events go too."""

    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.events: list[TimelineEvent] = []
        self.changes = 0
        """How often `events` has changed."""
        self._arrays_of = -1
        self._ticks = np.empty(0, np.int64)
        self._kinds = np.empty(0, np.int64)
        self._next = 0
        self._touching = False
        self._edit: tuple[int, str, EditValue] | None = None
        document.ticked.connect(self._on_tick)
        document.edited.connect(self._on_edit)
        document.started.connect(self._on_started)
        document.travelled.connect(self._on_travelled)

    @Slot()
    def _on_started(self) -> None:
        history = self.document.history
        self.events = []
        self._next = 0 if history is None else history.end
        self._touching = False
        self._edit = None
        run = self.document.session.run
        if run is not None:
            self._read(run)
        self._tell()

    def _tell(self) -> None:
        self.changes += 1
        self.changed.emit()

    def _read(self, run: Rerun) -> None:
        """Take over the events of a recording that was opened."""
        self.blockSignals(True)
        self._next = run.recording.first_tick
        for tick, edits in run.recording.edits.items():  # before the reports: a tick sees the edits made for it
            for edit in edits:
                self._hear(tick, edit)
        for report in run.reports:
            self._on_tick(report)
        self._next = run.recording.end
        self._touching, self._edit = False, None
        self.events.sort(key=lambda event: event.tick)
        self.blockSignals(False)

    @Slot()
    def _on_travelled(self) -> None:
        """If time continues from the past, the later events are gone."""
        history = self.document.history
        if history is not None and not history.in_past and history.end < self._next:
            self._next = history.end
            self.events = [event for event in self.events if event.tick < history.end]
            self._edit = None
            self._tell()

    @Slot(object)
    def _on_edit(self, edit: Edit) -> None:
        """Consecutive steps of one drag are one event, unless a tick has run between them."""
        if not self.document.in_past:
            self._hear(self.document.sim.tick_number, edit)

    def _hear(self, tick: int, edit: Edit) -> None:
        made = (tick, name_of(edit), _subject_of(edit))
        if made != self._edit or self.events[-1].kind != EDITS:
            self._edit = made
            words = EDIT_WORDS.get(name_of(edit), name_of(edit).replace("_", " "))
            about = self._about(edit)
            self._add(tick, EDITS, f"{words}: {about}" if about else words)

    def _about(self, edit: Edit) -> str:
        """The name of what was edited."""
        subject = _subject_of(edit)
        if isinstance(edit, Teleport | ReplaceCell):
            return cell_text(edit.cell_id)
        if isinstance(subject, str):
            return subject.replace("_", " ") if name_of(edit) in BY_NAME else ""
        entity = self.document.sim.population.find(subject) if isinstance(subject, int) else None
        return "" if entity is None else entity.name

    @Slot(object)
    def _on_tick(self, report: TickReport) -> None:
        """Add the events of a new tick; ticks of the past may be replayed many times."""
        if report.tick < self._next:
            return
        self._next = report.tick + 1
        sim, tick = self.document.sim, report.tick
        touched = touched_by(sim, report)
        if touched and not self._touching:
            self._add(tick, HITS, ", ".join(touched))
        self._touching = bool(touched) or (self._touching and report.blocked)
        if report.cell_changed:
            self._add(tick, CELLS, f"{cell_text(report.cell_before)} to {cell_text(report.cell)}")
        for happened, word in (
            (report.jumped, "jumped"),
            (report.landed, "landed"),
            (report.left_ground and not report.jumped, "left the ground"),
        ):
            if happened:
                self._add(tick, JUMPS, word)
        for event in report.events:
            if isinstance(event, CellEvent):
                self._add(tick, CELLS, cell_event_text(sim, event))
            else:
                self._add(tick, DOORS, self._event(event))

    def _event(self, event: EntityEvent) -> str:
        entity = self.document.sim.population.find(event.entity_id)
        return f"{cell_text(event.entity_id) if entity is None else entity.name} {event.what}"

    def _add(self, tick: int, kind: str, text: str) -> None:
        self.events.append(TimelineEvent(tick, kind, text))
        self._tell()

    def places(self, first: int, last: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The ticks of the events from `first` up to `last`, and their kinds as places in `KINDS`."""
        if self._arrays_of != self.changes or len(self._ticks) != len(self.events):
            self._arrays_of = self.changes
            self._ticks = np.array([event.tick for event in self.events], np.int64)
            self._kinds = np.array([KINDS.index(event.kind) for event in self.events], np.int64)
        a, b = np.searchsorted(self._ticks, (first, last))
        return self._ticks[a:b], self._kinds[a:b]

    def between(self, first: int, last: int) -> list[TimelineEvent]:
        """The events of the ticks from `first` up to `last`."""
        begin = bisect_left(self.events, first, key=_tick_of)
        return self.events[begin : bisect_left(self.events, last, lo=begin, key=_tick_of)]

    def chosen(self, kind: str) -> list[TimelineEvent]:
        """The events of one kind, or all of them if `kind` is empty."""
        return [event for event in self.events if kind in ("", event.kind)]

    def after(self, tick: int, kind: str) -> TimelineEvent | None:
        """The first event of a kind after a tick."""
        return next(
            (found for found in self.events[bisect_right(self.events, tick, key=_tick_of) :] if _is(found, kind)), None
        )

    def before(self, tick: int, kind: str) -> TimelineEvent | None:
        """The last event of a kind before a tick."""
        earlier = self.events[: bisect_left(self.events, tick, key=_tick_of)]
        return next((found for found in reversed(earlier) if _is(found, kind)), None)


def _subject_of(edit: Edit) -> EditValue:
    """What an edit is about: the room that it replaces, or its first value, which is an id or a name."""
    values = values_of(edit)
    return edit.cell_id if isinstance(edit, ReplaceCell) else values[0] if values else 0


def _tick_of(event: TimelineEvent) -> int:
    return event.tick


def _is(event: TimelineEvent, kind: str) -> bool:
    return kind in ("", event.kind)


def event_rows(events: list[TimelineEvent]) -> list[Row]:
    """The events as rows, the latest first."""
    found = []
    for number in range(len(events) - 1, -1, -1):
        event = events[number]
        values = (
            Value(f"{event.tick:,}", str(event.tick)),
            Value(f"{SIGNS[event.kind]} {WORDS[event.kind]}", WORDS[event.kind], TONES[event.kind]),
            Value(event.text),
        )
        found.append(Row((event.tick, number), values))
    return found
