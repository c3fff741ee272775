"""The table of faults; a row leads to its place."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QStackedWidget, QTableView, QWidget

from editor.document.document import Document
from editor.document.step_application import REFUSALS
from editor.models.problems import COLUMNS, ProblemsModel
from editor.process.plain_text import action_text
from editor.session.session import Selection
from editor.validation.problem_watch import ProblemWatch
from ui.commands.registry import CommandSet
from ui.docks.parts import bar, button, column
from ui.docks.table import ROW_HEIGHT, LiveDelegate
from ui.theme.theme import EDGE, GROUP, Colours
from ui.widgets.row_hover import RowHover

ABOUT: Final = (
    "What is wrong in the loaded landblocks, kept up to date while you edit. A click selects the thing, a "
    "double click or Enter goes there; where a fix is safe, Ctrl+Return applies it, and undo reverts it."
)
NOTHING: Final = "✓ No problems in the loaded landblocks."
NOTHING_YET: Final = "✓ No problems so far."
SEARCHING: Final = "Comparing stab lists with computed ones …"


class ProblemsView(QStackedWidget):
    """The table, or a word when there is nothing to list."""

    framed = Signal()
    """The selection is to be brought into view."""
    badge_changed = Signal(str)
    """The number of problems, for the title of the dock."""

    def __init__(self, document: Document, watch: ProblemWatch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._session = document.session
        self._watch = watch
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
        self.table.selectionModel().currentRowChanged.connect(self._show_fix)
        self.table.selectionModel().selectionChanged.connect(self._on_chosen)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.searching = QLabel(SEARCHING, self)
        self.searching.setObjectName("problems-searching")
        self.searching.setProperty("dim", True)
        self.searching.setWordWrap(True)
        self.searching.setContentsMargins(EDGE, GROUP, EDGE, GROUP)
        self.searching.hide()
        self.listed = QWidget(self)
        box = column(self.listed)
        box.addLayout(bar(button(self.fix_action, self.listed)))
        box.addWidget(self.table, 1)
        box.addWidget(self.searching)
        self.addWidget(self.empty)
        self.addWidget(self.listed)
        self.model.modelReset.connect(self._show)
        self._show()
        self.hover.hovered.connect(self._session.set_hover)
        self._session.hover_changed.connect(self._on_hover)
        self._session.faults_changed.connect(self.refresh)
        document.named.connect(self.refresh)
        watch.changed.connect(self.refresh)

    @Slot()
    def refresh(self) -> None:
        """List the current problems."""
        world = self._session.world
        faults = [] if world is None else world.faults()
        self.model.show_names(self._document.names)
        self.model.set_faults(faults, self._session.index.known, self._watch.findings)
        self.set_searching(self._watch.is_searching)
        count = len(self.model.faults)
        self.badge_changed.emit(str(count) if count else "")

    @Slot()
    def _on_hover(self) -> None:
        self.hover.show(self._session.hover)

    @Slot()
    def _show(self) -> None:
        self.setCurrentWidget(self.listed if self.model.rowCount() else self.empty)
        self._show_fix()

    def set_searching(self, searching: bool) -> None:
        """Show whether stab lists are still being compared."""
        self.empty.setText(f"{NOTHING_YET} {SEARCHING}" if searching else NOTHING)
        self.searching.setVisible(searching)

    @Slot()
    def _show_fix(self) -> None:
        """The fix by its name, or why there is none."""
        fix = self.model.fix_of(self.table.currentIndex().row())
        self.fix_action.setEnabled(fix is not None)
        self.fix_action.setToolTip(
            "Apply the fix as an edit that can be undone" if fix else "Select a problem that has a safe fix."
        )
        nothing = "No Safe Fix Is Known" if self.table.currentIndex().isValid() else "Fix"
        self.fix_action.setText(action_text(nothing if fix is None else f"Fix: {fix.name}"))

    def set_colours(self, colours: Colours) -> None:
        self._delegate.colours = colours
        self.table.viewport().update()

    @Slot()
    def fix(self) -> None:
        """Make the fix of the current row, as an edit that can be undone."""
        fix = self.model.fix_of(self.table.currentIndex().row())
        if fix is None:
            return
        try:
            edits = fix.edits()
        except REFUSALS as error:
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
            self._document.said.emit("This problem belongs to a shared record and has no place on the map.")
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
