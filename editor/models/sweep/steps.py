"""The steps of the player's sweeps as a tree: every row with its result, and all values of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel

from editor.models.live_table import (
    ACCEPTED,
    ADJUSTED,
    DIFFERS,
    DIFFERS_ROLE,
    DIM,
    FAULT,
    MONO_ROLE,
    SELECTION_ROLE,
    TONE_ROLE,
)
from editor.models.player import name_of
from editor.models.text_search import folded
from editor.process.plain_text import counted, plain, plain_lines
from editor.reports.sweep_outcome import IN_THE_WAY, outcome_of, steps_of
from editor.session.session import Kind, Selection
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.cell_search import PICKED
from engine.sim.trace.recorder import NO_CELL, REFUSED
from engine.sim.trace.tree import ACCEPTED as LATCHED
from engine.sim.trace.tree import (
    CANDIDATE,
    LATCH,
    NOTHING_LEFT,
    OBJECT,
    POLYGON,
    ROLLED_BACK,
    SLIDE,
    STEP,
    SWEEP,
    PlaneRecord,
    SweepState,
    TraceNode,
)
from engine.world.cells.ids import cell_text, landblock_id

NODE_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 20
COLUMNS: Final = ("Step", "Result", "Reason")
TONES: Final = {"OK": ACCEPTED, "Collided": FAULT, "Adjusted": ADJUSTED, "Slid": ADJUSTED, "Invalid": FAULT}
LATCH_TONES: Final = {LATCHED: ACCEPTED, ROLLED_BACK: FAULT, NOTHING_LEFT: FAULT}
SIGNS: Final = {ACCEPTED: "✓", FAULT: "■", ADJUSTED: "↷"}


class SweepModel(QStandardItemModel):
    """The rows in the order in which they happened, each below the one that it is part of."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setHorizontalHeaderLabels(COLUMNS)
        self._items: dict[int, QStandardItem] = {}
        """By the identity of the entry; the items keep the entries alive."""

    def show(self, sim: Simulation | None, sweeps: list[TraceNode]) -> None:
        self._items = {}
        self.removeRows(0, self.rowCount())
        if sim is not None:
            for sweep in sweeps:
                self._add(sim, self.invisibleRootItem(), sweep)

    def mark_way(self, path: Sequence[TraceNode], other: str) -> None:
        """Mark the rows that lead to where the other run parts, with what that has there."""
        for node in path:
            item = self._items.get(id(node))
            if item is not None:
                item.setData(True, DIFFERS_ROLE)
                item.setToolTip(plain_lines(f"{DIFFERS} {other}\n{node.line}"))

    def rows_in_order(self) -> list[QModelIndex]:
        """Every row, each before its children."""
        found: list[QModelIndex] = []
        waiting = [self.index(row, 0) for row in reversed(range(self.rowCount()))]
        while waiting:
            index = waiting.pop()
            found.append(index)
            waiting += [self.index(row, 0, index) for row in reversed(range(self.rowCount(index)))]
        return found

    def found(self, words: str) -> list[QModelIndex]:
        """The rows that contain some words, in their order; none for no words."""
        wanted = folded(words.strip())
        if not wanted:
            return []
        return [index for index in self.rows_in_order() if wanted in _words_of(index)]

    def first_after(self, found: list[QModelIndex], current: QModelIndex) -> int:
        """The index in `found` of the first row below the current one; 0 when there is none."""
        rows = self.rows_in_order()
        here = current.siblingAtColumn(0)
        after = rows.index(here) if here in rows else -1
        return next((place for place, index in enumerate(found) if rows.index(index) > after), 0)

    def index_of(self, node: TraceNode) -> QModelIndex:
        """The row of a trace entry; after tracing again, that of the same entry."""
        item = self._items.get(id(node))
        if item is not None:
            return item.index()
        return next((index for index in self.rows_in_order() if index.data(NODE_ROLE) == node), QModelIndex())

    def mark(self, node: TraceNode) -> None:
        """Mark the row of an entry as the one at which two runs part."""
        item = self._items.get(id(node))
        if item is not None:
            item.setText(plain(f"{DIFFERS} {item.text()}"))
            result = self.itemFromIndex(item.index().siblingAtColumn(1))
            result.setText(plain(f"parts here: {result.text()}"))

    def _add(self, sim: Simulation, parent: QStandardItem, node: TraceNode) -> None:
        title = QStandardItem(plain(_title(sim, node)))
        title.setData(node, NODE_ROLE)
        self._items[id(node)] = title
        title.setData(_selection(sim, node), SELECTION_ROLE)
        tone = tone_of(node)
        answer = QStandardItem(plain(f"{SIGNS.get(tone, '')} {node.answer}".strip()))
        answer.setData(tone, TONE_ROLE)
        why = QStandardItem(plain(node.detail))
        why.setData(DIM, TONE_ROLE)
        for item in (title, answer, why):
            item.setEditable(False)
            item.setToolTip(plain_lines(node.line))
        title.setData(True, MONO_ROLE)
        for child in node.children:
            self._add(sim, title, child)
        parent.appendRow([title, answer, why])


def _words_of(index: QModelIndex) -> str:
    return folded(" ".join(str(index.siblingAtColumn(column).data()) for column in range(len(COLUMNS))))


def tone_of(node: TraceNode) -> str:
    """The tone of an answer."""
    if node.kind == POLYGON:
        return FAULT if node.answer.startswith(IN_THE_WAY) else DIM
    if node.kind == STEP:
        is_fine = node.answer.startswith("accepted") and NO_CELL not in node.answer
        return FAULT if not is_fine else ADJUSTED if _slid(node) else ACCEPTED
    if node.kind == SWEEP:
        return FAULT if node.answer == REFUSED or node.answer.startswith(NO_CELL) else ACCEPTED
    if node.kind == CANDIDATE:
        return ACCEPTED if node.answer.startswith(PICKED) else DIM
    if node.kind == LATCH:
        return LATCH_TONES.get(node.answer, DIM)
    return TONES.get(node.answer.partition(",")[0], "")


def _slid(step: TraceNode) -> bool:
    return any(node.kind == SLIDE for node in step.walk())


def _title(sim: Simulation, node: TraceNode) -> str:
    """The recorded text, with objects by their names."""
    if node.kind != OBJECT or sim.population.find(node.object_id) is None:
        return node.title
    return f"{name_of(sim, node.object_id)}, {node.title}"


def _selection(sim: Simulation, node: TraceNode) -> Selection | None:
    entity = sim.population.find(node.object_id) if node.object_id else None
    if entity is not None and entity is not sim.player:
        return Selection(Kind.ENTITY, landblock_id(entity.place_cell()), entity.id)
    if node.cell_id and sim.graph.peek(node.cell_id) is not None:
        return Selection(Kind.CELL, landblock_id(node.cell_id), node.cell_id)
    return None


def opened_at_first(sweeps: list[TraceNode]) -> list[TraceNode]:
    """The rows whose children are shown at first: the sweeps, and the way to what decided."""
    return [*sweeps, *(outcome_of(sweeps).path[:-1] or steps_of(sweeps)[:1])]


def node_text(node: TraceNode) -> str:
    """All values of one row, at full precision, for reading and copying."""
    lines = [node.line]
    if node.normal is not None:
        lines.append(f"normal {node.normal!r}")
    if node.place is not None:
        lines.append(f"corners in the landblock of {cell_text(node.place.cell_id)}")
        lines += [f"  {corner!r}" for corner in node.place.corners]
    for when, state in (("before", node.before), ("after", node.after)):
        if state is not None:
            lines += [f"{when}: {_footing(state)}", *(f"  {line}" for line in _state_lines(state))]
    return "\n".join(lines)


def _footing(state: SweepState) -> str:
    footing = "on walkable" if state.on_walkable else "in contact" if state.in_contact else "in the air"
    still = state.stationary_frames
    return f"{footing}, stationary for {counted(still, 'frame')}" if still else footing


def _state_lines(state: SweepState) -> list[str]:
    parts = [
        ("accepted", f"{_cell(state.accepted_cell)} {state.accepted!r}"),
        ("tried", f"{_cell(state.candidate_cell)} {state.candidate!r}"),
        ("contact plane", _plane(state.contact_plane)),
        ("last known", _plane(state.last_known_plane) if state.contact_plane is None else ""),
        ("sliding", "" if state.sliding_normal is None else repr(state.sliding_normal)),
        ("collision", "" if state.collision_normal is None else repr(state.collision_normal)),
        ("cells", " ".join(cell_text(cell_id) for cell_id in state.cells)),
    ]
    return [f"{name:<13} {text}" for name, text in parts if text]


def _cell(cell_id: int) -> str:
    return cell_text(cell_id) if cell_id else "no cell"


def _plane(plane: PlaneRecord | None) -> str:
    if plane is None:
        return ""
    water = ", as water" if plane.is_water else ""
    return f"N{plane.normal!r} d {plane.d!r} of {cell_text(plane.cell_id)}{water}"
