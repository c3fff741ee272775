"""Builds cells and buildings from their records (dat-format.md 2.3-2.5, rendering.md 3.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.dat.records import BuildingInfo, Stab
from engine.dat.records import CellStruct as CellStructRecord
from engine.dat.records import EnvCell as EnvCellRecord
from engine.geometry.drawing_bsp import DrawingNode, DrawingPort, drawing_nodes
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.world.cells.cell import Building, CellStruct, EnvCell
from engine.world.cells.ids import cell_text
from engine.world.cells.landdefs import adjust_to_outside
from engine.world.cells.objects import GfxObj, Setup, StaticObject, static_object_id
from engine.world.cells.portals import (
    LEADS_OUTSIDE,
    OUTSIDE,
    BldPortal,
    CellPortal,
    is_exit,
    widen_cell_id,
    widen_portal_id,
)
from engine.world.faults import (
    BUILDING,
    BUILDING_PORTAL,
    CELL_TREE,
    ENVIRONMENT,
    PHYSICS_TREE,
    PORTAL,
    PORTAL_POLYGON,
    STATIC_OBJECT,
)
from engine.world.loader.shapes import FaultLog, empty_struct, frame_of, surface_faults

ENVIRONMENT_BASE: Final = 0x0D000000
SURFACE_BASE: Final = 0x08000000

BUILDING_OWNER: Final = 0xFFFD
"""Low half of the synthetic owner in a building's object id (see `static_object_id`); no record has this id."""

FindSetup = Callable[[int], "Setup | None"]
FindStruct = Callable[[int, int], "CellStruct | None"]


def env_cell(record: EnvCellRecord, find_struct: FindStruct, find_setup: FindSetup) -> EnvCell:
    """The room of a record. Without its structure it has portals and statics, but no inside."""
    found = FaultLog(record.id)
    environment_id = ENVIRONMENT_BASE | record.environment
    structure = find_struct(environment_id, record.structure)
    if structure is None:
        found.error(
            ENVIRONMENT,
            f"structure {record.structure} of environment {cell_text(environment_id)} is missing or unreadable",
        )
        structure = empty_struct(environment_id, record.structure)
    else:
        _structure_faults(structure, len(record.surfaces), found)
    cell = EnvCell(
        record.id,
        frame_of(record.frame, found, "the cell"),
        structure,
        _cell_portals(record, structure, found),
        [widen_cell_id(record.id, low) for low in record.visible_cells],
        record.flags,
        [SURFACE_BASE | low for low in record.surfaces],
    )
    cell.restriction_object = record.restriction_object or 0
    cell.static_objects.extend(statics(record.objects, record.id, found, find_setup))
    cell.faults.extend(found.faults)
    return cell


def _structure_faults(structure: CellStruct, surfaces: int, found: FaultLog) -> None:
    if structure.cell_tree is None:
        found.error(CELL_TREE, "has none: nothing is ever inside, and nothing finds this cell")
    if structure.physics_tree is None:
        found.error(PHYSICS_TREE, "has none: nothing in this cell collides")
    if isinstance(structure.record, CellStructRecord):
        surface_faults(structure.record.polygons, surfaces, found)


def _cell_portals(record: EnvCellRecord, structure: CellStruct, found: FaultLog) -> list[CellPortal]:
    portals: list[CellPortal] = []
    for index, stored in enumerate(record.portals):
        polygon = structure.polygons.get(stored.polygon_id)
        if polygon is None and structure.polygons:
            found.error(PORTAL_POLYGON, f"needs polygon {stored.polygon_id}, which the structure does not have", index)
        other = widen_cell_id(record.id, stored.other_cell_id)
        if stored.flags & LEADS_OUTSIDE and other != OUTSIDE:
            found.warning(PORTAL, f"leads outdoors by its flags but names {cell_text(other)}; the flag counts", index)
        elif is_exit(stored.flags, other) and not stored.flags & LEADS_OUTSIDE:
            reason = "leads outdoors by its cell id but not by its flags (bit 0x4), which alone the client asks"
            found.warning(PORTAL, reason, index)
        portals.append(
            CellPortal(stored.flags, stored.polygon_id, polygon, other, widen_portal_id(stored.other_portal_id))
        )
    return portals


def statics(stabs: list[Stab], owner_id: int, found: FaultLog, find_setup: FindSetup) -> list[StaticObject]:
    """The static objects of a record; one whose model is missing stays, so that users can see and repair it."""
    placed: list[StaticObject] = []
    for index, stab in enumerate(stabs):
        if find_setup(stab.model_id) is None:
            found.error(STATIC_OBJECT, f"model {cell_text(stab.model_id)} is missing or unreadable", index)
        frame = frame_of(stab.frame, found, f"static object {index}", index)
        placed.append(StaticObject(static_object_id(owner_id, index), stab.model_id, frame))
    return placed


def building(record: BuildingInfo, block_id: int, index: int, find_setup: FindSetup) -> Building:
    """Build the building of a record, with the land cell that contains its origin and each portal's polygon in the
    shell."""
    found = FaultLog(block_id)
    frame = frame_of(record.frame, found, f"building {index}", index)
    inside, cell_id, _ = adjust_to_outside(block_id, frame.origin)
    if not inside or cell_id >> 16 != block_id >> 16:
        found.error(BUILDING, f"stands at {frame.origin}, outside its landblock; no land cell has it", index)
        cell_id = 0
    model = find_setup(record.model_id)
    shell = model.parts[0].gfxobj if model is not None and model.parts else None
    if shell is None:
        found.error(BUILDING, f"model {cell_text(record.model_id)} is missing or unreadable", index)
    openings = shell_openings(shell, len(record.portals), found, index)
    portals: list[BldPortal] = []
    for number, stored in enumerate(record.portals):
        other = widen_cell_id(block_id, stored.other_cell_id)
        if other == OUTSIDE:
            found.error(BUILDING_PORTAL, f"of building {index} leads outdoors", number)
        polygon = openings.get(number)
        portals.append(
            BldPortal(
                stored.flags,
                other,
                widen_portal_id(stored.other_portal_id),
                [widen_cell_id(block_id, low) for low in stored.stab_list],
                -1 if polygon is None else polygon.id,
                polygon,
            )
        )
    object_id = static_object_id((block_id & 0xFFFF0000) | BUILDING_OWNER, index)
    made = Building(object_id, cell_id, record.model_id, frame, shell, portals, record.num_leaves)
    made.faults.extend(found.faults)
    return made


def shell_openings(shell: GfxObj | None, count: int, found: FaultLog, index: int) -> dict[int, Polygon]:
    """The shell's polygon for each of `count` building portals, taken from the PORT nodes of its drawing tree."""
    if shell is None or shell.drawing_tree is None:
        return {}
    openings: dict[int, Polygon] = {}
    for polygon_id, number in port_records(shell.drawing_tree):
        polygon = shell.polygons.get(polygon_id)
        if polygon is None:
            found.warning(BUILDING_PORTAL, f"of building {index}: the shell has no polygon {polygon_id}", number)
        elif number >= count:
            found.warning(BUILDING_PORTAL, f"of building {index}: only the shell knows of this portal", number)
        else:
            openings.setdefault(number, polygon)
    for number in range(count):
        if number not in openings:
            found.warning(BUILDING_PORTAL, f"of building {index}: no PORT node of the shell shows this portal", number)
    return openings


def port_records(root: DrawingNode) -> list[tuple[int, int]]:
    """Every (polygon id, portal index) of the tree's PORT nodes."""
    records: list[tuple[int, int]] = []
    for node in drawing_nodes(root):
        if isinstance(node, DrawingPort):
            records.extend(node.portals)
    return records


def placed_opening(polygon: Polygon, cell_frame: Frame, shell_frame: Frame) -> Polygon:
    """A cell's portal polygon in the space of the shell around it."""
    corners = [shell_frame.global_to_local(cell_frame.local_to_global(corner)) for corner in polygon.vertices]
    return Polygon(polygon.id, corners, polygon.sides_type)
