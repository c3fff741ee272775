"""Survey: explores the landblock in view, and shows what was reached and what was found."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QStackedWidget, QWidget

from editor.document.document import Document
from editor.models.live_table import LiveTable
from editor.models.survey.rows import CELLS, FOUND, cell_rows, figures, found_rows, headline
from editor.models.survey.shown import Where
from editor.models.survey.watch import SurveyWatch
from editor.process.plain_text import action_text, plain
from engine.findings.finding import Found
from ui.commands.registry import allow
from ui.docks.panel import LivePanel, is_seen
from ui.docks.parts import action, bar, button, column, tabs
from ui.docks.table import LiveView
from ui.docks.words import show_text, words
from ui.theme.theme import EDGE, GROUP, Colours

if TYPE_CHECKING:
    from ui.docks.survey.settings_page import SettingsPage

EMPTY: Final = (
    "Start lets a body walk, run, jump and fall wherever it can get to in the landblock in view, by the same sweeps "
    "as the player's.\n\nFloors take colours as they are reached. Listed are the ways out that should not be there, "
    "the places where a body gets stuck, and the rooms that nobody can come to, each with a recording that shows it."
    "\n\nA process of its own does the work: go on editing meanwhile."
)
NOTHING_FOUND: Final = "✓ Nothing was found."
NOTHING_YET: Final = "Nothing was found so far."
NO_CELLS: Final = "Nothing was reached yet."
PACE_S: Final = 0.25
NO_FOUND: Final = "Select a finding first."
NO_CELL: Final = "Select a cell first."
NO_RECORDING: Final = "No walk shows this one; Enter or a double click goes to its place."
NO_FIX: Final = "No Safe Fix Is Known"
NOT_REACHED: Final = "Nobody came there, so there is no walk."
BY_HOW: Final = (
    ("walk", "accepted"),
    ("fall", "building_portal"),
    ("jump", "adjusted"),
    ("never", "fault"),
    ("stale", "neither"),
)
BY_TIME: Final = "From teal, within 2 s, over 5, 10, 20 and 40 s to violet; red: never"


class SurveyPanel(LivePanel):
    """Start, Stop and Go On above, pages below. The pages are made when somebody looks at the dock first."""

    about = (
        "Searches the landblock in view by letting a body walk, run, jump and fall wherever it can get to, in a "
        "process of its own. Floors are coloured by how they are reached; findings have a recording: Show plays it, "
        "Take Me There leads the player. Edits make what they touch stale, and Go On searches only that again."
    )
    show_wanted = Signal(object)
    """A finding whose recording is to be played in the picture."""
    marked = Signal(object)
    """The finding that is selected, or None."""
    take_wanted = Signal(object)
    """A finding, or the id of a cell, to lead the player to."""
    why_wanted = Signal(object)
    fix_wanted = Signal(object)

    def __init__(self, document: Document, watch: SurveyWatch, parent: QWidget | None = None) -> None:
        super().__init__(document, "survey-panel", parent)
        self.watch = watch
        self.start_action = action(self, "Start", watch.start, name="survey-start")
        self.stop_action = action(self, "Stop", watch.stop, name="survey-stop")
        self.go_on_action = action(self, "Go On", watch.go_on, name="survey-go-on")
        self.show_action = action(self, "Show", self.show_found, name="survey-show")
        self.take_action = action(self, "Take Me There", self.take_to_found, name="survey-take")
        self.why_action = action(self, "Why", self.explain, name="survey-why")
        self.fix_action = action(self, "Fix", self.fix, "Ctrl+Return", name="survey-fix")
        self.cell_action = action(self, "Take Me There", self.take_to_cell, name="survey-take-cell")
        self.headline = words("survey-headline", self)
        self.figures = words("survey-figures", self)
        self.figures.setProperty("dim", True)
        self.empty = QLabel(EMPTY, self)
        self.empty.setObjectName("nothing")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        self.pages = tabs(self, "survey-pages")
        self.found = LiveView(LiveTable(FOUND, self), "survey-found", "Findings", NOTHING_YET, self)
        self.cells = LiveView(LiveTable(CELLS, self), "survey-cells", "Reached cells", NO_CELLS, self)
        self.legend = words("survey-legend", self)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self._colours: Colours | None = None
        self.places: dict[Where, QCheckBox] = {}
        self.settings_page: SettingsPage | None = None
        self._lay_out()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._on_changed)
        self._shown_at = 0.0
        self._shown_stage = watch.stage
        for view in (self.found, self.cells):
            self.add_view(view)
            view.key_changed.connect(self._show_actions)
        self.found.key_changed.connect(self._on_found_row)
        self.found.acted.connect(self._on_acted)
        self.cells.acted.connect(self._on_acted)
        self.pages.currentChanged.connect(self._on_page)
        watch.changed.connect(self._on_watch)
        watch.reached.connect(self._on_watch)
        watch.found_changed.connect(self._on_watch)
        watch.shown.changed.connect(self._show_choices)
        document.session.landblock_changed.connect(self._on_changed)
        self.refresh()

    # --- making

    def _lay_out(self) -> None:
        whole = column(self)
        whole.addLayout(bar(*(button(each, self) for each in (self.start_action, self.stop_action, self.go_on_action))))
        whole.addWidget(self.headline)
        whole.addWidget(self.figures)
        whole.addWidget(self.pages, 1)
        self.pages.addTab(self._found_page(), "Findings")
        self.pages.addTab(self._reach_page(), "Reach")
        self.settings_holder = QWidget(self)
        column(self.settings_holder)
        self.pages.addTab(self.settings_holder, "Settings")

    def _found_page(self) -> QWidget:
        page = QWidget(self)
        box = column(page)
        self.found_stack = QStackedWidget(page)
        self.found_stack.addWidget(self.empty)
        self.found_stack.addWidget(self.found)
        box.addWidget(self.found_stack, 1)
        self.found_bar = QWidget(page)
        self.sentence = words("survey-sentence", self.found_bar)
        below = column(self.found_bar)
        below.addWidget(self.sentence)
        shown = (self.show_action, self.take_action, self.why_action, self.fix_action)
        below.addLayout(bar(*(button(each, self.found_bar) for each in shown)))
        self.sentence.setContentsMargins(EDGE, GROUP, EDGE, 0)
        box.addWidget(self.found_bar)
        return page

    def _reach_page(self) -> QWidget:
        page = QWidget(self)
        box = column(page)
        self.by = QComboBox(page)
        self.by.setObjectName("survey-colours")
        self.by.setAccessibleName("What the colours tell")
        self.by.addItems(["by how", "by how soon"])
        self.by.activated.connect(lambda index: self.watch.shown.colour_by_time(index == 1))
        shown: list[QWidget] = [QLabel("Shown in", page)]
        for where, title in ((Where.PICTURE, "3D view"), (Where.MAP, "map"), (Where.GRAPH, "graph")):
            made = self.places[where] = QCheckBox(plain(title), page)
            made.setObjectName(f"survey-in-{where.name.lower()}")
            made.clicked.connect(lambda checked, where=where: self.watch.shown.show(where, on=checked))
            shown.append(made)
        box.addLayout(bar(*shown, self.by))
        box.addWidget(self.legend)
        box.addWidget(self.cells, 1)
        box.addLayout(bar(button(self.cell_action, page)))
        return page

    def set_colours(self, colours: Colours) -> None:
        super().set_colours(colours)
        self._colours = colours
        self._show_choices()

    # --- showing

    @Slot()
    def _on_watch(self) -> None:
        """While it runs, it tells more often than anybody reads. What can be pressed has to be so at once."""
        left = PACE_S - (time.monotonic() - self._shown_at)
        if left <= 0.0 or not self.watch.is_running or self.watch.stage is not self._shown_stage:
            self._on_changed()
        elif not self._later.isActive():
            self._later.start(int(left * 1000.0) + 1)

    @Slot()
    def _on_page(self) -> None:
        if self.pages.currentWidget() is self.settings_holder and self.settings_page is None:
            from ui.docks.survey.settings_page import SettingsPage  # few look at it

            self.settings_page = SettingsPage(self.watch, self.settings_holder)
            layout = self.settings_holder.layout()
            if layout is not None:
                layout.addWidget(self.settings_page)
        self.refresh()

    def refresh(self) -> None:
        self._shown_at, self._shown_stage = time.monotonic(), self.watch.stage
        watch, names = self.watch, self.document.names
        result = watch.result
        show_text(self.headline, headline(watch, names))
        show_text(self.figures, figures(watch))
        rows = found_rows(result, names)
        self.found_stack.setCurrentWidget(self.empty if result is None else self.found)
        self.found.empty = NOTHING_FOUND if result is not None and result.is_checked else NOTHING_YET
        if is_seen(self.found) or not rows:
            self.found.table.show(rows, mark=False)
        if is_seen(self.cells) or result is None:
            self.cells.table.show(cell_rows(result, names), mark=False)
        self.pages.setTabText(0, plain(f"Findings {len(rows):,}" if rows else "Findings"))
        self._show_actions()
        self._show_choices()

    @Slot()
    def _show_actions(self) -> None:
        watch = self.watch
        allow(self.start_action, watch.why_not_start, "Search the landblock in view from the beginning")
        allow(self.stop_action, "" if watch.is_running else "It is not running.", "Stop; Go On continues")
        allow(self.go_on_action, watch.why_not_go_on, "Search the rest, or again what edits have touched")
        found = self.current
        self.found_bar.setVisible(found is not None)
        show_text(self.sentence, "" if found is None else self.document.names.in_text(found.sentence))
        no_walk = NO_FOUND if found is None else "" if found.recording else NO_RECORDING
        past = self.document.why_not_edit
        allow(self.show_action, no_walk, "A ghost walks it in the 3D view; the world does not change")
        allow(self.take_action, no_walk or past, "Lead the player along it by the recorded keys; undo returns him")
        allow(self.why_action, no_walk or past, "Play it in the world, then ask Why about its last tick")
        fix = None if found is None else found.fix
        self.fix_action.setText(action_text(NO_FIX if fix is None else f"Fix: {fix.name}"))
        self.fix_action.setIconText("Fix")
        allow(
            self.fix_action, past if fix is not None else f"{NO_FIX}.", "" if fix is None else f"{fix.name}, undoable"
        )
        cell = self.cells.key
        reached = watch.result is not None and cell in watch.result.cells()
        why_not = NO_CELL if cell is None else NOT_REACHED if not reached else past
        allow(self.cell_action, why_not, "Lead the player to the place of the cell that is reached first")

    @Slot()
    def _show_choices(self) -> None:
        shown = self.watch.shown
        for where, box in self.places.items():
            box.setChecked(where in shown.where)
        self.by.setCurrentIndex(1 if shown.by_time else 0)
        colours = self._colours
        if shown.by_time:
            self.legend.setText(BY_TIME)
        elif colours is not None:
            parts = [f'<span style="color:{getattr(colours, tone)}">■</span>&nbsp;{word}' for word, tone in BY_HOW]
            self.legend.setText(" &nbsp; ".join(parts))

    # --- the selected finding

    @property
    def current(self) -> Found | None:
        """The finding of the current row."""
        key = self.found.key
        return next((found for found in self.watch.found if found.key == key), None)

    @Slot()
    def _on_found_row(self) -> None:
        self.marked.emit(self.current)

    @Slot(object)
    def _on_acted(self, key: object) -> None:
        self.framed.emit(self.found.selection if self.sender() is self.found else self.cells.selection)

    @Slot()
    def show_found(self) -> None:
        if self.current is not None:
            self.show_wanted.emit(self.current)

    @Slot()
    def take_to_found(self) -> None:
        if self.current is not None:
            self.take_wanted.emit(self.current)

    @Slot()
    def take_to_cell(self) -> None:
        if isinstance(self.cells.key, int):
            self.take_wanted.emit(self.cells.key)

    @Slot()
    def explain(self) -> None:
        if self.current is not None:
            self.why_wanted.emit(self.current)

    @Slot()
    def fix(self) -> None:
        if self.current is not None:
            self.fix_wanted.emit(self.current)

    def show_row(self, found: Found) -> None:
        """Make a finding's row the current one."""
        self.pages.setCurrentIndex(0)
        self.refresh()
        self.found.follow(found.key)
