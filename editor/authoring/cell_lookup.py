"""Finds the cell of a thing that the user moves (physics.md 6.4, 7.3).

A moved thing needs its cell named, as a server does it. `resolve_cell_id` searches from the cell it was in: a thing
dragged over a threshold is in the cell behind it, and a thing that no cell holds, in a wall, stays in the cell it came
from.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.constants import DUMMY_SPHERE_RADIUS
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.physics.set_position import find_room, resolve_cell_id
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import is_env_cell
from engine.world.cells.landdefs import adjust_to_outside
from engine.world.cells.objects import Setup
from engine.world.cells.position import into_block

LEFT_BEHIND: Final = 0.5
"""The distance outside a room's walls, in metres, that counts as outdoors: a wall is thinner."""


def foot_of(setup: Setup, scale: float) -> Sphere:
    """The sphere whose centre decides which cell a thing is in: its first, or the client's dummy."""
    if setup.spheres:
        x, y, z = setup.spheres[0].center
        return Sphere((x * scale, y * scale, z * scale), setup.spheres[0].radius * scale)
    return Sphere((0.0, 0.0, DUMMY_SPHERE_RADIUS), DUMMY_SPHERE_RADIUS)


def cell_of_place(sim: Simulation, from_id: int, frame: Frame, foot: Sphere) -> tuple[int, Frame]:
    """The cell of a thing that moved from `from_id` to a place, and the frame in that cell's landblock.

    `frame` is in the landblock of `from_id`.
    """
    centre = frame.local_to_global(foot.center)
    if not is_env_cell(from_id):
        return _from_outdoors(sim, from_id, frame, centre, foot.radius)
    found = resolve_cell_id(sim.graph, sim.rules, centre, foot.radius, from_id)
    cell = sim.graph.get_visible(found)
    if isinstance(cell, EnvCell) and not cell.point_in_cell(into_block(found, from_id, centre)):
        return _from_room(sim, cell, from_id, frame, centre)
    return _in_block(found, from_id, frame)


def _from_outdoors(sim: Simulation, from_id: int, frame: Frame, centre: Vec3, radius: float) -> tuple[int, Frame]:
    """Prefer a room to the land around it; the land cell follows from the place."""
    ok, land_id, origin = adjust_to_outside(from_id, frame.origin)
    if not ok or sim.graph.get_visible(land_id) is None:
        return from_id, frame
    middle = into_block(land_id, from_id, centre)
    found = resolve_cell_id(sim.graph, sim.rules, middle, radius, land_id)
    if not is_env_cell(found):
        found = find_room(sim.graph, found, into_block(found, land_id, middle)) or found
    return _in_block(found, land_id, Frame(origin, frame.rotation))


def _from_room(sim: Simulation, room: EnvCell, from_id: int, frame: Frame, centre: Vec3) -> tuple[int, Frame]:
    """For a place that no nearby cell holds: a cell that the room sees, the land well outside a house, or None in a
    wall."""
    middle = into_block(room.id, from_id, centre)
    child = sim.graph.find_visible_child_cell(room, middle, True)
    if child is not None:
        return _in_block(child.id, from_id, frame)
    beyond = not room.sphere_intersects_cell(Sphere(room.frame.global_to_local(middle), LEFT_BEHIND))
    if room.seen_outside and beyond:
        return _from_outdoors(sim, from_id, frame, centre, DUMMY_SPHERE_RADIUS)
    return from_id, frame


def _in_block(cell_id: int, from_id: int, frame: Frame) -> tuple[int, Frame]:
    if cell_id >> 16 == from_id >> 16:
        return cell_id, frame
    return cell_id, Frame(into_block(cell_id, from_id, frame.origin), frame.rotation)
