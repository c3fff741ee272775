"""Checks that the cells of a landblock agree with each other (rendering.md 3.1, dat-format.md 2.4, 2.5).

Single records are checked where they are read; these checks need all of them. `check_cells` may be called again after
an edit: it drops its earlier findings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import cell_text
from engine.world.cells.portals import NO_PORTAL, BldPortal, CellPortal
from engine.world.faults import (
    BUILDING_LINK,
    NO_PORTALS,
    PORTAL_LINK,
    PORTAL_ORDER,
    PORTAL_SIDE,
    SEEN_OUTSIDE,
    STAB_LIST,
    Fault,
)
from engine.world.loader.shapes import FaultLog

SIDE_MARGIN: Final = 0.01
"""Metres a cell may reach through the plane of its own portal and still count as being on one side of it."""

_FOUND_HERE: Final = frozenset(
    {NO_PORTALS, PORTAL_LINK, PORTAL_ORDER, PORTAL_SIDE, STAB_LIST, SEEN_OUTSIDE, BUILDING_LINK}
)


def check_cells(cells: Mapping[int, EnvCell], buildings: Sequence[Building]) -> None:
    """Record every inconsistency on the cells and buildings of one landblock."""
    for cell in cells.values():
        _forget(cell.faults)
        found = FaultLog(cell.id)
        _check_portals(cell, cells, found)
        _check_stab_list(cell, cells, found)
        _check_seen_outside(cell, cells, found)
        cell.faults.extend(found.faults)
    for building in buildings:
        _forget(building.faults)
        found = FaultLog(building.cell_id)
        for index, portal in enumerate(building.portals):
            _check_building_portal(portal, index, cells, found)
        building.faults.extend(found.faults)


def _forget(faults: list[Fault]) -> None:
    faults[:] = [fault for fault in faults if fault.what not in _FOUND_HERE]


def _check_portals(cell: EnvCell, cells: Mapping[int, EnvCell], found: FaultLog) -> None:
    if not cell.portals and not cell.portals_left_out:
        found.error(
            NO_PORTALS,
            "has no portal: for the client it contains no point, so no body can stand or be placed in it",
        )
    order = cell.structure.portal_ids
    if order and order != [portal.polygon_id for portal in cell.portals]:
        found.warning(PORTAL_ORDER, f"the structure's portals are the polygons {order}; both must have the same order")
    for index, portal in enumerate(cell.portals):
        if not portal.leads_outside:
            _check_link(cell, portal, index, cells, found)
        _check_side(cell, portal, index, found)


def _check_link(cell: EnvCell, portal: CellPortal, index: int, cells: Mapping[int, EnvCell], found: FaultLog) -> None:
    other = cells.get(portal.other_cell_id)
    name = cell_text(portal.other_cell_id)
    if other is None:
        found.error(PORTAL_LINK, f"leads to {name}, which is not there", index)
        return
    if portal.other_cell_id not in cell.stab_set:
        found.warning(PORTAL_LINK, f"leads to {name}, which is missing in the stab list", index)
    back = portal.other_portal_id
    if back == NO_PORTAL:
        found.warning(PORTAL_LINK, f"names no portal of {name}: it can be passed in one direction only", index)
    elif not 0 <= back < len(other.portals):
        found.error(PORTAL_LINK, f"names portal {back} of {name}, which has {len(other.portals)}", index)
    elif other.portals[back].other_cell_id != cell.id:
        target = other.portals[back]
        leads = "outdoors" if target.leads_outside else f"to {cell_text(target.other_cell_id)}"
        found.warning(PORTAL_LINK, f"names portal {back} of {name}, and that one leads {leads}, not back", index)
    elif other.portals[back].other_portal_id != index:
        found.warning(
            PORTAL_LINK,
            f"names portal {back} of {name}, and that one names portal {other.portals[back].other_portal_id} in return",
            index,
        )


def _check_side(cell: EnvCell, portal: CellPortal, index: int, found: FaultLog) -> None:
    polygon = portal.polygon
    if polygon is None or polygon.degenerate:
        return
    distances = [polygon.plane.dist(corner) for other in cell.structure.polygons.values() for corner in other.vertices]
    low, high = min(distances), max(distances)
    if low >= -SIDE_MARGIN and high > SIDE_MARGIN and portal.portal_side:
        found.warning(PORTAL_SIDE, "the cell lies in front of its polygon, the flags (bit 0x2) say behind", index)
    elif high <= SIDE_MARGIN and low < -SIDE_MARGIN and not portal.portal_side:
        found.warning(PORTAL_SIDE, "the cell lies behind its polygon, the flags (bit 0x2) say in front", index)


def _check_stab_list(cell: EnvCell, cells: Mapping[int, EnvCell], found: FaultLog) -> None:
    missing = [cell_text(cell_id) for cell_id in cell.stab_list if cell_id not in cells]
    if missing:
        found.warning(STAB_LIST, f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not there")
    if len(cell.stab_set) != len(cell.stab_list):
        twice = sorted({cell_id for cell_id in cell.stab_list if cell.stab_list.count(cell_id) > 1})
        found.info(STAB_LIST, f"{', '.join(map(cell_text, twice))} more than once")


def _check_seen_outside(cell: EnvCell, cells: Mapping[int, EnvCell], found: FaultLog) -> None:
    if cell.has_exit() and not cell.seen_outside:
        found.info(SEEN_OUTSIDE, "has an exit, but its flags say that the outdoors is not seen from here")
    elif cell.seen_outside and not cell.has_exit():
        seen = [cells[cell_id] for cell_id in cell.stab_list if cell_id in cells]
        if not any(other.has_exit() for other in seen):
            found.info(SEEN_OUTSIDE, "its flags say that the outdoors is seen from here; no cell in sight has an exit")


def _check_building_portal(portal: BldPortal, index: int, cells: Mapping[int, EnvCell], found: FaultLog) -> None:
    name = cell_text(portal.other_cell_id)
    other = cells.get(portal.other_cell_id)
    if other is None:
        found.error(BUILDING_LINK, f"leads to {name}, which is not there", index)
        return
    if not 0 <= portal.other_portal_id < len(other.portals):
        found.error(
            BUILDING_LINK, f"names portal {portal.other_portal_id} of {name}, which has {len(other.portals)}", index
        )
    elif not other.portals[portal.other_portal_id].leads_outside:
        found.warning(BUILDING_LINK, f"names portal {portal.other_portal_id} of {name}, which leads indoors", index)
    if portal.other_cell_id not in portal.stab_list:
        found.warning(BUILDING_LINK, f"leads to {name}, which is missing in its own stab list", index)
    missing = [cell_text(cell_id) for cell_id in portal.stab_list if cell_id not in cells]
    if missing:
        found.warning(BUILDING_LINK, f"has {', '.join(missing)} in its stab list, not there", index)
