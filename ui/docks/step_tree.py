"""The tree of the Sweep dock."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyleOptionViewItem, QTreeView, QWidget

from editor.models.sweep.steps import NODE_ROLE, SweepModel
from editor.process.plain_text import plain
from engine.sim.trace.tree import STEP, TraceNode
from ui.docks.table import MarkingDelegate
from ui.theme.theme import EDGE, Colours

RESULT: Final = 1
REASON: Final = 2
NARROWEST: Final = 100
WIDEST_RESULT: Final = 180
"""Pixels of the columns of results and reasons."""
RESULT_SHARE: Final = 38
"""Percent of the tree that results may take."""
REASON_SHARE: Final = 24
"""The same for reasons, which are shown where it is wide."""
NARROW: Final = 520
"""Pixels under which there is no room for reasons."""
INDENT: Final = 10
ROW_HEIGHT: Final = 18
"""Lower than the rows of tables: a sub-step has hundreds."""

EMPTY: Final = "Step once: the sweep that decides where the player ends up is shown here, step by step."


class StepDelegate(MarkingDelegate):
    """Low rows."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(super().sizeHint(option, index).width(), max(ROW_HEIGHT, option.fontMetrics.height()))


class StepTree(QTreeView):
    """The steps of a tick, or what would fill the tree."""

    def __init__(self, model: SweepModel, parent: QWidget) -> None:
        super().__init__(parent)
        self.colours: Colours | None = None
        self.empty = EMPTY
        self.steps = model
        self._fitting = NARROWEST
        self._reasons = NARROWEST
        """Pixels that results and reasons need."""
        self.setObjectName("sweep")
        self.setAccessibleName("Steps of the last tick's sweep")
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(False)
        self.setModel(model)
        self._delegate = StepDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setIndentation(INDENT)  # it is deep
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(RESULT, NARROWEST)
        header.resizeSection(REASON, NARROWEST)

    def set_colours(self, colours: Colours) -> None:
        self.colours = colours
        self._delegate.colours = colours
        self.viewport().update()

    def show_opened(self, opened: list[TraceNode]) -> None:
        """After new steps were filled in: expand these rows, and fit the results."""
        for node in opened:
            self.expand(self.steps.index_of(node))
        self._fitting = self.sizeHintForColumn(RESULT)
        self._reasons = self.sizeHintForColumn(REASON)
        self._fit_results()

    def choose(self, index: QModelIndex) -> None:
        """Make a row current, with everything above it expanded."""
        above = index.parent()
        while above.isValid():
            self.expand(above)
            above = above.parent()
        self.setCurrentIndex(index)
        self.scrollTo(index, QTreeView.ScrollHint.PositionAtCenter)

    def node(self) -> TraceNode | None:
        """The step of the current row."""
        return node_at(self.currentIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where it is narrow the steps keep their place; reasons are read beside them."""
        super().resizeEvent(event)
        self.header().setSectionHidden(REASON, self.width() < NARROW)
        self._fit_results()

    def _fit_results(self) -> None:
        """As wide as its words, but the steps have the larger part."""
        widest = min(WIDEST_RESULT, self.viewport().width() * RESULT_SHARE // 100)
        self.header().resizeSection(RESULT, max(min(self._fitting, widest), NARROWEST))
        most = self.viewport().width() * REASON_SHARE // 100
        self.header().resizeSection(REASON, max(min(self._reasons, most), NARROWEST))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.currentIndex().isValid():
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.steps.rowCount() or self.colours is None:
            return
        painter = QPainter(self.viewport())
        painter.setPen(QColor(self.colours.dim))
        box = self.viewport().rect().adjusted(EDGE, EDGE, -EDGE, -EDGE)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), plain(self.empty))
        painter.end()


def node_at(index: QModelIndex | QPersistentModelIndex) -> TraceNode | None:
    found = index.siblingAtColumn(0).data(NODE_ROLE) if isinstance(index, QModelIndex) and index.isValid() else None
    return found if isinstance(found, TraceNode) else None


def lineage(index: QModelIndex) -> tuple[TraceNode | None, TraceNode | None]:
    """The sweep and the sub-step that a row is a part of; a sweep itself has no sub-step."""
    sweep: TraceNode | None = None
    step: TraceNode | None = None
    above = index
    while above.isValid():
        sweep = node_at(above)
        if sweep is not None and sweep.kind == STEP:
            step = sweep
        above = above.parent()
    return sweep, step
