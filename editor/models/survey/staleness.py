"""Which cells of a search an edit has touched: those of the things and rooms that it changed, and their neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from editor.document.step import Step
from editor.document.step_application import ids_of
from editor.project.project import shared_steps
from engine.sim.edits.edit import Edit
from engine.sim.tick.simulation import Simulation
from engine.sim.walks.terms import OF_THE_RULES, edits_of_world
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import (
    in_block_of,
    is_env_cell,
    is_land_cell,
    land_cell_column,
    land_cell_low,
    land_cell_row,
    landblock_id,
)
from engine.world.cells.terrain import column_of
from engine.world.landblock import Landblock

LAST: Final = 7
"""Column or row of the last land cell."""


def edits_since(kept: Sequence[Step], done: Sequence[Step], player_id: int) -> list[Edit]:
    """The edits of the world that were made or undone since the steps `kept` were all that was done."""
    shared = shared_steps(kept, done)
    steps = (*kept[shared:], *done[shared:])
    return list(edits_of_world((edit for step in steps for edit in (*step.edits, *step.inverse)), player_id))


def touched_cells(sim: Simulation, block_id: int, edits: Iterable[Edit]) -> frozenset[int]:
    """The cells of a landblock that edits have touched; all of them for edits of the rules."""
    block = sim.world.landblock(block_id)
    if block is None:
        return frozenset()
    touched: set[int] = set()
    for edit in edits:
        if isinstance(edit, OF_THE_RULES):
            return frozenset(cell.id for cell in block.cells)
        for value in ids_of([edit]):
            entity = sim.population.find(value)
            cell_id = value if entity is None else entity.place_cell()
            if 0 < cell_id <= 0xFFFFFFFF and landblock_id(cell_id) == block.id:
                touched.add(cell_id)
    found: set[int] = set()
    for cell_id in touched:
        found |= _with_neighbours(sim, block, cell_id)
    return frozenset(found)


def _with_neighbours(sim: Simulation, block: Landblock, cell_id: int) -> set[int]:
    cell = sim.graph.peek(cell_id)
    if isinstance(cell, EnvCell):
        found = {cell_id}
        for portal in cell.portals:
            if not portal.leads_outside:
                found.add(portal.other_cell_id)
            elif portal.polygon is not None:
                x, y, _ = cell.frame.local_to_global(portal.polygon.vertices[0])
                found |= _land_around(cell_id, column_of(x), column_of(y), 0)
        return found
    if not is_land_cell(cell_id):
        return set()
    column, row = land_cell_column(cell_id), land_cell_row(cell_id)
    found = _land_around(cell_id, column, row, 1)
    for building in block.buildings:
        for opening in building.portals:
            room = sim.graph.peek(opening.other_cell_id)
            if isinstance(room, EnvCell) and is_env_cell(room.id):
                x, y, _ = room.frame.origin
                if abs(column_of(x) - column) <= 1 and abs(column_of(y) - row) <= 1:
                    found.add(room.id)
    return found


def _land_around(cell_id: int, column: int, row: int, reach: int) -> set[int]:
    columns = range(max(column - reach, 0), min(column + reach, LAST) + 1)
    rows = range(max(row - reach, 0), min(row + reach, LAST) + 1)
    return {in_block_of(cell_id, land_cell_low(x, y)) for x in columns for y in rows}
