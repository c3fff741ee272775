"""Assembles a landblock from its records, in the same way for every source (dat-format.md 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.dat.records import EnvCell as EnvCellRecord
from engine.dat.records import LandBlock, LandBlockInfo
from engine.world.cells.cell import Building, EnvCell, LandCell, ObjCell
from engine.world.cells.ids import FIRST_ENV_CELL, LAST_ENV_CELL, cell_text, in_block_of, landblock_info_id
from engine.world.cells.portals import NO_PORTAL
from engine.world.cells.terrain import SQUARES, Terrain
from engine.world.faults import BUILDING, CELL, RECORD, TERRAIN, Fault, WorldError
from engine.world.landblock import Landblock, SceneryMaker, edge_faults
from engine.world.loader.checks import check_cells
from engine.world.loader.rooms import FindSetup, FindStruct, building, env_cell, placed_opening, statics
from engine.world.loader.shapes import FaultLog

MAX_ROOMS: Final = LAST_ENV_CELL - FIRST_ENV_CELL + 1
MISSING_SHOWN: Final = 20
"""Up to this number, counted but missing cells are named in the fault."""


@dataclass(slots=True)
class BlockRecords:
    """The records of a landblock in a source, and the faults of those that were unreadable."""

    land: LandBlock | None = None
    info: LandBlockInfo | None = None
    cells: list[EnvCellRecord] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    neighbours: list[LandBlock] = field(default_factory=list)
    """The land records of the neighbours that exist."""
    counted: bool = True
    """Whether the info record says how many rooms there are (dat-format.md 2.3); a synthetic one does not."""


def assemble(
    block_id: int,
    records: BlockRecords,
    find_struct: FindStruct,
    find_setup: FindSetup,
    height_table: list[float],
    make_scenery: SceneryMaker | None = None,
    portals_left_out: bool = False,
) -> Landblock:
    """The landblock built from all usable records; faults name the others."""
    found = FaultLog(block_id)
    terrain = _terrain(block_id, records.land, height_table, found)
    rooms = _rooms(records, find_struct, find_setup, found)
    for room in rooms.values():
        room.portals_left_out = portals_left_out
    info = records.info
    buildings = [] if info is None else [building(b, block_id, i, find_setup) for i, b in enumerate(info.buildings)]
    _show_openings(buildings, rooms)
    land_cells = [] if terrain is None else [LandCell(in_block_of(block_id, i + 1), terrain) for i in range(SQUARES**2)]
    settle(buildings, land_cells, found)
    objects = [] if info is None else statics(info.objects, landblock_info_id(block_id), found, find_setup)
    if info is not None:
        if records.counted:
            _count_rooms(info, rooms, {fault.where for fault in records.faults}, found)
        _restrict(info, [*land_cells, *rooms.values()])
    if records.land is not None and (records.land.has_info == 1) != (info is not None):
        said = "has an info record" if records.land.has_info else "has none"
        found.warning(RECORD, f"the landblock says it {said}, and it is the other way round")
    if terrain is not None:
        for neighbour in records.neighbours:
            other = _terrain(neighbour.id, neighbour, height_table, FaultLog(neighbour.id))
            found.faults.extend([] if other is None else edge_faults(terrain, other))
    check_cells(rooms, buildings)
    return Landblock(
        block_id,
        terrain,
        [*land_cells, *rooms.values()],
        has_info=info is not None,
        num_cells=0 if info is None else info.num_cells,
        buildings=buildings,
        statics=objects,
        faults=[*records.faults, *found.faults],
        make_scenery=make_scenery,
    )


def _terrain(block_id: int, land: LandBlock | None, height_table: list[float], found: FaultLog) -> Terrain | None:
    if land is None:
        return None
    try:
        return Terrain(block_id, list(land.heights), list(land.terrain), height_table)
    except WorldError as error:
        found.error(TERRAIN, error.reason)
        return None


def _rooms(
    records: BlockRecords, find_struct: FindStruct, find_setup: FindSetup, found: FaultLog
) -> dict[int, EnvCell]:
    rooms: dict[int, EnvCell] = {}
    for record in sorted(records.cells, key=lambda cell: cell.id):
        if record.id in rooms:
            found.error(CELL, f"there are two records of {cell_text(record.id)}; the first one counts")
            continue
        rooms[record.id] = env_cell(record, find_struct, find_setup)
    return rooms


def _show_openings(buildings: Iterable[Building], rooms: dict[int, EnvCell]) -> None:
    """A shell without a drawing tree (in scenes and dumps) shows its openings where the rooms behind have theirs."""
    for made in buildings:
        if made.shell is None or made.shell.drawing_tree is not None:
            continue
        for entry in made.portals:
            room = rooms.get(entry.other_cell_id)
            if room is None or not NO_PORTAL < entry.other_portal_id < len(room.portals):
                continue
            polygon = room.portals[entry.other_portal_id].polygon
            if polygon is not None:
                entry.polygon = placed_opening(polygon, room.frame, made.frame)


def settle(buildings: Sequence[Building], land_cells: Sequence[LandCell], found: FaultLog) -> None:
    """Give each land cell the first building that stands on it; the client ignores a second one (physics.md #35)."""
    by_id = {cell.id: cell for cell in land_cells}
    for index, made in enumerate(buildings):
        cell = by_id.get(made.cell_id)
        if cell is None:
            continue
        if cell.building is None:
            cell.building = made
        else:
            reason = f"{cell_text(cell.id)} already has a building: no body collides with this one or enters it"
            found.error(BUILDING, reason, index)


def _count_rooms(info: LandBlockInfo, rooms: dict[int, EnvCell], reported: set[int], found: FaultLog) -> None:
    if info.num_cells > MAX_ROOMS:
        found.error(RECORD, f"the info record counts {info.num_cells} cells; a landblock has at most {MAX_ROOMS}")
    first = in_block_of(info.id, FIRST_ENV_CELL)
    counted = range(first, first + min(info.num_cells, MAX_ROOMS))
    missing = [cell_id for cell_id in counted if cell_id not in rooms and cell_id not in reported]
    for cell_id in missing[:MISSING_SHOWN]:
        found.faults.append(Fault(cell_id, CELL, "the landblock counts this cell, and it is not there"))
    if len(missing) > MISSING_SHOWN:
        found.error(CELL, f"{len(missing) - MISSING_SHOWN} more cells are counted and not there")
    for cell_id in rooms:
        if cell_id not in counted:
            found.faults.append(Fault(cell_id, CELL, "the landblock does not count this cell"))


def _restrict(info: LandBlockInfo, cells: Iterable[ObjCell]) -> None:
    """Add the housing barriers: the table may also name cells whose own record does not."""
    for cell in cells:
        if cell.id in info.restrictions and not cell.restriction_object:
            cell.restriction_object = info.restrictions[cell.id]
