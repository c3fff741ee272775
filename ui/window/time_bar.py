"""The toolbar: files, undo and redo, time with its tick, the rules that it goes by, and the camera."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QMenu, QToolBar, QToolButton, QWidget

from editor.document.clock import TICKS_PER_SECOND, Clock
from editor.document.document import Document
from editor.process.plain_text import action_text, plain, plain_lines
from engine.physics.rule_table import RULES, rule_tip
from engine.physics.rules import ACE, AGREED_RULES, RETAIL, RULE_NAMES
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.tick.simulation import Simulation
from ui.commands.registry import CommandSet, Keys, allow
from ui.docks.table import LiveView
from ui.theme.icons import SIZE, set_icon
from ui.theme.theme import BETWEEN, DARK, Colours, mono_font, tell_style

TEN: Final = 10
LONG_TIME: Final = "tick 99,999 of 99,999  55:33.3"
SHOWN: Final = "The latest tick; everything is shown as it was after it"
SHOWN_PAST: Final = f"{SHOWN}. The past is read-only"
PRESENT: Final = "This is the present."
ABOUT: Final = (
    "Time and edits. Run lets 30 ticks a second pass, the arrows take one or ten steps forward or back; a step back "
    "shows the past, which is read-only until Continue Here. Rules chooses which rules follow the retail client and "
    "which follow ACE."
)
SIGNS: Final = {
    "undo": "undo",
    "redo": "redo",
    "back-ten": "back-ten",
    "back": "back",
    "run": "run",
    "step": "step",
    "step-ten": "step-ten",
    "continue-here": "branch",
    "to-present": "present",
}
"""Icons of the actions."""


class TimeBar(QToolBar):
    """Its actions are the window's: they work wherever the focus is."""

    def __init__(self, document: Document, clock: Clock, parent: QWidget) -> None:
        super().__init__("Time", parent)
        self.setObjectName("time-bar")
        self.setMovable(False)
        self.setIconSize(QSize(SIZE, SIZE))
        self.setWhatsThis(ABOUT)
        self.document = document
        self.clock = clock
        self.colours = DARK
        self.commands = CommandSet(self, everywhere=True)
        self.undo_action = self._add("undo", "Undo", document.undo, QKeySequence.StandardKey.Undo)
        self.redo_action = self._add("redo", "Redo", document.redo, "Ctrl+Shift+Z", "Ctrl+Y")
        self.addSeparator()
        self.back_ten_action = self._add("back-ten", "Step Back 10", lambda: clock.back(TEN), "Shift+,", "<")
        self.back_action = self._add("back", "Step Back", lambda: clock.back(1), ",")
        self.run_action = self._add("run", "Run", self._toggle, "Space")
        self.step_action = self._add("step", "Step", lambda: clock.step(1), ".")
        self.ten_action = self._add("step-ten", "Step 10", lambda: clock.step(TEN), "Shift+.", ">")
        self.tick_label = QLabel(self)
        self.tick_label.setObjectName("tick")
        self.tick_label.setFont(mono_font())
        self.tick_label.setMinimumWidth(
            self.tick_label.fontMetrics().horizontalAdvance("tick 999,999 of 999,999  277:46.6")
        )
        self.tick_label.setContentsMargins(BETWEEN, 0, BETWEEN, 0)
        self.addWidget(self.tick_label)
        self.continue_action = self._add("continue-here", "Continue Here", document.continue_here)
        self.present_action = self._add("to-present", "Present", self._to_present, "Alt+End")
        for made in (self.continue_action, self.present_action):
            self.button_of(made).setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._rules_begin = self.addSeparator()
        self._make_rules()
        document.changed.connect(self.refresh)
        clock.running_changed.connect(self.refresh)
        self.refresh()

    def _add(self, name: str, title: str, slot: Callable[[], object], *keys: Keys) -> QAction:
        made = self.commands.add(name, title, slot, *keys)
        made.setIconVisibleInMenu(False)
        set_icon(made, SIGNS[name], self.colours)
        self.button_of(made).setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return made

    def button_of(self, made: QAction) -> QToolButton:
        found = self.widgetForAction(made)
        assert isinstance(found, QToolButton)
        return found

    def lead(self, *commands: QAction) -> None:
        """Put the file commands first."""
        for command in commands:
            command.setIconVisibleInMenu(False)
            self.insertAction(self.undo_action, command)
            self.button_of(command).setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.insertSeparator(self.undo_action)

    def stop_with(self, command: QAction) -> None:
        """Put the command that stops time behind those that move it."""
        self.insertAction(self._rules_begin, command)
        self.button_of(command).setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def compare_with(self, commands: Sequence[QAction]) -> None:
        """List the commands that run other rules beside this run, below the rule sets."""
        self._compare[:] = commands

    def follow_with(self, widget: QWidget) -> None:
        """Add a widget at the end."""
        self.addWidget(widget)

    def set_colours(self, colours: Colours) -> None:
        self.colours = colours
        self.refresh()

    def _make_rules(self) -> None:
        self._compare: list[QAction] = []
        self.rules_button = QToolButton(self)
        self.rules_button.setObjectName("rules")
        self.rules_button.setAccessibleName("Rules")
        self.rules_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.rules_menu = QMenu(self.rules_button)
        self.rules_menu.setToolTipsVisible(True)
        self._agreed_menu = QMenu("The same in both", self.rules_menu)
        self._agreed_menu.setToolTipsVisible(True)
        self.rules_menu.aboutToShow.connect(self._fill_rules)
        self.rules_button.setMenu(self.rules_menu)
        self.commands.add_menu("rules", self.rules_menu, "Rules")
        self.addWidget(self.rules_button)

    # --- showing

    @Slot()
    def refresh(self) -> None:
        stack, sim = self.document.stack, self.document.simulation
        undo, redo = (self.document.names.in_text(text) for text in (stack.undo_text(), stack.redo_text()))
        self.undo_action.setText(action_text(f"Undo {undo}".rstrip()))
        self.redo_action.setText(action_text(f"Redo {redo}".rstrip()))
        allow(self.undo_action, "" if stack.can_undo() else "There is nothing to undo.", f"Undo {undo}")
        allow(self.redo_action, "" if stack.can_redo() else "There is nothing to redo.", f"Redo {redo}")
        past = self.document.in_past
        if past:
            allow(self.undo_action, "The past is read-only.", "")
            allow(self.redo_action, "The past is read-only.", "")
        allow(self.back_action, self.clock.why_not_back, "One tick back")
        allow(self.back_ten_action, self.clock.why_not_back, "Ten ticks back")
        allow(self.continue_action, "" if past else PRESENT, "Resume from this tick and discard later ones")
        allow(self.present_action, "" if past else PRESENT, "Return to the present")
        why, running = self.clock.why_not, self.clock.is_running
        self.run_action.setText("Pause" if running else "Run")
        set_icon(self.run_action, "pause" if running else "run", self.colours)
        allow(self.run_action, why, "Pause" if running else "Run at 30 ticks a second")
        allow(self.step_action, why, "One tick with the held keys")
        allow(self.ten_action, why, "Ten ticks with the held keys")
        history = self.document.history
        end = history.end if past and history is not None else 0
        tell_style(self.tick_label, "past", past)
        first = 0 if history is None else history.first
        self.tick_label.setText("no time" if sim is None else tick_text(sim.tick_number, first, end))
        self.tick_label.setToolTip(SHOWN_PAST if past else SHOWN)
        why_not = self.document.why_not_edit
        self.rules_button.setEnabled(not why_not)
        self.rules_button.setText(plain("rules" if sim is None else f"rules {rules_text(sim)}"))
        about = "Choose which rules follow the retail client and which ACE's server"
        self.rules_button.setToolTip(plain_lines(why_not or about))

    @Slot()
    def _to_present(self) -> None:
        if self.document.history is not None:
            self.clock.pause()
            self.document.go_to(self.document.history.end)

    @Slot()
    def _toggle(self) -> None:
        """Space: it belongs to a focused button, check box or chooser first; a click gives none of them the focus."""
        focus = QApplication.focusWidget()
        if isinstance(focus, QAbstractButton):
            focus.click()
        elif isinstance(focus, QComboBox):
            focus.showPopup()
        elif isinstance(focus, LiveView) and focus.toggle_check():
            return
        else:
            self.clock.toggle()

    # --- rules

    @Slot()
    def _fill_rules(self) -> None:
        sim = self.document.simulation
        self.rules_menu.clear()
        self._agreed_menu.clear()
        if sim is None:
            return
        for name in (RETAIL, ACE):
            whole = self.rules_menu.addAction(f"All as {name}")
            whole.setCheckable(True)
            whole.setChecked(rules_text(sim) == name)
            whole.triggered.connect(lambda checked=False, name=name: self.set_rules(name))
        self.rules_menu.addSection("Both beside each other")
        self.rules_menu.addActions(self._compare)
        self.rules_menu.addSection("One by one; checked means retail")
        for rule in RULES:
            single = (self._agreed_menu if rule.is_agreed else self.rules_menu).addAction(rule.title)
            single.setObjectName(f"rule-{rule.name}")
            single.setCheckable(True)
            single.setChecked(sim.rules.form(rule.name) == RETAIL)
            single.setToolTip(plain_lines(rule_tip(rule.name)))
            single.setEnabled(not rule.is_agreed)
            single.triggered.connect(lambda checked, name=rule.name: self.set_rule(name, RETAIL if checked else ACE))
        self.rules_menu.addMenu(self._agreed_menu)

    def set_rules(self, name: str) -> None:
        self.document.edit(f"Use {name} Rules", SetRuleSet(name))

    def set_rule(self, rule: str, form: str) -> None:
        self.document.edit(f"Set {rule} to {form}", SetRule(rule, form))


def rules_text(sim: Simulation) -> str:
    """The rule set's name, or how many rules are flipped; those on which both sets agree are the same in either."""
    flipped = [sim.rules.form(rule) != RETAIL for rule in RULE_NAMES if rule not in AGREED_RULES]
    if not any(flipped):
        return RETAIL
    return ACE if all(flipped) else f"{RETAIL}, {sum(flipped)} as {ACE}"


def tick_text(following: int, first: int = 0, end: int = 0) -> str:
    """The number of the tick that has run last, of the last one in the past, and the time after it.

    `following` and `end` are the numbers of the ticks after these, `first` that of the first tick of all.
    """
    seconds = following / TICKS_PER_SECOND
    tick = f"tick {following - 1:,}" if following > first else f"before tick {first:,}"
    of = f" of {end - 1:,}" if end else ""
    return f"{tick}{of}  {int(seconds // 60)}:{seconds % 60:04.1f}"
