"""The entities of a landblock: where they stand, what they lead to, what they open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from engine.entities.door import Door
from engine.entities.entity import Entity
from engine.entities.specs import unpack_spec
from engine.findings.finding import Check, Family, FixForm, Found
from engine.findings.registry import register
from engine.geometry.vec import Vec3
from engine.physics.errors import PhysicsError
from engine.sim.edits.placing import place_at
from engine.sim.tick.simulation import Simulation
from engine.survey.door_fit import gap_of
from engine.survey.wall_checks import DEPTH, is_in_wall, place_beside
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import block_of, cell_text, is_env_cell, parse_id
from engine.world.cells.landdefs import get_outside_cell_id
from engine.world.cells.position import into_block
from engine.world.faults import Severity, WorldError
from engine.world.landblock import Landblock

MISSING_CELL: Final = register(
    Check(
        "entities.cell-missing",
        "An entity is in a cell that does not exist",
        Family.ENTITIES,
        Severity.ERROR,
        "The entity's position names a cell that the world does not have. Servers refuse to spawn it, or spawn it "
        "where nobody sees it. The fix lists it in the room that holds its place, without one in the land cell there.",
    )
)
WRONG_CELL: Final = register(
    Check(
        "entities.wrong-cell",
        "An entity is listed in another cell than it stands in",
        Family.ENTITIES,
        Severity.WARNING,
        "The position of an entity is a cell and a point, and the point lies in another cell. Only who has the listed "
        "cell in sight is told of it, so it appears late or through walls, and it collides where it is listed. The fix "
        "lists it where it stands. Doors stand in openings and may belong to either side.",
    )
)
NO_ROOM: Final = register(
    Check(
        "entities.in-no-room",
        "An entity is listed in a room and stands in none",
        Family.ENTITIES,
        Severity.WARNING,
        "The entity's position names a room, and its point, raised by 10 cm because floors are boundaries, is in no "
        "room of the landblock: it stands in the rock around a dungeon, or above a ceiling.",
    )
)
IN_WALL: Final = register(
    Check(
        "entities.in-wall",
        "An entity sticks into a wall",
        Family.ENTITIES,
        Severity.WARNING,
        "Most things touch walls, so only the core of a thing is tested: everything of its solid shapes deeper than "
        "25 cm below their surface. A core that meets a wall of its room or a building's shell is deep in it. The fix "
        "moves the thing to the nearest place in its room where its core is free, within 1.5 m.",
    )
)
ACTIVATES: Final = register(
    Check(
        "links.activates-nothing",
        "A switch is linked to nothing",
        Family.ENTITIES,
        Severity.WARNING,
        "Using the entity, or stepping on it, is to use another one, and the world has none of that id. The lever "
        "moves and nothing happens.",
    )
)
LEADS: Final = register(
    Check(
        "links.portal-leads-nowhere",
        "A portal leads nowhere",
        Family.ENTITIES,
        Severity.WARNING,
        "A portal for players has no destination, or one in a cell or landblock that the world does not have.",
    )
)
MAKES: Final = register(
    Check(
        "links.generator-makes-nothing",
        "A generator makes what is not there",
        Family.ENTITIES,
        Severity.WARNING,
        "A generator of the server data names a weenie that the data does not have. The server logs an error at every "
        "spawn, and the place stays empty.",
    )
)
LOCKED: Final = register(
    Check(
        "links.lock-without-key",
        "A locked door that nothing unlocks",
        Family.DOORS,
        Severity.INFO,
        "By the server data the door is locked, has no lock code that a key could fit and no resistance for lockpicks "
        "to overcome, and no lever or plate is linked to it. It opens from behind alone. Told only of server data: "
        "other worlds do not say what opens a lock.",
    )
)
GAP: Final = register(
    Check(
        "doors.leaves-gap",
        "A closed door does not fill its doorway",
        Family.DOORS,
        Severity.WARNING,
        "The colliding parts of the closed door leave more than 10 cm of the opening that it stands in open, at a "
        "side, above or below. One looks, shoots and sometimes slips through. Who gets by it, and what would close "
        "it, is found by the checks of doors that let bodies try.",
    )
)

INSTANCE_CHECKS: Final = (MISSING_CELL, WRONG_CELL, NO_ROOM, IN_WALL, ACTIVATES, LEADS, MAKES, LOCKED, GAP)

OVER_THE_FLOOR: Final = 0.1
"""Metres above its origin at which an entity is tested against its room; floors are boundaries."""
PORTAL: Final = "portal"
DESTINATION: Final = "destination"
GENERATES: Final = "generates"
WCID: Final = "wcid"
"""What entities of server data alone have."""
_NO_WEENIE: Final = "weenie "
"""The beginning of the name that server data has for a weenie that is not there (engine/world/server/entities.py)."""

Rooms = Mapping[int, EnvCell]


def check_instances(sim: Simulation, block: Landblock) -> Iterator[Found]:
    """The findings of the entities that stand in a landblock now."""
    rooms = {cell.id: cell for cell in block.env_cells}
    for entity in sim.population.ordered:
        if block_of(entity.place_cell()) == block_of(block.id):
            yield from check_entity(sim, block, rooms, entity)


def check_entity(sim: Simulation, block: Landblock, rooms: Rooms, entity: Entity) -> Iterator[Found]:
    yield from _check_cell(sim, block, rooms, entity)
    if is_in_wall(sim, entity, rooms):
        reason = f"sticks into the walls of {cell_text(entity.place_cell())} by more than {DEPTH:g} m"
        yield _found(IN_WALL, block, entity, reason, _move_fix(sim, entity, rooms))
    gap = gap_of(entity, block) if isinstance(entity, Door) else None
    if gap is not None:
        yield _found(GAP, block, entity, gap)
    for target_id in entity.activates:
        if sim.population.find(target_id) is None and sim.world.entity_spec(target_id) is None:
            yield _found(ACTIVATES, block, entity, f"is linked to {cell_text(target_id)}, which is nothing")
    extra = _extra_of(entity)
    if isinstance(entity, Door) and extra is not None and _is_locked_for_good(sim, entity, extra):
        yield _found(LOCKED, block, entity, "is locked, and no key, lockpick or lever opens it: only from behind")
    if entity.kind == PORTAL and extra is not None:
        reason = _lost_destination(sim, extra)
        if reason:
            yield _found(LEADS, block, entity, reason)
    for name in _made_by(extra):
        if name.startswith(_NO_WEENIE) and name.removeprefix(_NO_WEENIE).isdigit():
            yield _found(MAKES, block, entity, f"makes {name}, which the server data does not have")


def _found(check: Check, block: Landblock, entity: Entity, reason: str, fix: FixForm | None = None) -> Found:
    cell_id = entity.place_cell()
    return Found(
        check.id,
        block.id,
        cell_id if is_env_cell(cell_id & 0xFFFF) else 0,
        entity.id,
        place=(cell_id, entity.origin()),
        sentence=f"{entity.name} {reason}",
        fix=fix,
    )


def _extra_of(entity: Entity) -> Mapping[str, object] | None:
    try:
        return unpack_spec(entity.spec).extra
    except PhysicsError:
        return None


# --- where it stands


def _check_cell(sim: Simulation, block: Landblock, rooms: Rooms, entity: Entity) -> Iterator[Found]:
    cell_id = entity.place_cell()
    cell = sim.graph.peek(cell_id)
    if cell is None:
        reason = f"is in {cell_text(cell_id)}, which does not exist"
        yield _found(MISSING_CELL, block, entity, reason, _fix(entity, _holder(entity, cell_id, rooms)))
        return
    x, y, z = into_block(block.id, cell_id, entity.origin())
    point = (x, y, z + OVER_THE_FLOOR)
    holders = [room.id for room in rooms.values() if room.point_in_cell(point)]
    if not cell.is_interior and (not holders or isinstance(entity, Door)):
        under = get_outside_cell_id(cell_id, entity.origin())
        if under not in (0, cell_id):
            reason = f"is listed in {cell_text(cell_id)}, but stands on {cell_text(under)}"
            yield _found(WRONG_CELL, block, entity, reason, _fix(entity, under))
        return
    if cell_id in holders:
        return
    if not holders:
        reason = f"is listed in {cell_text(cell_id)}, but its place is not in any room"
        yield _found(NO_ROOM, block, entity, reason)
    elif not (isinstance(entity, Door) and _are_neighbours(rooms, cell_id, holders)):
        reason = f"is listed in {cell_text(cell_id)}, but its place is in {cell_text(holders[0])}"
        yield _found(WRONG_CELL, block, entity, reason, _fix(entity, holders[0]))


def _are_neighbours(rooms: Rooms, cell_id: int, others: list[int]) -> bool:
    """Whether a portal leads from one to the other: a door stands in the opening, and belongs to either."""
    room = rooms.get(cell_id)
    return room is not None and any(portal.other_cell_id in others for portal in room.portals)


def _holder(entity: Entity, cell_id: int, rooms: Rooms) -> int:
    """The room that holds an entity of a cell that is not there; without rooms the land cell; 0 for none."""
    x, y, z = entity.origin()
    point: Vec3 = (x, y, z + OVER_THE_FLOOR)
    for room in rooms.values():
        if room.point_in_cell(point):
            return room.id
    return 0 if is_env_cell(cell_id) else get_outside_cell_id(cell_id, entity.origin())


def _fix(entity: Entity, cell_id: int) -> FixForm | None:
    """List it in the cell that holds it; it stays where it is."""
    if cell_id == 0 or block_of(cell_id) != block_of(entity.place_cell()):
        return None
    edit = place_at(entity.id, cell_id, entity.place_frame())
    return FixForm.of(f"List {entity.name} in {cell_text(cell_id)}", [edit])


def _move_fix(sim: Simulation, entity: Entity, rooms: Rooms) -> FixForm | None:
    """Move it out of the wall, to the nearest place in its room."""
    frame = place_beside(sim, entity, rooms)
    if frame is None:
        return None
    return FixForm.of(f"Move {entity.name} out of the Wall", [place_at(entity.id, entity.place_cell(), frame)])


# --- where it leads


def _lost_destination(sim: Simulation, extra: Mapping[str, object]) -> str:
    """Why a portal leads nowhere; empty when it leads somewhere."""
    destination = extra.get(DESTINATION)
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


def _is_locked_for_good(sim: Simulation, door: Door, extra: Mapping[str, object]) -> bool:
    if WCID not in extra or not extra.get("locked") or extra.get("lock_code") or "resist_lockpick" in extra:
        return False
    return not any(door.id in entity.activates for entity in sim.population.ordered)


def _made_by(extra: Mapping[str, object] | None) -> list[str]:
    made = None if extra is None else extra.get(GENERATES)
    return [name for name in made if isinstance(name, str)] if isinstance(made, list) else []
