"""The table of faults; a row leads to its place."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QStackedWidget, QTableView, QWidget

from editor.problems import COLUMNS, ProblemsModel


class ProblemsView(QStackedWidget):
    """The table, or a word when there is nothing to list."""

    jumped = Signal(object)

    def __init__(self, model: ProblemsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.empty = QLabel("✓ Nothing is wrong with what is loaded so far.", self)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.table = QTableView(self)
        self.table.setObjectName("problems")
        self.table.setAccessibleName("What is wrong")
        self.table.setModel(model)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        self.table.setWordWrap(False)
        header = self.table.horizontalHeader()
        for column in range(len(COLUMNS) - 1):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self.table.activated.connect(self._activate)
        self.table.clicked.connect(self._activate)
        copy = QAction("Copy", self.table)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self.copy_rows)
        self.table.addAction(copy)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.addWidget(self.empty)
        self.addWidget(self.table)
        model.modelReset.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        self.setCurrentWidget(self.table if self._model.rowCount() else self.empty)

    @Slot(QModelIndex)
    def _activate(self, index: QModelIndex) -> None:
        self.jumped.emit(self._model.selection_of(index.row()))

    @Slot()
    def copy_rows(self) -> None:
        """The chosen rows as tab-separated text."""
        rows = sorted({index.row() for index in self.table.selectedIndexes()})
        lines = ["\t".join(str(self._model.index(row, c).data()) for c in range(len(COLUMNS))) for row in rows]
        QGuiApplication.clipboard().setText("\n".join(lines))
