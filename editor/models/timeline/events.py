"""The events of a session: cell changes, stops, slides, doors, jumps and edits, each with the tick that it happened in.

Ticks of one cause are one event that goes on: the sliding normal of a contact hinders the player in the ticks after it
as well (physics.md 5.5), and somebody who keeps pushing against a wall meets it again and again.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal, Slot

from editor.document.document import Document
from editor.models.live_table import ACCEPTED, ADJUSTED, CURRENT, DIM, FAULT, Column, Row, Value
from editor.models.lost_wording import cell_event_text
from editor.models.why import WhyAbout
from editor.reports.contact_wording import contact_text, contacts_text, thing_name, way_text
from editor.session.recording_check import Rerun
from engine.entities.events import LOST, CellEvent, EntityEvent
from engine.geometry.constants import EPSILON
from engine.geometry.vec import length
from engine.sim.edits.catalogue import name_of, values_of
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.edit import Edit, EditValue
from engine.sim.edits.player import Teleport
from engine.sim.tick.contacts import Contact, SweepContacts
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text

CELLS: Final = "Cell changes"
STOPS: Final = "Stops"
SLIDES: Final = "Slides"
PUSHES: Final = "Pushes"
DOORS: Final = "Doors"
JUMPS: Final = "Jumps and falls"
EDITS: Final = "Edits"
KINDS: Final = (CELLS, STOPS, SLIDES, PUSHES, DOORS, JUMPS, EDITS)
TONES: Final = {
    CELLS: CURRENT,
    STOPS: FAULT,
    SLIDES: ADJUSTED,
    PUSHES: ADJUSTED,
    DOORS: ADJUSTED,
    JUMPS: ACCEPTED,
    EDITS: DIM,
}
WORDS: Final = {
    CELLS: "cell",
    STOPS: "stop",
    SLIDES: "slide",
    PUSHES: "push",
    DOORS: "door",
    JUMPS: "jump",
    EDITS: "edit",
}
SIGNS: Final = {CELLS: "▶", STOPS: "■", SLIDES: "↷", PUSHES: "◀", DOORS: "◨", JUMPS: "▲", EDITS: "✎"}
GOES_ON: Final = 3
"""Ticks that may lie between two of one event."""

HINDRANCES: Final = (STOPS, SLIDES)

STUCK: Final = 3
"""Ticks in the air without a move, after which the sweep makes up level ground (physics.md 5.9)."""

LEAST_PUSH: Final = 0.01
"""Metres; less is how far a body sinks between two ticks of walking over a bend of the ground."""

EDIT_WORDS: Final = {
    "put_back": "undo",
    "put_player_back": "put back",
    "use": "use door",
    "replace_cell": "edit room",
}
BY_NAME: Final = ("set_player", "set_rule", "set_rules")
"""Edits whose first argument names what they set."""

COLUMNS: Final = (
    Column("Tick", mono=True, right=True, sample="99,999"),
    Column("Kind", sample="↷ jump"),
    Column("What"),
)


@dataclass(slots=True)
class TimelineEvent:
    """Something worth finding a tick by. `tick` is the one in which it happened, or began."""

    tick: int
    kind: str
    text: str
    about: WhyAbout | None = None
    """What Sweep can explain; None for what no sweep decided."""
    contacts: list[Contact] = field(default_factory=list, compare=False)
    """What caused it, the one that decided first."""
    notice: str = field(default="", compare=False)
    """Shorter words for the one to whom it has just happened; "" for the text."""
    ticks: list[int] = field(default_factory=list)
    """Every tick of an event that went on."""
    decided_in: int = field(default=-1, compare=False)
    """The tick that met the contacts, if an earlier one did; −1 for its own."""

    @property
    def last(self) -> int:
        return self.ticks[-1] if self.ticks else self.tick

    @property
    def count(self) -> int:
        """Ticks that it lasted."""
        return max(len(self.ticks), 1)

    @property
    def decided(self) -> int:
        """The tick whose sweep met what caused the event."""
        return self.tick if self.decided_in < 0 else self.decided_in

    @property
    def when(self) -> str:
        """Its tick, or the first and the last."""
        return f"tick {self.tick:,}" if self.count < 2 else f"ticks {self.tick:,} to {self.last:,}"

    @property
    def line(self) -> str:
        """The text, with how long it went on."""
        return self.text if self.count < 2 else f"{self.text}, for {self.count:,} ticks"


class EventLog(QObject):
    """All events in the order of their ticks. When the document forgets later ticks, their events go too."""

    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.events: list[TimelineEvent] = []
        self.latest: TimelineEvent | None = None
        """The event that was added or went on last."""
        self.changes = 0
        """How often `events` has changed, but for events that went on."""
        self._arrays_of = -1
        self._ticks = np.empty(0, np.int64)
        self._kinds = np.empty(0, np.int64)
        self._next = 0
        self._branches = 0
        self._going_on: dict[tuple[object, ...], TimelineEvent] = {}
        self._edit: tuple[int, str, EditValue] | None = None
        document.ticked.connect(self._on_tick)
        document.edited.connect(self._on_edit)
        document.started.connect(self._on_started)
        document.travelled.connect(self._on_travelled)

    @Slot()
    def _on_started(self) -> None:
        history = self.document.history
        self.events = []
        self.latest = None
        self._next = 0 if history is None else history.end
        self._branches = 0
        self._going_on = {}
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
            for tick in range(report.tick + 1, report.tick + 1 + run.repeats.get(report.tick, 0)):
                self._hinder(tick, report, report.contacts)
        self._next = run.recording.end
        self._edit = None
        self.events.sort(key=lambda event: event.tick)
        self.blockSignals(False)

    @Slot()
    def _on_travelled(self) -> None:
        """If time continues from the past, or a script is taken back, the later events are gone."""
        history = self.document.history
        if history is None or history.in_past:
            return
        was_cut, self._branches = history.branches != self._branches, history.branches
        if was_cut or history.end < self._next:
            self._next = history.end
            self.events = [event for event in self.events if event.tick < history.end]
            for event in self.events:
                del event.ticks[bisect_left(event.ticks, history.end) :]
            self._going_on = {(event.kind, event.text): event for event in self.events if event.ticks}
            self.latest = None
            self._edit = None
            for edit in history.recording.edits.get(history.end, ()):
                self._hear(history.end, edit)
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
            return self.document.names.cell(edit.cell_id)
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
        self._add_moves(sim, report)
        for event in report.events:
            if isinstance(event, CellEvent):
                is_lost = event.what == LOST and event.entity_id == sim.player.id
                self._add(tick, CELLS, cell_event_text(sim, event), WhyAbout.LOST if is_lost else None)
            else:
                self._add(tick, DOORS, self._event(event))

    def _add_moves(self, sim: Simulation, report: TickReport) -> None:
        """What became of the player: where he was stopped, slid, pushed, went, took off and landed."""
        tick, contacts = report.tick, report.contacts
        if report.jumped:
            self._add(tick, JUMPS, "Jumped")
        self._hinder(report.tick, report, contacts)
        if contacts is not None and contacts.pushed > LEAST_PUSH:
            ground = contacts.pushed_by
            by = "the ground" if ground is None else contact_text(sim, ground)
            text = f"Pushed {contacts.pushed:.2f} m out of {by}"
            self._go_on(tick, PUSHES, text, WhyAbout.PUSHED, [] if ground is None else [ground], cause=by)
        for entity_id in [] if contacts is None else contacts.run_into_by:
            self._go_on(tick, PUSHES, f"{thing_name(sim, entity_id)} ran into the player", None, [])
        if report.cell_changed and report.lost:
            self._add(tick, CELLS, f"Still in no cell, with the id {cell_text(report.cell)}")
        elif report.cell_changed:
            way = "" if contacts is None else way_text(sim, contacts, report.cell_before)
            notice = f"Entered {sim.world.names.cell(report.cell)}{f' {way}' if way else ''}"
            text = f"{notice}, from {sim.world.names.cell(report.cell_before)}"
            event = self._add(tick, CELLS, text, WhyAbout.CELL_CHANGED)
            event.notice = notice
        if report.landed:
            self._add_landing(sim, report)
        if report.left_ground and not report.jumped:
            self._add_fall(sim, report)

    def _add_landing(self, sim: Simulation, report: TickReport) -> None:
        contacts = report.contacts
        ground = None if contacts is None else contacts.ground
        found = [] if ground is None else [ground]
        text = "Landed" if ground is None else f"Landed on {contact_text(sim, ground)}"
        if ground is None and contacts is not None and report.frames_stationary_fall >= STUCK:
            found = contacts.stopped_by
            text = f"Landed on no ground: stuck in the air for {STUCK} ticks"
            text += f" by {contacts_text(sim, found)}" if found else ""
        self._add(report.tick, JUMPS, text, WhyAbout.LANDED, found)

    def _add_fall(self, sim: Simulation, report: TickReport) -> None:
        contacts = report.contacts
        stood_on = None if contacts is None else contacts.stood_on
        if report.in_contact:
            ground = None if contacts is None else contacts.ground
            text = "Lost the ground: it is too steep to stand on"
            text += "" if ground is None else f", {contact_text(sim, ground)}"
        elif stood_on is not None and contacts is not None and contacts.took_off:
            text = f"Bounced off {contact_text(sim, stood_on)}"
        else:
            text = "Left the ground" if stood_on is None else f"Left the ground at {contact_text(sim, stood_on)}"
        self._add(report.tick, JUMPS, text, WhyAbout.FELL, [] if stood_on is None else [stood_on])

    def _hinder(self, tick: int, report: TickReport, contacts: SweepContacts | None) -> None:
        """He was stopped or slid: by what he met in this tick, else by what he met in the tick before."""
        if contacts is None or not _fell_short(report):
            return
        kind = STOPS if contacts.stopped_by or length(report.made) <= EPSILON else SLIDES
        causes = contacts.stopped_by or contacts.slid_along[::-1]  # the last slide decided where he went
        decided = tick
        if not causes and contacts.held:
            causes = contacts.held_by
            decided = self._met_in(causes, tick) if causes else tick
        elif not causes and contacts.steep is not None:
            causes = [contacts.steep]
        if not causes and not contacts.held:
            return  # the slope of the ground, a step up, a landing
        by = contacts_text(self.document.sim, causes) if causes else "an earlier contact"
        about = WhyAbout.BLOCKED if kind == STOPS else WhyAbout.SLID
        self._go_on(tick, kind, f"{'Blocked by' if kind == STOPS else 'Slid along'} {by}", about, causes, decided)

    def _met_in(self, contacts: list[Contact], tick: int) -> int:
        """The tick that met what now holds the player: ticks without a sweep keep the sliding normal (physics.md 5.5),
        so it may be long ago."""
        wanted = [contact.key for contact in contacts]
        told = (event for event in reversed(self.events) if event.kind in HINDRANCES)
        return next((event.decided for event in told if [each.key for each in event.contacts] == wanted), tick)

    def _go_on(
        self,
        tick: int,
        kind: str,
        text: str,
        about: WhyAbout | None,
        contacts: list[Contact],
        decided: int = -1,
        cause: str = "",
    ) -> None:
        """Add an event, or let one of the same cause go on; the text is the cause if there is no other."""
        key = (kind, cause or text)
        before = self._going_on.get(key)
        if before is not None and tick - before.last <= GOES_ON:
            self._extend(before, tick)
            return
        self._going_on = {key: event for key, event in self._going_on.items() if tick - event.last <= GOES_ON}
        self._going_on[key] = self._add(tick, kind, text, about, contacts)
        self._going_on[key].ticks.append(tick)
        self._going_on[key].decided_in = decided

    def _extend(self, event: TimelineEvent, tick: int) -> None:
        event.ticks.append(tick)
        self.latest = event
        self.changed.emit()

    def _event(self, event: EntityEvent) -> str:
        entity = self.document.sim.population.find(event.entity_id)
        return f"{cell_text(event.entity_id) if entity is None else entity.name} {event.what}"

    def _add(
        self, tick: int, kind: str, text: str, about: WhyAbout | None = None, contacts: list[Contact] | None = None
    ) -> TimelineEvent:
        event = TimelineEvent(tick, kind, text, about, contacts or [])
        self.events.append(event)
        self.latest = event
        self._tell()
        return event

    def last_hindrance(self, before: int) -> TimelineEvent | None:
        """The last stop or slide that began before a tick."""
        earlier = self.events[: bisect_left(self.events, before, key=_tick_of)]
        return next((event for event in reversed(earlier) if event.kind in HINDRANCES), None)

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


def _fell_short(report: TickReport) -> bool:
    """The player asked for a move that he did not get."""
    wanted, made = report.wanted, report.made
    return report.swept and length((wanted[0] - made[0], wanted[1] - made[1], wanted[2] - made[2])) > EPSILON


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
            Value(event.line),
        )
        found.append(Row((event.tick, number), values))
    return found
