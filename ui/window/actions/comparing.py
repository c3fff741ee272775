"""Compare: the commands that choose what runs beside the open run, and which of both the docks show."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFileDialog, QMenu

from editor.export.recordings import RECORDING_SUFFIX
from editor.models.compare.watch import SET_TITLES, CompareWatch
from editor.models.compare.ways import NOTHING_EDITED, SAME_RULES, is_edited, set_name
from editor.process.plain_text import action_text, plain
from engine.physics.rule_table import RULES, Rule
from ui.commands.registry import allow
from ui.context import WindowContext
from ui.docks.capture import NO_CAPTURE, CapturePanel
from ui.docks.compare.compare_dock import ComparePanel
from ui.docks.words import shortened
from ui.widgets.paths import native
from ui.widgets.save_folder import first_folder, remember
from ui.window.capture_view import CaptureView
from ui.window.dock_layout import Docks
from ui.window.help_windows import open_documentation

NOTHING_OPEN: Final = "Open a world first."
NOTHING_COMPARED: Final = "Choose what to compare with first."
RULES_PAGE: Final = "reference/rules.md"


class CompareActions(QObject):
    """The commands, the menu of the dock, and the choice of the side that docks show."""

    def __init__(self, context: WindowContext, docks: Docks, captures: CaptureView, watch: CompareWatch) -> None:
        super().__init__(context.window)
        self._captures = captures
        self._context = context
        self._docks = docks
        self.watch = watch
        self.menu = QMenu(context.window)
        self.menu.setObjectName("compare-menu")
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self._allow)
        self._ways = QActionGroup(self)
        self._ways.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
        self._add_ways()
        self._add_sides()
        panel = docks.panel(ComparePanel)
        panel.offer(self.menu, self.sides)
        panel.move_wanted.connect(self._show_move)
        panel.rules_wanted.connect(lambda: open_documentation(context.messages, RULES_PAGE))
        watch.changed.connect(self._show)
        watch.shown_changed.connect(self._show)
        self._show()

    def _add_ways(self) -> None:
        self.rule_set_actions = [self._rule_set(name) for name in SET_TITLES]
        self.menu.addActions(self.rule_set_actions)
        single = self.menu.addMenu("Single Rule")
        single.setToolTipsVisible(True)
        for rule in RULES:
            if not rule.is_agreed:
                single.addAction(self._single(rule))
        self.menu.addSeparator()
        self.menu.addAction(
            self._way("body", "Compare with Another Body…", self.ask_for_body, "Run the same keys with another body")
        )
        self.menu.addAction(
            self._way(
                "before-edits",
                "Compare with the World before the Edits",
                self.watch.compare_before_edits,
                "Run the same keys in the world as it was before it was edited",
                self._why_not_edits,
            )
        )
        self.menu.addAction(
            self._way(
                "recording",
                "Compare with Another Recording…",
                self.ask_for_recording,
                "Run another recording of this world beside this run",
            )
        )
        self.menu.addAction(
            self._way(
                "capture",
                "Compare with the Recorded Answers of the Capture",
                self._compare_capture,
                "Find the rules by which the moves of the open capture would come out as recorded",
                self._why_not_capture,
            )
        )
        self.menu.addSeparator()
        self.off_action = self._context.commands.add(
            "compare-off",
            "Stop Comparing",
            self.watch.stop,
            tip="Let this run go on alone",
            condition=self._why_not_stop,
        )
        self.menu.addAction(self.off_action)

    def _rule_set(self, name: str) -> QAction:
        return self._way(
            f"rules-{name}",
            f"Compare with {SET_TITLES[name]}",
            lambda: self.watch.compare_rule_set(name),
            f"Run the same keys by the {name} rules beside this run",
            lambda: self._why_not_set(name),
        )

    def _single(self, rule: Rule) -> QAction:
        return self._way(
            f"rule-{rule.name}",
            f"{rule.title} ({rule.name})",
            lambda: self.watch.compare_rule(rule.name),
            f"Run the same keys with the other form of this rule\nretail: {rule.retail}\nace: {rule.ace}",
        )

    def _way(
        self,
        way: str,
        title: str,
        compare: Callable[[], object],
        tip: str,
        why_not: Callable[[], str] = lambda: "",
    ) -> QAction:
        made = self._context.commands.add(
            f"compare-{way}",
            action_text(title),
            lambda: self._compare(compare),
            tip=tip,
            condition=lambda: self._nothing_open() or why_not(),
            is_checkable=True,
        )
        self._ways.addAction(made)
        return made

    def _add_sides(self) -> None:
        group = QActionGroup(self)
        add = self._context.commands.add
        self.sides = [
            add(
                f"compare-show-{name}",
                f"Docks Show the {name.title()} Run",
                partial(self._show_side, second),
                tip=f"Docks show the {name} of the two runs that are compared",
                condition=self._why_not_compared,
                is_checkable=True,
            )
            for second, name in ((False, "first"), (True, "second"))
        ]
        for each in self.sides:
            group.addAction(each)

    def _show_side(self, second: bool) -> None:
        self.watch.shows_second = second

    # --- why not

    def _why_not_compared(self) -> str:
        return "" if self.watch.is_on else NOTHING_COMPARED

    def _why_not_stop(self) -> str:
        return "" if self.watch.way else NOTHING_COMPARED

    def _nothing_open(self) -> str:
        return NOTHING_OPEN if self._context.document.history is None else ""

    def _why_not_set(self, name: str) -> str:
        rules = self.watch.first_rules
        return SAME_RULES if rules is not None and set_name(rules) == name else ""

    def _why_not_edits(self) -> str:
        history = self._context.document.history
        is_there = history is not None and (is_edited(history.recording) or self.watch.began_edited)
        return "" if is_there else NOTHING_EDITED

    @Slot()
    def _allow(self) -> None:
        self._context.commands.refresh()

    def _why_not_capture(self) -> str:
        return NO_CAPTURE if self._captures.capture is None else ""

    # --- doing it

    def _compare_capture(self) -> bool:
        capture = self._captures.capture
        if capture is not None:
            self.watch.compare_capture(capture)
        return True

    @Slot(int)
    def _show_move(self, number: int) -> None:
        """In Capture, and its sweep in Sweep."""
        panel = self._docks.panel(CapturePanel)
        self._docks.bring(self._docks.dock(CapturePanel), focus=False)
        panel.choose(number)

    def _compare(self, compare: Callable[[], object]) -> None:
        """Begin, and show what is found; a dialog says nothing before it is answered."""
        if compare() is not None:
            self._tell()
        self._show()

    def _tell(self) -> None:
        self._docks.bring(self._docks.dock(ComparePanel), focus=False)
        if not self.watch.way:
            self._context.messages.warn(plain(f"{self.watch.title} cannot be compared: {self.watch.problem}"))

    def compare_recording(self, path: Path) -> None:
        """Run a recording of this world beside the open run, and show what is found."""
        self._compare(lambda: self.watch.compare_recording(path))

    def ask_for_recording(self) -> None:
        dialog = QFileDialog(self._context.window, "Compare with Another Recording", first_folder())
        dialog.setObjectName("compare-dialog")
        dialog.setNameFilters([f"Recordings (*{RECORDING_SUFFIX})", "All Files (*)"])
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._on_file)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(str)
    def _on_file(self, name: str) -> None:
        remember(name)
        name = native(name)
        self.compare_recording(Path(name))

    def ask_for_body(self) -> None:
        from ui.window.actions.compare_body import BodyDialog  # only those who ask need it

        dialog = BodyDialog(self._context.document.sim.player, self._context.window)
        dialog.chosen.connect(lambda numbers: self._compare(lambda: self.watch.compare_body(numbers)))
        dialog.open()

    # --- showing

    @Slot()
    def _show(self) -> None:
        """The way in force is checked, and the sides have their names."""
        way = self.watch.way
        for action in self._ways.actions():
            action.setChecked(action.objectName() == f"compare-{way}")
        for second, (action, name) in enumerate(zip(self.sides, self.watch.names, strict=True)):
            action.setIconText(plain(shortened(name)))
            action.setChecked(self.watch.shows_second == bool(second))
            allow(action, self._why_not_compared(), plain(f"Docks show {name}"))
        allow(self.off_action, self._why_not_stop(), "Let this run go on alone")
