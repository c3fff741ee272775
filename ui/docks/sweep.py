"""Sweep: the player's last tick taken apart, every passage of it with what it answered and why."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Slot
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QLabel, QPlainTextEdit, QSplitter, QTreeView, QWidget

from editor.clock import Clock
from editor.document import Document
from editor.live_table import SELECTION_ROLE
from editor.session import Selection
from editor.sweep import NODE_ROLE, SweepModel, SweepWatch, is_open_at_first, node_text, summary
from engine.sim.trace_tree import TraceNode, describe
from ui.docks.panel import LivePanel
from ui.docks.parts import action, bar, column
from ui.docks.table import LiveDelegate
from ui.theme import EDGE, Colours, mono_font

EMPTY: Final = "Take a tick: the sweep that decides where the player ends up is taken apart here."
RUNNING: Final = "Pause to take the last tick apart."


class SweepTree(QTreeView):
    """The tree, or a word when there is nothing in it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.colours: Colours | None = None
        self.empty = EMPTY
        self.setObjectName("sweep")
        self.setAccessibleName("The passages of the last tick's sweep")
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(False)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  # Qt's name
        super().paintEvent(event)
        if self.model() is None or self.model().rowCount() or self.colours is None:
            return
        painter = QPainter(self.viewport())
        painter.setPen(QColor(self.colours.dim))
        box = self.viewport().rect().adjusted(EDGE, EDGE, -EDGE, -EDGE)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self.empty)


class SweepPanel(LivePanel):
    """The tree on the left, the chosen passage in full on the right."""

    about = (
        "The player's last tick taken apart: every passage of the collision sweep, the cells it tested, what was hit "
        "and what that answered. Select a row to read it in full; a double click leads to what it is about."
    )

    def __init__(self, document: Document, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(document, "sweep-panel", parent)
        self.clock = clock
        self.watch = SweepWatch(document, self)
        self.model = SweepModel(self)
        self._shown: object = None
        self.summary = QLabel(self)
        self.summary.setObjectName("sweep-summary")
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.tree = SweepTree(self)
        self.tree.setModel(self.model)
        self._delegate = LiveDelegate(self)
        self.tree.setItemDelegate(self._delegate)
        self.tree.setIndentation(12)  # it is deep
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(1, 120)
        header.resizeSection(2, 140)
        self.tree.selectionModel().currentChanged.connect(self._on_current)
        self.tree.doubleClicked.connect(self._lead)
        self.tree.activated.connect(self._lead)
        self.detail = QPlainTextEdit(self)
        self.detail.setReadOnly(True)
        self.detail.setObjectName("sweep-detail")
        self.detail.setAccessibleName("The chosen passage in full")
        self.detail.setFont(mono_font())
        self.detail.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.detail.setPlaceholderText("Choose a passage to read what the sweep had before it and after it.")
        self.copy_action = action(self.tree, "Copy as Text", self.copy, name="sweep-copy")
        self.copy_action.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        self.copy_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.addWidget(self.tree)
        splitter.addWidget(self.detail)
        splitter.setSizes([640, 320])
        splitter.setStretchFactor(0, 2)
        splitter.setStretchFactor(1, 1)
        box = column(self)
        box.addLayout(bar(self.summary))
        box.addWidget(splitter, 1)
        clock.running_changed.connect(self._on_changed)

    def set_colours(self, colours: Colours) -> None:
        self._delegate.colours = colours
        self.tree.colours = colours
        self.tree.viewport().update()

    # --- what is shown

    @Slot(bool)
    def turn(self, seen: bool) -> None:
        self.watch.look(seen)
        super().turn(seen)

    def refresh(self) -> None:
        """Running time is not taken apart: nobody could read it."""
        running = self.clock.is_running
        self.tree.empty = RUNNING if running else EMPTY
        sweeps = [] if running else self.watch.sweeps
        shown = (self.watch.tick, running, *map(id, sweeps))
        if shown == self._shown:
            return
        self._shown = shown
        self.model.show(self.document.simulation, sweeps)
        self.summary.setText(RUNNING if running else summary(self.document, self.watch) or EMPTY)
        self.detail.clear()
        for row in range(self.model.rowCount()):
            self._open(self.model.index(row, 0), 0)

    def _open(self, index: QModelIndex, depth: int) -> None:
        node = index.data(NODE_ROLE)
        if isinstance(node, TraceNode) and is_open_at_first(node, depth):
            self.tree.expand(index)
            for row in range(self.model.rowCount(index)):
                self._open(self.model.index(row, 0, index), depth + 1)

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, current: QModelIndex, previous: QModelIndex) -> None:
        node = _node(current)
        self.detail.setPlainText("" if node is None else node_text(node))

    @Slot(QModelIndex)
    def _lead(self, index: QModelIndex) -> None:
        """To the entity or the cell that a passage is about."""
        selection = index.siblingAtColumn(0).data(SELECTION_ROLE)
        if isinstance(selection, Selection):
            self.chosen.emit(selection)

    def copy(self) -> None:
        """The chosen passage with all below it, or the whole tick."""
        node = _node(self.tree.currentIndex())
        nodes = self.watch.sweeps if node is None else [node]
        QGuiApplication.clipboard().setText("\n".join(line for each in nodes for line in describe(each)))


def _node(index: QModelIndex | QPersistentModelIndex) -> TraceNode | None:
    found = index.siblingAtColumn(0).data(NODE_ROLE) if isinstance(index, QModelIndex) and index.isValid() else None
    return found if isinstance(found, TraceNode) else None
