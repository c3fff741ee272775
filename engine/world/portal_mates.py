"""The portal on the other side of a portal."""

from __future__ import annotations

from collections.abc import Mapping

from engine.world.cells.cell import EnvCell


def mate_of(cell: EnvCell, index: int, cells: Mapping[int, EnvCell]) -> int | None:
    """The number of the portal on the other side, when each of the two names the other."""
    portal = cell.portals[index]
    other = cells.get(portal.other_cell_id)
    back = portal.other_portal_id
    if other is None or not 0 <= back < len(other.portals):
        return None
    mate = other.portals[back]
    return back if mate.other_cell_id == cell.id and mate.other_portal_id == index else None
