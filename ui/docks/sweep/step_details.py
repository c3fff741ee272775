"""Beside the tree of the Sweep dock: the cells of the selected step, and all its values."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QPlainTextEdit, QTabWidget, QVBoxLayout, QWidget

from editor.models.live_table import LiveTable
from editor.models.sweep.candidates import COLUMNS, NO_SEARCH, candidate_rows, row_of, search_text
from editor.models.sweep.steps import node_text
from editor.models.sweep.watch import StepSelection
from editor.process.plain_text import visible_lines
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.tree import CANDIDATE
from ui.docks.parts import tabs
from ui.docks.table import LiveView
from ui.theme.theme import EDGE, mono_font
from ui.widgets.elided_label import ElidedLabel

CELLS_TAB: Final = 0
VALUES_TAB: Final = 1
CELL_ROW: Final = 20
"""Pixels of a row of cells."""

ASK: Final = "Select a step to list its cells here."


class StepDetails(QWidget):
    """Two tabs: the candidates for the cell, and the state of the sweep before and after the step."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.model = LiveTable(COLUMNS, self)
        self.cells = LiveView(self.model, "sweep-cells", "Cells of the sub-step", ASK, self)
        self.cells.verticalHeader().setDefaultSectionSize(CELL_ROW)
        self.answer = ElidedLabel("sweep-search-answer", self)
        self.answer.setContentsMargins(EDGE, 0, 0, 0)
        self.values = QPlainTextEdit(self)
        self.values.setReadOnly(True)
        self.values.setObjectName("sweep-detail")
        self.values.setAccessibleName("The selected step in full")
        self.values.setFont(mono_font())
        self.values.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.values.setPlaceholderText("Select a step to read the state of the sweep before and after it.")
        self.pages: QTabWidget = tabs(self, "sweep-pages")
        first = QWidget(self)
        inner = QVBoxLayout(first)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self.answer)
        inner.addWidget(self.cells, 1)
        self.pages.addTab(first, "Cells")
        self.pages.addTab(self.values, "Values")
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.pages)

    def show_step(self, sim: Simulation | None, selected: StepSelection | None) -> None:
        """Show a row of the tree; nothing for None."""
        search = None if selected is None else selected.search
        step = None if selected is None else selected.step
        self.cells.empty = ASK if selected is None else NO_SEARCH
        self.model.show([] if sim is None else candidate_rows(sim, search), mark=False)
        self.answer.show_text(search_text(step, search))
        self.answer.setVisible(search is not None)
        if selected is not None and search is not None:
            is_one = selected.node.kind == CANDIDATE
            self.cells.follow(row_of(search, selected.node.cell_id if is_one else search.picked))
        self.values.setPlainText("" if selected is None else visible_lines(node_text(selected.node)))
        self.cells.viewport().update()
