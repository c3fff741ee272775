"""A quiet strip over the picture: what has just happened to the player, each line with the button "Why?"."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSettings, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QEnterEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QToolButton

from editor.models.live_table import ADJUSTED, FAULT
from editor.models.timeline.events import SIGNS, TONES, TimelineEvent
from editor.models.timeline.notices import MOST, Notices, why_of
from editor.models.why import Why
from editor.process.plain_text import plain, plain_lines
from editor.view3d.overlay_labels import pixel_of
from ui.commands.registry import CommandSet
from ui.theme.theme import BETWEEN, DARK, EDGE, GROUP
from ui.view3d.viewport import Viewport

SETTING: Final = "event-notices"
WHY_KEY: Final = "Y"
NOTHING_YET: Final = "Nothing has happened to the player yet."
CLEAR: Final = 24
"""Pixels around the place of a contact that the strip leaves free."""

STEP: Final = 24
"""Pixels between two places that are tried down the edge."""

LARGEST_PART: Final = 0.3
"""Of the picture's height, for more than one line."""

WIDEST: Final = 520
NARROWEST: Final = 160
COLOURS: Final = {FAULT: DARK.fault, ADJUSTED: DARK.adjusted}
STYLE: Final = f"""
QFrame#notices {{ background: rgba(14, 16, 18, 236); border-radius: 4px; }}
QFrame#notices QLabel {{ color: {DARK.text}; background: transparent; }}
QFrame#notices QToolButton {{
    color: {DARK.text}; background: rgba(255, 255, 255, 24); border: 1px solid transparent; border-radius: 3px;
    padding: 1px 6px;
}}
QFrame#notices QToolButton:hover {{ background: rgba(255, 255, 255, 56); }}
QFrame#notices QToolButton:focus {{ border-color: {DARK.accent}; }}
"""
"""Dark in both themes, as is everything over the picture."""


class NoticeStrip(QFrame):
    """Stands in a corner of the picture where it covers neither tools nor figures nor the place that it is about."""

    why_asked = Signal(object)
    """A `Why`."""
    refused = Signal(str)

    def __init__(self, viewport: Viewport, notices: Notices, commands: CommandSet, settings: QSettings) -> None:
        super().__init__(viewport)
        self.setObjectName("notices")
        self.setAccessibleName("What has just happened to the player")
        self.setStyleSheet(STYLE)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.notices = notices
        self._viewport = viewport
        self._settings = settings
        self._events: list[TimelineEvent] = []
        self._corner = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(BETWEEN, GROUP, GROUP, GROUP)
        self._grid.setHorizontalSpacing(BETWEEN)
        self._grid.setVerticalSpacing(GROUP)
        self._grid.setColumnStretch(0, 1)
        self.lines = [self._line(number) for number in range(MOST)]
        self.action = commands.add(
            "event-notices",
            "Event Notices",
            tip="Show in the picture what stops the player or makes him slide, fall or change cell",
            is_checkable=True,
        )
        self.action.setChecked(settings.value(SETTING, True, type=bool) is True)
        self.action.toggled.connect(self._on_toggled)
        self.why_action: QAction = commands.add(
            "why-did-that-happen",
            "Why Did That Happen?",
            self.ask,
            WHY_KEY,
            tip="Show in Sweep what decided the last event of the player",
        )
        viewport.over.append(self)
        notices.changed.connect(self.refresh)
        viewport.painted.connect(self._on_painted, Qt.ConnectionType.QueuedConnection)
        self.hide()

    def _line(self, number: int) -> tuple[QLabel, QToolButton]:
        label = QLabel(self)
        label.setObjectName(f"notice-{number}")
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        button = QToolButton(self)
        button.setObjectName(f"notice-why-{number}")
        button.setText("Why?")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys with the picture
        button.clicked.connect(lambda checked=False: self._ask_about(number))
        self._grid.addWidget(label, number, 0)
        self._grid.addWidget(button, number, 1, Qt.AlignmentFlag.AlignTop)
        return label, button

    # --- asking

    def _ask_about(self, number: int) -> None:
        why = why_of(self._events[number]) if number < len(self._events) else None
        if why is not None:
            self.why_asked.emit(why)

    @Slot()
    def ask(self) -> None:
        """Ask about the last event, shown or not."""
        why: Why | None = self.notices.last_why()
        if why is None:
            self.refused.emit(NOTHING_YET)
        else:
            self.why_asked.emit(why)

    # --- showing

    @Slot(bool)
    def _on_toggled(self, on: bool) -> None:
        self._settings.setValue(SETTING, on)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        self._show(list(self.notices.shown) if self.action.isChecked() else [])
        self.place()

    def _show(self, events: list[TimelineEvent]) -> None:
        self._events = events
        for number, (label, button) in enumerate(self.lines):
            is_shown = number < len(self._events)
            label.setVisible(is_shown)
            button.setVisible(is_shown)
            if is_shown:
                self._write(label, button, self._events[number])

    def _write(self, label: QLabel, button: QToolButton, event: TimelineEvent) -> None:
        times = self.notices.count(event)
        count = f"  ×{times:,}" if times > 1 else ""
        text = plain(f"{SIGNS[event.kind]} {event.notice or event.text}{count}")
        if text != label.text():
            label.setText(plain(text))
            colour = COLOURS.get(TONES[event.kind], DARK.text)
            label.setStyleSheet(f"color: {colour}")
            label.setToolTip(plain_lines(f"{event.line}, in {event.when}"))
            button.setAccessibleName(plain(f"Why: {event.notice or event.text}"))
            button.setToolTip(plain_lines(f"Show in Sweep what decided in tick {event.decided:,} ({WHY_KEY})"))

    def enterEvent(self, event: QEnterEvent) -> None:
        self.notices.is_held = True
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.notices.is_held = False
        super().leaveEvent(event)

    # --- its place

    @Slot()
    def _on_painted(self) -> None:
        if self.isVisible():
            self.place()

    def place(self) -> None:
        """Choose the first place that is free; it stays where it is while that is free. In a picture without room for
        all lines the newest ones are left, and in one without room for one line none."""
        while self._events:
            size = self._size()
            if len(self._events) > 1 and size.height() > LARGEST_PART * self._viewport.height():
                self._show(self._events[1:])
                continue
            places = self._places(size)
            order = [corner for corner in (self._corner, *range(len(places))) if corner < len(places)]
            margins = (CLEAR, 0) if len(self._events) == 1 else (CLEAR,)
            free = (corner for margin in margins for corner in order if self._is_free(places[corner], margin))
            corner = next(free, -1)
            if corner >= 0:
                self._corner = corner
                self.setGeometry(places[corner])
                self.show()
                self.raise_()
                return
            self._show(self._events[1:])
        self.hide()

    def _size(self) -> QSize:
        viewport = self._viewport
        shelf = viewport.tools.shelf.geometry().right() + EDGE
        room = max(min(WIDEST, viewport.width() - shelf - EDGE), NARROWEST)
        button = self.lines[0][1].sizeHint().width()
        text = max(label.fontMetrics().horizontalAdvance(label.text()) for label, _ in self._shown_lines()) + 2
        width = min(text + button + 2 * BETWEEN + GROUP, room)
        return QSize(width, self._grid.totalHeightForWidth(width))

    def _shown_lines(self) -> list[tuple[QLabel, QToolButton]]:
        return self.lines[: len(self._events)]

    def _places(self, size: QSize) -> list[QRect]:
        """Corners from the most usual on, then down the right edge; a tool's hint is at the top."""
        box = self._viewport.rect().adjusted(EDGE, EDGE, -EDGE, -EDGE)
        right, bottom = box.right() - size.width() + 1, box.bottom() - size.height() + 1
        above_figures = round(self._viewport.words.figures.top()) - size.height() - BETWEEN
        beside = self._viewport.tools.shelf.geometry().right() + EDGE
        corners = [
            QPoint(right, box.top()),
            QPoint(right, bottom),
            QPoint(right, above_figures),
            QPoint(beside, box.top()),
            QPoint(beside, above_figures),
        ]
        if self._viewport.viewing.placing.words:
            corners = [corner for corner in corners if corner.y() != box.top()]
        corners += [QPoint(right, y) for y in range(box.top(), bottom, STEP)]
        return [QRect(corner, size) for corner in corners]

    def _is_free(self, place: QRect, margin: int) -> bool:
        viewport = self._viewport
        inside = viewport.rect().contains(place)
        covers = place.intersects(viewport.tools.shelf.geometry())
        covers = covers or place.intersects(viewport.words.figures.toAlignedRect())
        around = place.adjusted(-margin, -margin, margin, margin)
        return inside and not covers and not any(around.contains(spot) for spot in self.spots())

    def spots(self) -> list[QPoint]:
        """Where the things that the lines are about are in the picture: the contacts, else the player."""
        found = []
        picture, ratio = self._viewport.picture, self._viewport.devicePixelRatioF()
        for event in self._events if picture is not None else []:
            spots = [(contact.at, contact.at_cell) for contact in event.contacts[:1]]
            sim = self._viewport.viewing.sim
            if not spots and sim is not None:
                place = sim.player.steered.place
                spots = [(place.origin, place.cell_id)]
            for at, cell_id in spots:
                pixel = None if picture is None else pixel_of(picture.camera, at, cell_id)
                if pixel is not None:
                    found.append(QPoint(round(pixel[0] / ratio), round(pixel[1] / ratio)))
        return found
