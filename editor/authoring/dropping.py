"""Drop to floor: puts a thing onto the walkable surface below it.

It sweeps downwards with the physics engine (physics.md 5.4, 7.2), through the cells on the way, against everything that
collides except players and the thing itself. The surface is walkable when its normal rises by at least FLOOR_Z (1.1). A
thing's origin comes onto that plane; an entity with a body touches it with the lowest of its spheres, as if it had
fallen. A thing that is sunk into the floor by less than `LIFT` is raised onto it.
"""

from __future__ import annotations

from typing import Final

from editor.authoring.cell_lookup import cell_of_place
from editor.authoring.static_edits import find_static, move_thing, name_of_static, owner_of
from engine.geometry.constants import FLOOR_Z
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import ZERO, Vec3
from engine.physics.errors import PhysicsError
from engine.physics.flags import OI_BYPASS_RESTRICTIONS, OI_IS_PLAYER
from engine.physics.place import Place
from engine.physics.resolve import ResolveResult, resolve
from engine.physics.set_position import find_room, placed_at, resolve_cell_id
from engine.sim.edits.edit import Edit
from engine.sim.edits.placing import PlaceEntity, place_at
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import FIRST_ENV_CELL, WHOLE_BLOCK, cell_text
from engine.world.cells.landdefs import adjust_to_outside
from engine.world.cells.position import into_block

LIFT: Final = 0.6
"""Metres above its foot at which the sweep begins: the height that a player steps up (1.1)."""

LIFTS: Final = (LIFT, 0.1, 0.0)
"""Lower starts for things that hang under a ceiling."""

DEPTH: Final = 60.0
"""Metres below that are searched."""

REACH: Final = 3.0
SUB_STEPS: Final = 25.0
"""Metres of one sweep, and their limit in radii: the rules allow no more than 30 sub-steps (5.4)."""

THIN: Final = 0.12
THINNER: Final = 0.04
"""Radii swept for a thing without spheres, and for one that is too close to a wall."""

AS_A_PLAYER: Final = OI_IS_PLAYER | OI_BYPASS_RESTRICTIONS
"""The sweep passes players, as they pass each other (8.7)."""

ASIDE: Final = 2.0
"""Radii that the sweep may slide aside, along a slope or off a wall; the plane that it met still counts."""


class Floor:
    """The result of the sweep: the room or land cell, and the point of the floor's plane below its start."""

    def __init__(self, cell_id: int, point: Vec3, normal: Vec3) -> None:
        self.cell_id = cell_id
        self.point = point
        self.normal = normal


def floor_below(sim: Simulation, cell_id: int, point: Vec3, radius: float = THIN, ignored_id: int = 0) -> Floor | None:
    """The walkable surface under a point, in the landblock of a cell that the point is in or near; None without one.

    `radius` is that of the swept sphere; the sweep ignores the thing `ignored_id`.
    """
    for size in (radius, THINNER):
        for lift in LIFTS:
            found = _fall(sim, cell_id, (point[0], point[1], point[2] + lift), size, ignored_id)
            if found is not None:
                return found
    return None


def _fall(sim: Simulation, cell_id: int, top: Vec3, radius: float, ignored_id: int) -> Floor | None:
    x, y, z = top
    here = _cell_of(sim, cell_id, (x, y, z + radius), radius)
    reach = min(REACH, SUB_STEPS * radius)
    at, down = into_block(here, cell_id, top), 0.0
    while down < DEPTH:
        x, y, z = at
        found = resolve(
            sim.graph, sim.rules, at, (x, y, z - reach), here, radius, 0.0, 0.0, 0.0, False, AS_A_PLAYER, ignored_id
        )
        fell = into_block(here, found.cell_id, found.position)
        if (
            not found.ok
            or found.transition.sp.curr_cell is None
            or max(abs(fell[0] - x), abs(fell[1] - y)) > ASIDE * radius
        ):
            return None
        if found.in_contact:
            return _landed(found, here, at)
        if z - fell[2] < 0.5 * reach:
            return None  # the obstacle is not a floor
        at, here = into_block(found.cell_id, here, (x, y, fell[2])), found.cell_id
        down += reach
    return None


def _landed(found: ResolveResult, above_id: int, above: Vec3) -> Floor | None:
    """The point of the plane directly below the start of the sweep."""
    ci = found.transition.ci
    (nx, ny, nz), d = ci.contact_plane.normal, ci.contact_plane.d
    if nz < FLOOR_Z:
        return None
    x, y, _ = into_block(ci.contact_plane_cell_id, above_id, above)
    point = (x, y, -(nx * x + ny * y + d) / nz + 0.0)
    return Floor(found.cell_id, into_block(found.cell_id, ci.contact_plane_cell_id, point), (nx, ny, nz))


def _cell_of(sim: Simulation, cell_id: int, centre: Vec3, radius: float) -> int:
    """The cell of a point, found as for an arriving body (7.3)."""
    named = cell_id
    if cell_id & 0xFFFF == WHOLE_BLOCK or cell_id & 0xFFFF < FIRST_ENV_CELL:
        _, named, _ = adjust_to_outside(cell_id, centre)
        centre = into_block(named, cell_id, centre)
    found = resolve_cell_id(sim.graph, sim.rules, centre, radius, named)
    if found & 0xFFFF < FIRST_ENV_CELL:
        return find_room(sim.graph, found, centre) or found
    return found


# --- things


def drop_entity(sim: Simulation, entity_id: int) -> PlaceEntity:
    """The edit that puts an entity onto the floor below it, with the rotation it has."""
    entity = sim.population.entity(entity_id)
    cell_id, frame = entity.place_cell(), entity.place_frame()
    if cell_id == 0:
        raise PhysicsError(f"{entity.name} is nowhere yet")
    body = entity.body
    spheres = [] if body is None else [_scaled(sphere, body.scale) for sphere in body.spheres if sphere.radius > 0.0]
    landed, home = _resting(sim, cell_id, frame, spheres, entity_id, entity.name)
    if body is not None:
        placed = placed_at(body, Place(home, landed.origin, Frame(ZERO, landed.rotation)))
        if placed is None:
            raise PhysicsError(f"there is no room for {entity.name} on the floor below")
        landed, home = placed.frame(), placed.cell_id
    return place_at(entity_id, home, landed)


def drop_static(sim: Simulation, static_id: int) -> list[Edit]:
    """The edits that put a static thing onto the floor below it. It stays in the record that has it."""
    place = find_static(sim, static_id)
    if place is None:
        raise PhysicsError(f"there is no static thing {static_id & 0xFFFF} of {cell_text(owner_of(static_id))}")
    name = name_of_static(place)
    landed, home = _resting(sim, place.cell_id, place.frame, [], static_id, name)
    stays = Frame(into_block(place.cell_id, home, landed.origin), landed.rotation)
    return move_thing(sim, static_id, stays)


def _resting(
    sim: Simulation, cell_id: int, frame: Frame, spheres: list[Sphere], ignored_id: int, name: str
) -> tuple[Frame, int]:
    """The frame in which a thing rests on the floor, and the cell it is in then."""
    foot, radius = _foot(frame, spheres)
    floor = floor_below(sim, cell_id, foot, radius or THIN, ignored_id)
    if floor is None:
        raise PhysicsError(f"no walkable surface is below {name}")
    rest = radius * (1.0 / floor.normal[2] - 1.0)  # a ball rests on a slope beside its lowest point
    x, y, z = into_block(floor.cell_id, cell_id, frame.origin)
    landed = Frame((x, y, z + floor.point[2] + rest - foot[2]), frame.rotation)
    if not spheres:
        return landed, floor.cell_id
    home, landed = cell_of_place(sim, floor.cell_id, landed, spheres[0])  # the sweep may have slid over a border
    return landed, home


def _foot(frame: Frame, spheres: list[Sphere]) -> tuple[Vec3, float]:
    """The lowest point of the lowest sphere, with its radius; the origin of a thing without spheres."""
    placed = [(frame.local_to_global(sphere.center), sphere.radius) for sphere in spheres]
    if not placed:
        return frame.origin, 0.0
    (x, y, z), radius = min(placed, key=lambda sphere: sphere[0][2] - sphere[1])
    return (x, y, z - radius), radius


def _scaled(sphere: Sphere, scale: float) -> Sphere:
    x, y, z = sphere.center
    return Sphere((x * scale, y * scale, z * scale), sphere.radius * scale)
