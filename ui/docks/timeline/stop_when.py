"""*Stop When…*: the conditions at which time stops, and the ticks of the past for which one of them holds."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from editor.document.clock import Clock
from editor.models.conditions.finds import ConditionFinds
from editor.models.conditions.kept import Entry, KeptConditions
from editor.models.live_table import DIM, FAULT, Column, LiveTable, Row, Value
from editor.process.plain_text import plain
from engine.sim.conditions.completion import Vocabulary, vocabulary_of
from engine.sim.conditions.reading import Misread, read_condition
from ui.commands.registry import allow
from ui.context import WindowContext
from ui.docks.parts import button
from ui.docks.table import LiveView
from ui.docks.timeline.condition_line import ConditionLine
from ui.theme.icons import set_icon
from ui.theme.theme import BETWEEN, EDGE, Colours, tell_style

EMPTY: Final = "No conditions yet: write one above, such as “blocked by Front Door”."
NONE: Final = "Keep a condition in Stop When… first."
ABOUT: Final = (
    "Time stops after a tick for which a checked condition holds, while it runs and while the past is played. A live "
    "capture that is followed pauses there too. The ticks of the past for which the selected one holds are marked in "
    "the Timeline; Previous and Next go there."
)
HINT: Final = "Down lists what fits; Enter keeps the condition. Checked ones stop time."
TIP: Final = "Stop time when a condition holds"
PACE_MS: Final = 100
SIZE: Final = (620, 300)
COLUMNS: Final = (Column("Stop when", sample="z falls by more than 0.5 m and not in contact"), Column("In the past"))


class StopWhenDialog(QDialog):
    """Stays open beside the window; what it keeps works without it."""

    def __init__(
        self, context: WindowContext, kept: KeptConditions, finds: ConditionFinds, moves: list[QAction]
    ) -> None:
        super().__init__(context.window)
        self._document = context.document
        self._kept = kept
        self._finds = finds
        self.setObjectName("stop-when")
        self.setWindowTitle("Stop When")
        self.setWhatsThis(ABOUT)
        self.line = ConditionLine(self._vocabulary, self)
        self.add_button = QPushButton("&Add", self)
        self.add_button.setObjectName("condition-add")
        self.add_button.setAutoDefault(False)
        self.word = QLabel(plain(HINT), self)
        self.word.setObjectName("condition-word")
        self.word.setTextFormat(Qt.TextFormat.PlainText)
        self.word.setWordWrap(True)
        self.model = LiveTable(COLUMNS, self)
        self.model.on_check = self._on_check
        self.view = LiveView(self.model, "conditions", "Conditions", EMPTY, self)
        self.view.elide_last()
        self.remove_action = QAction("Remove", self)
        self.remove_action.setObjectName("condition-remove")
        self.remove_action.setShortcut("Del")
        self.remove_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.remove_action.triggered.connect(self._remove)
        self.view.addAction(self.remove_action)
        self.addActions(moves)
        self._arrange(moves)
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(PACE_MS)
        self._slow.timeout.connect(self.refresh)
        self.line.returnPressed.connect(self._add)
        self.line.textChanged.connect(self._on_text)
        self.add_button.clicked.connect(self._add)
        self.view.key_changed.connect(self._on_key)
        kept.changed.connect(self.refresh)
        finds.changed.connect(self._on_found)
        self.refresh()
        self.resize(*SIZE)

    def _arrange(self, moves: list[QAction]) -> None:
        top = QHBoxLayout()
        top.setSpacing(BETWEEN)
        top.addWidget(self.line, 1)
        top.addWidget(self.add_button)
        below = QHBoxLayout()
        below.setSpacing(BETWEEN)
        for move, word in zip(moves, ("◀ Previous", "Next ▶"), strict=True):
            below.addWidget(button(move, self, word))
        below.addStretch(1)
        below.addWidget(button(self.remove_action, self))
        box = QVBoxLayout(self)
        box.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        box.setSpacing(BETWEEN)
        box.addLayout(top)
        box.addWidget(self.word)
        box.addWidget(self.view, 1)
        box.addLayout(below)

    def set_colours(self, colours: Colours) -> None:
        self.view.set_colours(colours)

    def _vocabulary(self) -> Vocabulary:
        sim = self._document.simulation
        return Vocabulary() if sim is None else vocabulary_of(sim)

    # --- writing

    @Slot()
    def _on_text(self) -> None:
        """Say what is wrong once it cannot be the beginning of a condition any more."""
        text = self.line.text()
        found = read_condition(text)
        is_wrong = isinstance(found, Misread) and found.at < len(text.rstrip())
        self._say(found.sentence if isinstance(found, Misread) and text.strip() else HINT, is_wrong=is_wrong)

    def _say(self, sentence: str, *, is_wrong: bool = False) -> None:
        self.word.setText(plain(sentence))
        tell_style(self.word, "fault", is_wrong)

    @Slot()
    def _add(self) -> None:
        if self.line.is_choosing:
            return  # Enter takes the completion
        why_not = self._kept.add(self.line.text())
        self.line.popup.hide()
        if why_not:
            self._say(why_not, is_wrong=True)
        else:
            self.line.clear()

    # --- the list

    @Slot()
    def _on_found(self) -> None:
        if not self._slow.isActive():
            self._slow.start()

    @Slot()
    def refresh(self) -> None:
        self.model.show([self._row(entry) for entry in self._kept.entries], mark=False)
        chosen = self._kept.chosen
        self.view.follow(None if chosen is None else chosen.number)
        allow(self.remove_action, "" if chosen is not None else NONE, "Forget this condition")

    def _row(self, entry: Entry) -> Row:
        problem = self._finds.problem(entry)
        count = Value(problem, tone=FAULT, tip=problem) if problem else Value(self._finds.count_text(entry), tone=DIM)
        why_not = self._kept.why_not_followed(entry)
        text = Value(entry.text, tone=DIM if why_not else "", tip=why_not)
        return Row(entry.number, (text, count), checked=entry.stops)

    def _on_check(self, row: Row, checked: bool) -> None:
        entry = self._kept.find(row.key)
        if entry is not None:
            self._kept.set_stops(entry, checked)

    @Slot()
    def _on_key(self) -> None:
        self._kept.choose(self._kept.find(self.view.key))

    @Slot()
    def _remove(self) -> None:
        if self._kept.chosen is not None:
            self._kept.remove(self._kept.chosen)


class StopWhen:
    """The commands around the list of conditions, and the dialog once it was asked for."""

    def __init__(self, context: WindowContext, clock: Clock, kept: KeptConditions, finds: ConditionFinds) -> None:
        self._context = context
        self._clock = clock
        self._kept = kept
        self._finds = finds
        self.dialog: StopWhenDialog | None = None
        add = context.commands.add
        self.ask_action = add("stop-when", "Stop When…", self.ask, "F9", tip=TIP)
        self.before_action = add("condition-before", "Previous Tick of the Condition", self.go_before, "Shift+F8")
        self.after_action = add("condition-after", "Next Tick of the Condition", self.go_after, "F8")
        self.ask_action.setIconVisibleInMenu(False)
        set_icon(self.ask_action, "stop-when", context.theme.colours)
        kept.asked.connect(self.ask)
        kept.changed.connect(self._allow)
        finds.changed.connect(self._allow)
        context.document.changed.connect(self._allow)
        self._allow()

    def set_colours(self, colours: Colours) -> None:
        if self.dialog is not None:
            self.dialog.set_colours(colours)

    def ask(self) -> None:
        """Show the list, with the line to write into."""
        if self.dialog is None:
            moves = [self.before_action, self.after_action]
            self.dialog = StopWhenDialog(self._context, self._kept, self._finds, moves)
            self.dialog.set_colours(self._context.theme.colours)
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()
        self.dialog.line.setFocus()

    @property
    def _shown(self) -> int:
        """The tick that was taken last."""
        history = self._context.document.history
        return -1 if history is None else history.now - 1

    def _allow(self) -> None:
        allow(self.before_action, self._why_not(self._finds.before(self._shown), "earlier"), "Go to the tick before")
        allow(self.after_action, self._why_not(self._finds.after(self._shown), "later"), "Go to the tick after")
        active = len(self._kept.stopping)
        allow(self.ask_action, "", TIP if not active else f"{TIP}; {active} checked")

    def _why_not(self, tick: int | None, word: str) -> str:
        if self._kept.chosen is None:
            return NONE
        return "" if tick is not None else f"It holds for no {word} tick."

    def go_before(self) -> None:
        self._go(self._finds.before(self._shown))

    def go_after(self) -> None:
        self._go(self._finds.after(self._shown))

    def _go(self, tick: int | None) -> None:
        """Show the state after a tick."""
        if tick is not None:
            self._clock.pause()
            self._context.document.go_to(tick + 1)
