"""Safe fixes for faults of one landblock: the records, or the shapes of both sides of an opening, leave one answer only
(dat-format.md 2.4, 2.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.geometry.vec import Vec3, length, sub
from engine.sim.data_files.cell_edits import (
    current_record,
    link_portal,
    set_portal_back,
    set_portal_flags,
    set_seen_outside,
    set_stab_list,
)
from engine.sim.edits.edit import Edit
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.cells.portals import LEADS_OUTSIDE, SIDE, widen_cell_id
from engine.world.faults import PORTAL, PORTAL_LINK, PORTAL_SIDE, SEEN_OUTSIDE, STAB_LIST, Fault
from engine.world.landblock import Landblock
from engine.world.portal_mates import mate_of

SAME_CORNER: Final = 0.05
"""The largest distance between corners of the two sides of one opening, in metres."""

Cells = Mapping[int, EnvCell]


@dataclass(frozen=True)
class Fix:
    """A change that removes a fault: its name, and its edits for the world at the time they are requested."""

    name: str
    edits: Callable[[], list[Edit]]


def fixes_of(sim: Simulation, block: Landblock) -> dict[Fault, Fix]:
    """The fixes of faults that were found by the loader or by comparing cells."""
    cells = {cell.id: cell for cell in block.env_cells}
    found: dict[Fault, Fix] = {}
    for cell in cells.values():
        for fault in cell.faults:
            make = _MAKERS.get(fault.what)
            fix = None if make is None else make(sim, cell, fault, cells)
            if fix is not None:
                found[fault] = fix
    return found


# --- flags


def _flag_fix(sim: Simulation, cell: EnvCell, index: int, flags: int) -> Fix:
    name = f"Set Flags of Portal {index} of {cell_text(cell.id)} to 0x{flags:X}"
    return Fix(name, lambda: set_portal_flags(sim, cell.id, index, flags))


def _mend_outdoor_flag(sim: Simulation, cell: EnvCell, fault: Fault, cells: Cells) -> Fix | None:
    """The target 0xFFFF is outdoors whatever the flag says; a named room that leads back through the portal is not."""
    portal = cell.portals[fault.index]
    if not portal.flags & LEADS_OUTSIDE:
        return _flag_fix(sim, cell, fault.index, portal.flags | LEADS_OUTSIDE)
    named = widen_cell_id(cell.id, current_record(sim, cell.id).portals[fault.index].other_cell_id)
    other, back = cells.get(named), portal.other_portal_id
    if other is None or not 0 <= back < len(other.portals):
        return None
    leads_back = other.portals[back].other_cell_id == cell.id and other.portals[back].other_portal_id == fault.index
    return _flag_fix(sim, cell, fault.index, portal.flags & ~LEADS_OUTSIDE) if leads_back else None


def _mend_side(sim: Simulation, cell: EnvCell, fault: Fault, cells: Cells) -> Fix | None:
    """The whole cell is on one side of the opening, so the side is certain."""
    return _flag_fix(sim, cell, fault.index, cell.portals[fault.index].flags ^ SIDE)


def _mend_outside(sim: Simulation, cell: EnvCell, fault: Fault, cells: Cells) -> Fix:
    seen = not cell.seen_outside
    name = f"{'Set' if seen else 'Clear'} Seen Outside of {cell_text(cell.id)}"
    return Fix(name, lambda: set_seen_outside(sim, cell.id, seen))


# --- stab lists


def _mend_list(sim: Simulation, cell: EnvCell, fault: Fault, cells: Cells) -> Fix | None:
    """Keep each existing cell once. Visible cells that are not listed have a fix of their own."""
    kept = [other for other in dict.fromkeys(cell.stab_list) if other in cells]
    if kept == cell.stab_list:
        return None
    name = f"Clean Up Stab List of {cell_text(cell.id)}"
    return Fix(name, lambda: set_stab_list(sim, cell.id, kept))


# --- one-sided portals


def _mend_link(sim: Simulation, cell: EnvCell, fault: Fault, cells: Cells) -> Fix | None:
    """Pair a portal with the only portal that can be its other side; list the room that a paired portal leads to."""
    if not 0 <= fault.index < len(cell.portals):
        return None
    portal = cell.portals[fault.index]
    if mate_of(cell, fault.index, cells) is None:
        mate = only_mate(cell, fault.index, cells)
        if mate is not None:
            return _mate_fix(sim, cell, fault.index, mate)
        stray = _only_stray(cell, fault.index, cells)
        return None if stray is None else _stray_fix(sim, cell, fault.index, stray)
    if portal.other_cell_id in cell.stab_set:
        return None
    name = f"Add {cell_text(portal.other_cell_id)} to Stab List of {cell_text(cell.id)}"
    return Fix(name, lambda: set_stab_list(sim, cell.id, [*cell.stab_list, portal.other_cell_id]))


def only_mate(cell: EnvCell, index: int, cells: Cells) -> int | None:
    """The one portal of the neighbour that leads back through the same opening and has no other mate."""
    other = cells.get(cell.portals[index].other_cell_id)
    corners = _corners(cell, index)
    if other is None or not corners or _rivals(cell, index, corners):
        return None
    fits = [
        number
        for number, portal in enumerate(other.portals)
        if portal.other_cell_id == cell.id
        and mate_of(other, number, cells) is None
        and _same_opening(corners, _corners(other, number))
    ]
    return fits[0] if len(fits) == 1 else None


def _only_stray(cell: EnvCell, index: int, cells: Cells) -> int | None:
    """The one portal of the neighbour in the same opening, when it leads to a room that does not lead back to it."""
    other = cells.get(cell.portals[index].other_cell_id)
    corners = _corners(cell, index)
    if other is None or not corners or _rivals(cell, index, corners):
        return None
    fits = [n for n in range(len(other.portals)) if _same_opening(corners, _corners(other, n))]
    if len(fits) != 1 or other.portals[fits[0]].leads_outside or mate_of(other, fits[0], cells) is not None:
        return None
    return fits[0]


def _rivals(cell: EnvCell, index: int, corners: Sequence[Vec3]) -> bool:
    """Whether another portal of the cell leads to the same neighbour through the same opening."""
    target = cell.portals[index].other_cell_id
    return any(
        number != index and portal.other_cell_id == target and _same_opening(corners, _corners(cell, number))
        for number, portal in enumerate(cell.portals)
    )


def _corners(cell: EnvCell, index: int) -> list[Vec3]:
    polygon = cell.portals[index].polygon
    return [] if polygon is None else [cell.frame.local_to_global(corner) for corner in polygon.vertices]


def _same_opening(ours: Sequence[Vec3], theirs: Sequence[Vec3]) -> bool:
    return len(ours) == len(theirs) and all(min(length(sub(a, b)) for b in theirs) < SAME_CORNER for a in ours)


def _mate_fix(sim: Simulation, cell: EnvCell, index: int, mate: int) -> Fix:
    other_id = cell.portals[index].other_cell_id
    name = f"Pair Portal {index} of {cell_text(cell.id)} with Portal {mate} of {cell_text(other_id)}"
    return Fix(
        name,
        lambda: [*set_portal_back(sim, cell.id, index, mate), *set_portal_back(sim, other_id, mate, index)],
    )


def _stray_fix(sim: Simulation, cell: EnvCell, index: int, stray: int) -> Fix:
    other_id = cell.portals[index].other_cell_id
    name = f"Link Portal {stray} of {cell_text(other_id)} to {cell_text(cell.id)}"
    return Fix(name, lambda: link_portal(sim, cell.id, index, other_id, stray, True))


_MAKERS: Final[dict[str, Callable[[Simulation, EnvCell, Fault, Cells], Fix | None]]] = {
    PORTAL: _mend_outdoor_flag,
    PORTAL_SIDE: _mend_side,
    SEEN_OUTSIDE: _mend_outside,
    STAB_LIST: _mend_list,
    PORTAL_LINK: _mend_link,
}
