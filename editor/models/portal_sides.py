"""Both sides of an opening as their records have them, and the faults of each (dat-format.md 2.3, 2.5)."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Final

from editor.models.cell import PORTAL_FLAGS
from editor.models.graph.cell_graph import GraphEdge, PortalRef
from editor.models.live_table import ACCEPTED, DIM, FAULT, Column, Row, Value
from editor.session.session import Kind, Selection
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.cells.portals import LEADS_OUTSIDE, OUTSIDE, BldPortal, CellPortal
from engine.world.faults import Fault
from engine.world.landblock import Landblock

SIDE_COLUMNS: Final = (
    Column("Portal of", mono=True, tip="The cell or building whose record holds this side"),
    Column("", mono=True, right=True, tip="The portal's number in that record"),
    Column("Leads to", mono=True),
    Column("Other portal", mono=True, right=True, tip="The number of the same opening on the other side"),
    Column("Polygon", mono=True, right=True),
    Column("Flags", mono=True),
    Column(
        "Inside is", tip="PORTAL_SIDE, bit 0x2, is stored inverted: when set, the inside is in front of the polygon"
    ),
    Column("Problem"),
)


def side_rows(block: Landblock, edge: GraphEdge) -> list[Row]:
    """A row for each direction; a direction without a record is shown as missing."""
    cells = {cell.id: cell for cell in block.env_cells}
    rows = [_row(block, cells, side) for side in edge.sides]
    if edge.one_sided and edge.end is not None:
        values = [Value(cell_text(edge.end.key)), *(Value("–", "", DIM) for _ in range(6))]
        words = f"no portal of it is the other side of portal {edge.sides[0].index} of {cell_text(edge.start.key)}"
        rows.append(Row(("missing", edge.end), (*values, Value(f"■ {words}", tone=FAULT)), edge.end))
    return rows


def own_rows(block: Landblock, edges: Iterable[GraphEdge], owner: Selection) -> list[Row]:
    """The portals of one room or building by number, and the portals that lead to it one-sidedly."""
    rows = [row for edge in edges for row in side_rows(block, edge) if row.selection == owner]
    return sorted(rows, key=_number)


def _number(row: Row) -> int:
    index = row.key[1] if isinstance(row.key, tuple) else None
    return index if isinstance(index, int) else sys.maxsize


def portal_of(block: Landblock, side: PortalRef) -> CellPortal | BldPortal | None:
    """The portal that a side names, as it is now."""
    if side.owner.kind is Kind.BUILDING:
        portals = block.buildings[side.owner.key].portals if side.owner.key < len(block.buildings) else []
        return portals[side.index] if side.index < len(portals) else None
    cell = next((cell for cell in block.env_cells if cell.id == side.owner.key), None)
    return cell.portals[side.index] if cell is not None and side.index < len(cell.portals) else None


def title_of_edge(edge: GraphEdge) -> str:
    """The name of an opening."""
    start, end = owner_text(edge.start), "outdoors" if edge.end is None else owner_text(edge.end)
    if edge.dangling:
        end = "a missing cell"
    joint = "→" if edge.one_sided or edge.end is None else "↔"
    word = " · one-sided" if edge.one_sided and not edge.dangling else ""
    return f"{edge.kind.value} portal  {start} {joint} {end}{word}"


def owner_text(owner: Selection) -> str:
    return f"building {owner.key}" if owner.kind is Kind.BUILDING else cell_text(owner.key)


def _row(block: Landblock, cells: dict[int, EnvCell], side: PortalRef) -> Row:
    portal = portal_of(block, side)
    key = (side.owner, side.index)
    if portal is None:
        gone = [Value(owner_text(side.owner)), Value(str(side.index)), *(Value("–", "", DIM) for _ in range(5))]
        return Row(key, (*gone, Value("■ missing", tone=FAULT)), side.owner)
    wrong = [fault.reason for fault in _faults(block, cells, side.owner) if fault.index == side.index]
    leads = "outdoors" if portal.other_cell_id == OUTSIDE else cell_text(portal.other_cell_id)
    known = [name for bit, name in PORTAL_FLAGS if portal.flags & bit]
    if isinstance(portal, BldPortal):
        known = [name for bit, name in PORTAL_FLAGS if portal.flags & bit & ~LEADS_OUTSIDE]
    values = (
        Value(owner_text(side.owner)),
        Value(str(side.index), tone=DIM),
        Value(leads),
        Value("–", "", DIM) if portal.other_portal_id < 0 else Value(str(portal.other_portal_id)),
        Value(str(portal.polygon_id), tone=FAULT if portal.polygon is None else ""),
        Value(f"0x{portal.flags:X}", tip=" ".join(known) or "no flag is set"),
        Value("behind its polygon" if portal.portal_side else "in front of its polygon"),
        Value(f"■ {'; '.join(wrong)}", tone=FAULT) if wrong else Value("✓ none", tone=ACCEPTED),
    )
    return Row(key, values, side.owner)


def _faults(block: Landblock, cells: dict[int, EnvCell], owner: Selection) -> list[Fault]:
    if owner.kind is Kind.BUILDING:
        return block.buildings[owner.key].faults if owner.key < len(block.buildings) else []
    return cells[owner.key].faults if owner.key in cells else []
