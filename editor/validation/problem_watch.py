"""Keeps the faults of the landblock in view up to date while the user edits, without blocking the window."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from editor.document.document import Document
from editor.validation.checks import Findings, check_block
from editor.validation.geometry_watch import GeometryWatch
from editor.validation.stab_comparison import StabComparison
from engine.sim.edits.edit import Edit
from engine.world.cells.ids import landblock_id
from engine.world.graph.graph import REPLACED, CellGraph, GraphChange
from engine.world.loader.checks import check_cells
from engine.world.world import World

PAUSE_MS: Final = 200
"""Milliseconds without an edit before the next check: to the user, a drag is one edit."""


class ProblemWatch(QObject):
    """Checks shortly after edits, and again when the search for visible cells has finished."""

    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.findings = Findings()
        self.is_searching = False
        self._graph: CellGraph | None = None
        self._edited: set[int] = set()  # landblocks whose rooms were edited after the loader checked them
        self._compare = StabComparison(self)
        self._compare.ready.connect(self.check)
        self._geometry = GeometryWatch(self)
        self._geometry.ready.connect(self.check)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self.check)
        document.edited.connect(self._on_edited)
        document.travelled.connect(self._on_undone)
        document.stack.index_changed.connect(self._on_undone)
        document.started.connect(self._on_started)
        document.session.landblock_changed.connect(self._timer.start)
        self._follow()

    @Slot(object)
    def _on_edited(self, edit: Edit) -> None:
        self._timer.start()

    @Slot()
    def _on_undone(self) -> None:
        self._timer.start()

    @Slot()
    def _on_started(self) -> None:
        """Drop the faults of the world before."""
        self.findings = Findings()
        self._geometry.forget()
        self._follow()
        self._timer.start()

    def _follow(self) -> None:
        """Follow the rooms of the open world only."""
        if self._graph is not None:
            self._graph.unobserve(self._on_graph)
        world = self.document.world
        self._graph = None if world is None else world.graph
        self._edited.clear()
        if self._graph is not None:
            self._graph.observe(self._on_graph)

    def _on_graph(self, change: GraphChange) -> None:
        """Check again: undo and time change rooms outside of the landblock in view, too."""
        if change.kind == REPLACED:
            self._edited |= {landblock_id(cell_id) for cell_id in change.cell_ids}

    @Slot()
    def check(self) -> None:
        session, sim = self.document.session, self.document.simulation
        if session.world is not None:
            self._look_again(session.world)
        block_id = session.landblock_id
        block = None if session.world is None or block_id is None else session.world.landblock(block_id)
        if sim is None or session.world is None or block is None:
            self.findings, self.is_searching = Findings(), False
        else:
            seen = self._compare.lists_of(session.world, block.id) if block.env_cells else {}
            geometry = self._geometry.found_in(session.world, block)
            self.is_searching = seen is None or self._geometry.is_searching
            self.findings = check_block(sim, block, seen, geometry)
        self.changed.emit()

    def _look_again(self, world: World) -> None:
        """The loader's checks, repeated for landblocks with edited rooms."""
        for block in world.loaded_landblocks():
            if block.id in self._edited:
                check_cells({cell.id: cell for cell in block.env_cells}, block.buildings)
        self._edited.clear()
