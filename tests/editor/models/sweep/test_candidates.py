"""The table of a search: a row for each cell of the array in its order, with the numbers of the trace."""

from __future__ import annotations

import pytest

from editor.models.sweep.candidates import COLUMNS, RESULT, candidate_rows, row_of, search_of, search_text
from engine.sim.trace.cell_search import CellSearch
from engine.sim.trace.recorder import TraceRecorder
from engine.sim.trace.tree import CANDIDATE, CELLS, LATCH, STEP, TraceNode
from engine.world.cells.ids import cell_text
from tests.sim.helpers.small_worlds import FORWARD, built, open_rooms, standing

CELL, CENTRE, DISTANCE = 1, 3, 4


@pytest.fixture(scope="module")
def traced() -> list[tuple[TraceNode, CellSearch]]:
    """Every search of a walk from the hall into the study, with its sub-step."""
    sim = standing(built(open_rooms), "hall", (4.5, 2.0), 90.0)
    recorder = TraceRecorder()
    sim.watch(sim.player.id, recorder)
    for _ in range(40):
        sim.tick(FORWARD)
    steps = [step for sweep in recorder.sweeps for step in sweep.find(STEP)]
    return [(step, node.search) for step in steps for node in step.find(CELLS) if node.search is not None]


def test_the_rows_are_the_array_in_its_order(traced: list[tuple[TraceNode, CellSearch]]) -> None:
    sim = standing(built(open_rooms), "hall", (4.5, 2.0), 90.0)
    for _, search in traced:
        rows = candidate_rows(sim, search)
        listed = [row for row in rows if row.values[0].text != "–"]
        assert [row.values[0].text for row in listed] == [str(number + 1) for number in range(len(listed))]
        assert [row.values[CELL].text for row in listed] == [cell_text(cell_id) for cell_id in search.ids]
        picked = [row.values[CELL].text for row in rows if row.values[RESULT].text.startswith("✓ picked")]
        assert picked == ([cell_text(search.picked)] if search.picked else [])
        for row, candidate in zip(rows, (*search.candidates, *search.left_out), strict=True):
            assert len(row.values) == len(COLUMNS)
            assert candidate.centre is not None
            assert row.values[CENTRE].text == candidate.centre.answer
            assert float(row.values[DISTANCE].copied) == candidate.centre.distance
            assert rows[row_of(search, candidate.cell_id)] is row


def test_each_row_of_the_tree_leads_to_its_own_search(traced: list[tuple[TraceNode, CellSearch]]) -> None:
    for step, search in traced:
        node = next(each for each in step.find(CELLS) if each.search is search)
        assert search_of(step, node) is search
        children = [child for child in node.children if child.kind == CANDIDATE]
        assert children
        assert all(search_of(step, child) is search for child in children)
        assert search_of(step, step) is step.search
        (latch,) = step.find(LATCH)
        assert search_of(step, latch) is step.search


def test_a_change_of_cell_is_told_in_one_line(traced: list[tuple[TraceNode, CellSearch]]) -> None:
    changes = [step for step, _ in traced if step.latch is not None and step.latch.cell != step.latch.cell_before]
    assert changes
    for step in changes:
        assert step.latch is not None
        assert step.search is not None
        old, new = cell_text(step.latch.cell_before), cell_text(step.latch.cell)
        assert search_text(step, step.search) == f"{new} picked · latch accepted, from {old} to {new}"
