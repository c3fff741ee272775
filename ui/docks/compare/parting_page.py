"""The tick at which two runs part: both bodies after it, and the rule that does it with its sentences."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from editor.models.compare.explaining import Explanation
from editor.models.compare.rows import (
    SHOWN_FIELDS,
    CauseText,
    cause_text,
    number_of,
    place_columns,
    place_rows,
    rule_lines,
)
from editor.models.compare.watch import CompareWatch
from editor.models.live_table import LiveTable
from editor.process.plain_text import plain
from ui.docks.table import ROW_HEIGHT, LiveView
from ui.docks.words import show_text, words
from ui.theme.theme import BETWEEN, EDGE, GROUP

NOTHING: Final = "Where both runs part is shown here as soon as they do."
HIDDEN: Final = "Before that, where nobody sees it, they part in tick {tick:,}: {what}."
PLACE_ROWS: Final = 8


class PartingPage(QScrollArea):
    """Read from top to bottom: the tick, both sides after it, and what does it."""

    tick_wanted = Signal(int)
    """The number of a tick that is to be shown."""
    rules_wanted = Signal()
    """The table of rules is to be opened."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("compare-parting")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget(self)
        self.go = _tick_button("compare-go", inside)
        self.go.clicked.connect(self._on_go)
        self.model = LiveTable(place_columns(("", "")), self)
        self.view = LiveView(self.model, "compare-places", "Both bodies after that tick", NOTHING, inside)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setFixedHeight(ROW_HEIGHT * PLACE_ROWS + self.view.horizontalHeader().sizeHint().height() + 8)
        self.head = words("compare-cause", inside, 0)
        self.sentences = words("compare-sentences", inside, 0)
        self.rules = QToolButton(inside)
        self.rules.setObjectName("compare-rules-page")
        self.rules.setText("All Rules")
        self.rules.setToolTip("Open the table of all rules with their sentences")
        self.rules.clicked.connect(self.rules_wanted)
        self.fields = words("compare-fields", inside, 0)
        self.hidden = words("compare-hidden", inside, 0)
        self.go_hidden = _tick_button("compare-go-hidden", inside)
        self.go_hidden.clicked.connect(self._on_go_hidden)
        box = QVBoxLayout(inside)
        box.setContentsMargins(EDGE, GROUP, EDGE, GROUP)
        box.setSpacing(BETWEEN)
        for part in (self.head, self.sentences):
            box.addWidget(part)
        tools = QHBoxLayout()
        tools.addWidget(self.go)
        tools.addWidget(self.rules)
        tools.addStretch(1)
        box.addLayout(tools)
        box.addWidget(self.view)
        box.addWidget(self.fields)
        box.addWidget(self.hidden)
        box.addWidget(self.go_hidden)
        box.addStretch(1)
        self.setWidget(inside)
        self._tick = self._hidden_tick = -1

    def show_watch(self, watch: CompareWatch) -> None:
        """Read everything again."""
        parting, explanation = watch.seen or watch.first, watch.shown
        is_there = parting is not None
        for part in (self.go, self.head):
            part.setVisible(is_there)
        self._name_columns(watch.names)
        if parting is None:
            self.model.show([], mark=False)
            self._show_cause(None)
            self._show_hidden(watch, None)
            self.fields.hide()
            return
        self._tick = number_of(watch, parting)
        self.go.setText(plain(f"Go to Tick {self._tick:,}"))
        self.model.show(place_rows(parting.tick, watch.document.names), mark=False)
        self._show_cause(
            CauseText("Looking for what does it …") if explanation is None else cause_text(watch, explanation)
        )
        self._show_fields(watch, explanation)
        self._show_hidden(watch, watch.hidden)

    def _name_columns(self, names: tuple[str, str]) -> None:
        """Both sides have as much room; what does not fit is cut short."""
        self.model.change_columns(place_columns(names))
        header = self.view.horizontalHeader()
        for column in range(len(self.model.columns)):
            fits, rest = QHeaderView.ResizeMode.ResizeToContents, QHeaderView.ResizeMode.Stretch
            header.setSectionResizeMode(column, rest if column else fits)

    def _show_cause(self, cause: CauseText | None) -> None:
        rules = () if cause is None else cause.rules
        show_text(self.head, "" if cause is None else cause.head)
        show_text(self.sentences, "\n".join(line for rule in rules for line in rule_lines(rule)))
        self.rules.setVisible(bool(rules))

    def _show_fields(self, watch: CompareWatch, known: Explanation | None) -> None:
        """Where the sweeps are the same, the values of the states say more."""
        if known is None or known.sweeps is None or known.sweeps.part or not known.fields:
            self.fields.hide()
            return
        more = len(known.fields) - SHOWN_FIELDS
        lines = ["The sweeps of that tick are the same. What differs in the states:"]
        lines += [f"{each.path}: {each.recorded} and {each.ours}" for each in known.fields[:SHOWN_FIELDS]]
        show_text(self.fields, "\n".join([*lines, f"and {more} more"] if more > 0 else lines))

    def _show_hidden(self, watch: CompareWatch, known: Explanation | None) -> None:
        parting = None if known is None else known.parting
        self.go_hidden.setVisible(parting is not None)
        if known is None or parting is None:
            self.hidden.hide()
            return
        self._hidden_tick = number_of(watch, parting)
        cause = cause_text(watch, known)
        lines = [HIDDEN.format(tick=self._hidden_tick, what=", ".join(parting.tick.what)), cause.head]
        lines += [line for rule in cause.rules for line in rule_lines(rule)]
        show_text(self.hidden, "\n".join(lines))
        self.go_hidden.setText(plain(f"Go to Tick {self._hidden_tick:,}"))

    @Slot()
    def _on_go(self) -> None:
        self.tick_wanted.emit(self._tick)

    @Slot()
    def _on_go_hidden(self) -> None:
        self.tick_wanted.emit(self._hidden_tick)


def _tick_button(name: str, parent: QWidget) -> QToolButton:
    made = QToolButton(parent)
    made.setObjectName(name)
    made.setToolTip("Show the world after this tick, in the Timeline and everywhere")
    return made
