"""Who may pass the selected door: below the table of Doors, with the widest bodies that get by it."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QTabBar,
    QToolButton,
    QWidget,
)

from editor.document.document import Document
from editor.models.live_table import Index, LiveTable
from editor.models.passage.rows import COLUMNS, reason_text, rows_of
from editor.models.passage.watch import PassageWatch
from editor.process.plain_text import plain, plain_lines
from editor.reports.door_passage import TITLES, gap_sentence
from engine.entities.door import Door
from engine.sim.passage.gaps import Gap, Way
from engine.sim.passage.travellers import Who
from engine.sim.passage.trial import DoorState
from ui.docks.parts import column
from ui.docks.table import ROW_HEIGHT, LiveView
from ui.theme.theme import EDGE, GROUP

CHOOSE: Final = "Select a door to see who may pass it."
TRYING: Final = "Testing…"
NOBODY: Final = "Nobody fits through that way, so there is no walk to show."
SHOWS: Final = "A ghost of the widest body walks it in the 3D view; the world does not change."

TWO_LINES: Final = 38
SHORTEST: Final = 88
"""Pixels that the part keeps in a low dock: it scrolls."""


class GapLine(QWidget):
    """One way by the door: the widest body, and the button that shows its walk."""

    shown = Signal(object)

    def __init__(self, way: Way, parent: QWidget) -> None:
        super().__init__(parent)
        self.way = way
        self.gap: Gap | None = None
        self.text = _wrapped(f"door-gap-{way.name.lower()}", self)
        self.button = QToolButton(self)
        self.button.setText("Show")
        self.button.setObjectName(f"door-show-{way.name.lower()}")
        self.button.setAccessibleName(plain(f"Show the way {way.value}"))
        self.button.clicked.connect(self._on_clicked)
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.text, 1)
        box.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)

    def show_gap(self, gap: Gap | None, player_radius: float) -> None:
        self.gap = gap
        pending = f"{self.way.value[0].upper()}{self.way.value[1:]}: testing…"
        self.text.setText(plain(pending if gap is None else gap_sentence(gap, player_radius)))
        why_not = TRYING if gap is None else NOBODY if gap.walk is None else ""
        self.button.setEnabled(not why_not)
        self.button.setToolTip(plain_lines(why_not or SHOWS))

    @Slot()
    def _on_clicked(self) -> None:
        if self.gap is not None and self.gap.walk is not None:
            self.shown.emit(self.gap.walk)


class PassageTable(LiveTable):
    """Fields of two lines: the word, and the bit or rule below it."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and index.isValid():
            return plain_lines(self.rows[index.row()].values[index.column()].text)
        return super().data(index, role)


class DoorPassage(QScrollArea):
    """The table for one state of the door, what decides in the current row, and the ways by the leaf."""

    walk_wanted = Signal(object)
    """A walk that is to be shown; None when its door is no longer selected."""

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self.document = document
        self.watch = PassageWatch(document, self)
        self.watch.changed.connect(self._show)
        self.setObjectName("door-passage")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumHeight(SHORTEST)
        self._door: Door | None = None
        self.inside = QWidget(self)
        self.states = QTabBar(self.inside)
        self.states.setObjectName("door-passage-states")
        self.states.setAccessibleName("State of the door")
        self.states.setDrawBase(False)
        self.states.setExpanding(False)
        for state in DoorState:
            self.states.addTab(TITLES[state])
        self.states.currentChanged.connect(self._show)
        self.model = PassageTable(COLUMNS, self)
        self.view = LiveView(self.model, "door-passage-table", "Who may pass this door", CHOOSE, self.inside)
        self.view.setWordWrap(True)
        self.view.verticalHeader().setDefaultSectionSize(TWO_LINES)
        self.view.setFixedHeight(ROW_HEIGHT + TWO_LINES * len(Who) + 4)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.view.horizontalHeader()
        header.setStretchLastSection(False)
        for place in range(len(COLUMNS)):  # names wrap in what the answers leave
            fits, rest = QHeaderView.ResizeMode.ResizeToContents, QHeaderView.ResizeMode.Stretch
            header.setSectionResizeMode(place, fits if place else rest)
        self.view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.key_changed.connect(self._show_reason)
        self.choose = _wrapped("door-passage-choose", self.inside)
        self.choose.setText(CHOOSE)
        self.reason = _wrapped("door-passage-reason", self.inside)
        self.gaps = [GapLine(way, self.inside) for way in Way]
        for line in self.gaps:
            line.shown.connect(self.walk_wanted)
        box = column(self.inside)
        for widget in (self.choose, self.states, self.view, self.reason, *self.gaps):
            box.addWidget(widget)
            if widget not in (self.states, self.view):
                widget.setContentsMargins(EDGE, GROUP, EDGE, GROUP)
        box.addStretch(1)
        self.setWidget(self.inside)
        self._show()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, SHORTEST)

    def ask(self, door: Door | None) -> None:
        """Be about this door, as it is now."""
        if (door is None) != (self._door is None) or (door is not None and door is not self._door):
            self._door = door
            self._show()
            self.walk_wanted.emit(None)
        self.watch.ask(door)

    def show_state(self, state: DoorState) -> None:
        self.states.setCurrentIndex(list(DoorState).index(state))

    @property
    def state(self) -> DoorState:
        return list(DoorState)[max(self.states.currentIndex(), 0)]

    @Slot()
    def _show(self) -> None:
        door, sim = self._door, self.document.seen
        is_known = door is not None and sim is not None
        for widget in (self.states, self.view, self.reason, *self.gaps):
            widget.setVisible(is_known)
        self.choose.setVisible(not is_known)
        if door is None or sim is None:
            return
        self.model.show(rows_of(self.watch.answers, self.state), mark=False)
        if self.view.key is None:
            self.view.follow(Who.PLAYER)
        self._show_reason()
        for line in self.gaps:
            line.show_gap(self.watch.gaps.get(line.way), sim.player.radius)

    @Slot()
    def _show_reason(self) -> None:
        key = self.view.key
        text = reason_text(self.watch.answers, self.state, key) if isinstance(key, Who) else ""
        share = self.watch.share_done
        tried = "" if share >= 1.0 else f"{100.0 * share:.0f} % tested"
        self.reason.setText(plain_lines("\n".join(part for part in (text, tried) if part)))


def _wrapped(name: str, parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label
