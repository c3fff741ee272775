"""Portals: the openings that join cells, and those that join a building's shell to its rooms (physics.md 6.2,
rendering.md 3.1). Portals never change and never cross a landblock; an edited cell gets new ones."""

from __future__ import annotations

from typing import Final

from engine.geometry.polygon import Polygon

EXACT_MATCH: Final = 0x1
SIDE: Final = 0x2  # stored inverted: set means portal_side is False
LEADS_OUTSIDE: Final = 0x4
"""The bit of an exit portal. The client tests nothing else (physics.md #34)."""

LOW_OUTSIDE: Final = 0xFFFF
"""The 16-bit id that exit portals have in the client's records; we take it for an exit without the flag as well."""

OUTSIDE: Final = 0xFFFFFFFF
"""The outdoors in place of a neighbour's cell id; 0xFFFF in the records."""

NO_PORTAL: Final = -1
"""There is no matching portal on the other side; 0xFFFF in the records."""


def is_exit(flags: int, other_cell_id: int) -> bool:
    """Whether a portal leads outdoors, by its flags and the id beside them, of 16 or of 32 bits."""
    return (flags & LEADS_OUTSIDE) != 0 or other_cell_id in (LOW_OUTSIDE, OUTSIDE)


def widen_cell_id(block_id: int, low: int) -> int:
    """The full id of a 16-bit id inside the landblock of `block_id`; 0xFFFF is the outdoors."""
    if low & 0xFFFF == LOW_OUTSIDE:
        return OUTSIDE
    return (block_id & 0xFFFF0000) | (low & 0xFFFF)


def widen_portal_id(index: int) -> int:
    """A portal index as the signed 16-bit number that it is in the records."""
    return index - 0x10000 if index >= 0x8000 else index


class CellPortal:
    """One directed edge of an EnvCell.

    `portal_side` True: the polygon's normal points out of the cell, a viewer inside stands on its negative side.
    `polygon` is None when the cell's structure has no polygon of that id; such a portal joins nothing.
    """

    flags: int
    polygon_id: int
    polygon: Polygon | None
    other_cell_id: int
    other_portal_id: int
    portal_side: bool
    exact_match: bool
    leads_outside: bool

    def __init__(
        self, flags: int, polygon_id: int, polygon: Polygon | None, other_cell_id: int, other_portal_id: int
    ) -> None:
        self.flags = flags
        self.polygon_id = polygon_id
        self.polygon = polygon
        self.leads_outside = is_exit(flags, other_cell_id)
        self.other_cell_id = OUTSIDE if self.leads_outside else other_cell_id
        self.other_portal_id = other_portal_id
        self.portal_side = (flags & SIDE) == 0
        self.exact_match = (flags & EXACT_MATCH) != 0

    def __repr__(self) -> str:
        other = f"0x{self.other_cell_id:08X}/{self.other_portal_id}"
        return f"CellPortal(flags={self.flags}, polygon={self.polygon_id}, other={other})"


class BldPortal:
    """One entry of a building: the opening in its shell and the room behind it.

    The record does not name the polygon; the PORT nodes of the shell's drawing tree do, and the loader puts it here, in
    the shell's own space. It is None for a shell without a PORT node for this entry (a fault; physics does not need
    it).
    """

    flags: int
    other_cell_id: int
    other_portal_id: int
    stab_list: list[int]
    portal_side: bool
    exact_match: bool
    polygon_id: int
    polygon: Polygon | None

    def __init__(
        self,
        flags: int,
        other_cell_id: int,
        other_portal_id: int,
        stab_list: list[int],
        polygon_id: int = -1,
        polygon: Polygon | None = None,
    ) -> None:
        self.flags = flags
        self.other_cell_id = other_cell_id
        self.other_portal_id = other_portal_id
        self.stab_list = stab_list
        self.portal_side = (flags & SIDE) == 0
        self.exact_match = (flags & EXACT_MATCH) != 0
        self.polygon_id = polygon_id
        self.polygon = polygon

    def __repr__(self) -> str:
        return f"BldPortal(flags={self.flags}, other=0x{self.other_cell_id:08X}/{self.other_portal_id})"
