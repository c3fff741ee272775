"""Where the player can stand: on a floor, at a door, in a cell, at a place as players write it.

Every function returns the player's soles, cell and heading, or raises a PhysicsError that says why nobody can stand
there. The engine decides: a floor is what a sweep downwards lands on (`floor_below`), free is where the player's own
spheres can be placed without sliding (physics.md 7.4), and no wall is between two points when a small sphere gets from
one to the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

from editor.authoring.dropping import AS_A_PLAYER, THIN, floor_below
from editor.places.place_text import WrittenPlace
from engine.entities.door import Door
from engine.geometry.box import Box
from engine.geometry.constants import BLOCK_LENGTH, CELL_LENGTH, FLOOR_Z
from engine.geometry.elementary import atan2, cos, distance_between, sin
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import ZERO, Vec3, add, r24v, scale
from engine.physics.errors import PhysicsError
from engine.physics.place import Place
from engine.physics.resolve import resolve
from engine.physics.set_position import placed_at, relabel_arrival, resolve_cell_id
from engine.sim.script import StartPlace
from engine.sim.tick.simulation import Simulation
from engine.survey.door_fit import Extent, slab_of
from engine.world.cells.cell import EnvCell, LandCell
from engine.world.cells.ids import (
    WHOLE_BLOCK,
    cell_text,
    is_env_cell,
    land_cell_column,
    land_cell_low,
    land_cell_row,
    low_of,
)
from engine.world.cells.position import into_block

RISES: Final = (0.0, 0.01, 0.05, 0.1, 0.2, 0.3)
"""Metres above a floor that are tried: on stairs and slopes a wide foot rests on what is beside its middle."""

ASIDE: Final = (0.0, 0.15, 0.3, 0.45, 0.6)
DIRECTIONS: Final = 8
"""Metres beside a point that are tried, all around it: a wall may be closer than the player is wide."""

STEP: Final = 0.65
"""Metres between the floors of two points for one to be beside the other: a step that the player can take (1.1)."""

WAIST: Final = 0.7
"""Metres above the floor at which walls between two points are looked for."""

FROM_DOOR: Final = (0.9, 0.75, 1.05, 1.25, 0.6, 1.5)
"""Metres between a closed leaf and the middle of the player, the best first: close enough to use it."""

UPRIGHT: Final = 0.5
"""The rise of a portal's normal up to which it is a doorway, and not a hatch."""

MOST_POINTS: Final = 160
"""Points of a cell's floor that are tried."""

WALL: Final = "this is a wall: a floor rises at most 48° here"
CEILING: Final = "this is the underside of something; nobody can stand on it"


SHAFT_PARTS: Final = 8
"""Each side of a room without a floor is divided in so many parts, to look for what he could stand on in it."""


def why_not_floor(normal: Vec3) -> str:
    """Why a surface is no floor; empty when it is one (physics.md 1.1)."""
    if normal[2] >= FLOOR_Z:
        return ""
    return CEILING if normal[2] < -FLOOR_Z else WALL


def on_floor(sim: Simulation, cell_id: int, point: Vec3, normal: Vec3, heading: float) -> StartPlace:
    """On the floor at a point that was pointed at, or as near to it as a wall lets him."""
    why_not = why_not_floor(normal)
    if why_not:
        raise PhysicsError(why_not)
    beside = _beside(sim, cell_id, point, heading)
    if beside is None:
        raise PhysicsError("there is no room for the player on this floor")
    return beside


def at_door(sim: Simulation, door: Door, *, is_behind: bool, heading: float | None = None) -> StartPlace:
    """Before a door, or behind it, facing it; behind is the side from which a lock does not matter (9.3)."""
    slab = slab_of(door.setup, door.collision_pose() or [], door.scale)
    if slab is None:
        slab = Extent([ZERO])
    middle, low = (slab.left + slab.right) * 0.5, max(slab.low, 0.0)
    leaf = (middle, (slab.near + slab.far) * 0.5, low)
    for away in FROM_DOOR:
        local = (middle, slab.near - away if is_behind else slab.far + away, low)
        found = _facing(sim, door, leaf, local)
        if found is not None:
            return found
    side = "behind" if is_behind else "in front of"
    raise PhysicsError(f"there is no room for the player {side} {door.name}")


def _facing(sim: Simulation, door: Door, leaf: Vec3, local: Vec3) -> StartPlace | None:
    """At a point of the door's space that nothing separates from its leaf, facing that."""
    begin, end = door.frame.local_to_global(leaf), door.frame.local_to_global(local)
    cell_id = _cell_at(sim, door.place_cell(), _waist(begin))
    reached = _reached(sim, cell_id, begin, end, door.id)
    if reached is None:
        return None
    here = into_block(reached, cell_id, end)
    there = into_block(reached, cell_id, begin)
    heading = math.degrees(atan2(there[0] - here[0], there[1] - here[1])) % 360.0
    return _standing(sim, reached, here, heading)


def at_portal(sim: Simulation, cell_id: int, index: int) -> StartPlace:
    """In a room before one of its portals, looking out through it."""
    cell = sim.graph.get_visible(cell_id)
    portal = cell.portals[index] if isinstance(cell, EnvCell) and 0 <= index < len(cell.portals) else None
    name = f"portal {index} of {cell_text(cell_id)}"
    if cell is None or portal is None or portal.polygon is None:
        raise PhysicsError(f"there is no {name}")
    out = scale(cell.frame.local_to_global_vec(portal.polygon.normal), 1.0 if portal.portal_side else -1.0)
    if abs(out[2]) > UPRIGHT:
        raise PhysicsError(f"{name} lies flat: it is not a doorway to stand in front of")
    corners = [cell.frame.local_to_global(corner) for corner in portal.polygon.vertices]
    x, y, _ = scale(_sum(corners), 1.0 / len(corners))
    sill = (x, y, min(corner[2] for corner in corners))
    heading = math.degrees(atan2(out[0], out[1])) % 360.0
    begin = add(sill, scale(out, -2.0 * THIN))
    for away in FROM_DOOR:
        end = add(sill, scale(out, -away))
        reached = _reached(sim, cell_id, begin, end, sim.player.id)
        found = None if reached is None else _standing(sim, reached, into_block(reached, cell_id, end), heading)
        if found is not None:
            return found
    raise PhysicsError(f"there is no room for the player in front of {name}")


def in_cell(sim: Simulation, cell_id: int, heading: float = 0.0) -> StartPlace:
    """On a floor of a cell, near the middle of it."""
    cell = sim.graph.get_visible(cell_id)
    if cell is None:
        raise PhysicsError(f"there is no cell {cell_text(cell_id)} in this world")
    points: list[Vec3] = []
    if isinstance(cell, EnvCell):
        points = _floor_points(cell)
    elif isinstance(cell, LandCell):
        points = _land_points(cell)
    for point in points:
        found = _standing(sim, cell_id, point, heading)
        if found is not None and found.cell_id == cell_id:
            return found
    if not points:
        raise PhysicsError(f"{cell_text(cell_id)} has no floor")
    raise PhysicsError(f"no floor of {cell_text(cell_id)} has room for the player")


def at_written(sim: Simulation, place: WrittenPlace, heading: float = 0.0) -> StartPlace:
    """At a place as players write it, as exactly as the engine lets him; `heading` counts where none is written.

    A written place is an origin. Standing clients have theirs above the floor by what a foot is sunk into it; a place
    on the floor itself means the same.
    """
    turned = heading if place.heading is None else place.heading
    land_id = _land_under(place)
    if low_of(place.cell_id) == WHOLE_BLOCK and land_id:
        place = replace(place, cell_id=land_id)
    if sim.graph.get_visible(place.cell_id) is None:
        raise PhysicsError(f"there is no cell {cell_text(place.cell_id)} in this world")
    if place.z is None:
        return _on_land(sim, place, turned)
    sunk = sim.player.sunk()
    x, y, z = place.x, place.y, place.z
    for soles in (z - sunk, z):
        found = _free(sim, place.cell_id, (x, y, soles), turned)
        if found is not None:
            return found
    for soles in (z - sunk, z):  # the id of another room was written: any room of the house that holds the place
        found = _free(sim, land_id, (x, y, soles), turned) if sim.graph.get_visible(land_id) is not None else None
        if found is not None and is_env_cell(found.cell_id):
            return found
    return _beside(sim, place.cell_id, (x, y, z), turned) or StartPlace(place.cell_id, (x, y, z - sunk), turned)


def _land_under(place: WrittenPlace) -> int:
    """The land cell under a place; 0 outside of its landblock's square."""
    if not (0.0 <= place.x < BLOCK_LENGTH and 0.0 <= place.y < BLOCK_LENGTH):
        return 0
    low = land_cell_low(int(place.x // CELL_LENGTH), int(place.y // CELL_LENGTH))
    return place.cell_id & 0xFFFF0000 | low


def _on_land(sim: Simulation, place: WrittenPlace, heading: float) -> StartPlace:
    cell = sim.graph.get_visible(place.cell_id)
    height = cell.terrain.height_at(place.x, place.y) if isinstance(cell, LandCell) else None
    if height is None:
        raise PhysicsError(f"there is no ground at {place.text} in this world")
    found = _beside(sim, place.cell_id, (place.x, place.y, height), heading)
    if found is None:
        raise PhysicsError(f"there is no room for the player at {place.text}")
    return found


# --- what the engine says


def _standing(sim: Simulation, cell_id: int, point: Vec3, heading: float) -> StartPlace | None:
    """On the floor under a point, where he fits."""
    floor = floor_below(sim, cell_id, point, THIN, sim.player.id)
    if floor is None:
        return None
    radius, sunk = sim.player.radius, sim.player.sunk()
    x, y, z = floor.point
    rest = max(0.0, radius * (1.0 / floor.normal[2] - 1.0) - sunk)  # a ball rests on a slope beside its lowest point
    for rise in RISES:
        found = _free(sim, floor.cell_id, (x, y, z + rest + rise), heading)
        if found is not None:
            return found
    return None


def _free(sim: Simulation, cell_id: int, soles: Vec3, heading: float) -> StartPlace | None:
    """Exactly there, if his spheres have room, in the cell that the engine finds him in."""
    x, y, z = soles
    body = sim.player.steered
    place = Place(cell_id, r24v((x, y, z + sim.player.sunk())), Frame(ZERO, from_heading(heading)))
    relabel_arrival(body, place)
    placed = placed_at(body, place)
    if placed is None or placed.cell_id != place.cell_id or not _holds(sim, place):
        return None
    x, y, z = place.origin
    return StartPlace(place.cell_id, (x, y, z - sim.player.sunk()), heading)


def _holds(sim: Simulation, place: Place) -> bool:
    """Whether the cell holds the middle of his foot: in a wall no cell does, and the one that was named remains."""
    cell = sim.graph.get_visible(place.cell_id)
    foot = place.local_to_global(sim.player.steered.spheres[0].center)
    return cell is not None and (not isinstance(cell, EnvCell) or cell.point_in_cell(foot))


def _beside(sim: Simulation, cell_id: int, point: Vec3, heading: float) -> StartPlace | None:
    """On the floor at a point, or beside it with nothing between."""
    floor = floor_below(sim, cell_id, point, THIN, sim.player.id)
    if floor is None:
        return None
    for offset in _around():
        there = add(floor.point, offset)
        reached = floor.cell_id if offset == ZERO else _reached(sim, floor.cell_id, floor.point, there, sim.player.id)
        if reached is None:
            continue
        found = _standing(sim, reached, into_block(reached, floor.cell_id, there), heading)
        if found is not None:
            z = into_block(floor.cell_id, found.cell_id, found.origin)[2]
            if abs(z - floor.point[2]) <= STEP:
                return found
    return None


def _around() -> Iterator[Vec3]:
    yield ZERO
    for away in ASIDE[1:]:
        for part in range(DIRECTIONS):
            angle = 2.0 * math.pi * part / DIRECTIONS
            yield (away * sin(angle), away * cos(angle), 0.0)


def _reached(sim: Simulation, cell_id: int, begin: Vec3, end: Vec3, ignored_id: int) -> int | None:
    """The cell in which a small sphere arrives that goes from above one point to above the other; None when something
    is in the way."""
    wanted = _waist(end)
    found = resolve(
        sim.graph, sim.rules, _waist(begin), wanted, cell_id, THIN, 0.0, 0.0, 0.0, False, AS_A_PLAYER, ignored_id
    )
    arrived = into_block(cell_id, found.cell_id, found.position)
    if not found.ok or found.transition.sp.curr_cell is None:
        return None
    return found.cell_id if distance_between(arrived, wanted) < THIN else None


def _cell_at(sim: Simulation, cell_id: int, point: Vec3) -> int:
    x, y, z = point
    return resolve_cell_id(sim.graph, sim.rules, (x, y, z + THIN), THIN, cell_id)


def _waist(point: Vec3) -> Vec3:
    return (point[0], point[1], point[2] + WAIST)


# --- points of a floor


def _floor_points(cell: EnvCell) -> list[Vec3]:
    """Points of a room's floors, from its middle outwards."""
    found: list[Vec3] = []
    corners: list[Vec3] = []
    for polygon in cell.structure.physics_polygons.values():
        if cell.frame.local_to_global_vec(polygon.normal)[2] < FLOOR_Z:
            continue
        vertices = [cell.frame.local_to_global(vertex) for vertex in polygon.vertices]
        corners += vertices
        middle = scale(_sum(vertices), 1.0 / len(vertices))
        found.append(middle)
        for first, second in pairwise([*vertices, vertices[0]]):
            for weight in (0.5, 0.75):
                found.append(_between(middle, first, weight))
                found.append(_between(middle, scale(add(first, second), 0.5), weight))
    if not corners:
        return _shaft_points(cell)
    x, y, _ = Box.of_points(corners).center()
    found.sort(key=lambda point: (round(distance_between(point[:2], (x, y)), 3), point))
    return found[:MOST_POINTS]


def _shaft_points(cell: EnvCell) -> list[Vec3]:
    """Points in a room without a floor of its own, from its middle outwards: stairs of the room below reach into it."""
    corners = [
        cell.frame.local_to_global(corner)
        for portal in cell.portals
        if portal.polygon is not None
        for corner in portal.polygon.vertices
    ]
    if not corners:
        return []
    box = Box.of_points(corners)
    (west, south, bottom), (east, north, top) = box.minimum, box.maximum
    x, y, _ = box.center()
    found = [
        (west + (east - west) * i / SHAFT_PARTS, south + (north - south) * j / SHAFT_PARTS, 0.5 * (bottom + top))
        for i in range(1, SHAFT_PARTS)
        for j in range(1, SHAFT_PARTS)
    ]
    found.sort(key=lambda point: (round(distance_between(point[:2], (x, y)), 3), point))
    return found


def _land_points(cell: LandCell) -> list[Vec3]:
    """Points of a land cell, from its middle outwards."""
    found = []
    west, south = land_cell_column(cell.id) * CELL_LENGTH, land_cell_row(cell.id) * CELL_LENGTH
    for ring in (0.0, 3.0, 6.0, 9.0, 11.0):
        for part in range(1 if ring == 0.0 else DIRECTIONS):
            angle = 2.0 * math.pi * part / DIRECTIONS
            x = west + CELL_LENGTH * 0.5 + ring * sin(angle)
            y = south + CELL_LENGTH * 0.5 + ring * cos(angle)
            height = cell.terrain.height_at(x, y)
            if height is not None:
                found.append((x, y, height))
    return found


def _sum(points: list[Vec3]) -> Vec3:
    total = ZERO
    for point in points:
        total = add(total, point)
    return total


def _between(a: Vec3, b: Vec3, weight: float) -> Vec3:
    return add(scale(a, 1.0 - weight), scale(b, weight))
