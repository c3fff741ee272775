"""The table of faults, below the kept walks that go otherwise; a row leads to its place."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QStackedWidget, QTableView, QWidget

from editor.document.document import Document
from editor.document.step_application import REFUSALS
from editor.models.problems import COLUMNS, ProblemsModel
from editor.models.survey.watch import SurveyWatch
from editor.models.walks.kept import WalkEntry
from editor.models.walks.watch import WalkWatch
from editor.process.plain_text import action_text, plain
from editor.session.session import Selection
from editor.validation.problem_watch import ProblemWatch
from engine.findings.errors import FindingError
from engine.findings.finding import Found
from engine.sim.walks.outcome import Verdict
from ui.commands.registry import CommandSet, allow
from ui.docks.parts import bar, button, column
from ui.docks.table import ROW_HEIGHT, LiveDelegate
from ui.theme.theme import EDGE, GROUP, Colours
from ui.widgets.row_hover import RowHover

ABOUT: Final = (
    "What is wrong in the loaded landblocks, kept up to date while you edit. A click selects the thing, a "
    "double click or Enter goes there; where a fix is safe, Ctrl+Return applies it, and undo reverts it. Kept walks "
    "run again after edits; those that now go otherwise stand first, what a survey has found next."
)
NOTHING: Final = "✓ No problems in the loaded landblocks."
NOTHING_YET: Final = "✓ No problems so far."
NO_RECORDING: Final = "It has no recording to play."
SHOWS: Final = "By the recorded keys: Show plays them beside the world, Take Me There in it"
SEARCHING: Final = "Checking geometry and stab lists …"


class ProblemsView(QStackedWidget):
    """The table, or a word when there is nothing to list."""

    framed = Signal()
    """The selection is to be brought into view."""
    badge_changed = Signal(str)
    """The number of problems, for the title of the dock."""
    walk_compared = Signal(object)
    """A kept walk is to be compared: as it was kept, and as it goes now."""
    walks_wanted = Signal()
    """The list of kept walks is to be shown."""
    finding_shown = Signal(object)
    """A finding of a survey is to be played in the picture."""
    taken_there = Signal(object)
    """The player is to be led along a finding's recording."""

    def __init__(
        self,
        document: Document,
        watch: ProblemWatch,
        walks: WalkWatch,
        survey: SurveyWatch,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._session = document.session
        self._watch = watch
        self._walks = walks
        self._survey = survey
        self.model = ProblemsModel(self)
        self.commands = CommandSet(self)
        self.setWhatsThis(ABOUT)
        self.empty = QLabel(NOTHING, self)
        self.empty.setObjectName("nothing")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.table = QTableView(self)
        self.table.setObjectName("problems")
        self.table.setAccessibleName("Problems")
        self.table.setModel(self.model)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.table.setWordWrap(False)
        header = self.table.horizontalHeader()
        for place in range(len(COLUMNS) - 1):
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self.hover = RowHover(self.table, lambda index: self.model.selection_of(index.row()))
        self._delegate = LiveDelegate(self.table, self.hover)
        self.table.setItemDelegate(self._delegate)
        self.table.activated.connect(self._activate)
        self.table.clicked.connect(self._on_chosen)
        copy = self.commands.add(
            "problems-copy",
            "Copy",
            self.copy_rows,
            QKeySequence.StandardKey.Copy,
            owner=self.table,
            where=self.table.accessibleName(),
        )
        self.fix_action = self.commands.add("problems-fix", "Fix", self.fix, "Ctrl+Return", owner=self.table)
        for made in (copy, self.fix_action):
            made.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._add_walk_commands()
        self._add_finding_commands()
        self.table.selectionModel().currentRowChanged.connect(self._show_actions)
        self.table.selectionModel().selectionChanged.connect(self._on_chosen)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.searching = QLabel(SEARCHING, self)
        self.searching.setObjectName("problems-searching")
        self.searching.setProperty("dim", True)
        self.searching.setWordWrap(True)
        self.searching.setContentsMargins(EDGE, GROUP, EDGE, GROUP)
        self.searching.hide()
        self.listed = QWidget(self)
        self.nothing = QLabel(NOTHING, self)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.fix_button = button(self.fix_action, self.listed)
        self.walk_buttons = [button(made, self.listed) for made in self.walk_actions]
        self.finding_buttons = [button(made, self.listed) for made in self.finding_actions]
        self.walks_line = QLabel(self)
        self.walks_line.setObjectName("problems-walks")
        self.walks_line.setProperty("dim", True)
        self.walks_button = button(self.walks_action, self.listed)
        box = column(self.listed)
        box.addLayout(bar(self.fix_button, *self.walk_buttons, *self.finding_buttons))
        box.addWidget(self.nothing, 1)
        box.addWidget(self.table, 1)
        box.addWidget(self.searching)
        self.walks_bar = QWidget(self.listed)
        self.walks_bar.setLayout(bar(self.walks_button, self.walks_line))
        box.addWidget(self.walks_bar)
        self.addWidget(self.empty)
        self.addWidget(self.listed)
        self.model.modelReset.connect(self._show)
        self._show()
        self.hover.hovered.connect(self._session.set_hover)
        self._session.hover_changed.connect(self._on_hover)
        self._session.faults_changed.connect(self.refresh)
        document.named.connect(self.refresh)
        watch.changed.connect(self.refresh)
        walks.changed.connect(self.refresh_walks)
        survey.found_changed.connect(self.refresh_found)
        document.stack.undo_text_changed.connect(self._show_actions)
        document.travelled.connect(self._show_actions)
        self.refresh_walks()

    def _add_walk_commands(self) -> None:
        add, table = self.commands.add, self.table
        self.compare_action = add("walk-compare", "Compare", self.compare_walk, owner=table)
        self.show_action = add("walk-show", "Show", self.show_walk, owner=table)
        self.accept_action = add("walk-accept", "Accept as New Truth", self.accept_walk, owner=table)
        self.undo_action = add("walk-undo", "Undo", self._document.undo, owner=table)
        self.walk_actions = [self.compare_action, self.show_action, self.accept_action, self.undo_action]
        self.walks_action = add("problems-walks", "Kept Walks…", self.walks_wanted.emit, owner=self)
        self.walks_action.setToolTip("All kept walks: run again, rename, remove")

    def _add_finding_commands(self) -> None:
        add, table = self.commands.add, self.table
        self.show_found_action = add("problems-finding-show", "Show", self.show_found, owner=table)
        self.take_action = add("problems-finding-take", "Take Me There", self.take_there, owner=table)
        self.finding_actions = [self.show_found_action, self.take_action]

    @Slot()
    def refresh_found(self) -> None:
        """List what a survey of the landblock has found."""
        result = self._survey.result
        found = [] if result is None else result.found
        stale = frozenset(each.key for each in found if result is not None and result.is_stale(each))
        self.model.set_found(list(found), stale)
        self._count()

    @Slot()
    def refresh(self) -> None:
        """List the current problems."""
        world = self._session.world
        faults = [] if world is None else world.faults()
        self.model.show_names(self._document.names)
        self.model.set_faults(faults, self._session.index.known, self._watch.findings)
        self.set_searching(self._watch.is_searching)
        self._count()

    @Slot()
    def refresh_walks(self) -> None:
        """List the walks that go otherwise, and say how all of them stand."""
        self.model.set_walks(self._walks.kept.otherwise)
        self.walks_line.setText(plain(self._walks.text))
        self._count()
        self._show()

    def _count(self) -> None:
        count = self.model.rowCount()
        self.badge_changed.emit(str(count) if count else "")

    @Slot()
    def _on_hover(self) -> None:
        self.hover.show(self._session.hover)

    @Slot()
    def _show(self) -> None:
        walks, rows = bool(self._walks.kept.entries), self.model.rowCount() > 0
        self.setCurrentWidget(self.listed if rows or walks else self.empty)
        self.walks_bar.setVisible(walks)
        self.table.setVisible(rows)
        self.nothing.setVisible(not rows)
        self._show_actions()

    def set_searching(self, searching: bool) -> None:
        """Show whether stab lists are still being compared."""
        for label in (self.empty, self.nothing):
            label.setText(f"{NOTHING_YET} {SEARCHING}" if searching else NOTHING)
        self.searching.setVisible(searching)

    @Slot()
    def _show_actions(self) -> None:
        """What can be done about the row: its fix, or the ways with a walk."""
        walk = self._walk
        self.fix_action.setVisible(walk is None)
        self.fix_button.setVisible(walk is None and self.model.rowCount() > 0)
        for made, shown in zip(self.walk_actions, self.walk_buttons, strict=True):
            made.setVisible(walk is not None)
            shown.setVisible(walk is not None)
        found = self._found
        for made, shown in zip(self.finding_actions, self.finding_buttons, strict=True):
            made.setVisible(found is not None)
            shown.setVisible(found is not None)
            why_not = "" if found is not None and found.recording else NO_RECORDING
            allow(made, why_not or (self._document.why_not_edit if made is self.take_action else ""), SHOWS)
        self._show_fix()
        if walk is not None:
            self._show_walk(walk)

    def _show_walk(self, walk: WalkEntry) -> None:
        """The ways with a walk, and why one of them is not open."""
        is_run = walk.outcome is not None and walk.outcome.verdict is Verdict.OTHERWISE
        undo = self._document.stack.undo_text()
        cannot = "" if is_run else "It cannot be run."
        allow(self.compare_action, cannot, "Where and why it parts from the way it was kept")
        allow(self.show_action, cannot, "Go where it goes otherwise")
        allow(self.accept_action, cannot, "Let it go like this from now on")
        self.undo_action.setText(action_text(f"Undo: {undo}" if undo else "Undo"))
        allow(self.undo_action, "" if undo else "There is no edit to undo.", "Undo the last edit")

    def _show_fix(self) -> None:
        """The fix by its name, or why there is none."""
        fix = self.model.fix_of(self.table.currentIndex().row())
        why_not = "Select a problem that has a safe fix." if fix is None else self._document.why_not_edit
        allow(self.fix_action, why_not, "Apply the fix as an edit that can be undone")
        nothing = "No Safe Fix Is Known" if self.table.currentIndex().isValid() else "Fix"
        self.fix_action.setText(action_text(nothing if fix is None else f"Fix: {fix.name}"))

    def set_colours(self, colours: Colours) -> None:
        self._delegate.colours = colours
        self.table.viewport().update()

    @property
    def _walk(self) -> WalkEntry | None:
        """The walk of the current row."""
        return self.model.walk_of(self.table.currentIndex().row())

    @property
    def _found(self) -> Found | None:
        """The finding of the current row."""
        return self.model.found_of(self.table.currentIndex().row())

    @Slot()
    def show_found(self) -> None:
        if self._found is not None:
            self.finding_shown.emit(self._found)

    @Slot()
    def take_there(self) -> None:
        if self._found is not None:
            self.taken_there.emit(self._found)

    @Slot()
    def compare_walk(self) -> None:
        if self._walk is not None:
            self.walk_compared.emit(self._walk)

    @Slot()
    def show_walk(self) -> None:
        self._activate(self.table.currentIndex())

    @Slot()
    def accept_walk(self) -> None:
        if self._walk is not None:
            self._walks.accept(self._walk)

    @Slot()
    def fix(self) -> None:
        """Make the fix of the current row, as an edit that can be undone."""
        fix = self.model.fix_of(self.table.currentIndex().row())
        if fix is None:
            return
        try:
            edits = fix.edits()
        except (*REFUSALS, FindingError) as error:
            self._document.refused.emit(f"{fix.name}: {error}")
        else:
            self._document.edit(fix.name, *edits)

    @Slot()
    def _on_chosen(self) -> None:
        """A row is selected, by a click or the arrows; being current, as the first is with the focus, is not enough."""
        index = self.table.currentIndex()
        if self.table.selectionModel().isSelected(index):
            self._choose(self.model.selection_of(index.row()))

    def _choose(self, selection: Selection | None) -> None:
        if selection is None:
            what = "walk" if self._walk is not None else "problem belongs to a shared record and"
            self._document.said.emit(f"This {what} has no place on the map.")
        else:
            self._session.select(selection)

    @Slot(QModelIndex)
    def _activate(self, index: QModelIndex) -> None:
        selection = self.model.selection_of(index.row())
        self._choose(selection)
        if selection is not None:
            self.framed.emit()

    @Slot()
    def copy_rows(self) -> None:
        """The chosen rows, or all of them, as tab-separated text."""
        rows = sorted({index.row() for index in self.table.selectedIndexes()}) or range(self.model.rowCount())
        lines = ["\t".join(str(self.model.index(row, c).data()) for c in range(len(COLUMNS))) for row in rows]
        QGuiApplication.clipboard().setText("\n".join(lines))
