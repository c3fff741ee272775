"""The sweeps of the tick at which two runs part, side by side, at the row where the answers part."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSplitter, QVBoxLayout, QWidget

from editor.models.compare.rows import sweeps_text
from editor.models.compare.watch import CompareWatch
from editor.models.sweep.steps import SweepModel
from editor.process.plain_text import plain
from engine.sim.compare.alignment import AlignedSweeps
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.tree import TraceNode
from ui.docks.parts import column
from ui.docks.step_tree import StepTree
from ui.docks.words import show_text, words
from ui.theme.theme import EDGE, Colours

NARROW: Final = 640
"""Pixels under which one tree is below the other."""
NO_PARTING: Final = "The sweeps of the tick at which both part are shown here."
NO_ROW: Final = "This side has no such row."


class SideTree(QWidget):
    """The steps of one side below its name."""

    def __init__(self, number: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.model = SweepModel(self)
        self.title = QLabel(self)
        self.title.setObjectName(f"compare-side-{number}")
        self.title.setContentsMargins(EDGE, 0, EDGE, 0)
        self.tree = StepTree(self.model, self)
        self.tree.setObjectName(f"compare-sweep-{number}")
        self.tree.empty = NO_PARTING
        box = column(self)
        box.addWidget(self.title)
        box.addWidget(self.tree, 1)

    def show_sweeps(self, name: str, sim: Simulation, sweeps: list[TraceNode], path: tuple[TraceNode, ...]) -> None:
        """Mark the row at the end of the path, and bring it into view."""
        self.model.show(sim, sweeps)
        self.tree.setAccessibleName(plain(f"Steps of {name}"))
        said = name if path else f"{name}: {NO_ROW}"
        self.title.setText(plain(said))
        self.tree.show_opened(sweeps)
        if path:
            self.model.mark(path[-1])
            self.tree.choose(self.model.index_of(path[-1]))

    def clear(self) -> None:
        self.model.show(None, [])
        self.title.clear()


class SweepsPage(QWidget):
    """Two trees, aligned at the row where their answers part."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("compare-sweeps")
        self.word = words("compare-sweeps-word", self)
        self.sides = (SideTree(1, self), SideTree(2, self))
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.setChildrenCollapsible(False)
        for side in self.sides:
            self.splitter.addWidget(side)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.word)
        box.addWidget(self.splitter, 1)
        self._shown: AlignedSweeps | None = None

    def set_colours(self, colours: Colours) -> None:
        for side in self.sides:
            side.tree.set_colours(colours)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wanted = Qt.Orientation.Vertical if self.width() < NARROW else Qt.Orientation.Horizontal
        if self.splitter.orientation() is not wanted:
            self.splitter.setOrientation(wanted)

    def show_watch(self, watch: CompareWatch) -> None:
        explanation, sim = watch.shown, watch.document.simulation
        sweeps = None if explanation is None else explanation.sweeps
        is_looked_for = (watch.seen or watch.first) is not None and (explanation is None or not explanation.is_done)
        show_text(self.word, sweeps_text(watch, sweeps, watch.document.names) if sweeps or is_looked_for else "")
        if sweeps is self._shown:
            return
        self._shown = sweeps
        if sweeps is None or sim is None:
            for side in self.sides:
                side.clear()
            return
        for side, name, roots, path in zip(
            self.sides,
            watch.names,
            (sweeps.first, sweeps.second),
            (sweeps.first_path, sweeps.second_path),
            strict=True,
        ):
            side.show_sweeps(name, sim, roots, path)
