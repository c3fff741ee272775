"""The sub-step and the row of a tick's traces in which something was decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.geometry.vec import dot
from engine.physics.flags import OK, STATE_NAMES
from engine.sim.tick.contacts import NO_POLYGON, Contact
from engine.sim.trace import tree as nodes
from engine.sim.trace.tree import PlaneRecord, SweepState, TraceNode
from engine.world.cells.position import into_block

Path = tuple[int, ...]

OK_NAME: Final = STATE_NAMES[OK]

_SAME_NORMAL: Final = 0.9999
_SAME_PLANE: Final = 0.02
"""Metres, as `ContactWatch` takes floors for the same."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the traces of a tick's sweeps. `step`: the sub-step that it is a part of, from 1, None for none."""

    node: TraceNode
    path: Path
    step: int | None
    object_id: int = 0
    cell_id: int = 0
    part: str = ""
    """The part of the cell that was tested: its walls, the terrain, the building."""


def node_at(sweeps: list[TraceNode], path: Path) -> TraceNode:
    """The row at a path: which sweep, then which of the children at each level."""
    node = sweeps[path[0]]
    for index in path[1:]:
        node = node.children[index]
    return node


def steps_of(sweeps: list[TraceNode], first: int = 0) -> Iterator[Row]:
    """All sub-steps, the latest first, of the sweeps from `first` on."""
    for number in range(len(sweeps) - 1, first - 1, -1):
        found = [
            Row(child, (number, at), None)
            for at, child in enumerate(sweeps[number].children)
            if child.kind == nodes.STEP
        ]
        for count in range(len(found), 0, -1):
            row = found[count - 1]
            yield Row(row.node, row.path, count)


def rows_within(row: Row) -> Iterator[Row]:
    """All rows below one, the latest first, with the object and the cell that they are about."""
    children = row.node.children
    for index in range(len(children) - 1, -1, -1):
        child = children[index]
        below = Row(
            child,
            (*row.path, index),
            row.step,
            child.object_id or row.object_id,
            child.cell_id if child.kind in (nodes.CELL, nodes.SURROUNDINGS) else row.cell_id,
            child.title if child.kind == nodes.SURROUNDINGS else row.part,
        )
        yield from rows_within(below)
        yield below


def last_step(steps: list[Row], differs: Callable[[SweepState, SweepState], bool]) -> Row | None:
    """The last sub-step before and after which something of the sweep's state differs."""
    for row in steps:
        before, after = row.node.before, row.node.after
        if before is not None and after is not None and differs(before, after):
            return row
    return None


def last_rolled_back(steps: list[Row]) -> Row | None:
    """The last sub-step that came to nothing."""
    kinds = (nodes.ROLLED_BACK, nodes.NOTHING_LEFT)
    return next((row for row in steps if row.node.latch is not None and row.node.latch.what in kinds), None)


def latch_of(step: Row) -> Row:
    """The row with which a sub-step ends."""
    return next((row for row in rows_within(step) if row.node.kind == nodes.LATCH), step)


def row_of_contact(step: Row, contact: Contact) -> Row | None:
    """The row of the polygon that a contact names, or of its object, if that was in the way."""
    found = None
    for row in rows_within(step):
        if row.object_id != contact.object_id:
            continue
        if row.node.kind == nodes.POLYGON and row.node.polygon_id == contact.polygon_id != NO_POLYGON:
            return row
        if found is None and contact.object_id and row.node.kind == nodes.OBJECT and row.node.answer != OK_NAME:
            found = row
    return found


def any_row_of_contact(steps: list[Row], contact: Contact) -> Row | None:
    """The last one in any sub-step."""
    return next((found for step in steps if (found := row_of_contact(step, contact)) is not None), None)


def row_of_plane(step: Row, plane: PlaneRecord) -> Row | None:
    """The row of the polygon that a contact plane is of."""
    for row in rows_within(step):
        node = row.node
        if node.kind != nodes.POLYGON or node.normal is None or node.place is None:
            continue
        if dot(node.normal, plane.normal) < _SAME_NORMAL:
            continue
        corner = into_block(plane.cell_id, node.place.cell_id, node.place.corners[0])
        if abs(dot(plane.normal, corner) + plane.d) < _SAME_PLANE:
            return row
    return None


def row_of_search(step: Row, cell_id: int) -> Row | None:
    """The row of the search that picked a cell: its candidate there."""
    search = step.node.search
    for row in rows_within(step):
        if row.node.kind == nodes.CELLS and (row.node.search is search or search is None):
            for index, child in enumerate(row.node.children):
                if child.kind == nodes.CANDIDATE and child.cell_id == cell_id:
                    return Row(child, (*row.path, index), row.step, 0, cell_id)
            return row
    return None
