"""Player: live numbers, keys to hold, steps, and everything of him that can be set."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QToolButton, QWidget

from editor.document.clock import Clock
from editor.document.document import Document
from editor.models.live_table import LiveTable
from editor.models.lost_wording import NOT_LOST, PUT_BACK, is_lost, lost_sentence
from editor.models.player import COLUMNS, player_rows
from editor.models.timeline.events import EventLog
from editor.process.plain_text import plain
from engine.sim.edits.player import PutPlayerBack, Teleport
from ui.commands.registry import CommandSet
from ui.docks.panel import LivePanel
from ui.docks.parts import CountBox, action, allow, button, column, tabs
from ui.docks.place_form import PlaceForm, PlaceValue
from ui.docks.player.numbers import NumbersPage
from ui.docks.table import LiveView
from ui.theme.theme import BETWEEN, EDGE, GROUP, Colours

EMPTY = "Open a world: the player stands in its first room."
NO_LANDBLOCK = "This world has no landblock to stand in."
MAX_STEPS: Final = 9999

HELD: Final = (
    ("turn-left", "↺", "Turn Left", "Turn left", 0, 0),
    ("forward", "▲", "Forward", "Forward", 0, 1),
    ("turn-right", "↻", "Turn Right", "Turn right", 0, 2),
    ("left", "◀", "Step Left", "Step left", 1, 0),
    ("back", "▼", "Back", "Back", 1, 1),
    ("right", "▶", "Step Right", "Step right", 1, 2),
    ("run", "Run", "Run", "Run instead of walking", 0, 3),
    ("jump", "Jump", "Jump", "Charge a jump; release to take off", 1, 3),
)
"""Keys to hold: name, sign, word, meaning, place in the grid. Held ones stay down until they are clicked again."""

OPPOSITE: Final = {
    "forward": "back",
    "back": "forward",
    "left": "right",
    "right": "left",
    "turn-left": "turn-right",
    "turn-right": "turn-left",
}


class HoldPad(QWidget):
    """Keys that stay down in every tick until they are released."""

    held = Signal()

    def __init__(self, clock: Clock, commands: CommandSet, parent: QWidget) -> None:
        super().__init__(parent)
        self._clock = clock
        self.keys: dict[str, QAction] = {}
        self.buttons: dict[str, QToolButton] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(GROUP)
        for name, sign, word, _, row, place in HELD:
            key = commands.add(f"hold-{name}", f"Hold {word}", owner=self, is_checkable=True)
            key.toggled.connect(partial(self._on_toggled, name))
            shown = button(key, self, sign)
            shown.setAccessibleName(plain(word))
            shown.setMinimumWidth(44 if len(sign) > 1 else 30)
            grid.addWidget(shown, row, place)
            self.keys[name], self.buttons[name] = key, shown
        self.show_why_not("")

    def show_why_not(self, why_not: str) -> None:
        """Enable the keys, or give the reason in their tooltips."""
        for name, _, _, tip, _, _ in HELD:
            allow(self.keys[name], why_not, f"{tip}: stays held until it is clicked again")

    @property
    def is_held(self) -> bool:
        return any(key.isChecked() for key in self.keys.values())

    def down(self, name: str) -> float:
        return 1.0 if self.keys[name].isChecked() else 0.0

    def _on_toggled(self, name: str, on: bool) -> None:
        if on and name in OPPOSITE:
            self.keys[OPPOSITE[name]].setChecked(False)
        keys = self._clock.keys
        keys.forward = self.down("forward") - self.down("back")
        keys.side_step = self.down("right") - self.down("left")
        keys.turn = self.down("turn-right") - self.down("turn-left")
        keys.run = self.keys["run"].isChecked()
        keys.jump = self.keys["jump"].isChecked()
        self.held.emit()

    def release(self) -> None:
        for key in self.keys.values():
            key.setChecked(False)


class PlayerPanel(LivePanel):
    """Keys and steps on top, the numbers below."""

    reads_second = True
    about = (
        "Where the player stands, on what, and the outcome of his last tick. Keys that are held here act in every "
        "tick; Step takes ticks one by one. Teleport and Numbers change him, and undo reverts that."
    )

    def __init__(self, document: Document, clock: Clock, events: EventLog, parent: QWidget | None = None) -> None:
        super().__init__(document, "player-panel", parent)
        self.events = events
        self.clock = clock
        self.model = LiveTable(COLUMNS, self)
        self.view = self.add_view(LiveView(self.model, "player", "The player's numbers", EMPTY, self))
        self.view.horizontalHeader().hide()
        self.pad = HoldPad(clock, self.commands, self)
        self.step_action = action(self, "Step", lambda: clock.step(1), name="player-step")
        self.many_action = action(self, "Step n", lambda: clock.step(self.count.value()), name="player-step-many")
        self.put_back_action = action(self, PUT_BACK, self.put_back, name="player-put-back")
        self.put_back_action.setIconText("Put Back")
        self.release_action = action(self, "Release Keys", self.pad.release, name="player-release")
        self.count = CountBox(self)
        self.count.setObjectName("player-count")
        self.count.setRange(1, MAX_STEPS)
        self.count.setValue(30)
        self.count.setToolTip("Ticks that Step n takes; 30 ticks are one second")
        self.teleport = PlaceForm("player", "Teleport Player", document, self)
        self.teleport.placed.connect(self._on_teleport)
        self.numbers_page = NumbersPage(document, self)
        self.numbers = self.numbers_page.numbers
        self.tabs = tabs(self, "player-tabs")
        self.tabs.addTab(self.view, "State")
        self.tabs.addTab(self.teleport, "Teleport")
        self.tabs.addTab(self.numbers_page, "Numbers")
        box = column(self)
        box.addLayout(self._top())
        box.addWidget(self._lost_strip())
        box.addWidget(self.tabs, 1)
        document.started.connect(self._on_started)
        self.pad.held.connect(self._show_actions)
        clock.running_changed.connect(self._show_actions)
        self.refresh()

    def _top(self) -> QHBoxLayout:
        steps = QGridLayout()
        steps.setSpacing(GROUP)
        steps.addWidget(button(self.step_action, self), 0, 0)
        steps.addWidget(button(self.release_action, self), 0, 1)
        steps.addWidget(button(self.many_action, self), 1, 0)
        steps.addWidget(self.count, 1, 1)
        row = QHBoxLayout()
        row.setContentsMargins(EDGE, BETWEEN, EDGE, BETWEEN)
        row.setSpacing(EDGE)
        row.addWidget(self.pad)
        row.addLayout(steps)
        row.addStretch(1)
        return row

    def _lost_strip(self) -> QWidget:
        """Say that no cell holds the player, and how to put him back."""
        self.lost_strip = QWidget(self)
        self.lost_label = QLabel(self.lost_strip)
        self.lost_label.setObjectName("player-lost")
        self.lost_label.setTextFormat(Qt.TextFormat.PlainText)
        self.lost_label.setWordWrap(True)
        self.put_back_button = button(self.put_back_action, self.lost_strip)
        row = QHBoxLayout(self.lost_strip)
        row.setContentsMargins(EDGE, 0, EDGE, BETWEEN)
        row.setSpacing(EDGE)
        row.addWidget(self.lost_label, 1)
        row.addWidget(self.put_back_button)
        self.lost_strip.hide()
        return self.lost_strip

    def set_colours(self, colours: Colours) -> None:
        super().set_colours(colours)
        self.lost_label.setStyleSheet(f"color: {colours.fault}")

    # --- showing

    def refresh(self) -> None:
        sim = self.document.seen
        self.lost_label.setText(plain("" if sim is None else lost_sentence(sim)))
        self.lost_strip.setVisible(is_lost(sim))
        last_stop = self._last_stop()
        self.show_rows(self.model, lambda sim: player_rows(sim, last_stop))
        self.tabs.setTabEnabled(1, sim is not None)
        self.tabs.setTabEnabled(2, sim is not None)
        if sim is not None:
            place = sim.player.steered.place
            there = place.cell_id or self.document.session.landblock_id
            here = PlaceValue(there, sim.player.soles(), place.turn.heading()) if there else None
            why_not = self.document.why_not_edit or ("" if there else NO_LANDBLOCK)
            self.teleport.sunk = sim.player.sunk()
            self.teleport.show_place(sim.player.id, here, why_not, "Put the player there, or on the nearest free spot")
        self.numbers_page.refresh()
        self._show_actions()

    def _last_stop(self) -> str:
        """What stopped or slid the player last, as the Timeline has it.

        Kept, because one who keeps pushing against a wall is refused before he meets it again (physics.md 7.1).
        """
        history = self.document.history
        event = None if history is None else self.events.last_hindrance(history.now)
        return "" if event is None else f"{event.text}, in {event.when}"

    @Slot()
    def _on_started(self) -> None:
        self.pad.release()

    @Slot()
    def _show_actions(self) -> None:
        why = self.clock.why_not
        allow(self.step_action, why, "One tick with the held keys: .")
        allow(self.many_action, why, "That many ticks with the held keys")
        why_not = self.document.why_not_edit or ("" if is_lost(self.document.seen) else NOT_LOST)
        allow(self.put_back_action, why_not, "Return the player to the last place inside a cell, or beside it")
        allow(self.release_action, "" if self.pad.is_held else "No key is held.", "Release every held key")
        self.pad.show_why_not(why)

    # --- edits

    @Slot()
    def put_back(self) -> None:
        self.document.edit(PUT_BACK, PutPlayerBack())

    @Slot(object)
    def _on_teleport(self, place: PlaceValue) -> None:
        self.document.edit("Teleport Player", Teleport(place.cell_id, *place.origin, place.heading))
