"""The table of faults; a row leads to its place."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QStackedWidget, QTableView, QWidget

from editor.models.problems import COLUMNS, ProblemsModel
from editor.process.plain_text import action_text
from ui.docks.parts import bar, button, column
from ui.docks.table import ROW_HEIGHT, LiveDelegate
from ui.theme.theme import EDGE, GROUP, Colours
from ui.widgets.row_hover import RowHover

ABOUT: Final = (
    "What is wrong with what is loaded, kept up to date while you edit. A click selects what a row is about, a double "
    "click or Enter goes there; where a fix is safe, Ctrl+Return makes it, and undo takes it back."
)
NOTHING: Final = "✓ Nothing is wrong with what is loaded so far."
NOTHING_YET: Final = "✓ Nothing is wrong so far."
SEARCHING: Final = "Stab lists are still being compared with what is seen …"


class ProblemsView(QStackedWidget):
    """The table, or a word when there is nothing to list."""

    chosen = Signal(object)
    jumped = Signal(object)
    fix_wanted = Signal(object)

    def __init__(self, model: ProblemsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setWhatsThis(ABOUT)
        self.empty = QLabel(NOTHING, self)
        self.empty.setObjectName("nothing")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.table = QTableView(self)
        self.table.setObjectName("problems")
        self.table.setAccessibleName("What is wrong")
        self.table.setModel(model)
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
        self.hover = RowHover(self.table, lambda index: self._model.selection_of(index.row()))
        self._delegate = LiveDelegate(self.table, self.hover)
        self.table.setItemDelegate(self._delegate)
        self.table.activated.connect(self._activate)
        self.table.clicked.connect(self._on_chosen)
        copy = QAction("Copy", self.table)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self.copy_rows)
        self.table.addAction(copy)
        self.fix_action = QAction("Fix", self.table)
        self.fix_action.setObjectName("problems-fix")
        self.fix_action.setShortcut(QKeySequence("Ctrl+Return"))
        self.fix_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.fix_action.triggered.connect(self.fix)
        self.table.addAction(self.fix_action)
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
        model.modelReset.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        self.setCurrentWidget(self.listed if self._model.rowCount() else self.empty)
        self._show_fix()

    def set_searching(self, searching: bool) -> None:
        """Whether it is still being found out what is seen from where."""
        self.empty.setText(f"{NOTHING_YET} {SEARCHING}" if searching else NOTHING)
        self.searching.setVisible(searching)

    @Slot()
    def _show_fix(self) -> None:
        """The fix by its name, or why there is none."""
        fix = self._model.fix_of(self.table.currentIndex().row())
        self.fix_action.setEnabled(fix is not None)
        self.fix_action.setToolTip("Make it, to be undone" if fix else "Choose a problem that can be mended safely.")
        nothing = "No Safe Fix Is Known" if self.table.currentIndex().isValid() else "Fix"
        self.fix_action.setText(action_text(nothing if fix is None else f"Fix: {fix.name}"))

    def set_colours(self, colours: Colours) -> None:
        self._delegate.colours = colours
        self.table.viewport().update()

    @Slot()
    def fix(self) -> None:
        """Mend the current row."""
        fix = self._model.fix_of(self.table.currentIndex().row())
        if fix is not None:
            self.fix_wanted.emit(fix)

    @Slot()
    def _on_chosen(self) -> None:
        """A row is selected, by a click or the arrows; being current, as the first is with the focus, is not enough."""
        index = self.table.currentIndex()
        if self.table.selectionModel().isSelected(index):
            self.chosen.emit(self._model.selection_of(index.row()))

    @Slot(QModelIndex)
    def _activate(self, index: QModelIndex) -> None:
        self.jumped.emit(self._model.selection_of(index.row()))

    @Slot()
    def copy_rows(self) -> None:
        """The chosen rows, or all of them, as tab-separated text."""
        rows = sorted({index.row() for index in self.table.selectedIndexes()}) or range(self._model.rowCount())
        lines = ["\t".join(str(self._model.index(row, c).data()) for c in range(len(COLUMNS))) for row in rows]
        QGuiApplication.clipboard().setText("\n".join(lines))
