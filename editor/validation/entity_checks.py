"""Checks of the entities of a landblock: where they stand, what they lead to, what they open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from editor.session.session import Kind, Selection
from editor.validation.findings import Findings
from editor.validation.fixes import Fix
from engine.entities.door import Door
from engine.entities.entity import Entity
from engine.entities.specs import unpack_spec
from engine.geometry.vec import Vec3
from engine.physics.errors import PhysicsError
from engine.sim.edits.edit import Edit
from engine.sim.edits.placing import place_at
from engine.sim.tick.simulation import Simulation
from engine.survey.door_fit import gap_of
from engine.survey.wall_checks import DEPTH, is_in_wall, place_beside
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import block_of, cell_text, is_env_cell, parse_id
from engine.world.cells.landdefs import get_outside_cell_id
from engine.world.cells.position import into_block
from engine.world.faults import ENTITY, Fault, Severity, WorldError
from engine.world.landblock import Landblock

OVER_THE_FLOOR: Final = 0.1
"""Metres above its origin at which an entity is tested against its room; floors are boundaries."""
PORTAL: Final = "portal"
DESTINATION: Final = "destination"


def check_entities(sim: Simulation, block: Landblock, found: Findings) -> None:
    """All faults of the entities that stand in a landblock now."""
    rooms = {cell.id: cell for cell in block.env_cells}
    for entity in sim.population.ordered:
        if block_of(entity.place_cell()) != block_of(block.id):
            continue
        place = Selection(Kind.ENTITY, block.id, entity.id)
        _check_cell(sim, entity, rooms, place, found)
        if is_in_wall(sim, entity, rooms):
            reason = f"sticks into the walls of {cell_text(entity.place_cell())} by more than {DEPTH:g} m"
            found.add(_warning(entity, reason), place, _move_fix(sim, entity, rooms))
        gap = gap_of(entity, block) if isinstance(entity, Door) else None
        if gap is not None:
            found.add(_warning(entity, gap), place)
        for target_id in entity.activates:
            if sim.population.find(target_id) is None and sim.world.entity_spec(target_id) is None:
                found.add(_warning(entity, f"is linked to {cell_text(target_id)}, which is nothing"), place)
        if entity.kind == PORTAL:
            reason = _lost_destination(sim, entity)
            if reason:
                found.add(_warning(entity, reason), place)


def _warning(entity: Entity, reason: str) -> Fault:
    return Fault(entity.id, ENTITY, f"{entity.name} {reason}", Severity.WARNING)


# --- where it stands


def _check_cell(
    sim: Simulation, entity: Entity, rooms: Mapping[int, EnvCell], place: Selection, found: Findings
) -> None:
    cell_id = entity.place_cell()
    cell = sim.graph.peek(cell_id)
    if cell is None:
        reason = f"{entity.name} is in {cell_text(cell_id)}, which does not exist"
        found.add(Fault(entity.id, ENTITY, reason), place, _fix(sim, entity, _holder(entity, cell_id, rooms)))
        return
    x, y, z = into_block(place.landblock, cell_id, entity.origin())
    point = (x, y, z + OVER_THE_FLOOR)
    if not cell.is_interior:
        under = get_outside_cell_id(cell_id, entity.origin())
        if under not in (0, cell_id):
            reason = f"is listed in {cell_text(cell_id)}, but stands on {cell_text(under)}"
            found.add(_warning(entity, reason), place, _fix(sim, entity, under))
        return
    holders = [room.id for room in rooms.values() if room.point_in_cell(point)]
    if not holders:
        reason = f"is listed in {cell_text(cell_id)}, but its place is not in any room"
        found.add(_warning(entity, reason), place)
    elif cell_id not in holders and not (isinstance(entity, Door) and _are_neighbours(rooms, cell_id, holders)):
        reason = f"is listed in {cell_text(cell_id)}, but its place is in {cell_text(holders[0])}"
        found.add(_warning(entity, reason), place, _fix(sim, entity, holders[0]))


def _are_neighbours(rooms: Mapping[int, EnvCell], cell_id: int, others: list[int]) -> bool:
    """Whether a portal leads from one to the other: a door stands in the opening, and belongs to either."""
    room = rooms.get(cell_id)
    return room is not None and any(portal.other_cell_id in others for portal in room.portals)


def _holder(entity: Entity, cell_id: int, rooms: Mapping[int, EnvCell]) -> int:
    """The room that holds an entity of a cell that is not there; without rooms the land cell; 0 for none."""
    x, y, z = entity.origin()
    point: Vec3 = (x, y, z + OVER_THE_FLOOR)
    for room in rooms.values():
        if room.point_in_cell(point):
            return room.id
    return 0 if is_env_cell(cell_id) else get_outside_cell_id(cell_id, entity.origin())


def _fix(sim: Simulation, entity: Entity, cell_id: int) -> Fix | None:
    """List it in the cell that holds it; it stays where it is."""
    if cell_id == 0 or block_of(cell_id) != block_of(entity.place_cell()):
        return None
    return Fix(f"List {entity.name} in {cell_text(cell_id)}", _edits(sim, entity.id, cell_id))


def _edits(sim: Simulation, entity_id: int, cell_id: int) -> Callable[[], list[Edit]]:
    def edits() -> list[Edit]:
        entity = sim.population.find(entity_id)
        return [] if entity is None else [place_at(entity_id, cell_id, entity.place_frame())]

    return edits


def _move_fix(sim: Simulation, entity: Entity, rooms: Mapping[int, EnvCell]) -> Fix | None:
    """Move it out of the wall, to the nearest place in its room."""
    frame, cell_id = place_beside(sim, entity, rooms), entity.place_cell()
    if frame is None:
        return None
    return Fix(f"Move {entity.name} out of the Wall", lambda: [place_at(entity.id, cell_id, frame)])


# --- where it leads


def _lost_destination(sim: Simulation, entity: Entity) -> str:
    """Why a portal leads nowhere; empty when it leads somewhere."""
    try:
        destination = unpack_spec(entity.spec).extra.get(DESTINATION)
    except PhysicsError:
        return ""
    if not isinstance(destination, dict):
        return "leads nowhere: it has no destination"
    text = destination.get("cell")
    try:
        cell_id = parse_id(text) if isinstance(text, str) else 0
    except WorldError:
        cell_id = 0
    if cell_id == 0:
        return "leads nowhere: its destination names no cell"
    if not sim.world.source.has_place(cell_id):
        what = "room" if is_env_cell(cell_id) else "landblock"
        return f"leads to {cell_text(cell_id)}, a {what} that is not there"
    return ""
