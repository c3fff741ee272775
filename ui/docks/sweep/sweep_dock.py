"""Sweep: the steps of the player's last tick, each with its result and the reason."""

from __future__ import annotations

import json
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QSplitter,
    QTreeView,
    QWidget,
)

from editor.document.clock import Clock
from editor.document.document import Document
from editor.models.live_table import SELECTION_ROLE
from editor.models.sweep.headline import culprit, summary
from editor.models.sweep.steps import NODE_ROLE, SweepModel, is_open_at_first, node_text
from editor.models.sweep.watch import StepSelection, SweepWatch
from editor.process.plain_text import plain, plain_lines, visible, visible_lines
from editor.reports.sweep_table import as_tsv
from editor.session.session import Selection
from engine.sim.trace.tree import STEP, TraceNode, describe
from ui.docks.panel import LivePanel
from ui.docks.parts import action, allow, button, column, commands_around, dim_label
from ui.docks.table import LiveDelegate
from ui.theme.theme import BETWEEN, EDGE, GROUP, Colours, mono_font

ANSWER: Final = 1
NARROWEST: Final = 140
WIDEST_ANSWER: Final = 220
"""Pixels of the column of answers, as they are needed."""

EMPTY: Final = "Step once: the sweep that decides where the player ends up is shown here, step by step."
NO_SWEEP: Final = "Hold a direction and step, or go to a tick in which the player moved."
WHY: Final = 2
"""The column of reasons."""
NARROW: Final = 700
"""Pixels under which there is no room for three columns."""

RUNNING: Final = "Pause to inspect the last tick."
NOBODY: Final = "No polygon blocked the player in this tick."
NOTHING_CHOSEN: Final = "Select a step first."


class SweepTree(QTreeView):
    """The tree, or a word when there is nothing in it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.colours: Colours | None = None
        self.empty = EMPTY
        self.setObjectName("sweep")
        self.setAccessibleName("Steps of the last tick's sweep")
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.currentIndex().isValid():
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.model() is None or self.model().rowCount() or self.colours is None:
            return
        painter = QPainter(self.viewport())
        painter.setPen(QColor(self.colours.dim))
        box = self.viewport().rect().adjusted(EDGE, EDGE, -EDGE, -EDGE)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), plain(self.empty))
        painter.end()


class SweepPanel(LivePanel):
    """The tree on the left, the selected step in full on the right."""

    about = (
        "The player's last tick, step by step: every step of the collision sweep, the cells it tested, what was hit "
        "and what that answered. Select a row to read it in full and to see its sub-step in the 3D view: amber where "
        "the body was, green, orange or red where it went; a double click frames that and selects what it is about."
    )
    step_chosen = Signal(object)
    """Another step is selected (`StepSelection`), or none."""
    step_framed = Signal()
    """Bring the selected step into view."""

    def __init__(self, document: Document, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(document, "sweep-panel", parent)
        self.clock = clock
        self.watch = SweepWatch(document, self)
        self.model = SweepModel(self)
        self._shown: object = None
        self.summary = QLabel(self)
        self.summary.setObjectName("sweep-summary")
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.summary.setWordWrap(True)
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.summary.setWordWrap(True)
        self.summary.setMaximumHeight(2 * self.summary.fontMetrics().lineSpacing() + 2)
        self.tree = SweepTree(self)
        self.tree.setModel(self.model)
        self._delegate = LiveDelegate(self)
        self.tree.setItemDelegate(self._delegate)
        self.tree.setIndentation(12)  # it is deep
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(ANSWER, NARROWEST)
        header.resizeSection(WHY, NARROWEST)
        self.tree.selectionModel().currentChanged.connect(self._on_current)
        self.tree.doubleClicked.connect(self._lead_and_frame)
        self.detail = QPlainTextEdit(self)
        self.detail.setReadOnly(True)
        self.detail.setObjectName("sweep-detail")
        self.detail.setAccessibleName("The selected step in full")
        self.detail.setFont(mono_font())
        self.detail.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.detail.setPlaceholderText("Select a step to read the state of the sweep before and after it.")
        self._make_actions()
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.addWidget(self.tree)
        splitter.addWidget(self.detail)
        splitter.setSizes([600, 240])
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 1)
        box = column(self)
        top = QHBoxLayout()
        top.setContentsMargins(EDGE, GROUP, EDGE, GROUP)
        top.setSpacing(BETWEEN)
        top.addWidget(self.summary, 1)
        for widget in (self.search, self.found, button(self.culprit_action, self)):
            top.addWidget(widget)
        box.addLayout(top)
        box.addWidget(splitter, 1)
        self._seen = False
        clock.running_changed.connect(self._look)

    def _make_actions(self) -> None:
        self.search = QLineEdit(self)
        self.search.setObjectName("sweep-search")
        self.search.setPlaceholderText("Search")
        self.search.setAccessibleName("Find a step by its words")
        self.search.setToolTip("Find steps that contain these words; Enter goes to the next one")
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(120)
        self.search.textChanged.connect(self._count_found)
        self.search.returnPressed.connect(self.next_found)
        self.found = dim_label("", self)
        self.found.setObjectName("sweep-found")
        self.culprit_action = action(self, "Go to Blocking Polygon", self.choose_culprit, "B", "sweep-culprit")
        self.culprit_action.setIconText("Blocked By")
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
        """Where it is narrow the passages keep their place; why is read beside them."""
        super().resizeEvent(event)
        self.tree.header().setSectionHidden(WHY, self.width() < NARROW)
        self.search.setFixedWidth(72 if self.width() < NARROW else 120)

    def set_colours(self, colours: Colours) -> None:
        self._delegate.colours = colours
        self.tree.colours = colours
        self.tree.viewport().update()

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
        said = summary(self.document, self.watch)
        self.tree.empty = RUNNING if running else NO_SWEEP if said else EMPTY
        sweeps = [] if running else self.watch.sweeps
        branch = 0 if history is None else history.branches
        # A replayed tick is the same tick: keep its selected step.
        shown = (id(sim), branch, self.watch.tick, self.watch.title, running, *(sweep.line for sweep in sweeps))
        if shown == self._shown:
            return
        self._shown = shown
        self.model.show(sim, sweeps)
        self.summary.setText(plain(RUNNING if running else said))
        self.summary.setToolTip(plain_lines(self.summary.text()))
        self.detail.clear()
        self.tree.resizeColumnToContents(ANSWER)
        self.tree.header().resizeSection(ANSWER, min(max(self.tree.columnWidth(ANSWER), NARROWEST), WIDEST_ANSWER))
        for row in range(self.model.rowCount()):
            self._open(self.model.index(row, 0), 0)
        guilty = bool(culprit(sweeps))
        allow(self.culprit_action, "" if guilty else NOBODY, "Go to the polygon that blocked the player")
        self._count_found()
        self._show_actions(None)
        self.step_chosen.emit(None)

    def lend(self, title: str, sweeps: list[TraceNode]) -> None:
        """Show a move of a capture until the next tick, what turned it down chosen."""
        self.watch.lend(title, sweeps)
        self.refresh()
        self.choose_culprit()

    def _open(self, index: QModelIndex, depth: int) -> None:
        node = index.data(NODE_ROLE)
        if isinstance(node, TraceNode) and is_open_at_first(node, depth):
            self.tree.expand(index)
            for row in range(self.model.rowCount(index)):
                self._open(self.model.index(row, 0, index), depth + 1)

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, current: QModelIndex, previous: QModelIndex) -> None:
        node = _node(current)
        self.detail.setPlainText(visible_lines("" if node is None else node_text(node)))
        self._show_actions(node)
        self.step_chosen.emit(self._selection_at(current))

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
        node = _node(index)
        if node is None:
            return None
        step: TraceNode | None = None
        above = index
        while above.isValid():
            here = _node(above)
            if here is not None and here.kind == STEP:
                step = here
            top, above = above, above.parent()
        sweep = _node(top)
        return None if sweep is None else StepSelection(self.watch.tick, sweep, step, node)

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

    def choose_culprit(self) -> None:
        """Choose the polygon that turned the player down."""
        way = culprit(self.watch.sweeps)
        if way:
            self._choose(self.model.index_of(way[-1]))

    def _choose(self, index: QModelIndex) -> None:
        """Make a row current, with everything above it open."""
        above = index.parent()
        while above.isValid():
            self.tree.expand(above)
            above = above.parent()
        self.tree.setCurrentIndex(index)
        self.tree.scrollTo(index)

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
        here = _node(self.tree.currentIndex())
        numbers = [_node(index) for index in found]
        following = next((place + 1 for place, node in enumerate(numbers) if node is here), None)
        if following is None:
            following = self.model.first_after(found, self.tree.currentIndex())
        place = following % len(found)
        self.found.setText(plain(f"{place + 1} of {len(found)}"))
        self._choose(found[place])

    # --- copying

    def copy(self) -> None:
        """Copy the selected step with all steps below it, or the whole tick, as tab-separated rows."""
        node = _node(self.tree.currentIndex())
        QGuiApplication.clipboard().setText(as_tsv(self.watch.sweeps if node is None else [node]))

    def copy_text(self) -> None:
        """The same as lines to be read."""
        node = _node(self.tree.currentIndex())
        nodes = self.watch.sweeps if node is None else [node]
        QGuiApplication.clipboard().setText("\n".join(visible(line) for each in nodes for line in describe(each)))

    def copy_data(self) -> None:
        """The same as JSON."""
        node = _node(self.tree.currentIndex())
        nodes = self.watch.sweeps if node is None else [node]
        QGuiApplication.clipboard().setText(json.dumps([each.as_json() for each in nodes], indent=1))


def _node(index: QModelIndex | QPersistentModelIndex) -> TraceNode | None:
    found = index.siblingAtColumn(0).data(NODE_ROLE) if isinstance(index, QModelIndex) and index.isValid() else None
    return found if isinstance(found, TraceNode) else None
