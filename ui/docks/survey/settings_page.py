"""The settings of a survey: where it begins, with which doors, keys and body."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from editor.models.survey.known_checks import FAMILIES
from editor.models.survey.settings import (
    DOOR_TITLES,
    SCALES,
    SKILLS,
    START_TITLES,
    Doors,
    Start,
)
from editor.models.survey.watch import SurveyWatch
from editor.process.plain_text import plain, plain_lines
from engine.findings.registry import checks
from ui.docks.parts import NumberBox, number_box
from ui.theme.theme import BETWEEN, EDGE, GROUP

NEXT: Final = "Settings count from the next Start on."
RULES: Final = (("", "As in the document"), ("retail", "retail"), ("ace", "ace"))


class SettingsPage(QScrollArea):
    """Every choice counts at once; a search that runs keeps those that it began with."""

    def __init__(self, watch: SurveyWatch, parent: QWidget) -> None:
        super().__init__(parent)
        self.watch = watch
        self.setObjectName("survey-settings")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inner = QWidget(self)
        box = QVBoxLayout(inner)
        box.setContentsMargins(EDGE, GROUP, EDGE, EDGE)
        box.setSpacing(GROUP)
        note = QLabel(NEXT, inner)
        note.setProperty("dim", True)
        note.setWordWrap(True)
        box.addWidget(note)
        self._head("Begin at", box, inner)
        self.starts = {start: self._check(f"survey-from-{start.value}", START_TITLES[start], inner) for start in Start}
        for check in self.starts.values():
            box.addWidget(check)
        self._head("Move", box, inner)
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(GROUP)
        form.setHorizontalSpacing(BETWEEN)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
        self.doors = self._combo("survey-doors", [(doors.value, DOOR_TITLES[doors]) for doors in Doors], inner)
        self.rules = self._combo("survey-rules", list(RULES), inner)
        self.runs = self._check("survey-runs", "Runs as well as walks", inner)
        self.jumps = self._check("survey-jumps", "Jumps, charged and in every direction", inner)
        self.strip = self._check("survey-strip", "Neighbours' strip along the border", inner)
        self.radius = self._number("survey-radius", *SCALES, inner)
        self.height_box = self._number("survey-height", *SCALES, inner)
        self.run_skill = self._number("survey-run-skill", *SKILLS, inner, 0)
        self.jump_skill = self._number("survey-jump-skill", *SKILLS, inner, 0)
        for skill in (self.run_skill, self.jump_skill):
            skill.setSpecialValueText("the player's")
        form.addRow("Doors", self.doors)
        form.addRow("Rules", self.rules)
        form.addRow("Radius ×", self.radius)
        form.addRow("Height ×", self.height_box)
        form.addRow("Run skill", self.run_skill)
        form.addRow("Jump skill", self.jump_skill)
        for check in (self.runs, self.jumps, self.strip):
            box.addWidget(check)
        box.addLayout(form)
        self._head("Look for", box, inner)
        self.checks: dict[str, QCheckBox] = {}
        self._box = box
        box.addStretch(1)
        self.setWidget(inner)
        watch.checks_known.connect(self._add_checks)
        watch.learn_checks()
        if watch.knows_checks:
            self._add_checks()
        self._showing = False
        watch.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def _add_checks(self) -> None:
        """A box for each kind of finding, as soon as they are known."""
        inner = self.widget() or self
        for each in checks(FAMILIES) if not self.checks else ():
            made = self.checks[each.id] = self._check(f"survey-check-{each.id}", each.title, inner)
            made.setToolTip(plain_lines(each.about))
            made.setChecked(each.id not in self.watch.settings.left_out)
            self._box.insertWidget(self._box.count() - 1, made)

    def _head(self, text: str, box: QVBoxLayout, parent: QWidget) -> None:
        label = QLabel(plain(text), parent)
        label.setContentsMargins(0, BETWEEN, 0, 0)
        font = label.font()
        font.setBold(True)
        label.setFont(font)
        box.addWidget(label)

    def _check(self, name: str, title: str, parent: QWidget) -> QCheckBox:
        made = QCheckBox(plain(title), parent)
        made.setObjectName(name)
        made.clicked.connect(self._on_changed)
        return made

    def _combo(self, name: str, entries: list[tuple[str, str]], parent: QWidget) -> QComboBox:
        made = QComboBox(parent)
        made.setObjectName(name)
        for value, title in entries:
            made.addItem(title, value)
        made.activated.connect(self._on_changed)
        return made

    def _number(self, name: str, low: float, high: float, parent: QWidget, places: int = 2) -> NumberBox:
        made = number_box(parent, name, low, high, places, 1.0 if places == 0 else 0.05)
        made.valueChanged.connect(self._on_changed)
        return made

    @Slot()
    def refresh(self) -> None:
        """Show the settings that count next."""
        settings = self.watch.settings
        self._showing = True
        for start, check in self.starts.items():
            check.setChecked(start.value in settings.starts)
        self.doors.setCurrentIndex(self.doors.findData(settings.doors))
        self.rules.setCurrentIndex(self.rules.findData(settings.rules))
        self.runs.setChecked(settings.runs)
        self.jumps.setChecked(settings.jumps)
        self.strip.setChecked(settings.strip)
        for box, value in (
            (self.radius, settings.radius_scale),
            (self.height_box, settings.height_scale),
            (self.run_skill, settings.run_skill),
            (self.jump_skill, settings.jump_skill),
        ):
            if not box.hasFocus():
                box.setValue(value)
        for check_id, check in self.checks.items():
            check.setChecked(check_id not in settings.left_out)
        self._showing = False

    @Slot()
    def _on_changed(self) -> None:
        if self._showing:
            return
        settings = self.watch.settings
        known = set(self.checks)
        off = {check_id for check_id, check in self.checks.items() if not check.isChecked()}
        self.watch.set_settings(
            replace(
                settings,
                starts=tuple(start.value for start, check in self.starts.items() if check.isChecked()),
                doors=str(self.doors.currentData()),
                rules=str(self.rules.currentData()),
                runs=self.runs.isChecked(),
                jumps=self.jumps.isChecked(),
                strip=self.strip.isChecked(),
                radius_scale=self.radius.value(),
                height_scale=self.height_box.value(),
                run_skill=self.run_skill.value(),
                jump_skill=self.jump_skill.value(),
                left_out=tuple(sorted(off | (set(settings.left_out) - known))),
            )
        )
