"""The newest events of the player, for a few seconds each: what has just happened to him."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from editor.models.timeline.events import EventLog, TimelineEvent
from editor.models.why import Why

STAYS_S: Final = 6.0
"""Seconds; long enough to read three lines and to reach a button."""

MOST: Final = 3
LOOK_MS: Final = 200
"""Counts of events that go on are not shown more often than they can be read."""


class Notices(QObject):
    """The events that Sweep can explain, the newest last. An event that goes on stays."""

    changed = Signal()

    def __init__(
        self, events: EventLog, parent: QObject | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        self.events = events
        self.shown: list[TimelineEvent] = []
        self.is_held = False
        """While the mouse is over the notices, they stay."""
        self._now = now
        self._until: list[float] = []
        self._earlier: list[int] = []
        """How often the cause of each had been told before, in the same line."""
        self._seen = len(events.events)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)
        events.changed.connect(self._on_events)
        events.document.started.connect(self._clear)
        events.document.travelled.connect(self._on_travelled)

    @Slot()
    def _on_events(self) -> None:
        events = self.events
        fresh = events.events[self._seen :]
        self._seen = len(events.events)
        for event in fresh:
            if event.about is not None:
                self._show(event)
        if events.latest is not None and not fresh:
            for place, event in enumerate(self.shown):
                if event is events.latest:
                    self._until[place] = self._now() + STAYS_S

    def _show(self, event: TimelineEvent) -> None:
        """Add it as the newest, with the count of the line that has told the same."""
        lines = list(zip(self.shown, self._until, self._earlier, strict=True))
        same = [line for line in lines if (line[0].kind, line[0].text) == (event.kind, event.text)]
        earlier = sum(told.count + before for told, _, before in same)
        kept = [line for line in lines if line not in same]
        self._set([*kept, (event, self._now() + STAYS_S, earlier)][-MOST:])
        self._timer.start()
        self.changed.emit()

    def _set(self, lines: list[tuple[TimelineEvent, float, int]]) -> None:
        self.shown = [event for event, _, _ in lines]
        self._until = [until for _, until, _ in lines]
        self._earlier = [earlier for _, _, earlier in lines]

    def count(self, event: TimelineEvent) -> int:
        """How often the cause of an event that is shown has been told: the ticks that it lasted, and those before."""
        return event.count + next(
            (earlier for told, earlier in zip(self.shown, self._earlier, strict=True) if told is event), 0
        )

    @Slot()
    def look(self) -> None:
        """Drop the lines whose time is over; the counts of the others may have grown."""
        if self.is_held:
            return
        now = self._now()
        left = [line for line in zip(self.shown, self._until, self._earlier, strict=True) if line[1] > now]
        self._set(left)
        if not left:
            self._timer.stop()
        self.changed.emit()

    @Slot()
    def _on_travelled(self) -> None:
        """What time has forgotten is gone; in the past, the notices of the present say nothing of what is shown."""
        self._clear()

    @Slot()
    def _clear(self) -> None:
        self._seen = len(self.events.events)
        self._set([])
        self._timer.stop()
        self.changed.emit()

    def last_why(self) -> Why | None:
        """The question about the last event before the tick that comes next; None when there is none."""
        history = self.events.document.history
        if history is None:
            return None
        earlier = reversed(self.events.between(0, history.now))
        return next((why_of(event) for event in earlier if event.about is not None), None)


def why_of(event: TimelineEvent) -> Why | None:
    """The question that Sweep answers, about the tick that met what caused the event."""
    return None if event.about is None else Why(event.decided, event.about)
