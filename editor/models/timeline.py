"""The session's past at a glance: the player's height, speed and cell in every tick, and what happened when."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal, Slot

from editor.document.document import Document
from editor.document.history import History
from editor.models.live_table import ACCEPTED, ADJUSTED, CURRENT, DIM, FAULT, Column, Row, Value
from editor.models.lost_wording import cell_event_text
from editor.models.player import touched_by
from editor.session.recording_check import Rerun
from engine.entities.events import CellEvent, EntityEvent
from engine.sim.edits.catalogue import name_of, values_of
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.edit import Edit, EditValue
from engine.sim.edits.player import Teleport
from engine.sim.recording import Recording
from engine.sim.tick.report import TickReport
from engine.world.cells.ids import block_of, cell_text

TICKS_PER_SECOND: Final = 30.0
AT_ONCE: Final = 10_000
"""Ticks of a curve that are read in one go: some 12 ms."""

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
"""Edits whose first argument says what they set."""

COLUMNS: Final = (
    Column("Tick", mono=True, right=True, sample="99,999"),
    Column("Kind", sample="↷ jump"),
    Column("What"),
)


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that a tick is looked for by. `tick` is the one in which it happened."""

    tick: int
    kind: str
    text: str


class Chronicle(QObject):
    """What happened, in the order of the ticks; the past that is forgotten is forgotten here too."""

    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.happenings: list[Happening] = []
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
        self.happenings = []
        self._next = 0 if history is None else history.end
        self._touching = False
        self._edit = None
        run = self.document.session.run
        if run is not None:
            self._read(run)
        self.changed.emit()

    def _read(self, run: Rerun) -> None:
        """What happened in a recording that was opened."""
        self.blockSignals(True)
        self._next = run.recording.first_tick
        for tick, edits in run.recording.edits.items():  # first: they come before the tick that sees them
            for edit in edits:
                self._hear(tick, edit)
        for report in run.reports:
            self._on_tick(report)
        self._next = run.recording.end
        self._touching, self._edit = False, None
        self.happenings.sort(key=lambda happening: happening.tick)
        self.blockSignals(False)

    @Slot()
    def _on_travelled(self) -> None:
        """Time may go on from the past: what came after is gone."""
        history = self.document.history
        if history is not None and not history.in_past and history.end < self._next:
            self._next = history.end
            self.happenings = [happening for happening in self.happenings if happening.tick < history.end]
            self._edit = None
            self.changed.emit()

    @Slot(object)
    def _on_edit(self, edit: Edit) -> None:
        """The steps of a drag that time does not come between are one."""
        if not self.document.in_past:
            self._hear(self.document.sim.tick_number, edit)

    def _hear(self, tick: int, edit: Edit) -> None:
        made = (tick, name_of(edit), _subject_of(edit))
        if made != self._edit or self.happenings[-1].kind != EDITS:
            self._edit = made
            words = EDIT_WORDS.get(name_of(edit), name_of(edit).replace("_", " "))
            about = self._about(edit)
            self._add(tick, EDITS, f"{words}: {about}" if about else words)

    def _about(self, edit: Edit) -> str:
        """What was edited, by the name that people know it by."""
        subject = _subject_of(edit)
        if isinstance(edit, Teleport | ReplaceCell):
            return cell_text(edit.cell_id)
        if isinstance(subject, str):
            return subject.replace("_", " ") if name_of(edit) in BY_NAME else ""
        entity = self.document.sim.population.find(subject) if isinstance(subject, int) else None
        return "" if entity is None else entity.name

    @Slot(object)
    def _on_tick(self, report: TickReport) -> None:
        """Only what is new: the past may be shown many times."""
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
        self.happenings.append(Happening(tick, kind, text))
        self.changed.emit()

    def chosen(self, kind: str) -> list[Happening]:
        """Those of a kind; all of them for none."""
        return [happening for happening in self.happenings if kind in ("", happening.kind)]

    def after(self, tick: int, kind: str) -> Happening | None:
        return next((found for found in self.chosen(kind) if found.tick > tick), None)

    def before(self, tick: int, kind: str) -> Happening | None:
        return next((found for found in reversed(self.chosen(kind)) if found.tick < tick), None)


def _subject_of(edit: Edit) -> EditValue:
    """What an edit is about: the room that it replaces, or its first value, which is an id or a name."""
    values = values_of(edit)
    return edit.cell_id if isinstance(edit, ReplaceCell) else values[0] if values else 0


def happening_rows(happenings: list[Happening]) -> list[Row]:
    """The latest first."""
    found = []
    for number in range(len(happenings) - 1, -1, -1):
        happening = happenings[number]
        values = (
            Value(f"{happening.tick:,}", str(happening.tick)),
            Value(f"{SIGNS[happening.kind]} {WORDS[happening.kind]}", WORDS[happening.kind], TONES[happening.kind]),
            Value(happening.text),
        )
        found.append(Row((happening.tick, number), values))
    return found


class Curves:
    """Height, speed and cell after every recorded tick, read as the recording grows."""

    def __init__(self) -> None:
        self._begin(None, 0)

    def _begin(self, recording: Recording | None, branch: int) -> None:
        self.first = 0 if recording is None else recording.first_tick
        self.heights = array("d")
        self.speeds = array("d")
        self.cells = array("I")
        self._last: tuple[int, float, float, float] | None = None
        self._recording = recording
        self.branch = branch

    def __len__(self) -> int:
        return len(self.heights)

    def read(self, history: History) -> bool:
        """Take over what is new; from the beginning when it is another recording, or has gone on from its past.
        Whether that is all of it: an hour that was opened is read in pieces, between which the window goes on."""
        recording = history.recording
        if recording is not self._recording or history.branches != self.branch:
            self._begin(recording, history.branches)
        for number in range(len(self), min(len(recording), len(self) + AT_ONCE)):
            sample = recording.samples[number]
            x, y, z = sample.origin
            last = self._last
            speed = 0.0
            if last is not None and block_of(last[0]) == block_of(sample.cell):
                speed = math.dist((x, y, z), last[1:]) * TICKS_PER_SECOND
            elif number and last is not None:
                speed = self.speeds[-1]  # over a border of landblocks; the next tick knows again
            self._last = (sample.cell, x, y, z)
            self.heights.append(z)
            self.speeds.append(speed)
            self.cells.append(sample.cell)
        return len(self) == len(recording)


def extremes(values: array[float], width: int) -> list[tuple[float, float]]:
    """The least and the greatest value in each of `width` equal stretches, for a curve of that many pixels."""
    count = len(values)
    if not count or width < 1:
        return []
    data: NDArray[np.float64] = np.array(values)
    starts = np.unique(np.arange(width) * count // width)
    low, high = np.minimum.reduceat(data, starts), np.maximum.reduceat(data, starts)
    place = np.searchsorted(starts, np.arange(width) * count // width)
    return list(zip(low[place].tolist(), high[place].tolist(), strict=True))


def stretches(cells: array[int]) -> list[tuple[int, int, int]]:
    """Where the player stayed: (cell, first number, one past the last)."""
    data = np.array(cells)
    if not len(data):
        return []
    cuts = [0, *(np.flatnonzero(np.diff(data)) + 1).tolist(), len(data)]
    return [(int(data[a]), a, b) for a, b in pairwise(cuts)]
