"""Sweep: the steps of the player's last tick, each with its result and the reason."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QWidget,
)

from editor.document.clock import Clock
from editor.document.document import Document
from editor.models.live_table import SELECTION_ROLE
from editor.models.sweep.candidates import search_of
from editor.models.sweep.headline import blocking_row, cell_row, deciding, summary, why_not_blocked, why_not_changed
from editor.models.sweep.second_sweeps import SecondSweeps
from editor.models.sweep.steps import SweepModel, node_on, opened_at_first
from editor.models.sweep.watch import StepSelection, SweepWatch
from editor.models.why import Why, WhyAbout
from editor.process.plain_text import plain, visible
from editor.reports.sweep_table import as_tsv
from editor.session.session import Selection
from engine.render.overlays.substep import ABOUT_CELLS
from engine.sim.trace.tree import TraceNode, describe
from ui.docks.panel import LivePanel, is_seen
from ui.docks.parts import action, allow, button, column, commands_around, dim_label
from ui.docks.step_tree import EMPTY, StepTree, lineage, node_at
from ui.docks.sweep.step_details import CELLS_TAB, VALUES_TAB, StepDetails
from ui.theme.theme import BETWEEN, EDGE, GROUP, Colours
from ui.widgets.elided_label import ElidedLabel

if TYPE_CHECKING:
    from editor.models.compare.watch import CompareWatch
    from engine.sim.compare.alignment import AlignedSweeps

NO_SWEEP: Final = "Hold a direction and step, or go to a tick in which the player moved."
NARROW: Final = 700
"""Pixels under which the details are below the tree, if it is high enough, and the search field is short."""

TREE_SHARE: Final = 52
"""Percent of the dock that the tree has until the user moves the handle."""
HIGH_SHARE: Final = 64
"""The same where the details are below it: twelve rows of the tree at the side of a window of 1280 x 800."""

RUNNING: Final = "Pause to inspect the last tick."
NO_MOVE: Final = "the player was at rest"
NOTHING_CHOSEN: Final = "Select a step first."


class SweepPanel(LivePanel):
    """The tree on the left, the cells and the values of the selected step on the right."""

    reads_second = True
    about = (
        "The player's last tick, step by step: the cells that the collision sweep tested, what it hit and with what "
        "result. Blocked By and Cell Changed By go to the rows that decided. Select a row to read it in full, to "
        "see why its cell was picked, and to see its sub-step in the 3D view: amber where the body was, green, orange "
        "or red where it went. A double click frames the sub-step and selects the object."
    )
    step_chosen = Signal(object)
    """Another step is selected (`StepSelection`), or none."""
    step_framed = Signal()
    """Bring the selected step into view."""

    def __init__(self, document: Document, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(document, "sweep-panel", parent)
        self.clock = clock
        self.watch = SweepWatch(document, self)
        self.second: SecondSweeps | None = None
        """The other run's, while two are compared."""
        self._second_title = ""
        self.model = SweepModel(self)
        self._shown: object = None
        self.summary = ElidedLabel("sweep-summary", self)
        self.tree = StepTree(self.model, self)
        self.tree.selectionModel().currentChanged.connect(self._on_current)
        self.tree.doubleClicked.connect(self._lead_and_frame)
        self.details = StepDetails(self)
        self.detail = self.details.values
        self.add_view(self.details.cells, leads=True)
        self._make_actions()
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.setObjectName("sweep-splitter")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.tree)
        self.splitter.addWidget(self.details)
        self.splitter.setStretchFactor(0, TREE_SHARE)
        self.splitter.setStretchFactor(1, 100 - TREE_SHARE)
        self._divided = False
        self.splitter.splitterMoved.connect(self._on_divided)
        box = column(self)
        tools = QHBoxLayout()
        tools.setSpacing(BETWEEN)
        for widget in (button(self.culprit_action, self), button(self.cell_action, self), self.search, self.found):
            tools.addWidget(widget)
        tools.addStretch(1)
        self.top = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self.top.setContentsMargins(EDGE, GROUP, EDGE, GROUP)
        self.top.setSpacing(GROUP)
        self.top.addWidget(self.summary, 1)
        self.top.addLayout(tools)
        box.addLayout(self.top)
        box.addWidget(self.splitter, 1)
        self._seen = False
        clock.running_changed.connect(self._look)

    def _make_actions(self) -> None:
        self.search = QLineEdit(self)
        self.search.setObjectName("sweep-search")
        self.search.setPlaceholderText("Search")
        self.search.setAccessibleName("Find a step by text")
        self.search.setToolTip("Find steps that contain this text; Enter goes to the next match")
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(100)
        self.search.textChanged.connect(self._count_found)
        self.search.returnPressed.connect(self.next_found)
        self.found = dim_label("", self)
        self.found.setObjectName("sweep-found")
        self.culprit_action = action(self, "Go to What Blocked", self.choose_culprit, "B", "sweep-culprit")
        self.culprit_action.setIconText("Blocked By")
        self.cell_action = action(self, "Go to Cell Change", self.choose_cell_change, "C", "sweep-cell-change")
        self.cell_action.setIconText("Cell Changed By")
        self.frame_action = action(self.tree, "Frame Sub-step", self.step_framed.emit, name="sweep-frame")
        self.lead_action = action(self.tree, "Select the Object of This Step", self.lead, "Return", "sweep-lead")
        self.copy_action = commands_around(self).add(
            "sweep-copy", "Copy", self.copy, owner=self.tree, where=self.tree.accessibleName()
        )
        self.copy_action.setToolTip("Copy the step and all steps below it as tab-separated rows")
        self.text_action = action(self.tree, "Copy as Text", self.copy_text, name="sweep-copy-text")
        self.copy_action.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        self.data_action = action(self.tree, "Copy as Data", self.copy_data, name="sweep-copy-data")
        self.data_action.setToolTip("Copy as JSON with every number at full precision")
        for each in (self.copy_action, self.text_action, self.lead_action):
            each.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side where it is wide, one below the other where it is high."""
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW
        direction = QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight
        self.top.setDirection(direction)
        below = is_narrow and self.height() > self.width()
        orientation = Qt.Orientation.Vertical if below else Qt.Orientation.Horizontal
        if orientation != self.splitter.orientation():
            self.splitter.setOrientation(orientation)
            self._divided = False
        if not self._divided:
            extent, share = (self.height(), HIGH_SHARE) if below else (self.width(), TREE_SHARE)
            self.splitter.setSizes([extent * share // 100, extent * (100 - share) // 100])
        self.search.setFixedWidth(72 if is_narrow else 100)

    @Slot()
    def _on_divided(self) -> None:
        """From now on the parts have the sizes that the user gave them."""
        self._divided = True

    def set_colours(self, colours: Colours) -> None:
        super().set_colours(colours)
        self.tree.set_colours(colours)

    # --- showing

    @Slot(bool)
    def turn(self, seen: bool) -> None:
        self._seen = seen
        self.watch.look(seen and not self.clock.is_running)
        super().turn(seen)

    @Slot()
    def _look(self) -> None:
        """Trace only while visible: tracing takes longer than the rest of a tick."""
        self.watch.look(self._seen and not self.clock.is_running)
        self._on_changed()

    def refresh(self) -> None:
        """Nothing is traced while time runs: it would change faster than anybody reads."""
        running, sim, history = self.clock.is_running, self.document.simulation, self.document.history
        aligned = None if running else self._take_side()
        said = summary(self.document, self.watch)
        self.tree.empty = RUNNING if running else NO_SWEEP if said else EMPTY
        sweeps = [] if running else self.watch.sweeps
        branch = 0 if history is None else history.branches
        # A replayed tick is the same tick: keep its selected step.
        lines = [row.line for row in sweeps] + [row.line for row in _parting_rows(aligned)]
        shown = (id(sim), branch, self.watch.tick, self.watch.title, running, *lines)
        if shown == self._shown:
            return
        self._shown = shown
        self.model.show(sim, sweeps)
        self._mark(aligned)
        self.summary.show_text(RUNNING if running else said)
        self.tree.show_opened(opened_at_first(sweeps))
        allow(self.culprit_action, why_not_blocked(sweeps), "Go to what stopped the player or made him slide")
        allow(self.cell_action, why_not_changed(sweeps), "Go to the search that gave the player another cell")
        self._count_found()
        self._show_selected(None)

    def compare_with(self, watch: CompareWatch) -> None:
        """Mark where the second run's sweeps part from these, and show them when that run is chosen."""
        self.second = SecondSweeps(watch, self)

    def _take_side(self) -> AlignedSweeps | None:
        """Show the sweeps of the run that is chosen, unless those of a capture are; where both part."""
        watch, second = self.watch, self.second
        if second is None or (watch.title and watch.title != self._second_title):
            return None
        watch.give_back()
        aligned = second.aligned(watch.tick, watch.sweeps)
        if aligned is not None and second.shows_second:
            self._second_title = f"{second.names()[1]}, tick {watch.tick:,}"
            watch.lend(self._second_title, aligned.second)
        return aligned

    def _mark(self, aligned: AlignedSweeps | None) -> None:
        if aligned is None or self.second is None or not aligned.part:
            return
        shows_second = self.second.shows_second
        path, other = aligned.first_path, aligned.second_path
        if shows_second:
            path, other = other, path
        name = self.second.names()[0 if shows_second else 1]
        self.model.mark_way(path, f"{name}: {other[-1].line if other else 'no such row'}")

    def lend(self, title: str, sweeps: list[TraceNode]) -> None:
        """Show a move of a capture until the next tick, what turned it down chosen."""
        self.watch.lend(title, sweeps)
        self.refresh()
        self.choose_culprit()

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, current: QModelIndex, previous: QModelIndex) -> None:
        self._show_selected(self._selection_at(current))

    def _show_selected(self, selected: StepSelection | None) -> None:
        self.details.show_step(self.document.simulation, selected)
        self._show_actions(None if selected is None else selected.node)
        self.step_chosen.emit(selected)

    def _show_actions(self, node: TraceNode | None) -> None:
        selection = self.tree.currentIndex().siblingAtColumn(0).data(SELECTION_ROLE)
        allow(self.frame_action, "" if node else NOTHING_CHOSEN, "Bring the chosen sub-step into view")
        why = (
            NOTHING_CHOSEN
            if node is None
            else ""
            if isinstance(selection, Selection)
            else "This step names no cell and no object."
        )
        allow(self.lead_action, why, "Select the entity or the cell")

    def _selection_at(self, index: QModelIndex) -> StepSelection | None:
        """A row with the sub-step and the sweep that it is a part of."""
        node, (sweep, step) = node_at(index), lineage(index)
        if node is None or sweep is None:
            return None
        return StepSelection(self.watch.tick, sweep, step, node, search_of(step, node))

    @Slot(QModelIndex)
    def _lead_and_frame(self, index: QModelIndex) -> None:
        self.lead()
        self.step_framed.emit()

    def lead(self) -> None:
        """Go to the entity or the cell that a step is about."""
        selection = self.tree.currentIndex().siblingAtColumn(0).data(SELECTION_ROLE)
        if isinstance(selection, Selection):
            self.chosen.emit(selection)

    # --- looking for something

    @Slot(object)
    def explain(self, why: Why) -> None:
        """Go to the tick that the question is about, and select the row that decided."""
        self.clock.pause()
        self.watch.look(True)
        if not self.watch.go_to(why.tick):
            return
        self.refresh()
        node = deciding(self.watch.sweeps, why.about)
        if node is None:
            self.document.refused.emit(f"Tick {why.tick:,} has no sweep: {NO_MOVE}")
            return
        self._choose(node, CELLS_TAB if why.about is WhyAbout.CELL_CHANGED else VALUES_TAB)

    @Slot(int, object)
    def show_row(self, tick: int, row: tuple[int, ...]) -> None:
        """Go to a tick, and select the row at the end of a way: which sweep, then which child at each level."""
        self.clock.pause()
        self.watch.look(True)
        if not self.watch.go_to(tick):
            return
        self.refresh()
        node = node_on(self.watch.sweeps, row)
        if node is None:
            self.document.refused.emit(f"Tick {tick:,} has no such row in its sweeps.")
            return
        self._choose(node, CELLS_TAB if node.kind in ABOUT_CELLS else VALUES_TAB)

    @Slot(int, object)
    def follow_row(self, tick: int, row: tuple[int, ...]) -> None:
        """The same for a dock that is on the screen beside the one that asks."""
        if is_seen(self):
            self.show_row(tick, row)

    def choose_culprit(self) -> None:
        """Select what stopped the player or made him slide."""
        node = blocking_row(self.watch.sweeps)
        if node is not None:
            self._choose(node, VALUES_TAB)

    def choose_cell_change(self) -> None:
        """Select the search that gave the player another cell."""
        node = cell_row(self.watch.sweeps)
        if node is not None:
            self._choose(node, CELLS_TAB)

    def _choose(self, node: TraceNode, page: int) -> None:
        self.details.pages.setCurrentIndex(page)
        self.tree.choose(self.model.index_of(node))

    @Slot()
    def _count_found(self) -> None:
        count = len(self.model.found(self.search.text()))
        self.found.setText(plain("" if not self.search.text().strip() else f"{count} found" if count else "none"))

    @Slot()
    def next_found(self) -> None:
        """Select the next step that contains the words."""
        found = self.model.found(self.search.text())
        if not found:
            return
        here = self.tree.node()
        numbers = [node_at(index) for index in found]
        following = next((place + 1 for place, node in enumerate(numbers) if node is here), None)
        if following is None:
            following = self.model.first_after(found, self.tree.currentIndex())
        place = following % len(found)
        self.found.setText(plain(f"{place + 1} of {len(found)}"))
        self.tree.choose(found[place])

    # --- copying

    def copy(self) -> None:
        """Copy the selected step with all steps below it, or the whole tick, as tab-separated rows."""
        node = self.tree.node()
        QGuiApplication.clipboard().setText(as_tsv(self.watch.sweeps if node is None else [node]))

    def copy_text(self) -> None:
        """The same as lines to be read."""
        node = self.tree.node()
        nodes = self.watch.sweeps if node is None else [node]
        QGuiApplication.clipboard().setText("\n".join(visible(line) for each in nodes for line in describe(each)))

    def copy_data(self) -> None:
        """The same as JSON."""
        node = self.tree.node()
        nodes = self.watch.sweeps if node is None else [node]
        QGuiApplication.clipboard().setText(json.dumps([each.as_json() for each in nodes], indent=1))


def _parting_rows(aligned: AlignedSweeps | None) -> list[TraceNode]:
    """The rows at which both runs part."""
    return [] if aligned is None else [*aligned.first_path[-1:], *aligned.second_path[-1:]]
