"""One search of the cell array as a table: how each cell came in, what its tree said, and what became of it."""

from __future__ import annotations

from typing import Final

from editor.models.live_table import ACCEPTED, ADJUSTED, DIM, Column, Row, Value
from editor.session.session import Kind, Selection
from engine.sim.tick.simulation import Simulation
from engine.sim.trace import tree as nodes
from engine.sim.trace.cell_search import (
    INSIDE,
    NOT_HOLDING,
    OUTSIDE,
    PICKED,
    PICKED_PRUNED,
    SPHERE_NAMES,
    Candidate,
    CellSearch,
    TreeAnswer,
)
from engine.sim.trace.tree import TraceNode
from engine.world.cells.ids import cell_text, landblock_id

COLUMNS: Final = (
    Column("#", mono=True, right=True, tip="Place in the cell array; – for a neighbour that stayed out"),
    Column("Cell", mono=True, sample="0xC95B0104"),
    Column("Result", tip="What became of the cell", sample=NOT_HOLDING),
    Column("Centre", tip="What the cell's tree said to the centre of the foot: the pick goes by it", sample=OUTSIDE),
    Column("Distance", mono=True, right=True, tip="Metres of the centre from the plane that decided; negative behind"),
    Column("Sphere", tip="What the tree said to the first sphere that reaches the cell: it lets a cell in"),
    Column("Distance", mono=True, right=True, tip="Metres of the sphere's centre from the plane that decided"),
    Column("Came In By", tip="The start, the portal or the square of land that brought the cell in"),
)
RESULT: Final = 2

NO_SEARCH: Final = "No cell array was filled in this sub-step."


def candidate_rows(sim: Simulation, search: CellSearch | None) -> list[Row]:
    """The cells of the array in their order, then the neighbours that stayed out."""
    if search is None:
        return []
    every = (*search.candidates, *search.left_out)
    return [_row(sim, number, candidate) for number, candidate in enumerate(every)]


def row_of(search: CellSearch | None, cell_id: int) -> int:
    """The key of the row of a cell; −1 for none."""
    every = () if search is None else (*search.candidates, *search.left_out)
    return next((number for number, each in enumerate(every) if each.cell_id == cell_id), -1)


def search_of(step: TraceNode | None, node: TraceNode) -> CellSearch | None:
    """The search that a row is about, or else the one that decided the cell of its sub-step."""
    if node.kind == nodes.CELLS:
        return node.search
    if step is None:
        return None
    if node.kind == nodes.CANDIDATE:
        return next((each.search for each in step.find(nodes.CELLS) if any(node is one for one in each.children)), None)
    return step.search


def search_text(step: TraceNode | None, search: CellSearch | None) -> str:
    """The answer of the search, and how the sub-step ended for the cell."""
    if search is None:
        return ""
    latch = None if step is None else step.latch
    ended = f" · latch {latch.what}, {latch.text}" if latch is not None else ""
    return f"{search.headline}{ended}"


def _row(sim: Simulation, number: int, candidate: Candidate) -> Row:
    cell_id = candidate.cell_id
    selection = Selection(Kind.CELL, landblock_id(cell_id), cell_id) if sim.graph.peek(cell_id) is not None else None
    sphere = candidate.sphere
    name = "" if sphere is None else f"{SPHERE_NAMES[min(sphere.sphere, 1)]} {sphere.answer}"
    values = (
        Value(str(candidate.place + 1) if candidate.in_array else "–", tone="" if candidate.in_array else DIM),
        Value(sim.world.names.cell_field(cell_id), cell_text(cell_id)),
        _result(candidate),
        Value("" if candidate.centre is None else candidate.centre.answer, tone=_tone(candidate.centre)),
        _distance(candidate.centre),
        Value(name, tone=_tone(sphere)),
        _distance(sphere),
        Value(candidate.entry.text),
    )
    return Row(number, values, selection)


def _result(candidate: Candidate) -> Value:
    fate = candidate.fate
    if fate in (PICKED, PICKED_PRUNED):
        return Value(f"✓ {fate}", tone=ACCEPTED)
    return Value(fate, tone=DIM if not candidate.in_array else "")


def _tone(answer: TreeAnswer | None) -> str:
    if answer is None or answer.answer == OUTSIDE:
        return DIM
    return ACCEPTED if answer.answer == INSIDE else ADJUSTED


def _distance(answer: TreeAnswer | None) -> Value:
    """Four places, so that they are aligned: 0.2 mm decide (physics.md 6.4)."""
    if answer is None or answer.distance is None:
        return Value("")
    return Value(f"{answer.distance:.4f}", repr(answer.distance))
